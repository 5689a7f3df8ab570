//! Parts of messages: text that somebody wrote, lists.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display};

/// The most that is repeated, in characters.
const MOST: usize = 40;

/// A text cut to a few characters, with a question mark for each that would
/// not be seen or would steer a terminal: it may come from anywhere.
pub(crate) fn shown(text: &str) -> String {
    let text = text.trim();
    let start: String = text.chars().take(MOST).collect();
    let mut shown = start.replace(is_unprintable, "?");
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

/// Whether a character would do something on a terminal instead of showing, or
/// shows nothing: controls, line and paragraph separators, marks that turn the
/// direction of writing, blanks without width, tags. The two that join and part
/// letters (U+200C, U+200D) are needed to write Persian and count as printable.
///
/// ```
/// use parapost_rules::is_unprintable;
///
/// assert!(is_unprintable('\u{1b}') && is_unprintable('\u{202e}'));
/// assert!(!is_unprintable('將') && !is_unprintable(' '));
/// ```
#[must_use]
pub fn is_unprintable(c: char) -> bool {
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

/// Writes clauses, one behind the other.
pub(crate) fn clauses<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str("; ")?;
        }
        write(f, item)?;
    }
    Ok(())
}

/// "a", "a and b", "a, b and c".
pub(crate) fn list<T: Display>(items: &[T], last: &str) -> String {
    match items {
        [] => String::from("nothing"),
        [one] => one.to_string(),
        [rest @ .., end] => {
            let rest: Vec<String> = rest.iter().map(ToString::to_string).collect();
            format!("{} {last} {end}", rest.join(", "))
        }
    }
}
