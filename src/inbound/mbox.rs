//! The messages of an mbox, whichever of its four habits wrote it.
//!
//! Each message stands below a line `From SENDER DATE`, its postmark. The
//! habits differ in what keeps a line of the text from being taken for one:
//!
//! | habit | a line `From ` is written | the header has |
//! |---|---|---|
//! | mboxo | `>From ` | |
//! | mboxrd | `>From `, and `>From ` is written `>>From ` | |
//! | mboxcl | `>From ` | `Content-Length` |
//! | mboxcl2 | as it is | `Content-Length` |
//!
//! Nothing says which it is, and `Content-Length` may come from a stranger. It
//! is believed where the text ends as it says, before a postmark or the end of
//! the file, and nowhere else; there the text is taken as it stands, but for
//! lines that only mboxcl can have written. Behind an entry that has none, which
//! mboxcl2 has not written, it is not believed where its text would hold what
//! looks like further entries: a stranger's could hide the letters behind it.
//! All else is read as mboxrd, which is mboxo where nobody writes `>From ` of
//! his own.

use std::io::{self, BufRead, Read};
use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::limits;

/// As much of a message as is kept: enough to show that it is too long.
const ENOUGH: usize = limits::MESSAGE + 1;

/// The longest postmark that is looked for, in bytes.
const LONGEST_POSTMARK: usize = 1000;

/// The messages in a stream: the one it holds, or all of an mbox, which is told
/// by its first line.
pub struct Messages<R> {
    stream: Ahead<R>,
    place: Place,
    /// Whether its line ends may have become CR LF after the lengths were
    /// written: until one has been wrong so counted, too.
    may_be_converted: bool,
    /// Whether every entry so far has said its length, or tried to.
    is_measured: bool,
}

enum Place {
    /// Nothing has been read.
    Start,
    /// In an mbox, behind a postmark.
    Mbox,
    /// All has been read.
    End,
}

impl<R: BufRead> Messages<R> {
    /// The messages in that stream.
    pub fn new(stream: R) -> Messages<R> {
        Messages {
            stream: Ahead {
                stream,
                held: Vec::new(),
                start: 0,
                used: 0,
            },
            place: Place::Start,
            may_be_converted: true,
            is_measured: true,
        }
    }

    /// The one message in that stream, as a mail server hands it over. A `From `
    /// line before its header is passed over.
    ///
    /// # Errors
    ///
    /// If the stream cannot be read.
    pub fn single(stream: R) -> io::Result<Vec<u8>> {
        let mut stream = Messages::new(stream).stream;
        let mut message = stream.line()?;
        if message.starts_with(b"From ") {
            message.clear();
        }
        stream.rest(&mut message)?;
        Ok(message)
    }

    /// How many bytes the messages so far have taken.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.stream.used
    }

    fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.place {
            Place::End => Ok(None),
            Place::Mbox => self.entry().map(Some),
            Place::Start => {
                let mut message = self.stream.line()?;
                if message.starts_with(b"From ") {
                    self.place = Place::Mbox;
                    return self.entry().map(Some);
                }
                self.place = Place::End;
                self.stream.rest(&mut message)?;
                Ok(Some(message))
            }
        }
    }

    /// The rest of an entry: its message, and the next postmark.
    fn entry(&mut self) -> io::Result<Vec<u8>> {
        let mut message = Vec::new();
        let mut length = Length::Unsaid;
        let is_crlf = loop {
            let line = self.stream.line()?;
            // An entry that was cut short in its header.
            if line.is_empty() || (!message.is_empty() && is_postmark(&line)) {
                return Ok(self.ended(message, &line));
            }
            length = length.and(&line);
            keep(&mut message, unescaped(&line));
            if is_blank(&line) {
                break line == b"\r\n";
            }
        };
        self.is_measured &= length != Length::Unsaid;
        if let Length::Said(length) = length
            && let Some(length) = self.extent(length, is_crlf)?
            && (self.is_measured || !self.hides(length)?)
        {
            keep(&mut message, &as_written(self.stream.take(length)));
            loop {
                let line = self.stream.line()?;
                if !is_blank(&line) {
                    return Ok(self.ended(message, &line));
                }
            }
        }
        let mut after_blank = true;
        loop {
            let line = self.stream.line()?;
            if line.is_empty() || (after_blank && is_postmark(&line)) {
                return Ok(self.ended(message, &line));
            }
            after_blank = is_blank(&line);
            keep(&mut message, unescaped(&line));
        }
    }

    /// The message of an entry that ends before that line, which is empty at
    /// the end of the stream.
    fn ended(&mut self, message: Vec<u8>, line: &[u8]) -> Vec<u8> {
        if line.is_empty() {
            self.place = Place::End;
        }
        message
    }
}

