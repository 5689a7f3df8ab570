//! Where messages come from: one trait for every kind of place.
//!
//! A source gives its messages one at a time, and is told what became of each
//! once that is durable. A file ignores it; a mail server can move the message,
//! or answer the sending server.

use crate::Error;

/// A message as it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawMessage {
    /// The source's own key for it.
    pub key: MessageKey,
    /// Headers and body, at most [`crate::limits::MESSAGE`] bytes and one more,
    /// which shows that the message is too long.
    pub bytes: Vec<u8>,
}

/// A source's own key for one of its messages: a number that counts them, or
/// the UID of an IMAP server.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MessageKey(pub u64);

/// What became of a message, as far as it concerns a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Settlement {
    /// The message was about a match, and everything that follows from it is on
    /// disk. It need not be brought again.
    Handled,
    /// The message was about no match: from a stranger or a machine. Nothing was
    /// changed.
    NotOurs,
    /// The message could not be handled now. Nothing was changed, and it must be
    /// brought again.
    Deferred,
}

/// A place that messages come from.
///
/// A source that waits for messages, such as a mail server, blocks in
/// [`MailSource::next`] until there is one.
pub trait MailSource {
    /// The name of the place for messages to people: a path, a host.
    fn name(&self) -> String;

    /// The bytes of all its messages, as far as it is known now; 0 if it is not
    /// known. For showing progress.
    fn bytes_expected(&self) -> u64;

    /// The bytes of the messages given so far.
    fn bytes_read(&self) -> u64;

    /// The next message; none after the last.
    ///
    /// # Errors
    ///
    /// If the message cannot be read. The caller need not ask for others after
    /// that.
    fn next(&mut self) -> Option<Result<RawMessage, Error>>;

    /// Tells the source what became of one of its messages. The caller may settle
    /// a message later than the following ones, or, after a failure, never.
    ///
    /// # Errors
    ///
    /// If the source cannot keep it. The message is settled all the same: it is
    /// recognised as a duplicate if it comes again.
    fn settled(&mut self, _key: MessageKey, _settlement: Settlement) -> Result<(), Error> {
        Ok(())
    }
}
