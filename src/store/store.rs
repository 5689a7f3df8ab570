//! The trait of all stores of matches, changes to a match that others may change at the same
//! time, and the text that a store keeps for a match.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use lettre::Address;

use crate::Error;
use crate::limits::STATE_FILE;
use crate::mail::error::causes;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::store::errand::Reads;
use crate::store::state_file::{ParseMatchError, StoredText};

/// A place that keeps matches, each as a text that is replaced as a whole.
///
/// The folder of text files is one; other stores keep the same texts elsewhere.
/// The methods that search for matches read all of them, so a store with an
/// index overrides them.
pub trait Store: Send + Sync {
    /// Returns the place of the matches, for messages.
    fn place(&self) -> String;

    /// Returns the name of a match's text in messages, such as its file's name.
    fn name_of(&self, id: &Id) -> String;

    /// Returns the ids of all matches, sorted.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn ids(&self) -> Result<Vec<Id>, Error>;

    /// Reads the present state of a match.
    ///
    /// # Errors
    ///
    /// If there is no match with this id, or its text is damaged: the name of
    /// the text, the line and the fault.
    fn read(&self, id: &Id) -> Result<Stored, Error>;

    /// Reads a match in order to change it. A store with locks stops others
    /// from changing it while the returned value exists.
    ///
    /// # Errors
    ///
    /// As [`Store::read`], and a transient error if another process holds the
    /// lock too long.
    fn read_to_change(&self, id: &Id) -> Result<Stored, Error> {
        self.read(id)
    }

    /// Returns the present state of a match that was read before. A store that
    /// can tell that it has not changed need not read it again.
    ///
    /// # Errors
    ///
    /// As [`Store::read`].
    fn renewed(&self, known: Stored) -> Result<Stored, Error> {
        self.read(known.game.id())
    }

    /// Adds a new match durably.
    ///
    /// # Errors
    ///
    /// If the id is taken, in which case the old match stays, or if writing
    /// fails.
    fn create(&self, game: &Match) -> Result<(), Error>;

    /// Replaces the text of a match durably, if it is still the text that was
    /// read as `base`.
    ///
    /// # Errors
    ///
    /// If writing fails and the match certainly stays as it was.
    fn change(&self, game: &Arc<Match>, base: &Revision) -> Result<Change, Error>;

    /// Returns when what was read is sure to last, and to have been the present state. A store
    /// that replicates may show a change before it lasts, and one of its servers may have been
    /// replaced without knowing it. No message is given up for what was read until this returns.
    ///
    /// # Errors
    ///
    /// A transient error if it is not known, or if a server was read that has been replaced.
    fn confirm(&self, _reads: &Reads) -> Result<(), Error> {
        Ok(())
    }

    /// Adds a match by its text, damaged or not, as another store has it. Returns false,
    /// and changes nothing, if there is a match with this id.
    ///
    /// # Errors
    ///
    /// If this store cannot keep such a text, or if writing fails.
    fn add_text(&self, id: &Id, _text: &[u8]) -> Result<bool, Error> {
        Err(Error::refused(format!(
            "{id}: nothing is brought into {}",
            self.place()
        )))
    }

    /// Returns the text of a match, damaged or not, or `None` if there is no
    /// such match.
    ///
    /// # Errors
    ///
    /// If the text cannot be read.
    fn text(&self, id: &Id) -> Result<Option<Vec<u8>>, Error>;

    /// Replaces the text of a damaged match by a rebuilt one, or adds a match
    /// whose text was lost. Does so only if the text is still `from`, which it
    /// was rebuilt from. Keeps the old text and returns its new name.
    ///
    /// # Errors
    ///
    /// If the text has changed meanwhile or writing fails. The old text stays.
    fn restore(&self, game: &Match, from: Option<&[u8]>) -> Result<Option<String>, Error>;

