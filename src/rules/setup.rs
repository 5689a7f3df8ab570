//! Anything that can be written down as a position, possible or not, and its
//! FEN.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::board::Board;
use crate::piece::Color;
use crate::reserve::Reserve;
use crate::square::Square;
use crate::variant::Variant;

/// A position as somebody wrote it, not checked. [`crate::Position::from_setup`]
/// is the gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The board.
    pub board: Board,
    /// The reserves, the first player's first.
    pub reserves: [Reserve; 2],
    /// Who is to move.
    pub turn: Color,
    /// Kings on e1/e8 and rooks on corners that have not moved.
    pub unmoved: Vec<Square>,
    /// The square a pawn has just passed by a double step.
    pub en_passant: Option<Square>,
    /// Half-moves since the last pawn move, capture or drop.
    pub halfmoves: u32,
    /// The number of the move, from 1.
    pub number: u32,
}

impl Setup {
    /// Reads a FEN of the variant: board, `[reserves]` where the game has
    /// them, side, and as many of the other fields as there are.
    ///
    /// # Errors
    ///
    /// If the text is not a FEN, with the place.
    pub fn from_fen(variant: &Variant, fen: &str) -> Result<Setup, ParseFenError> {
        let _ = (variant, fen);
        todo!()
    }

    /// The FEN.
    #[must_use]
    pub fn to_fen(&self, variant: &Variant) -> String {
        let _ = variant;
        todo!()
    }
}

/// A text that is no FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseFenError {
    message: String,
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for ParseFenError {}

/// A position that cannot stand, with everything that is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    faults: Vec<String>,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.faults.join("; "))
    }
}

impl core::error::Error for SetupError {}
