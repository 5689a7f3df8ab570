//! Telling a folder of matches from a folder of something else, and a damaged file of a match
//! from any other text.

use std::fs;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use crate::mail::{Pattern, files};
use crate::match_id::Id;
use crate::matches::r#match::Match;

/// The folders that the program keeps in a games folder beside the matches.
const OURS: [&str; 3] = ["outbox", "imap", "news"];

/// The bytes of a file that are read to tell whether it is a match.
const HEAD: u64 = 64 << 10;

/// The bytes among which the headers of a match are looked for.
const HEADERS: usize = 16 << 10;

/// Returns true if a folder is empty, or holds a match or what the program keeps beside
/// matches. Hidden files do not count. A folder that cannot be read may hold matches.
///
/// The beginnings of files are read up to the first match.
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
        let file = files::open_regular(&folder.join(format!("{id}.txt")))?;
        file.take(HEAD).read_to_end(&mut head)?;
        Ok(head)
    };
    !matches!(files::look(&lock), Ok(None))
        || match head() {
            Ok(head) => is_like_match(&head),
            Err(error) => error.kind() == ErrorKind::PermissionDenied,
        }
}

/// Returns the id of the match that a state file says it is of.
pub fn id_of(bytes: &[u8]) -> Option<Id> {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(HEADERS)]);
    let headers = text.trim_start_matches('\u{feff}').strip_prefix(FIRST)?;
    let mut headers = headers
        .lines()
        .skip(1)
        .take_while(|line| !line.trim().is_empty());
    headers.find_map(|line| line.strip_prefix("Id:")?.trim().parse().ok())
}

/// Returns the id of another match if the file is a whole copy of that.
pub(super) fn copied(id: &Id, bytes: &[u8]) -> Option<Id> {
    let other = id_of(bytes).filter(|other| other != id)?;
    Match::read(bytes, &other).is_ok().then_some(other)
}

/// The first line of a state file.
const FIRST: &str = "Format: 1";

/// Returns true if there is a sign that these are the bytes of a match's file,
/// however damaged: its first line, or a line that looks like one of a log. An
/// empty file may be a match that was cut to nothing.
pub fn is_like_match(bytes: &[u8]) -> bool {
    // An editor may have put a mark before the first line.
    static SIGN: Pattern = Pattern::new(
        r"(?ix) \A [^\p{Alphabetic}\p{N}]* format [\s&&[^\n]]* [:=]
              | \d{4}-\d\d-\d\d T \d\d:\d\d:\d\d [^\s]* \s+ [a-z]+ \s+ (?: white | black | referee | - )
              | \b chain \s* [=:] \s* [0-9a-f]{16} \b
              | \b msg \s* = \s* <",
    );
    if bytes.starts_with(FIRST.as_bytes()) {
        return true;
    }
    // Other encodings have bytes of zero between the letters.
    let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    let text = String::from_utf8_lossy(&bytes);
    FIRST.starts_with(text.trim()) || SIGN.is_match(&text)
}

#[cfg(test)]
mod tests {
    use super::{is_games_folder, is_like_match};

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

    #[test]
    fn a_match_is_told_from_other_texts_however_damaged() {
        for text in [
            "",
            " \n",
            "\0\0\0\0",
            "Form",
            "Format: 1\n",
            "\u{feff}FORMAT: 1\r\nId: m\r\n",
            "> Format: 1\n> Id: m\n",
            "Format: nonsense\n",
            "Game: Chess\nChain: 5b7d09c1a2e4f680\n",
            "hello\n2026-11-20T03:05:00Z move White P>e3\n",
            "  2026-11-20t03:05:00z new - chess white=x\n",
            "F\0o\0r\0m\0a\0t\0:\0 \0\x31\0\n\0",
        ] {
            assert!(is_like_match(text.as_bytes()), "{text:?}");
        }
        for text in [
            "hello\n",
            "Shopping:\n- milk\n",
            "Game: chess tonight?\n",
            "1. P>e3 n>g5\n",
            "formats: many\n",
            "Meet on 2026-11-20 at 03:05.\n",
        ] {
            assert!(!is_like_match(text.as_bytes()), "{text:?}");
        }
        assert!(!is_like_match(b"\xff\xfe\x12hello"));
    }
}
