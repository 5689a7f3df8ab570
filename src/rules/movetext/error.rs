//! The error of reading a move's text.

use alloc::string::String;
use core::fmt;

use crate::shown::shown;

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
    /// The beginning of the text, fit to be repeated.
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
}

impl ParseMoveError {
    /// The error of a text, whose part without the tail is `core`.
    pub(super) fn new(text: &str, core: &str) -> ParseMoveError {
        let has_blank = core.contains("> ") || core.contains(" >");
        ParseMoveError {
            kind: if has_blank {
                ParseMoveErrorKind::BlankInDrop
            } else {
                ParseMoveErrorKind::NotAMove
            },
            shown: shown(text),
        }
    }

    /// The reason why the text is no move.
    #[must_use]
    pub fn kind(&self) -> ParseMoveErrorKind {
        self.kind
    }
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.shown;
        match self.kind {
            ParseMoveErrorKind::BlankInDrop => write!(
                f,
                "'{shown}' has a blank beside the '>'; a drop is written without, as in K>h1"
            ),
            ParseMoveErrorKind::NotAMove => write!(
                f,
                "'{shown}' is not a move; a move is written like P>e3 (drop), N-f3 (move) or Bxe2 (capture)"
            ),
        }
    }
}

impl core::error::Error for ParseMoveError {}
