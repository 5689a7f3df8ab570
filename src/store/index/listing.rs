//! The listing of a folder: it finds the files that are new to the index, or that somebody
//! has changed since the last listing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use crate::limits::{FEW_MATCHES, STATE_FILE};
use crate::mail::files;
use crate::match_id::Id;
use crate::matches::hash::chain_holds;
use crate::matches::r#match::Match;
use crate::store::index::entry::{
    ALL, Entry, HIDDEN, OTHER, either, key_of_open, line, row, whole_lines,
};
use crate::store::index::{
    BUCKETS, Files, Index, LISTED, Listed, OPEN, Trouble, boot, bucket_of, note_open, take_rows,
    uptime,
};
use crate::store::lock;
use crate::store::state_file::LOG;
use crate::store::store::Open;

/// The files whose rows are written at once.
const PORTION: usize = 8192;

/// The length of the file with what is left to do from which it is written anew if most
/// of its rows are out of date.
const LONG: usize = 64 << 10;

impl Index {
    /// Lists the folder, and adds the rows that are missing of the files that have changed
    /// since the last listing; of all files, if there was none. The caller holds the lock
    /// of the listing.
    pub(super) fn list(&self, last: Option<&Listed>) -> Result<(), Trouble> {
        let uptime = uptime();
        // Whatever changes from here on has this time or a later one.
        let new = self.folder.join("listed.new");
        drop(fs::remove_file(&new));
        let file = files::access::open_to_append(&new)?;
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
            self.write_anew(OPEN, &rows)?;
            seen.see(OPEN, rows.as_bytes());
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
        self.write_anew(&name, &rows)?;
        seen.see(&name, rows.as_bytes());
        Ok(())
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
    // The scan says too much is left, rather than too little. Nobody changes a match that is
    // over, so that would stay.
    if entry.open.is_any()
        && !entry.open.goes_on
        && let Ok(game) = Match::read(bytes, id)
    {
        return Entry::of(&game);
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
