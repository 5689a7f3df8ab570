//! A position that can stand on a table.

use alloc::string::String;
use alloc::vec::Vec;

use crate::board::Board;
use crate::illegal::IllegalMove;
use crate::outcome::{Mark, Outcome};
use crate::piece::{Color, Piece};
use crate::ply::Ply;
use crate::reserve::Reserve;
use crate::setup::{Setup, SetupError};
use crate::square::Square;
use crate::variant::Variant;

/// A position: board, reserves, whose turn it is, and all that must be
/// remembered to know what may be played. It has no history;
/// [`crate::Record`] keeps that.
#[derive(Clone, Debug)]
pub struct Position {
    variant: Variant,
}

impl Position {
    /// The position the game starts from.
    #[must_use]
    pub fn start(variant: &Variant) -> Position {
        let _ = variant;
        todo!()
    }

    /// The position somebody wrote down, if it can stand.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it at once.
    pub fn from_setup(variant: &Variant, setup: &Setup) -> Result<Position, SetupError> {
        let _ = (variant, setup);
        todo!()
    }

    /// The position as it can be written down.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        todo!()
    }

    /// The FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        todo!()
    }

    /// The game and its options.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Who is to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        todo!()
    }

    /// The number of the move to be made, from 1: it grows after the second
    /// player's turn.
    #[must_use]
    pub fn number(&self) -> u32 {
        todo!()
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> Board {
        todo!()
    }

    /// The piece on a square.
    #[must_use]
    pub fn get(&self, square: Square) -> Option<Piece> {
        let _ = square;
        todo!()
    }

    /// A player's reserve.
    #[must_use]
    pub fn reserve(&self, color: Color) -> Reserve {
        let _ = color;
        todo!()
    }

    /// Every legal move. In Kingchess placements of several pieces are left
    /// to [`Position::placements`].
    #[must_use]
    pub fn legal_plies(&self) -> Vec<Ply> {
        todo!()
    }

    /// Kingchess: every legal placement of two pieces and more, made while
    /// iterating.
    pub fn placements(&self) -> impl Iterator<Item = Ply> + '_ {
        core::iter::empty()
    }

    /// Whether the ply is legal, placements included.
    #[must_use]
    pub fn is_legal(&self, ply: &Ply) -> bool {
        let _ = ply;
        todo!()
    }

    /// Why the ply is not legal.
    ///
    /// # Errors
    ///
    /// The reason, in a player's words.
    pub fn check(&self, ply: &Ply) -> Result<(), IllegalMove> {
        let _ = ply;
        todo!()
    }

    /// The position after the ply.
    ///
    /// # Errors
    ///
    /// If the ply is not legal: why, in a player's words.
    pub fn play(&self, ply: &Ply) -> Result<Position, IllegalMove> {
        let _ = ply;
        todo!()
    }

    /// What stands against the king of the player to move: the mark of the
    /// move that led here.
    #[must_use]
    pub fn mark(&self) -> Mark {
        todo!()
    }

    /// Whether the player to move is in real check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        todo!()
    }

    /// Mate, stalemate or a dead position; repetition and the count of moves
    /// are [`crate::Record::outcome`]'s to see.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        todo!()
    }

    /// How many lines of play of that length there are; ends do not cut it.
    /// A Kingchess placement counts once, as a set.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        let _ = depth;
        todo!()
    }
}
