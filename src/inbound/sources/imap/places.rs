//! The files with the places of folders, in the folder of matches.
//!
//! A file has the name of the server that its folder was first read from. Since a server
//! has several names, and may move to another port, a folder is looked for in the files of
//! all servers.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, NaiveDate, Utc};
use sha2::{Digest as _, Sha256};

use crate::config::imap::ImapSettings;
use crate::files::replace;
use crate::inbound::sources::imap::place::{Place, PlaceText, Title};
use crate::limits::IMAP_PLACES;
use crate::store::lock;
use crate::{Error, files};

/// The most bytes of a file that are read.
const LONGEST: u64 = 1 << 20;

/// The most files that are looked at.
const FILES: usize = 1000;

/// The places of the folders of one name and login. While the value exists, no other
/// process reads the folder by the same name of its server.
pub struct Places {
    parent: PathBuf,
    /// The file of the folder on the server of today's name.
    own: PathBuf,
    title: Title,
    wait: Duration,
    is_dry_run: bool,
    _lock: Option<File>,
}

/// A place that is here.
pub struct StoredPlace {
    path: PathBuf,
    /// The place.
    pub place: Place,
    /// True if it is that of the server of today's name.
    pub is_own: bool,
    is_earlier: bool,
}

impl StoredPlace {
    /// Returns the path of its file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The file of a folder's place. While the value exists, no other process has it.
pub struct PlaceFile {
    path: PathBuf,
    /// A file that this one takes the place of.
    earlier: Option<PathBuf>,
    title: Title,
}

/// When a folder was last read to its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Complete {
    /// On a day, as an earlier version has noted it.
    Day(NaiveDate),
    Time(DateTime<Utc>),
}

impl Places {
    /// Opens the places of a mailbox's folder in the folder of matches, which gets a folder
    /// of its own for them. Without `is_dry_run` the lock is taken.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made, or another process has the lock longer than `wait`.
    pub fn open(
        games: &Path,
        settings: &ImapSettings,
        wait: Duration,
        is_dry_run: bool,
    ) -> Result<Places, Error> {
        let places = Places::of(games, settings, wait, is_dry_run);
        if is_dry_run {
            return Ok(places);
        }
        let parent = &places.parent;
        files::make_folder(parent).map_err(|error| Error::file(parent, &error))?;
        let lock = places.lock(&places.own)?;
        Ok(Places {
            _lock: Some(lock),
            ..places
        })
    }

    fn of(games: &Path, settings: &ImapSettings, wait: Duration, is_dry_run: bool) -> Places {
        let ImapSettings {
            host,
            port,
            login,
            folder,
            ..
        } = settings;
        let title = Title::new(&format!("{host}:{port}"), &login.user, folder);
        let hash = Sha256::digest(title.to_string().as_bytes());
        let mut name = String::new();
        for byte in &hash[..8] {
            let _ = write!(name, "{byte:02x}");
        }
        let parent = games.join("imap");
        Places {
            own: parent.join(format!("{name}.txt")),
            parent,
            title,
            wait,
            is_dry_run,
            _lock: None,
        }
    }

    /// Takes the lock of a file.
    fn lock(&self, path: &Path) -> Result<File, Error> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let lock = lock::take(&self.parent.join(format!(".{name}.lock")), self.wait);
        lock.map_err(|error| {
            let folder = &self.title.folder;
            error.and(format_args!("another 'parapost fetch' reads '{folder}'"))
        })
    }

    /// Takes the lock of a place of another server's name. Returns none if that is needed
    /// no more.
    ///
    /// # Errors
    ///
    /// If another process has it too long.
    pub(super) fn lock_other(&self, stored: &StoredPlace) -> Result<Option<File>, Error> {
        if self.is_dry_run || stored.path == self.own {
            return Ok(None);
        }
        self.lock(&stored.path).map(Some)
    }

    /// Returns the places of folders of this name and login, that of today's server first.
    /// Those of earlier versions are only of the server that they name.
    ///
    /// # Errors
    ///
    /// If one cannot be read, or that of today's server is damaged.
    pub(super) fn stored(&self) -> Result<Vec<StoredPlace>, Error> {
        let entries = match fs::read_dir(&self.parent) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| Error::file(&self.parent, &error))?,
        };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let is_place = |path: &PathBuf| path.extension().is_some_and(|end| end == "txt");
        let mut paths: Vec<PathBuf> = paths.filter(is_place).take(FILES).collect();
        paths.sort_by_key(|path| (*path != self.own, path.clone()));
        let mut found = Vec::new();
        for path in paths {
            let bytes = match files::read(&path, LONGEST) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                bytes => bytes.map_err(|error| Error::file(&path, &error))?,
            };
            let is_own = path == self.own;
            let Some(text) = str::from_utf8(&bytes).ok().and_then(PlaceText::parse) else {
                if is_own {
                    return Err(damaged(&path));
                }
                continue;
            };
            let Title {
                server,
                user,
                folder,
            } = &text.title;
            let is_it = *user == self.title.user && *folder == self.title.folder;
            let is_here = *server == self.title.server;
            if is_it && (is_own || is_here || !text.is_earlier) && found.len() < IMAP_PLACES {
                found.push(StoredPlace {
                    path,
                    place: text.place,
                    is_own: is_own || is_here,
                    is_earlier: text.is_earlier,
                });
            }
        }
        Ok(found)
    }

    /// Returns the file that a place is written to from now on: its own, or a new one.
    pub(super) fn file(&self, stored: Option<&StoredPlace>) -> PlaceFile {
        let path = stored.map_or(&self.own, |stored| &stored.path);
        // The name of an earlier version's file may have been made otherwise.
        let is_renamed = stored.is_some_and(|stored| stored.is_earlier) && *path != self.own;
        PlaceFile {
            earlier: is_renamed.then(|| path.clone()),
            path: if is_renamed { &self.own } else { path }.clone(),
            title: self.title.clone(),
        }
    }

    /// Returns when a folder was last read to its end, or none if that never was.
    ///
    /// # Errors
    ///
    /// If a place cannot be read, or that of today's server is damaged.
    pub fn last_complete(games: &Path, settings: &ImapSettings) -> Result<Option<Complete>, Error> {
        let places = Places::of(games, settings, Duration::ZERO, true);
        let stored = places.stored()?;
        let complete = |stored: &StoredPlace| {
            let time = stored.place.complete.map(Complete::Time);
            let day = || Complete::Day(stored.place.since);
            time.or_else(|| stored.is_earlier.then(day))
        };
        let own = stored.iter().filter(|stored| stored.is_own);
        let own = own.filter_map(complete).max();
        Ok(own.or_else(|| stored.iter().filter_map(complete).max()))
    }
}

fn damaged(path: &Path) -> Error {
    Error::refused(format!(
        "{}: this file is damaged; remove it, and 'parapost fetch' begins anew: what was received already is not received twice",
        path.display()
    ))
}

impl PlaceFile {
    /// Replaces the place.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. The old one stays.
    pub fn write(&mut self, place: &Place) -> Result<(), Error> {
        let text = place.text(&self.title);
        replace::replace_locked(&self.path, text.as_bytes())
            .map_err(|error| Error::file(&self.path, &error))?;
        if let Some(earlier) = self.earlier.take() {
            // If it stays, it is behind the new one.
            let _ = fs::remove_file(earlier);
        }
        Ok(())
    }
}
