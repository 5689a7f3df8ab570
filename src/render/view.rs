//! The input of every output format: a match, or a diagram alone.

use crate::notation::diagram::Diagram;
use crate::rules::{Color, Record};

/// A match at its last position, or a diagram without a match.
#[derive(Clone, Debug)]
pub struct View<'r> {
    pub(super) diagram: Diagram,
    pub(super) record: Option<&'r Record>,
    /// The score of a match that is over.
    pub(super) score: Option<Score>,
}

/// The score of a match.
#[derive(Clone, Copy, Debug)]
pub(super) enum Score {
    Won(Color),
    Drawn,
}

impl Score {
    fn of(winner: Option<Color>) -> Score {
        winner.map_or(Score::Drawn, Score::Won)
    }
}

impl<'r> View<'r> {
    /// Creates a view of a match and its last position.
    #[must_use]
    pub fn of(record: &'r Record) -> View<'r> {
        View {
            diagram: Diagram::of(record.position()),
            record: Some(record),
            score: record.outcome().map(|outcome| Score::of(outcome.winner)),
        }
    }

    /// Creates a view of a diagram alone.
    #[must_use]
    pub fn drawn(diagram: Diagram) -> View<'r> {
        View {
            diagram,
            record: None,
            score: None,
        }
    }

    /// Returns the match, or none of a diagram alone.
    #[must_use]
    pub fn record(&self) -> Option<&'r Record> {
        self.record
    }

    /// Says that the match is over, by something that the rules do not tell: a player
    /// resigned, or both agreed. Only pictures show it.
    #[must_use]
    pub fn ended(self, winner: Option<Color>) -> View<'r> {
        View {
            score: Some(Score::of(winner)),
            ..self
        }
    }
}
