//! The index of a folder of matches: which matches a mailbox plays in, and which go on or
//! owe mail.
//!
//! ```text
//! .index/
//!   listed       when the folder was last listed, and how long each file was then
//!   a-00 … a-3f  rows of mailboxes, by the first digits of their keys
//!   open         what is left to do in a match; its last row counts
//!   memo         what was made of the matches last
//! ```
//!
//! The index is derived from the state files and can be removed at any time. A row that is
//! wrong or out of date does no harm, since whoever finds a match by one verifies it in
//! the match's own file. So what counts is that no row is missing: rows are written before
//! the match, and a listing adds those of files that somebody else has brought or changed,
//! which it tells by the time of their last change. Nothing is made durable: after a start
//! of the system, and wherever damage is seen, all files are scanned again.
//!
//! A listing finds the files that are new to the index, or that somebody has changed since the
//! last listing.

pub(super) mod entry;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Error;
use crate::limits::{FEW_MATCHES, STATE_FILE};
use crate::mail::files::{self, HeldLock};
use crate::match_id::Id;
use crate::matches::hash::chain_holds;
use crate::matches::r#match::Match;
use crate::store::index::entry::{
    ALL, Entry, HIDDEN, OTHER, either, key_of_open, line, read_open, read_row, row, sum,
    sum_of_lines, whole_lines,
};
use crate::store::place;
use crate::store::state_file::LOG;
use crate::store::store::Open;
use crate::store::{errand, lock};

/// The name of the index's folder. No id has such a name.
const FOLDER: &str = ".index";

/// The file with what is left to do.
const OPEN: &str = "open";

/// The number of files with rows of mailboxes.
const BUCKETS: u64 = 64;

/// The most bytes of a file of the index that are read.
const LONGEST: u64 = 1 << 30;

/// The memo beside the index for the next reader of the matches.
const MEMO: &str = "memo";

/// The most bytes of a memo.
const LONGEST_MEMO: u64 = 256 << 20;

/// The files whose rows are written at once.
const PORTION: usize = 8192;

/// The length of the file with what is left to do from which it is written anew if most
/// of its rows are out of date.
const LONG: usize = 64 << 10;

/// The index of a folder of matches.
#[derive(Clone, Debug)]
pub(super) struct Index {
    games: PathBuf,
    folder: PathBuf,
}

/// Why the index cannot be asked.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Another process lists the folder. Later there may be an answer.
    Busy(Error),
    /// It cannot be read or written.
    Broken(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Broken(error)
    }
}

/// The trust that the index deserves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Currency {
    /// The folder has just been listed.
    Current,
    /// Another process lists the folder, which was listed before.
    BeingListed,
    /// Another process lists the folder for the first time.
    BeingMade,
}

impl Index {
    /// Returns the index of a folder of matches.
    pub(super) fn new(games: &Path) -> Index {
        Index {
            games: games.to_owned(),
            folder: games.join(FOLDER),
        }
    }

    /// Lists the folder if that is due, for an errand once. Waits so long for another process that does so, or
    /// not at all.
    pub(super) fn refresh(&self, wait: Option<Duration>) -> Result<Currency, Trouble> {
        files::must_be_folder(&self.folder)?;
        let listed = Listed::read(&self.folder)?;
        let is_enough = |listed: &Listed| listed.is_current() || errand::has_listed(&self.folder);
        if listed.as_ref().is_some_and(is_enough) {
            return Ok(Currency::Current);
        }
        files::make_one_folder(&self.folder)?;
        let path = self.folder.join("listing.lock");
        let taken = lock::take(&path, wait.unwrap_or_default());
        let _lock = match taken {
            Ok(lock) => lock,
            Err(error) if !error.is_transient() => {
                return Err(Trouble::Broken(io::Error::other(error)));
            }
            Err(error) if wait.is_some() => return Err(Trouble::Busy(error)),
            Err(_) if listed.is_some() => return Ok(Currency::BeingListed),
            Err(_) => return Ok(Currency::BeingMade),
        };
        // Another process may just have done it.
        let listed = Listed::read(&self.folder)?;
        if !listed.as_ref().is_some_and(Listed::is_current) {
            self.list(listed.as_ref())?;
            errand::note_listing(&self.folder);
        }
        Ok(Currency::Current)
    }

