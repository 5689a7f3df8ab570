//! Judges a whole text: every game in it, by the rules that it names.

use crate::notation::diagnostic::{Problem, Severity};
use crate::notation::header::{self, HeaderError, Section};
use crate::notation::parsed_game::{ParsedGame, build};
use crate::notation::{reader, verdict};
use crate::quoting::classify::pasted;
use crate::quoting::line::Line;
use crate::rules::{Game, Record, Variant};

/// A game of a text with its problems.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The game.
    pub game: ParsedGame,
    /// The game with its options.
    pub variant: Variant,
    /// All problems of the game, ordered by place.
    pub problems: Vec<Problem>,
}

impl Judged {
    /// Returns true if all moves are legal and all diagrams agree.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        verdict::is_legal(&self.problems)
    }
}

/// The choice of the game for reading a text.
#[derive(Clone, Debug)]
pub enum By {
    /// This one, regardless of the text.
    Variant(Variant),
    /// The one that the text names, or this one if it names none.
    Text(&'static Game),
}

/// Judges each game in a text. Returns none if the text has neither a move list nor a
/// diagram.
///
/// # Errors
///
/// If the text names an unknown game or option.
pub fn judge(lines: &[Line<'_>], by: &By) -> Result<Vec<Judged>, HeaderError> {
    let sections = match by {
        By::Variant(variant) => vec![Section {
            lines: 0..lines.len(),
            variant: variant.clone(),
        }],
        By::Text(default) => header::sections(lines, default)?,
    };
    let mut judged = Vec::new();
    for Section {
        lines: range,
        variant,
    } in sections
    {
        let parts = reader::parts(&lines[range], &variant);
        for game in build::games(&parts, &variant) {
            judged.push(Judged {
                problems: verdict::problems(&game),
                variant: variant.clone(),
                game,
            });
        }
    }
    Ok(judged)
}

/// The reason why a list of moves is not one legal match.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It names an unknown game or option.
    #[error("{0}")]
    Header(HeaderError),
    /// It has words, but no move.
    #[error("there is no move in it")]
    NoMove,
    /// It has errors; these are its problems, at least one.
    #[error("{}", lines_of(.0))]
    Illegal(Vec<Problem>),
    /// It holds this many matches.
    #[error("it holds {0} lists that begin at 1")]
    Several(usize),
}

/// Formats problems, one to a line, each with its place.
fn lines_of(problems: &[Problem]) -> String {
    let lines = problems.iter().map(|problem| {
        let (line, column) = (problem.place.line, problem.place.column);
        format!("{line}:{column}: {}", problem.message)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads a list of moves as one match, in any accepted form, with or without numbers. A
/// blank text is a match without moves.
///
/// # Errors
///
/// If the list is not one legal match.
pub fn record(moves: &str, variant: &Variant) -> Result<Record, RecordError> {
    let by = By::Variant(variant.clone());
    let mut judged = judge(&pasted(moves), &by).map_err(RecordError::Header)?;
    match (judged.pop(), judged.len()) {
        (None, _) if moves.trim().is_empty() => Ok(Record::new(variant.start())),
        (None, _) => Err(RecordError::NoMove),
        (Some(one), 0) if one.is_legal() => Ok(one.game.record().clone()),
        (Some(mut one), 0) => {
            one.problems
                .retain(|problem| problem.severity == Severity::Error);
            Err(RecordError::Illegal(one.problems))
        }
        (Some(_), others) => Err(RecordError::Several(others + 1)),
    }
}
