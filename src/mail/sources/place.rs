//! The place up to which a folder has been read, as a text.
//!
//! A file of places, in a folder for them, has the name of the server that its folder was first read from. Since a server
//! has several names, and may move to another port, a folder is looked for in the files of
//! all servers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Datelike as _, NaiveDate, SecondsFormat, Utc};
use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::files::{self, HeldLock, replace};
use crate::imap::folder::Head;
use crate::limits::IMAP_PLACES;
use crate::message_id::hex;
use crate::settings::ImapSettings;

/// The first line of the text.
const FORMAT: &str = "Format: parapost-imap 2";

/// The first line in versions that knew a folder again by its server alone.
const EARLIER: &str = "Format: parapost-imap 1";

/// The place up to which a folder has been read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Place {
    /// By which the server says whether the numbers below still hold.
    pub uid_validity: u32,
    /// The id of the mailbox, if the server gives one.
    pub mailbox_id: Option<String>,
    /// Every message up to this UID has been dealt with, but for those below.
    pub handled: u32,
    /// The UIDs of the messages to be tried again.
    pub again: BTreeSet<u32>,
    /// Those of them that the server has but does not give, each with the time at which that was
    /// first so.
    pub unread: BTreeMap<u32, DateTime<Utc>>,
    /// The messages whose reading has ended the connection, each with how often; the last
    /// one last.
    pub broken: Vec<(u32, u32)>,
    /// The first message that was passed over while something could not be read, and that may
    /// be about it.
    pub passed: Option<u32>,
    /// The messages that were there when the folder was read without a place.
    pub old: Option<OldMail>,
    /// The last messages that were dealt with, by their UIDs, to know the folder again.
    pub traces: BTreeMap<u32, Trace>,
    /// When everything that had arrived was last dealt with.
    pub complete: Option<DateTime<Utc>>,
    /// The day from which everything is dealt with.
    pub since: NaiveDate,
}

/// The messages that were there when a folder was read without a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OldMail {
    /// The last of them.
    pub until: u32,
    /// The day from which they are read.
    pub since: NaiveDate,
    /// The number of letters of expected senders that name no thread, and were not reported yet.
    pub unnamed: u32,
    /// The number of answers that they have got.
    pub answers: u32,
}

/// The marks by which a message is known again: its sender has chosen one, but not the other, nor
/// the UID.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// When it arrived, in seconds since 1970, if the server says it.
    arrived: Option<i64>,
    /// A hash of its Message-ID.
    id: String,
}

impl Trace {
    /// Returns what the message with this head is known again by.
    #[must_use]
    pub fn of(head: &Head) -> Trace {
        Trace {
            arrived: head.arrived,
            id: hash(&message_id(&head.fields)),
        }
    }

    /// Returns true if this may be the same message.
    #[must_use]
    pub fn is(&self, other: &Trace) -> bool {
        let arrived = self.arrived.zip(other.arrived);
        self.id == other.id && arrived.is_none_or(|(one, other)| one == other)
    }

    fn parse(text: &str) -> Option<(u32, Trace)> {
        let words: Vec<&str> = text.split(' ').collect();
        let [uid, arrived, id] = words[..] else {
            return None;
        };
        let arrived = match arrived {
            "-" => None,
            arrived => Some(arrived.parse().ok()?),
        };
        let is_hash = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let id = id.to_owned();
        is_hash.then_some((uid.parse().ok()?, Trace { arrived, id }))
    }
}

/// Returns the beginning of a hash of some bytes, as a word.
fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes)[..8])
}

/// Returns the `Message-ID` fields of a header without blanks, which servers may fold as
/// they like.
fn message_id(fields: &[u8]) -> Vec<u8> {
    const NAME: &[u8] = b"message-id:";
    let mut found = Vec::new();
    let mut is_id = false;
    for line in fields.split(|byte| *byte == b'\n') {
        let mut value = line;
        if !matches!(line.first(), Some(b' ' | b'\t')) {
            let start = line.get(..NAME.len());
            is_id = start.is_some_and(|start| start.eq_ignore_ascii_case(NAME));
            if is_id {
                found.extend(NAME);
                value = &line[NAME.len()..];
            }
        }
        if is_id {
            found.extend(value.iter().filter(|byte| !byte.is_ascii_whitespace()));
        }
    }
    found
}

