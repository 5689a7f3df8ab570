//! Opens the messages at a path. Only this file tells the kinds of files and folders
//! apart.

use std::path::{Path, PathBuf};

use crate::inbound::sources::file::FileSource;
use crate::inbound::sources::{eml, maildir, mh};
use crate::{Error, files};

/// Opens the messages at a path: a message, an mbox, a Maildir, an MH folder or a
/// folder of `.eml` files. Nothing there is moved, marked or deleted.
///
/// # Errors
///
/// The same as [`files`].
pub fn open(path: &Path) -> Result<FileSource, Error> {
    Ok(FileSource::new(path, files(path)?))
}

/// Returns the files with messages at a path: the file itself, or the files of a
/// folder, oldest first.
///
/// # Errors
///
/// If the path cannot be read, or is a folder of another kind.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if !files::is_folder(path).map_err(|error| Error::file(path, &error))? {
        return Ok(vec![path.to_path_buf()]);
    }
    for kind in [maildir::files, mh::files, eml::files] {
        if let Some(found) = kind(path)? {
            return Ok(found);
        }
    }
    Err(Error::refused(format!(
        "{}: no messages here: no Maildir (no 'new' and 'cur'), no MH folder (no numbered files), no .eml files",
        path.display()
    )))
}