    /// Returns the matches under a key.
    pub(super) fn ids(&self, key: &str) -> Result<BTreeSet<Id>, Trouble> {
        let mut ids = BTreeSet::new();
        let beginning = format!("{key} ");
        let is_wanted = |row: &str| row.starts_with(&beginning);
        self.rows(&bucket_of(key), is_wanted, |row| {
            let id = row.strip_prefix(&beginning);
            ids.extend(id.and_then(|id| id.parse::<Id>().ok()));
        })?;
        Ok(ids)
    }

    /// Returns the matches in which such a thing is left to do.
    pub(super) fn left(&self, is_such: impl Fn(Open) -> bool) -> Result<BTreeSet<Id>, Trouble> {
        // Of thousands of matches a few owe mail: the rows of the others are passed over, unless
        // they end what a row before them has said.
        let left: RefCell<BTreeSet<String>> = RefCell::default();
        let is_wanted = |row: &str| {
            let Some((key, rest)) = row.split_once(' ') else {
                return true;
            };
            let known = left.borrow();
            let id = rest.split(' ').next().unwrap_or_default();
            is_such(read_open(key)) || (!known.is_empty() && known.contains(id))
        };
        self.rows(OPEN, is_wanted, |row| {
            if let Some((key, id)) = row.split_once(' ') {
                if is_such(read_open(key)) {
                    left.borrow_mut().insert(id.to_owned());
                } else {
                    left.borrow_mut().remove(id);
                }
            }
        })?;
        let left = left.into_inner().into_iter();
        Ok(left.filter_map(|id| id.parse().ok()).collect())
    }

    /// Reads the rows of a file that are wanted for whoever asks the index, which counts
    /// only with a listing that stands for them. A file that does not begin as it did when the
    /// folder was last listed, or has a damaged row, has the folder listed again.
    fn rows(
        &self,
        name: &str,
        is_wanted: impl Fn(&str) -> bool,
        mut take: impl FnMut(&str),
    ) -> Result<(), Trouble> {
        let again = || Trouble::Broken(ErrorKind::InvalidData.into());
        let before = Listed::read(&self.folder)?.ok_or_else(again)?;
        let bytes = self.bytes(name)?;
        // Others may remove or write the index meanwhile.
        let after = Listed::read(&self.folder)?.ok_or_else(again)?;
        let whole = whole_lines(&bytes);
        let is_whole = after.files.is_beginning_of(name, whole) && {
            // The listing's sum stands for the rows of before, of which a large club has
            // thousands: only the rest is looked at one by one.
            let (old, new) = whole.split_at(after.files.length(name));
            let is_known = take_rows(old, &is_wanted, &mut take);
            let take_wanted = |row: &str| {
                if is_wanted(row) {
                    take(row);
                }
            };
            is_known && take_rows(new, |_| true, take_wanted)
        };
        if is_whole {
            Ok(())
        } else if after == before {
            Err(self.damaged())
        } else {
            Err(again())
        }
    }

