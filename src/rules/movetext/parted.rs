//! A piece behind a `=` that has a blank beside it: `S-e8= S`. In shogi the blank may
//! have been a `+`, or the `=` declines the promotion.

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::{MoveText, only_letter};
use crate::piece::Role;

/// Cuts off a piece behind a `=` that has a blank beside it: `S-e8= S`, `S-e8 =+S`.
pub(super) fn parted(text: &str) -> Option<(&str, Role)> {
    let (before, behind) = text.rsplit_once('=')?;
    let is_parted = before.ends_with(' ') || behind.starts_with(' ');
    let piece = behind.trim_start();
    let role = only_letter(piece.strip_prefix('+').unwrap_or(piece))?;
    is_parted.then_some((before.trim_end(), role))
}

impl MoveText {
    pub(super) fn with_parted(self, role: Role) -> MoveText {
        MoveText {
            parted: Some(role),
            ..self
        }
    }

    pub(super) fn write_parted(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parted {
            Some(role) => write!(f, "= {}", role.letter()),
            None => Ok(()),
        }
    }

    /// Returns true if a piece follows a `=` that has a blank beside it: `S-e8= S`.
    #[must_use]
    pub fn is_parted(&self) -> bool {
        self.parted.is_some()
    }

    /// The move as it declines promotion, and as it promotes, if the text could mean
    /// both.
    pub(crate) fn both(&self) -> Option<[String; 2]> {
        let core = &self.core;
        self.parted
            .map(|_| [format!("{core}="), format!("{core}=+")])
    }
}
