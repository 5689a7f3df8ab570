//! Reads long files of PGN one game at a time, so that memory does not grow with them.

use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Read};
use std::mem;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::command::arguments::Input;
use crate::command::source::SourceText;
use crate::limits::TEXT;
use crate::mail::files;
use crate::mail::quoting::line::{self, Line};
use crate::notation::header;

fn is_tag(line: &str) -> bool {
    header::leading_tag(line.trim_start()).is_some()
}

/// Files of so many bytes are read game by game.
const LONG: u64 = 1 << 17;

/// A long file of PGN.
pub(super) struct LongFile {
    path: PathBuf,
    /// The length in bytes.
    pub(super) length: u64,
}

impl LongFile {
    /// Returns the file of an input, if it is long and begins with a tag of PGN.
    pub(super) fn of(input: &Input) -> Option<LongFile> {
        let Input::File(path) = input else {
            return None;
        };
        let length = path.metadata().ok().filter(Metadata::is_file)?.len();
        if length < LONG {
            return None;
        }
        let mut start = Vec::new();
        let file = File::open(path).ok()?;
        file.take(4096).read_to_end(&mut start).ok()?;
        let start = String::from_utf8_lossy(&start);
        let text = start.trim_start_matches('\u{feff}');
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let is_long = lines.next().is_some_and(is_tag);
        is_long.then(|| LongFile {
            path: path.clone(),
            length,
        })
    }

    /// Opens the file to read its games.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub(super) fn games(&self) -> Result<Games<'_>, Error> {
        let file = files::open(&self.path).map_err(|error| Error::file(&self.path, &error))?;
        Ok(Games {
            path: &self.path,
            file: BufReader::new(file),
            ahead: Vec::new(),
            line: 1,
        })
    }
}

/// The games of a long file.
pub(super) struct Games<'f> {
    path: &'f Path,
    file: BufReader<File>,
    /// The first line of the next game.
    ahead: Vec<u8>,
    /// The number of that line.
    line: usize,
}

/// The text of one game, and where it stands.
pub(super) struct GameText {
    pub(super) text: SourceText,
    /// The number of lines above it.
    above: usize,
    /// The length in bytes.
    pub(super) length: u64,
}

impl GameText {
    /// Splits the game into lines, numbered as in the file. Nobody is quoted in such a file.
    pub(super) fn lines(&self) -> Vec<Line<'_>> {
        let mut lines = line::split(&self.text.text);
        for line in &mut lines {
            line.number += self.above;
        }
        lines
    }
}

impl Iterator for Games<'_> {
    type Item = Result<GameText, Error>;

    fn next(&mut self) -> Option<Result<GameText, Error>> {
        self.read()
            .map_err(|error| Error::file(self.path, &error))
            .transpose()
    }
}

impl Games<'_> {
    /// Reads one game: up to a tag below an empty line below something else than tags.
    fn read(&mut self) -> io::Result<Option<GameText>> {
        let (above, mut lines) = (self.line - 1, 0);
        let mut bytes = mem::take(&mut self.ahead);
        if !bytes.is_empty() {
            lines += 1;
        }
        let (mut is_below_blank, mut has_moves) = (false, false);
        loop {
            let mut line = Vec::new();
            let room = TEXT.saturating_sub(bytes.len() as u64);
            let read = self.file.by_ref().take(room).read_until(b'\n', &mut line)?;
            if read == 0 && room == 0 {
                return Err(io::Error::other("a game in it has more than 64 MiB"));
            }
            let text = String::from_utf8_lossy(&line);
            let is_tag = is_tag(&text);
            if read == 0 || is_tag && is_below_blank && has_moves {
                drop(text);
                self.ahead = line;
                break;
            }
            is_below_blank = text.trim().is_empty();
            has_moves |= !is_tag && !is_below_blank;
            bytes.extend_from_slice(&line);
            lines += 1;
        }
        self.line += lines;
        Ok((!bytes.is_empty()).then(|| GameText {
            text: SourceText {
                name: self.path.display().to_string(),
                text: line::decode(&bytes).into_owned(),
            },
            above,
            length: bytes.len() as u64,
        }))
    }
}
