//! Characters that a terminal obeys, or that nobody sees.

/// Returns true if a character would do something on a terminal instead of showing, or
/// shows nothing: controls, line and paragraph separators, marks that turn the direction
/// of writing, blanks without width, tags. The two that join and part letters (U+200C,
/// U+200D) are needed to write Persian and count as printable.
pub(crate) fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::is_unprintable;

    #[test]
    fn what_steers_a_terminal_is_told_from_letters() {
        assert!(
            "\u{1b}\u{202e}\u{feff}\u{e0041}"
                .chars()
                .all(is_unprintable)
        );
        assert!(!"將 ن\u{200c}".contains(is_unprintable));
    }
}
