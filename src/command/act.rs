//! What the user does in a match: `parapost move`, `draw`, `takeback`, `resign`, `note` and
//! `undo`.

use std::cell::RefCell;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use crate::command::arguments::Delivery;
use crate::command::context::{Context, JSON_AND_MAIL, Status, json};
use crate::command::delivery::finish;
use crate::command::list::ListedMatch;
use crate::config::transport::TransportSettings;
use crate::match_id::Id;
use crate::matches::action::{Action, Ending};
use crate::matches::decision::Usage;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::r#match::Match;
use crate::notation::move_list;
use crate::plural::half_moves;
use crate::referee::session::Session;
use crate::rules::notation::{ReadError, Reading, Voice};
use crate::rules::{Color, Position};
use crate::store::attempts::Attempts;
use crate::store::store::update_by;
use crate::{Error, limits};

/// `parapost move`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost move k7f3qd 'n>g5' --send")]
pub(super) struct Move {
    /// The match
    id: Id,
    /// The move, in quotes
    #[arg(value_name = "MOVE", required = true)]
    words: Vec<String>,
    /// Write one JSON object instead
    #[arg(long, conflicts_with = "print")]
    json: bool,
    /// The mail to the opponent.
    #[command(flatten)]
    delivery: Delivery,
}

pub(super) fn play(args: &Move, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    if args.json && args.delivery.send && session.config.transport == TransportSettings::Print {
        return Err(Error::usage(JSON_AND_MAIL));
    }
    let words = args.words.join(" ");
    let ((numbered, warnings), stored) = session.change(&args.id, |game| {
        let side = session.side(game)?;
        game.must_be_turn(side)?;
        let reading = read(game.position(), &words, &args.id)?;
        let text = game.position().text(&reading.ply);
        let numbered = move_list::number_of_position(game.position());
        game.push(LogEntry::new(session.now, Action::play(text), side))?;
        if reading.offers_draw && game.turn().is_some() && game.offer() != Some(side) {
            game.push(LogEntry::new(session.now, Action::OfferDraw, side))?;
        }
        session.tell_opponent(game, side)?;
        Ok((numbered, reading.warnings))
    })?;
    let game = &stored.game;
    let steps = game.record().steps();
    let step = steps.last().map(ToString::to_string).unwrap_or_default();
    if args.json {
        let played = Played {
            id: game.id().to_string(),
            ply: steps.len(),
            text: step.clone(),
            warnings: warnings.iter().map(ToString::to_string).collect(),
            game: ListedMatch::of(game, Some(&session.me.player), session.now),
        };
        // The move is on the disk, whatever becomes of its mail.
        context.report(json(&played)? + "\n")?;
    } else {
        for warning in &warnings {
            context.say(format_args!("warning: {warning}"));
        }
    }
    let done = format!("{numbered} {step} is played");
    finish(context, &session, stored, args.delivery, &done)
}

/// Reads a move as a person types it, with or without its number.
fn read(position: &Position, text: &str, id: &Id) -> Result<Reading, Error> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[digits..].trim_start();
    let bare = if digits > 0 && rest.starts_with(['.', ')', '…']) {
        // People may mistake whose turn it is, so one dot fits both sides.
        if text[..digits].parse() != Ok(position.number()) {
            return Err(Error::refused(format!(
                "'{text}': the next move is {}",
                move_list::number_of_position(position)
            )));
        }
        rest.trim_start_matches(['.', ')', '…', ' '])
    } else {
        text
    };
    position.read_with(bare, Voice::Alone).map_err(|error| {
        let refused = match &error {
            // This error names the text itself.
            ReadError::NotAMove(error) if bare == text => Error::refused(error),
            ReadError::Illegal(_) => Error::refused(format!("'{text}': {error}"))
                .and(format_args!("'parapost legal {id}' lists the legal moves")),
            error => Error::refused(format!("'{text}': {error}")),
        };
        if bare.len() == 1 {
            // The shell leaves this of an unquoted n>g5.
            let hint = "A shell takes '>' for itself: write the move in quotes, like 'N>d5'.";
            match file_of_shell() {
                Some(name) => refused.and(format_args!(
                    "{hint}\nIt has made an empty file '{name}' of the rest, which you can delete."
                )),
                None => refused.and(hint),
            }
        } else {
            refused
        }
    })
}

