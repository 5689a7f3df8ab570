//! The names that a message about a game needs.

use alloc::format;
use alloc::string::String;

use crate::piece::{Color, Piece};

/// A game's name and what its players are called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Names {
    pub(crate) game: &'static str,
    pub(crate) players: [&'static str; 2],
}

impl Names {
    pub(crate) fn player(&self, color: Color) -> &'static str {
        self.players[color.index()]
    }

    /// "White's knight".
    pub(crate) fn piece(&self, piece: Piece) -> String {
        format!("{}'s {}", self.player(piece.color), piece.role)
    }
}
