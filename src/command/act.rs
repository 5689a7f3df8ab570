//! What the user does with a match: `parapost new` begins one or takes over a running one; `move`,
//! `draw`, `takeback`, `resign`, `note` and `undo` act in it.

use std::cell::RefCell;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lettre::Address;
use serde::Serialize;

use crate::command::arguments::{Delivery, game_parser, variant};
use crate::command::context::{Context, JSON_AND_MAIL, Status, json};
use crate::command::delivery::finish;
use crate::command::list::ListedMatch;
use crate::config::transport::TransportSettings;
use crate::config::user::{User, UserRole};
use crate::match_id::Id;
use crate::matches::action::{Action, Ending};
use crate::matches::decision::Usage;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::r#match::{Days, Match, MatchSettings};
use crate::matches::player::{Player, shared_mailbox};
use crate::matches::terms;
use crate::notation::{judge, move_list};
use crate::plural::half_moves;
use crate::referee::session::Session;
use crate::rules::notation::{ReadError, Reading, Voice};
use crate::rules::{Color, Game, Position};
use crate::store::attempts::Attempts;
use crate::store::store::update_by;
use crate::{Error, clock, limits};

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
    /// The match
    id: Id,
    /// The mail to the opponent.
    #[command(flatten)]
    delivery: Delivery,
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
    /// The match
    id: Id,
    /// The mail to the opponent.
    #[command(flatten)]
    delivery: Delivery,
}

/// `parapost resign`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost resign k7f3qd --send

On a terminal it asks first. 'parapost undo' takes it back while its mail has
not gone.")]
pub(super) struct Resign {
    /// The match
    id: Id,
    /// Resign without being asked
    #[arg(long, short)]
    yes: bool,
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
    let session = Session::open(context)?;
    act(&session, &args.id, &args.action, args.delivery, context)
}

pub(super) fn takeback(args: &Takeback, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    act(&session, &args.id, &args.action, args.delivery, context)
}

pub(super) fn resign(args: &Resign, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    if !args.yes && context.can_ask() && !is_meant(&session, &args.id, context)? {
        return Err(Error::refused(format!("{}: nobody has resigned", args.id)));
    }
    act(&session, &args.id, &Action::Resign, args.delivery, context)
}

