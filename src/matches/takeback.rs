//! Taking the last move back by agreement of both.

use std::fmt;
use std::str::FromStr;

/// What a player does about taking the last move back: the argument of the
/// event `takeback`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takeback {
    /// Proposes it; that lapses at the next move.
    Propose,
    /// Agrees: the move is taken back.
    Accept,
    /// Does not agree.
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

/// A word that is none of `propose`, `accept` and `decline`.
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
