//! `parapost check`: judges the moves and diagrams of a text.

use serde::Serialize;

use crate::Error;
use crate::args;
use crate::command::context::Context;
use crate::command::source::{self, SourceText};
use crate::command::status::Status;
use crate::notation::diagnostic::{Problem, Severity};
use crate::notation::diagram::Diagram;
use crate::notation::header::{self, HeaderError};
use crate::notation::judge::{self, Judged};
use crate::notation::move_list::MoveList;
use crate::notation::other_format::OtherFormat;
use crate::notation::place::Place;
use crate::notation::verdict;
use crate::quoting::classify::pasted;

/// The message for a text with nothing to judge.
const NOTHING: &str = "there is no move list and no diagram in this text";

pub(super) fn run(args: &args::Check, context: &mut Context<'_>) -> Result<Status, Error> {
    let SourceText { name, text } = SourceText::read(&args.file, context)?;
    let lines = pasted(&text);
    let by = source::by(&args.choice, &lines)?;
    let report = match judge::judge(&lines, &by) {
        Ok(judged) => match OtherFormat::find(&lines) {
            Some(found) if judged.iter().all(|one| one.game.turns.is_empty()) => {
                Report::other_format(found)
            }
            _ if judged.is_empty() => Report::nothing(),
            _ => Report::of(&judged),
        },
        Err(error) => Report::unknown(&error),
    };
    if args.json {
        let object = crate::command::context::json(&report)?;
        context.print(format_args!("{object}\n"))?;
    } else {
        for told in report.matches.iter().flat_map(|told| &told.problems) {
            context.say(told.render(&name, &lines).trim_end());
        }
        if report.is_legal() {
            let matches: Vec<String> = report.matches.iter().map(FollowedText::text).collect();
            context.print(matches.join("\n"))?;
        }
    }
    Ok(if report.is_legal() {
        Status::Done
    } else {
        Status::Refused
    })
}

/// The report as JSON, for programs.
#[derive(Serialize)]
struct Report {
    matches: Vec<FollowedText>,
}

#[derive(Serialize)]
struct FollowedText {
    legal: bool,
    game: String,
    options: Vec<&'static str>,
    plies: usize,
    status: &'static str,
    moves: Vec<Move>,
    diagram: String,
    problems: Vec<Problem>,
    #[serde(skip)]
    list: String,
}

#[derive(Serialize)]
struct Move {
    /// The number of the half-move, from 1.
    ply: usize,
    /// The move as the text writes it.
    text: String,
    canonical: String,
    line: usize,
    column: usize,
}

impl Report {
    fn of(judged: &[Judged]) -> Report {
        Report {
            matches: judged.iter().map(FollowedText::of).collect(),
        }
    }

    /// Creates the report on a text without moves and diagrams.
    fn nothing() -> Report {
        let place = Place {
            line: 1,
            column: 1,
            width: 1,
        };
        Report {
            matches: vec![FollowedText::refused(
                header::DEFAULT.id,
                Problem::error(place, NOTHING),
            )],
        }
    }

    /// Creates the report on a text in the format of other programs.
    fn other_format((format, place): (OtherFormat, Place)) -> Report {
        let problem = Problem::error(place, format);
        Report {
            matches: vec![FollowedText::refused(header::DEFAULT.id, problem)],
        }
    }

    /// Creates the report on a text that names an unknown game or option.
    fn unknown(error: &HeaderError) -> Report {
        let problem = Problem::error(error.place, error);
        Report {
            matches: vec![FollowedText::refused(&error.name, problem)],
        }
    }

    fn is_legal(&self) -> bool {
        self.matches.iter().all(|told| told.legal)
    }
}

impl FollowedText {
    fn of(judged: &Judged) -> FollowedText {
        let Judged {
            game: course,
            variant,
            problems,
        } = judged;
        let record = course.record();
        // A diagram without moves is itself the last position.
        let diagram = match course.claims.first() {
            Some(claim) if course.turns.is_empty() => claim.drawn.diagram.clone(),
            _ => Diagram::of(record.position()),
        };
        FollowedText {
            legal: verdict::is_legal(problems),
            game: variant.game().id.to_owned(),
            options: variant.options().to_vec(),
            plies: record.steps().len(),
            status: record.status(),
            moves: course
                .turns
                .iter()
                .zip(record.steps())
                .enumerate()
                .map(|(at, (turn, step))| Move {
                    ply: at + 1,
                    text: turn.entry.text.clone(),
                    canonical: step.to_string(),
                    line: turn.entry.place.line,
                    column: turn.entry.place.column,
                })
                .collect(),
            diagram: diagram.to_string(),
            problems: problems.clone(),
            list: MoveList::of(record).to_string(),
        }
    }

    fn refused(game: &str, problem: Problem) -> FollowedText {
        FollowedText {
            legal: problem.severity != Severity::Error,
            game: game.to_owned(),
            options: Vec::new(),
            plies: 0,
            status: "ongoing",
            moves: Vec::new(),
            diagram: String::new(),
            problems: vec![problem],
            list: String::new(),
        }
    }

    /// Writes the last position and the list.
    fn text(&self) -> String {
        if self.list.is_empty() {
            self.diagram.clone()
        } else {
            format!("{}\n{}", self.diagram, self.list)
        }
    }
}
