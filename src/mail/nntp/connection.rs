//! A connection to a news server: commands, their answers and blocks of lines (RFC 3977).
//!
//! What a server says is hostile data: its lines, its blocks and the time for each of them have
//! limits, and nothing that it says before TLS is believed afterwards.

use std::io;
use std::time::Duration;

use crate::error::words;
use crate::limits::{NEWS_BYTES, NEWS_LINE};
use crate::nntp::newsgroup::Newsgroup;
use crate::server_text::ServerText;
use crate::wire::{self, AnswerLimits, AnyStream, Stream, Wire, WireError, tls_error};

/// The most bytes of a command, with its end (RFC 3977, 3.1).
const COMMAND: usize = 512;

/// The most lines that tell what a server can do.
const CAPABILITIES: usize = 500;

/// The most lines that tell of one group.
const GROUPS: usize = 100;

/// The most characters of a server's words that a message repeats.
const WORDS: usize = 300;

/// The bounds of an answer. Each step has a time of its own.
const ANSWER: AnswerLimits = AnswerLimits {
    silence: None,
    bytes: NEWS_BYTES,
};

/// Why an exchange with a news server failed. `Display` writes a clause; its caller names the
/// server.
#[derive(Debug, thiserror::Error)]
pub enum NntpError {
    /// The server has refused a command.
    #[error("it has answered {0}")]
    Refused(NntpReply),
    /// The server wants a login first.
    #[error("it wants a login first ({0})")]
    NeedsLogin(NntpReply),
    /// An answer exceeds a limit.
    #[error("it has sent {0}, which is more than is read")]
    TooLong(&'static str),
    /// The server has given something else than an answer to what it was asked.
    #[error("it has sent what is no answer: {0}")]
    Malformed(&'static str),
    /// The server has closed the connection, perhaps with a reason.
    #[error("it has closed the connection{}", reason(.0))]
    Closed(ServerText),
    /// The server has not answered in time.
    #[error("it has not answered in time")]
    TimedOut,
    /// The server's certificate is not to be trusted, or TLS has failed otherwise.
    #[error("{}", ServerText::new(.0.to_string()))]
    Tls(#[source] rustls::Error),
    /// The server cannot do what is needed, or must not be used.
    #[error("{0}")]
    Unfit(String),
    /// The connection has failed.
    #[error("{}", ServerText::new(words(.0)))]
    Io(#[source] io::Error),
}

impl NntpError {
    /// Returns true if another attempt would end the same.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        match self {
            NntpError::Refused(reply) => !reply.is_trouble(),
            NntpError::Tls(_) | NntpError::Unfit(_) | NntpError::NeedsLogin(_) => true,
            _ => false,
        }
    }
}

impl From<WireError> for NntpError {
    fn from(error: WireError) -> NntpError {
        match error {
            WireError::Closed => NntpError::Closed(ServerText::default()),
            WireError::TimedOut => NntpError::TimedOut,
            WireError::LongLine => NntpError::TooLong("a longer line"),
            WireError::LongAnswer => NntpError::TooLong("more bytes in one answer"),
            WireError::BehindStarttls => {
                NntpError::Malformed("words behind its answer to STARTTLS")
            }
            WireError::Io(error) => match tls_error(&error) {
                Some(tls) => NntpError::Tls(tls.clone()),
                None => NntpError::Io(error),
            },
        }
    }
}

impl From<io::Error> for NntpError {
    fn from(error: io::Error) -> NntpError {
        WireError::from(error).into()
    }
}

fn reason(text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!(": {}", text.chars().take(WORDS).collect::<String>()),
    }
}

/// The first line of a news server's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NntpReply {
    /// The three digits.
    pub code: u16,
    /// The words after them.
    pub text: ServerText,
}

impl NntpReply {
    fn read(line: &[u8]) -> Option<NntpReply> {
        let (digits, rest) = line.split_at_checked(3)?;
        let is_code = digits.iter().all(u8::is_ascii_digit);
        let is_end = matches!(rest.first(), None | Some(b' ' | b'\t'));
        let code = std::str::from_utf8(digits).ok()?.parse().ok()?;
        (is_code && is_end && (100..600).contains(&code)).then(|| NntpReply {
            code,
            text: ServerText::new(rest.trim_ascii()),
        })
    }

