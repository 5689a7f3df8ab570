//! `parapost check`: judges the moves and diagrams of a text.

mod long;

use std::io::{self, Seek as _, Write as _};
use std::mem;

use clap::Args;
use serde::Serialize;
use tempfile::SpooledTempFile;

use crate::command::analyse;
use crate::command::arguments::{GameArgs, Input};
use crate::command::check::long::LongFile;
use crate::command::context::{Context, Progress, Status, visible};
use crate::command::fitting_games::{name_better_games, say_assumed};
use crate::command::source::{self, NOTHING, SourceText};
use crate::mail::quoting::line::Line;
use crate::notation::diagnostic::{Problem, Severity, TextPlace};
use crate::notation::diagram::{Diagram, DiagramStyle};
use crate::notation::header;
use crate::notation::judge::Judged;
use crate::notation::move_list::MoveList;
use crate::notation::positions::alone::{self, Content};
use crate::notation::positions::{Found, fen};
use crate::notation::reader::{OtherFormat, posted};
use crate::notation::results;
use crate::printable::{counted, half_moves};
use crate::render::analysis::{AnalysisView, Told};
use crate::rules::Game;
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
    /// The position of this FEN
    #[arg(long, value_name = "FEN", conflicts_with = "files")]
    fen: Option<String>,
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
    if let Some(long) = LongFile::of(file).filter(|_| !args.json && !args.blunders) {
        return check_long(&long, is_one_of_several, args, context);
    }
    let text = match &args.fen {
        Some(fen) => SourceText::of_option("--fen", fen),
        None => SourceText::read(file, context)?,
    };
    let lines = posted(&text.text);
    let (matches, summary) = followed(&text, &lines, args, context)?;
    let mut report = Report {
        file: None,
        matches,
    };
    if args.json {
        report.file = is_one_of_several.then(|| text.name.clone());
        context.print_json(&report)?;
        return Ok(Status::of_check(report.is_legal()));
    }
    say_assumed(summary.assumed, &text.name, context);
    let problems = report.matches.iter().flat_map(|judged| &judged.problems);
    context.say_problems(problems, &text.name, &lines);
    if let Some(found) = summary.found() {
        context.say(format!("{}: {found}", text.name));
    }
    if report.is_legal() {
        let printed = printed(&report.matches, &text.name, is_one_of_several, context);
        context.print(printed)?;
    }
    Ok(Status::of_check(report.is_legal()))
}

/// The most bytes of printed matches in memory until all games are known to be legal. A temporary
/// file holds the others.
const HELD: usize = 1 << 23;

/// Judges a long file game by game.
fn check_long(
    long: &LongFile,
    is_one_of_several: bool,
    args: &Check,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let mut summary = Summary::default();
    let mut progress = Progress::new(context.is_terminal, "games");
    progress.expect(long.length);
    // What is printed if all games are legal.
    let mut held = SpooledTempFile::new(HELD);
    let of_held = |error: &io::Error| Error::io("a temporary file", error);
    let (mut name, mut is_first) = (String::new(), true);
    for game in long.games()? {
        let game = game?;
        let lines = game.lines();
        let (matches, one) = followed(&game.text, &lines, args, context)?;
        progress.advance(game.length);
        progress.count();
        let problems = matches.iter().flat_map(|judged| &judged.problems);
        progress.aside(|| context.say_problems(problems, &game.text.name, &lines));
        summary.add(one);
        name = game.text.name;
        if summary.refused.is_empty() {
            let is_first = mem::take(&mut is_first) || is_one_of_several;
            let gap = if is_first { "" } else { "\n" };
            let text = printed(&matches, &name, is_one_of_several, context);
            write!(held, "{gap}{text}").map_err(|error| of_held(&error))?;
        }
    }
    progress.clear();
    say_assumed(summary.assumed, &name, context);
    if let Some(found) = summary.found() {
        context.say(format!("{name}: {found}"));
    }
    let is_legal = summary.refused.is_empty();
    if is_legal {
        held.rewind().map_err(|error| of_held(&error))?;
        context.print_from(held)?;
    }
    Ok(Status::of_check(is_legal))
}

/// Returns the last position and the list of each match.
fn printed(
    matches: &[FollowedText],
    name: &str,
    is_one_of_several: bool,
    context: &Context<'_>,
) -> String {
    let is_painted = context.out.is_on();
    // As one of several, a text has its name before each line.
    let room = context.room().filter(|_| !is_one_of_several);
    let matches = matches.iter();
    let matches = matches.map(|judged| judged.text(is_painted, room));
    let text = matches.collect::<Vec<_>>().join("\n");
    if !is_one_of_several {
        return text;
    }
    let name = context.out.text(paint::STRONG, visible(name));
    let lines = text.lines().map(|line| format!("{name}:{line}\n"));
    lines.collect()
}