/// Returns the name of the empty file in this folder that the shell has made of the square
/// behind an unquoted `>`: it is where standard output goes.
#[cfg(unix)]
fn file_of_shell() -> Option<String> {
    use std::fs::{self, File};
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::MetadataExt as _;

    let stdout = std::io::stdout().as_fd().try_clone_to_owned().ok()?;
    let stdout = File::from(stdout).metadata().ok()?;
    if !stdout.is_file() || stdout.len() > 0 {
        return None;
    }
    let squares = ('a'..='i').flat_map(|file| ('1'..='9').map(move |rank| format!("{file}{rank}")));
    let is_stdout = |name: &String| {
        let found = fs::metadata(name);
        found.is_ok_and(|found| (found.dev(), found.ino()) == (stdout.dev(), stdout.ino()))
    };
    squares.into_iter().find(is_stdout)
}

#[cfg(not(unix))]
fn file_of_shell() -> Option<String> {
    None
}

/// A move that was played.
#[derive(Serialize)]
struct Played {
    id: String,
    /// The number of the half-move, from 1.
    ply: usize,
    /// The half-move in canonical form, with its mark.
    #[serde(rename = "move")]
    text: String,
    warnings: Vec<String>,
    /// The match behind the move.
    #[serde(rename = "match")]
    game: ListedMatch,
}

/// `parapost draw`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost draw offer k7f3qd --send")]
pub(super) struct Draw {
    /// What to do
    #[arg(value_parser = actions("draw", [
        ("offer", "Offer one; the offer lapses at the opponent's next move"),
        ("accept", "Accept the opponent's offer"),
        ("decline", "Decline the opponent's offer"),
        ("claim", "Claim one by repetition or the count of moves, before moving"),
    ]))]
    action: Action,
    /// The match and the mail.
    #[command(flatten)]
    of: Acting,
}

/// `parapost takeback`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost takeback propose k7f3qd --send")]
pub(super) struct Takeback {
    /// What to do
    #[arg(value_parser = actions("takeback", [
        ("propose", "Propose it; the proposal lapses at the next move"),
        ("accept", "Agree to the opponent's proposal: the move is taken back"),
        ("decline", "Decline the opponent's proposal"),
    ]))]
    action: Action,
    /// The match and the mail.
    #[command(flatten)]
    of: Acting,
}

/// `parapost resign`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost resign k7f3qd --send

On a terminal it asks first. 'parapost undo' takes it back while its mail has
not gone.")]
pub(super) struct Resign {
    /// Resign without being asked
    #[arg(long, short)]
    yes: bool,
    /// The match and the mail.
    #[command(flatten)]
    of: Acting,
}

/// The match in which the user acts.
#[derive(Args, Debug)]
pub(super) struct Acting {
    /// The match
    id: Id,
    /// The mail to the opponent.
    #[command(flatten)]
    delivery: Delivery,
}

/// Parses the verb of an action, with the help for each.
fn actions<const N: usize>(
    object: &'static str,
    verbs: [(&'static str, &'static str); N],
) -> impl TypedValueParser<Value = Action> {
    let verbs = verbs.map(|(verb, help)| PossibleValue::new(verb).help(help));
    PossibleValuesParser::new(verbs)
        .try_map(move |verb| Action::of_command(&verb, object).ok_or("this is no action"))
}

pub(super) fn draw(args: &Draw, context: &mut Context<'_>) -> Result<Status, Error> {
    act(&args.action, &args.of, &Session::open(context)?, context)
}

pub(super) fn takeback(args: &Takeback, context: &mut Context<'_>) -> Result<Status, Error> {
    act(&args.action, &args.of, &Session::open(context)?, context)
}

pub(super) fn resign(args: &Resign, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let id = &args.of.id;
    if !args.yes && context.can_ask() && !is_meant(&session, id, context)? {
        return Err(Error::refused(format!("{id}: nobody has resigned")));
    }
    act(&Action::Resign, &args.of, &session, context)
}

fn act(
    action: &Action,
    of: &Acting,
    session: &Session,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let (side, stored) = session.change(&of.id, |game| {
        let side = side(session, game, action)?;
        let event = game.entry(session.now, action.clone(), side);
        let allowed = game.state_after(&event);
        let allowed = allowed.and_then(|_| game.must_be_first(&event));
        allowed.map_err(Error::refused)?;
        game.push(event)?;
        session.tell_opponent(game, side)?;
        Ok(side)
    })?;
    let done = match action {
        Action::OfferDraw => "a draw is offered",
        Action::AcceptDraw => "the draw is accepted",
        Action::DeclineDraw => "the draw is declined",
        Action::ClaimDraw => "the draw is claimed",
        Action::ProposeTakeback => "taking the last move back is proposed",
        Action::AcceptTakeback => "the last move is taken back",
        Action::DeclineTakeback => "taking the last move back is declined",
        Action::Move(_) | Action::Resign => {
            &format!("{} {}", stored.game.variant().player(side), action.deed())
        }
    };
    finish(context, session, stored, of.delivery, done)
}