    /// Returns the bytes of a file of the index; none, if there is no such file.
    fn bytes(&self, name: &str) -> io::Result<Vec<u8>> {
        match files::read(&self.folder.join(name), LONGEST) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            bytes => bytes,
        }
    }

    /// Has the folder listed again because of damage. Only who lists removes the file: it
    /// may have been written anew meanwhile.
    fn damaged(&self) -> Trouble {
        self.distrust();
        Trouble::Broken(ErrorKind::InvalidData.into())
    }

    /// Has all files scanned again when the index is next asked.
    fn distrust(&self) {
        let _ = fs::remove_file(self.folder.join(LISTED));
    }

    /// Returns true if there is an index, which must learn of changes.
    pub(super) fn exists(&self) -> bool {
        fs::symlink_metadata(&self.folder).is_ok_and(|found| found.is_dir())
    }

    /// Notes a match before it is written: its mailboxes, and what is left to do in it
    /// before or after. `before` is what the index keeps of it already.
    pub(super) fn expect(&self, id: &Id, before: Option<&Entry>, after: &Entry) {
        if !self.exists() {
            return;
        }
        let known = before.map(|before| &before.keys);
        let keys = after.keys.iter();
        let new = keys.filter(|key| known.is_none_or(|known| !known.contains(*key)));
        let mut noted = self.add(new.map(|key| row(key, id)));
        let now = before.map_or(Open::default(), |before| before.open);
        let open = either(now, after.open);
        if before.is_none() || open != now {
            let row = row(&key_of_open(open), id);
            noted = noted.and_then(|()| self.append(OPEN, &line(&row)));
        }
        if noted.is_err() {
            self.distrust();
        }
    }

    /// Notes what is left to do in a match after it was written. The caller holds the lock
    /// of the match.
    pub(super) fn note_open(&self, id: &Id, before: Option<&Entry>, after: &Entry) {
        let now = before.map_or(Open::default(), |before| before.open);
        if either(now, after.open) != after.open && self.exists() {
            let row = row(&key_of_open(after.open), id);
            // Without the row the match is looked at in vain.
            let _ = self.append(OPEN, &line(&row));
        }
    }

    /// Adds rows of mailboxes.
    fn add(&self, rows: impl Iterator<Item = String>) -> io::Result<()> {
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for row in rows {
            texts
                .entry(bucket_of(&row))
                .or_default()
                .push_str(&line(&row));
        }
        for (name, text) in texts {
            self.append(&name, &text)?;
        }
        Ok(())
    }

    /// Adds rows to a file. Nobody writes it anew meanwhile.
    fn append(&self, name: &str, rows: &str) -> io::Result<()> {
        let _lock = self.lock_rows(File::lock_shared)?;
        let mut file = files::open_to_append(&self.folder.join(name))?;
        file.write_all(rows.as_bytes())
    }

    fn lock_rows(&self, lock: impl Fn(&File) -> io::Result<()>) -> io::Result<HeldLock> {
        let file = files::open_lock(&self.folder.join("rows.lock"))?;
        files::retry_on_eintr(|| lock(&file))?;
        Ok(HeldLock::from(file))
    }

    /// Writes a file anew with these rows, or removes it. No listing stands for it then. The
    /// caller holds the lock of the rows alone.
    fn write_anew(&self, seen: &mut Files, name: &str, rows: &str) -> io::Result<()> {
        self.distrust();
        let path = self.folder.join(name);
        let new = self.folder.join("rows.new");
        drop(fs::remove_file(&new));
        files::open_to_append(&new)?.write_all(rows.as_bytes())?;
        fs::rename(&new, &path)?;
        seen.see(name, rows.as_bytes());
        Ok(())
    }

    /// Lists the folder, and adds the rows that are missing of the files that have changed
    /// since the last listing; of all files, if there was none. The caller holds the lock
    /// of the listing.
    fn list(&self, last: Option<&Listed>) -> Result<(), Trouble> {
        let uptime = uptime();
        // Whatever changes from here on has this time or a later one.
        let new = self.folder.join("listed.new");
        drop(fs::remove_file(&new));
        let file = files::open_to_append(&new)?;
        let time = changed(&file.metadata()?);
        drop(file);
        let since = last.map(|last| {
            // By a clock that was set back less time has passed.
            let passed = uptime.saturating_sub(last.uptime).as_nanos();
            last.time
                .min(time - i128::try_from(passed).unwrap_or(i128::MAX))
        });
        if last.is_none() {
            self.remove_damaged()?;
        }
        let mut learnt = Learnt {
            seen: last.map(|last| last.files.clone()).unwrap_or_default(),
            ..Learnt::default()
        };
        self.read_rows(&mut learnt.seen, OPEN, |row| {
            note_open(&mut learnt.open, row);
        })?;
        self.read_rows(&mut learnt.seen, &bucket_of(HIDDEN), |row| {
            if is_hidden(row) {
                learnt.hidden.insert(row.to_owned());
            }
        })?;
        let mut count = 0;
        let mut entries = Vec::new();
        let mut is_changed = false;
        for found in files::retry_on_eintr(|| fs::read_dir(&self.games))? {
            let found = found?;
            let name = found.file_name();
            let name = name.to_str().and_then(|name| name.strip_suffix(".txt"));
            let Some(id) = name.and_then(|name| name.parse::<Id>().ok()) else {
                continue;
            };
            count += 1;
            // The target of a link may have changed, too.
            let is_older = |since| {
                let found = found.metadata();
                found.is_ok_and(|found| !found.is_symlink() && changed(&found) < since)
            };
            let is_known = since.is_some_and(is_older);
            if is_known {
                continue;
            }
            is_changed = true;
            entries.push((self.scan(&id)?, id));
            if entries.len() >= PORTION {
                self.learn(&mut entries, &mut learnt)?;
            }
        }
        self.learn(&mut entries, &mut learnt)?;
        let is_few = last.is_some_and(|last| last.count == count) && count <= FEW_MATCHES;
        if is_few && !is_changed {
            drop(fs::remove_file(&new));
            return Ok(());
        }
        self.tidy(&mut learnt.seen)?;
        self.drop_rows(&mut learnt.seen, &learnt.stale)?;
        // A file that is missing by now must not count as one that belongs there.
        for name in names() {
            self.look_over(&mut learnt.seen, &name)?;
        }
        let listed = Listed {
            boot: boot(),
            uptime,
            time,
            count,
            files: learnt.seen,
        };
        // If somebody has removed the index meanwhile, this file is gone, too.
        let mut file = OpenOptions::new().write(true).truncate(true).open(&new)?;
        file.write_all(listed.text().as_bytes())?;
        fs::rename(&new, self.folder.join(LISTED))?;
        Ok(())
    }

    /// Reads the rows of a file while the folder is listed: it must begin as it was seen
    /// before.
    fn read_rows(
        &self,
        seen: &mut Files,
        name: &str,
        take: impl FnMut(&str),
    ) -> Result<(), Trouble> {
        let bytes = self.bytes(name)?;
        let whole = whole_lines(&bytes);
        if seen.see(name, whole) && take_rows(whole, |_| true, take) {
            Ok(())
        } else {
            Err(self.damaged())
        }
    }

    /// Looks over the rows of a file while the folder is listed. The sum that it was seen with
    /// stands for those of before: each of them was looked at then.
    fn look_over(&self, seen: &mut Files, name: &str) -> Result<(), Trouble> {
        let bytes = self.bytes(name)?;
        let whole = whole_lines(&bytes);
        let known = seen.length(name);
        let is_beginning = seen.see(name, whole);
        let new = whole.get(known..).filter(|_| is_beginning);
        match new {
            Some(new) if take_rows(new, |_| true, |_| {}) => Ok(()),
            _ => Err(self.damaged()),
        }
    }

    /// Adds the rows that are missing, and empties the list of entries.
    fn learn(&self, entries: &mut Vec<(Entry, Id)>, learnt: &mut Learnt) -> Result<(), Trouble> {
        let Learnt {
            seen,
            open,
            hidden,
            stale,
        } = learnt;
        let mut rows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut left = String::new();
        for (entry, id) in entries.drain(..) {
            for key in &entry.keys {
                let bucket = rows.entry(bucket_of(key)).or_default();
                bucket.insert(row(key, &id));
            }
            let were_hidden = [HIDDEN, OTHER].into_iter();
            let were_hidden = were_hidden.filter(|key| !entry.keys.contains(*key));
            let were_hidden = were_hidden.map(|key| row(key, &id));
            stale.extend(were_hidden.filter(|row| hidden.contains(row)));
            let now = open.get(&id).copied().unwrap_or_default();
            let both = either(now, entry.open);
            if both != now {
                left.push_str(&line(&row(&key_of_open(both), &id)));
                open.insert(id, both);
            } else if both != entry.open {
                self.forget(&id)?;
            }
        }
        for (name, mut missing) in rows {
            self.read_rows(seen, &name, |row| {
                missing.remove(row);
            })?;
            let missing: String = missing.iter().map(|row| line(row)).collect();
            self.append_and_see(seen, &name, &missing)?;
        }
        self.append_and_see(seen, OPEN, &left)
    }

    /// Adds rows to a file, which has them from then on.
    fn append_and_see(&self, seen: &mut Files, name: &str, rows: &str) -> Result<(), Trouble> {
        if rows.is_empty() {
            return Ok(());
        }
        let before = seen.length(name);
        self.append(name, rows)?;
        self.read_rows(seen, name, |_| {})?;
        if seen.length(name) < before + rows.len() {
            return Err(self.damaged());
        }
        Ok(())
    }

    /// Removes the files that have a damaged row. The rows are added again when all files
    /// are scanned.
    fn remove_damaged(&self) -> Result<(), Trouble> {
        let _lock = self.lock_rows(File::lock)?;
        for name in names() {
            let bytes = self.bytes(&name)?;
            // A torn row would spoil the one that comes behind it.
            let is_torn = whole_lines(&bytes).len() < bytes.len();
            if is_torn || !take_rows(&bytes, |_| true, |_| {}) {
                fs::remove_file(self.folder.join(&name))?;
            }
        }
        Ok(())
    }

    /// Writes the file with what is left to do anew, if most of its rows are out of date.
    fn tidy(&self, seen: &mut Files) -> Result<(), Trouble> {
        if seen.length(OPEN) < LONG {
            return Ok(());
        }
        let _lock = self.lock_rows(File::lock)?;
        let mut open = BTreeMap::new();
        self.read_rows(seen, OPEN, |row| note_open(&mut open, row))?;
        let rows = open
            .iter()
            .map(|(id, open)| line(&row(&key_of_open(*open), id)));
        let rows: String = rows.collect();
        if rows.len() * 4 < seen.length(OPEN) {
            self.write_anew(seen, OPEN, &rows)?;
        }
        Ok(())
    }

    /// Writes the file with the matches that could not be read anew without these rows.
    fn drop_rows(&self, seen: &mut Files, stale: &BTreeSet<String>) -> Result<(), Trouble> {
        if stale.is_empty() {
            return Ok(());
        }
        let name = bucket_of(HIDDEN);
        let _lock = self.lock_rows(File::lock)?;
        let mut rows = String::new();
        self.read_rows(seen, &name, |row| {
            if !stale.contains(row) {
                rows.push_str(&line(row));
            }
        })?;
        Ok(self.write_anew(seen, &name, &rows)?)
    }

    /// Notes that less is left to do in a match than the index has it, unless another
    /// process is changing the match.
    fn forget(&self, id: &Id) -> Result<(), Trouble> {
        let path = self.lock_of(id);
        // No lock file is made for a match that nobody changes.
        if !matches!(files::look(&path), Ok(Some(_))) {
            return Ok(());
        }
        if let Ok(_lock) = lock::take(&path, Duration::ZERO) {
            let entry = self.scan(id)?;
            let row = row(&key_of_open(entry.open), id);
            self.append(OPEN, &line(&row))?;
        }
        Ok(())
    }

    /// Takes what can be taken from the file of a match.
    fn scan(&self, id: &Id) -> Result<Entry, Trouble> {
        let path = self.games.join(format!("{id}.txt"));
        let entry = match files::read_stable(&path, STATE_FILE) {
            Ok((bytes, _)) => entry_of(id, &bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => Entry::default(),
            Err(_) => Entry::hidden(),
        };
        // A file with a lock was a match, whatever has become of it.
        if entry.is_other() && files::look(&self.lock_of(id))?.is_some() {
            return Ok(Entry::hidden());
        }
        Ok(entry)
    }

    fn lock_of(&self, id: &Id) -> PathBuf {
        self.games.join(format!(".{id}.lock"))
    }

    /// Returns what was last left since the start of the system. It is empty if there is nothing, or
    /// it is damaged.
    pub(super) fn memo(&self) -> Vec<u8> {
        let read = files::read(&self.folder.join(MEMO), LONGEST_MEMO);
        let mut bytes = read.unwrap_or_default();
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
            return Vec::new();
        };
        let is_whole = bytes[..end] == *head(&bytes[end + 1..]).as_bytes();
        if is_whole {
            bytes.split_off(end + 1)
        } else {
            Vec::new()
        }
    }

    /// Leaves something. If that fails nothing is left.
    pub(super) fn set_memo(&self, memo: &[u8]) {
        if self.exists() && memo.len() as u64 + 100 < LONGEST_MEMO {
            let _ = self.write_memo(memo);
        }
    }

    fn write_memo(&self, memo: &[u8]) -> io::Result<()> {
        // Two processes may be at it: what they mix has a wrong sum.
        let new = self.folder.join("memo.new");
        drop(fs::remove_file(&new));
        let mut file = files::open_to_append(&new)?;
        file.write_all(format!("{}\n", head(memo)).as_bytes())?;
        file.write_all(memo)?;
        fs::rename(&new, self.folder.join(MEMO))
    }
}

