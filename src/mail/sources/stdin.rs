//! A source for standard input: a message, or the messages of an mbox.

use std::io::{BufReader, Read};

use crate::Error;
use crate::sources::mbox::Messages;
use crate::sources::source::{MailSource, MessageKey, RawMessage};

/// The messages of standard input.
pub struct StdinSource<R> {
    content: Content<R>,
    bytes_expected: u64,
    bytes_read: u64,
    count: u64,
}

enum Content<R> {
    /// The only message, until it is given.
    Single(Option<Vec<u8>>),
    Mbox(Messages<BufReader<R>>),
}

impl<R: Read> StdinSource<R> {
    /// Reads the one message of standard input. All of it is read before it is given,
    /// so that nothing is done if the input breaks off.
    ///
    /// # Errors
    ///
    /// If standard input cannot be read, and a usage error if it looks like an mbox.
    pub fn message(stdin: R) -> Result<StdinSource<R>, Error> {
        let read = Messages::single_or_several(BufReader::new(stdin));
        let message = read.map_err(|error| Error::io(NAME, &error))?;
        let Some(message) = message else {
            return Err(Error::usage(format!(
                "{NAME}: this begins as a mailbox and a further message seems to follow; \
                 nothing of it was done: '--mbox' reads a mailbox, '--deliver' one message, whatever it holds"
            )));
        };
        Ok(StdinSource::of(message))
    }

    /// Reads one message, as a mail server hands it over.
    ///
    /// # Errors
    ///
    /// If standard input cannot be read.
    pub fn delivered(stdin: R) -> Result<StdinSource<R>, Error> {
        let message = Messages::single(BufReader::new(stdin));
        let message = message.map_err(|error| Error::io(NAME, &error))?;
        Ok(StdinSource::of(message))
    }

    /// Reads an mbox, one message at a time.
    pub fn mbox(stdin: R) -> StdinSource<R> {
        StdinSource {
            content: Content::Mbox(Messages::new(BufReader::new(stdin))),
            bytes_expected: 0,
            bytes_read: 0,
            count: 0,
        }
    }

    fn of(message: Vec<u8>) -> StdinSource<R> {
        StdinSource {
            bytes_expected: message.len() as u64,
            content: Content::Single(Some(message)),
            bytes_read: 0,
            count: 0,
        }
    }
}

/// The name of standard input in messages.
const NAME: &str = "standard input";

impl<R: Read> MailSource for StdinSource<R> {
    fn bytes_expected(&self) -> u64 {
        self.bytes_expected
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    fn next(&mut self) -> Option<Result<RawMessage, Error>> {
        let bytes = match &mut self.content {
            Content::Single(message) => {
                let message = message.take()?;
                self.bytes_read = message.len() as u64;
                message
            }
            Content::Mbox(messages) => {
                let message = messages.next()?;
                self.bytes_read = messages.bytes_read();
                match message {
                    // An mbox without messages is an empty file.
                    Ok(_) if self.bytes_read == 0 => return None,
                    Ok(message) => message,
                    Err(error) => return Some(Err(Error::io(NAME, &error))),
                }
            }
        };
        self.count += 1;
        let key = MessageKey(self.count);
        Some(Ok(RawMessage {
            key,
            bytes,
            anew: None,
        }))
    }
}
