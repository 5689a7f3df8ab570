//! Durable writing of files, in full or not at all.
//!
//! A file that is replaced again and again, as one with a log, keeps the file that was replaced
//! last beside it, as `.NAME.tmp`, and the next text goes into that one. To make a
//! file and to delete one for each text costs a file system far more than to write.
//!
//! Three things must hold before a spare is written over:
//!
//! - No crash brings it back as the file in use. The files change places under the name
//!   `.NAME.new`, and the old one gets the name of a spare when the folder is synced.
//! - Nobody reads it any more: it has been out of use for a second. The program's own
//!   readers look whether a file has been written while they read it
//!   ([`files::read_stable`]); others have that time.
//! - It has no other name, as in a copy by hard links, and belongs to who writes it, with
//!   the rights of the file in use.
//!
//! A spare that has not rested stays as it is, and the text goes into a new file. What is
//! in a spare means nothing: it may be half a text of a process that was killed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::{Builder, NamedTempFile, TempPath};

use crate::files::{self, folder_of};

/// The end of the names of temporary files, and of spares: earlier versions remove a file of
/// such a name.
const END: &str = ".tmp";

/// The end of the name of the file that is to take a file's place, and then of the one that
/// had it before, until that is durable.
const NEW: &str = ".new";

/// Replaces or creates the file at `path`, which others may read as the user's
/// mask says. At every instant, and after a crash
/// at any instant, either the old file or the new one exists, complete.
///
/// # Errors
///
/// If the file cannot be written; the old file is unchanged.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let file = random(path, 0o666)?;
    put(path, contents, file, Access::Mask)?;
    files::sync_folder(folder_of(path))
}

/// Replaces or creates a file as [`replace`] does, but one that is only for the user, or for
/// the group of a shared folder ([`crate::files`]).
///
/// # Errors
///
/// If the file cannot be written; the old file is unchanged.
pub fn replace_privately(path: &Path, contents: &[u8]) -> io::Result<()> {
    let file = random(path, 0o600)?;
    put(path, contents, file, Access::Private)?;
    files::sync_folder(folder_of(path))
}

/// Replaces or creates a file as [`replace_privately`] does. Only the user can read the new file,
/// even if others could read the old one.
///
/// # Errors
///
/// If the file cannot be written; the old file is unchanged.
pub fn replace_for_user(path: &Path, contents: &[u8]) -> io::Result<()> {
    let file = random(path, 0o600)?;
    put(path, contents, file, Access::User)?;
    files::sync_folder(folder_of(path))
}

/// Writes output to the path that a person names: to a regular file, in full or not at all, or to
/// one that [`files::is_open_already`]. Follows a symbolic link. `replace` writes the file.
///
/// # Errors
///
/// If it cannot be written, or is another pipe or device, since opening one may wait for ever.
pub fn write_named(
    path: &Path,
    contents: &[u8],
    replace: impl Fn(&Path, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let Some(found) = files::look(path)? else {
        return replace(path, contents);
    };
    match fs::canonicalize(path) {
        // Replaces the target of a link, not the link.
        Ok(there) if found.is_file() => replace(&there, contents),
        // It must stay where it is, and may have no path of its own.
        _ if files::is_open_already(path) => fs::write(path, contents),
        Err(error) if found.is_file() => Err(error),
        _ => Err(files::not_a_file(&found)),
    }
}

/// Replaces a file as [`replace_privately`] does, for a caller that holds the lock of
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
    remove_if_there(&hidden(path, END))?;
    let file = temporary(path, &hidden_name(path), 0, END, 0o600)?;
    put(path, contents, file, Access::Private)?;
    Ok(match files::sync_folder(folder_of(path)) {
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
    let mut file = random(path, 0o600)?;
    fill(&mut file, contents, like, Access::Private)?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    files::sync_folder(folder_of(path))
}

/// The access that others get to a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// The one that the user's mask gives.
    Mask,
    /// None, but for the group of a shared folder.
    Private,
    /// None.
    User,
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
        (old, Access::Private) => files::limit(file.as_file(), folder_of(like), old.as_ref())?,
        (None, Access::Mask) | (_, Access::User) => {}
    }
    file.as_file().sync_all()
}

/// Creates a temporary file beside `path` under a name that nobody knows.
fn random(path: &Path, mode: u32) -> io::Result<NamedTempFile> {
    temporary(path, OsStr::new(".parapost-"), 6, END, mode)
}

/// Creates a temporary file beside `path`, which is removed unless it is kept.
/// Its name is a prefix, a number of random letters and an end. Its permissions are
/// `mode` without what the user's mask takes.
#[cfg_attr(not(unix), allow(unused_variables))]
fn temporary(
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
    builder.tempfile_in(folder_of(path))
}

/// The time that a file is out of use before it is written over.
const REST: Duration = Duration::from_secs(1);

/// The state of a spare.
enum Spare {
    /// Nothing.
    None,
    /// A file that may still be read.
    InUse,
    /// A file to write over.
    Rested(File),
}

