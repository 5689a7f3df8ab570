//! A course of play from a position: what was played, and whether it is over.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::illegal::IllegalMove;
use crate::outcome::{Claim, Mark, Outcome};
use crate::ply::Ply;
use crate::position::Position;

/// A course of play: the position it began with and every turn since, with
/// what repetition and the draws by count need.
#[derive(Clone, Debug)]
pub struct Record {
    positions: Vec<Position>,
    steps: Vec<Step>,
}

/// A turn that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was played.
    pub ply: Ply,
    /// Its canonical form without the mark.
    pub text: String,
    /// Its mark.
    pub mark: Mark,
}

impl fmt::Display for Step {
    /// The canonical form with a space and the mark, if there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mark {
            Mark::None => f.write_str(&self.text),
            mark => write!(f, "{} {mark}", self.text),
        }
    }
}

impl Record {
    /// A record with nothing played yet.
    #[must_use]
    pub fn new(start: Position) -> Record {
        Record {
            positions: alloc::vec![start],
            steps: Vec::new(),
        }
    }

    /// The position it began with.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.positions[self.steps.len()]
    }

    /// The position after so many half-moves, if there were so many.
    #[must_use]
    pub fn at(&self, plies: usize) -> Option<&Position> {
        self.positions.get(plies)
    }

    /// What was played.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Plays a turn.
    ///
    /// # Errors
    ///
    /// If it is not legal, or the game is over: why, in a player's words. The
    /// record is as before.
    pub fn play(&mut self, ply: &Ply) -> Result<&Step, IllegalMove> {
        let _ = ply;
        todo!()
    }

    /// Takes the last turn back.
    pub fn undo(&mut self) -> Option<Step> {
        let step = self.steps.pop()?;
        self.positions.pop();
        Some(step)
    }

    /// The end that has come by itself, repetition and counts included.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        todo!()
    }

    /// The draw the player to move may claim (docs/rules.md 1.9, 1.12).
    #[must_use]
    pub fn claim(&self) -> Option<Claim> {
        todo!()
    }

    /// `ongoing`, or the word of the [`Outcome`].
    #[must_use]
    pub fn status(&self) -> &'static str {
        self.outcome().map_or("ongoing", Outcome::status)
    }
}
