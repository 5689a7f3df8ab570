//! The signs by which a damaged file of a match is told from any other text.

use std::sync::LazyLock;

use regex::Regex;

/// The first line of a state file.
const FIRST: &str = "Format: 1";

/// Returns true if there is a sign that these are the bytes of a match's file,
/// however damaged: its first line, or a line that looks like one of a log. An
/// empty file may be a match that was cut to nothing.
#[must_use]
pub fn is_like_match(bytes: &[u8]) -> bool {
    static LOGGED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?ix) \d{4}-\d\d-\d\d T \d\d:\d\d:\d\d [^\s]* \s+ [a-z]+ \s+ (?: white | black | referee | - )
              | \b chain \s* [=:] \s* [0-9a-f]{16} \b
              | \b msg \s* = \s* <",
        )
        .expect("the pattern is well-formed")
    });
    if bytes.starts_with(FIRST.as_bytes()) {
        return true;
    }
    // Other encodings have bytes of zero between the letters.
    let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    let text = String::from_utf8_lossy(&bytes);
    // An editor may have put a mark before the line.
    let first = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = first.lines().next().unwrap_or_default();
    let key: String = first
        .chars()
        .take_while(|c| !matches!(c, ':' | '='))
        .collect();
    FIRST.starts_with(text.trim())
        || (key.len() < first.len() && key.trim().eq_ignore_ascii_case("format"))
        || LOGGED.is_match(&text)
}

#[cfg(test)]
mod tests {
    use super::is_like_match;

    #[test]
    fn a_match_is_told_from_other_texts_however_damaged() {
        for text in [
            "",
            " \n",
            "\0\0\0\0",
            "Form",
            "Format: 1\n",
            "\u{feff}FORMAT: 1\r\nId: m\r\n",
            "> Format: 1\n> Id: m\n",
            "Format: nonsense\n",
            "Game: Chess\nChain: 5b7d09c1a2e4f680\n",
            "hello\n2026-11-20T03:05:00Z move White P>e3\n",
            "  2026-11-20t03:05:00z new - chess white=x\n",
            "F\0o\0r\0m\0a\0t\0:\0 \0\x31\0\n\0",
        ] {
            assert!(is_like_match(text.as_bytes()), "{text:?}");
        }
        for text in [
            "hello\n",
            "Shopping:\n- milk\n",
            "Game: chess tonight?\n",
            "1. P>e3 n>g5\n",
            "formats: many\n",
            "Meet on 2026-11-20 at 03:05.\n",
        ] {
            assert!(!is_like_match(text.as_bytes()), "{text:?}");
        }
        assert!(!is_like_match(b"\xff\xfe\x12hello"));
    }
}