/// Returns the first line of a memo: the start of the system and a sum.
fn head(memo: &[u8]) -> String {
    format!("{} {:08x}", boot(), sum_of_lines(memo))
}

/// Takes the rows that are wanted from whole lines, and passes over the others as they are.
/// Returns false at one that is damaged.
fn take_rows(lines: &[u8], is_wanted: impl Fn(&str) -> bool, mut take: impl FnMut(&str)) -> bool {
    let Ok(text) = std::str::from_utf8(lines) else {
        return false;
    };
    let mut wanted = text.lines().filter(|line| is_wanted(line));
    wanted.all(|line| read_row(line).inspect(|row| take(row)).is_some())
}

/// Notes what a row of the file with what is left to do says of its match.
fn note_open(open: &mut BTreeMap<Id, Open>, row: &str) {
    let Some((key, id)) = row.split_once(' ') else {
        return;
    };
    let (left, Ok(id)) = (read_open(key), id.parse()) else {
        return;
    };
    if left.is_any() {
        open.insert(id, left);
    } else {
        open.remove(&id);
    }
}

/// Returns the name of the file with the rows of a key, with which the text begins.
fn bucket_of(key: &str) -> String {
    let digits = key.get(..2).unwrap_or_default();
    let number = u64::from_str_radix(digits, 16).unwrap_or_default();
    format!("a-{:02x}", number % BUCKETS)
}

