//! What a message comes to in a match: what is noted and what is mailed.

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::matches::disposition::Disposition;
use crate::matches::event::{Event, EventKind};
use crate::matches::explanation::Explanation;
use crate::matches::r#match::NewMail;
use crate::message_id::MessageId;
use crate::rules::Color;

/// Why somebody is not answered who else would be.
pub const ENOUGH: &str = "not answered: there were enough answers in a day";

/// A message of a player's, as far as a decision rests on it.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    /// Its Message-ID.
    pub id: &'a MessageId,
    /// The player it is from.
    pub side: Color,
    /// The address it is from, which is answered.
    pub address: Option<&'a Address>,
    /// What it says besides moves and commands, for the other player.
    pub words: &'a str,
    /// Why it has not been read, if that is so.
    pub unread: Option<&'a str>,
    /// Whether the user is the referee, who tells both players what was done.
    pub is_referee: bool,
    /// What may still be mailed because of it.
    pub quota: Quota,
}

/// What may still be mailed because of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quota {
    /// An explanation to its sender.
    pub answers: bool,
    /// Its words to the other player.
    pub notes: bool,
}

/// What a message comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct Decision {
    /// What became of it.
    pub disposition: Disposition,
    /// Why, for the person who runs the program; may be empty.
    pub reason: String,
    /// What is added to the log, in this order. If there is nothing here and no
    /// mail, the match stays as it is.
    pub events: Vec<Event>,
    /// The mails that are owed then, in this order.
    pub mails: Vec<DueMail>,
}

/// A mail that a decision calls for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DueMail {
    /// The mail.
    pub mail: NewMail,
    /// What it says, if a template has the words.
    pub explanation: Option<Explanation>,
}

impl Decision {
    /// One that leaves the match as it is.
    pub(super) fn new(disposition: Disposition, reason: impl Into<String>) -> Decision {
        Decision {
            disposition,
            reason: reason.into(),
            events: Vec::new(),
            mails: Vec::new(),
        }
    }

    pub(super) fn event(mut self, event: Event) -> Decision {
        self.events.push(event);
        self
    }

    pub(super) fn mail(mut self, mail: NewMail) -> Decision {
        self.mails.push(DueMail {
            mail,
            explanation: None,
        });
        self
    }

    /// Answers the sender, if there were not too many answers.
    pub(super) fn answer(mut self, received: &Received<'_>, mail: NewMail) -> Decision {
        if received.quota.answers {
            self = self.mail(mail);
        }
        self
    }

    /// Explains something to the sender, if there were not too many answers.
    pub(super) fn explain(mut self, received: &Received<'_>, explanation: Explanation) -> Decision {
        if received.quota.answers {
            self.mails.push(DueMail {
                mail: received.reply("answer"),
                explanation: Some(explanation),
            });
        }
        self
    }
}

impl Received<'_> {
    /// An event of the sender's that this message has brought.
    pub(super) fn event(&self, now: DateTime<Utc>, kind: EventKind) -> Event {
        Event::new(now, kind, self.side).key("msg", Some(self.id))
    }

    /// A mail of that kind to the address that the message is from.
    pub(super) fn reply(&self, kind: &'static str) -> NewMail {
        let mail = NewMail::new(kind, self.side)
            .answering(Some(self.id.clone()))
            .automatic();
        match self.address {
            Some(address) => mail.at_address(address.clone()),
            None => mail,
        }
    }
}
