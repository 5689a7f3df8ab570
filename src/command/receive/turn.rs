//! The order of messages that are handled side by side.
//!
//! Messages about one match are handled one after the other. One that counts what its
//! players have written in other matches waits until it is its turn: until all before it
//! are handled.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The order of messages that are handled side by side, each by its number.
///
/// Whoever is free takes the first message that can be handled, so that all who wait for
/// their turn wait for somebody who is at work.
pub(super) struct Order {
    /// The lane of each message. The messages of a lane are handled one after the other.
    lanes: Vec<usize>,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// The messages that nobody has taken.
    left: BTreeSet<usize>,
    /// The messages that are not handled yet.
    unfinished: BTreeSet<usize>,
    /// The lanes that somebody is at work in.
    busy: BTreeSet<usize>,
}

impl Order {
    /// Creates the order of messages, of which each has its lane.
    pub(super) fn new(lanes: Vec<usize>) -> Order {
        let all: BTreeSet<usize> = (0..lanes.len()).collect();
        Order {
            lanes,
            state: Mutex::new(State {
                left: all.clone(),
                unfinished: all,
                busy: BTreeSet::new(),
            }),
            changed: Condvar::new(),
        }
    }

    /// Takes the first message whose lane is free. Waits for one if there may be one later.
    pub(super) fn take(&self) -> Option<usize> {
        let mut state = self.state();
        loop {
            if state.left.is_empty() {
                return None;
            }
            let mut left = state.left.iter().copied();
            let free = left.find(|number| !state.busy.contains(&self.lanes[*number]));
            if let Some(number) = free {
                state.left.remove(&number);
                state.busy.insert(self.lanes[number]);
                return Some(number);
            }
            state = self.wait(state);
        }
    }

    /// Notes that a message is handled.
    pub(super) fn finish(&self, number: usize) {
        let mut state = self.state();
        state.unfinished.remove(&number);
        state.busy.remove(&self.lanes[number]);
        self.changed.notify_all();
    }

    /// Leaves the messages behind one as they are, except those that somebody has taken.
    pub(super) fn stop_behind(&self, number: usize) {
        let mut state = self.state();
        // Nobody waits for what is not handled at all.
        for left in state.left.split_off(&number) {
            state.unfinished.remove(&left);
        }
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turn of a message, which may be handled beside others.
#[derive(Clone, Copy, Default)]
pub(super) struct Turn<'o> {
    /// None if it is handled alone.
    place: Option<(&'o Order, usize)>,
}

impl<'o> Turn<'o> {
    /// Returns the turn of a message in the order of several.
    pub(super) fn of(order: &'o Order, number: usize) -> Turn<'o> {
        Turn {
            place: Some((order, number)),
        }
    }

    /// Returns true if all messages before this one are handled.
    fn has_come(self) -> bool {
        self.place
            .is_none_or(|(order, number)| order.state().unfinished.first() == Some(&number))
    }

    /// Waits for the turn, unless the caller holds the lock of a match. Returns true if the
    /// turn has come.
    pub(super) fn comes(self, is_locked: bool) -> bool {
        if !is_locked {
            self.wait();
        }
        self.has_come()
    }

    /// Waits until all messages before this one are handled. Other processes wait, too, for
    /// whatever locks the caller holds.
    pub(super) fn wait(self) {
        if let Some((order, number)) = self.place {
            let mut state = order.state();
            while state.unfinished.first() != Some(&number) {
                state = order.wait(state);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::thread;

    use super::*;

    #[test]
    fn each_lane_is_taken_in_order_by_one_at_a_time() {
        let order = Order::new(vec![0, 0, 1, 0, 1]);
        assert_eq!(order.take(), Some(0));
        assert_eq!(order.take(), Some(2), "the lane of 1 is not free");
        order.finish(0);
        assert_eq!(order.take(), Some(1));
        order.finish(2);
        assert_eq!(order.take(), Some(4));
        order.finish(1);
        assert_eq!(order.take(), Some(3));
        assert_eq!(order.take(), None);
    }

    #[test]
    fn what_is_behind_a_stop_is_left_alone() {
        let order = Order::new(vec![0, 1, 2, 3]);
        assert_eq!((order.take(), order.take()), (Some(0), Some(1)));
        let last = Order::take(&order);
        assert_eq!(last, Some(2));
        order.stop_behind(1);
        assert_eq!(order.take(), None);
        order.finish(0);
        order.finish(1);
        Turn::of(&order, 2).wait();
    }

    #[test]
    fn a_turn_comes_when_all_before_are_handled() {
        let numbers = 0..200;
        let lanes = numbers.clone().map(|number| number * 7 % 13).collect();
        let order = Order::new(lanes);
        let turns = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while let Some(number) = order.take() {
                        let turn = Turn::of(&order, number);
                        if number % 3 == 0 {
                            turn.wait();
                            assert!(turn.has_come());
                            turns.lock().unwrap().push(number);
                        }
                        order.finish(number);
                    }
                });
            }
        });
        let thirds: Vec<usize> = numbers.filter(|number| number % 3 == 0).collect();
        assert_eq!(turns.into_inner().unwrap(), thirds);
        assert!(Turn::default().has_come(), "who is alone waits for nobody");
    }
}
