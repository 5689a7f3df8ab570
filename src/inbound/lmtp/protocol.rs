//! A session of LMTP, without its connection.

use std::fmt::Write as _;
use std::mem;

use lettre::Address;

use crate::inbound::lmtp::body::{Body, Progress, Whole};
use crate::inbound::lmtp::command::{self, Command};
use crate::limits::{COMMAND_LINE, COMMANDS, Excess, MESSAGE, RECIPIENTS, SESSION_BYTES};

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

/// What the caller must do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
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

/// What became of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It is dealt with for good. How is nobody's business who may reach the server: it
    /// would tell who plays here, and whose turn it is.
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
    ) -> Step {
        loop {
            let is_closed = matches!(self.phase, Phase::Closed);
            if !is_closed && (self.bytes > SESSION_BYTES || self.commands > COMMANDS) {
                self.phase = Phase::Closed;
                reply(replies, "421 4.7.0 too much without a message");
            }
            let before = input.len();
            match &mut self.phase {
                Phase::Closed => return Step::End,
                Phase::Handling => return Step::More,
                Phase::Receiving(body) => {
                    let progress = body.feed(input);
                    self.bytes += before - input.len();
                    match progress {
                        Progress::More if self.bytes > SESSION_BYTES => {}
                        Progress::More => return Step::More,
                        Progress::Large => return Step::Large,
                        Progress::End => {
                            if let Some(bytes) = self.whole(replies) {
                                return Step::Message(bytes);
                            }
                        }
                    }
                }
                Phase::Greeted | Phase::Ready => {
                    let is_whole = self.take_line(input);
                    self.bytes += before - input.len();
                    if !is_whole && self.bytes <= SESSION_BYTES {
                        return Step::More;
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
    pub fn settle(&mut self, outcome: Outcome, replies: &mut Vec<u8>) {
        let text = match outcome {
            Outcome::Done => "250 2.0.0 ok".to_owned(),
            Outcome::Beyond(excess) => format!("552 5.3.4 {excess}"),
            Outcome::Later => "451 4.3.0 not now; try again later".to_owned(),
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
        let text = match command::parse(line) {
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
        match body.into_whole() {
            Whole::Bytes(bytes) => return Some(bytes),
            Whole::TooLong => self.settle(Outcome::Beyond(Excess::Message), replies),
            Whole::NoRoom => self.reply_to_all("452 4.3.1 no room now; try again later", replies),
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
    let mut line = String::with_capacity(text.len() + 2);
    let _ = write!(line, "{text}\r\n");
    replies.extend_from_slice(line.as_bytes());
}
