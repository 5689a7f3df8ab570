//! The input of every output format: a match, or a diagram alone.

use chrono::NaiveDate;
use serde::Serialize;

use crate::notation::diagram::Diagram;
use crate::rules::{Color, Record};

/// A match at its last position, or a diagram without a match.
#[derive(Clone, Debug)]
pub struct View<'r> {
    pub(super) diagram: Diagram,
    /// The match; none of a diagram alone.
    pub record: Option<&'r Record>,
    /// The score of a match that is over.
    pub(super) score: Option<Score>,
    /// The word for how it ended, if it did not end by the rules.
    pub(super) status: Option<&'static str>,
    pub(super) details: Details,
    /// The player to move of a diagram alone, if that is known.
    turn: Option<Color>,
}

/// The contents of a match's page besides its moves.
#[derive(Clone, Default, Debug)]
pub struct Details {
    /// The names of the players, the first player's first; empty where one has none.
    pub players: [String; 2],
    /// The tournament or other event; may be empty.
    pub event: String,
    /// The day on which the match began, in UTC, if that is known.
    pub begun: Option<NaiveDate>,
    /// A sentence that says how the match ended; there need be none if it ended by the rules.
    pub ending: Option<String>,
    /// The notes written in the match, if the page shows them.
    pub notes: Vec<ShownNote>,
    /// The way to answer, if the page is for the player to move.
    pub answering: Option<Answering>,
    /// The additions of a page of a site.
    pub archived: Option<Archived>,
}

/// A note that somebody wrote in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownNote {
    /// The half-moves that had been made.
    pub plies: usize,
    /// The player, or none for the referee.
    pub by: Option<Color>,
    /// The words, which may be any text.
    pub text: String,
}

/// The additions of a match's page that belongs to a site.
#[derive(Clone, Default, Debug)]
pub struct Archived {
    /// Changes when the page is out of date: letters and digits.
    pub stamp: String,
    /// The way to the first page of the site.
    pub home: &'static str,
    /// The name of the site, as the link to its first page shows it.
    pub club: String,
    /// The colours of the club as a style; empty for those of every page.
    pub colors: String,
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

    /// Returns the points of a player: `1`, `½` or `0`.
    pub(super) fn points(self, color: Color) -> char {
        match self {
            Score::Drawn => '½',
            Score::Won(winner) if winner == color => '1',
            Score::Won(_) => '0',
        }
    }

    /// Returns `1-0`, `0-1` or `1/2-1/2`.
    pub(super) fn result(self) -> &'static str {
        match self {
            Score::Won(Color::White) => "1-0",
            Score::Won(Color::Black) => "0-1",
            Score::Drawn => "1/2-1/2",
        }
    }
}

impl<'r> View<'r> {
    /// Creates a view of a match and its last position.
    pub fn of(record: &'r Record) -> View<'r> {
        View {
            record: Some(record),
            score: record.outcome().map(|outcome| Score::of(outcome.winner)),
            ..View::drawn(Diagram::of(record.position()))
        }
    }

    /// Creates a view of a diagram alone.
    pub fn drawn(diagram: Diagram) -> View<'r> {
        View {
            diagram,
            record: None,
            score: None,
            status: None,
            details: Details::default(),
            turn: None,
        }
    }

    /// Says whose turn it is in a diagram alone.
    #[must_use]
    pub fn to_move(self, turn: Option<Color>) -> View<'r> {
        View { turn, ..self }
    }

    /// Returns the player to move, if that is known.
    pub(super) fn turn(&self) -> Option<Color> {
        let of_record = self.record.map(|record| record.position().turn());
        of_record.or(self.turn)
    }

    /// Adds the contents of a page.
    pub(crate) fn with_details(self, details: Details) -> View<'r> {
        View { details, ..self }
    }

    /// Says that the match is over, also otherwise than by the rules: a player resigned, or both
    /// agreed. `score` is that of the winner, none of a draw; a match that was never played has
    /// no score. `status` is the word for that; [`Details::ending`] says it in a sentence.
    #[must_use]
    pub fn ended(self, score: Option<Option<Color>>, status: &'static str) -> View<'r> {
        View {
            score: score.map(Score::of),
            status: Some(status),
            ..self
        }
    }

    /// Says with which result the match ended, as a text states it: the winner, or none for a draw.
    #[must_use]
    pub fn stated(self, winner: Option<Color>) -> View<'r> {
        View {
            score: Some(Score::of(winner)),
            ..self
        }
    }
}

/// The way in which the player to move can answer.
#[derive(Clone, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Answering {
    /// By a mail, as the links of our mails write it.
    Mail {
        /// The encoded address that it goes to.
        to: String,
        /// The text before the move in the subject.
        subject: String,
        /// The lines of the body below the move.
        lines: Vec<String>,
    },
    /// By the player's own program.
    Command {
        /// The text before the move.
        before: String,
        /// The text behind it.
        behind: String,
    },
}
