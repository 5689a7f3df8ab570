//! IMAP (RFC 3501), as far as a reader of mailboxes needs it: the answers of a server, and why an
//! exchange with one fails.
//!
//! What a server says is hostile data: lines, literals, lists and the time that an
//! answer takes have limits, and nothing in an answer can end the program.
//!
//! The reader knows the forms of tokens and not what each answer may hold, so that
//! answers of extensions and habits of servers are read over. Below it are the texts of
//! commands: strings, names of folders, dates and sets of numbers.

pub mod connection;
pub mod folder;

use std::fmt::Write as _;
use std::io;

use base64::Engine as _;
use base64::alphabet::IMAP_MUTF7;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};
use chrono::NaiveDate;
use rustls::Error as TlsError;

use crate::error::words;
use crate::server_text::ServerText;
use crate::wire::{Stream, Wire, WireError, tls_error};
use crate::{Error, limits};

/// Why an exchange with an IMAP server failed. `Display` writes a clause; its caller
/// names the server.
#[derive(Debug, thiserror::Error)]
pub enum ImapError {
    /// The connection failed.
    #[error("{}", ServerText::new(words(.0)))]
    Io(#[from] io::Error),
    /// The server closed the connection, perhaps with a reason.
    #[error("it has closed the connection{}", reason(.0))]
    Closed(ServerText),
    /// An answer takes too long.
    #[error("it does not answer in time")]
    TimedOut,
    /// An answer exceeds a limit.
    #[error("it has sent {0}, which is more than is read")]
    TooLong(&'static str),
    /// An answer is not IMAP.
    #[error("it has sent what is not IMAP: {0}")]
    Malformed(&'static str),
    /// The server cannot do this, or not now.
    #[error("it has answered {0}")]
    No(StatusResponse),
    /// The connection is refused for good.
    #[error("{0}")]
    Unfit(String),
}

impl From<WireError> for ImapError {
    fn from(error: WireError) -> ImapError {
        match error {
            WireError::Io(error) => ImapError::Io(error),
            WireError::Closed => ImapError::Closed(ServerText::default()),
            WireError::TimedOut => ImapError::TimedOut,
            WireError::LongLine => ImapError::TooLong("a longer line"),
            WireError::LongAnswer => ImapError::TooLong("more bytes in answer to one command"),
            WireError::BehindStarttls => {
                ImapError::Malformed("words behind its answer to STARTTLS")
            }
        }
    }
}

/// An answer of a server other than OK: `NO [CODE] text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatusResponse {
    /// `NO` or `BAD`.
    pub word: &'static str,
    /// The code in brackets, if there is one, in capitals.
    pub code: Option<ServerText>,
    /// The words for people.
    pub text: ServerText,
}

impl std::fmt::Display for StatusResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word)?;
        if let Some(code) = &self.code {
            write!(f, " [{}]", short(code))?;
        }
        write!(f, " {}", short(&self.text))
    }
}

/// The most characters of a server's words that a message repeats.
const WORDS: usize = 300;

/// Cuts a server's words to what a message may repeat.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(WORDS).collect()
}

fn reason(text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!(": {}", short(text)),
    }
}

impl StatusResponse {
    /// Returns true if the server says that it has trouble of its own, which may pass.
    #[must_use]
    pub fn is_trouble(&self) -> bool {
        const CODES: [&str; 5] = ["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "CONTACTADMIN"];
        self.code
            .as_deref()
            .is_some_and(|code| CODES.contains(&code))
    }
}

impl ImapError {
    /// Returns true if trying again changes nothing.
    fn is_final(&self) -> bool {
        match self {
            ImapError::Unfit(_) => true,
            // No certificate that is trusted, or no TLS.
            ImapError::Io(error) => matches!(
                tls_error(error),
                Some(
                    TlsError::InvalidCertificate(_)
                        | TlsError::InvalidMessage(_)
                        | TlsError::PeerIncompatible(_)
                )
            ),
            _ => false,
        }
    }

