//! Messages that programs send: delivery reports and a referee's mail are read.

use crate::Error;
use crate::command::receive::candidates::Candidates;
use crate::command::receive::message::Handler;
use crate::command::receive::report::Report;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::referee;
use crate::matches::event::Disposition;

impl Handler<'_> {
    /// Returns true if a program's message may be one that is read.
    pub(super) fn may_be_read(message: &IncomingMessage) -> bool {
        message.report.is_some() || referee::may_send(message)
    }

    /// Handles a delivery report, a referee's mail, and whatever else a program has sent.
    /// Returns none if a person may have written the message.
    ///
    /// # Errors
    ///
    /// If the message must come again.
    pub(super) fn read_from_program(
        &mut self,
        message: &IncomingMessage,
        candidates: &Candidates,
    ) -> Result<Option<Report>, Error> {
        let mut read = self.read_delivery_report(message, candidates)?;
        if read.is_none() && referee::may_send(message) {
            read = self.read_from_referee(message, candidates)?;
        }
        Ok(read.or_else(|| {
            let machine = message.machine.as_ref()?;
            Some(Report::of(
                message.id.clone(),
                Disposition::Ignored,
                machine,
            ))
        }))
    }
}