impl<R: BufRead> Messages<R> {
    /// How many bytes a text of that length takes; none where the length is
    /// not to be believed.
    fn extent(&mut self, length: usize, is_crlf: bool) -> io::Result<Option<usize>> {
        if let Some(length) = self.ends_at(length)? {
            return Ok(Some(length));
        }
        if !is_crlf || !self.may_be_converted {
            return Ok(None);
        }
        let length = match self.stretched(length)? {
            Some(length) => self.ends_at(length)?,
            None => None,
        };
        self.may_be_converted = length.is_some();
        Ok(length)
    }

    /// Whether a text may end after so many bytes, with its last line: before
    /// an empty line and a postmark, or the end.
    fn ends_at(&mut self, length: usize) -> io::Result<Option<usize>> {
        if length > limits::MESSAGE {
            return Ok(None);
        }
        let ahead = self.stream.peek(length + LONGEST_POSTMARK)?;
        let Some((text, mut rest)) = ahead.split_at_checked(length) else {
            return Ok(None);
        };
        let line_end = |rest: &[u8]| match rest {
            [b'\r', b'\n', ..] => 2,
            [b'\n', ..] => 1,
            _ => 0,
        };
        // The length may leave out the end of the last line, not half of it.
        let is_whole = text.is_empty() || text.ends_with(b"\n");
        let missing = if is_whole { 0 } else { line_end(rest) };
        let is_half = text.ends_with(b"\r") && rest.starts_with(b"\n");
        rest = &rest[missing..];
        rest = &rest[line_end(rest)..];
        let line = rest.split_inclusive(|byte| *byte == b'\n').next();
        let is_line = is_whole || missing > 0;
        let is_end = line.is_none_or(|line| is_line && is_postmark(line));
        Ok((is_end && !is_half).then_some(length + missing))
    }

    /// Whether what looks like another entry stands in the next bytes.
    fn hides(&mut self, length: usize) -> io::Result<bool> {
        let text = self.stream.peek(length)?;
        let mut after_blank = true;
        Ok(text.split_inclusive(|byte| *byte == b'\n').any(|line| {
            let is_entry = after_blank && is_postmark(line);
            after_blank = is_blank(line);
            is_entry
        }))
    }

    /// How many bytes a text takes whose length was counted when its lines
    /// ended in LF.
    fn stretched(&mut self, length: usize) -> io::Result<Option<usize>> {
        if length > limits::MESSAGE {
            return Ok(None);
        }
        let ahead = self.stream.peek(2 * length)?;
        let (mut left, mut at) = (length, 0);
        while left > 0 && at < ahead.len() {
            at += 1 + usize::from(ahead[at..].starts_with(b"\r\n"));
            left -= 1;
        }
        Ok((left == 0).then_some(at))
    }
}

impl<R: BufRead> Iterator for Messages<R> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        let result = self.read();
        if result.is_err() {
            self.place = Place::End;
        }
        result.transpose()
    }
}

/// What a header says about the length of its text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Unsaid,
    Said(usize),
    /// Two things that cannot both be, or none that is a length.
    Nonsense,
}

impl Length {
    /// With a further line of the header.
    fn and(self, line: &[u8]) -> Length {
        const NAME: &[u8] = b"Content-Length:";
        let Some((name, value)) = line.split_at_checked(NAME.len()) else {
            return self;
        };
        if !name.eq_ignore_ascii_case(NAME) {
            return self;
        }
        let value = value.trim_ascii();
        let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
        let number = str::from_utf8(value)
            .ok()
            .and_then(|text| text.parse().ok());
        match (self, number.filter(|_| is_number)) {
            (Length::Unsaid, Some(length)) => Length::Said(length),
            (Length::Said(before), Some(length)) if before == length => self,
            _ => Length::Nonsense,
        }
    }
}

/// A stream that can be looked ahead in.
struct Ahead<R> {
    stream: R,
    /// What was read of it, used up to `start`.
    held: Vec<u8>,
    start: usize,
    /// How many bytes were used in all.
    used: u64,
}

