//! Sentences for people, and what they are made of: text that somebody wrote, lists.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display};
use core::ops::RangeInclusive;

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

/// Signs that show nothing or turn the direction of writing, controls apart: line and
/// paragraph separators, blanks without width, tags. The two that join and part letters
/// (U+200C, U+200D) are needed to write Persian and count as printable.
const UNSEEN: [RangeInclusive<char>; 9] = [
    '\u{61c}'..='\u{61c}',
    '\u{180e}'..='\u{180e}',
    '\u{200b}'..='\u{200b}',
    '\u{200e}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{feff}'..='\u{feff}',
    '\u{fff9}'..='\u{fffb}',
    '\u{e0000}'..='\u{e007f}',
];

/// Returns true if a character would do something on a terminal, or shows nothing.
pub(crate) fn is_unprintable(c: char) -> bool {
    c.is_control() || UNSEEN.iter().any(|unseen| unseen.contains(&c))
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

/// An enum, each variant with its sentence beside it, and a function `write` that writes
/// the sentence. Behind the name stand the values that the sentences use beside those of
/// their own variant; where there are none, `Display` writes the sentence, too.
macro_rules! sentences {
    ($(#[$meta:meta])* pub enum $name:ident($($value:ident: $value_type:ty),*) {$(
        $(#[$doc:meta])*
        $variant:ident
        $(($($part:ident: $part_type:ty),*))?
        $({$($(#[$field_doc:meta])* $field:ident: $field_type:ty,)*})?
        => ($($sentence:tt)*),
    )*}) => {
        $(#[$meta])*
        pub enum $name {$(
            $(#[$doc])*
            $variant $(($($part_type),*))? $({$($(#[$field_doc])* $field: $field_type,)*})?,
        )*}

        impl $name {
            #[allow(clippy::too_many_lines, reason = "a sentence for each")]
            fn write(
                &self,
                f: &mut core::fmt::Formatter<'_>,
                $($value: $value_type,)*
            ) -> core::fmt::Result {
                match self {
                    $($name::$variant $(($($part),*))? $({$($field),*})? => {
                        write!(f, $($sentence)*)
                    })*
                }
            }
        }

        sentences!(@display $name $($value)*);
    };
    (@display $name:ident) => {
        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.write(f)
            }
        }
    };
    (@display $name:ident $($value:ident)+) => {};
}
pub(crate) use sentences;
