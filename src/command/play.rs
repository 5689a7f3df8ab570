//! `parapost play`: plays against the program at the terminal.
//!
//! `dialogue` is what is said and done in a match, `puzzle` at a puzzle, `word` what can be typed there
//! and how the board is drawn, `desk` and `prompt` how it is written and a line is read, and what
//! Ctrl-C does, `unfinished` which matches go on.

mod desk;
mod dialogue;
mod prompt;
mod puzzle;
mod unfinished;
mod word;

use std::path::Path;

use clap::Args;

use crate::command::arguments::{GameArgs, Input, Side, TurnArgs, no_random, variant};
use crate::command::context::{Context, Status};
use crate::command::play::dialogue::Dialogue;
use crate::command::play::puzzle::Posed;
use crate::command::play::word::BoardForm;
use crate::command::source::{self, SourceText};
use crate::engine::Level;
use crate::match_id::{Id, ParseIdError};
use crate::matches::r#match::{Match, MatchSettings};
use crate::matches::player::Player;
use crate::rules::{Color, Game, Record, games};
use crate::store::store::{MissingMatch, Store};
use crate::suggest::misspelt_game;
use crate::{Error, clock};

/// `parapost play`
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/play.txt").trim_ascii_end())]
pub(super) struct Play {
    /// The game to begin, or the match to go on with [default: unachess]
    #[arg(value_name = "GAME|ID", value_parser = game_or_match)]
    what: Option<Played>,
    /// How strong the program plays, 1 to 5 [default: 1]
    #[arg(long, value_name = "1-5", value_parser = level)]
    level: Option<Level>,
    /// The side that you play [default: white, with --from the side to move]
    #[arg(long = "as", value_name = "SIDE")]
    side: Option<Side>,
    /// An option of the game; may be given several times
    #[arg(long = "option", value_name = "O")]
    options: Vec<String>,
    /// The id of the new match [default: one made up]
    #[arg(long)]
    id: Option<Id>,
    /// Begin in this position: a FEN, or a file with a position or a list of moves
    #[arg(long, value_name = "FEN|FILE")]
    from: Option<String>,
    #[command(flatten)]
    turn: TurnArgs,
    /// The form of the board [default: at a terminal coords, else diagram]
    #[arg(long, value_name = "FORM", value_enum)]
    board: Option<BoardForm>,
    /// Solve puzzles instead: those that the program has, from the Nth on, or those of
    /// a post or of a folder that 'puzzles' has written
    #[arg(long, value_name = "FILE|DIR|N", num_args = 0..=1, default_missing_value = "1", value_parser = from_where)]
    #[arg(conflicts_with_all = ["level", "side", "options", "id", "from", "turn"])]
    puzzle: Option<Posed>,
}

/// What is played.
#[derive(Clone, Debug)]
enum Played {
    /// A new match of this game.
    New(&'static Game),
    /// A match that was begun.
    Begun(Id),
}

fn game_or_match(text: &str) -> Result<Played, String> {
    if let Some(game) = games::find(&text.to_lowercase()) {
        return Ok(Played::New(game));
    }
    let id = text.parse().map(Played::Begun);
    id.map_err(|error: ParseIdError| format!("no game has this name; {error}"))
}

/// Parses where puzzles are; a number is one of those that the program has.
fn from_where(text: &str) -> Result<Posed, String> {
    match text.parse() {
        Ok(0) => Err("puzzles are counted from 1".to_owned()),
        Ok(number) => Ok(Posed::Sample(number)),
        Err(_) => Ok(Posed::Path(text.into())),
    }
}

fn level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| "a level is a number from 1 to 5".to_owned())
}

pub(super) fn run(args: &Play, context: &mut Context<'_>) -> Result<Status, Error> {
    let usual = if context.is_shown {
        BoardForm::Coords
    } else {
        BoardForm::Diagram
    };
    let form = args.board.unwrap_or(usual);
    if let Some(posed) = &args.puzzle {
        let game = match &args.what {
            Some(Played::Begun(id)) => {
                return Err(Error::usage(format!(
                    "no game has the name '{id}': --puzzle takes puzzles of a game, not of a match that was begun"
                )));
            }
            Some(Played::New(game)) => Some(*game),
            None => None,
        };
        return puzzle::run(posed, game, form, context);
    }
    let dialogue = match &args.what {
        Some(Played::Begun(id)) => Dialogue::of(begun(id, args, context)?, true, form, context)?,
        Some(Played::New(game)) => {
            Dialogue::of(new(Some(*game), args, context)?, false, form, context)?
        }
        None => Dialogue::of(new(None, args, context)?, false, form, context)?,
    };
    dialogue.run()
}

/// The game where none is named.
fn usual_game() -> &'static Game {
    games::ALL[0]
}