    /// Converts the error to one that names the server. It is final only where trying
    /// again changes nothing.
    #[must_use]
    pub fn of(self, server: &str) -> Error {
        let message = format!("the mail server {server}: {self}");
        let error = if self.is_final() {
            Error::refused(message)
        } else {
            Error::later(message)
        };
        error.with_source(self)
    }
}

/// The most bytes of a line but one of numbers, literals left out. What is asked for
/// takes some hundred.
const LINE: usize = 64 << 10;

/// The deepest nesting of lists.
const DEPTH: usize = 32;

/// An answer, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Response {
    /// The server wants the rest of the command, or more of a login: `+ text`.
    Continue(Vec<u8>),
    /// A status: `TAG OK [CODE] text`, or `*` in the place of the tag.
    Status {
        /// The tag of the command that this ends; none for `*`.
        tag: Option<Vec<u8>>,
        /// The outcome.
        word: Word,
        /// The code in brackets, if there is one.
        code: Option<Vec<u8>>,
        /// The words for people.
        text: ServerText,
    },
    /// The numbers that a search has found.
    Search(Vec<u32>),
    /// Anything else behind `*`.
    Data(Vec<Value>),
}

/// The outcome of a command, or the state of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// The command has been done.
    Ok,
    /// It has not been done.
    No,
    /// It was not understood.
    Bad,
    /// The connection needs no login.
    Preauth,
    /// The server ends the connection.
    Bye,
}

/// A value in an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A word or a number.
    Atom(Vec<u8>),
    /// A text between quotation marks, or a literal.
    Text(Vec<u8>),
    /// A list in parentheses.
    List(Vec<Value>),
}

impl Value {
    /// Returns the number that this is.
    #[must_use]
    pub fn number(&self) -> Option<u32> {
        match self {
            Value::Atom(digits) => number(digits),
            _ => None,
        }
    }

    /// Returns true if this is that word, in any case.
    #[must_use]
    pub fn is(&self, word: &str) -> bool {
        matches!(self, Value::Atom(atom) if atom.eq_ignore_ascii_case(word.as_bytes()))
    }
}

impl Response {
    /// Reads the next response. `literal` is the most bytes of the literals in it.
    ///
    /// # Errors
    ///
    /// If the response is beyond a limit or not IMAP, or the connection fails.
    pub fn read<S: Stream>(wire: &mut Wire<S>, literal: usize) -> Result<Response, ImapError> {
        let line = wire.line(limits::IMAP_SEARCH)?;
        if line.len() > LINE && !has_numbers(&line) {
            return Err(ImapError::TooLong("a longer line"));
        }
        if let Some(text) = line.strip_prefix(b"+") {
            return Ok(Response::Continue(text.trim_ascii_start().to_vec()));
        }
        let (tag, rest) = word(&line);
        let tag = (tag != b"*").then(|| tag.to_vec());
        let (first, behind) = word(rest);
        if let Some(found) = Word::parse(first) {
            return Ok(status(tag, found, behind));
        }
        if tag.is_some() {
            return Err(ImapError::Malformed("an answer without an outcome"));
        }
        if first.eq_ignore_ascii_case(b"SEARCH") {
            let numbers = behind.split(|byte| *byte == b' ');
            // Behind the numbers, extensions write in parentheses.
            let numbers = numbers.take_while(|digits| !digits.starts_with(b"("));
            let numbers = numbers.filter(|digits| !digits.is_empty()).map(number);
            let numbers: Option<_> = numbers.collect();
            let unread = ImapError::Malformed("a search without numbers");
            return numbers.map(Response::Search).ok_or(unread);
        }
        if first.eq_ignore_ascii_case(b"ESEARCH") {
            return extended(behind).map(Response::Search);
        }
        let rest = rest.to_vec();
        data(wire, rest, literal).map(Response::Data)
    }
}