/// Replaces a file as [`try_replace_locked`] does, and keeps the old one as the spare of
/// the next replacement.
///
/// # Errors
///
/// If writing fails and the old file certainly stays.
pub fn try_exchange_locked(path: &Path, contents: &[u8], now: SystemTime) -> io::Result<Replaced> {
    let (spare, new) = (hidden(path, END), hidden(path, NEW));
    let old = fs::symlink_metadata(path)?;
    let found = find(&spare, &old, now)?;
    // No spare is left to others.
    let is_private = cfg!(unix) && !files::opens_to_others(&old);
    let is_kept = !matches!(found, Spare::InUse) && is_private;
    let file = match found {
        Spare::Rested(mut file) => {
            // Were it still called a spare, it would be one when it is in use.
            fs::rename(&spare, &new)?;
            let path = TempPath::try_from_path(&new)?;
            file.write_all(contents)?;
            if file.metadata()?.len() != contents.len() as u64 {
                file.set_len(contents.len() as u64)?;
            }
            NamedTempFile::from_parts(file, path)
        }
        Spare::None | Spare::InUse => {
            let mut file = create_new(path, &new)?;
            file.write_all(contents)?;
            files::limit(file.as_file(), folder_of(path), Some(&old))?;
            file
        }
    };
    file.as_file().sync_all()?;
    let is_kept = is_kept && exchange(&new, path)?;
    if !is_kept {
        file.persist(path).map_err(|error| error.error)?;
    } else if let Err(error) = file.keep() {
        return Ok(Replaced::Perhaps(error.error));
    }
    if let Err(error) = files::sync_folder(folder_of(path)) {
        return Ok(Replaced::Perhaps(error));
    }
    if is_kept {
        // The next replacement removes what is not called a spare.
        let _ = fs::rename(&new, &spare);
    }
    Ok(Replaced::Durably)
}

/// Removes the spare of a file, and what a process that was killed has left of one.
///
/// # Errors
///
/// If one is there and stays.
pub fn remove_spare(path: &Path) -> io::Result<()> {
    remove_if_there(&hidden(path, END))?;
    remove_if_there(&hidden(path, NEW))
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns the path of a hidden file beside `path`: `.NAME` and an end.
fn hidden(path: &Path, end: &str) -> PathBuf {
    let mut name = hidden_name(path);
    name.push(end);
    folder_of(path).join(name)
}

fn hidden_name(path: &Path) -> OsString {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name
}

/// Creates the file that is to take a file's place. Removes one that was left there.
fn create_new(path: &Path, new: &Path) -> io::Result<NamedTempFile> {
    let name = hidden_name(path);
    let make = || temporary(path, &name, 0, NEW, 0o600);
    match make() {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            fs::remove_file(new)?;
            make()
        }
        outcome => outcome,
    }
}

/// Finds the spare of a file. Removes what cannot be used as one.
#[cfg(target_os = "linux")]
fn find(spare: &Path, old: &Metadata, now: SystemTime) -> io::Result<Spare> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits();
    let mut options = File::options();
    options.read(true).write(true);
    let opened = match i32::try_from(flags) {
        Ok(flags) => options.custom_flags(flags).open(spare),
        Err(_) => return Ok(Spare::None),
    };
    let file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Spare::None),
        Err(_) => {
            remove_if_there(spare)?;
            return Ok(Spare::None);
        }
    };
    let found = file.metadata()?;
    if !is_like(&found, old) {
        remove_if_there(spare)?;
        return Ok(Spare::None);
    }
    Ok(if has_rested(&found, now) {
        Spare::Rested(file)
    } else {
        Spare::InUse
    })
}

/// Elsewhere files do not change places, and none is a spare.
#[cfg(not(target_os = "linux"))]
fn find(spare: &Path, _: &Metadata, _: SystemTime) -> io::Result<Spare> {
    remove_if_there(spare)?;
    Ok(Spare::None)
}

/// Returns true if a spare is a file like the one in use, and not the very same.
#[cfg(target_os = "linux")]
fn is_like(spare: &Metadata, old: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // Times of whole seconds would not tell two texts in one file apart.
    let is_fine = spare.mtime_nsec() != 0 || spare.ctime_nsec() != 0;
    let is_alone = spare.is_file() && spare.nlink() == 1;
    let rights = |found: &Metadata| (found.dev(), found.gid(), found.mode());
    is_fine
        && is_alone
        && spare.ino() != old.ino()
        && spare.uid() == rustix::process::geteuid().as_raw()
        && rights(spare) == rights(old)
        && !files::opens_to_others(spare)
}

/// Returns true if a spare has been one for long enough. A time to come proves nothing.
#[cfg(target_os = "linux")]
fn has_rested(spare: &Metadata, now: SystemTime) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let (Ok(seconds), Ok(nanoseconds)) = (
        u64::try_from(spare.ctime()),
        u32::try_from(spare.ctime_nsec()),
    ) else {
        return false;
    };
    let since = SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds));
    since.is_some_and(|since| now.duration_since(since).is_ok_and(|time| time >= REST))
}

