//! What the letters of a player have taken of the bounds of a match.
//!
//! A move, a resignation, an acceptance and a justified claim are free: no
//! bound ever refuses or delays them or their mails. Every other letter counts,
//! whatever it causes and whoever gets the mail: an offer, a proposal, a
//! refusal, a note, a question. `mail off` counts, too, but is carried out
//! beyond every bound: nobody is told of it then but its writer.

use std::collections::HashSet;
use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};

use crate::limits;
use crate::matches::disposition::Disposition;
use crate::matches::event::{ASKED, Event, EventKind, Who};
use crate::matches::r#match::Match;
use crate::matches::not_allowed::NotAllowed;
use crate::matches::takeback::Takeback;
use crate::rules::Color;

/// The argument of the event that remembers a letter which only repeated a move.
/// Such events have a bound of their own: without them the letter could be played
/// in another match when it comes again.
pub const REPEATED: &str = Disposition::Duplicate.as_str();

/// What a person's letters have taken of the bounds of a match.
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
            match event.kind {
                EventKind::Owed if is_counted => mails.extend(event.get("msg")),
                EventKind::Owed => {}
                // A mail that follows what became of another is about that one.
                _ if event.kind.is_of_outgoing_mail() => {
                    is_counted = false;
                    if event.get("msg").is_some_and(|id| mails.contains(id)) {
                        usage.bytes += event.size();
                    }
                }
                _ if event.who != who => (letter, is_counted) = (None, false),
                _ => {
                    if event.kind == EventKind::Note {
                        usage.words += event.argument.as_ref().map_or(0, String::len);
                    }
                    let id = event.get("msg");
                    if is_question(event) {
                        (letter, is_counted) = (None, true);
                        usage.letters += usize::from(is_recent(event.time, now));
                    } else if id.is_none() || id != letter {
                        letter = id;
                        is_counted = id.is_some() && !is_free(event);
                        usage.letters += usize::from(is_counted && is_recent(event.time, now));
                    }
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
    let is_note = |event: &&Event| {
        event.kind == EventKind::Owed
            && event.who == Who::Player(to)
            && event.argument.as_deref() == Some("note")
            && event.get("auto") == Some("yes")
            && is_recent(event.time, now)
    };
    game.log().iter().filter(is_note).count()
}

/// Returns true if a letter whose first event is this one is free.
#[must_use]
pub fn is_free(event: &Event) -> bool {
    match event.kind {
        EventKind::Move | EventKind::Resign | EventKind::Accept | EventKind::Claim => true,
        EventKind::Takeback => is(event, Takeback::Accept),
        // There are never more of them than questions.
        EventKind::Address => !is_question(event),
        EventKind::Refused => is_repeated(event),
        _ => false,
    }
}

/// Returns true if a letter whose first event is this one counts, but no bound stops it:
/// `mail off`.
#[must_use]
pub fn is_kept_beyond_bounds(event: &Event) -> bool {
    event.kind == EventKind::Mail && event.argument.as_deref() == Some("off")
}

/// Returns true if an event remembers a letter that only repeated a move.
pub(super) fn is_repeated(event: &Event) -> bool {
    event.kind == EventKind::Refused && event.argument.as_deref() == Some(REPEATED)
}

/// Returns true if the player was asked about an address. That counts as a letter of
/// the player's, as it came by the player's code.
fn is_question(event: &Event) -> bool {
    event.kind == EventKind::Address && event.argument.as_deref() == Some(ASKED)
}

/// Returns true if a time is less than a day away, before or after: a clock that
/// once stood wrong must not use up a bound for years.
fn is_recent(time: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    time.signed_duration_since(now).abs() < TimeDelta::days(1)
}

fn is(event: &Event, action: Takeback) -> bool {
    event.argument.as_deref() == Some(action.to_string().as_str())
}

impl Match {
    /// Checks that an offer of a draw, or a proposal to take a move back, is
    /// this player's first since the position last changed. The log of a match
    /// may have more of them, from other programs or earlier versions.
    ///
    /// # Errors
    ///
    /// If it is not the first. Other events are always allowed.
    pub fn must_be_first(&self, event: &Event) -> Result<(), NotAllowed> {
        let is_proposal = |event: &Event| is(event, Takeback::Propose);
        let error = match event.kind {
            EventKind::Offer => NotAllowed::OfferedBefore,
            EventKind::Takeback if is_proposal(event) => NotAllowed::ProposedBefore,
            _ => return Ok(()),
        };
        let changes = |other: &&Event| match other.kind {
            EventKind::Move => true,
            EventKind::Undo => !other.is_undo_of_resignation(),
            _ => other.kind == EventKind::Takeback && is(other, Takeback::Accept),
        };
        let is_same = |other: &Event| {
            other.kind == event.kind
                && other.who == event.who
                && (other.kind == EventKind::Offer || is_proposal(other))
        };
        let mut since = self.log().iter().rev().take_while(|other| !changes(other));
        if since.any(is_same) {
            Err(error)
        } else {
            Ok(())
        }
    }
}

/// Why words are not kept, as a sentence for their writer.
#[derive(Clone, Copy, Debug)]
pub struct NoRoomForWords;

/// Why words are not passed on, as a sentence for their writer.
pub(super) const ENOUGH_NOTES: &str = "Your words are not kept and not passed on: the other player has had as many notes within a day as one gets. Words beside a move go with the move, as always.";

/// What the last answer of a day says.
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