/// Reads the other form of what a search has found (RFC 4731), which some servers use unasked:
/// `(TAG "A3") UID ALL 4,7:9`.
fn extended(text: &[u8]) -> Result<Vec<u32>, ImapError> {
    let mut open = vec![Vec::new()];
    values(text, &mut open)?;
    let values = open.pop().unwrap_or_default();
    let mut words = values
        .iter()
        .filter(|value| !matches!(value, Value::List(_)));
    let (mut is_of_uids, mut found) = (false, Vec::new());
    while let Some(word) = words.next() {
        if word.is("UID") {
            is_of_uids = true;
        } else if let Some(Value::Atom(set)) = words.next().filter(|_| word.is("ALL")) {
            found = numbers_of(set)?;
        }
    }
    if !is_of_uids && !found.is_empty() {
        return Err(ImapError::Malformed("a search without UIDs"));
    }
    Ok(found)
}

/// Reads a set of numbers: `4,7:9`.
fn numbers_of(set: &[u8]) -> Result<Vec<u32>, ImapError> {
    let mut found = Vec::new();
    for range in set.split(|byte| *byte == b',') {
        let mut ends = range.splitn(2, |byte| *byte == b':').map(number);
        let ends = ends
            .next()
            .flatten()
            .map(|first| (first, ends.next().unwrap_or(Some(first))));
        let Some((first, Some(last))) = ends else {
            return Err(ImapError::Malformed("a search without numbers"));
        };
        let (first, last) = (first.min(last), first.max(last));
        if (last - first) as usize + found.len() >= limits::IMAP_MESSAGES {
            return Err(ImapError::TooLong("more messages"));
        }
        found.extend(first..=last);
    }
    Ok(found)
}

impl Word {
    fn parse(word: &[u8]) -> Option<Word> {
        Some(match word.to_ascii_uppercase().as_slice() {
            b"OK" => Word::Ok,
            b"NO" => Word::No,
            b"BAD" => Word::Bad,
            b"PREAUTH" => Word::Preauth,
            b"BYE" => Word::Bye,
            _ => return None,
        })
    }
}

/// Returns true if a line has the numbers that a search has found.
fn has_numbers(line: &[u8]) -> bool {
    let (tag, rest) = word(line);
    let (first, _) = word(rest);
    let is_first = |name: &[u8]| first.eq_ignore_ascii_case(name);
    tag == b"*" && (is_first(b"SEARCH") || is_first(b"ESEARCH"))
}

/// Reads the words behind an outcome. They are no tokens: a server may write anything.
fn status(tag: Option<Vec<u8>>, word: Word, text: &[u8]) -> Response {
    let inner = text.strip_prefix(b"[");
    let end = inner.and_then(|inner| inner.iter().position(|byte| *byte == b']'));
    let (code, text) = match inner.zip(end) {
        Some((inner, end)) => (
            Some(inner[..end].to_vec()),
            inner[end + 1..].trim_ascii_start(),
        ),
        None => (None, text),
    };
    let text = ServerText::new(text);
    Response::Status {
        tag,
        word,
        code,
        text,
    }
}

/// Converts an outcome that is not OK.
pub(crate) fn answer(word: Word, code: Option<Vec<u8>>, text: ServerText) -> ImapError {
    let word = match word {
        Word::No => "NO",
        Word::Bad => "BAD",
        Word::Bye | Word::Ok | Word::Preauth => return ImapError::Closed(text),
    };
    ImapError::No(StatusResponse {
        word,
        code: code.map(|code| ServerText::new(code.to_ascii_uppercase())),
        text,
    })
}

