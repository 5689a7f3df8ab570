//! The lock of a match, in a file of its own.
//!
//! Replacing the state file would drop a lock on it. The lock file is never
//! deleted: a process that waits for it would get a file that nobody else
//! opens.
//!
//! Outgoing mail has a lock of its own, whose file holds a short text about the
//! attempts to send it.

use std::fs::TryLockError;
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::Error;
use crate::limits::STATE_FILE;
use crate::mail::files::{self, HeldLock};
use crate::match_id::Id;
use crate::store::errand::Wait;
use crate::store::store::Sending;

/// The time between two attempts to take a lock.
const PAUSE: Duration = Duration::from_millis(20);

/// Takes the lock of a file, which is created if needed.
///
/// # Errors
///
/// If the file cannot be created, if something other than a file is in its
/// place, or if another process holds the lock longer than `wait`, or
/// than an errand may wait.
pub(crate) fn take(path: &Path, wait: Duration) -> Result<HeldLock, Error> {
    files::must_be_file(path).map_err(|error| Error::file(path, &error))?;
    let file = files::open_lock(path).map_err(|error| Error::file(path, &error))?;
    let wait = Wait::begin(wait);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(HeldLock::from(file)),
            Err(TryLockError::WouldBlock) if !wait.is_over() => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                return Err(Error::held(format!(
                    "{}: another process has held this lock for {} seconds; try again later",
                    path.display(),
                    wait.elapsed().as_secs()
                )));
            }
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => {}
            Err(TryLockError::Error(error)) => {
                let folder = path.parent().unwrap_or(Path::new("."));
                return Err(Error::file(path, &error).and(format_args!(
                    "{}: where files cannot be locked no match can be changed; keep the matches on a file system that has locks",
                    folder.display()
                )));
            }
        }
    }
}

/// The looks at a match's own lock before it counts as held: a letter takes some
/// milliseconds.
const LOOKS: u32 = 20;

/// The time between two looks.
const LOOK_PAUSE: Duration = Duration::from_millis(10);

/// The lock of a match's outgoing mail. A process that needs the match's own
/// lock too takes this one first.
#[derive(Debug)]
pub(super) struct SendLock {
    file: HeldLock,
    path: PathBuf,
}

impl SendLock {
    pub(super) fn take(folder: &Path, id: &Id, wait: Duration) -> Result<SendLock, Error> {
        let path = folder.join(format!(".{id}.send.lock"));
        let failed = |error| Error::file(&path, &error);
        let found = files::look(&path).map_err(failed)?;
        let file = take(&path, wait)?;
        look_at_match(folder, id, wait)?;
        if found.is_none() {
            // A crash must not lose the file, since it says which mail is being
            // sent.
            files::sync_folder(folder).map_err(failed)?;
        }
        Ok(SendLock { file, path })
    }
}

/// Sees that nobody keeps the match from being changed for long, as a process that was stopped
/// does: that a mail was sent could not be noted, and it would go again and again.
fn look_at_match(folder: &Path, id: &Id, wait: Duration) -> Result<(), Error> {
    let path = folder.join(format!(".{id}.lock"));
    let found = files::look(&path).map_err(|error| Error::file(&path, &error))?;
    if found.is_none() {
        return Ok(());
    }
    for _ in 1..LOOKS {
        if take(&path, Duration::ZERO).is_ok() {
            return Ok(());
        }
        thread::sleep(LOOK_PAUSE);
    }
    take(&path, wait).map(drop)
}

impl Sending for SendLock {
    fn text(&mut self) -> Result<String, Error> {
        // Each of its lines is shorter than the line of the match that owes the mail.
        let bytes = (&*self.file).rewind();
        let bytes = bytes.and_then(|()| files::read_open(&self.file, STATE_FILE));
        let bytes = bytes.map_err(|error| Error::file(&self.path, &error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn set_text(&mut self, text: &str) -> Result<(), Error> {
        let written = (|| -> io::Result<()> {
            let mut file = &*self.file;
            file.rewind()?;
            file.write_all(text.as_bytes())?;
            // Cutting it first would lose, in a crash, what it says of others.
            file.set_len(text.len() as u64)?;
            file.sync_data()
        })();
        written.map_err(|error| Error::file(&self.path, &error))
    }
}
