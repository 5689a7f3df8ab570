//! A piece behind a `=` that has a blank beside it: `S-e8= S`. In shogi the blank may
//! have been a `+`, or the `=` declines the promotion.

use core::fmt;

use crate::piece::Role;

/// Cuts off a piece behind a `=` that has a blank beside it: `S-e8= S`, `S-e8 =+S`.
pub(super) fn parted(text: &str) -> Option<(&str, Role)> {
    let (before, behind) = text.rsplit_once('=')?;
    let is_parted = before.ends_with(' ') || behind.starts_with(' ');
    let piece = behind.trim_start();
    let mut letters = piece.strip_prefix('+').unwrap_or(piece).chars();
    let (letter, None) = (letters.next()?, letters.next()) else {
        return None;
    };
    let role = Role::from_letter(letter)?;
    is_parted.then_some((before.trim_end(), role))
}

/// Writes the piece behind its sign.
pub(super) fn write_parted(f: &mut fmt::Formatter<'_>, role: Option<Role>) -> fmt::Result {
    match role {
        Some(role) => write!(f, "= {}", role.letter()),
        None => Ok(()),
    }
}