fn act(
    session: &Session,
    id: &Id,
    action: &Action,
    delivery: Delivery,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let (side, stored) = session.change(id, |game| {
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
    finish(context, session, stored, delivery, done)
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
                game.owe(session.now, NewMail::again(owed), &session.ids)?;
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

/// `parapost new`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost new --game unachess --white 'Anna <anna@example.org>' \\
      --black 'Ben <ben@example.org>' --time 10d --send

The id is written to standard output, or with --print, where the invitation is
that, to standard error.")]
pub(super) struct New {
    /// The game
    #[arg(long, value_name = "G", value_parser = game_parser(), ignore_case = true)]
    game: &'static Game,
    /// An option of the game; may be given several times
    #[arg(long = "option", value_name = "O")]
    options: Vec<String>,
    /// The first player; several addresses are set apart by commas
    #[arg(long, value_name = "NAME <ADDR>")]
    white: Player,
    /// The second player
    #[arg(long, value_name = "NAME <ADDR>")]
    black: Player,
    /// The id of the match [default: one made up]
    #[arg(long)]
    id: Option<Id>,
    /// The time for a move, in days, like 10d
    #[arg(long, value_name = "Nd")]
    time: Option<Days>,
    /// The event the match belongs to
    #[arg(long)]
    event: Option<String>,
    /// The referee who keeps the match, gets the mail and tells the opponent's moves
    #[arg(long, value_name = "ADDR")]
    referee: Option<Address>,
    /// The moves made so far, to take over a running match
    #[arg(long)]
    moves: Option<String>,
    /// The other player knows of the match: no invitation
    #[arg(long, conflicts_with_all = ["send", "print"])]
    invited: bool,
    /// The invitation.
    #[command(flatten)]
    delivery: Delivery,
}

pub(super) fn begin(args: &New, context: &mut Context<'_>) -> Result<Status, Error> {
    let id = match &args.id {
        Some(id) => id.clone(),
        None => Id::random()
            .map_err(|error| Error::later(format!("no random numbers to be had: {error}")))?,
    };
    let mut game = Match::new(settings(args, id.clone())?, clock::now()?);
    if let Some(moves) = &args.moves {
        let record = judge::record(moves, game.variant())
            .map_err(|error| Error::refused(format!("--moves: {error}")))?;
        game.take_over(&record)?;
    }
    let session = host(args, context)?;
    if let Some(referee) = &args.referee {
        check_referee(referee, &game, session.as_ref())?;
    }
    // A referee invites the players.
    let is_host = !args.invited && args.referee.is_none();
    let mut invited = Vec::new();
    if let Some(session) = session.as_ref().filter(|_| is_host) {
        invited = guests(&game, &session.me);
        for to in &invited {
            game.owe(
                session.now,
                NewMail::new(MailKind::Invitation, *to),
                &session.ids,
            )?;
        }
    }
    context.store()?.create(&game)?;

    // With --print, standard output is the message for a mail program.
    if args.delivery.print {
        context.say(&id);
    } else {
        context.report(format_args!("{id}\n"))?;
    }
    if let Some([white, black]) = shared_mailbox(&game.settings().players) {
        context.say(format_args!(
            "{white} and {black} are addresses of one mailbox: a player is known by the whole \
             address here, and any other of that mailbox is a stranger's"
        ));
    }
    let wanted = args.delivery.send || args.delivery.print;
    if invited.is_empty() && wanted && args.referee.is_some() {
        context.say("nobody is invited: the referee invites the players");
    } else if invited.is_empty() && wanted {
        context.say("nobody is invited: you play neither side, nor are you the referee");
    }
    if let Some(session) = session.filter(|_| !invited.is_empty()) {
        let names: Vec<&str> = invited.iter().map(|to| game.player(*to).name()).collect();
        let verb = if names.len() == 1 { "is" } else { "are" };
        let done = format!("{} {verb} invited", names.join(" and "));
        let stored = session.store.read(&id)?;
        return finish(context, &session, stored, args.delivery, &done);
    }
    Ok(Status::Done)
}

/// Returns the terms of the new match.
///
/// # Errors
///
/// A usage error if the game does not have the options, or the name of the
/// event is not one line.
fn settings(args: &New, id: Id) -> Result<MatchSettings, Error> {
    let event = args.event.as_deref().map(|text| {
        terms::event(text)
            .ok_or_else(|| Error::usage("the name of an event is one line of 1 to 60 characters"))
    });
    Ok(MatchSettings {
        id,
        variant: variant(args.game, &args.options)?,
        players: [args.white.clone(), args.black.clone()],
        referee: args.referee.clone(),
        event: event.transpose()?,
        time: args.time,
    })
}

/// Checks that the referee is neither a player nor the user, and that the user plays:
/// in a match with a referee, all mail of the user's goes there.
fn check_referee(referee: &Address, game: &Match, session: Option<&Session>) -> Result<(), Error> {
    if game
        .settings()
        .players
        .iter()
        .any(|player| player.has(referee))
    {
        return Err(Error::usage(format!(
            "--referee {referee}: this is a player of the match"
        )));
    }
    match session.map(|session| &session.me.player) {
        Some(me) if me.has(referee) || game.sides_of(me).len() != 1 => Err(Error::usage(
            "--referee names somebody else, for a user who plays one side; you need none",
        )),
        _ => Ok(()),
    }
}

/// Returns the session of the person who invites. A match needs no
/// configuration; without one, an invitation goes out in the first player's
/// name if the command asks for it.
fn host(args: &New, context: &mut Context<'_>) -> Result<Option<Session>, Error> {
    let config = context.config()?;
    let me = match config.somebody() {
        Some(me) => me.clone(),
        None if args.delivery.send || args.delivery.print => {
            context.say(format_args!(
                "who you are is not configured; the invitation is in the name of {}",
                args.white.name()
            ));
            User {
                player: args.white.clone(),
                role: UserRole::Player,
            }
        }
        None => return Ok(None),
    };
    Session::of(context, config, me).map(Some)
}

/// Returns the sides that the user invites: the opponent of a user who plays
/// one side, both players for a referee, otherwise nobody.
fn guests(game: &Match, me: &User) -> Vec<Color> {
    match (game.sides_of(&me.player).as_slice(), me.role) {
        ([side], _) => vec![!*side],
        ([], UserRole::Referee) => Color::ALL.to_vec(),
        _ => Vec::new(),
    }
}
