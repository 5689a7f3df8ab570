//! The input of every output format: a match, or a diagram alone.

use crate::notation::diagram::Diagram;
use crate::render::page::answer::Answering;
use crate::rules::{Color, Record};

/// A match at its last position, or a diagram without a match.
#[derive(Clone, Debug)]
pub struct View<'r> {
    pub(super) diagram: Diagram,
    pub(super) record: Option<&'r Record>,
    /// The score of a match that is over.
    pub(super) score: Option<Score>,
    pub(super) details: Details,
}

/// What a page tells of a match besides its moves.
#[derive(Clone, Default, Debug)]
pub struct Details {
    /// The names of the players, the first player's first; empty where one has none.
    pub players: [String; 2],
    /// The tournament or other event; may be empty.
    pub event: String,
    /// A sentence that says how the match ended, if the rules do not tell.
    pub ending: Option<String>,
    /// What was written in the match, if the page shows it.
    pub notes: Vec<Note>,
    /// How the player to move can answer, if the page is for that player.
    pub answering: Option<Answering>,
    /// What a page of a site has besides.
    pub archived: Option<Archived>,
}

/// What somebody wrote in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The half-moves that had been made.
    pub plies: usize,
    /// The player, or none for the referee.
    pub by: Option<Color>,
    /// The words, which may be any text.
    pub text: String,
}

/// What the page of a match has that belongs to a site.
#[derive(Clone, Default, Debug)]
pub struct Archived {
    /// Tells whether the page is out of date: letters and digits.
    pub stamp: String,
    /// The way to the first page of the site.
    pub home: &'static str,
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
            details: Details::default(),
        }
    }

    /// Creates a view of a diagram alone.
    #[must_use]
    pub fn drawn(diagram: Diagram) -> View<'r> {
        View {
            diagram,
            record: None,
            score: None,
            details: Details::default(),
        }
    }

    /// Adds what only a page tells.
    #[must_use]
    pub fn with_details(self, details: Details) -> View<'r> {
        View { details, ..self }
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
