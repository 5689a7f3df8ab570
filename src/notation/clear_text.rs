//! The text of a move that comes through what programs do to it.

use crate::rules::notation::Voice;
use crate::rules::{Ply, Position};

/// Returns the text that our reader takes for this legal ply and no other, even if it
/// stands alone, and even if each `+` in it is lost or has become a blank: the canonical
/// text, or else one that has the square of origin or a capital letter. Returns none if
/// no text is so clear.
#[must_use]
pub fn clear_text(position: &Position, ply: &Ply) -> Option<String> {
    let text = position.text(ply);
    // A small letter may be a file. Without its `+` a promoted piece is another one, that
    // may have a move to the same square.
    if !text.contains('+') && !text.starts_with(['b', 'g']) {
        return Some(text);
    }
    let long = position.long_text(ply);
    let capitals = [&text, &long].map(|text| capitalized(text));
    let mut forms = [text, long].into_iter().chain(capitals);
    forms.find(|text| is_clear(position, text, ply))
}

fn is_clear(position: &Position, text: &str, ply: &Ply) -> bool {
    let read = |text: &str| {
        let reading = position.read_with(text, Voice::Lone);
        reading.ok().map(|reading| reading.ply)
    };
    let is_other = |sign| {
        let damaged = text.replace('+', sign);
        read(&damaged).is_some_and(|other| other != *ply)
    };
    read(text).as_ref() == Some(ply) && !(text.contains('+') && ["", " "].into_iter().any(is_other))
}

/// Returns a text with its first letter as a capital.
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
