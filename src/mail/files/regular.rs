//! Regular files, and what else may be in the place of one.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Requires a regular file or nothing at this path: a symbolic link leads
/// elsewhere, and a pipe or a device may block or never end.
///
/// # Errors
///
/// If there is something else, or the path cannot be examined.
pub fn must_be_file(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(found) if found.is_symlink() => Err(io::Error::new(
            ErrorKind::InvalidInput,
            "this is a symbolic link, which is not followed: a file is needed in its place",
        )),
        Ok(found) => Err(not_a_file(&found)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// The error for what is no regular file.
pub(super) fn not_a_file(found: &Metadata) -> io::Error {
    if found.is_dir() {
        io::Error::new(ErrorKind::IsADirectory, "this is a folder, not a file")
    } else {
        io::Error::new(
            ErrorKind::InvalidInput,
            "this is a pipe or a device, not a file",
        )
    }
}
