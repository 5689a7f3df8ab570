//! `parapost check`: judges the moves and diagrams of a text.

use clap::Args;
use serde::Serialize;

use crate::command::analyse;
use crate::command::arguments::{GameArgs, Input};
use crate::command::context::{Context, Status, visible};
use crate::command::fitting_games::name_better_games;
use crate::command::source::{self, NOTHING, SourceText};
use crate::notation::diagnostic::{Problem, Severity, TextPlace};
use crate::notation::diagram::{Diagram, DiagramStyle};
use crate::notation::header;
use crate::notation::judge::{self, Judged};
use crate::notation::move_list::MoveList;
use crate::notation::reader::{OtherFormat, pasted};
use crate::render::analysis::{AnalysisView, Told};
use crate::{Error, paint};

/// `parapost check`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost check --game unachess game.txt
  parapost check games/*.txt

Of several texts, each line begins with the name of its file.")]
pub(super) struct Check {
    /// The game [default: what the text says, else unachess]
    #[command(flatten)]
    choice: GameArgs,
    /// Mark the moves by which a game turned, as 'analyse' finds them
    #[arg(long)]
    blunders: bool,
    /// Write one JSON object instead
    #[arg(long)]
    json: bool,
    /// The texts [default: standard input]
    #[arg(value_name = "FILE|-", default_value = "-", hide_default_value = true)]
    files: Vec<Input>,
}

pub(super) fn run(args: &Check, context: &mut Context<'_>) -> Result<Status, Error> {
    context.without_games()?;
    if let [file] = args.files.as_slice() {
        return check(file, false, args, context);
    }
    let mut status = Status::Done;
    for file in &args.files {
        match check(file, true, args, context) {
            Ok(met) => status = status.max(met),
            Err(error) if error.is_usage() || error.is_hangup() => return Err(error),
            Err(error) => context.say_trouble(&error, &mut status),
        }
    }
    Ok(status)
}

/// Judges a text. As one of several, it has its name before each line.
fn check(
    file: &Input,
    is_one_of_several: bool,
    args: &Check,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let text = SourceText::read(file, context)?;
    let lines = pasted(&text.text);
    let by = source::by(&args.choice, &lines)?;
    let name = &text.name;
    let unmarked = |problem| vec![FollowedText::refused(header::DEFAULT.id, problem)];
    let of_kif = source::kif(&args.choice, &lines)?;
    let is_kif = of_kif.is_some();
    let judged = match of_kif {
        Some(games) => Ok(games.into_iter().map(|game| game.judged).collect()),
        None => judge::judge(&lines, &by),
    };
    let matches = match judged {
        Ok(mut judged) => match OtherFormat::find(&lines) {
            Some((format, place))
                if !is_kif && judged.iter().all(|one| one.game.turns.is_empty()) =>
            {
                unmarked(Problem::error(place, format))
            }
            _ if judged.is_empty() => unmarked(Problem::error(TextPlace::new(1, 1), NOTHING)),
            _ => {
                if !is_kif {
                    name_better_games(&mut judged, &lines, name, &args.choice, "check");
                }
                if args.blunders {
                    mark_blunders(&mut judged, &text, context)?;
                }
                judged.iter().map(FollowedText::of).collect()
            }
        },
        Err(error) => {
            let problem = Problem::error(error.place, &error);
            vec![FollowedText::refused(&error.name, problem)]
        }
    };
    let mut report = Report {
        file: None,
        matches,
    };
    if args.json {
        report.file = is_one_of_several.then(|| name.clone());
        context.print_json(&report)?;
    } else {
        let problems = report.matches.iter().flat_map(|judged| &judged.problems);
        context.say_problems(problems, name, &lines);
        if report.is_legal() {
            let is_painted = context.out.is_on();
            // As one of several, a text has its name before each line.
            let room = context.room().filter(|_| !is_one_of_several);
            let matches = report.matches.iter();
            let matches = matches.map(|judged| judged.text(is_painted, room));
            let text = matches.collect::<Vec<_>>().join("\n");
            if is_one_of_several {
                let name = context.out.text(paint::STRONG, visible(name));
                for line in text.lines() {
                    context.print(format_args!("{name}:{line}\n"))?;
                }
            } else {
                context.print(text)?;
            }
        }
    }
    Ok(Status::of_check(report.is_legal()))
}

/// Adds a note to each move by which a legal match turned.
///
/// # Errors
///
/// If the text is the mail of a match that goes on.
fn mark_blunders(
    judged: &mut [Judged],
    text: &SourceText,
    context: &Context<'_>,
) -> Result<(), Error> {
    for one in judged.iter() {
        analyse::refuse_mail(text, one.game.record())?;
    }
    for one in judged.iter_mut().filter(|one| one.is_legal()) {
        let record = one.game.record();
        if record.steps().is_empty() {
            continue;
        }
        let analysis = analyse::analysed(record, analyse::NODES, analyse::BOUND, context);
        let told = Told::default();
        let view = AnalysisView::new(record, &analysis, told, analyse::NODES, analyse::BOUND);
        for (ply, remark) in view.remarks() {
            let place = one.game.turns[ply].entry.place;
            one.problems.push(Problem::note(place, remark));
        }
        let place = |problem: &Problem| (problem.place.line, problem.place.column);
        one.problems.sort_by_key(place);
    }
    Ok(())
}

/// The report as JSON, for programs.
#[derive(Serialize)]
struct Report {
    /// The name of the text, where it is one of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    matches: Vec<FollowedText>,
}

#[derive(Serialize, Default)]
struct FollowedText {
    legal: bool,
    game: String,
    options: Vec<&'static str>,
    plies: usize,
    status: &'static str,
    moves: Vec<Move>,
    diagram: String,
    problems: Vec<Problem>,
    /// The last position and the list, for people.
    #[serde(skip)]
    shown: Option<(Diagram, MoveList)>,
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
    fn is_legal(&self) -> bool {
        self.matches.iter().all(|judged| judged.legal)
    }
}

impl FollowedText {
    fn of(judged: &Judged) -> FollowedText {
        let (course, variant) = (&judged.game, &judged.variant);
        let record = course.record();
        // A diagram without moves is itself the last position.
        let diagram = match course.claims.first() {
            Some(claim) if course.turns.is_empty() => claim.drawn.diagram.clone(),
            _ => Diagram::of(record.position()),
        };
        FollowedText {
            legal: judged.is_legal(),
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
            problems: judged.problems.clone(),
            shown: Some((diagram, MoveList::of(record))),
        }
    }

    fn refused(game: &str, problem: Problem) -> FollowedText {
        FollowedText {
            legal: problem.severity != Severity::Error,
            game: game.to_owned(),
            status: "ongoing",
            problems: vec![problem],
            ..FollowedText::default()
        }
    }

    /// Writes the last position and the list.
    fn text(&self, is_painted: bool, room: Option<usize>) -> String {
        let Some((diagram, list)) = &self.shown else {
            return String::new();
        };
        let diagram = diagram.draw(DiagramStyle {
            is_painted,
            room,
            ..DiagramStyle::default()
        });
        let list = match room {
            Some(columns) => list.clone().within(columns).to_string(),
            None => list.to_string(),
        };
        if list.is_empty() {
            diagram
        } else {
            format!("{diagram}\n{list}")
        }
    }
}