    /// Takes the lock of a match's outgoing mail.
    ///
    /// # Errors
    ///
    /// A transient error if another process holds the lock too long.
    fn sending(&self, id: &Id) -> Result<Box<dyn Sending>, Error>;

    /// Returns all matches, and the faults of those that cannot be read.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn survey(&self) -> Result<Survey, Error> {
        let mut survey = Survey::default();
        for id in self.ids()? {
            match self.read(&id) {
                Ok(stored) => survey.matches.push(stored),
                Err(error) => survey.damaged.push((id, error.to_string())),
            }
        }
        Ok(survey)
    }

    /// Shows the matches with these ids as [`Store::find`] finds them, one after the other, to
    /// somebody who changes none.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn show(
        &self,
        ids: &[Id],
        see: &mut dyn FnMut(&Id, Result<&Match, &Error>),
    ) -> Result<(), Error> {
        for id in ids {
            match self.find(id) {
                Ok(Some(stored)) => see(id, Ok(&stored.game)),
                Ok(None) => {}
                Err(error) => see(id, Err(&error)),
            }
        }
        Ok(())
    }

    /// Returns a text that no other text of this match has had, without reading the match. Returns
    /// none if there is no such text, or none yet.
    fn stamp(&self, _id: &Id) -> Option<String> {
        None
    }

    /// Returns what was last left with [`Store::set_memo`]. It may be gone at any time, and is then
    /// empty. Returns none if nothing can be left.
    fn memo(&self) -> Option<Vec<u8>> {
        None
    }

    /// Leaves something that can be made again, for whoever reads the matches next.
    fn set_memo(&self, _memo: &[u8]) {}

    /// Reads a match, if there is one with this id.
    ///
    /// # Errors
    ///
    /// If there may be one and it cannot be read.
    fn find(&self, id: &Id) -> Result<Option<Stored>, Error> {
        match self.text(id)? {
            Some(_) => self.read(id).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the matches in which this address speaks for a player, each as it is
    /// now, and the unreadable ones in which it may.
    ///
    /// # Errors
    ///
    /// As [`Store::survey`], and a transient error if the store cannot tell yet.
    fn by_address(&self, address: &Address) -> Result<Survey, Error> {
        let mut survey = self.survey()?;
        let is_theirs = |stored: &Stored| stored.game.has_player(address);
        survey.matches.retain(is_theirs);
        Ok(survey)
    }

    /// Returns the matches that this address keeps as their referee.
    ///
    /// # Errors
    ///
    /// As [`Store::by_address`].
    fn by_referee(&self, address: &Address) -> Result<Vec<Stored>, Error> {
        let mut matches = self.survey()?.matches;
        matches.retain(|stored| stored.game.is_referee(address));
        Ok(matches)
    }

    /// Returns the matches that may go on, owe mail or have mail that did not arrive,
    /// and those that may be unreadable, sorted. Every match of which that is true is
    /// among them, and perhaps others.
    ///
    /// # Errors
    ///
    /// As [`Store::survey`].
    fn going_on(&self) -> Result<Vec<Id>, Error> {
        Ok(open(self.survey()?, |game| Open::of(game).is_any()))
    }

    /// Returns the matches that may go on in which this address may speak for a player, sorted. Every
    /// readable match of which that is true is among them, and perhaps others.
    ///
    /// # Errors
    ///
    /// As [`Store::survey`].
    fn going_on_of(&self, address: &Address) -> Result<Vec<Id>, Error> {
        let mut matches = self.by_address(address)?.matches;
        matches.retain(|stored| stored.game.turn().is_some());
        let ids = matches.iter().map(|stored| stored.game.id().clone());
        Ok(ids.collect())
    }

    /// Returns the matches that may owe mail and those that may be unreadable, sorted.
    /// Every match that owes mail is among them, and perhaps others.
    ///
    /// # Errors
    ///
    /// As [`Store::survey`].
    fn owing(&self) -> Result<Vec<Id>, Error> {
        Ok(open(self.survey()?, |game| Open::of(game).owes))
    }

    /// Returns the matches of which the players are not known, because they cannot be read, among
    /// those in which anything may be left to do, sorted. A store that knows the players of one
    /// all the same may leave it out.
    ///
    /// # Errors
    ///
    /// As [`Store::survey`].
    fn hidden(&self) -> Result<Vec<Id>, Error> {
        Ok(open(self.survey()?, |_| false))
    }

    /// Returns the matches in which this address speaks for a player and in which anything
    /// may have happened within a day, each as it is now.
    ///
    /// # Errors
    ///
    /// As [`Store::by_address`].
    fn recent(&self, address: &Address) -> Result<Vec<Stored>, Error> {
        Ok(self.by_address(address)?.matches)
    }

    /// Takes the lock of the counts of letters, which are about all matches of a
    /// player. It is taken before the lock of a match, never after. A store
    /// without it counts less exactly under several processes.
    ///
    /// # Errors
    ///
    /// A transient error if another process holds the lock too long.
    fn lock_counts(&self) -> Result<Option<Box<dyn Any>>, Error> {
        Ok(None)
    }

    /// Takes the lock of the partner's thoughts: one process at a time thinks. A store without it
    /// has several think the same, of which one counts.
    ///
    /// # Errors
    ///
    /// A transient error if another process holds the lock too long.
    fn lock_partner(&self) -> Result<Option<Box<dyn Any>>, Error> {
        Ok(None)
    }

    /// Returns what people should know of the place of the matches, a sentence
    /// each: what is passed over, and who else can read it. Unless all matches are looked
    /// at, only those count that go on or owe mail.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn remarks(&self, _of_all: bool) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }
}

/// There is no match with this id: the source of the errors that say so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no match {0}")]
pub struct MissingMatch(pub Id);

impl MissingMatch {
    /// Returns what an error says of a match that there is not, if that is what it says.
    pub(crate) fn of(error: &Error) -> Option<&MissingMatch> {
        causes(error).find_map(|cause| cause.downcast_ref())
    }
}

/// Returns the error of a text of that name which cannot be read as the match with this id.
pub(super) fn damaged(name: &str, id: &Id, error: &ParseMatchError) -> Error {
    let damaged = Error::refused(format!("{name}:{error}"));
    if error.is_newer() {
        return damaged;
    }
    damaged.and(format!("'parapost repair {id}' shows what can be rebuilt"))
}

/// Returns the error of a new match whose id another one has.
pub(super) fn taken(name: &str, id: &Id) -> Error {
    Error::refused(format!("{name}: there is a match {id} already"))
}

/// Returns the error of a change of which nobody knows whether it was made.
pub(super) fn unknown(id: &Id, why: &Error) -> Error {
    Error::later(format!(
        "{why}\n{id}: whether this is saved is not known; try again later"
    ))
}

/// The work that is left in a match.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Open {
    /// True if the match goes on.
    pub goes_on: bool,
    /// True if it owes mail or articles.
    pub owes: bool,
    /// True if mail or an article was refused or reported undelivered.
    pub fails: bool,
}

