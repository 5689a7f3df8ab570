//! A transport for tests that records messages, and fails when told to.

use std::collections::VecDeque;

use crate::mail::outgoing_message::OutgoingMessage;
use crate::mail::transport::{SendError, Transport};

/// Records the messages it sends.
#[derive(Default)]
pub(crate) struct RecordingTransport {
    /// The failures of the next attempts; after these, every message is sent.
    pub(crate) failures: VecDeque<SendError>,
    /// The messages that were sent.
    pub(crate) sent: Vec<OutgoingMessage>,
    /// The number of attempts.
    pub(crate) attempts: usize,
}

impl Transport for RecordingTransport {
    fn name(&self) -> &'static str {
        "recording"
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        self.attempts += 1;
        if let Some(failure) = self.failures.pop_front() {
            return Err(failure);
        }
        self.sent.push(message.clone());
        Ok(())
    }
}
