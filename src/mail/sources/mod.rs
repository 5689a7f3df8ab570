//! The places that messages come from, one file each, and one trait for every kind of place.
//!
//! A source gives its messages one at a time. Once the outcome of a message is durable,
//! the source is told. A file ignores it; a mail server can move the message, or answer
//! the sending server.

pub mod files;
pub mod mailbox;
pub mod mbox;
pub mod newsgroup;
pub mod place;

use std::net::{Shutdown, TcpStream};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::NaiveDate;

use crate::Error;

/// A message as it arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawMessage {
    /// The source's own key for it.
    pub key: MessageKey,
    /// Headers and body, at most [`crate::limits::MESSAGE`] bytes and one more,
    /// which shows that the message is too long.
    pub bytes: Vec<u8>,
    /// The mails that the message may cause if it is read anew; none for one that has just come.
    pub anew: Option<Anew>,
}

/// The bounds of a message that came before the source was first read, or that may have
/// been read already: nobody knows what its writer knew.
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
    /// The message was about a thread, and all its consequences are on disk. The source
    /// need not bring it again.
    Handled,
    /// The same, and it gets an answer that counts among those of messages read anew.
    Answered,
    /// The message is read anew, is from an expected sender, and names no thread. Nothing was changed.
    Unnamed,
    /// The message was about no thread: from a stranger or a machine. Nothing was
    /// changed.
    NotOurs,
    /// The message could not be handled now. Nothing was changed, and the source must
    /// bring it again.
    Deferred,
}

/// The way in which a message of a mailbox concerns its reader, as far as its header tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Concern {
    /// It names a thread: it answers a mail of one, or has its id in the subject.
    Named,
    /// It is from somebody whose letters are expected.
    Sender,
    /// It concerns nobody here.
    Nothing,
}

/// The purpose for which a mailbox is read.
pub trait Interest {
    /// Returns true if a message that seems to concern nobody may be about something that
    /// cannot be read now.
    fn has_hidden(&self) -> bool;

    /// Returns when what was told of messages up to now is known to rest on what is true.
    /// Until then none may be passed over.
    ///
    /// # Errors
    ///
    /// If that cannot be known now.
    fn confirm(&self) -> Result<(), Error>;

    /// Returns words of which one stands in the text of a message that returns or quotes a
    /// mail of ours.
    fn words(&self) -> Vec<&str>;

    /// Returns how a message with these header fields concerns the reader.
    fn concern(&self, fields: &[u8]) -> Concern;

    /// Returns true if the message with these header fields was received before.
    fn has_received(&self, fields: &[u8]) -> bool;

    /// Says that a folder is read without a place, for this reason: of what has arrived since
    /// this day what names a thread, and all that arrives from now on.
    fn begun(&self, why: &str, since: NaiveDate) -> String;

    /// Says that mail was passed over that may be about something that cannot be read.
    fn passed_over(&self) -> String;

    /// Says that so many old letters of expected senders, which name no thread, were not read,
    /// and that all mail since that day can be.
    fn unread(&self, letters: u32, since: NaiveDate) -> String;
}

/// The interest of somebody who has not said yet what is looked for: none.
pub struct Nothing;

impl Interest for Nothing {
    fn has_hidden(&self) -> bool {
        false
    }

    fn confirm(&self) -> Result<(), Error> {
        Ok(())
    }

    fn words(&self) -> Vec<&str> {
        Vec::new()
    }

    fn concern(&self, _: &[u8]) -> Concern {
        Concern::Nothing
    }

    fn has_received(&self, _: &[u8]) -> bool {
        false
    }

    fn begun(&self, _: &str, _: NaiveDate) -> String {
        String::new()
    }

    fn passed_over(&self) -> String {
        String::new()
    }

    fn unread(&self, _: u32, _: NaiveDate) -> String {
        String::new()
    }
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

/// The wish to end a run. Setting it ends every wait at once, even for a server.
#[derive(Default)]
pub struct Stop {
    state: Mutex<State>,
    changed: Condvar,
    /// Held while a message is put away on the server, which is done to its end.
    busy: Mutex<()>,
}

#[derive(Default)]
struct State {
    is_set: bool,
    /// The connection that is waited for.
    tcp: Option<TcpStream>,
}

impl Stop {
    /// Ends the run.
    pub fn set(&self) {
        let busy = self.busy();
        let mut state = self.state();
        state.is_set = true;
        if let Some(tcp) = state.tcp.take() {
            let _ = tcp.shutdown(Shutdown::Both);
        }
        drop((state, busy));
        self.changed.notify_all();
    }

    /// Returns true if the run is to end.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.state().is_set
    }

    /// Has the end of the run close this connection.
    pub fn watch(&self, tcp: &TcpStream) {
        let mut state = self.state();
        if state.is_set {
            let _ = tcp.shutdown(Shutdown::Both);
        }
        // Without a second handle, a wait for the server goes on to its own end.
        state.tcp = tcp.try_clone().ok();
    }

    /// Keeps the run from being ended while the returned value exists.
    pub fn busy(&self) -> MutexGuard<'_, ()> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps so long, or until the run is to end.
    pub fn sleep(&self, longest: Duration) {
        let end = Instant::now() + longest;
        let mut state = self.state();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if state.is_set || left.is_zero() {
                return;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
