//! Files that are replaced as a whole, durably, or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::Builder;

use crate::files;

/// Puts a file of those contents in the place of the one at `path`, or where
/// none is: at every instant, and after a crash at any instant, there is
/// either the old file or the new one, whole.
///
/// # Errors
///
/// If that does not work; the old file stands.
pub(crate) fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let (file, folder) = temporary(path, contents)?;
    if let Some(old) = files::look(path)? {
        file.as_file().set_permissions(old.permissions())?;
    }
    // The contents must be on the disk before the name points at them.
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    files::sync_folder(folder)
}

/// Makes a file of those contents as [`replace`] does, where none is.
///
/// # Errors
///
/// If that does not work, or there is one already, which stands.
pub(crate) fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    let (file, folder) = temporary(path, contents)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    files::sync_folder(folder)
}

/// Makes a file of those contents, which can be read by whom `like` can, as
/// [`create`] does.
///
/// # Errors
///
/// As [`create`].
pub(crate) fn create_like(like: &Path, path: &Path, contents: &[u8]) -> io::Result<()> {
    let (file, folder) = temporary(path, contents)?;
    if let Some(old) = files::look(like)? {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    files::sync_folder(folder)
}

/// A file with those contents beside `path`, which goes when it is not kept.
fn temporary<'a>(
    path: &'a Path,
    contents: &[u8],
) -> io::Result<(tempfile::NamedTempFile, &'a Path)> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = Builder::new();
    builder.prefix(".parapost-").suffix(".tmp");
    #[cfg(unix)]
    {
        // As any new file: what the user's mask leaves.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(contents)?;
    Ok((file, folder))
}
