//! The characters that may stand in a text of HTML and XML.

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
