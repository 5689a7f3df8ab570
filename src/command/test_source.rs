//! A queue in memory that records each settlement, as a mail server would.

use std::collections::VecDeque;

use crate::Error;
use crate::mail::sources::source::{MailSource, MessageKey, RawMessage, Settlement};

/// Messages in memory. A deferred message comes again once, at the end.
#[derive(Default)]
pub(crate) struct QueueSource {
    waiting: VecDeque<RawMessage>,
    given: Vec<RawMessage>,
    bytes_read: u64,
    /// The settlements of the messages, in the order in which they were made.
    pub(crate) settled: Vec<(u64, Settlement)>,
}

impl QueueSource {
    /// Appends a message.
    pub(crate) fn push(&mut self, key: u64, message: &str) {
        self.waiting.push_back(RawMessage {
            key: MessageKey(key),
            bytes: message.as_bytes().to_vec(),
            anew: None,
        });
    }
}

impl MailSource for QueueSource {
    fn bytes_expected(&self) -> u64 {
        let waiting = self
            .waiting
            .iter()
            .map(|message| message.bytes.len() as u64);
        self.bytes_read + waiting.sum::<u64>()
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    fn can_be_read_ahead(&self) -> bool {
        true
    }

    fn next(&mut self) -> Option<Result<RawMessage, Error>> {
        let message = self.waiting.pop_front()?;
        self.bytes_read += message.bytes.len() as u64;
        self.given.push(message.clone());
        Some(Ok(message))
    }

    fn settled(&mut self, key: MessageKey, settlement: Settlement) -> Result<(), Error> {
        let is_first = self.settled.iter().all(|(settled, _)| *settled != key.0);
        self.settled.push((key.0, settlement));
        if settlement == Settlement::Deferred && is_first {
            let given = self.given.iter().find(|message| message.key == key);
            self.waiting.extend(given.cloned());
        }
        Ok(())
    }
}