/// The file that tells when the folder was last listed.
const LISTED: &str = "listed";

/// The time from one listing to the next.
const PERIOD: Duration = Duration::from_mins(1);

/// The lengths and sums of files of the index, by their names.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Files(BTreeMap<String, (usize, u32)>);

impl Files {
    /// Returns the length that a file had; none, if it was not seen.
    fn length(&self, name: &str) -> usize {
        self.0.get(name).map_or(0, |(length, _)| *length)
    }

    /// Returns true if a file begins as it did when its length and sum were taken, if ever.
    fn is_beginning_of(&self, name: &str, whole: &[u8]) -> bool {
        let known = self.0.get(name);
        known.is_none_or(|(length, sum)| whole.get(..*length).map(sum_of_lines) == Some(*sum))
    }

    /// Notes a file's whole lines. Returns false if they do not begin with those of before.
    fn see(&mut self, name: &str, whole: &[u8]) -> bool {
        let is_beginning = self.is_beginning_of(name, whole);
        let extent = (whole.len(), sum_of_lines(whole));
        self.0.insert(name.to_owned(), extent);
        is_beginning
    }
}

/// A listing that was made.
#[derive(PartialEq, Eq, Debug)]
struct Listed {
    /// The start of the system, before which the index may have lost rows.
    boot: String,
    /// The time since that start, when the listing began.
    uptime: Duration,
    /// The time of the file system when the listing began, in nanoseconds.
    time: i128,
    /// The number of matches.
    count: usize,
    /// The files of the index when the listing had ended.
    files: Files,
}

