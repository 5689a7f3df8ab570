//! `parapost resign`: gives a match up.

use crate::Error;
use crate::args;
use crate::command::delivery::finish;
use crate::command::session::Desk;
use crate::command::{Context, Status};
use crate::matches::event::{Event, What};

pub(super) fn run(args: &args::Resign, context: &mut Context<'_>) -> Result<Status, Error> {
    let desk = Desk::open(context)?;
    let mut game = desk.folder.lock(&args.id)?;
    let side = desk.side(&game)?;
    game.push(Event::new(desk.now, What::Resign, side))?;
    desk.tell_opponent(&mut game, side)?;
    let done = format!("{} resigns", game.variant().player(side));
    drop(game);
    finish(context, &desk, &args.id, args.delivery, &done)?;
    Ok(Status::Done)
}
