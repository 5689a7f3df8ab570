//! A store in memory: the second implementation of the trait, in which every
//! outcome of a change can be called for.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use parapost::Error;
use parapost::match_id::Id;
use parapost::matches::event::LogEntry;
use parapost::matches::r#match::Match;
use parapost::store::state_file::StoredText;
use parapost::store::store::{Change, Revision, Sending, Store, Stored, written, written_from};

/// What happens to a change before it is tried.
#[derive(Clone)]
pub(crate) enum Fault {
    /// Somebody else adds that event.
    Faster(LogEntry),
    /// It is done, but that cannot be told.
    LostAnswer,
    /// It is not done, and that cannot be told.
    LostRequest,
}

/// Matches in memory, each the text of its state file.
#[derive(Default)]
pub(crate) struct Memory {
    texts: Mutex<BTreeMap<Id, (u64, String)>>,
    sending: Arc<Mutex<BTreeMap<Id, String>>>,
    /// What happens to the next changes, one after the other.
    pub(crate) faults: Mutex<VecDeque<Fault>>,
    pub(crate) reads: AtomicUsize,
    pub(crate) changes: AtomicUsize,
}

impl Memory {
    fn fault(&self) -> Option<Fault> {
        self.faults.lock().unwrap().pop_front()
    }
}

fn missing(id: &Id) -> Error {
    Error::refused(format!(
        "there is no match {id} in memory; 'parapost list' tells which there are, --games names another folder"
    ))
}

impl Store for Memory {
    fn place(&self) -> String {
        "memory".to_owned()
    }

    fn name_of(&self, id: &Id) -> String {
        format!("memory/{id}.txt")
    }

    fn ids(&self) -> Result<Vec<Id>, Error> {
        Ok(self.texts.lock().unwrap().keys().cloned().collect())
    }

    fn read(&self, id: &Id) -> Result<Stored, Error> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let texts = self.texts.lock().unwrap();
        let (revision, text) = texts.get(id).ok_or_else(|| missing(id))?;
        let (game, text) = StoredText::read(text.clone().into_bytes(), id)
            .map_err(|error| Error::refused(format!("{}:{error}", self.name_of(id))))?;
        let revision = Revision::new(revision.to_string()).with_text(text.map(Arc::new));
        Ok(Stored { game, revision })
    }

    fn renewed(&self, known: Stored) -> Result<Stored, Error> {
        let id = known.game.id();
        let is_same = self
            .texts
            .lock()
            .unwrap()
            .get(id)
            .is_some_and(|(now, _)| now.to_string() == known.revision.as_str());
        if is_same { Ok(known) } else { self.read(id) }
    }

    fn create(&self, game: &Match) -> Result<(), Error> {
        let text = written(game)?;
        let mut texts = self.texts.lock().unwrap();
        if texts.contains_key(game.id()) {
            let (name, id) = (self.name_of(game.id()), game.id());
            return Err(Error::refused(format!(
                "{name}: there is a match {id} already"
            )));
        }
        texts.insert(game.id().clone(), (0, text));
        Ok(())
    }

    fn change(&self, game: &Arc<Match>, base: &Revision) -> Result<Change, Error> {
        self.changes.fetch_add(1, Ordering::Relaxed);
        let (id, (text, _)) = (game.id(), written_from(game, base)?);
        let fault = self.fault();
        let mut texts = self.texts.lock().unwrap();
        let (revision, there) = texts.get_mut(id).ok_or_else(|| missing(id))?;
        if let Some(Fault::Faster(event)) = &fault {
            let mut other: Match = there.parse().unwrap();
            other.push(event.clone()).unwrap();
            *there = other.to_string();
            *revision += 1;
        }
        let unknown = || Ok(Change::Unknown(Error::later("the connection is gone")));
        if matches!(fault, Some(Fault::LostRequest)) {
            return unknown();
        }
        if revision.to_string() != base.as_str() {
            drop(texts);
            return self.read(id).map(Change::Conflict);
        }
        text.text().clone_into(there);
        *revision += 1;
        if matches!(fault, Some(Fault::LostAnswer)) {
            return unknown();
        }
        let revision = Revision::new(revision.to_string());
        Ok(Change::Done(revision.with_text(Arc::new(text))))
    }

    fn text(&self, id: &Id) -> Result<Option<Vec<u8>>, Error> {
        let texts = self.texts.lock().unwrap();
        Ok(texts.get(id).map(|(_, text)| text.clone().into_bytes()))
    }

    fn restore(&self, game: &Match, from: Option<&[u8]>) -> Result<Option<String>, Error> {
        let text = written(game)?;
        let mut texts = self.texts.lock().unwrap();
        let there = texts.get(game.id());
        if there.map(|(_, text)| text.as_bytes()) != from {
            return Err(Error::later("the match has changed meanwhile; look again"));
        }
        let revision = there.map_or(0, |(revision, _)| revision + 1);
        texts.insert(game.id().clone(), (revision, text));
        Ok(None)
    }

    fn sending(&self, id: &Id) -> Result<Box<dyn Sending>, Error> {
        Ok(Box::new(UnderWay {
            id: id.clone(),
            all: Arc::clone(&self.sending),
        }))
    }
}

/// The mail of a match that is under way.
struct UnderWay {
    id: Id,
    all: Arc<Mutex<BTreeMap<Id, String>>>,
}

impl Sending for UnderWay {
    fn text(&mut self) -> Result<String, Error> {
        let all = self.all.lock().unwrap();
        Ok(all.get(&self.id).cloned().unwrap_or_default())
    }

    fn set_text(&mut self, text: &str) -> Result<(), Error> {
        let mut all = self.all.lock().unwrap();
        all.insert(self.id.clone(), text.to_owned());
        Ok(())
    }
}
