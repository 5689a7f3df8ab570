//! `parapost draw`, `takeback` and `resign`: what a player does besides moving.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::Error;
use crate::command::arguments::Delivery;
use crate::command::context::Context;
use crate::command::delivery::finish;
use crate::command::status::Status;
use crate::match_id::Id;
use crate::matches::action::Action;
use crate::matches::r#match::Match;
use crate::plural::half_moves;
use crate::referee::session::Session;
use crate::rules::Color;

/// `parapost draw`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost draw offer k7f3qd --send")]
pub(super) struct Draw {
    /// What to do
    #[arg(value_parser = actions("draw", [
        ("offer", "Offer one; the offer lapses at the opponent's next move"),
        ("accept", "Accept the opponent's offer"),
        ("decline", "Decline the opponent's offer"),
        ("claim", "Claim one by repetition or the count of moves, before moving"),
    ]))]
    pub(super) action: Action,
    /// The match
    pub(super) id: Id,
    /// The mail to the opponent.
    #[command(flatten)]
    pub(super) delivery: Delivery,
}

/// `parapost takeback`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost takeback propose k7f3qd --send")]
pub(super) struct Takeback {
    /// What to do
    #[arg(value_parser = actions("takeback", [
        ("propose", "Propose it; the proposal lapses at the next move"),
        ("accept", "Agree to the opponent's proposal: the move is taken back"),
        ("decline", "Decline the opponent's proposal"),
    ]))]
    pub(super) action: Action,
    /// The match
    pub(super) id: Id,
    /// The mail to the opponent.
    #[command(flatten)]
    pub(super) delivery: Delivery,
}

/// `parapost resign`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost resign k7f3qd --send

On a terminal it asks first. 'parapost undo' takes it back while its mail has
not gone.")]
pub(super) struct Resign {
    /// The match
    pub(super) id: Id,
    /// Resign without being asked
    #[arg(long, short)]
    pub(super) yes: bool,
    /// The mail to the opponent.
    #[command(flatten)]
    pub(super) delivery: Delivery,
}

/// Parses the verb of an action, with the help for each.
fn actions<const N: usize>(
    object: &'static str,
    verbs: [(&'static str, &'static str); N],
) -> impl TypedValueParser<Value = Action> {
    let verbs = verbs.map(|(verb, help)| PossibleValue::new(verb).help(help));
    PossibleValuesParser::new(verbs)
        .try_map(move |verb| Action::of_command(&verb, object).ok_or("this is no action"))
}

pub(super) fn run(
    id: &Id,
    action: &Action,
    delivery: Delivery,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    act(&Session::open(context)?, id, action, delivery, context)
}

pub(super) fn resign(args: &Resign, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    if !args.yes && context.can_ask() && !is_meant(&session, &args.id, context)? {
        return Err(Error::refused(format!("{}: nobody has resigned", args.id)));
    }
    act(&session, &args.id, &Action::Resign, args.delivery, context)
}

fn act(
    session: &Session,
    id: &Id,
    action: &Action,
    delivery: Delivery,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let (side, stored) = session.change(id, |game| {
        let side = side(session, game, action)?;
        let event = game.entry(session.now, action.clone(), side);
        let allowed = game.state_after(&event);
        let allowed = allowed.and_then(|_| game.must_be_first(&event));
        allowed.map_err(Error::refused)?;
        game.push(event)?;
        session.tell_opponent(game, side)?;
        Ok(side)
    })?;
    let done = match action {
        Action::OfferDraw => "a draw is offered",
        Action::AcceptDraw => "the draw is accepted",
        Action::DeclineDraw => "the draw is declined",
        Action::ClaimDraw => "the draw is claimed",
        Action::ProposeTakeback => "taking the last move back is proposed",
        Action::AcceptTakeback => "the last move is taken back",
        Action::DeclineTakeback => "taking the last move back is declined",
        Action::Move(_) | Action::Resign => {
            &format!("{} {}", stored.game.variant().player(side), action.deed())
        }
    };
    finish(context, session, stored, delivery, done)
}

/// Returns the side that acts. A user who plays both sides answers the offer or the proposal
/// that stands.
fn side(session: &Session, game: &Match, action: &Action) -> Result<Color, Error> {
    let asked = match action {
        Action::AcceptDraw | Action::DeclineDraw => game.offer(),
        Action::AcceptTakeback | Action::DeclineTakeback => game.takeback(),
        Action::Move(_)
        | Action::Resign
        | Action::OfferDraw
        | Action::ClaimDraw
        | Action::ProposeTakeback => None,
    };
    match asked {
        Some(other) if game.sides_of(&session.me.player).len() == 2 => Ok(!other),
        _ => session.side(game),
    }
}

/// Asks the user whether to resign.
///
/// # Errors
///
/// If the user cannot resign.
fn is_meant(session: &Session, id: &Id, context: &mut Context<'_>) -> Result<bool, Error> {
    let game = session.store.read(id)?.game;
    let side = session.side(&game)?;
    Match::clone(&game).push(game.entry(session.now, Action::Resign, side))?;
    let question = format!(
        "{id}: resign as {} against {}, after {}",
        game.variant().player(side),
        game.player(!side).name(),
        half_moves(game.record().steps().len())
    );
    Ok(context.ask(&question))
}
