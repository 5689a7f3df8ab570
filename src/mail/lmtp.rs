//! The server's side of LMTP (RFC 2033), by which a mail server delivers messages.
//!
//! Bytes go in, and replies and messages come out; [`Protocol`] reads no clock
//! and no socket. LMTP is SMTP with `LHLO`, and with a reply for each recipient after the
//! message.
//!
//! Only CR LF, a dot and CR LF end it. A server that takes a bare LF or CR for the end of
//! a line can be made to see two messages where another saw one.

use std::mem;

use lettre::Address;

use crate::limits::{
    COMMAND_LINE, COMMANDS, Excess, HELD_BODY, MESSAGE, RECIPIENTS, SESSION_BYTES,
};

/// The most lines of a session that are no commands, or not in their place.
const FAULTS: u32 = 20;

/// A session of LMTP.
#[derive(Debug)]
pub struct Protocol {
    host: String,
    phase: Phase,
    /// The line that arrives, without its end.
    line: Vec<u8>,
    /// True if it is too long, and the rest of it is dropped.
    is_long: bool,
    /// The sender of the message.
    from: Option<String>,
    /// The number of recipients accepted for it.
    recipients: usize,
    faults: u32,
    /// The commands since the last message.
    commands: usize,
    /// The bytes since the last message.
    bytes: usize,
}

#[derive(Debug)]
enum Phase {
    /// Before `LHLO`.
    Greeted,
    /// Between commands.
    Ready,
    /// Within a message.
    Receiving(Body),
    /// Behind a message, which is being handled.
    Handling,
    /// At the end.
    Closed,
}

/// The next step of the caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NextStep {
    /// More bytes must come.
    More,
    /// The message needs more than [`crate::limits::HELD_BODY`]:
    /// [`Protocol::make_room`] says whether it can have it.
    Large,
    /// A message is whole; [`Protocol::settle`] says what became of it. It begins with a
    /// `Return-Path` field that names the sender of the envelope, and a `Received` field.
    Message(Vec<u8>),
    /// The session has ended.
    End,
}

/// The outcome of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeliveryStatus {
    /// It is dealt with for good. How is nobody's business who may reach the server: it
    /// would tell who is known here.
    Done,
    /// It is beyond a limit.
    Beyond(Excess),
    /// It must come again.
    Later,
}

impl Protocol {
    /// Begins a session of the server with this name, which must be a domain. Writes the
    /// greeting.
    #[must_use]
    pub fn new(host: &str, replies: &mut Vec<u8>) -> Protocol {
        reply(replies, &format!("220 {host} LMTP parapost"));
        Protocol {
            host: host.to_owned(),
            phase: Phase::Greeted,
            line: Vec::new(),
            is_long: false,
            from: None,
            recipients: 0,
            faults: 0,
            commands: 0,
            bytes: 0,
        }
    }

    /// Returns true from the end of `DATA` to the end of the message's last reply.
    #[must_use]
    pub fn is_in_message(&self) -> bool {
        matches!(self.phase, Phase::Receiving(_) | Phase::Handling)
    }

    /// Takes bytes from the front of the input, until something must be done, and adds
    /// the replies. `is_known` says whether an address is one that messages are taken
    /// for.
    pub fn feed(
        &mut self,
        input: &mut &[u8],
        is_known: &dyn Fn(&Address) -> bool,
        replies: &mut Vec<u8>,
    ) -> NextStep {
        loop {
            let is_closed = matches!(self.phase, Phase::Closed);
            if !is_closed && (self.bytes > SESSION_BYTES || self.commands > COMMANDS) {
                self.phase = Phase::Closed;
                reply(replies, "421 4.7.0 too much without a message");
            }
            let before = input.len();
            match &mut self.phase {
                Phase::Closed => return NextStep::End,
                Phase::Handling => return NextStep::More,
                Phase::Receiving(body) => {
                    let progress = body.feed(input);
                    self.bytes += before - input.len();
                    match progress {
                        Progress::More if self.bytes > SESSION_BYTES => {}
                        Progress::More => return NextStep::More,
                        Progress::Large => return NextStep::Large,
                        Progress::End => {
                            if let Some(bytes) = self.whole(replies) {
                                return NextStep::Message(bytes);
                            }
                        }
                    }
                }
                Phase::Greeted | Phase::Ready => {
                    let is_whole = self.take_line(input);
                    self.bytes += before - input.len();
                    if !is_whole && self.bytes <= SESSION_BYTES {
                        return NextStep::More;
                    } else if !is_whole {
                        continue;
                    }
                    self.commands += 1;
                    let line = mem::take(&mut self.line);
                    if mem::take(&mut self.is_long) {
                        self.fault("500 5.5.2 the line is too long", replies);
                    } else {
                        self.obey(&line, is_known, replies);
                    }
                }
            }
        }
    }

