//! Maildir: a folder with the subfolders `new` and `cur`, one file for each message.

use std::path::{Path, PathBuf};

use crate::inbound::sources::listing::{self, FolderFile};
use crate::{Error, files};

/// Returns the messages of a Maildir, oldest first, or none if the folder is no
/// Maildir.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn files(folder: &Path) -> Result<Option<Vec<PathBuf>>, Error> {
    let mut found = Vec::new();
    for sub in ["new", "cur"] {
        let folder = folder.join(sub);
        if !files::is_folder(&folder).map_err(|error| Error::file(&folder, &error))? {
            return Ok(None);
        }
        found.push(folder);
    }
    let [new, cur] = [listing::list(&found[0])?, listing::list(&found[1])?];
    let mut found: Vec<FolderFile> = new.into_iter().chain(cur).collect();
    found.sort_by_cached_key(|file| (seconds(file), file.written, file.name().to_owned()));
    Ok(Some(found.into_iter().map(|file| file.path).collect()))
}

/// Returns the delivery time in seconds that the file name starts with.
fn seconds(file: &FolderFile) -> u64 {
    let digits = file.name().split('.').next();
    digits
        .and_then(|digits| digits.parse().ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;

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
}
