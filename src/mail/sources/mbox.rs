//! Splits an mbox, in any of its four variants, into messages.
//!
//! Each message follows a line `From SENDER DATE`, its postmark. The variants differ in
//! how they keep a line of the text from looking like a postmark:
//!
//! | variant | a line `From ` is written | the header has |
//! |---|---|---|
//! | mboxo | `>From ` | |
//! | mboxrd | `>From `, and `>From ` is written `>>From ` | |
//! | mboxcl | `>From ` | `Content-Length` |
//! | mboxcl2 | as it is | `Content-Length` |
//!
//! Nothing names the variant, and a stranger can send a `Content-Length`. It is used
//! only if it is the only one, and a postmark or the end of the file follows a text of
//! that length. Such a text
//! is taken as it is, except for lines that only mboxcl can have written. After an
//! entry without a length, which mboxcl2 never writes, a length is ignored if its text
//! would contain further entries: a stranger could hide other messages that way.
//! Everything else is read as mboxrd; mboxo is the same unless somebody writes `>From `
//! in a text.

use std::io::{self, BufRead, Read};
use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::limits;

/// The most bytes of a message that are kept: enough to show that it is too long.
const ENOUGH: usize = limits::MESSAGE + 1;

/// The longest postmark, in bytes.
const LONGEST_POSTMARK: usize = 1000;

/// The messages in a stream. Only one is in memory at a time.
pub struct Messages<R> {
    stream: LookaheadReader<R>,
    state: ReadState,
    /// True while line ends may have become CR LF after the lengths were written. False
    /// once a length was wrong even when counted that way.
    may_be_converted: bool,
    /// True if every entry so far had a `Content-Length`, right or wrong.
    is_measured: bool,
}

enum ReadState {
    /// Before the first line of a stream that may be an mbox.
    Start,
    /// Before the only message.
    Only,
    /// In an mbox, after a postmark.
    Mbox,
    End,
}

impl<R: BufRead> Messages<R> {
    /// Makes an iterator over the messages in a stream: all of an mbox if the first
    /// line is a postmark, or else the whole stream as one message.
    pub fn new(stream: R) -> Messages<R> {
        Messages::at(ReadState::Start, stream)
    }

    /// Makes an iterator over the only message in a stream, as a mail server hands it
    /// over. Skips a `From ` line before its header.
    pub fn only(stream: R) -> Messages<R> {
        Messages::at(ReadState::Only, stream)
    }

    fn at(state: ReadState, stream: R) -> Messages<R> {
        Messages {
            stream: LookaheadReader {
                stream,
                held: Vec::new(),
                start: 0,
                used: 0,
            },
            state,
            may_be_converted: true,
            is_measured: true,
        }
    }

    /// Reads a stream as one message, as a mail server hands it over. Skips a
    /// `From ` line before its header.
    ///
    /// # Errors
    ///
    /// If the stream cannot be read.
    pub fn single(stream: R) -> io::Result<Vec<u8>> {
        Messages::only(stream).read_only()
    }

    /// Reads a stream as one message, as [`Messages::single`] does. Returns `None` if a
    /// `From ` line before its header and a later one make it look like an mbox: then
    /// nobody can tell whether the second one begins a message or is a part of the
    /// first, which its sender may have written.
    ///
    /// # Errors
    ///
    /// If the stream cannot be read.
    pub fn single_or_several(stream: R) -> io::Result<Option<Vec<u8>>> {
        let mut stream = Messages::only(stream).stream;
        let mut message = stream.line()?;
        if !message.starts_with(b"From ") {
            stream.rest(&mut message)?;
            return Ok(Some(message));
        }
        message.clear();
        let (mut is_in_header, mut is_below_blank) = (true, false);
        loop {
            let line = stream.line()?;
            if line.is_empty() {
                return Ok(Some(message));
            }
            let may_begin = is_below_blank || (is_in_header && !message.is_empty());
            if may_begin && is_postmark(&line) {
                return Ok(None);
            }
            is_below_blank = is_blank(&line);
            is_in_header &= !is_below_blank;
            keep(&mut message, &line);
        }
    }

