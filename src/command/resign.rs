//! `parapost resign`: resigns a match.

use crate::Error;
use crate::args;
use crate::command::context::Context;
use crate::command::delivery::finish;
use crate::command::session::Session;
use crate::command::status::Status;
use crate::matches::event::{Event, EventKind};

pub(super) fn run(args: &args::Resign, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let (side, stored) = session.change(&args.id, |game| {
        let side = session.side(game)?;
        game.push(Event::new(session.now, EventKind::Resign, side))?;
        session.tell_opponent(game, side)?;
        Ok(side)
    })?;
    let done = format!("{} resigns", stored.game.variant().player(side));
    finish(context, &session, stored, args.delivery, &done)
}
