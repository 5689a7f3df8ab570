//! Characters that a terminal obeys, or that nobody sees; and texts of HTML and XML: the
//! characters that may stand in them, and those that are escaped.

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

/// Returns true for a character that every reader of HTML and XML takes: none that
/// controls anything but a line end, and no noncharacter, on which readers of XML give up.
#[must_use]
pub(crate) fn is_legal(c: char) -> bool {
    c == '\n' || !is_unprintable(c) && !is_noncharacter(c)
}

/// Returns true for the code points that never are characters (Unicode 23.7): 32 in a
/// row, and the last two of each plane.
fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe
}

/// Writes a text of HTML. A `>` stays as it is: moves are read as they stand.
pub(crate) fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars().filter(|c| is_legal(*c)) {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Writes a text between tags of XML. A `>` stays as it is but for the end of a section.
pub(crate) fn xml(text: &str) -> String {
    let legal: String = text.chars().filter(|c| is_legal(*c)).collect();
    legal
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace("]]>", "]]&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_told_from_letters() {
        assert!(
            "\u{1b}\u{202e}\u{feff}\u{e0041}"
                .chars()
                .all(is_unprintable)
        );
        assert!(!"將 ن\u{200c}".contains(is_unprintable));
    }

    #[test]
    fn what_xml_allows_and_people_write_is_legal() {
        for c in [
            'a', 'ß', '將', '🙂', ' ', '\n', '\u{fffd}', '\u{fdcf}', '\u{fdf0}',
        ] {
            assert!(is_legal(c), "{c:?}");
        }
        // XML 1.0, production 2, but for the surrogates, which are no characters.
        let is_xml = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            assert!(!is_legal(c) || is_xml(c), "{c:?}");
        }
        for c in [
            '\u{fffe}',
            '\u{ffff}',
            '\u{fdd0}',
            '\u{fdef}',
            '\u{1fffe}',
            '\u{10ffff}',
            '\u{1b}',
        ] {
            assert!(!is_legal(c), "{c:?}");
        }
    }
}