impl<R: BufRead> Ahead<R> {
    /// The next so many bytes, fewer if the stream ends.
    fn peek(&mut self, length: usize) -> io::Result<&[u8]> {
        let held = self.held.len() - self.start;
        if let Some(missing) = length.checked_sub(held) {
            // Less is moved than was used since the last time.
            if self.start >= held {
                self.held.drain(..self.start);
                self.start = 0;
            }
            let mut more = self.stream.by_ref().take(missing as u64);
            more.read_to_end(&mut self.held)?;
        }
        let end = self.held.len().min(self.start + length);
        Ok(&self.held[self.start..end])
    }

    /// The next bytes, as many as have been seen ahead.
    fn take(&mut self, length: usize) -> &[u8] {
        let start = self.start;
        self.start += length;
        self.used += length as u64;
        &self.held[start..self.start]
    }

    /// The next line with its end, or as much of it as is kept at a time;
    /// empty at the end of the stream.
    fn line(&mut self) -> io::Result<Vec<u8>> {
        let held = &self.held[self.start..];
        let end = held.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(held.len(), |end| end + 1).min(ENOUGH);
        let mut line = self.take(length).to_vec();
        if self.start == self.held.len() {
            (self.held, self.start) = (Vec::new(), 0);
        }
        if !line.ends_with(b"\n") {
            let mut more = self.stream.by_ref().take((ENOUGH - length) as u64);
            self.used += more.read_until(b'\n', &mut line)? as u64;
        }
        Ok(line)
    }

    /// Puts all that is left behind a message, or as much of it as is kept.
    fn rest(&mut self, message: &mut Vec<u8>) -> io::Result<()> {
        let held = self.held.len() - self.start;
        message.extend_from_slice(self.take(held));
        let mut more = self.stream.by_ref().take(ENOUGH as u64);
        self.used += more.read_to_end(message)? as u64;
        Ok(())
    }
}

/// Puts a part behind a message, as long as that is not too long already.
fn keep(message: &mut Vec<u8>, part: &[u8]) {
    if message.len() <= limits::MESSAGE {
        message.extend_from_slice(part);
    }
}

fn is_blank(line: &[u8]) -> bool {
    line == b"\n" || line == b"\r\n"
}

/// Whether a line begins an entry: `From `, a sender, and a date with a time of
/// day and a year, in one of the ways in which programs write it.
fn is_postmark(line: &[u8]) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?x-u) ^From\ (?:.*\s)?
            (?: (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ,?\s+ )?
            (?: (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \s+ \d{1,2} \s+
                \d{1,2}:\d{2}(?::\d{2})? (?: \s+ [-+A-Z0-9]{1,6} ){0,2}? \s+ \d{4}
              | \d{1,2} \s+ (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \s+ \d{4} \s+
                \d{1,2}:\d{2}(?::\d{2})?
              | \d{4}-\d{2}-\d{2} [T\ ] \d{2}:\d{2}(?::\d{2})? Z?
            )
            (?: \s+ [-+A-Z][A-Z0-9:]{1,5} )? (?: \s+ remote\ from\ \S+ )? \s*$",
        )
        .expect("the pattern is well-formed")
    });
    line.starts_with(b"From ") && PATTERN.is_match(line)
}

/// Whether a line is `From ` behind so many `>`.
fn is_from(line: &[u8], marks: usize) -> bool {
    line.len() > marks
        && line[..marks].iter().all(|byte| *byte == b'>')
        && line[marks..].starts_with(b"From ")
}

/// A line without the `>` that mboxrd and mboxo hide a `From ` with.
fn unescaped(line: &[u8]) -> &[u8] {
    let marks = line.iter().take_while(|byte| **byte == b'>').count();
    if marks > 0 && is_from(line, marks) {
        &line[1..]
    } else {
        line
    }
}

/// A text whose length is known. Where a bare `From ` stands in it, nothing was
/// hidden (mboxcl2). Else a `>From ` was hidden by mboxcl, unless the lines
/// beside it are quoted, too: then it is a line of a quotation.
fn as_written(text: &[u8]) -> Vec<u8> {
    let lines = || text.split_inclusive(|byte| *byte == b'\n');
    if lines().any(|line| is_from(line, 0)) {
        return text.to_vec();
    }
    let is_quoted = |line: &[u8]| line.starts_with(b">") && !is_from(line, 1);
    let mut written = Vec::with_capacity(text.len());
    let mut is_below_quoted = false;
    let mut rest = lines().peekable();
    while let Some(line) = rest.next() {
        let is_above_quoted = rest.peek().is_some_and(|next| is_quoted(next));
        let is_hidden = is_from(line, 1) && !is_below_quoted && !is_above_quoted;
        written.extend_from_slice(&line[usize::from(is_hidden)..]);
        is_below_quoted = is_quoted(line);
    }
    written
}
