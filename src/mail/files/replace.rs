//! Durable writing of files, in full or not at all.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::files;

/// The extension of temporary files.
const END: &str = ".tmp";

/// Replaces or creates the file at `path`, which others may read as the user's
/// mask says. At every instant, and after a crash
/// at any instant, either the old file or the new one exists, complete.
///
/// # Errors
///
/// If the file cannot be written; the old file is unchanged.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let file = temporary(path, OsStr::new(".parapost-"), 6, END, 0o666)?;
    put(path, contents, file, Access::Mask)?;
    files::sync_folder(folder(path))
}

/// Replaces or creates a file as [`replace`] does, but one that is only for the user, or for
/// the group of a shared folder ([`crate::files::access`]).
///
/// # Errors
///
/// If the file cannot be written; the old file is unchanged.
pub fn replace_privately(path: &Path, contents: &[u8]) -> io::Result<()> {
    let file = temporary(path, OsStr::new(".parapost-"), 6, END, 0o600)?;
    put(path, contents, file, Access::Private)?;
    files::sync_folder(folder(path))
}

/// Replaces a file as [`replace`] does, but one that is only for the user, or for
/// the group of a shared folder ([`crate::files::access`]); for a caller that holds the lock of
/// every writer of this file. The temporary file always has the same name, so
/// that the next call removes one that a killed process left behind.
///
/// # Errors
///
/// If the file cannot be written; the old file is unchanged.
pub fn replace_locked(path: &Path, contents: &[u8]) -> io::Result<()> {
    match try_replace_locked(path, contents)? {
        Replaced::Durably => Ok(()),
        Replaced::Perhaps(error) => Err(error),
    }
}

/// Replaces a file as [`replace_locked`] does, and distinguishes a new file
/// that a crash may undo from a failure to write it.
///
/// # Errors
///
/// If writing fails and the old file certainly stays.
pub fn try_replace_locked(path: &Path, contents: &[u8]) -> io::Result<Replaced> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    let mut left = name.clone();
    left.push(END);
    match fs::remove_file(folder(path).join(left)) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    put(
        path,
        contents,
        temporary(path, &name, 0, END, 0o600)?,
        Access::Private,
    )?;
    Ok(match files::sync_folder(folder(path)) {
        Ok(()) => Replaced::Durably,
        Err(error) => Replaced::Perhaps(error),
    })
}

/// The durability of a replacement.
pub enum Replaced {
    /// The new file is there, and remains after a crash.
    Durably,
    /// The new file is there, but after a crash the old one may be.
    Perhaps(io::Error),
}

/// Creates a new file as durably as [`replace_locked`], and as private.
///
/// # Errors
///
/// If the file cannot be written, or if it exists already, in which case it
/// stays unchanged.
pub fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    create_like(path, path, contents)
}

/// Creates a new file as [`create`] does, with the permissions of `like` except
/// those of others.
///
/// # Errors
///
/// As [`create`].
pub fn create_like(like: &Path, path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = temporary(path, OsStr::new(".parapost-"), 6, END, 0o600)?;
    fill(&mut file, contents, like, Access::Private)?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    files::sync_folder(folder(path))
}

/// The access that others get to a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// The one that the user's mask gives.
    Mask,
    /// None, but for the group of a shared folder.
    Private,
}

fn put(path: &Path, contents: &[u8], mut file: NamedTempFile, access: Access) -> io::Result<()> {
    fill(&mut file, contents, path, access)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes the contents to disk before a name points at them. Copies the
/// permissions of `like`, if it exists.
fn fill(file: &mut NamedTempFile, contents: &[u8], like: &Path, access: Access) -> io::Result<()> {
    file.write_all(contents)?;
    match (files::look(like)?, access) {
        (Some(old), Access::Mask) => file.as_file().set_permissions(old.permissions())?,
        (old, Access::Private) => files::access::limit(file.as_file(), folder(like), old.as_ref())?,
        (None, Access::Mask) => {}
    }
    file.as_file().sync_all()
}

/// Creates a temporary file beside `path`, which is removed unless it is kept.
/// Its name is a prefix, a number of random letters and an end. Its permissions are
/// `mode` without what the user's mask takes.
#[cfg_attr(not(unix), allow(unused_variables))]
pub(super) fn temporary(
    path: &Path,
    name: &OsStr,
    letters: usize,
    end: &str,
    mode: u32,
) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(name).rand_bytes(letters).suffix(end);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    builder.tempfile_in(folder(path))
}

pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
