//! Permits, of which there are so many and no more.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Permits, of which there are so many and no more.
pub(super) struct Permits {
    left: Mutex<usize>,
    returned: Condvar,
}

/// A permit, which is returned when it is dropped.
pub(super) struct Permit<'p>(&'p Permits);

impl Permits {
    pub(super) fn new(number: usize) -> Permits {
        Permits {
            left: Mutex::new(number),
            returned: Condvar::new(),
        }
    }

    /// Waits for a permit. Returns none if there was none for so long.
    pub(super) fn take(&self, wait: Duration) -> Option<Permit<'_>> {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .returned
            .wait_timeout_while(left, wait, |left| *left == 0);
        let (mut left, result) = waited.unwrap_or_else(PoisonError::into_inner);
        if result.timed_out() && *left == 0 {
            return None;
        }
        *left -= 1;
        Some(Permit(self))
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut left = self.0.left.lock().unwrap_or_else(PoisonError::into_inner);
        *left += 1;
        self.0.returned.notify_one();
    }
}
