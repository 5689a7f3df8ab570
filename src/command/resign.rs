//! `parapost resign`: gives a match up.

use super::delivery::finish;
use super::desk::Desk;
use super::{Context, Status};
use crate::Error;
use crate::args;
use crate::store::{Event, Mail, What};

pub(super) fn run(args: &args::Resign, context: &mut Context<'_>) -> Result<Status, Error> {
    let desk = Desk::open(context)?;
    let mut game = desk.folder.lock(&args.id)?;
    let side = desk.side(&game)?;
    game.push(Event::new(desk.now, What::Resign, side))?;
    let mail = Mail::new("position", !side).answering(game.last_received(!side));
    game.owe(desk.now, mail, &desk.ids)?;
    game.save()?;
    let done = format!("{} resigns", game.variant().player(side));
    drop(game);
    finish(context, &desk, &args.id, args.delivery, &done)?;
    Ok(Status::Done)
}
