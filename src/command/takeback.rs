//! `parapost takeback`: proposes, accepts or declines to take the last move
//! back.

use crate::Error;
use crate::args::play::{self, TakebackAction};
use crate::command::context::Context;
use crate::command::delivery::finish;
use crate::command::session::Session;
use crate::command::status::Status;
use crate::matches::takeback::Takeback;

pub(super) fn run(args: &play::Takeback, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let (action, done) = match args.action {
        TakebackAction::Propose => (Takeback::Propose, "taking the last move back is proposed"),
        TakebackAction::Accept => (Takeback::Accept, "the last move is taken back"),
        TakebackAction::Decline => (Takeback::Decline, "taking the last move back is declined"),
    };
    let ((), stored) = session.change(&args.id, |game| {
        let both = game.sides_of(&session.me.player).len() == 2;
        // A user who plays both sides answers the proposal that stands.
        let side = match (action, game.takeback()) {
            (Takeback::Accept | Takeback::Decline, Some(proposer)) if both => !proposer,
            _ => session.side(game)?,
        };
        let event = game.take_back(session.now, side, action);
        let allowed = game.state_after(&event);
        let allowed = allowed.and_then(|_| game.must_be_first(&event));
        allowed.map_err(Error::refused)?;
        game.push(event)?;
        session.tell_opponent(game, side)
    })?;
    finish(context, &session, stored, args.delivery, done)
}