impl Open {
    /// Returns what is left to do in a match.
    pub fn of(game: &Match) -> Open {
        Open {
            goes_on: game.turn().is_some(),
            owes: game.owes(),
            fails: !game.undelivered().is_empty()
                || !game.reported().is_empty()
                || !game.refused_articles().is_empty()
                || !game.reported_articles().is_empty(),
        }
    }

    /// Returns true if anything is left to do.
    pub fn is_any(self) -> bool {
        self.goes_on || self.owes || self.fails
    }
}

/// Returns the ids of the matches that are open in some way, and of those that cannot be
/// read.
fn open(survey: Survey, is_open: impl Fn(&Match) -> bool) -> Vec<Id> {
    let matches = survey.matches.iter().map(|stored| &stored.game);
    let open = matches.filter(|game| is_open(game));
    let mut ids: Vec<Id> = open.map(|game| game.id().clone()).collect();
    ids.extend(survey.damaged.into_iter().map(|(id, _)| id));
    ids.sort();
    ids
}

/// Matches of a store.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The readable matches, sorted by their ids.
    pub matches: Vec<Stored>,
    /// The unreadable ones, and why they cannot be read.
    pub damaged: Vec<(Id, String)>,
}

/// A match, and the text it was read from.
#[derive(Clone, Debug)]
pub struct Stored {
    pub game: Arc<Match>,
    /// The text it was read from.
    pub revision: Revision,
}

