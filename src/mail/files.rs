//! Helpers for files and folders: looking, reading, making them durable, and who else can
//! read and change them: nobody, or the group of a shared folder.
//!
//! A state file holds the Message-IDs that prove who wrote, and a lock that
//! others can open can be held by them. A folder that is writable by its group
//! and passes its group on (setgid) is shared on purpose, as by the operators of
//! a club.

pub mod replace;

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Returns the metadata of a path, or `None` if nothing exists there.
///
/// # Errors
///
/// If the path cannot be examined, which does not prove that nothing exists.
pub fn look(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Returns true if there is a folder at this path.
///
/// # Errors
///
/// If the path cannot be examined.
pub fn is_folder(path: &Path) -> io::Result<bool> {
    Ok(look(path)?.is_some_and(|found| found.is_dir()))
}

/// Opens a file that a person names to read it: a regular one, or one that [`is_open_already`].
/// Refuses a named pipe, since opening one waits for a writer, perhaps for ever. Refuses a device,
/// which may never end.
///
/// # Errors
///
/// If it cannot be opened, or is a pipe or a device.
pub fn open(path: &Path) -> io::Result<File> {
    if is_open_already(path) {
        return File::open(path);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if fs::metadata(path)?.file_type().is_fifo() {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                "this is a named pipe, which may never be written to; '< FILE' reads it as standard input",
            ));
        }
    }
    open_regular(path)
}

/// Returns true if a path, or the link at it, names what this process has open already, as a
/// shell passes it for `<(…)` and `>(…)`, or `/dev/null`. That may be a pipe or a device.
#[must_use]
pub fn is_open_already(path: &Path) -> bool {
    let passed = [
        "/dev/stdin",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/fd",
        "/proc/self/fd",
        "/dev/null",
    ];
    let is_passed = |path: &Path| passed.iter().any(|passed| path.starts_with(passed));
    cfg!(unix) && (is_passed(path) || fs::read_link(path).is_ok_and(|to| is_passed(&to)))
}

/// Opens a regular file to read it. Waits for nobody, even if somebody puts a named pipe in its
/// place meanwhile.
///
/// # Errors
///
/// If it cannot be opened or is something else.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let must_be_regular = |found: &Metadata| {
        if found.is_file() {
            Ok(())
        } else {
            Err(not_a_file(found))
        }
    };
    must_be_regular(&fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    if let Ok(flags) = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()) {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(flags);
    }
    let file = options.open(path)?;
    must_be_regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a file that the program has written or looks for: a regular file of at most `most` bytes.
///
/// # Errors
///
/// If it cannot be read, is not a regular file or is longer.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_open(&open_regular(path)?, most)
}

/// Returns true if there is a file with these bytes. A symbolic link is not followed.
///
/// # Errors
///
/// As [`must_be_file`].
pub fn holds(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    must_be_file(path)?;
    let there = read(path, bytes.len() as u64);
    Ok(there.is_ok_and(|there| there == bytes))
}

/// Reads a stream to its end, at most `most` bytes.
///
/// # Errors
///
/// If it cannot be read or is longer.
pub fn read_to_end(stream: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_long("this", most));
    }
    Ok(bytes)
}

fn too_long(what: &str, most: u64) -> io::Error {
    io::Error::new(
        ErrorKind::InvalidData,
        format!("{what} is longer than {} MiB", most >> 20),
    )
}

/// The most readings of a file that is written meanwhile.
const READINGS: usize = 100;

/// Reads a file as [`read`] does, one that may be out of use and written over while it is
/// read, as a spare is ([`replace`]): then the one that has the name is read. Returns the
/// metadata of the very file, too.
///
/// # Errors
///
/// As [`read`], and if it is replaced each time.
pub fn read_stable(path: &Path, most: u64) -> io::Result<(Vec<u8>, Metadata)> {
    stable(path, || open_regular(path), |file| read_open(file, most))
}

fn stable(
    path: &Path,
    mut open: impl FnMut() -> io::Result<File>,
    mut read: impl FnMut(&File) -> io::Result<Vec<u8>>,
) -> io::Result<(Vec<u8>, Metadata)> {
    for _ in 0..READINGS {
        // Nobody writes to it while it has the name: it is whole now.
        let found = fs::metadata(path)?;
        if !found.is_file() {
            return Err(not_a_file(&found));
        }
        let file = open()?;
        let bytes = read(&file)?;
        if is_same(&found, &file.metadata()?)? {
            return Ok((bytes, found));
        }
    }
    Err(io::Error::new(
        ErrorKind::WouldBlock,
        "this file changes again and again while it is read",
    ))
}

