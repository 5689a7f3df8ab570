//! The order of messages that are handled side by side, and of those that wait.
//!
//! Messages about one match are handled one after the other. One that counts what its
//! players have written in other matches waits until all before it are handled. Where a
//! message was deferred, later ones of its match wait, too.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::Error;
use crate::match_id::Id;
use crate::threads::lock;

/// The queue of messages that are handled side by side, each by its number.
///
/// Whoever is free takes the first message that can be handled, so that all who wait for
/// those before them wait for somebody who is at work.
pub(crate) struct Queue {
    /// The lane of each message. The messages of a lane are handled one after the other.
    lanes: Vec<usize>,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// The messages that nobody has taken.
    left: BTreeSet<usize>,
    /// The messages that somebody is at work on.
    taken: BTreeSet<usize>,
}

impl State {
    /// Returns the first message that is not handled yet.
    fn first(&self) -> Option<usize> {
        let firsts = self.left.first().into_iter().chain(self.taken.first());
        firsts.min().copied()
    }
}

impl Queue {
    /// Creates the queue of messages, of which each has its lane.
    pub(crate) fn new(lanes: Vec<usize>) -> Queue {
        let state = State {
            left: (0..lanes.len()).collect(),
            taken: BTreeSet::new(),
        };
        Queue {
            lanes,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// Takes the first message whose lane is free. Waits for one if there may be one later.
    pub(crate) fn take(&self) -> Option<usize> {
        let mut state = lock(&self.state);
        loop {
            if state.left.is_empty() {
                return None;
            }
            let busy: BTreeSet<usize> = state.taken.iter().map(|at| self.lanes[*at]).collect();
            let mut left = state.left.iter().copied();
            if let Some(number) = left.find(|number| !busy.contains(&self.lanes[*number])) {
                state.left.remove(&number);
                state.taken.insert(number);
                return Some(number);
            }
            state = self.wait(state);
        }
    }

    /// Notes that a message is handled.
    pub(crate) fn finish(&self, number: usize) {
        lock(&self.state).taken.remove(&number);
        self.changed.notify_all();
    }

    /// Leaves the messages behind one as they are, except those that somebody has taken.
    pub(crate) fn stop_behind(&self, number: usize) {
        // Nobody waits for what is not handled at all.
        lock(&self.state).left.split_off(&number);
        self.changed.notify_all();
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }
}

/// The slot of a message in a queue. Without a queue nothing is before it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slot<'q>(Option<(&'q Queue, usize)>);

impl<'q> Slot<'q> {
    /// Returns the slot of a message with this number.
    pub(crate) fn of(queue: &'q Queue, number: usize) -> Slot<'q> {
        Slot(Some((queue, number)))
    }

    /// Returns true if all messages before this one are handled.
    fn is_first(self) -> bool {
        let is_first = |(queue, number): (&Queue, _)| lock(&queue.state).first() == Some(number);
        self.0.is_none_or(is_first)
    }

    /// Waits until all messages before this one are handled, unless the caller holds the
    /// lock of a match. Returns true if they are.
    pub(crate) fn wait_unless_locked(self, is_locked: bool) -> bool {
        if !is_locked {
            self.wait();
        }
        self.is_first()
    }

    /// Waits until all messages before this one are handled. Other processes wait, too, for
    /// whatever locks the caller holds.
    pub(crate) fn wait(self) {
        if let Some((queue, number)) = self.0 {
            let mut state = lock(&queue.state);
            while state.first() != Some(number) {
                state = queue.wait(state);
            }
        }
    }
}

/// The matches in which a message of this run was deferred. Later messages to them wait
/// too, since an answer must not be read before the message it answers.
#[derive(Clone, Default, Debug)]
pub(crate) struct Deferrals {
    ids: BTreeSet<Id>,
    /// True if a message was deferred that may be about any match.
    all: bool,
}

impl Deferrals {
    /// Notes that a message was deferred that is about one of these matches.
    pub(crate) fn add(&mut self, ids: impl IntoIterator<Item = Id>) {
        self.ids.extend(ids);
    }

    /// Notes that a message was deferred that may be about any match.
    pub(crate) fn add_all(&mut self) {
        self.all = true;
    }

    /// Notes what others have noted.
    pub(crate) fn merge(&mut self, other: Deferrals) {
        self.ids.extend(other.ids);
        self.all |= other.all;
    }

    /// Checks that no earlier message to a match was deferred.
    ///
    /// # Errors
    ///
    /// If one was: this one must wait, too.
    pub(crate) fn check(&self, id: &Id) -> Result<(), Error> {
        if self.all || self.ids.contains(id) {
            let why = format!("{id}: an earlier message was put off");
            return Err(Error::later(why));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::thread;

    use super::*;

    #[test]
    fn each_lane_is_taken_in_order_by_one_at_a_time() {
        let queue = Queue::new(vec![0, 0, 1, 0, 1]);
        assert_eq!(queue.take(), Some(0));
        assert_eq!(queue.take(), Some(2), "the lane of 1 is not free");
        queue.finish(0);
        assert_eq!(queue.take(), Some(1));
        queue.finish(2);
        assert_eq!(queue.take(), Some(4));
        queue.finish(1);
        assert_eq!(queue.take(), Some(3));
        assert_eq!(queue.take(), None);
    }

    #[test]
    fn what_is_behind_a_stop_is_left_alone() {
        let queue = Queue::new(vec![0, 1, 2, 3]);
        assert_eq!((queue.take(), queue.take()), (Some(0), Some(1)));
        let last = Queue::take(&queue);
        assert_eq!(last, Some(2));
        queue.stop_behind(1);
        assert_eq!(queue.take(), None);
        queue.finish(0);
        queue.finish(1);
        Slot::of(&queue, 2).wait();
    }

    #[test]
    fn whoever_waits_is_first_then() {
        let numbers = 0..200;
        let lanes = numbers.clone().map(|number| number * 7 % 13).collect();
        let queue = Queue::new(lanes);
        let waited = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while let Some(number) = queue.take() {
                        let slot = Slot::of(&queue, number);
                        if number % 3 == 0 {
                            slot.wait();
                            assert!(slot.is_first());
                            waited.lock().unwrap().push(number);
                        }
                        queue.finish(number);
                    }
                });
            }
        });
        let thirds: Vec<usize> = numbers.filter(|number| number % 3 == 0).collect();
        assert_eq!(waited.into_inner().unwrap(), thirds);
        assert!(Slot::default().is_first(), "who is alone waits for nobody");
    }
}