/// Returns the record that a match begins with.
///
/// # Errors
///
/// If an option is wrong, or there is no record to read.
fn beginning(
    game: Option<&'static Game>,
    args: &Play,
    context: &mut Context<'_>,
) -> Result<Record, Error> {
    let turn = args.turn.turn;
    let Some(from) = &args.from else {
        if turn.is_some() {
            return Err(Error::usage(
                "--turn tells who is to move in the position of --from",
            ));
        }
        let variant = variant(game.unwrap_or(usual_game()), &args.options)?;
        return Ok(Record::new(variant.start()));
    };
    let choice = GameArgs {
        game,
        options: args.options.clone(),
    };
    let record = if Path::new(from).exists() {
        let text = SourceText::read(&Input::File(from.into()), context)?;
        let one = source::of_text(&text, &choice, context)?;
        source::begun(one, turn, &text, context)?.0
    } else {
        let read = source::of_fen("--from", from, &choice, turn, context);
        // A FEN has blanks; names of files seldom do.
        read.map_err(|error| match from.split_once(' ') {
            Some(_) => error,
            None => error.and("there is no file of this name"),
        })?
    };
    if let Some(outcome) = record.outcome() {
        let reason = outcome.reason;
        return Err(Error::refused(format!(
            "--from: this game is over, by {reason}"
        )));
    }
    Ok(record)
}

/// Returns a new match, which is kept nowhere yet.
///
/// # Errors
///
/// If there is nothing to begin with, or the id is that of another match.
fn new(
    game: Option<&'static Game>,
    args: &Play,
    context: &mut Context<'_>,
) -> Result<Match, Error> {
    let record = beginning(game, args, context)?;
    let variant = record.start().variant().clone();
    let side = match args.side {
        Some(side) => side.color()?,
        None if args.from.is_some() => record.position().turn(),
        None => Color::White,
    };
    let level = args.level.unwrap_or(Level::ALL[0]);
    let config = context.config()?;
    let me = match config.somebody() {
        Some(me) => me.player.clone(),
        None => Player::known_by_name(YOU, side).map_err(Error::refused)?,
    };
    let players = match side {
        Color::White => [me, Player::program(level)],
        Color::Black => [Player::program(level), me],
    };
    let id = match &args.id {
        Some(id) => id.clone(),
        None => Id::random().map_err(no_random)?,
    };
    if context.store()?.find(&id)?.is_some() {
        return Err(Error::refused(format!(
            "there is a match {id} already: 'parapost play {id}' goes on with it"
        )));
    }
    let start = record.start();
    let settings = MatchSettings {
        id,
        start: (start != &variant.start()).then(|| start.clone()),
        variant,
        players,
        referee: None,
        event: None,
        time: None,
        until: None,
        news: None,
        counts_news: false,
        list: None,
    };
    let mut game = Match::new(settings, clock::now()?);
    game.take_over(&record)?;
    Ok(game)
}

/// The name of a player who has not said who it is.
const YOU: &str = "You";

/// Returns a match that was begun.
///
/// # Errors
///
/// If there is none, or it is between people: nobody is helped by a program there.
fn begun(id: &Id, args: &Play, context: &mut Context<'_>) -> Result<Match, Error> {
    let game = read(&*context.store()?, id)?;
    let is_of_new = args.level.is_some()
        || args.side.is_some()
        || !args.options.is_empty()
        || args.id.is_some()
        || args.from.is_some()
        || args.turn.turn.is_some();
    if is_of_new {
        return Err(Error::usage(format!(
            "--level, --as, --option, --id, --from and --turn are for a new match, and {id} is one that was begun"
        )));
    }
    if game.is_at_terminal() {
        return Ok(game);
    }
    if let Some((side, _)) = game.partner() {
        let person = game.public_name(!side);
        return Err(Error::refused(format!(
            "{id}: the program plays here by mail, and {person} answers by mail: 'parapost show {id}' shows the match"
        )));
    }
    Err(Error::refused(if game.turn().is_some() {
        format!(
            "{id}: this is a match between people, who play it themselves: as long as it goes on, the program neither plays nor hints nor analyses in it. 'parapost move {id} MOVE' plays your move"
        )
    } else {
        format!(
            "{id}: this was a match between people, and is over: 'parapost show {id}' shows it, 'parapost play' begins one against the program"
        )
    }))
}

fn read(store: &dyn Store, id: &Id) -> Result<Match, Error> {
    match store.read(id) {
        Ok(stored) => Ok(Match::clone(&stored.game)),
        Err(error) if MissingMatch::of(&error).is_some() => Err(match misspelt_game(id.as_str()) {
            Some(game) => error.and(format_args!("did you mean the game '{game}'?")),
            None => error,
        }),
        Err(error) => Err(error),
    }
}