/// Returns true if it is the same file, and nothing has been written to it.
fn is_same(found: &Metadata, now: &Metadata) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if (found.dev(), found.ino()) != (now.dev(), now.ino()) {
            return Ok(false);
        }
    }
    Ok(found.len() == now.len() && found.modified()? == now.modified()?)
}

/// Reads the rest of a file that has been opened: a regular file of at most `most` bytes.
///
/// # Errors
///
/// As [`read`].
pub fn read_open(file: &File, most: u64) -> io::Result<Vec<u8>> {
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(not_a_file(&found));
    }
    if found.len() > most {
        return Err(too_long("this file", most));
    }
    read_whole(file, found.len(), most)
}

/// Reads at most `most` bytes of a file that is probably so long: in one call then, and
/// one that finds the end.
fn read_whole(mut file: &File, length: u64, most: u64) -> io::Result<Vec<u8>> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(most);
    let mut bytes = vec![0; length.saturating_add(1)];
    let mut filled = 0;
    loop {
        let read = retry_on_eintr(|| file.read(&mut bytes[filled..]))?;
        filled += read;
        if read == 0 || filled >= most {
            bytes.truncate(filled.min(most));
            return Ok(bytes);
        }
        if filled == bytes.len() {
            // It has grown.
            bytes.resize(filled.saturating_mul(2), 0);
        }
    }
}

/// Returns a warning if a file or folder has any of the mode bits `bits`;
/// `what` tells people what the bits allow. Returns `None` on systems without
/// such bits.
#[must_use]
pub fn permission_warning(path: &Path, bits: u32, what: &str) -> Option<String> {
    let found = fs::metadata(path).ok()?;
    let is_lax = (found.is_file() || found.is_dir()) && mode(&found) & bits != 0;
    is_lax.then(|| format!("warning: {}: {what}", path.display()))
}

/// Retries on EINTR, for calls that the standard library does not retry.
///
/// # Errors
///
/// If it fails for another reason.
pub fn retry_on_eintr<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Creates a folder and its parents durably, for the user alone or for the group
/// of a shared parent. An existing folder is no error.
///
/// # Errors
///
/// If the folder cannot be created.
pub fn make_folder(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || is_folder(path)? {
        return Ok(());
    }
    let parent = folder_of(path);
    make_folder(parent)?;
    make_one_folder(path)?;
    sync_folder(parent)
}

/// Creates a folder in one that exists, with the same rights as [`make_folder`] but not
/// durably. An existing folder is no error.
///
/// # Errors
///
/// If the folder cannot be created.
pub fn make_one_folder(path: &Path) -> io::Result<()> {
    if is_folder(path)? {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    match builder.create(path) {
        // Another process has created it.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && is_folder(path)? => {}
        made => {
            made?;
            if is_shared(folder_of(path)) {
                set_mode(&File::open(path)?, 0o2770)?;
            }
        }
    }
    Ok(())
}

/// Makes the names in a folder durable. Threads that ask for the same folder while it is being
/// synced share the next sync, which begins after all of them have asked: a sync costs the
/// same for one name as for eight.
///
/// # Errors
///
/// If the system reports an error.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    static SYNCS: FolderSyncs = FolderSyncs::new();
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    // Other systems cannot open a folder as a file, and do not need to.
    if cfg!(unix) {
        SYNCS.sync(path, || File::open(path)?.sync_all())?;
    }
    Ok(())
}

/// The syncs of folders that are under way or waited for.
struct FolderSyncs {
    /// One for each folder that a thread waits for.
    folders: Mutex<BTreeMap<PathBuf, FolderSync>>,
    /// A sync has ended.
    ended: Condvar,
}

/// The syncs of one folder, which are numbered from 1.
#[derive(Default)]
struct FolderSync {
    /// The number of threads that wait.
    waiting: usize,
    is_running: bool,
    /// The number of the sync that began last.
    begun: u64,
    /// The number of the sync that ended last.
    ended: u64,
    /// The last one that failed, and its error: what it should have made durable may be lost
    /// although a later one succeeds.
    failed: Option<(u64, ErrorKind, Option<i32>)>,
}

impl FolderSyncs {
    const fn new() -> FolderSyncs {
        FolderSyncs {
            folders: Mutex::new(BTreeMap::new()),
            ended: Condvar::new(),
        }
    }

