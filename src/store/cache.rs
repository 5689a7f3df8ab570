//! A cache of all matches, which reads each match once per run.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Error;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::store::store::{Change, Revision, Sending, Store, Stored, Survey};

/// A store whose matches are each read once. A change to a match detects
/// whether another process changed it since.
pub struct Cache<'a> {
    store: &'a dyn Store,
    /// Each match, or the reason why it cannot be read.
    known: Mutex<BTreeMap<Id, Result<Stored, String>>>,
    /// True if changes stay in the cache.
    dry_run: bool,
}

impl<'a> Cache<'a> {
    /// Reads every match. With `dry_run` no change reaches the store.
    ///
    /// # Errors
    ///
    /// If the store cannot be read. A match that cannot be read is no error.
    pub fn open(store: &'a dyn Store, dry_run: bool) -> Result<Cache<'a>, Error> {
        Ok(Cache {
            store,
            known: Mutex::new(by_id(store.survey()?)),
            dry_run,
        })
    }

    /// Reads what other processes have changed, for a run that lasts. The folder of text
    /// files looks at the metadata of each file.
    ///
    /// # Errors
    ///
    /// If the store cannot be read. The cache stays as it was.
    pub fn refresh(&self) -> Result<(), Error> {
        // Nobody can learn of a newer change meanwhile, and have it replaced by an older.
        let mut known = self.known();
        let readable = known.iter().filter_map(|(id, found)| {
            let stored = found.as_ref().ok()?;
            Some((id.clone(), stored.clone()))
        });
        *known = by_id(self.store.survey_again(&readable.collect())?);
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Id, Result<Stored, String>>> {
        // What is known is replaced as a whole: a thread that panics leaves nothing half
        // done.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn learn(&self, id: &Id, found: Result<Stored, String>) {
        self.known().insert(id.clone(), found);
    }
}

impl Store for Cache<'_> {
    fn place(&self) -> String {
        self.store.place()
    }

    fn name_of(&self, id: &Id) -> String {
        self.store.name_of(id)
    }

    fn ids(&self) -> Result<Vec<Id>, Error> {
        Ok(self.known().keys().cloned().collect())
    }

    fn read(&self, id: &Id) -> Result<Stored, Error> {
        if let Some(Ok(stored)) = self.known().get(id) {
            return Ok(stored.clone());
        }
        self.store.read(id)
    }

    fn create(&self, game: &Match) -> Result<(), Error> {
        self.store.create(game)?;
        self.learn(game.id(), Ok(self.store.read(game.id())?));
        Ok(())
    }

    fn change(&self, game: &Arc<Match>, base: &Revision) -> Result<Change, Error> {
        let id = game.id();
        let change = if self.dry_run {
            Change::Done(base.clone())
        } else {
            self.store.change(game, base)?
        };
        match &change {
            Change::Done(revision) => {
                let (game, revision) = (Arc::clone(game), revision.clone());
                self.learn(id, Ok(Stored { game, revision }));
            }
            Change::Conflict(now) => self.learn(id, Ok(now.clone().released())),
            Change::Unknown(_) => {
                let now = self.store.read(id).map_err(|error| error.to_string());
                self.learn(id, now);
            }
        }
        Ok(change)
    }

    fn confirm(&self, stored: &Stored) -> Result<(), Error> {
        // A dry run may have changed it here alone.
        if self.dry_run {
            return Ok(());
        }
        self.store.confirm(stored)
    }

    fn text(&self, id: &Id) -> Result<Option<Vec<u8>>, Error> {
        self.store.text(id)
    }

    fn restore(&self, game: &Match, from: Option<&[u8]>) -> Result<Option<String>, Error> {
        let kept = self.store.restore(game, from)?;
        self.learn(game.id(), Ok(self.store.read(game.id())?));
        Ok(kept)
    }

    fn sending(&self, id: &Id) -> Result<Box<dyn Sending>, Error> {
        self.store.sending(id)
    }

    fn lock_counts(&self) -> Result<Option<Box<dyn Any>>, Error> {
        if self.dry_run {
            return Ok(None);
        }
        self.store.lock_counts()
    }

    /// Reads a match again only if it has changed in the store.
    fn renewed(&self, known: Stored) -> Result<Stored, Error> {
        let now = self.store.renewed(known)?;
        self.learn(now.game.id(), Ok(now.clone()));
        Ok(now)
    }

    fn remarks(&self) -> Result<Vec<String>, Error> {
        self.store.remarks()
    }

    fn survey(&self) -> Result<Survey, Error> {
        let mut survey = Survey::default();
        for (id, found) in &*self.known() {
            match found {
                Ok(stored) => survey.matches.push(stored.clone()),
                Err(why) => survey.damaged.push((id.clone(), why.clone())),
            }
        }
        Ok(survey)
    }
}

fn by_id(survey: Survey) -> BTreeMap<Id, Result<Stored, String>> {
    let Survey { matches, damaged } = survey;
    let damaged = damaged.into_iter().map(|(id, why)| (id, Err(why)));
    let matches = matches.into_iter();
    let known = matches.map(|stored| (stored.game.id().clone(), Ok(stored)));
    known.chain(damaged).collect()
}
