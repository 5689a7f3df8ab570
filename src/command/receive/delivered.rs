//! A message that a mail server delivers to a process that lasts.

use std::sync::Arc;

use crate::command::context::Context;
use crate::inbound::incoming_message;
use crate::mail::lmtp::DeliveryStatus;
use crate::mail::message::received_message::ParseMessageError;
use crate::match_id::Id;
use crate::matches::event::Disposition;
use crate::referee::handler::Handler;
use crate::referee::invitation::Consented;
use crate::referee::session::Session;
use crate::referee::verdict::Verdict;
use crate::store::cache::Cache;
use crate::store::errand::Errand;
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
) -> (DeliveryStatus, Option<Id>) {
    // The confirmation is a part of it.
    let _errand = Errand::begin();
    let mut excess = None;
    let verdict = match incoming_message::read(bytes) {
        Ok(message) => {
            let mut handler = Handler::over(session, Arc::clone(cache), false);
            // Nobody can be asked.
            handler.take(&message, |invited| Consented::No(invited.hint()))
        }
        Err(error) => {
            if let ParseMessageError::Excess(limit) = error {
                excess = Some(limit);
            }
            Verdict::unreadable(bytes, error)
        }
    };
    drop(turn);
    let confirmed = cache.confirm(&verdict.reads);
    let verdict = verdict.confirmed(&confirmed);
    verdict.note(context);
    // Standard output is not what the server waits for.
    let _ = verdict.tell(context);
    let outcome = match (excess, verdict.word) {
        (Some(excess), _) => DeliveryStatus::Beyond(excess),
        (None, Disposition::Deferred) => DeliveryStatus::Later,
        (None, _) => DeliveryStatus::Done,
    };
    (outcome, verdict.owes)
}
