//! A whole text judged: every game it tells, by the rules it names.

use crate::notation::diagnostic::Problem;
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

/// The one game of a list of moves, in any accepted form, with or without
/// numbers.
///
/// # Errors
///
/// What is wrong with it, one problem a line, with the place in the text.
pub fn record(moves: &str, variant: &Variant) -> Result<Record, String> {
    let lines = crate::quoting::line::split(moves);
    let by = By::Variant(variant.clone());
    let judged = judge(&lines, &by).map_err(|error| error.message)?;
    match judged.as_slice() {
        [] if moves.trim().is_empty() => Ok(Record::new(variant.start())),
        [] => Err("there is no move in it".to_owned()),
        [one] if one.is_legal() => Ok(one.game.record().clone()),
        [one] => {
            let errors = one
                .problems
                .iter()
                .filter(|problem| !verdict::is_legal(&[(*problem).clone()]));
            let told: Vec<String> = errors
                .map(|problem| {
                    let (line, column) = (problem.place.line, problem.place.column);
                    format!("{line}:{column}: {}", problem.message)
                })
                .collect();
            Err(told.join("\n"))
        }
        several => Err(format!("it holds {} lists that begin at 1", several.len())),
    }
}