impl Listed {
    /// Reads what the last listing has left behind. One from before the last start of the
    /// system counts for nothing.
    fn read(folder: &Path) -> io::Result<Option<Listed>> {
        let bytes = match files::read(&folder.join(LISTED), 1 << 20) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        let text = String::from_utf8_lossy(&bytes);
        let is_of_now = |listed: &Listed| listed.boot == boot() && listed.uptime <= uptime();
        Ok(Listed::parse(&text).filter(is_of_now))
    }

    fn parse(text: &str) -> Option<Listed> {
        let (text, end) = text.rsplit_once("end ")?;
        if u32::from_str_radix(end.trim_end(), 16) != Ok(sum(text)) {
            return None;
        }
        let mut lines = text.lines();
        let mut words = lines.next()?.split(' ');
        let files = lines.map(|line| {
            let mut words = line.split(' ');
            let name = words.next()?.to_owned();
            let length = words.next()?.parse().ok()?;
            let sum = u32::from_str_radix(words.next()?, 16).ok()?;
            Some((name, (length, sum)))
        });
        Some(Listed {
            boot: words.next()?.to_owned(),
            uptime: Duration::from_millis(words.next()?.parse().ok()?),
            time: words.next()?.parse().ok()?,
            count: words.next()?.parse().ok()?,
            files: Files(files.collect::<Option<_>>()?),
        })
    }

    fn text(&self) -> String {
        let Listed {
            boot,
            uptime,
            time,
            count,
            files,
        } = self;
        let mut text = format!("{boot} {} {time} {count}\n", uptime.as_millis());
        for (name, (length, sum)) in &files.0 {
            let _ = writeln!(text, "{name} {length} {sum:08x}");
        }
        let end = sum(&text);
        let _ = writeln!(text, "end {end:04x}");
        text
    }

    /// Returns true if no listing is due. A folder of a few matches is listed for
    /// each errand.
    fn is_current(&self) -> bool {
        let age = uptime().checked_sub(self.uptime);
        self.count > FEW_MATCHES && age.is_some_and(|age| age < PERIOD)
    }
}