/// Splits off the first word.
fn word(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(|byte| *byte == b' ');
    let end = end.unwrap_or(line.len());
    (&line[..end], line[end..].trim_ascii_start())
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Reads the values of a response, whose first line is `line`. Its literals have at most
/// `most` bytes in all.
fn data<S: Stream>(
    wire: &mut Wire<S>,
    mut line: Vec<u8>,
    most: usize,
) -> Result<Vec<Value>, ImapError> {
    // The lists that are still open, the innermost last.
    let mut open: Vec<Vec<Value>> = vec![Vec::new()];
    let mut left = LINE;
    // What was asked for is one text. A server may divide it, but give no more.
    let mut room = most;
    loop {
        let Some(rest) = left.checked_sub(line.len()) else {
            return Err(ImapError::TooLong("a longer line"));
        };
        left = rest;
        let literal = literal_size(&line);
        let end = literal.map_or(line.len(), |(start, _)| start);
        values(&line[..end], &mut open)?;
        let Some((_, size)) = literal else { break };
        let Some(rest) = room.checked_sub(size) else {
            return Err(ImapError::TooLong("more than was asked for"));
        };
        room = rest;
        let text = wire.literal(size)?;
        push(&mut open, Value::Text(text));
        line = wire.line(LINE)?;
    }
    match open.pop() {
        Some(values) if open.is_empty() => Ok(values),
        _ => Err(ImapError::Malformed("a list without an end")),
    }
}

/// Returns where the announcement of a literal begins at the end of a line, and the
/// size of the literal.
fn literal_size(line: &[u8]) -> Option<(usize, usize)> {
    let inner = line.strip_suffix(b"}")?;
    let start = inner.iter().rposition(|byte| *byte == b'{')?;
    let size = number(&inner[start + 1..])?;
    Some((start, usize::try_from(size).ok()?))
}

fn push(open: &mut [Vec<Value>], value: Value) {
    if let Some(list) = open.last_mut() {
        list.push(value);
    }
}

/// Reads the values of a line.
fn values(line: &[u8], open: &mut Vec<Vec<Value>>) -> Result<(), ImapError> {
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        match byte {
            b' ' => at += 1,
            b'(' => {
                if open.len() > DEPTH {
                    return Err(ImapError::TooLong("lists deeper within each other"));
                }
                open.push(Vec::new());
                at += 1;
            }
            b')' => {
                let list = open.pop().filter(|_| !open.is_empty());
                let list = list.ok_or(ImapError::Malformed("a list without a beginning"))?;
                push(open, Value::List(list));
                at += 1;
            }
            b'"' => {
                let (text, end) = quoted_string(line, at + 1)?;
                push(open, Value::Text(text));
                at = end;
            }
            _ => {
                let end = atom(line, at);
                push(open, Value::Atom(line[at..end].to_vec()));
                at = end;
            }
        }
    }
    Ok(())
}

/// Reads a text from behind its first quotation mark. Returns it, and where the rest
/// begins.
fn quoted_string(line: &[u8], start: usize) -> Result<(Vec<u8>, usize), ImapError> {
    let mut text = Vec::new();
    let mut at = start;
    loop {
        match line.get(at) {
            None => return Err(ImapError::Malformed("a text without an end")),
            Some(b'"') => return Ok((text, at + 1)),
            Some(b'\\') => {
                text.extend(line.get(at + 1));
                at += 2;
            }
            Some(byte) => {
                text.push(*byte);
                at += 1;
            }
        }
    }
}

/// Returns where a word ends. What stands in brackets belongs to it, as in
/// `BODY[HEADER.FIELDS (FROM)]<0>`.
fn atom(line: &[u8], start: usize) -> usize {
    let mut is_in_brackets = false;
    let behind = line[start + 1..].iter().position(|byte| {
        match byte {
            b'[' => is_in_brackets = true,
            b']' => is_in_brackets = false,
            _ => {}
        }
        !is_in_brackets && matches!(byte, b' ' | b'(' | b')' | b'"')
    });
    behind.map_or(line.len(), |at| start + 1 + at)
}

/// Returns a text between quotation marks, or none if it needs a literal.
#[must_use]
pub fn quoted(text: &str) -> Option<String> {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    is_plain.then(|| format!("\"{escaped}\""))
}

/// The Base64 of folders' names.
const ENGINE: GeneralPurpose = GeneralPurpose::new(&IMAP_MUTF7, NO_PAD);