/// The number of the last messages that are kept to know the folder again.
pub const TRACES: usize = 8;

/// The times that the reading of a message may end the connection before others come first.
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

    /// Keeps what a message that is dealt with is known again by, of the last ones alone.
    pub fn leave_trace(&mut self, uid: u32, trace: Trace) {
        self.traces.insert(uid, trace);
        while self.traces.len() > TRACES {
            self.traces.pop_first();
        }
    }

    /// Returns whether the messages there show that this is a place in their folder: false
    /// if one of them is another than it was, and none if none of them is there any more.
    #[must_use]
    pub fn is_of(&self, there: &BTreeMap<u32, Trace>) -> Option<bool> {
        let pairs = self.traces.iter();
        let pairs = pairs.filter_map(|(uid, trace)| Some((trace, there.get(uid)?)));
        let same: Vec<bool> = pairs.map(|(one, other)| one.is(other)).collect();
        (!same.is_empty()).then(|| same.iter().all(|is_same| *is_same))
    }
}

/// A text with a place, and the folder that it is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceText {
    /// The folder.
    pub title: Title,
    /// The place in it.
    pub place: Place,
    /// True if it is of a version that knew a folder again by its server alone.
    pub is_earlier: bool,
}

/// The folder that a place is of.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Title {
    /// The host and the port.
    pub server: String,
    /// The login's name.
    pub user: String,
    /// The folder's name on the server.
    pub folder: String,
}

impl Title {
    /// Creates the title of a folder, which has any case if it is the INBOX.
    #[must_use]
    pub fn new(server: &str, user: &str, folder: &str) -> Title {
        // Each is a line.
        let line = |text: &str| text.replace(char::is_control, " ").trim().to_owned();
        let is_inbox = folder.eq_ignore_ascii_case("INBOX");
        Title {
            server: line(server),
            user: line(user),
            folder: line(if is_inbox { "INBOX" } else { folder }),
        }
    }
}

impl std::fmt::Display for Title {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (server, user, folder) = (&self.server, &self.user, &self.folder);
        write!(f, "Server: {server}\nUser: {user}\nFolder: {folder}\n")
    }
}

impl PlaceText {
    /// Reads a text. Returns none if it is damaged.
    #[must_use]
    pub fn parse(text: &str) -> Option<PlaceText> {
        let mut lines = text.strip_suffix('\n')?.lines();
        let is_earlier = match lines.next()? {
            FORMAT => false,
            EARLIER => true,
            _ => return None,
        };
        let (mut title, mut place) = (Title::default(), Place::default());
        let mut is_complete = false;
        for line in lines {
            let (name, value) = line.split_once(':')?;
            let value = value.trim();
            match name {
                "Server" => value.clone_into(&mut title.server),
                "User" => value.clone_into(&mut title.user),
                "Folder" => value.clone_into(&mut title.folder),
                "Since" => {
                    place.since = value.parse().ok()?;
                    is_complete = true;
                }
                name => place.read(name, value)?,
            }
        }
        is_complete.then(|| PlaceText {
            title: Title::new(&title.server, &title.user, &title.folder),
            place,
            is_earlier,
        })
    }
}

