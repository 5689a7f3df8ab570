//! The place up to which a folder has been read, in a small text file.
//!
//! The file is safe to lose: messages that are read again are duplicates.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::NaiveDate;
use sha2::{Digest as _, Sha256};

use crate::config::imap::ImapSettings;
use crate::files::replace;
use crate::store::lock;
use crate::{Error, files};

/// The first line of the file.
const FORMAT: &str = "Format: parapost-imap 1";

/// The most bytes of the file that are read.
const LONGEST: u64 = 1 << 20;

/// The place up to which a folder has been read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Place {
    /// By which the server says whether the numbers below still hold.
    pub uid_validity: u32,
    /// Every message up to this UID has been dealt with, but for those below.
    pub handled: u32,
    /// The UIDs of the messages to be tried again.
    pub again: BTreeSet<u32>,
    /// The messages whose reading has ended the connection, each with how often; the last
    /// one last.
    pub broken: Vec<(u32, u32)>,
    /// The first message that was passed over while a match could not be read, and that may
    /// be about it.
    pub passed: Option<u32>,
    /// The day on which everything that had arrived was dealt with.
    pub since: NaiveDate,
}

/// How often the reading of a message may end the connection before others come first.
const BREAKS: u32 = 3;

/// The most messages of which that is known.
const BROKEN: usize = 20;

impl Place {
    /// Notes that the reading of a message has ended the connection.
    pub fn note_break(&mut self, uid: u32) {
        let times = self.broken.iter().find(|(broken, _)| *broken == uid);
        let times = times.map_or(0, |(_, times)| *times);
        self.forget_breaks(uid);
        if self.broken.len() >= BROKEN {
            self.broken.remove(0);
        }
        self.broken.push((uid, times.saturating_add(1)));
    }

    /// Notes that a message has been read, or is gone.
    pub fn forget_breaks(&mut self, uid: u32) {
        self.broken.retain(|(broken, _)| *broken != uid);
    }

    /// Puts the messages whose reading always ends the connection behind the others, which
    /// they would hold up for ever.
    #[must_use]
    pub fn in_order(&self, mut uids: Vec<u32>) -> Vec<u32> {
        for (uid, times) in &self.broken {
            if *times >= BREAKS && uids.contains(uid) {
                uids.retain(|other| other != uid);
                uids.push(*uid);
            }
        }
        uids
    }

    fn parse(text: &str) -> Option<Place> {
        let mut lines = text.strip_suffix('\n')?.lines();
        if lines.next()? != FORMAT {
            return None;
        }
        let mut place = Place::default();
        let mut is_complete = false;
        for line in lines {
            let (name, value) = line.split_once(':')?;
            let value = value.trim();
            match name {
                "UIDVALIDITY" => place.uid_validity = value.parse().ok()?,
                "Handled" => place.handled = value.parse().ok()?,
                "Again" => {
                    let uids = value.split(' ').filter(|uid| !uid.is_empty());
                    place.again = uids.map(str::parse).collect::<Result<_, _>>().ok()?;
                }
                "Broken" => {
                    let messages = value.split(' ').filter_map(|word| word.split_once('='));
                    let messages =
                        messages.map(|(uid, times)| Some((uid.parse().ok()?, times.parse().ok()?)));
                    place.broken = messages.collect::<Option<_>>()?;
                }
                "Passed" => place.passed = Some(value.parse().ok()?),
                "Since" => {
                    place.since = value.parse().ok()?;
                    is_complete = true;
                }
                // Which folder this is, for people, and what later versions write.
                _ => {}
            }
        }
        Some(place).filter(|_| is_complete)
    }
}

/// The file of a folder's place. While the value exists, no other process has it.
pub struct PlaceFile {
    path: PathBuf,
    /// The lines that say for people which folder this is.
    title: String,
    _lock: Option<File>,
}

impl PlaceFile {
    /// Opens the file of a mailbox's folder in the folder of matches, which gets a folder
    /// of its own for them. Without `is_dry_run` its lock is taken.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made, or another process has the lock longer than `wait`.
    pub fn open(
        games: &Path,
        settings: &ImapSettings,
        wait: Duration,
        is_dry_run: bool,
    ) -> Result<PlaceFile, Error> {
        let ImapSettings {
            host,
            port,
            login,
            folder,
            ..
        } = settings;
        let title = format!(
            "Server: {host}:{port}\nUser: {}\nFolder: {folder}\n",
            login.user
        );
        let hash = Sha256::digest(title.as_bytes());
        let mut name = String::new();
        for byte in &hash[..8] {
            let _ = write!(name, "{byte:02x}");
        }
        let parent = games.join("imap");
        let lock = if is_dry_run {
            None
        } else {
            files::make_folder(&parent).map_err(|error| Error::file(&parent, &error))?;
            let lock = lock::take(&parent.join(format!(".{name}.lock")), wait);
            Some(lock.map_err(|error| {
                error.and(format_args!("another 'parapost fetch' reads '{folder}'"))
            })?)
        };
        Ok(PlaceFile {
            path: parent.join(format!("{name}.txt")),
            title,
            _lock: lock,
        })
    }

    /// Reads the place. Returns none if there is none yet.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is damaged.
    pub fn read(&self) -> Result<Option<Place>, Error> {
        let bytes = match files::read(&self.path, LONGEST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(|error| Error::file(&self.path, &error))?,
        };
        let place = str::from_utf8(&bytes).ok().and_then(Place::parse);
        place.map(Some).ok_or_else(|| {
            Error::refused(format!(
                "{}: this file is damaged; remove it, and 'parapost fetch --since YYYY-MM-DD' with the day of the last run reads on: what was received already is not received twice",
                self.path.display()
            ))
        })
    }

    /// Replaces the place.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. The old one stays.
    pub fn write(&self, place: &Place) -> Result<(), Error> {
        let again: Vec<String> = place.again.iter().map(u32::to_string).collect();
        let passed = place.passed.map(|uid| format!("Passed: {uid}\n"));
        let broken = place.broken.iter();
        let broken: Vec<String> = broken
            .map(|(uid, times)| format!("{uid}={times}"))
            .collect();
        let broken = match broken.as_slice() {
            [] => String::new(),
            broken => format!("Broken: {}\n", broken.join(" ")),
        };
        let text = format!(
            "{FORMAT}\n{}UIDVALIDITY: {}\nHandled: {}\nAgain: {}\n{broken}{}Since: {}\n",
            self.title,
            place.uid_validity,
            place.handled,
            again.join(" "),
            passed.unwrap_or_default(),
            place.since
        );
        replace::replace_locked(&self.path, text.as_bytes())
            .map_err(|error| Error::file(&self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written_and_a_damaged_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = PlaceFile {
            path: folder.path().join("place.txt"),
            title: "Folder: Handled: 9\n".to_owned(),
            _lock: None,
        };
        assert_eq!(file.read().unwrap(), None);
        for (passed, again, broken) in [
            (None, BTreeSet::new(), vec![]),
            (Some(5), BTreeSet::from([3, 1]), vec![(3, 1), (1, 7)]),
        ] {
            let place = Place {
                uid_validity: 7,
                handled: u32::MAX,
                again,
                broken,
                passed,
                since: "2026-11-20".parse().unwrap(),
            };
            file.write(&place).unwrap();
            assert_eq!(file.read().unwrap(), Some(place));
        }
        let text = std::fs::read_to_string(&file.path).unwrap();
        for (at, _) in text.char_indices() {
            std::fs::write(&file.path, &text[..at]).unwrap();
            assert!(file.read().is_err(), "{at}");
        }
    }
}