    /// Returns once a sync that began after the call has ended, by this thread or another.
    fn sync(&self, path: &Path, sync: impl Fn() -> io::Result<()>) -> io::Result<()> {
        let mut folders = self.lock();
        let folder = folders.entry(path.to_owned()).or_default();
        folder.waiting += 1;
        let wanted = folder.begun + 1;
        loop {
            let folder = folders.get_mut(path).expect("kept while a thread waits");
            if folder.ended >= wanted {
                break;
            }
            if folder.is_running {
                folders = (self.ended.wait(folders)).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            folder.is_running = true;
            folder.begun += 1;
            drop(folders);
            let outcome = sync();
            folders = self.lock();
            let folder = folders.get_mut(path).expect("kept while a thread waits");
            folder.is_running = false;
            folder.ended = folder.begun;
            if let Err(error) = outcome {
                folder.failed = Some((folder.ended, error.kind(), error.raw_os_error()));
            }
            self.ended.notify_all();
        }
        let folder = folders.get_mut(path).expect("kept while a thread waits");
        let failed = folder.failed.filter(|(number, ..)| *number >= wanted);
        folder.waiting -= 1;
        if folder.waiting == 0 {
            folders.remove(path);
        }
        failed.map_or(Ok(()), |(_, kind, code)| {
            Err(code.map_or_else(|| io::Error::from(kind), io::Error::from_raw_os_error))
        })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<PathBuf, FolderSync>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the folder that a path is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The permissions of others.
const OTHERS: u32 = 0o007;

/// Gives a new file in a folder its permissions. One that replaces an old file
/// keeps the old one's, without those of others, and its group.
fn limit(file: &File, folder: &Path, old: Option<&Metadata>) -> io::Result<()> {
    let mode = match old {
        Some(old) => mode(old) & 0o777 & !OTHERS,
        None if is_shared(folder) => 0o660,
        None => return Ok(()),
    };
    #[cfg(unix)]
    if let Some(old) = old {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let is_anothers = file.metadata()?.gid() != old.gid()
            && mode & 0o070 != 0
            && fchown(file, None, Some(old.gid())).is_err();
        if is_anothers {
            // The rights were another group's.
            return set_mode(file, mode & !0o070);
        }
    }
    set_mode(file, mode)
}

/// A file whose lock is held until the value is dropped, or the process ends.
#[derive(Debug)]
pub struct HeldLock(File);

/// The lock of the file was taken.
impl From<File> for HeldLock {
    fn from(file: File) -> HeldLock {
        HeldLock(file)
    }
}

impl Deref for HeldLock {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

/// A program that this process has just started has all its files until it begins: to close
/// the file here would not release the lock then.
impl Drop for HeldLock {
    fn drop(&mut self) {
        // Closing the file releases it, too.
        let _ = self.0.unlock();
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
            let mode = mode(&file.metadata()?) & 0o777;
            if mode & OTHERS != 0 {
                let _ = set_mode(&file, mode & !OTHERS);
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
            limit(&file, folder_of(path), None)?;
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

/// Returns true if others, who are not in the group of a file or folder, have
/// any rights to it. Returns false if it cannot be examined.
#[must_use]
pub fn is_open_to_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| opens_to_others(&found))
}

/// Returns true if a file or folder of which this was found gives such rights.
#[must_use]
pub fn opens_to_others(found: &Metadata) -> bool {
    mode(found) & OTHERS != 0
}

/// Returns true if a folder is writable by its group and gives its group to
/// what is created in it.
fn is_shared(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|found| mode(&found) & 0o2020 == 0o2020)
}

/// Returns the mode bits of a file or folder.
#[cfg(unix)]
fn mode(found: &Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(found)
}

/// Other systems have none.
#[cfg(not(unix))]
fn mode(_: &Metadata) -> u32 {
    0
}

#[cfg(not(unix))]
fn set_mode(_: &File, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(mode))
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

/// Requires a folder or nothing at this path, which is for a folder of the program's own below one
/// that a person has named. A symbolic link would lead elsewhere.
///
/// # Errors
///
/// If there is a symbolic link, or the path cannot be examined.
pub fn must_be_folder(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err(io::Error::new(
            ErrorKind::InvalidInput,
            "this is a symbolic link, which is not followed: a folder is needed in its place",
        )),
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// The error for what is no regular file.
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// A sync that had begun before a name was given need not have made it durable.
    #[test]
    fn threads_share_a_sync_that_begins_after_they_ask() {
        const THREADS: usize = 8;
        const TIMES: usize = 20;
        let syncs = FolderSyncs::new();
        let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let sync = || {
            let number = begun.fetch_add(1, Ordering::SeqCst) + 1;
            thread::sleep(Duration::from_millis(2));
            ended.store(number, Ordering::SeqCst);
            Ok(())
        };
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for _ in 0..TIMES {
                        let before = begun.load(Ordering::SeqCst);
                        syncs.sync(Path::new("games"), sync).unwrap();
                        assert!(ended.load(Ordering::SeqCst) > before);
                    }
                });
            }
        });
        let begun = begun.into_inner();
        assert!((TIMES..THREADS * TIMES).contains(&begun), "{begun} syncs");
        assert!(syncs.lock().is_empty());
    }

    #[test]
    fn all_who_share_a_sync_have_its_error() {
        const FULL: i32 = 28;
        let syncs = FolderSyncs::new();
        let count = AtomicUsize::new(0);
        // The first waits until two others share the second, which fails.
        let sync = || match count.fetch_add(1, Ordering::SeqCst) {
            0 => {
                while syncs.lock()[Path::new("games")].waiting < 3 {
                    thread::yield_now();
                }
                Ok(())
            }
            1 => Err(io::Error::from_raw_os_error(FULL)),
            _ => Ok(()),
        };
        let ask = || syncs.sync(Path::new("games"), sync);
        thread::scope(|scope| {
            let first = scope.spawn(ask);
            while count.load(Ordering::SeqCst) == 0 {
                thread::yield_now();
            }
            let others = [scope.spawn(ask), scope.spawn(ask)];
            assert!(first.join().unwrap().is_ok());
            for other in others {
                let error = other.join().unwrap().unwrap_err();
                assert_eq!(error.raw_os_error(), Some(FULL));
            }
        });
        assert_eq!(count.into_inner(), 2);
    }

    /// A program that was just being started kept the lock of a folder of matches, and what was
    /// asked then was answered from the last listing.
    #[test]
    fn a_lock_is_released_though_somebody_else_has_a_copy_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let [first, second] = [(); 2].map(|()| open_lock(&path).unwrap());
        let copy = first.try_clone().unwrap();
        first.lock().unwrap();
        let held = HeldLock::from(first);
        assert!(second.try_lock().is_err());
        drop(held);
        second.try_lock().unwrap();
        drop(copy);
    }

    #[test]
    fn a_file_that_is_written_over_meanwhile_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old text").unwrap();
        let times = Cell::new(0);
        let first = |change: &dyn Fn()| {
            times.set(times.get() + 1);
            if times.get() == 1 {
                change();
            }
        };
        let read_while = |before: &dyn Fn(), after: &dyn Fn()| {
            times.set(0);
            let open = || {
                first(before);
                File::open(&path)
            };
            let read = |file: &File| {
                let bytes = read_open(file, 100);
                if times.get() == 1 {
                    after();
                }
                bytes
            };
            let (bytes, _) = stable(&path, open, read).unwrap();
            (String::from_utf8(bytes).unwrap(), times.get())
        };
        let write = |text: &str| fs::write(&path, text).unwrap();
        let read = read_while(&|| {}, &|| write("new text"));
        assert_eq!(read, ("new text".to_owned(), 2));
        // Its half may be read before the program looks at it.
        let read = read_while(&|| write("new"), &|| write("newer text"));
        assert_eq!(read, ("newer text".to_owned(), 2));
        let other = folder.path().join("other");
        fs::write(&other, "other text").unwrap();
        let read = read_while(&|| fs::rename(&other, &path).unwrap(), &|| {});
        assert_eq!(read, ("other text".to_owned(), 2));
        // One that gets another name keeps its text.
        let read = read_while(&|| {}, &|| fs::rename(&path, &other).unwrap());
        assert_eq!(read, ("other text".to_owned(), 1));
    }

    #[test]
    fn a_file_is_read_whole_whatever_its_length_was_said_to_be() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for length in [0, 1, 4095, 40_000] {
            let bytes: Vec<u8> = (0..=250_u8).cycle().take(length).collect();
            fs::write(&path, &bytes).unwrap();
            for said in [0, 1, bytes.len() as u64, 1 << 20] {
                let read = |most| read_whole(&File::open(&path).unwrap(), said, most).unwrap();
                assert_eq!(read(1 << 20), bytes, "{length}, said to be {said}");
                assert_eq!(read(100), bytes[..bytes.len().min(100)], "{length}");
            }
        }
    }
}
