//! What every store of matches can do.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::Error;
use crate::match_id::Id;
use crate::matches::event::{Event, EventKind, Who};
use crate::matches::r#match::Match;
use crate::message_id::MessageId;

/// Where matches are kept: each of them a text, replaced as a whole.
///
/// The folder of text files is one; others keep the same texts elsewhere. The
/// methods that look for matches read all of them; a store that has an index
/// replaces them.
pub trait Store {
    /// Where the matches are, for messages.
    fn place(&self) -> String;

    /// What the text of a match is called in messages, such as its file's name.
    fn name_of(&self, id: &Id) -> String;

    /// The ids of all matches, sorted.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn ids(&self) -> Result<Vec<Id>, Error>;

    /// Reads a match, as it stands now.
    ///
    /// # Errors
    ///
    /// If there is none of that id, or its text is damaged: with its name and
    /// the line.
    fn read(&self, id: &Id) -> Result<Stored, Error>;

    /// Reads a match that is to be changed. A store that has locks keeps others
    /// from changing it as long as what is returned is there.
    ///
    /// # Errors
    ///
    /// As [`Store::read`], and a transient one if another process holds the lock
    /// too long.
    fn read_to_change(&self, id: &Id) -> Result<Stored, Error> {
        self.read(id)
    }

    /// Keeps a new match, durably.
    ///
    /// # Errors
    ///
    /// If there is one of that id already, which stands; or that does not work.
    fn create(&self, game: &Match) -> Result<(), Error>;

    /// Replaces the text of a match, durably, if it still is the one that was
    /// read as that revision.
    ///
    /// # Errors
    ///
    /// If that does not work: the match is certainly as it was.
    fn change(&self, game: &Arc<Match>, base: &Revision) -> Result<Change, Error>;

    /// The text of a match, damaged or not; none where there is no such match.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn text(&self, id: &Id) -> Result<Option<Vec<u8>>, Error>;

    /// Replaces the text of a damaged match by one that was rebuilt, or keeps
    /// one of which nothing was left, if the text still is what it was rebuilt
    /// from. The old text is kept, under the name that is returned.
    ///
    /// # Errors
    ///
    /// If the text has changed meanwhile, or that does not work: the old one
    /// stands.
    fn restore(&self, game: &Match, from: Option<&[u8]>) -> Result<Option<String>, Error>;

    /// Takes the lock of a match's outgoing mail.
    ///
    /// # Errors
    ///
    /// A transient one if another process holds it too long.
    fn sending(&self, id: &Id) -> Result<Box<dyn Sending>, Error>;

    /// All matches, and what is wrong with those that cannot be read.
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

    /// The matches that can be read in which that address speaks for a player.
    ///
    /// # Errors
    ///
    /// As [`Store::survey`].
    fn by_address(&self, address: &Address) -> Result<Vec<Stored>, Error> {
        let mut matches = self.survey()?.matches;
        matches.retain(|stored| stored.game.sides(address).next().is_some());
        Ok(matches)
    }

    /// The match that can be read whose log has that message, come in or gone
    /// out.
    ///
    /// # Errors
    ///
    /// As [`Store::survey`].
    fn by_message(&self, id: &MessageId) -> Result<Option<Stored>, Error> {
        let mut matches = self.survey()?.matches.into_iter();
        Ok(matches.find(|stored| stored.game.knows(id)))
    }

    /// The matches that owe mail, and those that cannot be read, sorted.
    ///
    /// # Errors
    ///
    /// As [`Store::survey`].
    fn owing(&self) -> Result<Vec<Id>, Error> {
        let Survey { matches, damaged } = self.survey()?;
        let owes = |stored: &Stored| !stored.game.owed().is_empty();
        let owing = matches.iter().filter(|stored| owes(stored));
        let mut ids: Vec<Id> = owing.map(|stored| stored.game.id().clone()).collect();
        ids.extend(damaged.into_iter().map(|(id, _)| id));
        ids.sort();
        Ok(ids)
    }

    /// How many mails of those kinds the program has called for by itself
    /// since then to the player who has that address.
    ///
    /// # Errors
    ///
    /// As [`Store::survey`].
    fn mailed(&self, to: &Address, kinds: &[&str], since: DateTime<Utc>) -> Result<usize, Error> {
        let is_counted = |game: &Match, event: &Event| {
            event.kind == EventKind::Owed
                && event.time > since
                && event.get("auto") == Some("yes")
                && event
                    .argument
                    .as_deref()
                    .is_some_and(|kind| kinds.contains(&kind))
                && matches!(event.who, Who::Player(color) if game.player(color).has(to))
        };
        let count = |stored: &Stored| {
            let events = stored.game.log().iter();
            events
                .filter(|event| is_counted(&stored.game, event))
                .count()
        };
        Ok(self.by_address(to)?.iter().map(count).sum())
    }
}

/// All matches of a store.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Those that can be read, sorted by their ids.
    pub matches: Vec<Stored>,
    /// Those that cannot, and why.
    pub damaged: Vec<(Id, String)>,
}

/// A match as it was read.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The match.
    pub game: Arc<Match>,
    /// Which of its texts it was read from.
    pub revision: Revision,
}

impl Stored {
    /// The same, with nothing that keeps others from changing it.
    #[must_use]
    pub fn released(mut self) -> Stored {
        self.revision.lease = None;
        self
    }
}

/// What came of a change.
#[derive(Debug)]
pub enum Change {
    /// It is done, and will not be lost. This is the revision now.
    Done(Revision),
    /// Somebody else was faster, and nothing was changed. This is the match
    /// now.
    Conflict(Stored),
    /// Whether it is done, and will stay so, is not known; why.
    Unknown(Error),
}

/// Which text of a match was read. Only the store that gave it knows what it
/// says.
#[derive(Clone)]
pub struct Revision {
    pub(super) text: Arc<str>,
    /// What keeps others from changing the match as long as it is there.
    pub(super) lease: Option<Arc<dyn Any + Send + Sync>>,
}

impl Revision {
    /// One that nothing holds on to.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Revision {
        Revision {
            text: text.into(),
            lease: None,
        }
    }

    /// What the store has said.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Revision({:?})", self.text)
    }
}

/// The lock of a match's outgoing mail, which is given back when this is
/// dropped.
///
/// It is another one than the match's own, which is not held while a mail
/// server is slow: messages can come in meanwhile. No second process must send
/// the same mail meanwhile, or take back the move it tells of. The lock also
/// keeps the Message-ID of the mail that is under way, for `undo` to know of a
/// process that was killed while it was sending.
pub trait Sending {
    /// Notes that the mail is under way.
    ///
    /// # Errors
    ///
    /// If that cannot be written.
    fn begin(&mut self, id: &MessageId) -> Result<(), Error>;

    /// Notes that no mail is under way: it has gone and that is in the log, or
    /// it certainly has not.
    ///
    /// # Errors
    ///
    /// If that cannot be written.
    fn end(&mut self) -> Result<(), Error>;

    /// The mail that a process was sending when it ended, which may have gone.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn unfinished(&mut self) -> Result<Option<MessageId>, Error>;
}