/// Encodes the name of a folder in the modified UTF-7 of RFC 3501, 5.1.3.
#[must_use]
pub fn folder(name: &str) -> String {
    let mut encoded = String::new();
    let mut foreign = Vec::new();
    let end = |foreign: &mut Vec<u8>, encoded: &mut String| {
        if !foreign.is_empty() {
            let _ = write!(encoded, "&{}-", ENGINE.encode(&foreign));
            foreign.clear();
        }
    };
    for c in name.chars() {
        if !matches!(c, ' '..='~') {
            let units = c.encode_utf16(&mut [0; 2]).to_vec();
            foreign.extend(units.into_iter().flat_map(u16::to_be_bytes));
            continue;
        }
        end(&mut foreign, &mut encoded);
        match c {
            '&' => encoded.push_str("&-"),
            c => encoded.push(c),
        }
    }
    end(&mut foreign, &mut encoded);
    encoded
}

/// Decodes the name of a folder. What is not in the modified UTF-7 stays as it is.
#[must_use]
pub fn folder_name(encoded: &[u8]) -> String {
    let encoded = String::from_utf8_lossy(encoded);
    let mut name = String::new();
    let mut rest = &*encoded;
    while let Some((plain, behind)) = rest.split_once('&') {
        name.push_str(plain);
        let Some((letters, behind)) = behind.split_once('-') else {
            return encoded.into_owned();
        };
        if letters.is_empty() {
            name.push('&');
        } else {
            let Ok(bytes) = ENGINE.decode(letters) else {
                return encoded.into_owned();
            };
            let units = bytes.chunks(2).map(|pair| match pair {
                [high, low] => u16::from_be_bytes([*high, *low]),
                _ => 0xFFFD,
            });
            name.extend(
                char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)),
            );
        }
        rest = behind;
    }
    name.push_str(rest);
    name
}

/// Writes a day as SEARCH takes it: `20-Nov-2026`.
#[must_use]
pub fn day(day: NaiveDate) -> String {
    day.format("%-d-%b-%Y").to_string()
}

