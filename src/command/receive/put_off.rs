//! The matches whose messages wait, because an earlier one was deferred.

use std::collections::BTreeSet;

use crate::Error;
use crate::match_id::Id;

/// The matches in which a message of this run was deferred. Later messages to them wait
/// too, since an answer must not be read before the message it answers.
#[derive(Clone, Default, Debug)]
pub(super) struct PutOff {
    ids: BTreeSet<Id>,
    /// True if a message was deferred that may be about any match.
    all: bool,
}

impl PutOff {
    /// Notes that a message was deferred that is about one of these matches.
    pub(super) fn add(&mut self, ids: impl IntoIterator<Item = Id>) {
        self.ids.extend(ids);
    }

    /// Notes that a message was deferred before anybody knew what it is about. Returns the
    /// error that deferred it.
    pub(super) fn all_for(&mut self, error: Error) -> Error {
        self.add_all();
        error
    }

    /// Notes that a message was deferred that may be about any match.
    pub(super) fn add_all(&mut self) {
        self.all = true;
    }

    /// Notes what others have noted.
    pub(super) fn merge(&mut self, other: PutOff) {
        self.ids.extend(other.ids);
        self.all |= other.all;
    }

    /// Checks that no earlier message to a match was deferred.
    ///
    /// # Errors
    ///
    /// If one was: this one must wait, too.
    pub(super) fn check(&self, id: &Id) -> Result<(), Error> {
        if self.all || self.ids.contains(id) {
            let why = format!("{id}: an earlier message was put off");
            return Err(Error::later(why));
        }
        Ok(())
    }
}
