//! The count of a sender's letters, over all of the sender's matches.

use std::any::Any;

use lettre::Address;

use crate::Error;
use crate::command::session::Session;
use crate::matches::decision::Quota;
use crate::matches::event::Who;
use crate::matches::r#match::Match;
use crate::matches::quota::{Usage, notes_to};
use crate::rules::Color;
use crate::store::cache::Cache;
use crate::store::store::{Store as _, Stored};

/// The count of a sender's letters. It is taken under a lock of its own, and
/// only for a letter that counts: moves never wait for it. While the value
/// exists, no other process counts a letter.
pub(super) struct Count {
    /// The letters counted in the sender's other matches.
    letters: usize,
    /// The notes owed within a day to the other player, in that player's other
    /// matches.
    notes: usize,
    /// The most of each.
    most: usize,
    _lock: Option<Box<dyn Any>>,
}

impl Count {
    /// Counts the letters of a sender in all matches but this one, which
    /// [`Count::quota`] counts in its latest state. The caller must not hold the
    /// lock of a match.
    pub(super) fn take(
        session: &Session,
        cache: &Cache<'_>,
        sender: Option<&Address>,
        game: &Match,
        side: Color,
    ) -> Result<Count, Error> {
        // Where the lock cannot be had the count is less exact, which is better
        // than a letter that waits.
        let lock = cache.lock_counts().unwrap_or_default();
        let others = |address: &Address| -> Result<Vec<Stored>, Error> {
            let mut matches = cache.recent(address)?;
            matches.retain(|stored| stored.game.id() != game.id());
            Ok(matches)
        };
        let mut count = Count {
            letters: 0,
            notes: 0,
            most: session.config.policy.answers,
            _lock: lock,
        };
        if let Some(sender) = sender {
            for stored in others(sender)? {
                for side in stored.game.sides(sender) {
                    let usage = Usage::of(&stored.game, Who::Player(side), session.now);
                    count.letters += usage.letters;
                }
            }
        }
        let other = game.player(!side).address();
        for stored in others(other)? {
            for side in stored.game.sides(other) {
                count.notes += notes_to(&stored.game, side, session.now);
            }
        }
        Ok(count)
    }

    /// Returns what the sender's letter in this match may still cause.
    pub(super) fn quota(&self, session: &Session, game: &Match, side: Color) -> Quota {
        let usage = Usage::of(game, Who::Player(side), session.now);
        Quota {
            answers: self.letters + usage.letters < self.most,
            notes: self.notes + notes_to(game, !side, session.now) < self.most,
        }
    }
}