/// Names the start of the system; where that is unknown, the process.
fn boot() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    let id = id.ok().map(|id| id.trim().to_owned());
    let is_word = |id: &String| !id.is_empty() && !id.contains(char::is_whitespace);
    id.filter(is_word)
        .unwrap_or_else(|| format!("process-{}", std::process::id()))
}

/// Returns a time that no setting of the clock changes.
#[cfg(unix)]
fn uptime() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    #[cfg(target_os = "linux")]
    let clock = ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    let clock = ClockId::Monotonic;
    let time = clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(not(unix))]
fn uptime() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// The knowledge that a listing has of the index.
#[derive(Default)]
struct Learnt {
    /// The files of the index as the listing has seen them last.
    seen: Files,
    /// The work that is left in the matches where there is any.
    open: BTreeMap<Id, Open>,
    /// The rows of matches whose players could not be read, and of texts that were none.
    hidden: BTreeSet<String>,
    /// Those of them that are so no more.
    stale: BTreeSet<String>,
}

/// Returns the names of the files with rows.
fn names() -> impl Iterator<Item = String> {
    let buckets = (0..BUCKETS).map(|number| format!("a-{number:02x}"));
    buckets.chain([OPEN.to_owned()])
}

/// Returns true for a row of a match that could not be read, or of a text that is none.
fn is_hidden(row: &str) -> bool {
    let key = row.split_once(' ').map(|(key, _)| key);
    matches!(key, Some(HIDDEN | OTHER))
}

/// Returns what the index keeps of a file with these bytes.
fn entry_of(id: &Id, bytes: &[u8]) -> Entry {
    let mut entry = Entry::scan(bytes);
    if place::copied(id, bytes).is_some() {
        entry.keys = BTreeSet::from([OTHER.to_owned()]);
        entry.open = Open::default();
        return entry;
    }
    // The scan says too much is left, rather than too little. Nobody changes a match that is
    // over, so that would stay.
    if entry.open.is_any() && !entry.open.goes_on {
        if let Ok(game) = Match::read(bytes, id) {
            return Entry::of(&game);
        }
        entry.open = ALL;
    }
    // A change may have removed a player's address. A file that a person has written
    // has no chain, and is read.
    let is_doubtful = || entry.open == ALL || !is_as_written(id, bytes);
    let is_open = entry.open.is_any() && !entry.is_other();
    if is_open && is_doubtful() && Match::read(bytes, id).is_err() {
        entry.keys.insert(HIDDEN.to_owned());
    }
    entry
}

/// Returns true if the chain of a file's log holds.
fn is_as_written(id: &Id, bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let mut lines = text.lines();
    let mut last = None;
    let above = lines.by_ref().take_while(|line| *line != LOG);
    for line in above {
        last = last.or(line.strip_prefix("Chain: "));
    }
    last.is_some_and(|last| chain_holds(id, lines, last))
}

/// Returns when a file, its name or its rights were last changed, in nanoseconds.
#[cfg(unix)]
fn changed(found: &Metadata) -> i128 {
    use std::os::unix::fs::MetadataExt as _;
    i128::from(found.ctime()) * 1_000_000_000 + i128::from(found.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> i128 {
    i128::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::r#match::MatchSettings;
    use crate::store::errand::Errand;
    use crate::store::index::entry::key_of;

    /// A small folder was listed each time that its index was asked, which one letter does
    /// several times.
    #[test]
    fn a_small_folder_is_listed_once_for_a_letter_and_again_for_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let index = Index::new(folder.path());
        // Somebody copies a file in.
        let copy_in = |id: &str| {
            let time = "2026-11-20T03:00:00Z".parse().unwrap();
            let game = Match::new(MatchSettings::sample(id), time);
            fs::write(folder.path().join(format!("{id}.txt")), game.to_string()).unwrap();
        };
        let key = key_of(&"anna@example.org".parse().unwrap());
        let found = || {
            index.refresh(None).unwrap();
            index.ids(&key).unwrap().len()
        };
        copy_in("one");
        let errand = Errand::begin();
        assert_eq!(found(), 1);
        copy_in("two");
        assert_eq!(found(), 1, "the folder is listed twice");
        // A removed index is made anew all the same.
        index.distrust();
        assert_eq!(found(), 2);
        drop(errand);
        copy_in("three");
        let errand = Errand::begin();
        assert_eq!(found(), 3);
        drop(errand);
        // Whatever else asks has it listed each time.
        copy_in("four");
        assert_eq!(found(), 4);
    }
}
