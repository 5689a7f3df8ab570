//! `parapost new`: begins a match, or takes over a running one.

use clap::Args;
use lettre::Address;

use crate::command::arguments::{Delivery, game_parser, variant};
use crate::command::context::{Context, Status};
use crate::command::delivery::finish;
use crate::config::{User, UserRole};
use crate::match_id::Id;
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::r#match::{Days, Match, MatchSettings};
use crate::matches::player::{Player, shared_mailbox};
use crate::matches::terms;
use crate::notation::judge;
use crate::referee::session::Session;
use crate::rules::{Color, Game};
use crate::{Error, clock};

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

pub(super) fn run(args: &New, context: &mut Context<'_>) -> Result<Status, Error> {
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
