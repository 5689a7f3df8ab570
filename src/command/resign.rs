//! `parapost resign`: gives a match up.

use crate::Error;
use crate::args;
use crate::command::delivery::finish;
use crate::command::session::Session;
use crate::command::{Context, Status};
use crate::matches::event::{Event, EventKind};

pub(super) fn run(args: &args::Resign, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let mut game = session.folder.lock(&args.id)?;
    let side = session.side(&game)?;
    game.push(Event::new(session.now, EventKind::Resign, side))?;
    session.tell_opponent(&mut game, side)?;
    let done = format!("{} resigns", game.variant().player(side));
    drop(game);
    finish(context, &session, &args.id, args.delivery, &done)?;
    Ok(Status::Done)
}
