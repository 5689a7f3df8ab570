//! Texts as they are shown: the characters that a terminal obeys, or that nobody sees; the columns
//! that texts take on a terminal, and texts from anywhere in lines that are not too wide, without
//! what could control it; and texts of HTML and XML: the characters that may stand in them,
//! those that are escaped, and parts that are filled in.
//!
//! Counted nouns.

use std::fmt::Write as _;

use textwrap::WordSplitter;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::mail::Pattern;

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

/// Returns true if the name of a player or an event has only visible characters, so that different
/// names look different and no name looks empty. Variation selectors and characters that join or
/// separate letters are allowed, since some names need them, but not alone.
pub(crate) fn is_seen(name: &str) -> bool {
    // The second class has invisible characters that only their Unicode names identify: the blank
    // pattern of braille, a null notehead, and Egyptian blanks.
    static UNSEEN: Pattern = Pattern::new(
        r"(?x)
        [\p{Default_Ignorable_Code_Point}--\p{Variation_Selector}--\p{Join_Control}]
        | [\x{2800}\x{1d159}\x{13441}\x{13442}]
        | \A[\p{Default_Ignorable_Code_Point}\s]+\z",
    );
    !name.contains(is_unprintable) && !UNSEEN.is_match(name)
}

/// Escapes what a terminal would obey or nobody would see, line ends among it, but for the
/// characters to keep.
pub(crate) fn escaped(text: &str, kept: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) && !kept.contains(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Returns true for a character that every reader of HTML and XML takes: none that
/// controls anything but a line end, and no noncharacter, on which readers of XML give up.
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

/// Puts parts into a text for their names in double braces. What stands in a part is never a
/// name.
pub(crate) fn filled(text: &str, parts: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (name, behind) = behind.split_once("}}").unwrap_or_default();
        let part = parts.iter().find(|(known, _)| *known == name);
        filled.push_str(before);
        filled.push_str(part.map_or("", |(_, part)| part));
        rest = behind;
    }
    filled + rest
}

