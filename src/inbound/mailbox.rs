//! Where messages come from: a file that holds one, an mbox, a Maildir, an MH
//! folder, a folder of `.eml` files. Nothing is moved, marked or deleted there.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::inbound::mbox::Messages;
use crate::{Error, files};

/// The files below a path that hold messages: the file itself, or all messages
/// of a Maildir, of an MH folder or of a folder of `.eml` files such as our own
/// outbox, oldest first.
///
/// # Errors
///
/// If the path cannot be read, or is a folder of another kind.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let is_folder = |path: &Path| files::is_folder(path).map_err(|error| Error::file(path, &error));
    if !is_folder(path)? {
        return Ok(vec![path.to_path_buf()]);
    }
    let (new, cur) = (path.join("new"), path.join("cur"));
    if is_folder(&new)? && is_folder(&cur)? {
        let mut found = list(&new)?;
        found.extend(list(&cur)?);
        found.sort_by_cached_key(|file| (file.seconds(), file.written, file.name().to_owned()));
        return Ok(paths(found));
    }
    let mut found = list(path)?;
    let number = |file: &Found| file.name().parse::<u64>().ok();
    if found.iter().any(|file| number(file).is_some()) {
        found.retain(|file| number(file).is_some());
        found.sort_by_key(number);
    } else {
        found.retain(|file| file.path.extension().is_some_and(|end| end == "eml"));
        found.sort_by_cached_key(|file| (file.written, file.path.clone()));
    }
    if found.is_empty() {
        return Err(Error::refused(format!(
            "{}: no messages here: no Maildir (no 'new' and 'cur'), no MH folder (no numbered files), no .eml files",
            path.display()
        )));
    }
    Ok(paths(found))
}

/// How many bytes a file has; 0 if nobody knows, as of a pipe.
#[must_use]
pub fn size(path: &PathBuf) -> u64 {
    fs::metadata(path).map_or(0, |data| data.len())
}

/// A file of a folder.
struct Found {
    path: PathBuf,
    /// When it was written, if the system knows.
    written: Option<SystemTime>,
}

impl Found {
    fn name(&self) -> &str {
        name(&self.path).unwrap_or_default()
    }

    /// The seconds that a Maildir's file is named by.
    fn seconds(&self) -> u64 {
        let digits = self.name().split('.').next();
        digits
            .and_then(|digits| digits.parse().ok())
            .unwrap_or_default()
    }
}

fn paths(found: Vec<Found>) -> Vec<PathBuf> {
    found.into_iter().map(|file| file.path).collect()
}

/// The files of a folder that are not hidden.
fn list(folder: &Path) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    let entries = files::retry_on_eintr(|| fs::read_dir(folder))
        .map_err(|error| Error::file(folder, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| Error::file(folder, &error))?.path();
        let is_hidden = name(&path).is_none_or(|name| name.starts_with('.'));
        // A file that cannot be looked at must not be passed over: the ones
        // behind it would be read before it.
        let data = files::look(&path).map_err(|error| Error::file(&path, &error))?;
        if let Some(data) = data.filter(|data| data.is_file() && !is_hidden) {
            let written = data.modified().ok();
            found.push(Found { path, written });
        }
    }
    Ok(found)
}

fn name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// The messages of a file.
///
/// # Errors
///
/// If it cannot be opened.
pub fn open(path: &Path) -> Result<Messages<BufReader<File>>, Error> {
    let file = File::open(path).map_err(|error| Error::file(path, &error))?;
    Ok(Messages::new(BufReader::new(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maildir_is_read_oldest_first_without_its_hidden_files() {
        let folder = tempfile::tempdir().unwrap();
        for sub in ["new", "cur", "tmp"] {
            fs::create_dir(folder.path().join(sub)).unwrap();
        }
        for file in [
            "new/20.b.host",
            "cur/9.a.host:2,S",
            "new/100.c.host",
            "tmp/1.x.host",
            "new/.hidden",
        ] {
            fs::write(folder.path().join(file), "x").unwrap();
        }
        let found: Vec<String> = files(folder.path())
            .unwrap()
            .iter()
            .map(|file| {
                file.strip_prefix(folder.path())
                    .unwrap()
                    .display()
                    .to_string()
            })
            .collect();
        assert_eq!(
            found,
            ["cur/9.a.host:2,S", "new/20.b.host", "new/100.c.host"]
        );
    }

    #[test]
    fn an_mh_folder_is_read_by_number_and_another_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(files(folder.path()).is_err());
        for file in ["10", "9", ".mh_sequences", "notes"] {
            fs::write(folder.path().join(file), "x").unwrap();
        }
        let found: Vec<_> = files(folder.path()).unwrap();
        assert_eq!(found, [folder.path().join("9"), folder.path().join("10")]);
    }
}
