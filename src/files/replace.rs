//! Files that are replaced as a whole, durably, or not at all.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::files;

/// What the name of a temporary file ends in.
const END: &str = ".tmp";

/// Puts a file of those contents in the place of the one at `path`, or where
/// none is: at every instant, and after a crash at any instant, there is
/// either the old file or the new one, whole.
///
/// # Errors
///
/// If that does not work; the old file stands.
pub(crate) fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    put(path, contents, anywhere(path)?)?;
    files::sync_folder(folder(path))
}

/// Replaces as [`replace`] does, for whoever holds the lock that every writer
/// of this file takes. Its temporary file is then always of the same name, and
/// what a process left there that was killed at it goes.
///
/// # Errors
///
/// If that does not work; the old file stands.
pub(crate) fn replace_locked(path: &Path, contents: &[u8]) -> io::Result<()> {
    match try_replace_locked(path, contents)? {
        Replaced::Durably => Ok(()),
        Replaced::Perhaps(error) => Err(error),
    }
}

/// Replaces as [`replace_locked`] does, and tells a new file that may not stay
/// from one that was never put there.
///
/// # Errors
///
/// If that does not work; the old file stands.
pub(crate) fn try_replace_locked(path: &Path, contents: &[u8]) -> io::Result<Replaced> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    let mut left = name.clone();
    left.push(END);
    match fs::remove_file(folder(path).join(left)) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    put(path, contents, temporary(path, &name, 0)?)?;
    Ok(match files::sync_folder(folder(path)) {
        Ok(()) => Replaced::Durably,
        Err(error) => Replaced::Perhaps(error),
    })
}

/// How a file was replaced.
pub(crate) enum Replaced {
    /// The new file stands, and goes on standing after a crash.
    Durably,
    /// The new file stands, but after a crash the old one may.
    Perhaps(io::Error),
}

/// Makes a file of those contents as [`replace`] does, where none is.
///
/// # Errors
///
/// If that does not work, or there is one already, which stands.
pub(crate) fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = anywhere(path)?;
    file.write_all(contents)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    files::sync_folder(folder(path))
}

/// Makes a file of those contents, which can be read by whom `like` can, as
/// [`create`] does.
///
/// # Errors
///
/// As [`create`].
pub(crate) fn create_like(like: &Path, path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = anywhere(path)?;
    fill(&mut file, contents, like)?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    files::sync_folder(folder(path))
}

fn put(path: &Path, contents: &[u8], mut file: NamedTempFile) -> io::Result<()> {
    fill(&mut file, contents, path)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes the contents, for whom `like` is for, if it is there. They must be on
/// the disk before a name points at them.
fn fill(file: &mut NamedTempFile, contents: &[u8], like: &Path) -> io::Result<()> {
    file.write_all(contents)?;
    if let Some(old) = files::look(like)? {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()
}

/// A file beside `path` of a name that nobody else has.
fn anywhere(path: &Path) -> io::Result<NamedTempFile> {
    temporary(path, OsStr::new(".parapost-"), 6)
}

/// A new file beside `path`, which goes when it is not kept. Its name begins
/// so, and goes on with so many letters made up.
fn temporary(path: &Path, name: &OsStr, letters: usize) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(name).rand_bytes(letters).suffix(END);
    #[cfg(unix)]
    {
        // As any new file: what the user's mask leaves.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder(path))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
