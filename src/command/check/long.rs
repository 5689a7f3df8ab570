//! Reads long files of PGN one game at a time, so that memory does not grow with them.

use std::collections::VecDeque;
use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Read};
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
            ahead: VecDeque::new(),
            line: 1,
        })
    }
}

/// The games of a long file.
pub(super) struct Games<'f> {
    path: &'f Path,
    file: BufReader<File>,
    /// The first lines of the next game.
    ahead: VecDeque<Vec<u8>>,
    /// The number of the first.
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
    /// Reads one game: up to a tag below an empty line below something else than tags, outside of
    /// comments.
    fn read(&mut self) -> io::Result<Option<GameText>> {
        let (above, mut length) = (self.line - 1, 0);
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let (mut is_below_blank, mut has_moves, mut is_comment) = (false, false, false);
        // The line, and the length before it, with which the next game begins unless the comment
        // around it is closed.
        let mut next: Option<(usize, usize)> = None;
        loop {
            let line = self.next_line(TEXT.saturating_sub(length as u64))?;
            let text = String::from_utf8_lossy(&line);
            let is_tag = is_tag(&text);
            if next.is_none() && is_tag && is_below_blank && has_moves {
                next = Some((lines.len(), length));
            }
            let braces = braces(&text, is_tag, is_comment);
            if let Some((_, start)) = next {
                let is_read = line.is_empty() || length - start > LONGEST_COMMENT;
                if !is_comment || is_read || braces.starts_with('{') {
                    break self.ahead.push_front(line);
                }
            }
            if braces.starts_with('}') {
                next = None;
            }
            if let Some(last) = braces.chars().last() {
                is_comment = last == '{';
            }
            if line.is_empty() {
                break;
            }
            is_below_blank = text.trim().is_empty();
            has_moves |= !is_tag && !is_below_blank;
            drop(text);
            length += line.len();
            lines.push(line);
        }
        if let Some((at, _)) = next {
            for line in lines.drain(at..).rev() {
                self.ahead.push_front(line);
            }
        }
        self.line += lines.len();
        let bytes = lines.concat();
        Ok((!bytes.is_empty()).then(|| GameText {
            text: SourceText {
                name: self.path.display().to_string(),
                text: line::decode(&bytes).into_owned(),
            },
            above,
            length: bytes.len() as u64,
        }))
    }

    /// Reads the next line, of at most so many bytes; an empty one at the end.
    fn next_line(&mut self, room: u64) -> io::Result<Vec<u8>> {
        if let Some(line) = self.ahead.pop_front() {
            return Ok(line);
        }
        let mut line = Vec::new();
        let read = self.file.by_ref().take(room).read_until(b'\n', &mut line)?;
        if read == 0 && room == 0 {
            return Err(io::Error::other("a game in it has more than 64 MiB"));
        }
        Ok(line)
    }
}

/// Returns the braces of a line that open or close a comment. A comment may be open before it.
fn braces(line: &str, is_tag: bool, is_comment: bool) -> String {
    let (mut braces, mut is_open) = (String::new(), is_comment);
    if !is_open && (is_tag || line.starts_with('%')) {
        return braces;
    }
    for sign in line.chars() {
        match sign {
            ';' if !is_open => break,
            '{' | '}' => {
                braces.push(sign);
                is_open = sign == '{';
            }
            _ => {}
        }
    }
    braces
}

/// The longest comment that is read behind tags in it, in bytes.
const LONGEST_COMMENT: usize = 1 << 20;
