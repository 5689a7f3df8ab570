//! The error of reading a move.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::movetext::ParseMoveError;
use crate::refusal::Refusal;
use crate::shown::list;

/// The reason why a text was not read as one legal move.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::{ReadError, Voice};
/// use parapost_rules::{Position, Setup, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let setup = Setup::from_fen(&chess, "7k/P7/8/8/8/8/8/R6K w")?;
/// let position = Position::from_setup(&chess, &setup)?;
/// let Err(ReadError::Promotion(forms)) = position.read("a8", Voice::Lone) else {
///     panic!("the pawn must become something");
/// };
/// assert_eq!(forms.len(), 4);
/// assert!(forms.contains(&"P-a8=Q".to_owned()));
/// assert!(matches!(position.read("hello", Voice::Lone), Err(ReadError::NotAMove(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// It is no move at all.
    NotAMove(ParseMoveError),
    /// It is a move, and not allowed.
    Illegal(Refusal),
    /// It can mean several legal moves: their unmistakable forms.
    Ambiguous(Vec<String>),
    /// A promotion without the piece: the forms that have it.
    Promotion(Vec<String>),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotAMove(error) => error.fmt(f),
            ReadError::Illegal(error) => error.fmt(f),
            ReadError::Ambiguous(forms) => {
                write!(f, "this can be read as {}", list(forms, "or"))
            }
            ReadError::Promotion(forms) => write!(
                f,
                "the pawn must become another piece: {}",
                list(forms, "or")
            ),
        }
    }
}

impl core::error::Error for ReadError {}
