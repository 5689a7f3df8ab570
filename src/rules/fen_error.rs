//! The error of reading a FEN.

use alloc::string::String;
use core::fmt;

use crate::shown::shown;

/// A text that is no FEN of the game.
///
/// Its `Display` repeats what is wrong with at most forty characters of it,
/// and with a question mark for each that would steer a terminal.
///
/// # Examples
///
/// ```
/// use parapost_rules::{ParseFenErrorKind, Setup, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let error = Setup::from_fen(&chess, "8/8/8/8/8/8/8 w").unwrap_err();
/// assert_eq!(error.kind(), &ParseFenErrorKind::Rows { has: 7, width: 8 });
/// assert_eq!(error.to_string(), "the board has 7 rows instead of 8");
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ParseFenError {
    kind: ParseFenErrorKind,
}

/// The reason why a text is no FEN.
///
/// # Examples
///
/// ```
/// use parapost_rules::{ParseFenErrorKind, Setup, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let error = Setup::from_fen(&chess, "8/8/8/8/8/8/8/7J").unwrap_err();
/// assert_eq!(error.kind(), &ParseFenErrorKind::NoPiece('J'));
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ParseFenErrorKind {
    /// The board has another number of rows than the game's.
    Rows {
        /// The rows of the text.
        has: usize,
        /// The rows of the game's board.
        width: u8,
    },
    /// A row has another number of squares than the game's.
    Row {
        /// The row.
        row: String,
        /// The squares of a row of the game's board.
        width: u8,
    },
    /// A character of the board that stands for no piece.
    NoPiece(char),
    /// The bracket of the reserves is not closed.
    ReservesOpen,
    /// A character among the reserves that stands for no piece the game has
    /// there.
    NotInReserve(char),
    /// More pieces of a kind in reserve than any game has.
    TooManyInReserve(char),
    /// The side to move is neither `w` nor `b`.
    Turn(String),
    /// A letter that stands for no right to castle in the game.
    Castling(char),
    /// The en passant field is neither a square nor `-`.
    EnPassant(String),
    /// The halfmove clock is no number up to 100,000.
    Halfmoves(String),
    /// The move number is no number up to 100,000.
    Number(String),
    /// An item of the field of earlier drops that is neither a bishop's colour
    /// nor a pawn's square that stands there once.
    Memory(String),
    /// There is a field too many.
    ExtraField(String),
}

impl ParseFenError {
    /// The reason why the text is no FEN.
    #[must_use]
    pub fn kind(&self) -> &ParseFenErrorKind {
        &self.kind
    }
}

impl From<ParseFenErrorKind> for ParseFenError {
    fn from(kind: ParseFenErrorKind) -> ParseFenError {
        ParseFenError { kind }
    }
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |c: &char| shown(c.encode_utf8(&mut [0; 4]));
        match &self.kind {
            ParseFenErrorKind::Rows { has, width } => {
                let rows = if *has == 1 { "row" } else { "rows" };
                write!(f, "the board has {has} {rows} instead of {width}")
            }
            ParseFenErrorKind::Row { row, width } => {
                write!(f, "the row '{}' does not have {width} squares", shown(row))
            }
            ParseFenErrorKind::NoPiece(c) => write!(f, "'{}' is no piece", sign(c)),
            ParseFenErrorKind::ReservesOpen => f.write_str("the reserves lack their ']'"),
            ParseFenErrorKind::NotInReserve(c) => {
                write!(f, "'{}' can't be in reserve in this game", sign(c))
            }
            ParseFenErrorKind::TooManyInReserve(c) => write!(f, "too many '{c}' in reserve"),
            ParseFenErrorKind::Turn(text) => {
                write!(f, "the side to move is w or b, not '{}'", shown(text))
            }
            ParseFenErrorKind::Castling(c) => write!(f, "'{}' is no right to castle", sign(c)),
            ParseFenErrorKind::EnPassant(text) => {
                write!(f, "the en passant square '{}' is no square", shown(text))
            }
            ParseFenErrorKind::Halfmoves(text) => {
                write!(f, "the halfmove clock '{}' is no number", shown(text))
            }
            ParseFenErrorKind::Number(text) => {
                write!(f, "the move number '{}' is no number", shown(text))
            }
            ParseFenErrorKind::Memory(text) => write!(
                f,
                "'{}' is neither a bishop's colour, as in B-dark, nor a pawn's square",
                shown(text)
            ),
            ParseFenErrorKind::ExtraField(text) => {
                write!(f, "'{}' is one field too many", shown(text))
            }
        }
    }
}

impl core::error::Error for ParseFenError {}
