//! Lists the files of a folder that may be messages.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::{Error, files};

/// A file in a folder.
#[derive(Clone, Debug)]
pub struct FolderFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The time of its last change, if the system knows it.
    pub written: Option<SystemTime>,
}

impl FolderFile {
    /// Returns the file name, or an empty string if it is not UTF-8.
    #[must_use]
    pub fn name(&self) -> &str {
        name(&self.path).unwrap_or_default()
    }
}

/// Lists the files of a folder that are not hidden, in no particular order.
///
/// # Errors
///
/// If the folder or one of its entries cannot be read. Such an entry must not be
/// skipped, because later messages would be handled before it.
pub fn list(folder: &Path) -> Result<Vec<FolderFile>, Error> {
    let mut found = Vec::new();
    let entries = files::retry_on_eintr(|| fs::read_dir(folder))
        .map_err(|error| Error::file(folder, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| Error::file(folder, &error))?.path();
        let is_hidden = name(&path).is_none_or(|name| name.starts_with('.'));
        let data = files::look(&path).map_err(|error| Error::file(&path, &error))?;
        if let Some(data) = data.filter(|data| data.is_file() && !is_hidden) {
            let written = data.modified().ok();
            found.push(FolderFile { path, written });
        }
    }
    Ok(found)
}

fn name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}
