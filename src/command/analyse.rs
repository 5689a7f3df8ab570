//! `parapost analyse`: the turning points of a game that has been played.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::Error;
use crate::command::arguments::{GameArgs, Source, TurnArgs, file_or_id};
use crate::command::context::{Context, Progress, Status, json};
use crate::command::source::{self, SourceText};
use crate::engine::{Analysis, Engine, Limits};
use crate::mail::files::replace::{replace, write_named};
use crate::matches::r#match::Match;
use crate::notation::header;
use crate::notation::reader::posted;
use crate::outbound::compose;
use crate::printable::wrapped;
use crate::render::analysis::{AnalysisView, Told};
use crate::rules::Record;

/// The positions that are looked at for each half-move, if nobody says otherwise.
pub(super) const NODES: u64 = 100_000;

/// The least and the most that one can ask for.
const FEWEST: u64 = 1_000;
const MOST: u64 = 100_000_000;

/// In hundredths of a pawn, what a move has to lose to be a turning point, if nobody says otherwise.
pub(super) const BOUND: i32 = 150;

/// `parapost analyse`
#[derive(Args, Debug)]
#[command(after_help = "\
A turning point is a move that loses as much as --bound says, misses a forced
mate, or lets the other player force one. The same number of positions gives
the same answer on every machine. A match between people that goes on is not
analysed.

Examples:
  parapost analyse k7f3qd
  parapost analyse --game unachess game.txt
  parapost analyse --as html -o analysis.html k7f3qd")]
pub(super) struct Analyse {
    /// The game [default: what the text says, else unachess]
    #[command(flatten)]
    choice: GameArgs,
    #[command(flatten)]
    turn: TurnArgs,
    /// The position of this FEN, or a command to an engine with moves behind it
    #[arg(long, value_name = "FEN", conflicts_with = "source")]
    fen: Option<String>,
    /// Positions to look at for each move; four times as many where the game turns
    #[arg(long, value_name = "N", default_value_t = NODES, value_parser = clap::value_parser!(u64).range(FEWEST..=MOST))]
    nodes: u64,
    /// What a move has to lose to be a turning point, in pawns [default: 1.5]
    #[arg(long, value_name = "PAWNS", value_parser = bound)]
    bound: Option<i32>,
    /// The form [default: text]
    #[arg(long = "as", value_name = "FORM", value_enum)]
    form: Option<Form>,
    /// Write one JSON object instead
    #[arg(long, conflicts_with = "form")]
    json: bool,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A text or a match [default: standard input]
    #[arg(value_name = "FILE|-|ID", default_value = "-", hide_default_value = true, value_parser = file_or_id)]
    source: Source,
}

/// The form of an analysis.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// Lines for a terminal
    Text,
    /// A page with a graph
    Html,
}

/// Reads a number of pawns, in hundredths.
fn bound(text: &str) -> Result<i32, String> {
    let pawns: Option<f64> = text.parse().ok();
    let pawns = pawns.filter(|pawns| (0.5..=9.0).contains(pawns));
    let pawns = pawns.ok_or("a number of pawns from 0.5 to 9, such as 1.5")?;
    #[expect(clippy::cast_possible_truncation, reason = "at most 900")]
    Ok((pawns * 100.0).round() as i32)
}

pub(super) fn run(args: &Analyse, context: &mut Context<'_>) -> Result<Status, Error> {
    let mut told = Told::default();
    let text = match (&args.fen, &args.source) {
        (Some(fen), _) => Some(SourceText::of_option("--fen", fen)),
        (None, Source::Match(_)) => None,
        (None, Source::Input(input)) => {
            context.without_games()?;
            Some(SourceText::read(input, context)?)
        }
    };
    let (record, stated) = match &args.source {
        _ if let Some(text) = &text => {
            let one = source::of_text(text, &args.choice, context)?;
            let begun = source::begun(one, args.turn.turn, text, context)?;
            refuse_mail(text, &begun.0)?;
            begun
        }
        Source::Match(_) if args.choice.game.is_some() || !args.choice.options.is_empty() => {
            return Err(Error::usage(
                "--game and --option are for a text: a match has its game",
            ));
        }
        Source::Match(id) => {
            let game = source::game(id, context)?;
            refuse_running(&game)?;
            let details = compose::details(&game);
            told.players = details.players;
            told.ending = details.ending;
            let record = source::agreeing(game.record().clone(), args.turn.turn)?;
            (record, Vec::new())
        }
        Source::Input(_) => unreachable!("its text was read"),
    };
    if record.steps().is_empty() {
        return Err(Error::refused("no move has been made"));
    }
    let bound = args.bound.unwrap_or(BOUND);
    told.stated = stated;
    let analysis = analysed(&record, args.nodes, bound, context);
    let view = AnalysisView::new(&record, &analysis, told, args.nodes, bound);
    let output = args.output.as_deref();
    let output = output.filter(|path| path.as_os_str() != "-");
    let made = match args.form {
        _ if args.json => json(view.report())? + "\n",
        Some(Form::Html) => view.page(),
        Some(Form::Text) | None => match context.room() {
            Some(columns) if output.is_none() => wrapped(&view.text(), columns),
            _ => view.text(),
        },
    };
    match output {
        Some(path) => write_named(path, made.as_bytes(), replace)
            .map_err(|error| Error::file(path, &error))?,
        None => context.print(made)?,
    }
    Ok(Status::Done)
}

/// Analyses a record, with a bar at a terminal if that takes long. Ctrl-C ends it: nothing is
/// written before it is done.
pub(super) fn analysed(record: &Record, nodes: u64, bound: i32, context: &Context<'_>) -> Analysis {
    let mut progress = Progress::new(context.is_terminal, "half-moves");
    progress.expect(record.steps().len() as u64);
    let mut engine = Engine::new(record.position().variant());
    let analysis = Analysis::of(&mut engine, record, &Limits::nodes(nodes), bound, || {
        progress.advance(1);
        progress.count();
    });
    analysis.unwrap_or_else(|| unreachable!("nothing stops it"))
}

/// Refuses what would help one player of a match between people that goes on.
fn refuse_running(game: &Match) -> Result<(), Error> {
    if game.turn().is_some() && game.program().is_none() {
        let id = game.id();
        return Err(Error::refused(format!(
            "match {id} goes on, and its players play it alone: 'parapost analyse {id}' tells where it turned when it is over"
        )));
    }
    Ok(())
}

/// Refuses the file of a match that goes on, and a mail of one, as far as the mail tells: it has the
/// foot that every mail of a match has.
///
/// # Errors
///
/// If it is one.
pub(super) fn refuse_mail(text: &SourceText, record: &Record) -> Result<(), Error> {
    if let Ok(game) = text.text.parse::<Match>() {
        return refuse_running(&game);
    }
    if record.outcome().is_some() {
        return Ok(());
    }
    let lines = posted(&text.text);
    let feet = header::id_lines(&lines);
    let foot = feet.first();
    foot.map_or(Ok(()), |foot| {
        let id = &foot.id;
        Err(Error::refused(format!(
            "this is a mail of match {id}, and it does not say that the match is over, whose players play it alone: 'parapost analyse {id}' tells where it turned when it is over"
        )))
    })
}
