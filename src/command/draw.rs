//! `parapost draw`: offers, accepts, declines or claims a draw.

use crate::Error;
use crate::args::play::{Draw, DrawAction};
use crate::command::context::Context;
use crate::command::delivery::finish;
use crate::command::session::Session;
use crate::command::status::Status;
use crate::matches::event::{Event, EventKind};
use crate::matches::r#match::Match;
use crate::rules::Color;

pub(super) fn run(args: &Draw, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let (what, done) = match args.action {
        DrawAction::Offer => (EventKind::Offer, "a draw is offered"),
        DrawAction::Accept => (EventKind::Accept, "the draw is accepted"),
        DrawAction::Decline => (EventKind::Decline, "the draw is declined"),
        DrawAction::Claim => (EventKind::Claim, "the draw is claimed"),
    };
    let ((), stored) = session.change(&args.id, |game| {
        let side = side(&session, game, args.action)?;
        let mut event = Event::new(session.now, what.clone(), side);
        if args.action == DrawAction::Claim
            && let Some(claim) = game.record().claim()
        {
            event = event.argument(claim.to_string());
        }
        let allowed = game.state_after(&event);
        let allowed = allowed.and_then(|_| game.must_be_first(&event));
        allowed.map_err(Error::refused)?;
        game.push(event)?;
        session.tell_opponent(game, side)
    })?;
    finish(context, &session, stored, args.delivery, done)
}

/// Returns the side that acts. A user who plays both sides answers the offer
/// that stands.
fn side(session: &Session, game: &Match, action: DrawAction) -> Result<Color, Error> {
    let both = game.sides_of(&session.me.player).len() == 2;
    match (action, game.offer()) {
        (DrawAction::Accept | DrawAction::Decline, Some(offerer)) if both => Ok(!offerer),
        _ => session.side(game),
    }
}
