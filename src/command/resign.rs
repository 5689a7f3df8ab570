//! `parapost resign`: resigns a match.

use crate::Error;
use crate::args;
use crate::command::ask::ask;
use crate::command::context::Context;
use crate::command::delivery::finish;
use crate::command::session::Session;
use crate::command::status::Status;
use crate::match_id::Id;
use crate::matches::event::{Event, EventKind};
use crate::matches::r#match::Match;
use crate::plural::half_moves;
use crate::rules::Color;

pub(super) fn run(args: &args::Resign, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    if !args.yes && context.can_ask() && !is_meant(&session, &args.id, context)? {
        return Err(Error::refused(format!("{}: nobody has resigned", args.id)));
    }
    let (side, stored) = session.change(&args.id, |game| {
        let side = session.side(game)?;
        game.push(resignation(&session, side))?;
        session.tell_opponent(game, side)?;
        Ok(side)
    })?;
    let done = format!("{} resigns", stored.game.variant().player(side));
    finish(context, &session, stored, args.delivery, &done)
}

fn resignation(session: &Session, side: Color) -> Event {
    Event::new(session.now, EventKind::Resign, side)
}

/// Asks the user whether to resign.
///
/// # Errors
///
/// If the user cannot resign.
fn is_meant(session: &Session, id: &Id, context: &mut Context<'_>) -> Result<bool, Error> {
    let game = session.store.read(id)?.game;
    let side = session.side(&game)?;
    Match::clone(&game).push(resignation(session, side))?;
    let question = format!(
        "{id}: resign as {} against {}, after {}",
        game.variant().player(side),
        game.player(!side).name(),
        half_moves(game.record().steps().len())
    );
    Ok(ask(&question, context))
}