    /// Lets the message be as long as any, or refuses it for now.
    pub fn make_room(&mut self, is_there: bool) {
        if let Phase::Receiving(body) = &mut self.phase {
            body.make_room(is_there);
        }
    }

    /// Replies for each recipient what became of the message.
    pub fn settle(&mut self, outcome: DeliveryStatus, replies: &mut Vec<u8>) {
        let text = match outcome {
            DeliveryStatus::Done => "250 2.0.0 ok".to_owned(),
            DeliveryStatus::Beyond(excess) => format!("552 5.3.4 {excess}"),
            DeliveryStatus::Later => "451 4.3.0 not now; try again later".to_owned(),
        };
        self.reply_to_all(&text, replies);
    }

    /// Ends the session, because the server does.
    pub fn close(&mut self, replies: &mut Vec<u8>) {
        self.phase = Phase::Closed;
        reply(replies, "421 4.3.2 the server ends; try again later");
    }

    /// Ends a session that nothing comes from.
    pub fn expire(&mut self, replies: &mut Vec<u8>) {
        self.phase = Phase::Closed;
        reply(replies, "421 4.4.2 nothing has come for too long");
    }

    /// Takes a line from the input, up to CR LF. Returns false if it goes on.
    fn take_line(&mut self, input: &mut &[u8]) -> bool {
        while let Some((&byte, rest)) = input.split_first() {
            *input = rest;
            if byte == b'\n' && self.line.last() == Some(&b'\r') {
                self.line.pop();
                return true;
            }
            if self.line.len() >= COMMAND_LINE {
                self.is_long = true;
                // The last byte may be the CR of the end.
                self.line.clear();
            }
            self.line.push(byte);
        }
        false
    }

