//! The columns that texts take on a terminal.

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
}