impl Stored {
    /// Drops the lock that keeps others from changing the match.
    #[must_use]
    pub fn released(mut self) -> Stored {
        self.revision.lease = None;
        self
    }

    /// Drops the text, of which one for each of many matches would be too much. The next
    /// change makes it anew.
    pub(super) fn without_text(mut self) -> Stored {
        self.revision.to_continue = None;
        self
    }

    /// Returns about how many bytes of memory it takes.
    pub(super) fn memory(&self) -> usize {
        let stored = self.revision.to_continue.as_ref();
        self.game.memory() + stored.map_or(0, |stored| stored.text.len())
    }
}

/// The outcome of a change.
#[derive(Debug)]
pub enum Change {
    /// The change is durable. The new revision.
    Done(Revision),
    /// Somebody else was faster, and nothing was changed. The match as it is
    /// now.
    Conflict(Stored),
    /// It is unknown whether the change was made or will last. The error that
    /// caused this.
    Unknown(Error),
}

/// Identifies the text of a match that was read. Only the store that created a
/// revision understands it.
#[derive(Clone)]
pub struct Revision {
    pub(super) text: Arc<str>,
    /// Keeps others from changing the match while it exists.
    pub(super) lease: Option<Arc<dyn Any + Send + Sync>>,
    /// The text's entry in the store's index.
    pub(super) indexed: Option<Arc<dyn Any + Send + Sync>>,
    /// The text itself, for the next change to add to.
    pub(super) to_continue: Option<Arc<StoredText>>,
}

impl Revision {
    /// Creates a revision without a lock.
    pub fn new(text: impl Into<Arc<str>>) -> Revision {
        Revision {
            text: text.into(),
            lease: None,
            indexed: None,
            to_continue: None,
        }
    }

    /// Returns the revision with the text itself, so that the next change need only make and
    /// read what it adds to it.
    #[must_use]
    pub fn with_text(self, text: impl Into<Option<Arc<StoredText>>>) -> Revision {
        Revision {
            to_continue: text.into(),
            ..self
        }
    }

    /// Returns the text that identifies the revision.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Revision({:?})", self.text)
    }
}

/// The lock of a match's outgoing mail. Dropping it releases the lock.
///
/// It differs from the match's own lock, which is not held while a slow mail
/// server answers, so that messages can come in meanwhile. This lock stops
/// other processes from sending the same mail or undoing the move that the mail
/// tells of. It also keeps a short text, in which
/// [`Attempts`](crate::store::attempts::Attempts) notes the mail being sent, so
/// that `undo` notices a process that was killed while sending.
pub trait Sending {
    /// Returns the text kept with the lock; at first it is empty.
    ///
    /// # Errors
    ///
    /// If the text cannot be read.
    fn text(&mut self) -> Result<String, Error>;

    /// Replaces the text kept with the lock.
    ///
    /// # Errors
    ///
    /// If the text cannot be written durably.
    fn set_text(&mut self, text: &str) -> Result<(), Error>;

