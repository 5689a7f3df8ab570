//! What a folder of puzzles remembers: the matches that were searched, and what was found in
//! each. A line for each match, added when it has been searched, so that a run that is broken off
//! begins again behind it. It has no names: those are in the matches.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::command::context::json;
use crate::mail::files::replace::replace;
use crate::mail::files::{self, open_to_append};
use crate::match_id::Id;

/// The file in the folder.
pub(super) const FILE: &str = "searched.jsonl";

/// The way of searching: a line of another is not believed.
const WAY: u32 = 1;

/// A match that was searched.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(super) struct Searched {
    way: u32,
    #[serde(rename = "match")]
    id: String,
    /// The hash of its moves.
    hash: String,
    /// The positions that one proof was allowed.
    nodes: u64,
    /// The positions of the match that would have taken longer.
    pub(super) too_long: usize,
    pub(super) puzzles: Vec<FoundPuzzle>,
}

/// A puzzle that was found in a match.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(super) struct FoundPuzzle {
    /// The half-moves made before.
    pub(super) ply: usize,
    /// The solution, in canonical form.
    pub(super) line: Vec<String>,
    pub(super) is_line_unique: bool,
}

impl Searched {
    /// A match that is being searched.
    pub(super) fn of(id: &Id, hash: String, nodes: u64) -> Searched {
        Searched {
            way: WAY,
            id: id.to_string(),
            hash,
            nodes,
            too_long: 0,
            puzzles: Vec::new(),
        }
    }
}

/// Bytes of the file: some hundred thousand matches.
const LONGEST: u64 = 256 << 20;

/// All that is remembered.
#[derive(Default)]
pub(super) struct Memory {
    /// None if nothing is kept.
    path: Option<PathBuf>,
    known: BTreeMap<String, Searched>,
    /// The matches that are still there.
    kept: BTreeSet<String>,
    /// True if the file has a line that is of no use.
    is_stale: bool,
}

impl Memory {
    /// Reads the file, or makes it. Of a line that is torn nothing is remembered.
    ///
    /// # Errors
    ///
    /// If it can be neither read nor made.
    pub(super) fn open(path: PathBuf) -> Result<Memory, Error> {
        let read = files::must_be_file(&path).and_then(|()| files::read(&path, LONGEST));
        let text = match read {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                replace(&path, b"").map_err(|error| Error::file(&path, &error))?;
                Vec::new()
            }
            Err(error) => return Err(Error::file(&path, &error)),
        };
        let mut memory = Memory::default();
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let whole = line.strip_suffix(b"\n");
            let read = whole.and_then(|line| serde_json::from_slice::<Searched>(line).ok());
            match read.filter(|searched| searched.way == WAY) {
                Some(searched) => {
                    let old = memory.known.insert(searched.id.clone(), searched);
                    memory.is_stale |= old.is_some();
                }
                None => memory.is_stale = true,
            }
        }
        memory.path = Some(path);
        // What is added stands behind whole lines.
        if memory.is_stale {
            memory.rewrite(|_| true)?;
        }
        Ok(memory)
    }

    /// Returns what was found in a match, if it was searched as it is, by as many positions, or by
    /// fewer that were enough.
    pub(super) fn find(&self, id: &Id, hash: &str, nodes: u64) -> Option<&Searched> {
        let known = self.known.get(id.as_str())?;
        let is_enough = known.nodes == nodes || known.too_long == 0 && known.nodes < nodes;
        (known.hash == hash && is_enough).then_some(known)
    }

    /// The positions of a match that would have taken too long.
    pub(super) fn too_long(&self, id: &Id) -> usize {
        self.known
            .get(id.as_str())
            .map_or(0, |known| known.too_long)
    }

    /// Notes that a match is still there.
    pub(super) fn keep(&mut self, id: &str) {
        self.kept.insert(id.to_owned());
    }

    /// Remembers a match, on the disk before the next one is searched.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn add(&mut self, searched: Searched) -> Result<(), Error> {
        if let Some(path) = &self.path {
            let line = json(&searched)? + "\n";
            let added = open_to_append(path).and_then(|mut file| file.write_all(line.as_bytes()));
            added.map_err(|error| Error::file(path, &error))?;
        }
        let id = searched.id.clone();
        self.keep(&id);
        self.is_stale |= self.known.insert(id, searched).is_some();
        Ok(())
    }

    /// Forgets the matches that are not there any more.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        let is_kept = |id: &String| self.kept.contains(id);
        if self.is_stale || !self.known.keys().all(is_kept) {
            self.rewrite(is_kept)?;
        }
        Ok(())
    }

    fn rewrite(&self, is_kept: impl Fn(&String) -> bool) -> Result<(), Error> {
        let Some(path) = self.path.as_deref() else {
            return Ok(());
        };
        let known = self.known.iter().filter(|(id, _)| is_kept(id));
        let lines = known.map(|(_, searched)| Ok(json(searched)? + "\n"));
        let text = lines.collect::<Result<String, Error>>()?;
        replace(path, text.as_bytes()).map_err(|error| Error::file(path, &error))
    }
}
