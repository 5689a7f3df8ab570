//! The columns that texts take on a terminal, and texts from anywhere in lines that are not
//! too wide, without what could control it.

use textwrap::WordSplitter;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::printable::is_unprintable;

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
        accents = if of_char(*c) == 0 { accents + 1 } else { 0 };
        !is_unprintable(*c) && accents <= ACCENTS
    };
    line.replace('\t', " ").chars().filter(shown).collect()
}

fn width(text: &str) -> usize {
    text.chars().map(of_char).sum()
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