/// Returns the side that acts. A user who plays both sides answers the offer or the proposal
/// that stands.
fn side(session: &Session, game: &Match, action: &Action) -> Result<Color, Error> {
    let asked = match action {
        Action::AcceptDraw | Action::DeclineDraw => game.offer(),
        Action::AcceptTakeback | Action::DeclineTakeback => game.takeback(),
        Action::Move(_)
        | Action::Resign
        | Action::OfferDraw
        | Action::ClaimDraw
        | Action::ProposeTakeback => None,
    };
    match asked {
        Some(other) if game.sides_of(&session.me.player).len() == 2 => Ok(!other),
        _ => session.side(game),
    }
}

/// Asks the user whether to resign.
///
/// # Errors
///
/// If the user cannot resign.
fn is_meant(session: &Session, id: &Id, context: &mut Context<'_>) -> Result<bool, Error> {
    let game = session.store.read(id)?.game;
    let side = session.side(&game)?;
    Match::clone(&game).push(game.entry(session.now, Action::Resign, side))?;
    let question = format!(
        "{id}: resign as {} against {}, after {}",
        game.variant().player(side),
        game.player(!side).name(),
        half_moves(game.record().steps().len())
    );
    Ok(context.ask(&question))
}

/// `parapost note`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost note k7f3qd 'watch the diagonal to h1'")]
pub(super) struct Note {
    /// The match
    id: Id,
    /// The note; it is kept in the match and mailed to nobody
    #[arg(value_name = "TEXT", required = true)]
    words: Vec<String>,
}

pub(super) fn note(args: &Note, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let text = args.words.join(" ");
    session.change(&args.id, |game| {
        let side = session.side_or_referee(game)?;
        let who = side.map_or(Who::Referee, Who::Player);
        if text.trim().is_empty() {
            return Err(Error::usage("the note is empty"));
        }
        if !Usage::of(game, who, session.now).has_room_for(&text) {
            return Err(Error::refused(format!(
                "{}: the match keeps {} MiB of one person's words, and yours would come to more",
                game.id(),
                limits::WORDS >> 20
            )));
        }
        game.push(LogEntry::new(session.now, Event::note(&text), who))
    })?;
    context.say(format_args!("{}: noted", args.id));
    Ok(Status::Done)
}

/// `parapost undo`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost undo k7f3qd")]
pub(super) struct Undo {
    /// The match
    id: Id,
}

pub(super) fn undo(args: &Undo, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    // Reports a missing match before the lock creates a file for it.
    session.store.read(&args.id)?;
    let attempts = RefCell::new(Attempts::open(session.store.sending(&args.id)?)?);
    let take_back = |game: &mut Match| {
        let sides = game.sides_of(&session.me.player);
        let resigned = match game.ending() {
            Some(Ending::Resigned(side)) if sides.contains(&side) => Some(side),
            _ => None,
        };
        let side = match (resigned, sides.as_slice()) {
            (Some(side), _) => side,
            (None, [_, _]) => !game.position().turn(),
            (None, _) => session.side(game)?,
        };
        let refused = game.undelivered().iter().map(|refused| &refused.mail);
        let mut unsent = game.owed().iter().chain(refused);
        if unsent.any(|mail| attempts.borrow().may_have_gone(&mail.msg)) {
            return Err(Error::refused(format!(
                "{}: a mail was being sent when the program or the mail server stopped, and may have gone; 'parapost send {}' sends it again",
                args.id, args.id
            )));
        }
        let owed = game.owed().to_vec();
        let (undo, undone) = if resigned.is_some() {
            (Event::UndoResignation, "the resignation".to_owned())
        } else {
            let last = game.record().steps().last();
            (
                Event::Undo,
                last.map(ToString::to_string).unwrap_or_default(),
            )
        };
        game.push(LogEntry::new(session.now, undo, side))?;
        // `undo` also drops the answers to messages that came since the move,
        // because they would tell of it. They are owed again.
        for owed in owed.iter().filter(|owed| owed.automatic) {
            if !game.owed().contains(owed) {
                game.owe(session.now, owed.mail.clone(), &session.ids)?;
            }
        }
        Ok(undone)
    };
    let store = &*session.store;
    let from = store.read_to_change(&args.id)?;
    let save = |game: &_, base: &_| attempts.borrow_mut().change(store, game, base);
    let (undone, _) = update_by(from, take_back, save)?;
    context.say(format_args!("{}: {undone} is taken back", args.id));
    Ok(Status::Done)
}
