//! A message that a mail server delivers to a process that lasts.

use std::sync::Arc;

use crate::command::context::Context;
use crate::command::receive::invitation::cannot_be_entered;
use crate::command::receive::message::Handler;
use crate::command::receive::report::Report;
use crate::command::session::Session;
use crate::inbound::incoming_message::{IncomingMessage, ParseMessageError};
use crate::mail::lmtp::Outcome;
use crate::match_id::Id;
use crate::matches::event::Disposition;
use crate::message_id::MessageId;
use crate::store::cache::Cache;
use crate::store::errand::{self, Errand};
use crate::store::store::Store as _;

/// Handles a message, and tells of it. What it does is durable when this returns, and it is given
/// up for nothing that was out of date. Others may have the turn as soon as it is handled: the
/// confirmation is one for many. Returns the match that may owe an answer.
pub(crate) fn delivered(
    session: &Session,
    cache: &Arc<Cache<'_>>,
    bytes: &[u8],
    turn: impl Sized,
    context: &mut Context<'_>,
) -> (Outcome, Option<Id>) {
    let _errand = Errand::begin();
    let mut excess = None;
    let report = match IncomingMessage::parse(bytes) {
        Ok(message) => {
            let mut handler = Handler::over(session, Arc::clone(cache), false);
            let (is_invitation, hint) = match handler.invitation(&message) {
                Ok(None) => (false, String::new()),
                Ok(Some(invited)) => (true, invited.hint()),
                Err(why) => (false, cannot_be_entered(&why)),
            };
            match handler.handle(&message, is_invitation) {
                Ok(report) => report.hinting(hint),
                Err(error) => Report::deferred(&message, error),
            }
        }
        Err(error) => {
            if let ParseMessageError::Excess(limit) = error {
                excess = Some(limit);
            }
            Report::of(MessageId::derived([bytes]), Disposition::Refused, error)
        }
    };
    drop(turn);
    let report = report.resting_on(errand::take_reads());
    let confirmed = cache.confirm(&report.reads);
    let report = report.confirmed(&confirmed);
    report.note(context);
    // Standard output is not what the server waits for.
    let _ = report.tell(context);
    let outcome = match (excess, report.word) {
        (Some(excess), _) => Outcome::Beyond(excess),
        (None, Disposition::Deferred) => Outcome::Later,
        (None, _) => Outcome::Done,
    };
    (outcome, report.owes)
}