    /// Changes the match by [`Store::change`], which the text must stop if it has changed
    /// since it was read. Where the lock keeps others from changing the text, there is
    /// nothing to look after.
    ///
    /// # Errors
    ///
    /// As [`Store::change`], and a transient error if the lock was lost.
    fn change(
        &mut self,
        store: &dyn Store,
        game: &Arc<Match>,
        base: &Revision,
    ) -> Result<Change, Error> {
        store.change(game, base)
    }
}

/// The maximum number of tries. The folder store needs at most two, since it
/// keeps the lock after a conflict.
const TRIES: usize = 50;

/// Changes a match that was read, and saves it if its log has grown. If others
/// were faster, calls `change` again with the present match. Returns the last
/// result of `change`, and the match.
///
/// # Errors
///
/// Those of `change`, and an error if the match cannot be saved. The error is
/// transient if others keep changing the match, or if it is unknown whether it
/// was saved.
pub fn update<T>(
    store: &dyn Store,
    from: Stored,
    change: impl FnMut(&mut Match) -> Result<T, Error>,
) -> Result<(T, Stored), Error> {
    update_by(from, change, |game, base| store.change(game, base))
}

/// As [`update`], with a way to save that is the caller's.
///
/// # Errors
///
/// As [`update`].
pub fn update_by<T>(
    mut from: Stored,
    mut change: impl FnMut(&mut Match) -> Result<T, Error>,
    mut save: impl FnMut(&Arc<Match>, &Revision) -> Result<Change, Error>,
) -> Result<(T, Stored), Error> {
    for _ in 0..TRIES {
        let mut game = Match::clone(&from.game);
        let result = change(&mut game)?;
        if game.log().len() == from.game.log().len() {
            return Ok((result, from.released()));
        }
        let game = Arc::new(game);
        match save(&game, &from.revision)? {
            Change::Done(revision) => return Ok((result, Stored { game, revision })),
            Change::Conflict(now) => from = now,
            Change::Unknown(why) => return Err(unknown(game.id(), &why)),
        }
    }
    Err(Error::later(format!(
        "{}: others keep changing this match; try again later",
        from.game.id()
    )))
}

/// Returns the text of a match. Re-parses it, so that a bug cannot corrupt a
/// match.
///
/// # Errors
///
/// If the text is too long to be read, or cannot be read back.
pub fn written(game: &Match) -> Result<String, Error> {
    let text = game.to_string();
    must_fit(game, &text)?;
    let read = Match::read_back(&text, game);
    read.map_err(|error| unreadable(game, &error))?;
    Ok(text)
}

/// Returns the text of a match that was changed, as [`written`] does. If it only has more
/// lines in its log than the match that was read as `base`, and the text of that is known, only
/// what is new is made and parsed, and the second value is true.
///
/// # Errors
///
/// As [`written`].
pub fn written_from(game: &Arc<Match>, base: &Revision) -> Result<(StoredText, bool), Error> {
    let stored = base.to_continue.as_ref();
    let continued = stored.and_then(|stored| stored.continued(game));
    let is_continued = continued.is_some();
    let text = continued.unwrap_or_else(|| {
        let text = StoredText::of(game);
        Match::read_back(&text.text, game).map(|_| text)
    });
    let text = text.map_err(|error| unreadable(game, &error))?;
    must_fit(game, &text.text)?;
    Ok((text, is_continued))
}

/// Refuses a text that is too long to be read.
fn must_fit(game: &Match, text: &str) -> Result<(), Error> {
    if text.len() as u64 > STATE_FILE {
        return Err(Error::refused(format!(
            "{}: its file would be longer than {} MiB, which is more than is read; it stays as it was",
            game.id(),
            STATE_FILE >> 20
        )));
    }
    Ok(())
}

fn unreadable(game: &Match, error: &ParseMatchError) -> Error {
    Error::refused(format!(
        "{}: this could not be read back and is not written; please report it: line {error}",
        game.id()
    ))
}

#[cfg(test)]
pub(crate) use tests::FaultyStore;

#[cfg(test)]
mod tests {
    use super::*;

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
}
