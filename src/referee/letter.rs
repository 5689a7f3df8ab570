//! A letter, from its parsed message to the verdict: every source gives its letters here.

use crate::inbound::incoming_message::IncomingMessage;
use crate::referee::handler::Handler;
use crate::referee::invitation::{Consented, Invited, cannot_be_entered};
use crate::referee::verdict::Verdict;
use crate::store::errand::Errand;

impl Handler<'_> {
    /// Takes a message all the way, whatever comes of it. `consent` says what becomes of an
    /// invitation that can be entered.
    pub(crate) fn take(
        &mut self,
        message: &IncomingMessage,
        consent: impl FnOnce(&Invited) -> Consented,
    ) -> Verdict {
        let _errand = Errand::begin();
        let handled = match self.invitation(message) {
            Ok(None) => self.handle(message, false),
            Ok(Some(invited)) => match consent(&invited) {
                Consented::Yes => self.begin(&invited, message),
                Consented::Later(why) => Ok(Verdict::deferred(message, why)),
                Consented::No(hint) => {
                    let handled = self.handle(message, true);
                    handled.map(|verdict| verdict.hinting(hint))
                }
            },
            Err(why) => {
                let handled = self.handle(message, false);
                handled.map(|verdict| verdict.hinting(cannot_be_entered(&why)))
            }
        };
        Verdict::of_handled(message, handled)
    }
}
