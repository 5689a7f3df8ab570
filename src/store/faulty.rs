//! A store for tests with trouble in it.

use std::sync::Arc;

use lettre::Address;

use crate::Error;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::store::store::{Change, Revision, Sending, Store, Stored};

/// A store in which reading the match `faulty` panics, and which cannot tell who is a
/// referee.
pub(crate) struct FaultyStore {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) faulty: Id,
}

impl Store for FaultyStore {
    fn place(&self) -> String {
        self.store.place()
    }

    fn name_of(&self, id: &Id) -> String {
        self.store.name_of(id)
    }

    fn ids(&self) -> Result<Vec<Id>, Error> {
        self.store.ids()
    }

    fn read(&self, id: &Id) -> Result<Stored, Error> {
        assert_ne!(*id, self.faulty, "this is a fault for a test");
        self.store.read(id)
    }

    fn create(&self, game: &Match) -> Result<(), Error> {
        self.store.create(game)
    }

    fn change(&self, game: &Arc<Match>, base: &Revision) -> Result<Change, Error> {
        self.store.change(game, base)
    }

    fn text(&self, id: &Id) -> Result<Option<Vec<u8>>, Error> {
        self.store.text(id)
    }

    fn restore(&self, game: &Match, from: Option<&[u8]>) -> Result<Option<String>, Error> {
        self.store.restore(game, from)
    }

    fn sending(&self, id: &Id) -> Result<Box<dyn Sending>, Error> {
        self.store.sending(id)
    }

    fn by_referee(&self, _address: &Address) -> Result<Vec<Stored>, Error> {
        Err(Error::later("the index is being made"))
    }
}