impl Place {
    /// Reads a line of a text.
    fn read(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "UIDVALIDITY" => self.uid_validity = value.parse().ok()?,
            "Mailbox" => self.mailbox_id = Some(value.to_owned()),
            "Handled" => self.handled = value.parse().ok()?,
            "Again" => {
                let uids = value.split(' ').filter(|uid| !uid.is_empty());
                self.again = uids.map(str::parse).collect::<Result<_, _>>().ok()?;
            }
            "Unread" => {
                let messages = value.split(' ').filter_map(|word| word.split_once('='));
                let messages =
                    messages.map(|(uid, time)| Some((uid.parse().ok()?, read_time(time)?)));
                self.unread = messages.collect::<Option<_>>()?;
            }
            "Broken" => {
                let messages = value.split(' ').filter_map(|word| word.split_once('='));
                let messages =
                    messages.map(|(uid, times)| Some((uid.parse().ok()?, times.parse().ok()?)));
                self.broken = messages.collect::<Option<_>>()?;
            }
            "Passed" => self.passed = Some(value.parse().ok()?),
            "Old" => self.old = Some(OldMail::parse(value)?),
            "Trace" => {
                let (uid, trace) = Trace::parse(value)?;
                self.leave_trace(uid, trace);
            }
            "Complete" => self.complete = Some(read_time(value)?),
            // A field of later versions.
            _ => {}
        }
        Some(())
    }

    /// Writes the text of a place in this folder.
    #[must_use]
    pub fn text(&self, title: &Title) -> String {
        let again: Vec<String> = self.again.iter().map(u32::to_string).collect();
        let mut text = format!("{FORMAT}\n{title}UIDVALIDITY: {}\n", self.uid_validity);
        if let Some(id) = &self.mailbox_id {
            let _ = writeln!(text, "Mailbox: {id}");
        }
        let _ = writeln!(text, "Handled: {}", self.handled);
        let _ = writeln!(text, "Again: {}", again.join(" "));
        if !self.unread.is_empty() {
            let unread = self.unread.iter();
            let unread = unread.map(|(uid, time)| format!("{uid}={}", write_time(*time)));
            let unread: Vec<String> = unread.collect();
            let _ = writeln!(text, "Unread: {}", unread.join(" "));
        }
        if !self.broken.is_empty() {
            let broken = self.broken.iter();
            let broken = broken.map(|(uid, times)| format!("{uid}={times}"));
            let broken: Vec<String> = broken.collect();
            let _ = writeln!(text, "Broken: {}", broken.join(" "));
        }
        if let Some(uid) = self.passed {
            let _ = writeln!(text, "Passed: {uid}");
        }
        if let Some(old) = &self.old {
            let (until, since) = (old.until, old.since);
            let _ = writeln!(text, "Old: {until} {since} {} {}", old.unnamed, old.answers);
        }
        for (uid, Trace { arrived, id }) in &self.traces {
            let arrived = arrived.map_or("-".to_owned(), |arrived| arrived.to_string());
            let _ = writeln!(text, "Trace: {uid} {arrived} {id}");
        }
        if let Some(time) = self.complete {
            let _ = writeln!(text, "Complete: {}", write_time(time));
        }
        let _ = writeln!(text, "Since: {}", self.since);
        text
    }
}

impl OldMail {
    fn parse(text: &str) -> Option<OldMail> {
        let words: Vec<&str> = text.split(' ').collect();
        let [until, since, unnamed, answers] = words.as_slice() else {
            return None;
        };
        Some(OldMail {
            until: until.parse().ok()?,
            since: since.parse().ok()?,
            unnamed: unnamed.parse().ok()?,
            answers: answers.parse().ok()?,
        })
    }
}

/// The most bytes of a file that are read.
const LONGEST: u64 = 1 << 20;

/// The most files that are looked at.
const FILES: usize = 1000;

/// Takes the lock of a file, which is held until the returned value is dropped.
pub type TakeLock = Box<dyn Fn(&Path) -> Result<HeldLock, Error> + Send + Sync>;

/// The places of the folders of one name and login. While the value exists, no other
/// process reads the folder by the same name of its server.
pub struct Places {
    parent: PathBuf,
    /// The file of the folder on the server of today's name.
    own: PathBuf,
    title: Title,
    /// The command that reads the folder, for messages.
    command: &'static str,
    take_lock: Option<TakeLock>,
    _lock: Option<HeldLock>,
}

/// A place that is here.
pub struct StoredPlace {
    /// The path of its file.
    pub path: PathBuf,
    /// The place.
    pub place: Place,
    /// True if it is that of the server of today's name.
    pub is_own: bool,
    is_earlier: bool,
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
    /// At a time.
    Time(DateTime<Utc>),
}

/// Reads a time of RFC 3339, in a year that has a form there.
pub(super) fn read_time(text: &str) -> Option<DateTime<Utc>> {
    let time = DateTime::parse_from_rfc3339(text).ok()?.to_utc();
    (0..=9999).contains(&time.year()).then_some(time)
}

/// Writes a time in RFC 3339: UTC, whole seconds.
pub(super) fn write_time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

impl Complete {
    /// Returns the day.
    pub(crate) fn day(self) -> NaiveDate {
        match self {
            Complete::Day(day) => day,
            Complete::Time(time) => time.date_naive(),
        }
    }
}

impl fmt::Display for Complete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Complete::Day(day) => day.fmt(f),
            Complete::Time(time) => f.write_str(&write_time(*time)),
        }
    }
}

