//! Parts of messages: text that somebody wrote, lists.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

/// The most that is repeated, in characters.
const MOST: usize = 40;

/// A text cut to a few characters, with a question mark for each that would
/// not be seen or would steer a terminal: it may come from anywhere.
pub(crate) fn shown(text: &str) -> String {
    let text = text.trim();
    let mut shown: String = text.chars().take(MOST).map(visible).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

fn visible(c: char) -> char {
    let steers = c.is_control()
        || matches!(c,
            '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}');
    if steers { '?' } else { c }
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
