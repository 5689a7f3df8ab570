//! Doubt: lines with text that their reader may not have seen, or of which it is unknown
//! whether the writer of the letter wrote it. What reads a letter puts [`DOUBT`] at the end
//! of each; nobody else can write it.

use std::borrow::Cow;

use crate::quoting::line::{Author, DOUBT, Line};

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    vec![format!("resign{DOUBT}")]
}

/// Marks doubtful lines of the writer's as unclear. What is quoted in them is at most
/// perhaps quoted, so that nothing counts that somebody has filled into it unseen.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    for line in lines.iter_mut().filter(|line| line.is_doubtful) {
        line.author = match line.author {
            Author::Own => Author::Unclear,
            Author::Quoted(_) => Author::Quoted(0),
            author => author,
        };
    }
}

/// Returns every line of a text with the mark at its end, but for the empty ones.
#[must_use]
pub fn doubted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let words = line.trim_end_matches(['\n', '\r', DOUBT]);
        out.push_str(words);
        if !words.trim().is_empty() {
            out.push(DOUBT);
        }
        if line.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}

/// Returns a text without the characters that Unicode keeps for a program's own use, of
/// which [`DOUBT`] is one.
#[must_use]
pub fn without_noncharacters(text: &str) -> Cow<'_, str> {
    let is_one = |c: char| matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe;
    if text.contains(is_one) {
        Cow::Owned(text.replace(is_one, ""))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoting::classify::pasted;

    #[test]
    fn a_doubtful_line_is_nobody_s_and_shows_no_mark() {
        let lines = pasted("n>g5\n> P>e3\u{fdd1}\nn>f6\u{fdd1}\r\n\u{fdd1}\n");
        let told: Vec<_> = lines.iter().map(|line| (line.author, line.text)).collect();
        assert_eq!(
            told,
            [
                (Author::Own, "n>g5"),
                (Author::Quoted(0), " P>e3"),
                (Author::Unclear, "n>f6"),
                (Author::Unclear, ""),
            ]
        );
        assert!(lines.iter().all(|line| !line.source.contains(DOUBT)));
    }

    #[test]
    fn every_line_with_words_is_doubted_once() {
        assert_eq!(
            doubted("a\n\nb\u{fdd1}\r\nc"),
            "a\u{fdd1}\n\nb\u{fdd1}\nc\u{fdd1}"
        );
        assert_eq!(without_noncharacters("a\u{fdd1}b\u{ffff}\u{10fffe}"), "ab");
    }
}
