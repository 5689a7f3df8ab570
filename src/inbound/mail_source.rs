//! Sources of messages: one trait for every kind of place.
//!
//! A source gives its messages one at a time. Once the outcome of a message is durable,
//! the source is told. A file ignores it; a mail server can move the message, or answer
//! the sending server.

use crate::Error;

/// A message as it arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawMessage {
    /// The source's own key for it.
    pub key: MessageKey,
    /// Headers and body, at most [`crate::limits::MESSAGE`] bytes and one more,
    /// which shows that the message is too long.
    pub bytes: Vec<u8>,
    /// What the message may cause if it is read anew; none for one that has just come.
    pub anew: Option<Anew>,
}

/// What a message may cause that came before the source was first read, or that may have
/// been read already: nobody knows which position its writer saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Anew {
    /// The answers that such messages may still get.
    pub answers: u32,
}

/// A source's own key for one of its messages: a number that counts them, or
/// the UID of an IMAP server.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MessageKey(pub u64);

/// The outcome of a message, as far as it concerns a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Settlement {
    /// The message was about a match, and all its consequences are on disk. The source
    /// need not bring it again.
    Handled,
    /// The same, and it gets an answer that counts among those of messages read anew.
    Answered,
    /// The message is read anew, is from a player, and names no match. Nothing was changed.
    Unnamed,
    /// The message was about no match: from a stranger or a machine. Nothing was
    /// changed.
    NotOurs,
    /// The message could not be handled now. Nothing was changed, and the source must
    /// bring it again.
    Deferred,
}

/// A place that messages come from.
///
/// A source that waits for messages, such as a mail server, blocks in
/// [`MailSource::next`] until one arrives.
pub trait MailSource {
    /// Returns the size of all messages in bytes, as far as it is known, or 0. It
    /// serves to show progress.
    fn bytes_expected(&self) -> u64;

    /// Returns the bytes of the messages given so far.
    fn bytes_read(&self) -> u64;

    /// Returns true if the next messages can be read before the earlier ones are settled:
    /// reading does not wait for somebody to send them, nor can it hinder the settling.
    fn can_be_read_ahead(&self) -> bool {
        false
    }

    /// Returns true if the messages given so far must be settled before the next is asked for.
    fn must_be_settled(&self) -> bool {
        false
    }

    /// Returns the next message, or none after the last.
    ///
    /// # Errors
    ///
    /// If the message cannot be read. The caller need not ask for more messages after
    /// that.
    fn next(&mut self) -> Option<Result<RawMessage, Error>>;

    /// Tells the source the outcome of one of its messages. The caller may settle
    /// messages in another order than they came, or, after a failure, not at all.
    ///
    /// # Errors
    ///
    /// If the source cannot record it. The message is settled nevertheless: if it comes
    /// again, it is recognised as a duplicate.
    fn settled(&mut self, _key: MessageKey, _settlement: Settlement) -> Result<(), Error> {
        Ok(())
    }
}
