//! The folder of a site: its files are replaced one by one, and nothing else is touched.

use std::collections::HashSet;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Error;
use crate::render::page::ARCHIVED;
use crate::render::site;

/// The bytes at the start of a page that have its stamp.
const HEAD: usize = 1024;

/// The folder of the site.
pub(super) struct SiteFolder {
    path: PathBuf,
    /// The files written so far: each thread writes under a name of its own.
    written: AtomicUsize,
}

impl SiteFolder {
    /// Makes the folder, unless it is one that holds something else.
    pub(super) fn open(folder: &Path) -> Result<SiteFolder, Error> {
        let fault = |error| Error::file(folder, &error);
        fs::create_dir_all(folder).map_err(fault)?;
        let index = folder.join("index.html");
        let is_empty = fs::read_dir(folder).map_err(fault)?.next().is_none();
        if !is_empty && stamp(&index).map_err(fault)?.is_none() {
            return Err(Error::refused(format!(
                "{}: this folder holds something else than an archive of parapost; name another, or a new one",
                folder.display()
            )));
        }
        for name in site::FOLDERS {
            fs::create_dir_all(folder.join(name)).map_err(fault)?;
        }
        // A run that is broken off is known as an archive by the next one.
        let site = SiteFolder {
            path: folder.to_owned(),
            written: AtomicUsize::new(0),
        };
        if is_empty {
            for file in site::files(&[], None) {
                site.put(&file.path, file.text.as_bytes())?;
            }
        }
        Ok(site)
    }

    /// Writes a file, in full or not at all, unless it is there with the same bytes. The
    /// next run writes what a crash has spoilt, so nothing waits for the disk.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path.join(name);
        if fs::read(&path).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let new = format!(".parapost-{}-{number}.tmp", process::id());
        let new = self.path.join(new);
        fs::write(&new, bytes)
            .and_then(|()| fs::rename(&new, &path))
            .map_err(|error| {
                let _ = fs::remove_file(&new);
                Error::file(&path, &error)
            })
    }

    /// Removes the pages of the site that are none any more, and returns their number.
    pub(super) fn clean(&self, pages: &HashSet<String>) -> Result<usize, Error> {
        let mut removed = 0;
        for name in site::FOLDERS {
            let folder = self.path.join(name);
            let fault = |error: io::Error| Error::file(&folder, &error);
            for entry in fs::read_dir(&folder).map_err(fault)? {
                let path = entry.map_err(fault)?.path();
                let file = path.file_name().and_then(|file| file.to_str());
                let Some(file) =
                    file.filter(|_| path.extension().is_some_and(|kind| kind == "html"))
                else {
                    continue;
                };
                if pages.contains(&format!("{name}/{file}")) {
                    continue;
                }
                if stamp(&path).map_err(fault)?.is_some() {
                    fs::remove_file(&path).map_err(fault)?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }

    /// Returns the stamp of a page; none if it has none, or is not there.
    pub(super) fn stamp(&self, name: &str) -> Result<Option<String>, Error> {
        let path = self.path.join(name);
        stamp(&path).map_err(|error| Error::file(&path, &error))
    }
}

impl fmt::Display for SiteFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(f)
    }
}

/// Returns the stamp of a page of a site; none if the file is none, or is not there.
fn stamp(path: &Path) -> io::Result<Option<String>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut head = Vec::new();
    file.take(HEAD as u64).read_to_end(&mut head)?;
    let head = String::from_utf8_lossy(&head);
    let stamp = head.split_once(ARCHIVED).map(|(_, behind)| behind);
    let stamp = stamp.and_then(|behind| behind.split_once('"'));
    Ok(stamp.map(|(stamp, _)| stamp.to_owned()))
}
