//! Telling a folder of matches from a folder of something else.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use crate::files;
use crate::match_id::Id;
use crate::store::signs::is_like_match;

/// What the program keeps in a games folder beside the matches.
const OURS: [&str; 2] = ["outbox", "imap"];

/// The bytes of a file that are read to tell whether it is a match.
const HEAD: u64 = 64 << 10;

/// Returns true if a folder is empty, or holds a match or what the program keeps beside
/// matches. Hidden files do not count. A folder that cannot be read may hold matches.
///
/// The beginnings of files are read up to the first match.
#[must_use]
pub fn is_games_folder(folder: &Path) -> bool {
    if OURS.iter().any(|name| folder.join(name).is_dir()) {
        return true;
    }
    let Ok(entries) = fs::read_dir(folder) else {
        return true;
    };
    let mut is_empty = true;
    for entry in entries {
        let Ok(entry) = entry else { return true };
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        is_empty = false;
        let id = name
            .split_once(".txt")
            .map(|(id, rest)| (id.parse::<Id>(), rest));
        let is_match = match id {
            Some((Ok(id), "")) => is_match(folder, &id),
            Some((Ok(_), rest)) => rest.starts_with(".damaged-"),
            _ => false,
        };
        if is_match {
            return true;
        }
    }
    is_empty
}

/// Returns true if there is a match's file, however damaged, or its lock.
fn is_match(folder: &Path, id: &Id) -> bool {
    let lock = folder.join(format!(".{id}.lock"));
    let head = || -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        let file = File::open(folder.join(format!("{id}.txt")))?;
        file.take(HEAD).read_to_end(&mut head)?;
        Ok(head)
    };
    !matches!(files::look(&lock), Ok(None))
        || match head() {
            Ok(head) => is_like_match(&head),
            Err(error) => error.kind() == ErrorKind::PermissionDenied,
        }
}

#[cfg(test)]
mod tests {
    use super::is_games_folder;

    #[test]
    fn a_folder_of_something_else_is_no_folder_of_matches() {
        for (files, expected) in [
            (&[][..], true),
            (&[(".gitkeep", "")], true),
            (&[("outbox/1.eml", "")], true),
            (&[("imap/x", "")], true),
            (&[("g7.txt", "Format: 1\n"), ("README.md", "")], true),
            (&[("g7.txt.damaged-1", "")], true),
            (&[("notes.txt", "hello"), (".notes.lock", "")], true),
            (&[("pong.py", "import pygame\n")], false),
            (&[("notes.txt", "buy milk\n"), ("chess/x", "")], false),
            (&[("Read Me.txt", "Format: 1\n")], false),
        ] {
            let folder = tempfile::tempdir().unwrap();
            for (name, text) in files {
                let path = folder.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            assert_eq!(is_games_folder(folder.path()), expected, "{files:?}");
        }
    }
}