    fn obey(&mut self, line: &[u8], is_known: &dyn Fn(&Address) -> bool, replies: &mut Vec<u8>) {
        let is_greeted = matches!(self.phase, Phase::Greeted);
        let text = match parse(line) {
            Err(fault) => return self.fault(fault, replies),
            Ok(Command::Quit) => {
                self.phase = Phase::Closed;
                return reply(replies, "221 2.0.0 bye");
            }
            Ok(Command::Lhlo) => {
                self.phase = Phase::Ready;
                self.reset();
                let host = &self.host;
                let lines = [
                    host,
                    "PIPELINING",
                    "ENHANCEDSTATUSCODES",
                    "8BITMIME",
                    "SMTPUTF8",
                ];
                for line in lines {
                    reply(replies, &format!("250-{line}"));
                }
                return reply(replies, &format!("250 SIZE {MESSAGE}"));
            }
            Ok(Command::Noop) => "250 2.0.0 ok",
            Ok(Command::Rset) => {
                self.reset();
                "250 2.0.0 ok"
            }
            Ok(Command::Vrfy) => "252 2.5.2 send a message and see",
            Ok(_) if is_greeted => return self.fault("503 5.5.1 LHLO first", replies),
            Ok(Command::Mail { .. }) if self.from.is_some() => {
                return self.fault("503 5.5.1 there is a sender already", replies);
            }
            Ok(Command::Mail { size, .. }) if size > MESSAGE as u64 => {
                return reply(replies, &format!("552 5.3.4 {}", Excess::Message));
            }
            Ok(Command::Mail { from, .. }) => {
                self.from = Some(from.to_owned());
                "250 2.1.0 ok"
            }
            Ok(Command::Rcpt { .. }) if self.from.is_none() => {
                return self.fault("503 5.5.1 MAIL first", replies);
            }
            Ok(Command::Rcpt { .. }) if self.recipients >= RECIPIENTS => {
                "452 4.5.3 too many recipients"
            }
            Ok(Command::Rcpt { to }) => {
                if to.parse().is_ok_and(|address| is_known(&address)) {
                    self.recipients += 1;
                    "250 2.1.5 ok"
                } else {
                    "550 5.1.1 no such recipient here"
                }
            }
            Ok(Command::Data) if self.recipients == 0 => {
                return self.fault("503 5.5.1 no valid recipients", replies);
            }
            Ok(Command::Data) => {
                let from = self.from.take().unwrap_or_default();
                // A message may begin with a blank, which continues the line before it:
                // that must not be the sender's.
                let host = &self.host;
                let trace = format!("Return-Path: <{from}>\r\nReceived: by {host} with LMTP\r\n");
                self.phase = Phase::Receiving(Body::new(trace));
                "354 end the message with a dot"
            }
        };
        reply(replies, text);
    }

    /// Takes the message that has ended. Replies if it was not kept.
    fn whole(&mut self, replies: &mut Vec<u8>) -> Option<Vec<u8>> {
        let phase = mem::replace(&mut self.phase, Phase::Handling);
        let Phase::Receiving(body) = phase else {
            return None;
        };
        match body.keeping {
            Keeping::Few | Keeping::Many => return Some(body.bytes),
            Keeping::TooLong => self.settle(DeliveryStatus::Beyond(Excess::Message), replies),
            Keeping::NoRoom => self.reply_to_all("452 4.3.1 no room now; try again later", replies),
        }
        None
    }

    fn reply_to_all(&mut self, text: &str, replies: &mut Vec<u8>) {
        for _ in 0..self.recipients {
            reply(replies, text);
        }
        self.phase = Phase::Ready;
        (self.bytes, self.commands) = (0, 0);
        self.reset();
    }

    fn reset(&mut self) {
        self.from = None;
        self.recipients = 0;
    }

    /// Replies to a line that is no command, or not in its place.
    fn fault(&mut self, text: &str, replies: &mut Vec<u8>) {
        self.faults += 1;
        reply(replies, text);
        if self.faults >= FAULTS {
            self.phase = Phase::Closed;
            reply(replies, "421 4.7.0 too many errors");
        }
    }
}

fn reply(replies: &mut Vec<u8>, text: &str) {
    replies.extend_from_slice(text.as_bytes());
    replies.extend_from_slice(b"\r\n");
}

/// A command.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Command<'l> {
    Lhlo,
    Mail {
        /// The sender, or empty for a report that nobody is to answer.
        from: &'l str,
        /// The size that the client says the message has.
        size: u64,
    },
    Rcpt {
        to: &'l str,
    },
    Data,
    Rset,
    Noop,
    Vrfy,
    Quit,
}

/// A reply to a line that is no command of LMTP.
pub(crate) type Fault = &'static str;

const SYNTAX: Fault = "501 5.5.4 syntax error in the arguments";
const UNKNOWN: Fault = "500 5.5.1 command unknown";

