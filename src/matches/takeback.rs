//! Agreement to take the last move back.

use std::fmt;
use std::str::FromStr;

/// A step towards taking the last move back: the argument of the event
/// `takeback`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takeback {
    /// The player proposes it. The proposal lapses at the next move.
    Propose,
    /// The player agrees, and the move is taken back.
    Accept,
    /// The player declines.
    Decline,
}

impl fmt::Display for Takeback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Takeback::Propose => "propose",
            Takeback::Accept => "accept",
            Takeback::Decline => "decline",
        })
    }
}

/// A word other than `propose`, `accept` and `decline`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is none of propose, accept and decline")]
pub struct ParseTakebackError(String);

impl FromStr for Takeback {
    type Err = ParseTakebackError;

    fn from_str(word: &str) -> Result<Takeback, ParseTakebackError> {
        [Takeback::Propose, Takeback::Accept, Takeback::Decline]
            .into_iter()
            .find(|action| action.to_string() == word)
            .ok_or_else(|| ParseTakebackError(word.to_owned()))
    }
}
