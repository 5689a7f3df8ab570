//! What became of a message, as the program tells it.

use std::fmt;

use crate::Error;
use crate::command::receive::effect::Effect;
use crate::inbound::incoming_message::IncomingMessage;
use crate::mail::sources::source::Settlement;
use crate::match_id::Id;
use crate::matches::event::Disposition;
use crate::message_id::MessageId;
use crate::store::reads::Reads;

/// The outcome of a message.
pub(super) struct Report {
    pub(super) message: MessageId,
    pub(super) game: Option<Id>,
    /// What it did in the match, if it was decided there.
    pub(super) effect: Option<Effect>,
    /// The outcome in one word.
    pub(super) word: Disposition,
    /// The reason, for people; may be empty.
    pub(super) reason: String,
    /// What the user can do about it; may be empty.
    pub(super) hint: String,
    /// The match that may owe an answer.
    pub(super) owes: Option<Id>,
    /// What the outcome rests on, until that is confirmed.
    pub(super) reads: Reads,
    /// True if it is read anew and gets an answer that counts.
    pub(super) is_answered: bool,
    /// True if it is read anew, is a player's and names no match.
    pub(super) is_unnamed: bool,
}

impl Report {
    pub(super) fn of(message: MessageId, word: Disposition, reason: impl fmt::Display) -> Report {
        Report {
            message,
            game: None,
            effect: None,
            word,
            reason: reason.to_string(),
            hint: String::new(),
            owes: None,
            reads: Reads::default(),
            is_answered: false,
            is_unnamed: false,
        }
    }

    /// Notes what the outcome rests on. A message that comes again anyway rests on nothing.
    pub(super) fn resting_on(self, reads: Reads) -> Report {
        match self.word {
            Disposition::Deferred => self,
            _ => Report { reads, ..self },
        }
    }

    /// Returns the report, whose outcome is known to rest on what is true, or defers the message.
    /// Whatever it did stays done: it is a duplicate when it comes again.
    pub(super) fn confirmed(self, confirmed: &Result<(), Error>) -> Report {
        match confirmed {
            Err(error) if !self.reads.is_empty() => {
                let report = Report::of(self.message, Disposition::Deferred, error);
                Report {
                    owes: self.owes,
                    ..report
                }
            }
            _ => self,
        }
    }

    /// Defers a message because of an error. Nothing is recorded, so the same message may
    /// come again.
    pub(super) fn deferred(message: &IncomingMessage, error: Error) -> Report {
        Report::of(message.id.clone(), Disposition::Deferred, error)
    }

    /// Names the match that the message is about.
    pub(super) fn about(self, game: &Id) -> Report {
        Report {
            game: Some(game.clone()),
            ..self
        }
    }

    /// Tells what the message did in the match.
    pub(super) fn doing(self, effect: impl Into<Option<Effect>>) -> Report {
        Report {
            effect: effect.into(),
            ..self
        }
    }

    /// Tells the user what can be done.
    pub(super) fn hinting(self, hint: String) -> Report {
        Report { hint, ..self }
    }

    /// Names a match that may owe an answer.
    pub(super) fn owing(self, game: &Id) -> Report {
        Report {
            owes: Some(game.clone()),
            ..self
        }
    }

    /// Says whether it is read anew and gets an answer that counts.
    pub(super) fn answered(self, is_answered: bool) -> Report {
        Report {
            is_answered,
            ..self
        }
    }

    /// Says that a player's letter that is read anew names no match.
    pub(super) fn unnamed(message: &IncomingMessage) -> Report {
        let why = "it came before this run, and names no match";
        Report {
            is_unnamed: true,
            ..Report::of(message.id.clone(), Disposition::Ignored, why)
        }
    }

    /// Returns the settlement that tells the source what became of the message.
    pub(super) fn settlement(&self) -> Settlement {
        match self.word {
            Disposition::Deferred => Settlement::Deferred,
            _ if self.is_unnamed => Settlement::Unnamed,
            Disposition::Stranger | Disposition::Ignored => Settlement::NotOurs,
            _ if self.is_answered => Settlement::Answered,
            _ => Settlement::Handled,
        }
    }
}