/// Has two files change places. Returns false, and changes nothing, where the file system
/// cannot do that.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::PERM | Errno::NOENT) => {
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::io::Read as _;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use super::*;

    struct Place {
        folder: tempfile::TempDir,
        path: PathBuf,
        changes: u32,
    }

    impl Place {
        fn new() -> Place {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("m.txt");
            create(&path, b"0").unwrap();
            Place {
                folder,
                path,
                changes: 0,
            }
        }

        /// Replaces the file, at once or an hour later than all that was done before.
        fn change(&mut self, is_later: bool) {
            let hours = if is_later { 1 + self.changes } else { 0 };
            self.changes += 1;
            let text = "x".repeat(self.changes as usize * 5000);
            let now = SystemTime::now() + Duration::from_hours(hours.into());
            let replaced = try_exchange_locked(&self.path, text.as_bytes(), now).unwrap();
            assert!(matches!(replaced, Replaced::Durably));
            assert_eq!(fs::read_to_string(&self.path).unwrap(), text);
        }

        fn file(&self) -> u64 {
            fs::metadata(&self.path).unwrap().ino()
        }

        fn spare(&self) -> Option<u64> {
            let found = files::look(&hidden(&self.path, END)).unwrap();
            found.map(|found| found.ino())
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.folder.path()).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.collect();
            names.sort();
            names
        }
    }

    #[test]
    fn two_files_change_places_and_no_third_is_made() {
        let mut place = Place::new();
        let first = place.file();
        place.change(true);
        let second = place.file();
        assert_ne!(first, second);
        assert_eq!(place.spare(), Some(first));
        for _ in 0..4 {
            let (file, spare) = (place.file(), place.spare());
            place.change(true);
            assert_eq!((Some(place.file()), place.spare()), (spare, Some(file)));
        }
        // A shorter text leaves nothing of the longer one.
        let now = SystemTime::now() + Duration::from_hours(100);
        try_exchange_locked(&place.path, b"short", now).unwrap();
        assert_eq!(fs::read(&place.path).unwrap(), b"short");
        assert_eq!(place.names(), [".m.txt.tmp", "m.txt"]);
        remove_spare(&place.path).unwrap();
        assert_eq!(place.names(), ["m.txt"]);
    }

    #[test]
    fn a_file_is_not_written_over_that_was_in_use_just_now() {
        let mut place = Place::new();
        place.change(false);
        let mut reader = File::open(&place.path).unwrap();
        let old = fs::read_to_string(&place.path).unwrap();
        let spare = place.spare();
        for _ in 0..5 {
            place.change(false);
            assert_eq!(place.spare(), spare);
        }
        let mut seen = String::new();
        reader.read_to_string(&mut seen).unwrap();
        assert_eq!(seen, old);
        assert_eq!(place.names(), [".m.txt.tmp", "m.txt"]);
    }

    /// A copy by hard links, another's file, one that others may read, the very file in use,
    /// a link to elsewhere.
    #[test]
    fn what_is_not_a_file_like_the_one_in_use_is_no_spare() {
        type Spoil = fn(&Place);
        let spoils: [Spoil; 5] = [
            |place| {
                fs::hard_link(hidden(&place.path, END), place.folder.path().join("kept")).unwrap();
            },
            |place| {
                let rights = fs::Permissions::from_mode(0o640);
                fs::set_permissions(hidden(&place.path, END), rights).unwrap();
            },
            |place| {
                fs::remove_file(hidden(&place.path, END)).unwrap();
                fs::hard_link(&place.path, hidden(&place.path, END)).unwrap();
            },
            |place| {
                fs::remove_file(hidden(&place.path, END)).unwrap();
                let kept = place.folder.path().join("kept");
                fs::write(&kept, "kept").unwrap();
                symlink(kept, hidden(&place.path, END)).unwrap();
            },
            |place| {
                let killed = hidden(&place.path, NEW);
                fs::rename(hidden(&place.path, END), &killed).unwrap();
                fs::hard_link(killed, place.folder.path().join("kept")).unwrap();
            },
        ];
        for spoil in spoils {
            let mut place = Place::new();
            place.change(true);
            place.change(true);
            spoil(&place);
            let kept = place.folder.path().join("kept");
            let before = fs::read(&kept).ok();
            let (file, text) = (place.file(), fs::read(&place.path).unwrap());
            place.change(true);
            assert_eq!(place.spare(), Some(file));
            assert_eq!(fs::read(hidden(&place.path, END)).unwrap(), text);
            assert_eq!(fs::read(&kept).ok(), before);
            assert_eq!(fs::metadata(&place.path).unwrap().mode() & 0o777, 0o600);
            assert!(!hidden(&place.path, NEW).exists());
        }
    }

    #[test]
    fn no_spare_is_left_that_others_could_read() {
        let mut place = Place::new();
        fs::set_permissions(&place.path, fs::Permissions::from_mode(0o644)).unwrap();
        place.change(true);
        assert_eq!(place.names(), ["m.txt"]);
        assert_eq!(fs::metadata(&place.path).unwrap().mode() & 0o777, 0o640);
        place.change(true);
        assert_eq!(place.names(), [".m.txt.tmp", "m.txt"]);
    }
}
