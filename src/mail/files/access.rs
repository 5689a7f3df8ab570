//! The others who can read and change the files: nobody, or the group of a
//! shared folder.
//!
//! A state file holds the Message-IDs that prove who wrote, and a lock that
//! others can open can be held by them. A folder that is writable by its group
//! and passes its group on (setgid) is shared on purpose, as by the operators of
//! a club.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// The permissions of others.
#[cfg(unix)]
const OTHERS: u32 = 0o007;

/// Gives a new file in a folder its permissions. One that replaces an old file
/// keeps the old one's, without those of others, and its group.
///
/// # Errors
///
/// If the permissions cannot be set.
pub fn limit(file: &File, folder: &Path, old: Option<&Metadata>) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let mut mode = match old {
            Some(old) => old.mode() & 0o777 & !OTHERS,
            None if is_shared(folder) => 0o660,
            None => return Ok(()),
        };
        if let Some(old) = old
            && file.metadata()?.gid() != old.gid()
            && mode & 0o070 != 0
            && fchown(file, None, Some(old.gid())).is_err()
        {
            // The rights were another group's.
            mode &= !0o070;
        }
        set_mode(file, mode)
    }
    #[cfg(not(unix))]
    {
        let _ = (file, folder, old);
        Ok(())
    }
}

/// Opens a lock file for reading and writing, or creates it. Others lose their
/// rights to one that has been there, as far as the user can take them.
///
/// # Errors
///
/// If the file cannot be opened or created, or something other than a file is in its
/// place: to open a named pipe may wait for ever.
pub fn open_lock(path: &Path) -> io::Result<File> {
    must_be_file(path)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    match options.open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        found => {
            let file = found?;
            #[cfg(unix)]
            {
                use std::os::unix::fs::MetadataExt as _;
                let mode = file.metadata()?.mode() & 0o777;
                if mode & OTHERS != 0 {
                    let _ = set_mode(&file, mode & !OTHERS);
                }
            }
            return Ok(file);
        }
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let made = options.clone().create_new(true).open(path);
    match made {
        // Another process has created it.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => options.open(path),
        Err(error) => Err(error),
        Ok(file) => {
            limit(&file, path.parent().unwrap_or(Path::new("")), None)?;
            Ok(file)
        }
    }
}

/// Opens a file to add to its end, or creates it.
///
/// # Errors
///
/// As [`open_lock`].
pub fn open_to_append(path: &Path) -> io::Result<File> {
    must_be_file(path)?;
    let mut options = OpenOptions::new();
    options.append(true);
    match options.open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        found => return found,
    }
    drop(open_lock(path)?);
    options.open(path)
}

/// Gives a new folder its permissions.
///
/// # Errors
///
/// If they cannot be set.
pub(super) fn limit_folder(path: &Path, parent: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if is_shared(parent) {
        return set_mode(&File::open(path)?, 0o2770);
    }
    let _ = (path, parent);
    Ok(())
}

/// Returns true if others, who are not in the group of a file or folder, have
/// any rights to it. Returns false if it cannot be examined.
#[must_use]
pub fn is_open_to_others(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| opens_to_others(&found))
}

/// Returns true if a file or folder of which this was found gives such rights.
#[must_use]
pub fn opens_to_others(found: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        found.mode() & OTHERS != 0
    }
    #[cfg(not(unix))]
    {
        let _ = found;
        false
    }
}

/// Returns true if a folder is writable by its group and gives its group to
/// what is created in it.
#[cfg(unix)]
fn is_shared(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    std::fs::metadata(folder).is_ok_and(|found| found.mode() & 0o2020 == 0o2020)
}

#[cfg(unix)]
fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

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
