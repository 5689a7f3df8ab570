//! A store that keeps one text file per match in a folder.
//!
//! A change takes the lock of its match, compares the file with the one that
//! was read, and replaces it. After a conflict it keeps the lock, so the next
//! try succeeds.

use std::any::Any;
use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use lettre::Address;
use sha2::{Digest, Sha256};
use tracing::warn;

use crate::limits::STATE_FILE;
use crate::mail::files::replace::{self, Replaced};
use crate::mail::files::{self, HeldLock};
use crate::match_id::Id;
use crate::matches::hash::hex;
use crate::matches::r#match::Match;
use crate::shell;
use crate::store::index::entry::{Entry, HIDDEN, OTHER, key_of};
use crate::store::index::{Currency, Index, Trouble};
use crate::store::lock::{self, SendLock};
use crate::store::place::{self, is_like_match};
use crate::store::state_file::StoredText;
use crate::store::store::{
    Change, MissingMatch, Open, Revision, Sending, Store, Stored, Survey, damaged, taken, written,
    written_from,
};
use crate::{Error, clock};

/// The time in which letters count, and a little more.
const RECENT: Duration = Duration::from_hours(25);

/// The time after which a file that is changed again has another time of its last change.
const SETTLED: Duration = Duration::from_secs(2);

/// The lock of the counts of letters. No id has such a name.
const COUNTS: &str = ".answers.count.lock";

/// The lock of the partner's thoughts. No match has such a lock, as no id has a dot.
const PARTNER: &str = ".partner.turns.lock";

/// A folder with one text file per match.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    wait: Duration,
    index: Index,
}

