//! The decision about a message: the events to log and the mails to send.

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::mail::message_id::MessageId;
use crate::matches::event::Disposition;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::explanation::Explanation;
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::r#match::Match;
use crate::matches::quota::{is_free, is_kept_beyond_bounds};
use crate::rules::Color;

/// The reason given when the daily limit leaves a letter without effect.
pub const ENOUGH: &str = "nothing is kept or answered: there were enough answers in a day";

/// The reason given when the match keeps no more of a player's letters.
pub const FULL: &str =
    "nothing is kept or answered: this player's letters have filled their part of the record";

/// The parts of a player's message that a decision depends on.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    /// The Message-ID.
    pub id: &'a MessageId,
    /// The side that sent it.
    pub side: Color,
    /// The sender's address, which answers go to.
    pub address: Option<&'a Address>,
    /// The text besides moves and commands, meant for the other player.
    pub words: &'a str,
    /// Why the message was not read, if it was not.
    pub unread: Option<&'a str>,
    /// True if the user is the referee, who tells both players of every change.
    pub is_referee: bool,
    /// The mails that the message may still cause.
    pub quota: Quota,
}

/// The mails that a message may still cause. A move, a resignation, an acceptance and a
/// justified claim need none of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quota {
    /// The number of letters, this one among them, of which anything but those may come:
    /// which may be logged and answered.
    pub answers: usize,
    /// True if its words alone may be mailed to the other player.
    pub notes: bool,
}

impl Quota {
    /// A quota that bounds nothing.
    pub const UNBOUNDED: Quota = Quota {
        answers: usize::MAX,
        notes: true,
    };
}

/// The outcome of a message in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct Decision {
    /// The message's disposition.
    pub disposition: Disposition,
    /// The reason, for the person who runs the program; may be empty.
    pub reason: String,
    /// The events to add to the log, in this order. Without events and mails
    /// the match stays as it is.
    pub events: Vec<LogEntry>,
    /// The mails to owe after the events, in this order.
    pub mails: Vec<DueMail>,
}

/// A mail that a decision calls for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DueMail {
    pub mail: NewMail,
    /// The values for its template, if a template writes its text.
    pub explanation: Option<Explanation>,
    /// True if it is the last answer of a day, and says so.
    pub is_last: bool,
}

impl DueMail {
    /// Calls for a mail.
    #[must_use]
    pub fn new(mail: NewMail, explanation: Option<Explanation>) -> DueMail {
        DueMail {
            mail,
            explanation,
            is_last: false,
        }
    }
}

impl Decision {
    /// Creates a decision that leaves the match as it is.
    pub fn new(disposition: Disposition, reason: impl Into<String>) -> Decision {
        Decision {
            disposition,
            reason: reason.into(),
            events: Vec::new(),
            mails: Vec::new(),
        }
    }

    pub(super) fn event(mut self, event: LogEntry) -> Decision {
        self.events.push(event);
        self
    }

    pub(super) fn mail(mut self, mail: NewMail) -> Decision {
        self.mails.push(DueMail::new(mail, None));
        self
    }

    /// Adds what another decision about the same message writes.
    pub fn add(&mut self, other: Decision) {
        self.events.extend(other.events);
        self.mails.extend(other.mails);
    }

    /// Explains something to the sender.
    pub(super) fn explain(self, received: &Received<'_>, explanation: Explanation) -> Decision {
        self.explain_in(received.reply(MailKind::Answer), explanation)
    }

    /// Explains something in a mail.
    pub(super) fn explain_in(mut self, mail: NewMail, explanation: Explanation) -> Decision {
        self.mails.push(DueMail::new(mail, Some(explanation)));
        self
    }

    /// Returns true if the decision counts against the bounds: if it writes
    /// anything, and is not about a move, a resignation, an acceptance or a
    /// justified claim.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        !self.events.first().is_none_or(is_free)
    }

    /// Returns true if it owes a note, of which a player gets only so many a day.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.mails
            .iter()
            .any(|due| *due.mail.kind() == MailKind::Note)
    }

    /// Returns true if a message can only pass its words on, so that nothing is left of it
    /// where it must not.
    pub(super) fn is_only_words(&self) -> bool {
        let mut events = self.events.iter();
        events.all(|event| matches!(event.event, Event::Note(_) | Event::Asked(_)))
    }

    /// Leaves out the words that would be kept and mailed as a note, and tells their
    /// writer why in the answer to the rest.
    pub(super) fn without_note(mut self, side: Color, why: &str) -> Decision {
        self.events.retain(|event| !event.is_note());
        self.mails.retain(|due| *due.mail.kind() != MailKind::Note);
        for due in &mut self.mails {
            if due.mail.to() == side {
                due.mail.add(why);
            }
        }
        self
    }

    /// Has the answer to the sender say that it is the last one. Returns false if the
    /// sender gets none.
    pub(super) fn say_last(&mut self, received: &Received<'_>) -> bool {
        let is_answer = |due: &&mut DueMail| due.mail.to() == received.side;
        let answer = self.mails.iter_mut().find(is_answer);
        let is_told = answer.is_some();
        if let Some(due) = answer {
            due.is_last = received.quota.answers == 1;
        }
        is_told
    }

    /// Keeps what no bound stops, with its answer, and drops whatever else would be
    /// written.
    pub(super) fn beyond_bounds(mut self, side: Color, why: &str) -> Decision {
        if !self.events.first().is_some_and(is_kept_beyond_bounds) {
            return self.dropped(why);
        }
        self.events.truncate(1);
        self.mails.retain(|due| due.mail.to() == side);
        self
    }

    /// Drops whatever would be written, because of a bound.
    pub(super) fn dropped(self, why: &str) -> Decision {
        let disposition = match self.events.first().map(|event| &event.event) {
            None | Some(Event::Refused(_) | Event::Asked(_)) => self.disposition,
            // A program's own mail, which says nothing.
            Some(Event::Note(None)) => Disposition::Ignored,
            Some(_) => Disposition::Refused,
        };
        let reason = match self.reason.as_str() {
            "" => why.to_owned(),
            reason => format!("{reason} ({why})"),
        };
        Decision::new(disposition, reason)
    }
}

impl Received<'_> {
    /// Returns true if the log has an event of this kind that the message
    /// caused. Somebody who plays against himself may have been the other side
    /// then.
    pub(super) fn is_known_to(&self, game: &Match, is_kind: impl Fn(&LogEntry) -> bool) -> bool {
        Color::ALL.into_iter().any(|side| {
            let is_sender =
                side == self.side || self.address.is_some_and(|from| game.speaks_for(side, from));
            let mut events = game.log().iter();
            is_sender
                && events.any(|event| {
                    event.who == Who::Player(side) && event.came_by(self.id) && is_kind(event)
                })
        })
    }

    /// Creates an event that this message causes, done by its sender.
    #[must_use]
    pub fn event(&self, now: DateTime<Utc>, event: impl Into<Event>) -> LogEntry {
        LogEntry::new(now, event, self.side).key("msg", Some(self.id))
    }

    /// Creates a mail of this kind to the address the message came from.
    pub(super) fn reply(&self, kind: MailKind) -> NewMail {
        let mail = NewMail::new(kind, self.side)
            .answering(Some(self.id.clone()))
            .automatic();
        match self.address {
            Some(address) => mail.at_address(address.clone()),
            None => mail,
        }
    }
}
