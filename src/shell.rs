//! Shell commands for people to paste.

/// Quotes a text as one word of a POSIX shell.
pub fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@,+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// Lays out quoted words as a command with lines no wider than `width` (at
/// least 8). Each line but the last ends in a backslash. A word wider than a
/// line is cut into quoted parts that the shell joins again.
pub fn lines(words: &[String], width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    // Leaves space for a blank and the backslash.
    let room = width - 2;
    for word in words {
        let joined = line.chars().count() + 1 + word.chars().count();
        if line.is_empty() {
            line.clone_from(word);
        } else if joined <= room {
            line = format!("{line} {word}");
        } else {
            lines.push(format!("{line} \\"));
            line = format!("  {word}");
        }
        // Only a quoted word can be this long. It can be cut anywhere inside
        // its quotes, except between the characters of '\''.
        while line.chars().count() > room {
            let cut = cut(&line, room - 1);
            let rest = format!("'{}", &line[cut..]);
            line.truncate(cut);
            lines.push(format!("{line}'\\"));
            line = rest;
        }
    }
    lines.push(line);
    lines.join("\n")
}

/// Splits a command as [`quote`] and [`lines`] write it into its words. Returns
/// `None` if it has anything else that a shell would interpret.
pub fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '\\' => match chars.next()? {
                '\n' => {}
                '\'' => word.get_or_insert_default().push('\''),
                _ => return None,
            },
            ' ' => words.extend(word.take()),
            c if c.is_ascii_alphanumeric() || "-_./:=@,+".contains(c) => {
                word.get_or_insert_default().push(c);
            }
            _ => return None,
        }
    }
    words.extend(word);
    Some(words)
}

/// Finds a place inside the quotes of a line, at most `most` characters from
/// its start.
fn cut(line: &str, most: usize) -> usize {
    let mut open = false;
    let mut escaped = false;
    let mut place = 0;
    for (i, (at, c)) in line.char_indices().enumerate() {
        if i > most {
            break;
        }
        if open {
            place = at;
        }
        match c {
            _ if escaped => escaped = false,
            '\\' if !open => escaped = true,
            '\'' => open = !open,
            _ => {}
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn what_a_shell_would_make_something_of_is_not_taken_apart() {
        for command in [
            "a $(b)", "a; b", "a `b`", "a \"b\"", "a > b", "a 'b", "a \\", "a\nb", "a *",
        ] {
            assert_eq!(split(command), None, "{command}");
        }
    }

    /// Returns the arguments that a shell passes on.
    fn understood(command: &str) -> Vec<String> {
        let output = Command::new("sh")
            .arg("-c")
            .arg(format!(
                "show() {{ for word; do printf '%s\\n' \"$word\"; done; }}\nshow {command}"
            ))
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(ToOwned::to_owned).collect()
    }

    #[test]
    fn a_shell_understands_what_was_meant() {
        let words = [
            "plain",
            "two words",
            "it's",
            "'",
            "''''",
            "$HOME `id` \\ \"x\" !! *",
            "n>g5",
            "-x",
            "#no",
            "~",
            "Ünal O'Neil <u@x.test>, <v@y.test>",
            &"'".repeat(60),
            &"ab'c ".repeat(60),
            &"ä".repeat(200),
        ];
        for width in [16, 40, 72] {
            let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
            let command = lines(&quoted, width);
            assert!(
                command.lines().all(|line| line.chars().count() <= width),
                "{command}"
            );
            assert_eq!(understood(&command), words, "{command}");
            assert!(split(&command).unwrap() == words, "{command}");
        }
    }
}
