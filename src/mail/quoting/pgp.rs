//! The signatures and armour of PGP, which a program adds, so they are nobody's words.
//!
//! Armour counts only if it ends where it began: at the same depth of quoting, with
//! nothing else between. Otherwise one line of somebody who is quoted would hide what
//! the writer has put below it.
//!
//! A signed message has `- ` before each line that begins with a dash, for instance a
//! row of a diagram. The pass removes it.

use crate::quoting::line::{Author, Line};

/// The line above a signed text.
const SIGNED: &str = "-----BEGIN PGP SIGNED MESSAGE-----";

/// The line above the signature of a signed text.
const SIGNATURE: &str = "-----BEGIN PGP SIGNATURE-----";

/// The lines above an encrypted text and above a key.
const BLOCKS: [&str; 2] = [
    "-----BEGIN PGP MESSAGE-----",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----",
];

/// The beginning of the line below armour.
const END: &str = "-----END PGP ";

/// Samples of what this pass reacts to.
pub(super) const TOKENS: &[&str] = &[
    "-----BEGIN PGP SIGNED MESSAGE-----",
    "Hash: SHA256",
    "- ",
    "-----BEGIN PGP SIGNATURE-----",
    "-----BEGIN PGP MESSAGE-----",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----",
    "-----END PGP SIGNATURE-----",
    "-----END PGP MESSAGE-----",
];

/// Marks the armour and removes the dash escapes of a signed text.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    let mut at = 0;
    while at < lines.len() {
        let text = lines[at].text.trim();
        let end = if text == SIGNED {
            signed(lines, at)
        } else if BLOCKS.contains(&text) {
            block(lines, at)
        } else {
            None
        };
        at = end.unwrap_or(at + 1);
    }
}

/// Returns true if a line begins a signed text, or is a field of its head.
pub(super) fn begins_signed(text: &str) -> bool {
    text.trim() == SIGNED || is_armour_header(text.trim())
}

/// Marks the armour of the signed text that begins at `at`, and returns its end.
fn signed(lines: &mut [Line<'_>], at: usize) -> Option<usize> {
    let depth = lines[at].author.depth();
    let is_same = |line: &&Line<'_>| line.author.depth() == depth || line.is_blank();
    let mut same = lines[at..].iter().take_while(is_same);
    let signature = at + same.position(|line| line.text.trim() == SIGNATURE)?;
    let end = block(lines, signature)?;
    let head = lines[at + 1..signature].iter();
    let head = head.take_while(|line| is_armour_header(line.text.trim()));
    let body = at + 1 + head.count();
    for line in &mut lines[at..body] {
        line.author = Author::Signature;
    }
    for line in &mut lines[body..signature] {
        if line.text.trim_start().starts_with("- ") {
            let bytes = line.text.find('-').map_or(0, |dash| dash + 2);
            line.cut(bytes, line.author);
        }
    }
    Some(end)
}

/// Marks the armour that begins at `at`, and returns its end.
fn block(lines: &mut [Line<'_>], at: usize) -> Option<usize> {
    let depth = lines[at].author.depth();
    let is_inside = |line: &&Line<'_>| {
        let text = line.text.trim();
        line.is_blank() || line.author.depth() == depth && is_armour(text)
    };
    let inside = lines[at + 1..].iter().take_while(is_inside).count();
    let end = at + 1 + inside;
    let last = lines.get(end)?;
    if last.author.depth() != depth || !last.text.trim().starts_with(END) {
        return None;
    }
    for line in &mut lines[at..=end] {
        line.author = Author::Signature;
    }
    Some(end + 1)
}

/// Returns true if the line may be of an armour: a field, or letters without blanks.
fn is_armour(text: &str) -> bool {
    is_armour_header(text) || !text.contains(char::is_whitespace) && !text.starts_with(END)
}

/// Returns true if the line is a header of PGP's armour.
fn is_armour_header(text: &str) -> bool {
    ["Hash: ", "Charset: ", "Comment: ", "Version: "]
        .iter()
        .any(|header| text.starts_with(header))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoting::helpdesk::pasted;

    fn own(text: &str) -> String {
        let lines = pasted(text);
        let own = lines.iter().filter(|line| line.author == Author::Own);
        own.map(|line| line.text).collect::<Vec<_>>().join("|")
    }

    /// Went wrong: a note of that one line hid all that was written below it.
    #[test]
    fn armour_that_does_not_end_hides_nothing() {
        for begin in [BLOCKS[0], BLOCKS[1], SIGNATURE] {
            assert_eq!(own(&format!("> {begin}\nn>g5\n")), "n>g5");
            assert_eq!(
                own(&format!("> {begin}\n\nn>g5\n> {END}MESSAGE-----\n")),
                "|n>g5"
            );
            let text = format!("{begin}\nhello there\nn>g5\n{END}MESSAGE-----\n");
            assert!(own(&text).contains("n>g5"), "{text}");
        }
        assert_eq!(
            own("-----BEGIN PGP MESSAGE-----\nabc\n-----END PGP MESSAGE-----\nn>g5"),
            "n>g5"
        );
    }

    #[test]
    fn a_signed_text_is_its_writer_s() {
        let text = format!(
            "{SIGNED}\nHash: SHA256\n\n- - r n\nn>g5\n{SIGNATURE}\n\nabc=\n{END}SIGNATURE-----\n"
        );
        assert_eq!(own(&text), "|- r n|n>g5");
    }
}
