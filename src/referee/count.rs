//! The count of a sender's letters, over all of the sender's matches.

use std::any::Any;

use lettre::Address;

use crate::Error;
use crate::matches::decision::{Quota, Usage, notes_to};
use crate::matches::event::Who;
use crate::matches::r#match::Match;
use crate::referee::session::Session;
use crate::rules::Color;
use crate::store::cache::Cache;
use crate::store::store::{Store as _, Stored};

/// The count of a sender's letters. It is taken under a lock of its own, and
/// only for a letter that counts: moves never wait for it. While the value
/// exists, no other process counts a letter.
pub(crate) struct Count {
    /// The letters counted in the sender's other matches.
    letters: usize,
    /// The notes owed within a day to the other player, in that player's other
    /// matches.
    notes: usize,
    /// Those of them that the sender wrote.
    own_notes: usize,
    /// The most letters of the sender, and the most notes to a player.
    most: usize,
    _lock: Option<Box<dyn Any>>,
}

impl Count {
    /// Counts the letters of a sender in all matches but this one, which
    /// [`Count::quota`] counts in its latest state. The caller must not hold the
    /// lock of a match.
    pub(crate) fn take(
        session: &Session,
        cache: &Cache<'_>,
        sender: Option<&Address>,
        game: &Match,
        side: Color,
    ) -> Result<Count, Error> {
        // Without the lock the count is less exact, which is better
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
            own_notes: 0,
            most: session.config.policy.answers,
            _lock: lock,
        };
        // Letters from a claimed address do not count for anybody else who has that address.
        let is_claim = |from: &&Address| !game.belongs_to(side, from);
        let sender = if sender.as_ref().is_some_and(is_claim) {
            Some(game.home(side))
        } else {
            sender
        };
        if let Some(sender) = sender {
            for stored in others(sender)? {
                for side in stored.game.proven_sides(sender) {
                    let usage = Usage::of(&stored.game, Who::Player(side), session.now);
                    count.letters += usage.letters;
                }
            }
        }
        let other = game.home(!side);
        // No note is mailed to a program.
        let of_other = if game.player(!side).is_partner() {
            Vec::new()
        } else {
            others(other)?
        };
        for stored in of_other {
            for side in stored.game.proven_sides(other) {
                let notes = notes_to(&stored.game, side, session.now);
                count.notes += notes;
                if sender.is_some_and(|sender| stored.game.belongs_to(!side, sender)) {
                    count.own_notes += notes;
                }
            }
        }
        Ok(count)
    }

    /// Returns what the sender's letter in this match may still cause.
    pub(crate) fn quota(&self, session: &Session, game: &Match, side: Color) -> Quota {
        let usage = Usage::of(game, Who::Player(side), session.now);
        let here = notes_to(game, !side, session.now);
        Quota {
            answers: self.most.saturating_sub(self.letters + usage.letters),
            notes: may_write(self.own_notes + here, self.notes + here, self.most),
        }
    }
}

/// Returns true if a player may write one more note to another, who gets `most` a day. The
/// first is passed on whatever others wrote; of the rest no writer has more than half, so
/// that none can use up what a third may send, and two cannot without that first one.
fn may_write(own: usize, all: usize, most: usize) -> bool {
    most > 0 && (own == 0 || (own < most.div_ceil(2) && all < most))
}

#[cfg(test)]
mod tests {
    use super::may_write;

    /// The notes that a player gets of writers who write as much as they can, one after
    /// the other.
    fn notes_of(writers: usize, most: usize) -> Vec<usize> {
        let mut notes = vec![0; writers];
        for writer in 0..writers {
            while may_write(notes[writer], notes.iter().sum(), most) {
                notes[writer] += 1;
            }
        }
        notes
    }

    #[test]
    fn whatever_others_write_each_has_a_note_and_nobody_is_flooded() {
        assert_eq!(notes_of(4, 20), [10, 10, 1, 1]);
        assert_eq!(notes_of(2, 1), [1, 1]);
        assert_eq!(notes_of(2, 0), [0, 0]);
        for most in 1..30 {
            for writers in 1..10 {
                let notes = notes_of(writers, most);
                assert!(notes.iter().all(|notes| *notes > 0), "{notes:?}");
                assert!(notes.iter().sum::<usize>() < most + writers, "{notes:?}");
            }
        }
    }
}