/// Follows the matches of a text.
fn followed(
    text: &SourceText,
    lines: &[Line<'_>],
    args: &Check,
    context: &mut Context<'_>,
) -> Result<(Vec<FollowedText>, Summary), Error> {
    let by = source::by(&args.choice, lines)?;
    let refused = |game: &str, problem| {
        let summary = Summary {
            games: 1,
            refused: vec![1],
            ..Summary::default()
        };
        Ok((vec![FollowedText::refused(game, problem)], summary))
    };
    let unmarked = |problem| refused(header::DEFAULT.id, problem);
    let of_kif = source::kif(&args.choice, lines)?;
    let is_kif = of_kif.is_some();
    let held = match of_kif {
        Some(judged) => Ok(Content::Matches(judged)),
        None => alone::content(lines, &by),
    };
    let mut judged = match held {
        Ok(Content::Matches(judged)) => judged,
        Ok(Content::Positions(positions)) => return of_positions(positions, text, args, context),
        Err(error) => return refused(&error.name, Problem::error(error.place, &error)),
    };
    if !is_kif
        && judged
            .iter()
            .all(|one| one.game.turns.is_empty() && one.heading.is_empty())
        && let Some((format, place)) = OtherFormat::find(lines)
    {
        return unmarked(Problem::error(place, format));
    }
    if judged.is_empty() {
        let nothing = || Problem::error(TextPlace::new(1, 1), NOTHING);
        return unmarked(fen::faulty(lines).unwrap_or_else(nothing));
    }
    if !is_kif {
        name_better_games(&mut judged, lines, &args.choice);
    }
    if args.blunders {
        mark_blunders(&mut judged, text, context)?;
    }
    let summary = Summary::of(&judged);
    Ok((judged.iter().map(FollowedText::of).collect(), summary))
}

/// Judges the positions of a text.
fn of_positions(
    positions: Vec<Found>,
    text: &SourceText,
    args: &Check,
    context: &Context<'_>,
) -> Result<(Vec<FollowedText>, Summary), Error> {
    let mut judged: Vec<Judged> = positions.iter().flatten().map(alone::judged).collect();
    if args.blunders {
        mark_blunders(&mut judged, text, context)?;
    }
    let mut summary = Summary::of(&judged);
    let mut matches: Vec<FollowedText> = judged.iter().map(FollowedText::of).collect();
    for problem in positions.into_iter().filter_map(Result::err) {
        matches.push(FollowedText::refused(header::DEFAULT.id, problem));
        summary.games += 1;
        summary.refused.push(summary.games);
    }
    Ok((matches, summary))
}

/// What was found in a text.
#[derive(Default)]
struct Summary {
    games: usize,
    /// The numbers of the games that are refused, from 1.
    refused: Vec<usize>,
    /// What the only game is, if it is legal.
    only: Option<String>,
    /// The game that was assumed.
    assumed: Option<&'static Game>,
}

/// The most refused games that are named by their numbers.
const MOST_NAMED: usize = 20;

impl Summary {
    fn of(judged: &[Judged]) -> Summary {
        let refused = (1..).zip(judged).filter(|(_, one)| !one.is_legal());
        Summary {
            games: judged.len(),
            refused: refused.map(|(number, _)| number).collect(),
            only: judged.first().filter(|one| one.is_legal()).map(found_in),
            assumed: judged.iter().find_map(|one| one.assumed),
        }
    }

    /// Adds what was found in the next game.
    fn add(&mut self, next: Summary) {
        let numbers = next.refused.into_iter().map(|number| number + self.games);
        self.refused.extend(numbers);
        self.games += next.games;
        self.only = next.only;
        self.assumed = self.assumed.or(next.assumed);
    }

    /// Says it, but for a single refused game, whose faults say it.
    fn found(&self) -> Option<String> {
        let (all, refused) = (self.games, self.refused.len());
        if all == 1 {
            return self.only.clone();
        }
        if refused == 0 {
            return Some(format!("{all} games, all legal"));
        }
        let more = if refused > MOST_NAMED { ", …" } else { "" };
        let named = self.refused.iter().take(MOST_NAMED).map(usize::to_string);
        let named: Vec<String> = named.collect();
        let legal = all - refused;
        Some(format!(
            "{legal} of {all} games are legal; refused: {}{more}",
            named.join(", ")
        ))
    }
}

/// Says what a legal match is: its game, its half-moves, the result that the text states, whose turn
/// it is, and how many warnings there are.
fn found_in(judged: &Judged) -> String {
    let record = judged.game.record();
    let mut found = vec![judged.variant.game().name.to_owned()];
    if judged.game.turns.is_empty() && !judged.game.claims.is_empty() {
        found.push("a position".to_owned());
    } else {
        found.push(half_moves(record.steps().len()));
        let stated = judged.stated.iter().map(|winner| results::score(*winner));
        let stated: Vec<&str> = stated.collect();
        if !stated.is_empty() {
            found.push(format!("{} stated", stated.join(" and ")));
        }
        found.push(match record.outcome() {
            Some(outcome) => format!("over by {}", outcome.reason),
            None => format!(
                "{} to move",
                judged.variant.player(record.position().turn())
            ),
        });
    }
    let is_warning = |problem: &&Problem| problem.severity == Severity::Warning;
    let warnings = judged.problems.iter().filter(is_warning).count();
    if warnings > 0 {
        found.push(counted(warnings, "warning"));
    }
    found.join(", ")
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