    /// Returns the size in bytes of the messages so far.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.stream.used
    }

    fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.state {
            ReadState::End => Ok(None),
            ReadState::Mbox => self.entry().map(Some),
            ReadState::Only => {
                self.state = ReadState::End;
                self.read_only().map(Some)
            }
            ReadState::Start => {
                let mut message = self.stream.line()?;
                if message.starts_with(b"From ") {
                    self.state = ReadState::Mbox;
                    return self.entry().map(Some);
                }
                self.state = ReadState::End;
                self.stream.rest(&mut message)?;
                Ok(Some(message))
            }
        }
    }

    fn read_only(&mut self) -> io::Result<Vec<u8>> {
        let mut message = self.stream.line()?;
        if message.starts_with(b"From ") {
            message.clear();
        }
        self.stream.rest(&mut message)?;
        Ok(message)
    }

    /// Reads the rest of an entry and the next postmark.
    fn entry(&mut self) -> io::Result<Vec<u8>> {
        let mut message = Vec::new();
        let mut length = ContentLength::Absent;
        let is_crlf = loop {
            let line = self.stream.line()?;
            // The entry ends in its header.
            if line.is_empty() || (!message.is_empty() && is_postmark(&line)) {
                return Ok(self.ended(message, &line));
            }
            length = length.and(&line);
            keep(&mut message, unescaped(&line));
            if is_blank(&line) {
                break line == b"\r\n";
            }
        };
        self.is_measured &= length != ContentLength::Absent;
        if let ContentLength::Valid(length) = length
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

    /// Ends an entry before a line, which is empty at the end of the stream.
    fn ended(&mut self, message: Vec<u8>, line: &[u8]) -> Vec<u8> {
        if line.is_empty() {
            self.state = ReadState::End;
        }
        message
    }

    /// Returns the bytes that a text of this length takes, or none if the length is not
    /// plausible.
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

    /// Returns the length, including the end of the last line, if the text can end
    /// there: before an optional empty line and a postmark, or at the end of the file.
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
        // The length may exclude the end of the last line, but not half of that end.
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

    /// Returns true if the next bytes contain something that looks like another entry.
    fn hides(&mut self, length: usize) -> io::Result<bool> {
        let text = self.stream.peek(length)?;
        let mut after_blank = true;
        Ok(text.split_inclusive(|byte| *byte == b'\n').any(|line| {
            let is_entry = after_blank && is_postmark(line);
            after_blank = is_blank(line);
            is_entry
        }))
    }

    /// Returns the bytes of a text whose length was counted when its lines ended in LF.
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
            self.state = ReadState::End;
        }
        result.transpose()
    }
}

/// The `Content-Length` of a header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ContentLength {
    /// There is none so far.
    Absent,
    /// There is a valid one.
    Valid(usize),
    /// Not a number, or one of several.
    Invalid,
}

impl ContentLength {
    /// Adds a line of the header.
    fn and(self, line: &[u8]) -> ContentLength {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            return self;
        };
        let (name, value) = line.split_at(colon);
        if !(name.trim_ascii_end()).eq_ignore_ascii_case(b"Content-Length") {
            return self;
        }
        let value = value[1..].trim_ascii();
        let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
        let number = str::from_utf8(value)
            .ok()
            .and_then(|text| text.parse().ok());
        match (self, number.filter(|_| is_number)) {
            (ContentLength::Absent, Some(length)) => ContentLength::Valid(length),
            _ => ContentLength::Invalid,
        }
    }
}

/// A stream with lookahead.
struct LookaheadReader<R> {
    stream: R,
    /// The buffered bytes; those before `start` are used up.
    held: Vec<u8>,
    start: usize,
    /// The bytes used so far, in total.
    used: u64,
}

impl<R: BufRead> LookaheadReader<R> {
    /// Returns the next bytes, or fewer if the stream ends, without using them up.
    fn peek(&mut self, length: usize) -> io::Result<&[u8]> {
        let held = self.held.len() - self.start;
        if let Some(missing) = length.checked_sub(held) {
            // The buffer moves fewer bytes than were used since its last move.
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

    /// Uses up bytes that `peek` has shown.
    fn take(&mut self, length: usize) -> &[u8] {
        let start = self.start;
        self.start += length;
        self.used += length as u64;
        &self.held[start..self.start]
    }

    /// Reads the next line with its end, or its first [`ENOUGH`] bytes. Returns an
    /// empty line at the end of the stream.
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

    /// Appends the rest of the stream to a message, or as much as is kept.
    fn rest(&mut self, message: &mut Vec<u8>) -> io::Result<()> {
        let held = self.held.len() - self.start;
        message.extend_from_slice(self.take(held));
        let mut more = self.stream.by_ref().take(ENOUGH as u64);
        self.used += more.read_to_end(message)? as u64;
        Ok(())
    }
}

/// Appends a part to a message, unless the message is too long already.
fn keep(message: &mut Vec<u8>, part: &[u8]) {
    if message.len() <= limits::MESSAGE {
        message.extend_from_slice(part);
    }
}

fn is_blank(line: &[u8]) -> bool {
    line == b"\n" || line == b"\r\n"
}

/// Returns true if the line begins an entry: `From `, a sender, and a date with a time
/// and a year, in any of the forms that programs write.
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

/// Returns true if the line is `From ` after this many `>`.
fn is_from(line: &[u8], marks: usize) -> bool {
    line.len() > marks
        && line[..marks].iter().all(|byte| *byte == b'>')
        && line[marks..].starts_with(b"From ")
}

/// Removes the `>` that mboxrd and mboxo put before `From `.
fn unescaped(line: &[u8]) -> &[u8] {
    let marks = line.iter().take_while(|byte| **byte == b'>').count();
    if marks > 0 && is_from(line, marks) {
        &line[1..]
    } else {
        line
    }
}

/// Undoes the quoting of a text of known length. A bare `From ` in it means
/// mboxcl2, which quotes nothing. Otherwise mboxcl has quoted a `>From `, unless
/// a line next to it is quoted, too: then the `>` is part of a quotation.
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
        let is_escaped = is_from(line, 1) && !is_below_quoted && !is_above_quoted;
        written.extend_from_slice(&line[usize::from(is_escaped)..]);
        is_below_quoted = is_quoted(line);
    }
    written
}
