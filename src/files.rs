//! Files and folders: what is there, and what is to stay there.

pub(crate) mod replace;

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read as _};
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

/// Makes sure that what is at that path, if anything is, is a file of its own:
/// no link that leads elsewhere, and nothing that has no end or may never be
/// opened.
///
/// # Errors
///
/// If it is something else, or one cannot look.
pub(crate) fn must_be_file(path: &Path) -> io::Result<()> {
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

fn not_a_file(found: &Metadata) -> io::Error {
    if found.is_dir() {
        io::Error::new(ErrorKind::IsADirectory, "this is a folder, not a file")
    } else {
        io::Error::new(
            ErrorKind::InvalidInput,
            "this is a pipe or a device, not a file",
        )
    }
}

/// Reads a file that the program has written before: no pipe, which may never
/// be opened, and nothing beyond `most` bytes.
///
/// # Errors
///
/// If it cannot be read, is something else or longer.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_with_metadata(path, most).map(|(bytes, _)| bytes)
}

/// Reads as [`read`] does, and looks at the very file that is read.
///
/// # Errors
///
/// As [`read`].
pub(crate) fn read_with_metadata(path: &Path, most: u64) -> io::Result<(Vec<u8>, Metadata)> {
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(not_a_file(&found));
    }
    if found.len() > most {
        return Err(io::Error::new(
            ErrorKind::InvalidData,
            format!("this file is longer than {} MiB", most >> 20),
        ));
    }
    let file = File::open(path)?;
    let found = file.metadata()?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok((bytes, found))
}

/// A warning if others than its owner can do more with a file or a folder than
/// they should: `bits` of its mode say what, and `what` says it for people.
/// Nothing where the system knows no such bits.
#[must_use]
pub(crate) fn permission_warning(path: &Path, bits: u32, what: &str) -> Option<String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let found = fs::metadata(path).ok()?;
        let is_lax = (found.is_file() || found.is_dir()) && found.permissions().mode() & bits != 0;
        is_lax.then(|| format!("warning: {}: {what}", path.display()))
    }
    #[cfg(not(unix))]
    {
        let _ = (path, bits, what);
        None
    }
}

/// What an attempt comes to, made again for as long as a signal breaks it off:
/// for what the standard library does not make again by itself.
///
/// # Errors
///
/// If it fails for another reason.
pub(crate) fn retry_on_eintr<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
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