/// Writes ascending numbers as a set: `3:5,9`.
#[must_use]
pub fn set(numbers: &[u32]) -> String {
    let mut set = String::new();
    let mut rest = numbers;
    while let Some(first) = rest.first() {
        let pairs = rest.windows(2);
        let run = 1 + pairs
            .take_while(|pair| pair[0].checked_add(1) == Some(pair[1]))
            .count();
        if !set.is_empty() {
            set.push(',');
        }
        let _ = match run {
            1 => write!(set, "{first}"),
            _ => write!(set, "{first}:{}", rest[run - 1]),
        };
        rest = &rest[run..];
    }
    set
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};
    use std::time::Instant;

    use crate::imap::connection::{ANSWER, Connection, Part, TIME};
    use crate::imap::*;

    /// The bytes of a server, in pieces of so many.
    struct Script {
        said: Vec<u8>,
        at: usize,
        piece: usize,
        heard: Vec<u8>,
    }

    impl Read for Script {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let rest = &self.said[self.at..];
            let size = rest.len().min(buffer.len()).min(self.piece);
            buffer[..size].copy_from_slice(&rest[..size]);
            self.at += size;
            Ok(size)
        }
    }

    impl Write for Script {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.heard.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Stream for Script {
        fn set_deadline(&mut self, _: Instant) {}

        fn is_encrypted(&self) -> bool {
            false
        }
    }

    fn script(said: impl AsRef<[u8]>, piece: usize) -> Script {
        Script {
            said: said.as_ref().to_vec(),
            at: 0,
            piece,
            heard: Vec::new(),
        }
    }

    fn read(said: impl AsRef<[u8]>) -> Result<Response, ImapError> {
        let read = |piece| {
            let mut wire = Wire::new(script(said.as_ref(), piece), ANSWER);
            wire.expect_answer(TIME);
            Response::read(&mut wire, 100)
        };
        let answers = [1, 7, 1 << 20].map(|piece| read(piece).map_err(|e| e.to_string()));
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[1], answers[2]);
        read(1 << 20)
    }

    fn atom(word: &str) -> Value {
        Value::Atom(word.as_bytes().to_vec())
    }

    fn text(text: &str) -> Value {
        Value::Text(text.as_bytes().to_vec())
    }

    #[test]
    fn answers_are_read_as_servers_write_them() {
        for (said, expected) in [
            (
                "* 2 FETCH (UID 7 RFC822.SIZE 44 BODY[HEADER.FIELDS (FROM \"X)\")]<0> {6}\r\na\r\n(\"b FLAGS ())\r\n",
                Response::Data(vec![
                    atom("2"),
                    atom("FETCH"),
                    Value::List(vec![
                        atom("UID"),
                        atom("7"),
                        atom("RFC822.SIZE"),
                        atom("44"),
                        atom("BODY[HEADER.FIELDS (FROM \"X)\")]<0>"),
                        text("a\r\n(\"b"),
                        atom("FLAGS"),
                        Value::List(vec![]),
                    ]),
                ]),
            ),
            (
                "* LIST (\\HasNoChildren) \"/\" \"a \\\"b\\\" \\\\\"\r\n",
                Response::Data(vec![
                    atom("LIST"),
                    Value::List(vec![atom("\\HasNoChildren")]),
                    text("/"),
                    text("a \"b\" \\"),
                ]),
            ),
            ("* SEARCH\r\n", Response::Search(vec![])),
            ("* search 3 1  2 \r\n", Response::Search(vec![3, 1, 2])),
            ("* SEARCH 3 (MODSEQ 99)\r\n", Response::Search(vec![3])),
            ("+ go on\n", Response::Continue(b"go on".to_vec())),
            ("+\r\n", Response::Continue(vec![])),
            (
                "* OK [UIDVALIDITY 5] it's (\"odd {3}\r\n",
                Response::Status {
                    tag: None,
                    word: Word::Ok,
                    code: Some(b"UIDVALIDITY 5".to_vec()),
                    text: ServerText::new("it's (\"odd {3}"),
                },
            ),
            (
                "A1 NO\r\n",
                Response::Status {
                    tag: Some(b"A1".to_vec()),
                    word: Word::No,
                    code: None,
                    text: ServerText::default(),
                },
            ),
        ] {
            assert_eq!(read(said).unwrap(), expected, "{said}");
        }
    }

    #[test]
    fn hostile_answers_are_errors() {
        let deep = format!("* {}\r\n", "(".repeat(LINE - 10));
        for said in [
            "",
            "* ",
            "* 1 FETCH (",
            "* 1 FETCH (UID 1\r\n",
            "* 1 FETCH )\r\n",
            "* 1 FETCH (UID 1))\r\n",
            "* 1 FETCH (BODY[] {101}\r\n",
            "* 1 FETCH (BODY[] {4294967295}\r\n",
            "* 1 FETCH (BODY[] {10}\r\nshort",
            "* LIST \"\r\n",
            "* LIST \"\\\r\n",
            "* SEARCH 1 x\r\n",
            "* SEARCH 4294967296\r\n",
            "A1 GREAT\r\n",
            deep.as_str(),
        ] {
            assert!(read(said).is_err(), "{said:.40}");
        }
        let long = "x".repeat(LINE + 1);
        for said in [
            format!("* {long}\r\n"),
            format!("+ {long}\r\n"),
            format!("* OK {long}\r\n"),
            format!("A1 NO {long}\r\n"),
            format!("* LIST {}", "{1}\r\nx ".repeat(LINE)),
            format!(
                "* 1 FETCH (BODY[] {{60}}\r\n{0} BODY[] {{60}}\r\n{0})\r\n",
                "x".repeat(60)
            ),
            format!("* SEARCH {}", "1 ".repeat(limits::IMAP_SEARCH)),
        ] {
            assert!(
                matches!(read(&said), Err(ImapError::TooLong(_))),
                "{said:.40}"
            );
        }
        // An atom that never leaves its brackets, and odd literals that are none.
        for said in [
            "* 1 FETCH (BODY[\r\n",
            "* X {a}\r\n",
            "* X {}\r\n",
            "* {-1}\r\n",
        ] {
            let _ = read(said);
        }
    }

    /// Runs a command against what a server says.
    fn run(said: &str, parts: &[Part<'_>]) -> (Result<(), String>, String) {
        let mut connection = Connection::over(script(said, 3));
        let done = connection.run(parts, 100, |_| Ok(()));
        let heard = connection.heard();
        (done.map(|_| ()).map_err(|error| error.to_string()), heard)
    }

    #[test]
    fn a_command_ends_with_its_own_answer() {
        let noop = [Part::Words("NOOP")];
        assert_eq!(
            run("* 3 EXISTS\r\nA1 OK done\r\n", &noop),
            (Ok(()), "A1 NOOP\r\n".to_owned())
        );
        for (said, why) in [
            ("A2 OK done\r\n", "an answer to no command"),
            (
                "A1 NO [overquota] full \u{1b}[2J\r\n",
                "NO [OVERQUOTA] full",
            ),
            ("A1 BAD what\r\n", "BAD what"),
            ("* BYE going down\r\n", "closed the connection: going down"),
            ("+ more\r\n", "a wish for more"),
            ("", "closed the connection"),
        ] {
            let (done, _) = run(said, &noop);
            assert!(
                done.as_ref().is_err_and(|error| error.contains(why)),
                "{said}: {done:?}"
            );
        }
    }

    #[test]
    fn a_text_that_cannot_be_quoted_goes_as_a_literal_once_the_server_asks_for_it() {
        let parts = [
            Part::Words("LOGIN "),
            Part::Text("a\"b"),
            Part::Words(" "),
            Part::Text("ä"),
        ];
        let (done, heard) = run("* OK wait\r\n+ go\r\nA1 OK in\r\n", &parts);
        assert_eq!(done, Ok(()));
        assert_eq!(heard, "A1 LOGIN \"a\\\"b\" {2}\r\nä\r\n");
        let (done, heard) = run("A1 NO never\r\n", &parts);
        assert!(done.is_err());
        assert!(!heard.contains('ä'), "{heard}");
    }

    #[test]
    fn a_login_asks_for_so_many_lines_and_no_more() {
        let mut connection = Connection::over(script("+ \r\n".repeat(50), 100));
        let done = connection.converse("AUTHENTICATE PLAIN", |_| String::new());
        assert!(done.is_err());
        assert!(connection.heard().lines().count() < 20);
    }

    #[test]
    fn news_between_two_commands_are_not_forgotten() {
        let said = "* OK [UIDVALIDITY 7] x\r\n* 3 EXISTS\r\nA1 OK [READ-ONLY] x\r\n* 4 EXISTS\r\nA2 OK x\r\n* 1 EXPUNGE\r\n* 3 EXISTS\r\nA3 OK x\r\n";
        let mut connection = Connection::over(script(said, 100));
        let selected = connection.select("INBOX", false).unwrap();
        assert_eq!(
            (selected.uid_validity, selected.is_read_only),
            (Some(7), true)
        );
        assert!(!connection.take_news());
        connection.look().unwrap();
        assert!(connection.take_news());
        connection.look().unwrap();
        assert!(!connection.take_news());
    }

    impl Connection<Script> {
        /// Returns what the server was told.
        fn heard(self) -> String {
            String::from_utf8(self.into_inner().heard).unwrap()
        }
    }

    /// A server that says these lines over and over.
    struct Endless {
        lines: Vec<u8>,
        at: usize,
        said: usize,
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let rest = &self.lines[self.at..];
            let size = rest.len().min(buffer.len());
            buffer[..size].copy_from_slice(&rest[..size]);
            self.at = (self.at + size) % self.lines.len();
            self.said += size;
            Ok(size)
        }
    }

    impl Write for Endless {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Stream for Endless {
        fn set_deadline(&mut self, _: Instant) {}

        fn is_encrypted(&self) -> bool {
            false
        }
    }

    /// Each response costs some work, however short it is.
    #[test]
    fn a_command_has_no_more_responses_than_the_limit() {
        for (count, is_within) in [
            (limits::IMAP_RESPONSES - 1, true),
            (limits::IMAP_RESPONSES, false),
        ] {
            let said = "* OK\r\n".repeat(count) + "A1 OK done\r\n";
            let mut connection = Connection::over(script(said, 1 << 14));
            let run = connection.run(&[Part::Words("NOOP")], 0, |_| Ok(()));
            assert_eq!(run.is_ok(), is_within, "{count}");
            if let Err(error) = run {
                let error = error.to_string();
                assert!(error.contains("more responses to one command"), "{error}");
            }
        }
    }

    /// A server of endless short lines kept a core busy for half an hour, before the login, too.
    #[test]
    fn a_server_that_never_ends_an_answer_is_left() {
        let mut rng = fastrand::Rng::with_seed(25);
        for round in 0..24 {
            let mut lines = Vec::new();
            // From short lines alone to long ones and literals.
            let longest = 8 << (round % 13);
            while lines.len() < 4 * longest {
                let words = "x".repeat(rng.usize(..longest));
                let line = match rng.usize(..9) {
                    0 => "* OK\r\n".to_owned(),
                    1 => format!("* OK {words}\r\n"),
                    2 => "* 1 EXISTS\r\n".to_owned(),
                    3 => "* 1 EXPUNGE\r\n".to_owned(),
                    4 => "* CAPABILITY IMAP4rev1\r\n".to_owned(),
                    5 => format!("* LIST () \"/\" {{{}}}\r\n{words}\r\n", words.len()),
                    6 => format!("* {words}\r\n"),
                    7 => "* SEARCH 1 2 3\r\n".to_owned(),
                    _ => format!("* 1 FETCH (UID 1 FLAGS (\\Seen) {words})\r\n"),
                };
                lines.extend(line.into_bytes());
            }
            let (at, said) = (0, 0);
            let mut connection = Connection::over(Endless { lines, at, said });
            let failed = match round % 4 {
                0 => connection.read_capabilities().err(),
                1 => connection.idle(std::time::Duration::from_hours(9)).err(),
                2 => connection.above(1).err(),
                _ => connection
                    .run(&[Part::Words("NOOP")], longest, |_| Ok(()))
                    .err(),
            };
            let said = connection.into_inner().said;
            assert!(
                failed.is_some() && said <= limits::IMAP_BYTES + (1 << 20),
                "{said}"
            );
        }
    }

    #[test]
    fn names_of_folders_are_read_back() {
        for name in ["INBOX", "A & B", "Entwürfe", "垃圾邮件", "a\u{1F600}-b", ""] {
            assert_eq!(folder_name(folder(name).as_bytes()), name);
        }
        for wrong in ["&", "a&b", "&!-"] {
            assert_eq!(folder_name(wrong.as_bytes()), wrong);
        }
    }

    #[test]
    fn names_of_folders_are_encoded_as_the_rfc_shows() {
        for (name, encoded) in [
            ("INBOX", "INBOX"),
            ("A & B", "A &- B"),
            ("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"),
            ("Gäste", "G&AOQ-ste"),
            ("♟😀", "&Jl,YPd4A-"),
        ] {
            assert_eq!(folder(name), encoded);
        }
    }

    #[test]
    fn texts_sets_and_days_are_written_as_commands_take_them() {
        assert_eq!(quoted("a \"b\" \\").unwrap(), r#""a \"b\" \\""#);
        assert_eq!(quoted("ä"), None);
        assert_eq!(quoted("a\r\nb"), None);
        assert_eq!(set(&[]), "");
        assert_eq!(set(&[1, 2, 3, 5, 7, 8, u32::MAX]), "1:3,5,7:8,4294967295");
        assert_eq!(day("2026-11-02".parse().unwrap()), "2-Nov-2026");
    }
}
