//! The listing of a folder: it finds the files that are new to the index, or that somebody
//! has changed since the last listing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use crate::files;
use crate::limits::{FEW_MATCHES, STATE_FILE};
use crate::match_id::Id;
use crate::store::index::listed::{LISTED, Listed, boot, uptime};
use crate::store::index::row::{either, key_of_open, line, row, sum_of_lines, whole_lines};
use crate::store::index::scan::Entry;
use crate::store::index::{BUCKETS, Index, OPEN, Trouble, bucket_of};
use crate::store::lock;
use crate::store::store::Open;

/// The files whose rows are written at once.
const PORTION: usize = 8192;

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
        // Where damage is found all files are scanned, so the caller begins again.
        let mut open = self.open()?;
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
            let is_known = match (since, found.metadata()) {
                // What a link leads to may have changed, too.
                (Some(since), Ok(found)) => !found.is_symlink() && changed(&found) < since,
                _ => false,
            };
            if is_known {
                continue;
            }
            is_changed = true;
            entries.push((self.scan(&id)?, id));
            if entries.len() >= PORTION {
                self.learn(&mut entries, &mut open)?;
            }
        }
        self.learn(&mut entries, &mut open)?;
        let is_few = last.is_some_and(|last| last.count == count) && count <= FEW_MATCHES;
        if is_few && !is_changed {
            drop(fs::remove_file(&new));
            return Ok(());
        }
        if let Some(last) = last {
            self.must_begin_as(last)?;
        }
        self.tidy()?;
        let names = (0..BUCKETS).map(|number| format!("a-{number:02x}"));
        let files = names.chain([OPEN.to_owned()]).filter_map(|name| {
            let bytes = fs::read(self.folder.join(&name)).ok()?;
            let whole = whole_lines(&bytes);
            Some((name, (whole.len(), sum_of_lines(whole))))
        });
        let listed = Listed {
            boot: boot(),
            uptime,
            time,
            count,
            files: files.collect(),
        };
        fs::write(&new, listed.text())?;
        fs::rename(&new, self.folder.join(LISTED))?;
        Ok(())
    }

    /// Checks that the files of the index still begin as they did at the last listing: what
    /// is missing of them must not be taken for what belongs there.
    fn must_begin_as(&self, last: &Listed) -> Result<(), Trouble> {
        for name in last.files.keys() {
            let bytes = fs::read(self.folder.join(name)).unwrap_or_default();
            if !last.is_beginning_of(name, whole_lines(&bytes)) {
                return Err(self.damaged(name));
            }
        }
        Ok(())
    }

    /// Adds the rows that are missing, and empties the list of entries.
    fn learn(
        &self,
        entries: &mut Vec<(Entry, Id)>,
        open: &mut BTreeMap<Id, Open>,
    ) -> Result<(), Trouble> {
        let mut rows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut left = String::new();
        for (entry, id) in entries.drain(..) {
            for key in &entry.keys {
                let bucket = rows.entry(bucket_of(key)).or_default();
                bucket.insert(row(key, &id));
            }
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
            self.each_row(&name, |row| {
                missing.remove(row);
            })?;
            self.add(missing.into_iter())?;
        }
        if !left.is_empty() {
            self.append(OPEN, &left)?;
        }
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
        let entry = match files::read(&self.games.join(format!("{id}.txt")), STATE_FILE) {
            Ok(bytes) => Entry::scan(&bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => Entry::default(),
            Err(_) => Entry::hidden(),
        };
        // What has had a lock was a match, whatever has become of it.
        if entry.is_other() && files::look(&self.lock_of(id))?.is_some() {
            return Ok(Entry::hidden());
        }
        Ok(entry)
    }

    fn lock_of(&self, id: &Id) -> PathBuf {
        self.games.join(format!(".{id}.lock"))
    }
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
