//! The thread that takes the partner's turns, so that no letter and no mail waits for a thought.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::Error;
use crate::command::serve::shared::Shared;
use crate::referee::thinking::{Round, TurnOutcome};

/// The time from one look to the next where no letter calls for one: other processes may have
/// taken letters, and an hour's time to think begins anew.
const LOOK: Duration = Duration::from_secs(20);

/// Takes turns until no more messages are taken.
pub(super) fn play(shared: &Shared, called_on: &Receiver<()>) {
    while !shared.is_stopping() {
        let taken = catch_unwind(AssertUnwindSafe(|| take_turns(shared)));
        match taken {
            Ok(Ok(())) => {}
            Ok(Err(error)) => say(shared, error),
            Err(_) => say(shared, PANIC),
        }
        match called_on.recv_timeout(LOOK) {
            // One look is for all that have called meanwhile.
            Ok(()) => while called_on.try_recv().is_ok() {},
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Takes the turns that are due now.
fn take_turns(shared: &Shared) -> Result<(), Error> {
    let session = shared.session().at_present()?;
    if session.config.partner.is_none() {
        return Ok(());
    }
    let store = &*shared.cache;
    let Some(mut round) = Round::begin(store, session.now)? else {
        return Ok(());
    };
    while !shared.is_stopping() {
        match round.next(&session, store) {
            None => break,
            Some((id, Ok(TurnOutcome::Done))) => shared.call_for(id),
            Some((_, Ok(TurnOutcome::Nothing))) => {}
            Some((_, Err(error))) => say(shared, error),
        }
    }
    Ok(())
}

/// What is said of a fault of ours.
const PANIC: &str = "a look for turns of the partner made the program panic, which is a bug";

fn say(shared: &Shared, trouble: impl Display) {
    shared.with_context(|context| context.say_error(&trouble));
}
