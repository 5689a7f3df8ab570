//! A delivery report about a mail of ours.
//!
//! It needs no proof of who wrote it: whoever has a mail can forge a report about it. So
//! it does no more than have that mail sent to its own recipient once again. Nobody is
//! answered or told.

use lettre::Address;

use crate::Error;
use crate::command::receive::candidates::Candidates;
use crate::command::receive::message::Handler;
use crate::command::receive::report::Report;
use crate::inbound::delivery_report::DeliveryReport;
use crate::inbound::incoming_message::IncomingMessage;
use crate::matches::event::Disposition;
use crate::matches::r#match::Match;
use crate::store::store::{Store as _, Stored};
use crate::store::update::update;

impl Handler<'_> {
    /// Handles a delivery report about a mail of one of these matches. Returns none if
    /// the message is none, or there is no such mail.
    ///
    /// # Errors
    ///
    /// If the report must come again.
    pub(super) fn read_delivery_report(
        &mut self,
        message: &IncomingMessage,
        candidates: &Candidates,
    ) -> Result<Option<Report>, Error> {
        let Some(delivery) = &message.report else {
            return Ok(None);
        };
        let msg = &delivery.message;
        let is_ours = |game: &Match| msg.is_of(game.id()) && game.mailed(msg);
        let Some(stored) = candidates.find(is_ours) else {
            let hidden = candidates
                .survey
                .damaged
                .iter()
                .find(|(id, _)| msg.is_of(id));
            return match hidden {
                Some((id, why)) => {
                    self.put_off.add([id.clone()]);
                    Err(Error::refused(why))
                }
                None => Ok(None),
            };
        };
        let id = stored.game.id();
        self.put_off.check(id)?;
        let read = self.read_report_about(message, delivery, stored);
        if read.is_err() {
            self.put_off.add([id.clone()]);
        }
        read.map(Some)
    }

    /// Handles a delivery report about a mail of this match.
    fn read_report_about(
        &self,
        message: &IncomingMessage,
        delivery: &DeliveryReport,
        stored: &Stored,
    ) -> Result<Report, Error> {
        let (id, msg) = (stored.game.id(), &delivery.message);
        let report = |word, reason: String| Report::of(message.id.clone(), word, reason).about(id);
        if stored.game.has_report(&message.id) {
            // The mail may still be owed.
            let known = report(Disposition::Duplicate, String::new());
            return Ok(known.owing(id));
        }
        let failed = delivery.failed.iter();
        let failed: Vec<(Vec<Address>, String)> = failed
            .map(|failed| (failed.addresses.clone(), failed.reason.clone()))
            .collect();
        let now = self.session.now;
        let (refusal, stored) = update(&*self.cache, self.cache.read(id)?, |game| {
            Ok(game.mail_reported(now, &message.id, msg, &failed).err())
        })?;
        if let Some(why) = refusal {
            let why = format!("it is a delivery report that does not count: {why}");
            return Ok(report(Disposition::Ignored, why));
        }
        let mut reported = stored.game.reported().iter();
        let reported = reported.find(|reported| reported.mail.msg == *msg);
        let told = reported.map(|reported| {
            let to = stored.game.address_of(&reported.mail);
            format!(
                "the mail to {to} has not arrived ({}); it is sent once again",
                reported.reason
            )
        });
        let marked = report(Disposition::Undelivered, told.unwrap_or_default());
        Ok(marked.owing(id))
    }
}