impl Folder {
    /// Creates a store for a folder, which need not exist until a match is
    /// created. `wait` limits the time to wait for a lock that another process
    /// holds.
    pub fn new(path: impl Into<PathBuf>, wait: Duration) -> Folder {
        let path = path.into();
        Folder {
            index: Index::new(&path),
            path,
            wait,
        }
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of a match's state file.
    pub fn file(&self, id: &Id) -> PathBuf {
        self.path.join(format!("{id}.txt"))
    }

    /// Takes the lock of a match and reads it. Nobody else can change the match
    /// while the returned value exists.
    ///
    /// # Errors
    ///
    /// As [`Store::read`], and a transient error if another process holds the
    /// lock too long.
    pub fn lock(&self, id: &Id) -> Result<Stored, Error> {
        let lock = self.take_lock_of_file(id)?;
        self.read_locked(id, Arc::new(lock))
    }

    /// Returns the bytes of a match's file.
    fn bytes(&self, id: &Id) -> io::Result<(Vec<u8>, Metadata)> {
        files::read_stable(&self.file(id), STATE_FILE)
    }

    fn read_locked(&self, id: &Id, lock: Arc<dyn Any + Send + Sync>) -> Result<Stored, Error> {
        let mut stored = self.read(id)?;
        stored.revision.lease = Some(lock);
        Ok(stored)
    }

    /// Takes the lock of a match that has a file.
    fn take_lock_of_file(&self, id: &Id) -> Result<HeldLock, Error> {
        let path = self.file(id);
        // Avoids leaving a lock file behind for a match that does not exist.
        let found = files::look(&path).map_err(|error| Error::file(&path, &error))?;
        if found.is_none() {
            return Err(self.missing(id));
        }
        // Replacing a link would turn it into a file and leave its target
        // stale.
        files::must_be_file(&path).map_err(|error| Error::file(&path, &error))?;
        self.take_lock(id)
    }

    fn take_lock(&self, id: &Id) -> Result<HeldLock, Error> {
        lock::take(&self.path.join(format!(".{id}.lock")), self.wait)
    }

    /// Returns true if a match's file is still the one that was read.
    fn is_current(&self, id: &Id, revision: &Revision) -> Result<bool, Error> {
        let path = self.file(id);
        let known = revision.as_str();
        let now = if known.contains(HASH) {
            self.bytes(id).map(|(bytes, found)| hashed(&bytes, &found))
        } else {
            fs::metadata(&path).map(|found| stamp(&found))
        };
        now.map(|now| now == known)
            .map_err(|error| Error::file(&path, &error))
    }

    /// Returns true if a file can be read and is not the match of its name: it has no sign of a match,
    /// neither in it nor beside it, or is a copy of another match.
    fn is_other_text(&self, id: &Id) -> bool {
        let has_lock = || {
            let lock = self.path.join(format!(".{id}.lock"));
            !matches!(files::look(&lock), Ok(None))
        };
        // Whatever cannot be read may be a match.
        let bytes = self.bytes(id);
        bytes.is_ok_and(|(bytes, _)| {
            !is_like_match(&bytes) && !has_lock() || place::copied(id, &bytes).is_some()
        })
    }

    /// Returns the names of the files that look like text files and have no id for a name.
    fn odd_names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).into_iter().flatten();
        let names = entries.take(MOST_NAMES).filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            let is_text = name.to_lowercase().ends_with(".txt") && !name.starts_with('.');
            let id = name
                .strip_suffix(".txt")
                .and_then(|id| id.parse::<Id>().ok());
            (is_text && id.is_none()).then_some(name)
        });
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// Tells of a file that holds a match under another name than that of its id.
    fn misnamed(&self, name: &str, bytes: &[u8]) -> Option<String> {
        let id = place::id_of(bytes)?;
        let path = self.path.join(name).display().to_string();
        let file = shell::quote(&path);
        Some(if self.file(&id).exists() {
            format!(
                "warning: {path}: this is a copy of the match {id}, and is passed over; to compare the two: parapost verify {id} {file}"
            )
        } else {
            format!(
                "warning: {path}: this is the match {id} under another name, and is passed over; to take it in: parapost import {file}"
            )
        })
    }

    /// Asks the index. An answer that is not enough is asked for again when another process
    /// has listed the folder. Returns none if there is no index and none can be made.
    ///
    /// # Errors
    ///
    /// A transient error if another process lists the folder for too long.
    fn ask<T>(
        &self,
        ask: impl Fn(&Index) -> Result<T, Trouble>,
        is_enough: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, Error> {
        if !files::is_folder(&self.path).unwrap_or(false) {
            return Ok(None);
        }
        let mut wait = None;
        // The next try makes a damaged index anew; others may be at it, too.
        for _ in 0..5 {
            let answer = match self.index.refresh(wait) {
                Ok(Currency::BeingMade) => {
                    wait = Some(self.wait);
                    continue;
                }
                Ok(currency) => ask(&self.index).map(|answer| (currency, answer)),
                Err(trouble) => Err(trouble),
            };
            match answer {
                Ok((Currency::Current, answer)) => return Ok(Some(answer)),
                Ok((_, answer)) if is_enough(&answer) => return Ok(Some(answer)),
                Ok(_) => wait = Some(self.wait),
                Err(Trouble::Busy(error)) => return Err(error),
                Err(Trouble::Broken(error)) if error.kind() == ErrorKind::InvalidData => {}
                Err(Trouble::Broken(error)) => {
                    warn!(%error, "there is no index of the matches, and all of them are read");
                    return Ok(None);
                }
            }
        }
        warn!("the index of the matches is damaged again and again, and all of them are read");
        Ok(None)
    }

    /// Reads matches. Passes over texts without any sign of one.
    fn survey_of(&self, ids: impl IntoIterator<Item = Id>) -> Survey {
        let mut survey = Survey::default();
        for id in ids {
            match self.find(&id) {
                Ok(stored) => survey.matches.extend(stored.map(Stored::without_text)),
                Err(error) => survey.damaged.push((id, error.to_string())),
            }
        }
        survey
    }

    /// Returns the matches of a mailbox that both functions return true for, each as its
    /// file has it.
    fn of_mailbox(
        &self,
        address: &Address,
        is_wanted: impl Fn(&Id) -> bool,
        is_theirs: impl Fn(&Match) -> bool,
    ) -> Result<Survey, Error> {
        let key = key_of(address);
        let read = |index: &Index| {
            let mut ids = index.ids(&key)?;
            ids.extend(index.ids(HIDDEN)?);
            Ok(self.survey_of(ids.into_iter().filter(&is_wanted)))
        };
        let is_known = |survey: &Survey| {
            let mut matches = survey.matches.iter();
            matches.any(|stored| is_theirs(&stored.game))
        };
        let mut survey = match self.ask(read, is_known)? {
            Some(survey) => survey,
            None => self.survey()?,
        };
        survey.matches.retain(|stored| is_theirs(&stored.game));
        Ok(survey)
    }

    /// Returns the matches that the index tells of, or all if there is none.
    fn told_by(
        &self,
        ask: impl Fn(&Index) -> Result<BTreeSet<Id>, Trouble>,
    ) -> Result<Vec<Id>, Error> {
        match self.ask(ask, |_| true)? {
            Some(ids) => Ok(ids.into_iter().collect()),
            None => self.ids(),
        }
    }

    /// Replaces the file of a match whose lock is held. `is_to_go_on` tells that this text adds
    /// to the one that is there and that more will be added: then the old file is kept for the
    /// next text. Otherwise one file is left, and what was taken out of a log is in none.
    fn replace(&self, id: &Id, text: &[u8], is_to_go_on: bool) -> Result<Replaced, Error> {
        let path = self.file(id);
        let replaced = if is_to_go_on {
            replace::try_exchange_locked(&path, text, clock::now()?.into())
        } else {
            replace::remove_spare(&path).and_then(|()| replace::try_replace_locked(&path, text))
        };
        replaced.map_err(|error: io::Error| Error::file(&path, &error))
    }

    /// Keeps the old bytes of a state file in a new file beside it.
    fn keep(&self, id: &Id, bytes: &[u8]) -> Result<PathBuf, Error> {
        let mut number = 1;
        loop {
            let path = self.path.join(format!("{id}.txt.damaged-{number}"));
            match replace::create_like(&self.file(id), &path, bytes) {
                Ok(()) => return Ok(path),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(Error::file(&path, &error)),
            }
        }
    }

    fn missing(&self, id: &Id) -> Error {
        Error::refused(format!(
            "there is no match {id} in {}; 'parapost list' tells which there are, --games names another folder",
            self.path.display()
        ))
        .with_source(MissingMatch(id.clone()))
    }
}

