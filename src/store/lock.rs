//! The lock of a match, in a file of its own.
//!
//! Replacing the state file would drop a lock on it. The lock file is never
//! deleted: a process that waits for it would get a file that nobody else
//! opens.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::Error;
use crate::mail::files;
use crate::store::errand::Wait;

/// The time between two attempts to take a lock.
const PAUSE: Duration = Duration::from_millis(20);

/// Takes the lock of a file, which is created if needed. Dropping the returned
/// file releases the lock, and so does the end of the process.
///
/// # Errors
///
/// If the file cannot be created, if something other than a file is in its
/// place, or if another process holds the lock longer than `wait`, or
/// than an errand may wait.
pub(crate) fn take(path: &Path, wait: Duration) -> Result<File, Error> {
    files::must_be_file(path).map_err(|error| Error::file(path, &error))?;
    let file = files::access::open_lock(path).map_err(|error| Error::file(path, &error))?;
    let wait = Wait::begin(wait);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if !wait.is_over() => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                return Err(Error::later(format!(
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
