//! The columns that texts take on a terminal.

use textwrap::WordSplitter;
use unicode_width::UnicodeWidthStr as _;

/// Returns how many columns a text takes: a Chinese character takes two, a combining mark
/// none.
#[must_use]
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// Fills a text with blanks up to a number of columns.
#[must_use]
pub(crate) fn padded(text: &str, to: usize) -> String {
    let blanks = to.saturating_sub(columns(text));
    format!("{text}{:blanks$}", "")
}

/// Wraps the lines of a text between words. What is indented stands as it is, and so does
/// a word wider than a line: it is something to copy.
#[must_use]
pub(crate) fn wrapped(text: &str, to: usize) -> String {
    let layout = textwrap::Options::new(to)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation);
    let lines = text.split('\n').map(|line| {
        if columns(line) > to && !line.starts_with(' ') {
            textwrap::fill(line, &layout)
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the columns of the terminal, or 80 if it does not tell.
#[must_use]
pub(crate) fn of_terminal() -> usize {
    match terminal_size::terminal_size() {
        Some((terminal_size::Width(columns @ 1..), _)) => columns.into(),
        _ => 80,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!(columns("羽生善治"), 8);
        assert_eq!(padded("羽生", 6), "羽生  ");
        assert_eq!(padded("羽生善治", 6), "羽生善治");
    }

    #[test]
    fn prose_is_wrapped_and_what_is_copied_is_not() {
        assert_eq!(
            wrapped("one two three\n\nfour", 8),
            "one two\nthree\n\nfour"
        );
        assert_eq!(
            wrapped("  parapost move\na/long/path b", 8),
            "  parapost move\na/long/path\nb"
        );
        assert_eq!(wrapped("羽生 善治 a", 8), "羽生\n善治 a");
    }
}
