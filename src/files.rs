//! Files and folders: what is there, and what is to stay there.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

/// What is at that path; nothing if nothing is. Not to be able to look is no
/// proof of absence.
///
/// # Errors
///
/// If one cannot look.
pub(crate) fn look(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Whether there is a folder at that path.
///
/// # Errors
///
/// If one cannot look.
pub(crate) fn is_folder(path: &Path) -> io::Result<bool> {
    Ok(look(path)?.is_some_and(|found| found.is_dir()))
}

/// Makes a folder, and those it is in, durably. That it is there is no error.
///
/// # Errors
///
/// If it cannot be made.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || is_folder(path)? {
        return Ok(());
    }
    let parent = path.parent().unwrap_or(Path::new(""));
    make_folder(parent)?;
    match fs::create_dir(path) {
        // Another process was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && is_folder(path)? => {}
        made => made?,
    }
    sync_folder(parent)
}

/// Makes the names in a folder durable.
///
/// # Errors
///
/// If that does not work.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    // Elsewhere a folder cannot be opened as a file, and need not be.
    if cfg!(unix) {
        File::open(path)?.sync_all()?;
    }
    Ok(())
}
