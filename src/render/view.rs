//! The input of every output format: a match, or a diagram alone.

use crate::notation::diagram::Diagram;
use crate::rules::{Color, Record};

/// A match at its last position, or a diagram without a match.
#[derive(Clone, Debug)]
pub struct View<'r> {
    pub(super) diagram: Diagram,
    pub(super) record: Option<&'r Record>,
    /// Who has won, in a match that is over, or none in a draw.
    pub(super) winner: Option<Option<Color>>,
}

impl<'r> View<'r> {
    /// Creates a view of a match and its last position.
    #[must_use]
    pub fn of(record: &'r Record) -> View<'r> {
        View {
            diagram: Diagram::of(record.position()),
            record: Some(record),
            winner: record.outcome().map(|outcome| outcome.winner),
        }
    }

    /// Creates a view of a diagram alone.
    #[must_use]
    pub fn drawn(diagram: Diagram) -> View<'r> {
        View {
            diagram,
            record: None,
            winner: None,
        }
    }

    /// Says that the match is over, by something that the rules do not tell: a player
    /// resigned, or both agreed. Only pictures show it.
    #[must_use]
    pub fn ended(self, winner: Option<Color>) -> View<'r> {
        View {
            winner: Some(winner),
            ..self
        }
    }
}