    /// Returns true if the server says that it has trouble of its own, which may pass.
    fn is_trouble(&self) -> bool {
        matches!(self.code, 403 | 436)
    }
}

impl std::fmt::Display for NntpReply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text: String = self.text.chars().take(WORDS).collect();
        format!("{} {text}", self.code).trim_end().fmt(f)
    }
}

/// What may be posted to a newsgroup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Posting {
    /// Anything.
    Open,
    /// Articles go to a moderator, who decides.
    Moderated,
    /// Nothing.
    Closed,
}

/// A connection to a news server.
pub struct NntpConnection<S = AnyStream> {
    pub(super) wire: Wire<S>,
    /// What the server can do: a line each, in capitals. None if it does not say.
    capabilities: Option<Vec<String>>,
    /// The words of the greeting.
    pub greeting: ServerText,
    /// True if the server has not said that nobody may post.
    pub may_post: bool,
    /// True while every answer was one to what was said last.
    is_in_step: bool,
}

impl<S: Stream> NntpConnection<S> {
    /// Creates a connection over a stream on which nothing has been said.
    #[must_use]
    pub fn over(stream: S) -> NntpConnection<S> {
        NntpConnection {
            wire: Wire::new(stream, ANSWER),
            capabilities: None,
            greeting: ServerText::default(),
            may_post: true,
            is_in_step: true,
        }
    }

    /// Reads the greeting of a server.
    ///
    /// # Errors
    ///
    /// If the server turns the client away or the connection fails.
    pub fn greeted(stream: S, limit: Duration) -> Result<NntpConnection<S>, NntpError> {
        let mut connection = NntpConnection::over(stream);
        let reply = connection.answer(&[200, 201], limit)?;
        connection.may_post = reply.code == 200;
        connection.greeting = reply.text;
        Ok(connection)
    }

    /// Returns the stream.
    ///
    /// # Errors
    ///
    /// As [`Wire::into_stream`].
    pub fn into_stream(self) -> Result<S, NntpError> {
        Ok(self.wire.into_stream()?)
    }

