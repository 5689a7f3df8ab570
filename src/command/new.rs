//! `parapost new`: begins a match, or takes over a running one.

use lettre::Address;

use crate::args;
use crate::args::game::GameArgs;
use crate::command::context::Context;
use crate::command::delivery::finish;
use crate::command::session::Session;
use crate::command::status::Status;
use crate::config::user::{User, UserRole};
use crate::match_id::Id;
use crate::matches::action::Action;
use crate::matches::event::LogEntry;
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::r#match::{Match, MatchSettings};
use crate::matches::player::shared_mailbox;
use crate::matches::terms;
use crate::notation::judge;
use crate::rules::{Color, Record};
use crate::{Error, clock};

pub(super) fn run(args: &args::New, context: &mut Context<'_>) -> Result<Status, Error> {
    let id = match &args.id {
        Some(id) => id.clone(),
        None => Id::random()
            .map_err(|error| Error::later(format!("no random numbers to be had: {error}")))?,
    };
    let mut game = Match::new(settings(args, id.clone())?, clock::now()?);
    if let Some(moves) = &args.moves {
        play(&mut game, moves)?;
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
fn settings(args: &args::New, id: Id) -> Result<MatchSettings, Error> {
    let choice = GameArgs {
        game: Some(args.game),
        options: args.options.clone(),
    };
    Ok(MatchSettings {
        id,
        variant: choice.variant_of(args.game)?,
        players: [args.white.clone(), args.black.clone()],
        referee: args.referee.clone(),
        event: args.event.as_deref().map(event).transpose()?,
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

/// Checks an event's name: one line of moderate length.
fn event(text: &str) -> Result<String, Error> {
    terms::event(text)
        .ok_or_else(|| Error::usage("the name of an event is one line of 1 to 60 characters"))
}

/// Plays the moves of a match that is taken over.
fn play(game: &mut Match, moves: &str) -> Result<(), Error> {
    let record = judge::record(moves, game.variant())
        .map_err(|error| Error::refused(format!("--moves: {error}")))?;
    make_moves(game, &record)
}

/// Makes the moves of a record in a match that has just begun.
pub(super) fn make_moves(game: &mut Match, record: &Record) -> Result<(), Error> {
    let time = game.started();
    for step in record.steps() {
        let turn = game.position().turn();
        game.push(LogEntry::new(time, Action::play(&step.text), turn))?;
    }
    Ok(())
}

/// Returns the session of the person who invites. A match needs no
/// configuration; without one, an invitation goes out in the first player's
/// name if the command asks for it.
fn host(args: &args::New, context: &mut Context<'_>) -> Result<Option<Session>, Error> {
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
