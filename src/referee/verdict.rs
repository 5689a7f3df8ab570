//! The outcome of a message, and what it did in its match.

use std::fmt;

use crate::Error;
use crate::inbound::incoming_message::IncomingMessage;
use crate::mail::message_id::MessageId;
use crate::mail::sources::Settlement;
use crate::match_id::Id;
use crate::matches::event::{Disposition, Event, LogEntry, Who};
use crate::matches::r#match::Match;
use crate::notation::move_list;
use crate::rules::Color;
use crate::store::errand::{self, Reads};

/// The outcome of a message.
pub(crate) struct Verdict {
    pub(crate) message: MessageId,
    pub(crate) game: Option<Id>,
    /// Its effect in the match, if it was decided there.
    pub(crate) effect: Option<Effect>,
    /// The outcome in one word.
    pub(crate) word: Disposition,
    /// The reason, for people; may be empty.
    pub(crate) reason: String,
    /// The next step for the user; may be empty.
    pub(crate) hint: String,
    /// The match that may owe an answer.
    pub(crate) owes: Option<Id>,
    /// The reads that the outcome rests on, until they are confirmed.
    pub(crate) reads: Reads,
    /// True if it is read anew and gets an answer that counts.
    pub(crate) is_answered: bool,
    /// True if it is read anew, is a player's and names no match.
    pub(crate) is_unnamed: bool,
    /// The player whose address it has, without the proof that the policy asks for.
    pub(crate) unproven: Option<(Id, Color)>,
}

impl Verdict {
    pub(crate) fn of(message: MessageId, word: Disposition, reason: impl fmt::Display) -> Verdict {
        Verdict {
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
            unproven: None,
        }
    }

    /// Ignores a message that a program has sent; none if a person may have written it.
    pub(crate) fn of_machine(message: &IncomingMessage) -> Option<Verdict> {
        let machine = message.machine.as_ref()?;
        let id = message.id.clone();
        Some(Verdict::of(id, Disposition::Ignored, machine))
    }

    /// Returns what becomes of a message that was handled, or whose handling has failed. It
    /// rests on what the errand at hand has read.
    pub(crate) fn of_handled(
        message: &IncomingMessage,
        handled: Result<Verdict, Error>,
    ) -> Verdict {
        let verdict = handled.unwrap_or_else(|error| Verdict::deferred(message, error));
        let reads = errand::take_reads();
        match verdict.word {
            // A message that comes again anyway rests on nothing.
            Disposition::Deferred => verdict,
            _ => Verdict { reads, ..verdict },
        }
    }

    /// Refuses what cannot be read as a message.
    pub(crate) fn unreadable(bytes: &[u8], error: impl fmt::Display) -> Verdict {
        Verdict::of(MessageId::derived([bytes]), Disposition::Refused, error)
    }

    /// Returns the verdict, whose outcome is known to rest on what is true, or defers the message.
    /// Whatever it did stays done: it is a duplicate when it comes again.
    pub(crate) fn confirmed(self, confirmed: &Result<(), Error>) -> Verdict {
        match confirmed {
            Err(error) if !self.reads.is_empty() => {
                let verdict = Verdict::of(self.message, Disposition::Deferred, error);
                Verdict {
                    owes: self.owes,
                    ..verdict
                }
            }
            _ => self,
        }
    }

    /// Defers a message because of an error. Nothing is recorded, so the same message may
    /// come again.
    pub(crate) fn deferred(message: &IncomingMessage, error: impl fmt::Display) -> Verdict {
        Verdict::of(message.id.clone(), Disposition::Deferred, error)
    }

    /// Adds what the user can do about an invitation. It waits for the user's word, so it is no
    /// stranger's.
    pub(crate) fn invited(self, hint: String) -> Verdict {
        if self.word == Disposition::Stranger && !hint.is_empty() {
            return Verdict {
                word: Disposition::Confirm,
                reason: String::new(),
                hint,
                ..self
            };
        }
        Verdict { hint, ..self }
    }

    /// Names the player whose address the message has, unless it proves that it is the player's.
    pub(crate) fn unproven(self, message: &IncomingMessage, game: &Match) -> Verdict {
        let side = message
            .sender
            .as_ref()
            .and_then(|sender| game.side_of(sender));
        Verdict {
            unproven: side.map(|side| (game.id().clone(), side)),
            ..self
        }
    }

    /// Names the match that the message is about.
    pub(crate) fn about(self, game: &Id) -> Verdict {
        Verdict {
            game: Some(game.clone()),
            ..self
        }
    }

    /// Names a match that may owe an answer.
    pub(crate) fn owing(self, game: &Id) -> Verdict {
        Verdict {
            owes: Some(game.clone()),
            ..self
        }
    }

    /// Returns the match that the message has begun: a rematch.
    pub(crate) fn begun(&self) -> Option<Id> {
        let events = self.effect.iter().flat_map(|effect| &effect.events);
        let mut begun = events.filter_map(|event| match &event.event {
            Event::Rematch(id) => id.as_deref()?.parse().ok(),
            _ => None,
        });
        begun.next()
    }

    /// Says that a player's letter that is read anew names no match.
    pub(crate) fn unnamed(message: &IncomingMessage) -> Verdict {
        let why = "it came before this run, and names no match";
        Verdict {
            is_unnamed: true,
            ..Verdict::of(message.id.clone(), Disposition::Ignored, why)
        }
    }

    /// Returns the settlement that tells the source what became of the message.
    pub(crate) fn settlement(&self) -> Settlement {
        match self.word {
            Disposition::Deferred => Settlement::Deferred,
            _ if self.is_unnamed => Settlement::Unnamed,
            Disposition::Stranger | Disposition::Ignored => Settlement::NotOurs,
            // An invitation that the user has not said yes to.
            Disposition::Confirm if self.game.is_none() && !self.hint.is_empty() => {
                Settlement::NotOurs
            }
            _ if self.is_answered => Settlement::Answered,
            _ => Settlement::Handled,
        }
    }
}

/// The effect of a message in its match.
pub(crate) struct Effect {
    /// The name of the player whose message it is.
    pub(crate) player: String,
    /// The lines of the log that this message alone has caused.
    pub(crate) events: Vec<LogEntry>,
    /// The move it played.
    pub(crate) played: Option<PlayedMove>,
}

/// A move that was played.
pub(crate) struct PlayedMove {
    /// The number of the half-move, from 1.
    pub(crate) ply: usize,
    /// The move in canonical form, with its mark.
    pub(crate) text: String,
    /// The number of the move in a list.
    pub(crate) number: String,
}

impl Effect {
    /// Tells what a side's message did by events that are the last of a match.
    pub(crate) fn of(side: Color, events: Vec<LogEntry>, game: &Match) -> Effect {
        let is_move = |event: &LogEntry| event.is_move() && event.who == side.into();
        let record = game.record();
        let played = events.iter().any(is_move).then(|| {
            let ply = record.steps().len();
            let step = record.steps().last()?;
            Some(PlayedMove {
                ply,
                text: step.to_string(),
                number: move_list::number_of_position(record.at(ply - 1)?),
            })
        });
        Effect {
            player: game.player(side).name().to_owned(),
            events: events
                .into_iter()
                .filter(|event| event.who == Who::Player(side))
                .collect(),
            played: played.flatten(),
        }
    }
}