/// The most names of a folder among which files under other names are looked for.
const MOST_NAMES: usize = 20_000;

/// The most such files that are named.
const MOST_REMARKS: usize = 20;

impl Store for Folder {
    fn place(&self) -> String {
        self.path.display().to_string()
    }

    fn name_of(&self, id: &Id) -> String {
        self.file(id).display().to_string()
    }

    /// Skips files whose names are not ids. A missing folder holds no matches.
    fn ids(&self) -> Result<Vec<Id>, Error> {
        let entries = match files::retry_on_eintr(|| fs::read_dir(&self.path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| Error::file(&self.path, &error))?,
        };
        let mut ids = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| Error::file(&self.path, &error))?;
            let id = entry
                .file_name()
                .to_str()
                .and_then(|name| name.strip_suffix(".txt"))
                .and_then(|name| name.parse().ok());
            ids.extend(id);
        }
        ids.sort();
        Ok(ids)
    }

    fn read(&self, id: &Id) -> Result<Stored, Error> {
        let path = self.file(id);
        let (bytes, found) = self.bytes(id).map_err(|error| match error.kind() {
            ErrorKind::NotFound => self.missing(id),
            _ => Error::file(&path, &error),
        })?;
        let revision = revision(&bytes, &found);
        let read = StoredText::read(bytes, id);
        let (game, text) = read.map_err(|error| damaged(&self.name_of(id), id, &error))?;
        let revision = Revision {
            indexed: Some(Arc::new(Entry::of(&game))),
            to_continue: text.map(Arc::new),
            ..revision
        };
        Ok(Stored { game, revision })
    }

    fn read_to_change(&self, id: &Id) -> Result<Stored, Error> {
        self.lock(id)
    }

    fn renewed(&self, known: Stored) -> Result<Stored, Error> {
        match self.is_current(known.game.id(), &known.revision) {
            Ok(true) => Ok(known.released()),
            _ => self.read(known.game.id()),
        }
    }

    fn create(&self, game: &Match) -> Result<(), Error> {
        let path = self.file(game.id());
        let text = written(game)?;
        self.index.expect(game.id(), None, &Entry::of(game));
        let made = make_folder(&self.path).and_then(|()| replace::create(&path, text.as_bytes()));
        made.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists if path.exists() => taken(&self.name_of(game.id()), game.id()),
            _ => Error::file(&path, &error),
        })
    }

    fn change(&self, game: &Arc<Match>, base: &Revision) -> Result<Change, Error> {
        let (id, path) = (game.id(), self.file(game.id()));
        let (written, is_continued) = written_from(game, base)?;
        let text = written.text.as_bytes();
        let lock = match &base.lease {
            Some(lock) => Arc::clone(lock),
            None => Arc::new(self.take_lock_of_file(id)?),
        };
        // Whoever copies a file into the folder takes no lock.
        if !self.is_current(id, base)? {
            return self.read_locked(id, lock).map(Change::Conflict);
        }
        let failed = |error| Error::file(&path, &error);
        let after = Entry::of(game);
        let indexed = base.indexed.as_ref();
        let before = indexed.and_then(|indexed| indexed.downcast_ref::<Entry>());
        self.index.expect(id, before, &after);
        match self.replace(id, text, is_continued && after.open.goes_on)? {
            Replaced::Perhaps(error) => Ok(Change::Unknown(failed(error))),
            Replaced::Durably => {
                self.index.note_open(id, before, &after);
                Ok(Change::Done(match fs::metadata(&path) {
                    Ok(found) => Revision {
                        indexed: Some(Arc::new(after)),
                        lease: None,
                        text: revision(text, &found).text,
                        to_continue: Some(Arc::new(written)),
                    },
                    // The change is done all the same; an empty revision makes the
                    // next change read the file again.
                    Err(_) => Revision::new(""),
                }))
            }
        }
    }

    fn add_text(&self, id: &Id, text: &[u8]) -> Result<bool, Error> {
        let path = self.file(id);
        if text.len() as u64 > STATE_FILE {
            return Err(Error::refused(format!(
                "{}: its text is longer than {} MiB, which is more than is read",
                path.display(),
                STATE_FILE >> 20
            )));
        }
        // A text that cannot be read is found when the names are listed.
        if let Ok(game) = Match::read(text, id) {
            self.index.expect(id, None, &Entry::of(&game));
        }
        files::make_folder(&self.path).map_err(|error| Error::file(&self.path, &error))?;
        match replace::create(&path, text) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(Error::file(&path, &error)),
        }
    }

    fn text(&self, id: &Id) -> Result<Option<Vec<u8>>, Error> {
        match self.bytes(id) {
            Ok((bytes, _)) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::file(&self.file(id), &error)),
        }
    }

    fn restore(&self, game: &Match, from: Option<&[u8]>) -> Result<Option<String>, Error> {
        let text = written(game)?;
        let path = self.file(game.id());
        let failed = |error| Error::file(&path, &error);
        files::must_be_file(&path).map_err(failed)?;
        files::make_folder(&self.path).map_err(|error| Error::file(&self.path, &error))?;
        let _lock = self.take_lock(game.id())?;
        if self.text(game.id())?.as_deref() != from {
            return Err(Error::later(format!(
                "{}: the file has changed meanwhile; look again",
                path.display()
            )));
        }
        let Some(old) = from else {
            self.create(game)?;
            return Ok(None);
        };
        let kept = self.keep(game.id(), old)?;
        self.index.expect(game.id(), None, &Entry::of(game));
        if let Replaced::Perhaps(error) = self.replace(game.id(), text.as_bytes(), false)? {
            return Err(failed(error));
        }
        Ok(Some(kept.display().to_string()))
    }

    fn survey(&self) -> Result<Survey, Error> {
        Ok(self.survey_of(self.ids()?))
    }

    /// Keeps nothing of the texts for a change.
    fn show(
        &self,
        ids: &[Id],
        see: &mut dyn FnMut(&Id, Result<&Match, &Error>),
    ) -> Result<(), Error> {
        for id in ids {
            let read = self.bytes(id).ok();
            if let Some(game) = read.and_then(|(bytes, _)| Match::read(&bytes, id).ok()) {
                see(id, Ok(&game));
                continue;
            }
            // A fault in it is reported as everywhere.
            match self.find(id) {
                Ok(Some(stored)) => see(id, Ok(&stored.game)),
                Ok(None) => {}
                Err(error) => see(id, Err(&error)),
            }
        }
        Ok(())
    }

    /// A file that was changed just now may be changed once more at the same time, as the system
    /// tells it.
    fn stamp(&self, id: &Id) -> Option<String> {
        let found = fs::metadata(self.file(id)).ok()?;
        let age = SystemTime::now().duration_since(changed(&found)?).ok()?;
        (is_fine(&found) && age > SETTLED).then(|| stamp(&found))
    }

    fn memo(&self) -> Option<Vec<u8>> {
        Some(self.index.memo())
    }

    fn set_memo(&self, memo: &[u8]) {
        self.index.set_memo(memo);
    }

    /// Finds no match in a text without any sign of one.
    fn find(&self, id: &Id) -> Result<Option<Stored>, Error> {
        let has_none = || matches!(files::look(&self.file(id)), Ok(None)) || self.is_other_text(id);
        match self.read(id) {
            Err(_) if has_none() => Ok(None),
            read => read.map(Some),
        }
    }

    fn by_address(&self, address: &Address) -> Result<Survey, Error> {
        self.of_mailbox(address, |_| true, |game| game.has_player(address))
    }

    fn by_referee(&self, address: &Address) -> Result<Vec<Stored>, Error> {
        let is_theirs = |game: &Match| game.is_referee(address);
        Ok(self.of_mailbox(address, |_| true, is_theirs)?.matches)
    }

    /// Looks when each file was last changed. Where the clock is set for this program
    /// alone, that tells nothing.
    fn recent(&self, address: &Address) -> Result<Vec<Stored>, Error> {
        let is_clock_set = std::env::var_os(clock::VARIABLE).is_some();
        let begin = SystemTime::now().checked_sub(RECENT);
        let is_recent = |id: &Id| {
            let found = fs::metadata(self.file(id));
            is_clock_set || found.is_ok_and(|found| changed(&found) >= begin)
        };
        let survey = self.of_mailbox(address, is_recent, |game| game.has_player(address));
        Ok(survey?.matches)
    }

    fn going_on(&self) -> Result<Vec<Id>, Error> {
        self.told_by(|index| index.left(Open::is_any))
    }

    /// Reads no match: the index alone tells.
    fn going_on_of(&self, address: &Address) -> Result<Vec<Id>, Error> {
        let key = key_of(address);
        self.told_by(|index| {
            let mut ids = index.ids(&key)?;
            if !ids.is_empty() {
                let left = index.left(|open| open.goes_on)?;
                ids.retain(|id| left.contains(id));
            }
            Ok(ids)
        })
    }

    fn owing(&self) -> Result<Vec<Id>, Error> {
        self.told_by(|index| index.left(|open| open.owes))
    }

    /// Opens those alone that could not be read when the folder was last listed.
    fn hidden(&self) -> Result<Vec<Id>, Error> {
        let hidden = self.told_by(|index| index.ids(HIDDEN))?;
        let is_hidden = |id: &Id| self.find(id).is_err();
        Ok(hidden.into_iter().filter(is_hidden).collect())
    }

    /// The files that are no matches, and the rights that others have.
    fn remarks(&self, of_all: bool) -> Result<Vec<String>, Error> {
        let (ids, known) = if of_all {
            (self.ids()?, None)
        } else {
            let others = |index: &Index| index.ids(OTHER);
            (self.going_on()?, self.ask(others, |_| true)?)
        };
        let others = known.map_or(ids.clone(), |known| known.into_iter().collect());
        let mut remarks = Vec::new();
        let mut texts = Vec::new();
        for id in others.iter().filter(|id| self.is_other_text(id)) {
            let bytes = self.bytes(id).map(|(bytes, _)| bytes).unwrap_or_default();
            match self.misnamed(&format!("{id}.txt"), &bytes) {
                Some(remark) => remarks.push(remark),
                None => texts.push(self.name_of(id)),
            }
        }
        for name in self.odd_names() {
            if let Ok((bytes, _)) = files::read_stable(&self.path.join(&name), STATE_FILE) {
                remarks.extend(self.misnamed(&name, &bytes));
            }
        }
        if remarks.len() > MOST_REMARKS {
            let more = remarks.split_off(MOST_REMARKS).len();
            remarks.push(format!(
                "warning: {more} more files like that are passed over"
            ));
        }
        match texts.as_slice() {
            [] => {}
            [text] => remarks.push(format!(
                "warning: {text}: this is no match, and is passed over"
            )),
            [text, more @ ..] => remarks.push(format!(
                "warning: {text} and {} more files: these are no matches, and are passed over",
                more.len()
            )),
        }
        let names = ids.iter().flat_map(|id| {
            let lock = [format!(".{id}.lock"), format!(".{id}.send.lock")];
            [format!("{id}.txt")].into_iter().chain(lock)
        });
        let is_open = |name: &String| {
            let found = fs::symlink_metadata(self.path.join(name));
            found.is_ok_and(|found| found.is_file() && files::opens_to_others(&found))
        };
        let open: Vec<String> = if files::is_open_to_others(&self.path) {
            names.filter(is_open).collect()
        } else {
            Vec::new()
        };
        if let Some(first) = open.first() {
            let more = match open.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            remarks.push(format!(
                "warning: {}: others can read or change {first}{more} in this folder, and whoever reads a match can write as its players; 'chmod o-rwx' takes that from them",
                self.path.display()
            ));
        }
        Ok(remarks)
    }

    fn lock_counts(&self) -> Result<Option<Box<dyn Any>>, Error> {
        let lock = lock::take(&self.path.join(COUNTS), self.wait)?;
        Ok(Some(Box::new(lock)))
    }

    fn lock_partner(&self) -> Result<Option<Box<dyn Any>>, Error> {
        let lock = lock::take(&self.path.join(PARTNER), self.wait)?;
        Ok(Some(Box::new(lock)))
    }

    fn sending(&self, id: &Id) -> Result<Box<dyn Sending>, Error> {
        let lock = SendLock::take(&self.path, id, self.wait)?;
        Ok(Box::new(lock))
    }
}

