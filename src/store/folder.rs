//! The folder of the matches, one state file each.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::files::replace;
use crate::limits::STATE_FILE;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::store::lock;
use crate::{Error, files};

/// The folder of the matches.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    wait: Duration,
}

impl Folder {
    /// The folder at that path, which need not be there before a match is
    /// made. A lock of somebody else's is waited for as long as `wait`.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, wait: Duration) -> Folder {
        Folder {
            path: path.into(),
            wait,
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How long a lock of somebody else's is waited for.
    pub(super) fn wait(&self) -> Duration {
        self.wait
    }

    /// The state file of a match.
    #[must_use]
    pub fn file(&self, id: &Id) -> PathBuf {
        self.path.join(format!("{id}.txt"))
    }

    /// The ids of all matches, sorted. A file whose name is no id is none of
    /// them.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read. That there is none is no error.
    pub fn ids(&self) -> Result<Vec<Id>, Error> {
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

    /// Reads a match, as it stands now.
    ///
    /// # Errors
    ///
    /// If there is none of that id, or its file is damaged: with file and
    /// line.
    pub fn read(&self, id: &Id) -> Result<Match, Error> {
        let path = self.file(id);
        let bytes = files::read(&path, STATE_FILE).map_err(|error| match error.kind() {
            ErrorKind::NotFound => self.missing(id),
            _ => Error::file(&path, &error),
        })?;
        Match::read(&bytes, id).map_err(|error| {
            let damaged = Error::refused(format!("{}:{error}", path.display()));
            if error.is_newer() {
                return damaged;
            }
            damaged.and(format!("'parapost repair {id}' shows what can be rebuilt"))
        })
    }

    /// The bytes of a match's state file, whatever they are; none where there
    /// is no such file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn bytes(&self, id: &Id) -> Result<Option<Vec<u8>>, Error> {
        let path = self.file(id);
        match files::read(&path, STATE_FILE) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            bytes => bytes.map(Some).map_err(|error| Error::file(&path, &error)),
        }
    }

    /// Puts a match that was rebuilt in the place of its state file, or where
    /// none is, if that still is what it was rebuilt from. What was there stays
    /// beside it, under the name that is given back.
    ///
    /// # Errors
    ///
    /// If the file has changed meanwhile, or that does not work: the old file
    /// stands.
    pub fn restore(&self, game: &Match, from: Option<&[u8]>) -> Result<Option<PathBuf>, Error> {
        let text = written(game)?;
        let path = self.file(game.id());
        files::must_be_file(&path).map_err(|error| Error::file(&path, &error))?;
        files::make_folder(&self.path).map_err(|error| Error::file(&self.path, &error))?;
        let _lock = self.take_lock(game.id())?;
        if self.bytes(game.id())?.as_deref() != from {
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
        replace::replace_locked(&path, text.as_bytes())
            .map_err(|error| Error::file(&path, &error))?;
        Ok(Some(kept))
    }

    /// Puts what a state file was into a file beside it, whose name was not
    /// taken.
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

    fn take_lock(&self, id: &Id) -> Result<File, Error> {
        lock::take(&self.path.join(format!(".{id}.lock")), self.wait)
    }

    fn missing(&self, id: &Id) -> Error {
        Error::refused(format!(
            "there is no match {id} in {}; 'parapost list' tells which there are, --games names another folder",
            self.path.display()
        ))
    }

    /// Makes the state file of a new match, and the folder if need be.
    ///
    /// # Errors
    ///
    /// If there is one of that id already, which stands.
    pub fn create(&self, game: &Match) -> Result<(), Error> {
        let path = self.file(game.id());
        let text = written(game)?;
        let made =
            files::make_folder(&self.path).and_then(|()| replace::create(&path, text.as_bytes()));
        made.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists if path.exists() => Error::refused(format!(
                "{}: there is a match {} already",
                path.display(),
                game.id()
            )),
            _ => Error::file(&path, &error),
        })
    }

    /// Takes the lock of a match and reads it. Nobody else changes it before
    /// what is returned is dropped.
    ///
    /// # Errors
    ///
    /// As [`Folder::read`], and a transient one if somebody else holds the
    /// lock too long.
    pub fn lock(&self, id: &Id) -> Result<Locked, Error> {
        let path = self.file(id);
        // Else asking for a match that is not there would leave a lock file.
        let found = files::look(&path).map_err(|error| Error::file(&path, &error))?;
        if found.is_none() {
            return Err(self.missing(id));
        }
        // A link would be replaced by a file, and what it leads to go stale.
        files::must_be_file(&path).map_err(|error| Error::file(&path, &error))?;
        let lock = self.take_lock(id)?;
        Ok(Locked {
            game: self.read(id)?,
            path,
            _lock: lock,
        })
    }
}

/// The text of a state file, which can be read: a mistake of the program's
/// shall not cost anybody a match.
fn written(game: &Match) -> Result<String, Error> {
    let text = game.to_string();
    if text.len() as u64 > STATE_FILE {
        return Err(Error::refused(format!(
            "{}: its file would be longer than {} MiB, which is more than is read; it stays as it was",
            game.id(),
            STATE_FILE >> 20
        )));
    }
    match text.parse::<Match>() {
        Ok(_) => Ok(text),
        Err(error) => Err(Error::refused(format!(
            "{}: this could not be read back and is not written; please report it: line {error}",
            game.id()
        ))),
    }
}

/// A match that nobody else can change.
#[derive(Debug)]
pub struct Locked {
    game: Match,
    path: PathBuf,
    _lock: File,
}

impl Locked {
    /// Puts the match as it stands now in the place of its state file,
    /// durably.
    ///
    /// # Errors
    ///
    /// If that does not work; the old file stands.
    pub fn save(&self) -> Result<(), Error> {
        let text = written(&self.game)?;
        replace::replace_locked(&self.path, text.as_bytes())
            .map_err(|error: io::Error| Error::file(&self.path, &error))
    }
}

impl Deref for Locked {
    type Target = Match;

    fn deref(&self) -> &Match {
        &self.game
    }
}

impl DerefMut for Locked {
    fn deref_mut(&mut self) -> &mut Match {
        &mut self.game
    }
}