/// Returns how many columns a text takes: a Chinese character takes two, a combining mark
/// none.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Encodes bytes for an address, `%3A` for a colon: all but letters, digits and the signs that are
/// plain there.
pub(crate) fn percent_encoded(bytes: &[u8], plain: &[u8]) -> String {
    let mut encoded = String::with_capacity(3 * bytes.len());
    for byte in bytes {
        if byte.is_ascii_alphanumeric() || plain.contains(byte) {
            encoded.push(char::from(*byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// Fills a text with blanks up to a number of columns.
pub(crate) fn padded(text: &str, to: usize) -> String {
    let blanks = to.saturating_sub(width(text));
    format!("{text}{:blanks$}", "")
}

/// Wraps the lines of a text between words. What is indented stands as it is, and so does
/// a word wider than a line: it is something to copy.
pub(crate) fn wrapped(text: &str, to: usize) -> String {
    let layout = textwrap::Options::new(to)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation);
    let lines = text.split('\n').map(|line| {
        if width(line) > to && !line.starts_with(' ') {
            textwrap::fill(line, &layout)
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the columns of the terminal, or 80 if it does not tell.
pub(crate) fn terminal_width() -> usize {
    match terminal_size::terminal_size() {
        Some((terminal_size::Width(columns @ 1..), _)) => columns.into(),
        _ => 80,
    }
}

/// The most characters without a width of their own, such as accents, that are shown on
/// one letter. More would cover the lines above and below.
const ACCENTS: usize = 4;

/// Returns the columns of a character. A folded line has as many as its characters.
fn of_char(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// Folds a text from anywhere into lines of at most so many columns (at least 2). Cuts
/// words wider than a line, and drops what could control a terminal.
pub(crate) fn fold(text: &str, columns: usize) -> Vec<String> {
    text.lines()
        .map(shown)
        .flat_map(|line| folded(&line, columns.max(2)))
        .collect()
}

/// Returns a text from anywhere as one line, without what could control a terminal.
pub(crate) fn one_line(text: &str) -> String {
    shown(&text.replace(['\n', '\r'], " "))
}

fn shown(line: &str) -> String {
    let mut accents = 0;
    let is_shown = |c: &char| {
        accents = if of_char(*c) == 0 { accents + 1 } else { 0 };
        !is_unprintable(*c) && accents <= ACCENTS
    };
    line.replace('\t', " ").chars().filter(is_shown).collect()
}

/// Returns the columns of the characters of a text one by one, which may come to more than its
/// [`width`]: a line can be cut between any two of them.
fn width_of_chars(text: &str) -> usize {
    text.chars().map(of_char).sum()
}

fn folded(line: &str, most: usize) -> Vec<String> {
    if width_of_chars(line) <= most {
        return vec![line.to_owned()];
    }
    let mut lines = vec![String::new()];
    let mut taken = 0;
    for word in line.split_whitespace() {
        let wide = width_of_chars(word);
        let is_first = taken == 0;
        if !is_first && taken + 1 + wide > most {
            lines.push(String::new());
            taken = 0;
        }
        for c in (taken > 0).then_some(' ').into_iter().chain(word.chars()) {
            if taken + of_char(c) > most {
                lines.push(String::new());
                taken = 0;
            }
            if let Some(last) = lines.last_mut() {
                last.push(c);
            }
            taken += of_char(c);
        }
    }
    lines
}

/// Writes a number with its noun in the singular or the plural: `1 row`, `2
/// rows`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Writes `1 half-move` or `2 half-moves`.
pub(crate) fn half_moves(count: usize) -> String {
    counted(count, "half-move")
}

/// Writes `1 match` or `2 matches`.
pub(crate) fn counted_matches(count: usize) -> String {
    let plural = if count == 1 { "" } else { "es" };
    format!("{count} match{plural}")
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
    fn a_name_is_seen_as_it_is() {
        for name in [
            "Anna",
            "山田\u{e0100}太郎",
            "Anna ❤\u{fe0f}",
            "👩\u{200d}🌾",
            "می\u{200c}خواهم",
            "각 \u{1112}\u{1161}\u{11ab}",
            "⠁⠝⠝⠁",
        ] {
            assert!(is_seen(name), "{name}");
        }
        let fillers = "\u{ad}\u{34f}\u{115f}\u{1160}\u{17b4}\u{180e}\u{200b}\u{2060}\u{2800}\u{3164}\u{ffa0}\u{1d173}\u{e0041}";
        for c in fillers.chars() {
            for name in [c.to_string(), format!("Anna{c}"), format!("{c} Anna")] {
                assert!(!is_seen(&name), "{name:?}");
            }
        }
        for name in ["\u{200d}", "\u{fe0f} \u{fe0f}", "\u{200c}"] {
            assert!(!is_seen(name), "{name:?}");
        }
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

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!(width("羽生善治"), 8);
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

    #[test]
    fn no_line_is_too_wide() {
        let words = "羽生善治 ".repeat(9);
        let long = "x".repeat(95) + &"治".repeat(30);
        for text in [words.as_str(), &long, "a b c", "", "  a\n\n b"] {
            for columns in [2, 7, 8, 38, 78] {
                let lines = fold(text, columns);
                assert!(
                    lines.iter().all(|line| width_of_chars(line) <= columns),
                    "{lines:#?}"
                );
                let plain = |text: &str| text.replace([' ', '\n'], "");
                assert_eq!(plain(&lines.concat()), plain(text));
            }
        }
        assert_eq!(fold("  a b\n\n c", 8), ["  a b", "", " c"]);
        assert_eq!(fold("one two three", 8), ["one two", "three"]);
    }

    #[test]
    fn nothing_steers_a_terminal_or_covers_other_lines() {
        assert_eq!(fold("a\u{1b}[2J\tb\r\n\u{202e}c", 80), ["a[2J b", "c"]);
        assert_eq!(one_line("a\nb\r\u{9b}c"), "a b c");
        let covered = "e\u{301}".to_owned() + &"\u{301}".repeat(1000);
        assert_eq!(fold(&covered, 80), ["e\u{301}\u{301}\u{301}\u{301}"]);
    }

    #[test]
    fn folding_takes_time_linear_in_the_text() {
        let text = "x".repeat(1 << 20) + &" y".repeat(1 << 19);
        assert!(fold(&text, 40).len() > 1 << 15);
    }
}
