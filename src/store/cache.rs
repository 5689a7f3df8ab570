//! A cache of matches, which reads each match when it is asked for.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use lettre::Address;

use crate::Error;
use crate::limits::CACHED;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::store::errand::Reads;
use crate::store::store::{Change, Revision, Sending, Store, Stored, Survey};
use crate::threads::lock;

/// A store that keeps the matches that were read last. A match that is asked for again is
/// read again only if it has changed in the store.
pub struct Cache<'a> {
    store: &'a dyn Store,
    // A match is replaced as a whole: a thread that panics leaves nothing half done.
    known: Mutex<Known>,
    /// True if changes stay in the cache.
    dry_run: bool,
}

/// The matches that were read last: two generations, of which the older one goes when the
/// younger one is full. What counts is the memory, which grows with the length of a match.
#[derive(Default)]
struct Known {
    young: BTreeMap<Id, Stored>,
    old: BTreeMap<Id, Stored>,
    /// The bytes that the young ones take.
    bytes: usize,
    /// The changes of a dry run, which are kept for as long as it lasts.
    tried: BTreeMap<Id, Stored>,
}

impl Known {
    fn get(&self, id: &Id) -> Option<&Stored> {
        self.young.get(id).or_else(|| self.old.get(id))
    }

    fn insert(&mut self, stored: Stored) {
        self.remove(stored.game.id());
        let bytes = stored.memory();
        if self.bytes + bytes > CACHED {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        // One that is larger than all together may be is read each time.
        if bytes <= CACHED {
            self.bytes += bytes;
            self.young.insert(stored.game.id().clone(), stored);
        }
    }

    fn remove(&mut self, id: &Id) {
        if let Some(young) = self.young.remove(id) {
            self.bytes -= young.memory();
        }
        self.old.remove(id);
    }
}

impl<'a> Cache<'a> {
    /// Creates a cache that knows nothing yet. With `dry_run` no change reaches the store.
    pub fn new(store: &'a dyn Store, dry_run: bool) -> Cache<'a> {
        Cache {
            store,
            known: Mutex::default(),
            dry_run,
        }
    }

    /// Returns a match as it is now. Reads it if it is not known.
    fn look_up(
        &self,
        id: &Id,
        read: impl FnOnce(&dyn Store) -> Result<Option<Stored>, Error>,
    ) -> Result<Option<Stored>, Error> {
        let known = {
            let known = lock(&self.known);
            if let Some(tried) = known.tried.get(id) {
                return Ok(Some(tried.clone()));
            }
            known.get(id).cloned()
        };
        let renewed = known.and_then(|known| self.store.renewed(known).ok());
        let found = match renewed {
            Some(stored) => Ok(Some(stored)),
            None => read(self.store),
        };
        // Nobody else relies on what is known: a change compares it with the store.
        match &found {
            Ok(Some(stored)) => lock(&self.known).insert(stored.clone()),
            Ok(None) | Err(_) => lock(&self.known).remove(id),
        }
        found
    }

    /// Returns matches as this cache knows them: a dry run has changed some.
    fn as_tried(&self, mut matches: Vec<Stored>) -> Vec<Stored> {
        let known = lock(&self.known);
        for stored in &mut matches {
            if let Some(tried) = known.tried.get(stored.game.id()) {
                *stored = tried.clone();
            }
        }
        matches
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
        self.store.ids()
    }

    fn read(&self, id: &Id) -> Result<Stored, Error> {
        let found = self.look_up(id, |store| store.read(id).map(Some))?;
        found.ok_or_else(|| Error::later(format!("{id}: this match has gone")))
    }

    fn find(&self, id: &Id) -> Result<Option<Stored>, Error> {
        self.look_up(id, |store| store.find(id))
    }

    fn renewed(&self, known: Stored) -> Result<Stored, Error> {
        self.read(known.game.id())
    }

    fn create(&self, game: &Match) -> Result<(), Error> {
        self.store.create(game)
    }

    fn change(&self, game: &Arc<Match>, base: &Revision) -> Result<Change, Error> {
        if self.dry_run {
            let tried = Stored {
                game: Arc::clone(game),
                revision: base.clone(),
            };
            lock(&self.known).tried.insert(game.id().clone(), tried);
            return Ok(Change::Done(base.clone()));
        }
        let change = self.store.change(game, base);
        match &change {
            Ok(Change::Done(revision)) => {
                let (game, revision) = (Arc::clone(game), revision.clone());
                lock(&self.known).insert(Stored { game, revision }.released());
            }
            Ok(Change::Conflict(now)) => lock(&self.known).insert(now.clone().released()),
            Ok(Change::Unknown(_)) | Err(_) => lock(&self.known).remove(game.id()),
        }
        change
    }

    fn confirm(&self, reads: &Reads) -> Result<(), Error> {
        // A dry run gives nothing up, and writes nothing.
        if self.dry_run {
            return Ok(());
        }
        self.store.confirm(reads)
    }

    fn text(&self, id: &Id) -> Result<Option<Vec<u8>>, Error> {
        self.store.text(id)
    }

    fn restore(&self, game: &Match, from: Option<&[u8]>) -> Result<Option<String>, Error> {
        lock(&self.known).remove(game.id());
        self.store.restore(game, from)
    }

    fn sending(&self, id: &Id) -> Result<Box<dyn Sending>, Error> {
        self.store.sending(id)
    }

    fn survey(&self) -> Result<Survey, Error> {
        let mut survey = self.store.survey()?;
        survey.matches = self.as_tried(survey.matches);
        Ok(survey)
    }

    fn by_address(&self, address: &Address) -> Result<Survey, Error> {
        let mut survey = self.store.by_address(address)?;
        survey.matches = self.as_tried(survey.matches);
        Ok(survey)
    }

    fn by_referee(&self, address: &Address) -> Result<Vec<Stored>, Error> {
        self.store.by_referee(address)
    }

    fn going_on(&self) -> Result<Vec<Id>, Error> {
        self.store.going_on()
    }

    fn going_on_of(&self, address: &Address) -> Result<Vec<Id>, Error> {
        self.store.going_on_of(address)
    }

    fn lock_partner(&self) -> Result<Option<Box<dyn Any>>, Error> {
        self.store.lock_partner()
    }

    fn owing(&self) -> Result<Vec<Id>, Error> {
        self.store.owing()
    }

    fn hidden(&self) -> Result<Vec<Id>, Error> {
        self.store.hidden()
    }

    fn recent(&self, address: &Address) -> Result<Vec<Stored>, Error> {
        Ok(self.as_tried(self.store.recent(address)?))
    }

    fn lock_counts(&self) -> Result<Option<Box<dyn Any>>, Error> {
        if self.dry_run {
            return Ok(None);
        }
        self.store.lock_counts()
    }

    fn remarks(&self, of_all: bool) -> Result<Vec<String>, Error> {
        self.store.remarks(of_all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::event::{Event, LogEntry};
    use crate::matches::r#match::MatchSettings;
    use crate::rules::Color;

    fn long(notes: usize) -> Match {
        let settings = MatchSettings::sample("m");
        let time = "2026-11-20T03:00:00Z".parse().unwrap();
        let mut game = Match::new(settings, time);
        for _ in 0..notes {
            let note = Event::note("x".repeat(1000));
            game.push(LogEntry::new(time, note, Color::White)).unwrap();
        }
        game
    }

    fn stored(id: usize, game: &Match) -> Stored {
        let mut game = game.clone();
        game.settings.id = format!("m{id}").parse().unwrap();
        Stored {
            game: Arc::new(game),
            revision: Revision::new(""),
        }
    }

    /// Two hundred matches were kept whatever their length: 354 MiB of matches of a
    /// hundred half-moves.
    #[test]
    fn what_is_kept_is_bounded_by_its_bytes() {
        let mut known = Known::default();
        let sum = |matches: &BTreeMap<Id, Stored>| -> usize {
            matches.values().map(Stored::memory).sum()
        };
        let games = [long(100), long(300)];
        for number in 0..400 {
            known.insert(stored(number % 150, &games[number % 2]));
            assert_eq!(known.bytes, sum(&known.young));
            assert!(known.bytes <= CACHED && sum(&known.old) <= CACHED);
        }
        assert!(known.get(&"m99".parse().unwrap()).is_some(), "the last one");
        assert!(known.young.len() + known.old.len() < 150);
        known.insert(stored(1, &long(CACHED / 1000)));
        assert!(known.get(&"m1".parse().unwrap()).is_none(), "too large");
        assert_eq!(known.bytes, sum(&known.young));
        for id in 0..150 {
            known.remove(&format!("m{id}").parse().unwrap());
        }
        assert_eq!((known.bytes, known.young.len(), known.old.len()), (0, 0, 0));
    }
}