impl Places {
    /// Opens the places of a mailbox's folder in a folder for them, which gets a folder
    /// of its own for them. The lock is taken by `take_lock`; in a dry run, without it, none
    /// is.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made, or another process has the lock too long.
    pub fn open(
        folder: &Path,
        settings: &ImapSettings,
        take_lock: Option<TakeLock>,
    ) -> Result<Places, Error> {
        let places = Places::of(folder, settings, take_lock);
        if places.take_lock.is_none() {
            return Ok(places);
        }
        let parent = &places.parent;
        files::make_folder(parent).map_err(|error| Error::file(parent, &error))?;
        let lock = places.lock(&places.own)?;
        Ok(Places {
            _lock: lock,
            ..places
        })
    }

    fn of(folder: &Path, settings: &ImapSettings, take_lock: Option<TakeLock>) -> Places {
        let server = format!("{}:{}", settings.host, settings.port);
        let title = Title::new(&server, &settings.login.user, &settings.folder);
        let name = hash(title.to_string().as_bytes());
        let parent = folder.join("imap");
        Places {
            own: parent.join(format!("{name}.txt")),
            parent,
            title,
            command: settings.command,
            take_lock,
            _lock: None,
        }
    }

    /// Takes the lock of a file, but in a dry run.
    fn lock(&self, path: &Path) -> Result<Option<HeldLock>, Error> {
        let Some(take_lock) = &self.take_lock else {
            return Ok(None);
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let lock = take_lock(&self.parent.join(format!(".{name}.lock")));
        lock.map(Some).map_err(|error| {
            let folder = &self.title.folder;
            let command = self.command;
            error.and(format_args!("another '{command}' reads '{folder}'"))
        })
    }

    /// Takes the lock of a place of another server's name. Returns none if that is needed
    /// no more.
    ///
    /// # Errors
    ///
    /// If another process has it too long.
    pub fn lock_other(&self, stored: &StoredPlace) -> Result<Option<HeldLock>, Error> {
        if stored.path == self.own {
            return Ok(None);
        }
        self.lock(&stored.path)
    }

    /// Returns the places of folders of this name and login, that of today's server first.
    /// Those of earlier versions are only of the server that they name.
    ///
    /// # Errors
    ///
    /// If one cannot be read, or that of today's server is damaged.
    pub fn stored(&self) -> Result<Vec<StoredPlace>, Error> {
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
                    return Err(Error::refused(format!(
                        "{}: this file is damaged; remove it, and '{}' begins anew: what was received already is not received twice",
                        path.display(),
                        self.command
                    )));
                }
                continue;
            };
            let (title, ours) = (&text.title, &self.title);
            let is_it = title.user == ours.user && title.folder == ours.folder;
            let is_here = title.server == ours.server;
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
    #[must_use]
    pub fn file(&self, stored: Option<&StoredPlace>) -> PlaceFile {
        let path = stored.map_or(&self.own, |stored| &stored.path);
        // The name of an earlier version's file may have been made otherwise.
        let is_renamed = stored.is_some_and(|stored| stored.is_earlier) && *path != self.own;
        PlaceFile {
            earlier: is_renamed.then(|| path.clone()),
            path: if is_renamed { &self.own } else { path }.clone(),
            title: self.title.clone(),
        }
    }

    /// Returns the messages of a folder that its server has held back since before a time, and
    /// since when.
    ///
    /// # Errors
    ///
    /// If a place cannot be read, or that of today's server is damaged.
    pub fn unread(
        folder: &Path,
        settings: &ImapSettings,
        before: DateTime<Utc>,
    ) -> Result<BTreeMap<u32, DateTime<Utc>>, Error> {
        let stored = Places::of(folder, settings, None).stored()?;
        let own = stored.into_iter().find(|stored| stored.is_own);
        let mut unread = own.map(|stored| stored.place.unread).unwrap_or_default();
        unread.retain(|_, since| *since < before);
        Ok(unread)
    }

