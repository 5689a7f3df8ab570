//! The lock of a match: a file of its own, since replacing the state file
//! would take a lock on it away. It is never deleted: whoever waits for it
//! would be left with a file that nobody else opens.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::{Error, files};

/// How often a lock that is held is tried again.
const PAUSE: Duration = Duration::from_millis(20);

/// Takes the lock of that file, which is made if it is not there. It is given
/// back when the file is dropped, or its process ends in whatever way.
///
/// # Errors
///
/// If the file cannot be made, or something else is in its place, or somebody
/// holds the lock longer than `wait`.
pub(super) fn take(path: &Path, wait: Duration) -> Result<File, Error> {
    files::must_be_file(path).map_err(|error| Error::file(path, &error))?;
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(path)
        .map_err(|error| Error::file(path, &error))?;
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if start.elapsed() < wait => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                return Err(Error::later(format!(
                    "{}: another process has held this lock for {} seconds; try again later",
                    path.display(),
                    wait.as_secs()
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
