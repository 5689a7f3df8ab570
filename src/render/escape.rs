//! Texts of HTML and XML: the characters that may stand in them, and those that are escaped.

use crate::printable::is_unprintable;

/// Returns true for a character that every reader of HTML and XML takes: none that
/// controls anything but a line end, and no noncharacter, on which readers of XML give up.
#[must_use]
pub fn is_legal(c: char) -> bool {
    c == '\n' || !is_unprintable(c) && !is_noncharacter(c)
}

/// Returns true for the code points that never are characters (Unicode 23.7): 32 in a
/// row, and the last two of each plane.
fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe
}

/// Writes a text of HTML. A `>` stays as it is: moves are read as they stand.
pub(super) fn html(text: &str) -> String {
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
pub(super) fn xml(text: &str) -> String {
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