/// Reads a line without its end.
///
/// # Errors
///
/// If it is no command, or is not written as it must be: the reply.
pub(crate) fn parse(line: &[u8]) -> Result<Command<'_>, Fault> {
    let line = std::str::from_utf8(line).map_err(|_| "500 5.5.2 the line is not UTF-8")?;
    if line.chars().any(char::is_control) {
        return Err("500 5.5.2 the line has control characters");
    }
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim();
    let alone = |command| {
        if rest.is_empty() {
            Ok(command)
        } else {
            Err(SYNTAX)
        }
    };
    match word.to_ascii_uppercase().as_str() {
        "LHLO" if rest.is_empty() => Err("501 5.5.4 LHLO needs a name"),
        "LHLO" => Ok(Command::Lhlo),
        "HELO" | "EHLO" => Err("500 5.5.1 this is LMTP, which begins with LHLO"),
        "MAIL" => mail(rest),
        "RCPT" => rcpt(rest),
        "DATA" => alone(Command::Data),
        "RSET" => alone(Command::Rset),
        "NOOP" => Ok(Command::Noop),
        "VRFY" if rest.is_empty() => Err(SYNTAX),
        "VRFY" => Ok(Command::Vrfy),
        "QUIT" => alone(Command::Quit),
        "AUTH" | "BDAT" | "ETRN" | "EXPN" | "HELP" | "STARTTLS" | "TURN" => {
            Err("502 5.5.1 command not implemented")
        }
        _ => Err(UNKNOWN),
    }
}

fn mail(rest: &str) -> Result<Command<'_>, Fault> {
    let (from, options) = path(argument(rest, "FROM:")?)?;
    let mut size = 0;
    for option in options {
        let (key, value) = option.split_once('=').unwrap_or((option, ""));
        match key.to_ascii_uppercase().as_str() {
            "SIZE" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                // Twenty digits may be too many for the number, and more than may come.
                size = value.parse().unwrap_or(u64::MAX);
            }
            "BODY" if ["7BIT", "8BITMIME"].contains(&value.to_ascii_uppercase().as_str()) => {}
            "SMTPUTF8" if !option.contains('=') => {}
            "SIZE" | "BODY" | "SMTPUTF8" => return Err(SYNTAX),
            _ => return Err(OPTION),
        }
    }
    Ok(Command::Mail { from, size })
}

const OPTION: Fault = "555 5.5.4 option unknown";

fn rcpt(rest: &str) -> Result<Command<'_>, Fault> {
    let (to, mut options) = path(argument(rest, "TO:")?)?;
    match options.next() {
        Some(_) => Err(OPTION),
        None if to.is_empty() => Err(SYNTAX),
        None => Ok(Command::Rcpt { to }),
    }
}

/// Returns what follows a word with its colon.
fn argument<'l>(rest: &'l str, word: &str) -> Result<&'l str, Fault> {
    match rest.split_at_checked(word.len()) {
        Some((found, rest)) if found.eq_ignore_ascii_case(word) => Ok(rest.trim_start()),
        _ => Err(SYNTAX),
    }
}

/// Splits `<address> option…`. A route before the address is dropped.
fn path(text: &str) -> Result<(&str, impl Iterator<Item = &str>), Fault> {
    let inner = text.strip_prefix('<').ok_or(SYNTAX)?;
    let (end, route) = ends(inner).ok_or(SYNTAX)?;
    let options = &inner[end + 1..];
    if !options.is_empty() && !options.starts_with(' ') {
        return Err(SYNTAX);
    }
    let address = &inner[..end];
    let address = match route {
        Some(colon) if address.starts_with('@') => &address[colon + 1..],
        _ => address,
    };
    Ok((address, options.split_ascii_whitespace()))
}

/// Finds the `>` that ends a path, and the first colon before it, outside of quotes.
fn ends(path: &str) -> Option<(usize, Option<usize>)> {
    let (mut is_quoted, mut is_escaped, mut colon) = (false, false, None);
    for (at, c) in path.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '>' => return Some((at, colon)),
            '<' | ' ' => return None,
            ':' if colon.is_none() => colon = Some(at),
            _ => {}
        }
    }
    None
}

/// A message that arrives.
#[derive(Debug)]
pub(crate) struct Body {
    bytes: Vec<u8>,
    at: At,
    /// The treatment of further bytes.
    keeping: Keeping,
}

