//! A folder of `.eml` files, such as our own outbox.

use std::path::{Path, PathBuf};

use crate::Error;
use crate::inbound::sources::listing;

/// Returns the `.eml` files of a folder, oldest first, or none if it has none.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn files(folder: &Path) -> Result<Option<Vec<PathBuf>>, Error> {
    let mut found = listing::list(folder)?;
    found.retain(|file| file.path.extension().is_some_and(|end| end == "eml"));
    found.sort_by_cached_key(|file| (file.written, file.path.clone()));
    let paths: Vec<PathBuf> = found.into_iter().map(|file| file.path).collect();
    Ok(Some(paths).filter(|paths| !paths.is_empty()))
}
