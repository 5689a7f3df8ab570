//! The part of the bounds of a match that a player's letters have used.
//!
//! A move, a resignation, an acceptance and a justified claim are free: no
//! bound ever refuses or delays them or their mails. Every other letter counts,
//! whatever it causes and whoever gets the mail: an offer, a proposal, a
//! refusal, a note, a question. `mail off` counts, too, but is carried out
//! beyond every bound: only its writer hears of it then.

use std::collections::HashSet;
use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};

use crate::limits;
use crate::matches::action::Action;
use crate::matches::event::Disposition;
use crate::matches::event::{AddressStep, Event, LogEntry, Who};
use crate::matches::mail::{MailKind, MailWish};
use crate::matches::r#match::Match;
use crate::matches::not_allowed::NotAllowed;
use crate::rules::Color;

/// The event that remembers a letter which only repeated a move. Such events have a bound
/// of their own: without them the letter could be played in another match when it comes
/// again.
pub const REPEATED: Event = Event::Refused(Some(Disposition::Duplicate));

/// The event that asks the player about an address. That counts as a letter of the
/// player's, as it came by the player's code.
pub(super) const ADDRESS_QUESTION: Event = Event::Address(Some(AddressStep::Asked));

/// The part of the bounds of a match that a person's letters have used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Usage {
    /// The letters within a day that were not free.
    pub letters: usize,
    /// The bytes of all the person's words in the log.
    pub words: usize,
    /// The bytes of the log, mails included, that letters caused which were not
    /// free.
    pub bytes: usize,
}

impl Usage {
    /// Returns what a person's letters have taken of the bounds of a match.
    /// Takes time linear in the log.
    #[must_use]
    pub fn of(game: &Match, who: Who, now: DateTime<Utc>) -> Usage {
        let mut usage = Usage::default();
        // The letter that the last event came by.
        let mut letter = None;
        // True if the mails that follow are owed because of a letter that counts.
        let mut is_counted = false;
        let mut mails = HashSet::new();
        for event in game.log() {
            if event.is_owed() {
                if is_counted {
                    mails.extend(event.get("msg"));
                }
            } else if event.is_of_outgoing_mail() {
                // A mail that follows what became of another is about that one.
                is_counted = false;
                if event.get("msg").is_some_and(|id| mails.contains(id)) {
                    usage.bytes += event.size();
                }
            } else if event.who != who {
                (letter, is_counted) = (None, false);
            } else {
                if let Event::Note(Some(words)) = &event.event {
                    usage.words += words.len();
                }
                let id = event.get("msg");
                if event.event == ADDRESS_QUESTION {
                    (letter, is_counted) = (None, true);
                    usage.letters += usize::from(is_recent(event.time, now));
                } else if id.is_none() || id != letter {
                    letter = id;
                    is_counted = id.is_some() && !is_free(event);
                    usage.letters += usize::from(is_counted && is_recent(event.time, now));
                }
            }
            if is_counted {
                usage.bytes += event.size();
            }
        }
        usage
    }

    /// Returns true if the match keeps these further words of the person.
    #[must_use]
    pub fn has_room_for(&self, words: &str) -> bool {
        words.is_empty() || self.words + words.len() <= limits::WORDS
    }

    /// Returns true if the match keeps no further letters of the person, except
    /// those that are free.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.bytes > limits::LETTERS
    }
}

/// Counts the notes that were called for within a day for a player.
#[must_use]
pub fn notes_to(game: &Match, to: Color, now: DateTime<Utc>) -> usize {
    let is_note = |event: &&LogEntry| {
        event.owed_kind() == Some(&MailKind::Note)
            && event.who == Who::Player(to)
            && event.get("auto") == Some("yes")
            && is_recent(event.time, now)
    };
    game.log().iter().filter(is_note).count()
}

/// Returns true if a letter whose first event is this one is free.
#[must_use]
pub fn is_free(event: &LogEntry) -> bool {
    match &event.event {
        Event::Act(action) => action.is_free(),
        // There are never more of them than questions.
        Event::Address(step) => *step != Some(AddressStep::Asked),
        event => *event == REPEATED,
    }
}

/// Returns true if a letter whose first event is this one counts, but no bound stops it:
/// `mail off`.
#[must_use]
pub fn is_kept_beyond_bounds(event: &LogEntry) -> bool {
    event.event == Event::Wish(Some(MailWish::Off))
}

/// Returns true if a time is less than a day away, before or after: a clock that
/// once stood wrong must not use up a bound for years.
fn is_recent(time: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    time.signed_duration_since(now).abs() < TimeDelta::days(1)
}

impl Match {
    /// Checks that an offer of a draw, or a proposal to take a move back, is
    /// this player's first since the position last changed. The log of a match
    /// may have more of them, from other programs or earlier versions.
    ///
    /// # Errors
    ///
    /// If it is not the first. Other events are always allowed.
    pub fn must_be_first(&self, entry: &LogEntry) -> Result<(), NotAllowed> {
        let mut since = self.since_position();
        let is_repeated = since.any(|other| other.event == entry.event && other.who == entry.who);
        if is_repeated && entry.event == Event::Act(Action::OfferDraw) {
            Err(NotAllowed::OfferedBefore)
        } else if is_repeated && entry.event == Event::Act(Action::ProposeTakeback) {
            Err(NotAllowed::ProposedBefore)
        } else {
            Ok(())
        }
    }

    /// Returns the events since the position last changed, the last one first.
    pub(super) fn since_position(&self) -> impl Iterator<Item = &LogEntry> {
        let log = self.log().iter().rev();
        log.take_while(|event| !event.changes_position())
    }
}

/// Why words are not kept, as a sentence for their writer.
#[derive(Clone, Copy, Debug)]
pub struct NoRoomForWords;

/// Why words are not passed on, as a sentence for their writer.
pub(super) const ENOUGH_NOTES: &str = "Your words are not kept and not passed on: the other player has had as many notes within a day as one gets. Words beside a move go with the move, as always.";

/// The words of the last answer of a day.
pub(crate) const LAST_ANSWER: &str = "This is the last answer to you for today: so many of your letters a day are answered. Legal moves, a resignation, an acceptance, a justified claim and \"mail off\" are carried out as always. Anything else is neither kept nor answered until a day has passed since your first letter of these.";

impl fmt::Display for NoRoomForWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Your words are not kept and not passed on: what you have said in this match comes to {} MiB. Moves and commands are read as before.",
            limits::WORDS >> 20
        )
    }
}
