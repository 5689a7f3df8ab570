//! A whole text judged: every game it tells, by the rules it names.

use std::fmt;

use crate::notation::diagnostic::{Problem, Severity};
use crate::notation::header::{self, HeaderError, Section};
use crate::notation::parsed_game::{ParsedGame, build};
use crate::notation::{reader, verdict};
use crate::quoting::line::Line;
use crate::rules::{Game, Record, Variant};

/// A game of a text, judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The game.
    pub game: ParsedGame,
    /// The game with its options.
    pub variant: Variant,
    /// Everything wrong with it, by place.
    pub problems: Vec<Problem>,
}

impl Judged {
    /// Whether all is legal and agrees.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        verdict::is_legal(&self.problems)
    }
}

/// By what game a text is read.
#[derive(Clone, Debug)]
pub enum By {
    /// By this one, whatever the text says.
    Variant(Variant),
    /// By what the text says; by this game where it says nothing.
    Text(&'static Game),
}

/// The games a text tells, each judged; none where it has neither a move
/// list nor a diagram.
///
/// # Errors
///
/// A game or an option that the text names and that does not exist.
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

/// Why a text is not the list of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ListError {
    /// It names an unknown game or option.
    Header(HeaderError),
    /// It has no move.
    NoMove,
    /// It tells of several games: so many.
    Several(usize),
    /// What is wrong with its moves, by place.
    Wrong(Vec<Problem>),
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListError::Header(error) => error.fmt(f),
            ListError::NoMove => f.write_str("there is no move in it"),
            ListError::Several(count) => write!(f, "it holds {count} lists that begin at 1"),
            ListError::Wrong(problems) => {
                let is_error = |problem: &&Problem| problem.severity == Severity::Error;
                for (i, problem) in problems.iter().filter(is_error).enumerate() {
                    let (line, column) = (problem.place.line, problem.place.column);
                    let end = if i == 0 { "" } else { "\n" };
                    write!(f, "{end}{line}:{column}: {}", problem.message)?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for ListError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ListError::Header(error) => Some(error),
            ListError::NoMove | ListError::Several(_) | ListError::Wrong(_) => None,
        }
    }
}

/// The one game of a list of moves, in any accepted form, with or without
/// numbers.
///
/// # Errors
///
/// What is wrong with it, one problem a line, with the place in the text.
pub fn record(moves: &str, variant: &Variant) -> Result<Record, ListError> {
    let lines = crate::quoting::line::split(moves);
    let by = By::Variant(variant.clone());
    let judged = judge(&lines, &by).map_err(ListError::Header)?;
    match judged.as_slice() {
        [] if moves.trim().is_empty() => Ok(Record::new(variant.start())),
        [] => Err(ListError::NoMove),
        [one] if one.is_legal() => Ok(one.game.record().clone()),
        [one] => Err(ListError::Wrong(one.problems.clone())),
        several => Err(ListError::Several(several.len())),
    }
}
