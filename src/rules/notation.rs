//! Moves as people write them.
//!
//! A forgiving reader, a strict writer. The writer knows one form, that of
//! the 1994 post ([`Position::text`]); the reader takes what people write
//! (docs/format.md 2) in two steps: [`MoveText`] is a move without meaning,
//! understood from its characters alone; [`Position::interpret`] finds the one
//! legal move it can mean, or says why there is none, or shows the several.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::illegal::IllegalMove;
use crate::outcome::Mark;
use crate::piece::Role;
use crate::ply::Ply;
use crate::position::Position;
use crate::square::Square;

/// Where a move was written, which decides what a small `b` may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// In a list of moves: canonical text is canonical.
    List,
    /// Alone in a mail: `bxc6` that could be the bishop's or the b-pawn's is
    /// ambiguous.
    Lone,
}

/// A move understood from its characters alone, with no position in mind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveText {
    text: String,
}

impl MoveText {
    /// The piece letter that was written, unpromoted; none for `e4` or `O-O`.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        todo!()
    }

    /// The square the piece arrives on, where one is named.
    #[must_use]
    pub fn target(&self) -> Option<Square> {
        todo!()
    }

    /// Whether a drop sign was written.
    #[must_use]
    pub fn is_drop(&self) -> bool {
        todo!()
    }

    /// The mark that was written, if any.
    #[must_use]
    pub fn mark(&self) -> Option<Mark> {
        todo!()
    }

    /// Whether a draw was offered with the move (`=` or `(=)`).
    #[must_use]
    pub fn offers_draw(&self) -> bool {
        todo!()
    }
}

impl FromStr for MoveText {
    type Err = ParseMoveError;

    /// Reads one move: no number before it, its mark and comment signs glued
    /// on or after blanks, nothing else behind it.
    fn from_str(text: &str) -> Result<MoveText, ParseMoveError> {
        let _ = text;
        todo!()
    }
}

/// A text that is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseMoveError {
    message: String,
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for ParseMoveError {}

/// A move as it was meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// What is played.
    pub ply: Ply,
    /// What was odd about the way it was written, for people; clauses
    /// without a full stop. Empty for canonical text with the right mark or
    /// none.
    pub warnings: Vec<String>,
    /// Whether a draw was offered with the move.
    pub offers_draw: bool,
}

/// Why a text could not be read as one legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// It is no move at all.
    NotAMove(ParseMoveError),
    /// It is a move, and not allowed.
    Illegal(IllegalMove),
    /// It can mean several legal moves: their unmistakable forms.
    Ambiguous(Vec<String>),
    /// A promotion without the piece: the forms that have it.
    Promotion(Vec<String>),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let _ = f;
        todo!()
    }
}

impl core::error::Error for ReadError {}

impl Position {
    /// The canonical form of a legal ply, without its mark.
    #[must_use]
    pub fn text(&self, ply: &Ply) -> String {
        let _ = ply;
        todo!()
    }

    /// The canonical form of a legal ply with every origin given in full:
    /// `Ng1-f3`, the same whatever else could go there.
    #[must_use]
    pub fn long_text(&self, ply: &Ply) -> String {
        let _ = ply;
        todo!()
    }

    /// Reads a move as somebody wrote it.
    ///
    /// # Errors
    ///
    /// If it is no move, not allowed, or could be several.
    pub fn read(&self, text: &str, voice: Voice) -> Result<Reading, ReadError> {
        let text = text.parse().map_err(ReadError::NotAMove)?;
        self.interpret(&text, voice)
    }

    /// Finds the one legal ply that a text can mean here.
    ///
    /// # Errors
    ///
    /// If it means none that is allowed, or several.
    pub fn interpret(&self, text: &MoveText, voice: Voice) -> Result<Reading, ReadError> {
        let _ = (text, voice);
        todo!()
    }
}
