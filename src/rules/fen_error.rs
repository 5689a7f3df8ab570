//! The error of reading a FEN.

use alloc::string::String;
use core::fmt;

use crate::sentences::{sentences, shown};

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

sentences! {
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
    pub enum ParseFenErrorKind() {
        /// The board has another number of rows than the game's.
        Rows {
            /// The rows of the text.
            has: usize,
            /// The rows of the game's board.
            width: u8,
        } => ("the board has {has} {} instead of {width}", if *has == 1 { "row" } else { "rows" }),
        /// A row has another number of squares than the game's.
        Row {
            /// The row.
            row: String,
            /// The squares of a row of the game's board.
            width: u8,
        } => ("the row '{}' does not have {width} squares", shown(row)),
        /// A character of the board that stands for no piece.
        NoPiece(sign: char) => ("'{}' is no piece", shown_sign(*sign)),
        /// The bracket of the reserves is not closed.
        ReservesOpen => ("the reserves lack their ']'"),
        /// A character among the reserves that stands for no piece the game has
        /// there.
        NotInReserve(sign: char) => ("'{}' can't be in reserve in this game", shown_sign(*sign)),
        /// More pieces of a kind in reserve than any game has.
        TooManyInReserve(letter: char) => ("too many '{letter}' in reserve"),
        /// The side to move is neither `w` nor `b`.
        Turn(text: String) => ("the side to move is w or b, not '{}'", shown(text)),
        /// A letter that stands for no right to castle in the game.
        Castling(sign: char) => ("'{}' is no right to castle", shown_sign(*sign)),
        /// The en passant field is neither a square nor `-`.
        EnPassant(text: String) => ("the en passant square '{}' is no square", shown(text)),
        /// The halfmove clock is no number up to 100,000.
        Halfmoves(text: String) => ("the halfmove clock '{}' is no number", shown(text)),
        /// The move number is no number up to 100,000.
        Number(text: String) => ("the move number '{}' is no number", shown(text)),
        /// An item of the field of earlier drops that is neither a bishop's colour
        /// nor a pawn's square that stands there once.
        Memory(text: String) =>
            ("'{}' is neither a bishop's colour, as in B-dark, nor a pawn's square", shown(text)),
        /// There is a field too many.
        ExtraField(text: String) => ("'{}' is one field too many", shown(text)),
    }
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
        self.kind.write(f)
    }
}

impl core::error::Error for ParseFenError {}

fn shown_sign(sign: char) -> String {
    shown(sign.encode_utf8(&mut [0; 4]))
}