/// The place in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum At {
    /// Behind CR LF, or at the beginning.
    Start,
    /// Behind a dot at the start of a line, which is not kept.
    Dot,
    /// Behind such a dot and a CR, which is not kept yet.
    DotCr,
    /// Behind a CR.
    Cr,
    /// Elsewhere.
    Inside,
}

/// The treatment of further bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Keeping {
    /// They are kept, as long as they are few.
    Few,
    /// They are kept, as long as a message may be.
    Many,
    /// The message is too long, and none of it is kept.
    TooLong,
    /// There is no room for the message now, and none of it is kept.
    NoRoom,
}

/// The result of the bytes so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// More bytes must come.
    More,
    /// The message needs more room than each may have.
    Large,
    /// The message has ended.
    End,
}

impl Body {
    /// Creates a message that begins with fields of our own.
    pub(crate) fn new(fields: String) -> Body {
        Body {
            bytes: fields.into_bytes(),
            at: At::Start,
            keeping: Keeping::Few,
        }
    }

    /// Takes bytes from the front of the input, up to the end of the message.
    pub(crate) fn feed(&mut self, input: &mut &[u8]) -> Progress {
        while let Some((&byte, rest)) = input.split_first() {
            if self.keeping == Keeping::Few && self.bytes.len() >= HELD_BODY {
                return Progress::Large;
            }
            if self.at == At::Inside {
                let end = input.iter().position(|byte| *byte == b'\r');
                let room = match self.keeping {
                    Keeping::Few => HELD_BODY - self.bytes.len(),
                    _ => input.len(),
                };
                let length = end.unwrap_or(input.len()).min(room);
                if length > 0 {
                    let (text, rest) = input.split_at(length);
                    self.keep(text);
                    *input = rest;
                    continue;
                }
            }
            *input = rest;
            self.at = match (self.at, byte) {
                (At::Start, b'.') => At::Dot,
                (At::Dot, b'\r') => At::DotCr,
                (At::DotCr, b'\n') => return Progress::End,
                (at, byte) => {
                    if at == At::DotCr {
                        self.keep(b"\r");
                    }
                    self.keep(&[byte]);
                    match (at, byte) {
                        (_, b'\r') => At::Cr,
                        (At::Cr, b'\n') => At::Start,
                        _ => At::Inside,
                    }
                }
            };
        }
        Progress::More
    }

    fn keep(&mut self, bytes: &[u8]) {
        match self.keeping {
            Keeping::Few | Keeping::Many if self.bytes.len() + bytes.len() > MESSAGE => {
                self.keeping = Keeping::TooLong;
                self.bytes = Vec::new();
            }
            Keeping::Few | Keeping::Many => self.bytes.extend_from_slice(bytes),
            Keeping::TooLong | Keeping::NoRoom => {}
        }
    }

