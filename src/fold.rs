//! Texts from anywhere in lines for a terminal: not too wide, and without what could control it.

use unicode_width::UnicodeWidthChar as _;

use crate::printable::is_unprintable;

/// The most characters without a width of their own, such as accents, that are shown on
/// one letter. More would cover the lines above and below.
const ACCENTS: usize = 4;

/// Returns the columns of a character. A line has as many as its characters.
fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// Folds a text from anywhere into lines of at most so many columns (at least 2). Cuts
/// words wider than a line, and drops what could control a terminal.
pub(crate) fn fold(text: &str, columns: usize) -> Vec<String> {
    text.lines()
        .map(printable)
        .flat_map(|line| folded(&line, columns.max(2)))
        .collect()
}

/// Returns a text from anywhere as one line, without what could control a terminal.
pub(crate) fn one_line(text: &str) -> String {
    printable(&text.replace(['\n', '\r'], " "))
}

fn printable(line: &str) -> String {
    let mut accents = 0;
    let shown = |c: &char| {
        accents = if columns(*c) == 0 { accents + 1 } else { 0 };
        !is_unprintable(*c) && accents <= ACCENTS
    };
    line.replace('\t', " ").chars().filter(shown).collect()
}

fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

fn folded(line: &str, most: usize) -> Vec<String> {
    if width(line) <= most {
        return vec![line.to_owned()];
    }
    let mut lines = vec![String::new()];
    let mut taken = 0;
    for word in line.split_whitespace() {
        let wide = width(word);
        let is_first = taken == 0;
        if !is_first && taken + 1 + wide > most {
            lines.push(String::new());
            taken = 0;
        }
        for c in (taken > 0).then_some(' ').into_iter().chain(word.chars()) {
            if taken + columns(c) > most {
                lines.push(String::new());
                taken = 0;
            }
            if let Some(last) = lines.last_mut() {
                last.push(c);
            }
            taken += columns(c);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_too_wide() {
        let words = "羽生善治 ".repeat(9);
        let long = "x".repeat(95) + &"治".repeat(30);
        for text in [words.as_str(), &long, "a b c", "", "  a\n\n b"] {
            for columns in [2, 7, 8, 38, 78] {
                let lines = fold(text, columns);
                assert!(
                    lines.iter().all(|line| width(line) <= columns),
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