/// What a version control leaves out: it belongs to one machine.
const IGNORED: &str = ".index/\n.*.lock\n.*.txt.*\n";

/// Makes a folder for matches with its `.gitignore`. One that is there stays as it is.
///
/// # Errors
///
/// If the folder cannot be made.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let is_new = matches!(path.try_exists(), Ok(false));
    files::make_folder(path)?;
    if is_new {
        replace::create(&path.join(".gitignore"), IGNORED.as_bytes())?;
    }
    Ok(())
}

/// Returns when a file, its name or its rights were last changed.
fn changed(found: &Metadata) -> Option<SystemTime> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let seconds = u64::try_from(found.ctime()).ok()?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
    }
    #[cfg(not(unix))]
    {
        found.modified().ok()
    }
}

/// Returns the revision of a file with these bytes. It includes a hash of the
/// bytes if the system's time stamps are no finer than a second.
fn revision(bytes: &[u8], found: &Metadata) -> Revision {
    Revision::new(if is_fine(found) {
        stamp(found)
    } else {
        hashed(bytes, found)
    })
}

/// Precedes the hash of the bytes in a revision.
const HASH: char = '#';

fn hashed(bytes: &[u8], found: &Metadata) -> String {
    let hash = hex(&Sha256::digest(bytes));
    format!("{}{HASH}{hash}", stamp(found))
}

/// Describes a file by metadata that another file in its place would not share.
#[cfg(unix)]
fn stamp(found: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt as _;
    format!(
        "{}.{}.{}.{}.{}.{}.{}",
        found.dev(),
        found.ino(),
        found.len(),
        found.mtime(),
        found.mtime_nsec(),
        found.ctime(),
        found.ctime_nsec()
    )
}

#[cfg(not(unix))]
fn stamp(_: &Metadata) -> String {
    String::new()
}

/// Returns true if the time stamps of a file are finer than a second.
#[cfg(unix)]
fn is_fine(found: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    found.mtime_nsec() != 0 || found.ctime_nsec() != 0
}

#[cfg(not(unix))]
fn is_fine(_: &Metadata) -> bool {
    false
}