    /// Lets the message be as long as any, or keeps nothing of it.
    pub(crate) fn make_room(&mut self, is_there: bool) {
        if is_there {
            self.keeping = Keeping::Many;
        } else {
            self.keeping = Keeping::NoRoom;
            self.bytes = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_to_its_end() {
        for (line, from, size) in [
            ("MAIL FROM:<a@b.test>", "a@b.test", 0),
            (
                "mail from: <a@b.test> size=123 BODY=8bitmime",
                "a@b.test",
                123,
            ),
            ("MAIL FROM:<>", "", 0),
            ("MAIL FROM:<> SMTPUTF8", "", 0),
            (
                "MAIL FROM:<j\u{f6}rg@b.test> SMTPUTF8",
                "j\u{f6}rg@b.test",
                0,
            ),
            ("MAIL FROM:<@x.test,@y.test:a@b.test>", "a@b.test", 0),
            ("MAIL FROM:<\"a>b: c\"@d.test>", "\"a>b: c\"@d.test", 0),
            ("MAIL FROM:<\"a\\\">b\"@d.test>", "\"a\\\">b\"@d.test", 0),
            ("MAIL FROM:<a@b> SIZE=99999999999999999999", "a@b", u64::MAX),
        ] {
            assert_eq!(
                parse(line.as_bytes()),
                Ok(Command::Mail { from, size }),
                "{line}"
            );
        }
        let line = b"RCPT TO:<anna+chess@example.org>";
        let to = "anna+chess@example.org";
        assert_eq!(parse(line), Ok(Command::Rcpt { to }));
    }

    #[test]
    fn what_is_not_written_so_is_refused() {
        for (line, code) in [
            ("", "500"),
            ("HELO x", "500"),
            ("EHLO x", "500"),
            ("LHLO", "501"),
            ("MAIL", "501"),
            ("MAIL FROM", "501"),
            ("MAIL FROM:", "501"),
            ("MAIL FROM:a@b.test", "501"),
            ("MAIL FROM:<a@b.test", "501"),
            ("MAIL FROM:<a@b.test>SIZE=1", "501"),
            ("MAIL FROM:<a b@c.test>", "501"),
            ("MAIL FROM:<\"a@b.test>", "501"),
            ("MAIL FROM:<a@b.test> SIZE=", "501"),
            ("MAIL FROM:<a@b.test> SIZE=-1", "501"),
            ("MAIL FROM:<a@b.test> BODY=BINARYMIME", "501"),
            ("MAIL FROM:<a@b.test> RET=HDRS", "555"),
            ("MAIL\u{e4}FROM:<a@b.test>", "500"),
            ("RCPT TO:<>", "501"),
            ("RCPT TO:<a@b.test> NOTIFY=NEVER", "555"),
            ("RCPT FROM:<a@b.test>", "501"),
            ("DATA x", "501"),
            ("DATA\tx", "500"),
            ("NOOP\nMAIL FROM:<a@b.test>", "500"),
            ("STARTTLS", "502"),
            ("BDAT 3", "502"),
            ("NEWS", "500"),
        ] {
            let fault = parse(line.as_bytes()).unwrap_err();
            assert!(fault.starts_with(code), "{line:?}: {fault}");
        }
        assert!(parse(b"MAIL FROM:<\xff@b.test>").is_err());
    }

    /// The message in these bytes, and what is behind its end.
    fn read(text: &str) -> Option<(String, String)> {
        let mut body = Body::new(String::new());
        let mut input = text.as_bytes();
        match body.feed(&mut input) {
            Progress::End => {}
            Progress::More | Progress::Large => return None,
        }
        assert_eq!(body.keeping, Keeping::Few);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Some((text(&body.bytes), text(input)))
    }

    #[test]
    fn only_a_dot_between_line_ends_of_cr_lf_ends_a_message() {
        for (text, body, rest) in [
            (".\r\n", "", ""),
            ("a\r\n.\r\nQUIT\r\n", "a\r\n", "QUIT\r\n"),
            ("..\r\n.a\r\n...\r\n.\r\n", ".\r\na\r\n..\r\n", ""),
            ("a\n.\r\n.\r\n", "a\n.\r\n", ""),
            ("a\r.\r\n.\r\n", "a\r.\r\n", ""),
            ("a\r\n.\nb\r\n.\r\n", "a\r\n\nb\r\n", ""),
            ("a\r\n.\rb\r\n.\r\n", "a\r\n\rb\r\n", ""),
            ("a\r\n.\r\r\n.\r\n", "a\r\n\r\r\n", ""),
            ("a\n.\nb\n\r\n.\r\n", "a\n.\nb\n\r\n", ""),
            ("a\r\r\n.\r\n", "a\r\r\n", ""),
            ("\0\r\n.\r\n", "\0\r\n", ""),
        ] {
            let found = read(text);
            let expected = (body.to_owned(), rest.to_owned());
            assert_eq!(found, Some(expected), "{text:?}");
        }
        for text in [
            "", "a\n.\n", "a\r.\r", "a\r\n.\n", "a\n.\r\n", "a.\r\n", ".\r",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