    /// Returns true if the connection is encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.wire.is_encrypted()
    }

    /// Returns true if the next answer will be one to what is said next. An answer that came
    /// late or not to its end may still come, and would be taken for the next one.
    #[must_use]
    pub fn is_in_step(&self) -> bool {
        self.is_in_step
    }

    /// Asks what the server can do. One from before RFC 3977 does not know the question.
    ///
    /// # Errors
    ///
    /// If the connection fails or the answer is too long.
    pub fn read_capabilities(&mut self, limit: Duration) -> Result<(), NntpError> {
        self.capabilities = None;
        match self.say("CAPABILITIES", &[101], limit) {
            Ok(_) => {}
            Err(NntpError::Refused(reply) | NntpError::NeedsLogin(reply))
                if matches!(reply.code, 480 | 500..=503) =>
            {
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        let mut found = Vec::new();
        self.block(CAPABILITIES, |line| {
            found.push(String::from_utf8_lossy(line).trim().to_ascii_uppercase());
            Ok(())
        })?;
        self.capabilities = Some(found);
        Ok(())
    }

    /// Returns true if the server says that it can do this, with this argument if there is one.
    #[must_use]
    pub fn can(&self, capability: &str, argument: Option<&str>) -> bool {
        let mut lines = self.capabilities.iter().flatten();
        lines.any(|line| {
            let mut words = line.split_ascii_whitespace();
            words.next() == Some(capability)
                && argument.is_none_or(|argument| words.any(|word| word == argument))
        })
    }

    /// Returns true if the server has said what it can do.
    #[must_use]
    pub fn tells_capabilities(&self) -> bool {
        self.capabilities.is_some()
    }

    /// Asks for the part of the server that serves readers.
    ///
    /// # Errors
    ///
    /// If the server refuses or the connection fails.
    pub fn mode_reader(&mut self, limit: Duration) -> Result<(), NntpError> {
        let reply = self.say("MODE READER", &[200, 201], limit)?;
        self.may_post = reply.code == 200;
        Ok(())
    }

    /// Asks what may be posted to a group; none if the server does not say.
    ///
    /// # Errors
    ///
    /// If the connection fails or the answer is too long.
    pub fn posting(
        &mut self,
        group: &Newsgroup,
        limit: Duration,
    ) -> Result<Option<Posting>, NntpError> {
        match self.say(&format!("LIST ACTIVE {group}"), &[215], limit) {
            Ok(_) => {}
            Err(NntpError::Refused(_)) => return Ok(None),
            Err(error) => return Err(error),
        }
        let mut found = None;
        self.block(GROUPS, |line| {
            let line = String::from_utf8_lossy(line);
            let mut words = line.split_ascii_whitespace();
            if words.next() == Some(group.as_str()) {
                found = match words.nth(2) {
                    Some("y") => Some(Posting::Open),
                    Some("m") => Some(Posting::Moderated),
                    Some("n" | "x" | "j") => Some(Posting::Closed),
                    _ => None,
                };
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Gives a command, and returns the first line of the answer, which has one of these codes.
    ///
    /// # Errors
    ///
    /// If the answer is another one or does not come in time.
    pub fn say(
        &mut self,
        command: &str,
        codes: &[u16],
        limit: Duration,
    ) -> Result<NntpReply, NntpError> {
        if command.contains(['\r', '\n', '\0']) || command.len() + 2 > COMMAND {
            return Err(NntpError::Unfit(
                "a command is too long or has characters that would end it".to_owned(),
            ));
        }
        self.exchange(format!("{command}\r\n").as_bytes(), codes, limit)
    }

    /// Sends the text of an article after POST, and waits for the answer to its final dot.
    ///
    /// # Errors
    ///
    /// As [`NntpConnection::say`]. Unless the server has refused the article, nobody knows
    /// whether it has it.
    pub fn send_text(&mut self, text: &[u8], limit: Duration) -> Result<NntpReply, NntpError> {
        self.exchange(&wire::stuffed(text), &[240], limit)
    }

    fn exchange(
        &mut self,
        bytes: &[u8],
        codes: &[u16],
        limit: Duration,
    ) -> Result<NntpReply, NntpError> {
        self.is_in_step = false;
        self.wire.send(bytes, limit)?;
        self.answer(codes, limit)
    }

    /// Reads the first line of an answer. The time is also that of the lines behind it.
    fn answer(&mut self, codes: &[u16], limit: Duration) -> Result<NntpReply, NntpError> {
        self.is_in_step = false;
        self.wire.expect_answer(limit);
        let line = self.wire.line(NEWS_LINE)?;
        let reply = NntpReply::read(&line).ok_or(NntpError::Malformed("no code of an answer"))?;
        match reply.code {
            400 => return Err(NntpError::Closed(reply.text)),
            code if codes.contains(&code) => {}
            100..400 => return Err(NntpError::Malformed("an answer to another command")),
            _ => {
                self.is_in_step = true;
                return Err(match reply.code {
                    480 => NntpError::NeedsLogin(reply),
                    _ => NntpError::Refused(reply),
                });
            }
        }
        self.is_in_step = true;
        Ok(reply)
    }

    /// Reads the lines behind an answer, `most` at most, up to the line of a dot, in the time of
    /// the answer. A dot that was put before a line is taken off.
    ///
    /// # Errors
    ///
    /// If `each` fails, there are more, or the connection fails. Then it cannot be used any more.
    pub(super) fn block(
        &mut self,
        most: usize,
        mut each: impl FnMut(&[u8]) -> Result<(), NntpError>,
    ) -> Result<(), NntpError> {
        self.is_in_step = false;
        for lines in 0.. {
            let line = self.wire.line(NEWS_LINE)?;
            let stuffed = line.strip_prefix(b".");
            if stuffed == Some(b"") {
                break;
            }
            if lines == most {
                return Err(NntpError::TooLong("more lines in one answer"));
            }
            each(stuffed.unwrap_or(&line))?;
        }
        self.is_in_step = true;
        Ok(())
    }
}
