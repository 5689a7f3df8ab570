//! `parapost draw`: offers, accepts, declines or claims a draw.

use crate::Error;
use crate::args::{self, DrawAction};
use crate::command::delivery::finish;
use crate::command::session::Desk;
use crate::command::{Context, Status};
use crate::matches::event::{Event, What};
use crate::matches::r#match::Match;
use crate::rules::Color;

pub(super) fn run(args: &args::Draw, context: &mut Context<'_>) -> Result<Status, Error> {
    let desk = Desk::open(context)?;
    let mut game = desk.folder.lock(&args.id)?;
    let side = side(&desk, &game, args.action)?;
    let (what, done) = match args.action {
        DrawAction::Offer => (What::Offer, "a draw is offered"),
        DrawAction::Accept => (What::Accept, "the draw is accepted"),
        DrawAction::Decline => (What::Decline, "the draw is declined"),
        DrawAction::Claim => (What::Claim, "the draw is claimed"),
    };
    let mut event = Event::new(desk.now, what, side);
    if args.action == DrawAction::Claim
        && let Some(claim) = game.record().claim()
    {
        event = event.argument(claim.to_string());
    }
    game.push(event)?;
    desk.tell_opponent(&mut game, side)?;
    drop(game);
    finish(context, &desk, &args.id, args.delivery, done)?;
    Ok(Status::Done)
}

/// The side that acts. Somebody who plays both answers the offer that stands.
fn side(desk: &Desk, game: &Match, action: DrawAction) -> Result<Color, Error> {
    let both = game.sides_of(&desk.me.player).len() == 2;
    match (action, game.offer()) {
        (DrawAction::Accept | DrawAction::Decline, Some(offerer)) if both => Ok(!offerer),
        _ => desk.side(game),
    }
}
