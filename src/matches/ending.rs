//! The ways a match can end.

use std::fmt;

use crate::rules::{Claim, Color, Outcome, Variant};

/// The ending of a match. `Display` writes the `Result` line of a state file:
/// `1-0 (checkmate)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The rules ended the game; no player had to act.
    Rules(Outcome),
    /// This player resigned.
    Resigned(Color),
    /// The players agreed to a draw.
    Agreed,
    /// A player claimed a draw.
    Claimed(Claim),
}

impl Ending {
    /// Returns the winner, or `None` for a draw.
    #[must_use]
    pub fn winner(self) -> Option<Color> {
        match self {
            Ending::Rules(outcome) => outcome.winner,
            Ending::Resigned(color) => Some(!color),
            Ending::Agreed | Ending::Claimed(_) => None,
        }
    }

    /// Returns `1-0`, `0-1` or `1/2-1/2`.
    #[must_use]
    pub fn score(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// Describes the ending in a sentence without its full stop: "White wins by
    /// checkmate".
    #[must_use]
    pub fn sentence(self, variant: &Variant) -> String {
        let player = |color| variant.player(color);
        match self {
            Ending::Resigned(color) => {
                format!("{} resigns, {} wins", player(color), player(!color))
            }
            _ => match self.winner() {
                Some(color) => format!("{} wins by {}", player(color), self.reason()),
                None => format!("The game is drawn by {}", self.reason()),
            },
        }
    }

    fn reason(self) -> String {
        match self {
            Ending::Rules(outcome) => outcome.reason.to_string(),
            Ending::Resigned(_) => "resignation".to_owned(),
            Ending::Agreed => "agreement".to_owned(),
            Ending::Claimed(Claim::Threefold) => "claim of the third occurrence".to_owned(),
            Ending::Claimed(Claim::FiftyMoves) => "claim of 50 moves".to_owned(),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.score(), self.reason())
    }
}
