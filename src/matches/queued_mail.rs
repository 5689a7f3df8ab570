//! Outgoing mail of a match, as its log describes it.

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::message_id::MessageId;
use crate::rules::Color;

/// An owed mail, as its line in the log describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueuedMail {
    /// The number of its line in the log, from 1.
    pub line: usize,
    /// The time the mail was called for; also its `Date`.
    pub time: DateTime<Utc>,
    /// The player it is for.
    pub to: Color,
    /// The kind of mail, which names its template.
    pub kind: String,
    /// The Message-ID, the same each time the mail is made.
    pub msg: MessageId,
    /// The message it answers.
    pub re: Option<MessageId>,
    /// The address it goes to, if not the player's first.
    pub address: Option<Address>,
    /// The half-move whose position it shows, if not the last.
    pub at: Option<usize>,
    /// The text it carries, if the match does not supply it.
    pub text: Option<String>,
    /// True if the program sends it without a person's request.
    pub automatic: bool,
}

/// A mail that was refused for good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndeliveredMail {
    /// The mail, with the address that was tried last.
    pub mail: QueuedMail,
    /// The time of the refusal.
    pub time: DateTime<Utc>,
    /// The words of the mail server or program; may be empty.
    pub reason: String,
}
