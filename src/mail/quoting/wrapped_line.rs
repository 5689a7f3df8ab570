//! Wrapped lines: a program that breaks long lines after quoting them leaves their ends
//! at the margin without a mark, as if the writer had typed them.

use crate::quoting::line::{Author, Line};

/// The length in characters above which a line counts as full if no other line shows
/// the width.
const FILLED: usize = 60;

/// The least length in characters of the longest quoted line at which a program may wrap.
/// Shorter lines are as their writers have ended them.
const NARROWEST: usize = 38;

/// The width at which a program wraps lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// In characters, as measured on other lines of the same text.
    Measured(usize),
    /// No other line shows it.
    Unknown,
}

/// Returns true if a mail program may have wrapped `above`, so that `below` is the rest
/// of it.
///
/// With a measured width, the first word of `below` has no room in `above`, and `above`
/// does not end a sentence. With an unknown width the test is stricter: `above` is full
/// and ends with a letter, a digit or a comma, because people also end a line with a
/// smiley or a bracket.
///
/// # Examples
///
/// ```
/// use parapost_mail::quoting::wrapped_line::{Width, goes_on};
///
/// assert!(goes_on("> I have been thinking about", "it for days", Width::Measured(30)));
/// assert!(!goes_on("> Thanks.", "n>g5", Width::Measured(30)));
/// assert!(!goes_on("I am not sure yet, but", "n>g5", Width::Unknown));
/// ```
#[must_use]
pub fn goes_on(above: &str, below: &str, width: Width) -> bool {
    match width {
        Width::Measured(width) => !has_room(above, below, width) && !ends_sentence(above),
        Width::Unknown => length(above) > FILLED && is_open(above),
    }
}

/// Returns true if the line breaks off: it ends with a letter, a digit or a comma.
#[must_use]
pub fn is_open(text: &str) -> bool {
    let last = text.trim_end().chars().next_back();
    last.is_some_and(|c| c.is_alphanumeric() || c == ',')
}

/// Returns true if the first word of `below` fits at the end of `above`, which means
/// that the writer ended that line. An empty `below` always fits.
pub(super) fn has_room(above: &str, below: &str, width: usize) -> bool {
    let first = below.split_whitespace().next();
    first.is_none_or(|word| length(above) + 1 + word.chars().count() <= width)
}

/// Returns true if the line ends with a full stop or the like. The dot of a number and
/// the dots of a row do not count.
fn ends_sentence(text: &str) -> bool {
    let rest = text.trim_end().strip_suffix(['.', '!', '?', ':']);
    rest.is_some_and(|rest| !rest.ends_with(|c: char| c.is_ascii_digit() || c == '.'))
}

/// Samples of what this pass reacts to.
pub(super) const TOKENS: &[&str] = &[
    "I have been thinking about this for days, and what I came to see in the end is this:",
    "What would you do in my place, with all of your pieces still in the reserve as they are?",
    "That was a good one! It took me the better part of an evening to see what it was for.",
];

/// Marks wrapped ends between two quoted lines as quoted.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    let is_quoted = |line: &Line<'_>| matches!(line.author, Author::Quoted(_));
    let width = match width(lines.iter().filter(|line| is_quoted(line))) {
        Width::Measured(width) if width < NARROWEST => Width::Unknown,
        width => width,
    };
    let mut at = 1;
    while at < lines.len() {
        let author = lines[at - 1].author;
        let mut end = at;
        if matches!(author, Author::Quoted(_)) {
            end += count(lines, at, width);
        }
        if lines.get(end).is_some_and(is_quoted) {
            for line in &mut lines[at..end] {
                line.author = author;
            }
        }
        at = end + 1;
    }
}

/// Returns the length of the longest line. Lines of one word are skipped, because a
/// program cannot break them.
pub(super) fn width<'l, 'a: 'l>(lines: impl Iterator<Item = &'l Line<'a>>) -> Width {
    let lines = lines.filter(|line| line.text.trim().contains(' '));
    let longest = lines.map(|line| length(line.source)).max();
    Width::Measured(longest.unwrap_or_default())
}

/// Returns how many own lines from `at` on can be the rest of the line above them.
pub(super) fn count(lines: &[Line<'_>], at: usize, width: Width) -> usize {
    let goes_on = |at: &usize| {
        let (above, line) = (&lines[at - 1], &lines[*at]);
        let is_own = line.author == Author::Own && !line.is_blank();
        is_own && goes_on(above.source, line.text, width)
    };
    (at..lines.len()).take_while(goes_on).count()
}

fn length(text: &str) -> usize {
    text.trim_end().chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measured_width_tells_where_a_word_had_no_room() {
        let goes_on = |above: &str, below: &str| goes_on(above, below, Width::Measured(10));
        assert!(goes_on("> one two", "three"));
        assert!(goes_on("> one two  ", "a"));
        assert!(!goes_on("> one two", ""));
        // Ten characters fit.
        assert!(!goes_on("> one", "four"));
        assert!(goes_on("> one", "fours"));
        // A full stop ends a sentence, but the dot of a number does not.
        for end in ["two.", "two!", "two?", "two:"] {
            assert!(!goes_on(&format!("> one {end}"), "three"), "{end}");
        }
        for end in ["12.", "12...", "...", "two)", "two,"] {
            assert!(goes_on(&format!("> one {end}"), "three"), "{end}");
        }
    }

    #[test]
    fn without_a_width_only_a_filled_open_line_goes_on() {
        let goes_on = |above: &str| goes_on(above, "n>g5", Width::Unknown);
        let long = "x".repeat(FILLED);
        assert!(!goes_on(&long));
        for (end, expected) in [
            ("x", true),
            ("1", true),
            (",", true),
            (")", false),
            (".", false),
        ] {
            assert_eq!(goes_on(&format!("{long}{end}")), expected, "{end}");
            assert!(!goes_on(end), "{end}");
        }
    }
}
