//! Helpers for files and folders: looking, reading, and making them durable.

pub(crate) mod access;
mod regular;
pub(crate) mod replace;

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

pub(crate) use regular::must_be_file;
use regular::not_a_file;

/// Returns the metadata of a path, or `None` if nothing exists there.
///
/// # Errors
///
/// If the path cannot be examined, which does not prove that nothing exists.
pub(crate) fn look(path: &Path) -> io::Result<Option<Metadata>> {
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
pub(crate) fn is_folder(path: &Path) -> io::Result<bool> {
    Ok(look(path)?.is_some_and(|found| found.is_dir()))
}

/// Opens a file that a person names. A named pipe is refused: to open one waits
/// for somebody to write to it, perhaps for ever. What a shell passes as
/// `/dev/fd/N` is a pipe that is open already.
///
/// # Errors
///
/// If it cannot be opened or is a named pipe.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let open_already = ["/dev/stdin", "/dev/fd", "/proc/self/fd"];
        let is_open = open_already.iter().any(|open| path.starts_with(open));
        if !is_open && fs::metadata(path)?.file_type().is_fifo() {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                "this is a named pipe, which may never be written to; '< FILE' reads it as standard input",
            ));
        }
    }
    File::open(path)
}

/// Reads a file that the program has written: a regular file of at most `most`
/// bytes.
///
/// # Errors
///
/// If it cannot be read, is not a regular file or is longer.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_with_metadata(path, most).map(|(bytes, _)| bytes)
}

/// Reads a file as [`read`] does, and returns the metadata of the very file
/// that was read.
///
/// # Errors
///
/// As [`read`].
pub(crate) fn read_with_metadata(path: &Path, most: u64) -> io::Result<(Vec<u8>, Metadata)> {
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(not_a_file(&found));
    }
    let file = File::open(path)?;
    let found = file.metadata()?;
    Ok((read_open(&file, most)?, found))
}

/// Reads the rest of a file that has been opened: a regular file of at most `most` bytes.
///
/// # Errors
///
/// As [`read`].
pub(crate) fn read_open(file: &File, most: u64) -> io::Result<Vec<u8>> {
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(not_a_file(&found));
    }
    if found.len() > most {
        return Err(io::Error::new(
            ErrorKind::InvalidData,
            format!("this file is longer than {} MiB", most >> 20),
        ));
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

/// Retries on EINTR, for calls that the standard library does not retry.
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

/// Creates a folder and its parents durably, for the user alone or for the group
/// of a shared parent. An existing folder is no error.
///
/// # Errors
///
/// If the folder cannot be created.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || is_folder(path)? {
        return Ok(());
    }
    let parent = path.parent().unwrap_or(Path::new(""));
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
pub(crate) fn make_one_folder(path: &Path) -> io::Result<()> {
    if is_folder(path)? {
        return Ok(());
    }
    let parent = path.parent().unwrap_or(Path::new(""));
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
            access::limit_folder(path, parent)?;
        }
    }
    Ok(())
}

/// Makes the names in a folder durable.
///
/// # Errors
///
/// If the system reports an error.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    // Other systems cannot open a folder as a file, and do not need to.
    if cfg!(unix) {
        File::open(path)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
