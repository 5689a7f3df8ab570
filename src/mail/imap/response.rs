//! The answers of an IMAP server.
//!
//! The reader knows the forms of tokens and not what each answer may hold, so that
//! answers of extensions and habits of servers are read over. Below it are the texts of
//! commands: strings, names of folders, dates and sets of numbers.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use base64::alphabet::IMAP_MUTF7;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};
use base64::{Engine as _, engine};
use chrono::NaiveDate;

use crate::imap::wire::{Stream, Wire};
use crate::imap::{ImapError, StatusResponse};
use crate::limits;

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
        code: Option<String>,
        /// The words for people.
        text: String,
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
        if line.len() > LINE && !is_search(&line) {
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
        let rest = rest.to_vec();
        data(wire, rest, literal).map(Response::Data)
    }
}

impl Word {
    fn parse(word: &[u8]) -> Option<Word> {
        let words = [
            ("OK", Word::Ok),
            ("NO", Word::No),
            ("BAD", Word::Bad),
            ("PREAUTH", Word::Preauth),
            ("BYE", Word::Bye),
        ];
        let mut words = words.into_iter();
        let found = words.find(|(name, _)| word.eq_ignore_ascii_case(name.as_bytes()));
        found.map(|(_, word)| word)
    }
}

/// Returns true if a line has the numbers that a search has found.
fn is_search(line: &[u8]) -> bool {
    let (tag, rest) = word(line);
    tag == b"*" && word(rest).0.eq_ignore_ascii_case(b"SEARCH")
}

/// Reads the words behind an outcome. They are no tokens: a server may write anything.
fn status(tag: Option<Vec<u8>>, word: Word, text: &[u8]) -> Response {
    let text = String::from_utf8_lossy(text);
    let split = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (code, text) = match split {
        Some((code, rest)) => (Some(code.to_owned()), rest.trim_start().to_owned()),
        None => (None, text.into_owned()),
    };
    Response::Status {
        tag,
        word,
        code,
        text,
    }
}

/// Converts an outcome that is not OK.
pub(crate) fn answer(word: Word, code: Option<String>, text: String) -> ImapError {
    let word = match word {
        Word::No => "NO",
        Word::Bad => "BAD",
        Word::Bye | Word::Ok | Word::Preauth => return ImapError::Closed(text),
    };
    ImapError::No(StatusResponse {
        word,
        code: code.map(|code| code.to_ascii_uppercase()),
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

/// Encodes bytes in Base64.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    engine::general_purpose::STANDARD.encode(bytes)
}

/// Returns a text between quotation marks, or none if it needs a literal.
#[must_use]
pub fn quoted(text: &str) -> Option<String> {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    is_plain.then(|| format!("\"{escaped}\""))
}

/// Encodes the name of a folder in the modified UTF-7 of RFC 3501, 5.1.3.
#[must_use]
pub fn folder(name: &str) -> String {
    const ENGINE: GeneralPurpose = GeneralPurpose::new(&IMAP_MUTF7, NO_PAD);
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
    const ENGINE: GeneralPurpose = GeneralPurpose::new(&IMAP_MUTF7, NO_PAD);
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
