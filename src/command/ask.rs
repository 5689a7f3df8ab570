//! A question to the person at the terminal that yes or no answers.

use std::io::Read;

use crate::command::context::Context;

/// Asks the user a question that yes or no answers. Anything but yes is no.
pub(super) fn ask(question: &str, context: &mut Context<'_>) -> bool {
    context.say(format_args!("{question}? [y/n]"));
    is_yes(&mut context.stdin)
}

/// The longest answer that is read, in bytes.
const LONGEST_ANSWER: usize = 100;

fn is_yes(answer: &mut dyn Read) -> bool {
    let mut line = Vec::new();
    let mut byte = [0];
    // Reads no further than the line, because the next answer follows it.
    while line.len() < LONGEST_ANSWER && matches!(answer.read(&mut byte), Ok(1)) {
        if byte == *b"\n" {
            break;
        }
        line.extend(byte);
    }
    let line = line.trim_ascii().to_ascii_lowercase();
    matches!(line.as_slice(), b"y" | b"yes")
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn only_yes_is_yes() {
        for (answer, expected) in [
            ("y\n", true),
            ("Yes\r\n", true),
            (" y \nn\n", true),
            ("", false),
            ("\n", false),
            ("n\ny\n", false),
            ("yes please\n", false),
        ] {
            assert_eq!(is_yes(&mut answer.as_bytes()), expected, "{answer:?}");
        }
        let mut answers = "y\nn\ny\n".as_bytes();
        let read: Vec<bool> = (0..4).map(|_| is_yes(&mut answers)).collect();
        assert_eq!(read, [true, false, true, false]);
        assert!(!is_yes(&mut std::io::repeat(b'y')));
    }
}
