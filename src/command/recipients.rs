//! The recipients to whom mail is on its way.
//!
//! A mail server that asks others about a recipient may take minutes for its answer. If each
//! connection had a mail for such a recipient, none would be left for anybody else: so one
//! recipient has mail on one connection at a time.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lettre::Address;

/// The recipients to whom mail is on its way over any connection of this process.
#[derive(Default, Debug)]
pub(crate) struct Recipients(Mutex<HashSet<Address>>);

/// A mail on its way to a recipient, until it is dropped.
pub(crate) struct OnItsWay<'r> {
    recipients: &'r Recipients,
    address: Address,
}

impl Recipients {
    /// Notes that a mail is on its way to a recipient. Returns `None` if another one is.
    pub(crate) fn begin(&self, address: &Address) -> Option<OnItsWay<'_>> {
        let is_first = self.on_their_way().insert(address.clone());
        is_first.then(|| OnItsWay {
            recipients: self,
            address: address.clone(),
        })
    }

    /// Returns true if a mail is on its way to a recipient.
    pub(crate) fn are_served(&self, address: &Address) -> bool {
        self.on_their_way().contains(address)
    }

    fn on_their_way(&self) -> MutexGuard<'_, HashSet<Address>> {
        // A set, never half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OnItsWay<'_> {
    fn drop(&mut self) {
        self.recipients.on_their_way().remove(&self.address);
    }
}
