//! The error of reading a move's text.

use alloc::string::String;
use core::fmt;

use crate::piece::Role;
use crate::shown::shown;
use crate::square::{File, Square};

/// A text that is no move.
///
/// Its `Display` repeats at most forty characters of the text, with a question
/// mark for each that would steer a terminal.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::{MoveText, ParseMoveErrorKind};
///
/// let error = "K> h1".parse::<MoveText>().unwrap_err();
/// assert_eq!(error.kind(), ParseMoveErrorKind::BlankInDrop);
/// assert_eq!(
///     error.to_string(),
///     "'K> h1' has a blank beside the '>'; a drop is written without, as in K>h1",
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseMoveError {
    kind: ParseMoveErrorKind,
    /// The beginning of the text, or its square, fit to be repeated.
    shown: String,
}

/// The reason why a text is no move.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::{MoveText, ParseMoveErrorKind};
///
/// let error = "hello".parse::<MoveText>().unwrap_err();
/// assert_eq!(error.kind(), ParseMoveErrorKind::NotAMove);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ParseMoveErrorKind {
    /// It looks like no move.
    NotAMove,
    /// It would be a drop but for the blank beside the `>`.
    BlankInDrop,
    /// It would be a move, but no board has its square: `K>z9`.
    NoSquare,
}

impl ParseMoveError {
    /// The error of a text, whose part without the tail is `core`.
    pub(super) fn new(text: &str, core: &str) -> ParseMoveError {
        let has_blank = core.contains("> ") || core.contains(" >");
        let (kind, repeated) = match no_square(core) {
            _ if has_blank => (ParseMoveErrorKind::BlankInDrop, text),
            Some(square) => (ParseMoveErrorKind::NoSquare, square),
            None => (ParseMoveErrorKind::NotAMove, text),
        };
        ParseMoveError {
            kind,
            shown: shown(repeated),
        }
    }

    /// The reason why the text is no move.
    #[must_use]
    pub fn kind(&self) -> ParseMoveErrorKind {
        self.kind
    }
}

/// The square that a move names although no board has it: the `z9` of `K>z9`.
fn no_square(core: &str) -> Option<&str> {
    let at = core.rfind(['>', '*', '@', '\'', '-', 'x', 'X', ':'])?;
    let piece = core[..at].trim_start_matches('+');
    let square = &core[at + 1..];
    let is_piece = piece.len() <= 3 && piece.chars().next().and_then(Role::from_letter).is_some();
    let is_lost = match square.as_bytes() {
        [file, rank] if file.is_ascii_alphabetic() && rank.is_ascii_digit() => {
            square.parse::<Square>().is_err()
        }
        [file, rank] if file.is_ascii_digit() && rank.is_ascii_alphabetic() => {
            *file == b'0' || File::from_letter(char::from(*rank)).is_none()
        }
        _ => false,
    };
    (is_piece && is_lost).then_some(square)
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.shown;
        match self.kind {
            ParseMoveErrorKind::BlankInDrop => write!(
                f,
                "'{shown}' has a blank beside the '>'; a drop is written without, as in K>h1"
            ),
            ParseMoveErrorKind::NoSquare => write!(
                f,
                "there is no square {shown}; they are named a1 to h8, in the shogi games a1 to i9"
            ),
            ParseMoveErrorKind::NotAMove => write!(
                f,
                "'{shown}' is not a move; a move is written like P>e3 (drop), N-f3 (move) or Bxe2 (capture)"
            ),
        }
    }
}

impl core::error::Error for ParseMoveError {}
