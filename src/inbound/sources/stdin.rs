//! A source for standard input: a message, or the messages of an mbox.

use std::io::{self, BufReader, Read};
use std::vec;

use crate::Error;
use crate::inbound::mail_source::{MailSource, MessageKey, RawMessage};
use crate::inbound::mbox::Messages;

/// The messages of standard input. All of it is read before the first message is given,
/// so that nothing is done if the input breaks off.
pub struct StdinSource {
    messages: vec::IntoIter<Vec<u8>>,
    bytes_expected: u64,
    bytes_read: u64,
    count: u64,
}

impl StdinSource {
    /// Reads a message or an mbox.
    ///
    /// # Errors
    ///
    /// If standard input cannot be read.
    pub fn read(stdin: impl Read) -> Result<StdinSource, Error> {
        StdinSource::new(Messages::new(BufReader::new(stdin)).collect())
    }

    /// Reads one message, as a mail server hands it over.
    ///
    /// # Errors
    ///
    /// If standard input cannot be read.
    pub fn read_one(stdin: impl Read) -> Result<StdinSource, Error> {
        StdinSource::new(Messages::single(BufReader::new(stdin)).map(|message| vec![message]))
    }

    fn new(messages: io::Result<Vec<Vec<u8>>>) -> Result<StdinSource, Error> {
        let messages = messages.map_err(|error| Error::io(NAME, &error))?;
        Ok(StdinSource {
            bytes_expected: messages.iter().map(|bytes| bytes.len() as u64).sum(),
            messages: messages.into_iter(),
            bytes_read: 0,
            count: 0,
        })
    }
}

/// The name of standard input in messages.
const NAME: &str = "standard input";

impl MailSource for StdinSource {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn bytes_expected(&self) -> u64 {
        self.bytes_expected
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    fn next(&mut self) -> Option<Result<RawMessage, Error>> {
        let bytes = self.messages.next()?;
        self.bytes_read += bytes.len() as u64;
        self.count += 1;
        let key = MessageKey(self.count);
        Some(Ok(RawMessage { key, bytes }))
    }
}