    /// Returns when a folder was last read to its end, or none if that never was.
    ///
    /// # Errors
    ///
    /// If a place cannot be read, or that of today's server is damaged.
    pub fn last_complete(
        folder: &Path,
        settings: &ImapSettings,
    ) -> Result<Option<Complete>, Error> {
        let places = Places::of(folder, settings, None);
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

#[cfg(test)]
mod tests {
    use crate::sources::place::*;

    fn head(uid: u32, arrived: i64, fields: &str) -> Head {
        Head {
            uid,
            arrived: Some(arrived),
            fields: fields.as_bytes().to_vec(),
        }
    }

    fn trace(arrived: i64, id: &str) -> Trace {
        Trace::of(&head(1, arrived, &format!("Message-ID: {id}\r\n\r\n")))
    }

    #[test]
    fn a_place_is_read_as_it_was_written_and_a_damaged_one_is_refused() {
        let title = Title::new("mail.test:993", "anna\nHandled: 9", "inbox");
        let plain = Place {
            uid_validity: 7,
            handled: u32::MAX,
            since: "2026-11-20".parse().unwrap(),
            ..Place::default()
        };
        let full = Place {
            mailbox_id: Some("F22-a".to_owned()),
            again: BTreeSet::from([3, 1]),
            unread: BTreeMap::from([(3, read_time("2026-11-19T03:00:00Z").unwrap())]),
            broken: vec![(3, 1), (1, 7)],
            passed: Some(5),
            old: Some(OldMail {
                until: 9,
                since: "2026-11-18".parse().unwrap(),
                unnamed: 2,
                answers: 20,
            }),
            traces: BTreeMap::from([(4, trace(-5, "<a@b>")), (7, trace(5, ""))]),
            complete: read_time("2026-11-20T03:00:00Z"),
            ..plain.clone()
        };
        for place in [plain, full] {
            let text = place.text(&title);
            let read = PlaceText::parse(&text).unwrap();
            assert_eq!((&read.place, read.is_earlier), (&place, false), "{text}");
            assert_eq!(read.title, title);
            assert_eq!(read.title.folder, "INBOX");
            for (at, _) in text.char_indices() {
                assert_eq!(PlaceText::parse(&text[..at]), None, "{at}");
            }
        }
    }

    #[test]
    fn a_place_of_an_earlier_version_is_read() {
        let text = "Format: parapost-imap 1\nServer: localhost:993\nUser: anna\nFolder: Inbox\nUIDVALIDITY: 7\nHandled: 12\nAgain: 3 4\nBroken: 3=2\nPassed: 8\nSince: 2026-11-20\n";
        let read = PlaceText::parse(text).unwrap();
        assert!(read.is_earlier);
        assert_eq!(read.title, Title::new("localhost:993", "anna", "INBOX"));
        let Place {
            handled,
            again,
            passed,
            traces,
            ..
        } = read.place;
        assert_eq!((handled, passed), (12, Some(8)));
        assert_eq!(again, BTreeSet::from([3, 4]));
        assert!(traces.is_empty());
    }

    #[test]
    fn a_message_is_known_again_by_its_id_and_its_arrival() {
        let id = |fields: &str| Trace::of(&head(1, 5, fields));
        let known = id("Message-ID: <a@b>\r\nFrom: x\r\n\r\n");
        assert!(known.is(&id("From: x\r\nmessage-id:\r\n <a@b>\r\n\r\n")));
        assert!(!known.is(&id("Message-ID: <a@c>\r\n\r\n")));
        assert!(!known.is(&id("Message-ID: <a@b>\r\nMessage-ID: <a@b>\r\n\r\n")));
        assert!(!known.is(&id("Subject: Message-ID: <a@b>\r\n\r\n")));
        assert!(!known.is(&trace(6, "<a@b>")));
        let of_no_time = Trace {
            arrived: None,
            ..known.clone()
        };
        assert!(known.is(&of_no_time));
    }

    #[test]
    fn a_place_is_of_a_folder_if_what_is_still_there_is_the_same() {
        let mut place = Place::default();
        for uid in 1..=20 {
            place.leave_trace(uid, trace(uid.into(), &format!("<{uid}@b>")));
        }
        assert_eq!(
            place.traces.keys().copied().collect::<Vec<_>>(),
            [13, 14, 15, 16, 17, 18, 19, 20]
        );
        let there = place.traces.clone();
        assert_eq!(place.is_of(&there), Some(true));
        assert_eq!(place.is_of(&BTreeMap::new()), None);
        let mut less = there.clone();
        less.retain(|uid, _| *uid == 14);
        assert_eq!(place.is_of(&less), Some(true));
        // Somebody sends a message under the same id once more.
        less.insert(15, trace(99, "<15@b>"));
        assert_eq!(place.is_of(&less), Some(false));
    }
}
