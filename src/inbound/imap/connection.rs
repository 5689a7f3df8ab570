//! A connection to an IMAP server: commands and their answers.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use crate::inbound::imap::error::ImapError;
use crate::inbound::imap::response::{self, Response, Value, Word};
use crate::inbound::imap::text;
use crate::inbound::imap::wire::{Stream, Wire};
use crate::limits::IMAP_RESPONSES;

/// The most names of a server's extensions that are kept.
const CAPABILITIES: usize = 500;

/// The longest wait for a greeting.
const GREETING: Duration = Duration::from_secs(30);

/// A part of a command.
#[derive(Clone, Copy)]
pub enum Part<'t> {
    /// Words of IMAP.
    Words(&'t str),
    /// A text, which may hold anything but a NUL.
    Text(&'t str),
}

/// A connection to an IMAP server.
#[derive(Debug)]
pub struct Connection<S> {
    wire: Wire<S>,
    /// The number of commands so far.
    commands: u32,
    /// The number of responses to the last one.
    responses: usize,
    capabilities: BTreeSet<String>,
    /// The number of messages in the selected folder.
    pub(super) exists: u32,
    /// True if messages have come since it was last set to false.
    pub(super) has_news: bool,
}

impl<S: Stream> Connection<S> {
    /// Reads the greeting of a server. Returns true with the connection if the server
    /// takes the client for somebody it knows already.
    ///
    /// # Errors
    ///
    /// If the server turns the client away or the connection fails.
    pub fn greeted(stream: S) -> Result<(Connection<S>, bool), ImapError> {
        let mut connection = Connection::over(stream);
        // A server that waits to be spoken to, as one that expects TLS does, never greets.
        if !connection.wire.wait(GREETING)? {
            return Err(ImapError::TimedOut);
        }
        match connection.read(0)? {
            Response::Status {
                tag: None,
                word: Word::Ok,
                ..
            } => Ok((connection, false)),
            Response::Status {
                tag: None,
                word: Word::Preauth,
                ..
            } => Ok((connection, true)),
            Response::Status {
                tag: None,
                word,
                code,
                text,
            } => Err(response::answer(word, code, text)),
            _ => Err(ImapError::Malformed("no greeting")),
        }
    }

    /// Goes on over another stream, such as that of TLS.
    pub fn over(stream: S) -> Connection<S> {
        Connection {
            wire: Wire::new(stream),
            commands: 0,
            responses: 0,
            capabilities: BTreeSet::new(),
            exists: 0,
            has_news: false,
        }
    }

    /// Returns the stream.
    ///
    /// # Errors
    ///
    /// As [`Wire::into_stream`].
    pub fn into_stream(self) -> Result<S, ImapError> {
        self.wire.into_stream()
    }

    /// Returns the stream, whatever is still to be read.
    #[cfg(test)]
    pub(super) fn into_inner(self) -> S {
        self.wire.into_inner()
    }

    /// Asks what the server can do.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn read_capabilities(&mut self) -> Result<(), ImapError> {
        let mut found = BTreeSet::new();
        self.run(&[Part::Words("CAPABILITY")], 0, |response| {
            let Response::Data(values) = response else {
                return Ok(());
            };
            if !values.first().is_some_and(|first| first.is("CAPABILITY")) {
                return Ok(());
            }
            for value in &values[1..] {
                if let Value::Atom(name) = value {
                    found.insert(String::from_utf8_lossy(name).to_ascii_uppercase());
                }
            }
            if found.len() > CAPABILITIES {
                return Err(ImapError::TooLong("a longer list of what it can do"));
            }
            Ok(())
        })?;
        self.capabilities = found;
        Ok(())
    }

    /// Returns true if the server can do this.
    #[must_use]
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities.contains(capability)
    }

    /// Runs a command. `each` gets the responses that come before its end, none of which
    /// has literals of more than `literal` bytes.
    ///
    /// # Errors
    ///
    /// If the server does not answer OK, `each` fails, or the connection does.
    pub fn run(
        &mut self,
        parts: &[Part<'_>],
        literal: usize,
        mut each: impl FnMut(Response) -> Result<(), ImapError>,
    ) -> Result<Done, ImapError> {
        let tag = self.begin(parts, literal, &mut each)?;
        loop {
            match self.read(literal)? {
                Response::Continue(_) => {
                    return Err(ImapError::Malformed(
                        "a wish for more where nothing follows",
                    ));
                }
                response => {
                    if let Some(done) = Self::ended(&tag, response, &mut each)? {
                        return Ok(done);
                    }
                }
            }
        }
    }

    /// Runs a command that goes on in lines of its own, each of which the server asks
    /// for: a login or IDLE. `next` returns the line that answers the server's words.
    ///
    /// # Errors
    ///
    /// As [`Connection::run`].
    pub fn converse(
        &mut self,
        parts: &[Part<'_>],
        mut next: impl FnMut(&[u8]) -> String,
    ) -> Result<Done, ImapError> {
        /// The most lines of one login.
        const LINES: usize = 8;
        let mut each = |_| Ok(());
        let tag = self.begin(parts, 0, &mut each)?;
        let mut lines = 0;
        loop {
            match self.read(0)? {
                Response::Continue(_) if lines == LINES => {
                    return Err(ImapError::Malformed("a login without an end"));
                }
                Response::Continue(words) => {
                    lines += 1;
                    let line = next(&words) + "\r\n";
                    self.wire.send(line.as_bytes())?;
                }
                response => {
                    if let Some(done) = Self::ended(&tag, response, &mut each)? {
                        return Ok(done);
                    }
                }
            }
        }
    }

    /// Waits with IDLE until messages come or the time is over.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn idle(&mut self, longest: Duration) -> Result<(), ImapError> {
        let mut each = |_| Ok(());
        let tag = self.begin(&[Part::Words("IDLE")], 0, &mut each)?;
        loop {
            match self.read(0)? {
                Response::Continue(_) => break,
                response => {
                    if Self::ended(&tag, response, &mut each)?.is_some() {
                        return Ok(());
                    }
                }
            }
        }
        let end = std::time::Instant::now() + longest;
        while !self.has_news {
            let left = end.saturating_duration_since(std::time::Instant::now());
            if !self.wire.wait(left)? {
                break;
            }
            let response = self.read(0)?;
            if Self::ended(&tag, response, &mut each)?.is_some() {
                return Ok(());
            }
        }
        self.wire.expect_answer();
        self.wire.send(b"DONE\r\n")?;
        loop {
            let response = self.read(0)?;
            if Self::ended(&tag, response, &mut each)?.is_some() {
                return Ok(());
            }
        }
    }

    /// Sends a command. Returns its tag.
    fn begin(
        &mut self,
        parts: &[Part<'_>],
        literal: usize,
        each: &mut impl FnMut(Response) -> Result<(), ImapError>,
    ) -> Result<Vec<u8>, ImapError> {
        self.commands += 1;
        self.responses = 0;
        let tag = format!("A{}", self.commands);
        let mut line = format!("{tag} ");
        self.wire.expect_answer();
        for part in parts {
            match *part {
                Part::Words(words) => line.push_str(words),
                Part::Text(text) => {
                    if let Some(quoted) = text::quoted(text) {
                        line.push_str(&quoted);
                        continue;
                    }
                    let _ = write!(line, "{{{}}}\r\n", text.len());
                    self.wire.send(line.as_bytes())?;
                    self.must_continue(tag.as_bytes(), literal, each)?;
                    text.clone_into(&mut line);
                }
            }
        }
        line.push_str("\r\n");
        self.wire.send(line.as_bytes())?;
        Ok(tag.into_bytes())
    }

    /// Waits until the server wants the rest of a command.
    fn must_continue(
        &mut self,
        tag: &[u8],
        literal: usize,
        each: &mut impl FnMut(Response) -> Result<(), ImapError>,
    ) -> Result<(), ImapError> {
        loop {
            match self.read(literal)? {
                Response::Continue(_) => return Ok(()),
                response => {
                    if Self::ended(tag, response, each)?.is_some() {
                        return Err(ImapError::Malformed("an end before the command's"));
                    }
                }
            }
        }
    }

    /// Returns how a command has ended, if this response is its end.
    fn ended(
        tag: &[u8],
        response: Response,
        each: &mut impl FnMut(Response) -> Result<(), ImapError>,
    ) -> Result<Option<Done>, ImapError> {
        match response {
            Response::Status {
                tag: Some(ended),
                word,
                code,
                text,
            } => {
                if ended != tag {
                    return Err(ImapError::Malformed("an answer to no command"));
                }
                match word {
                    Word::Ok => Ok(Some(Done { code })),
                    word => Err(response::answer(word, code, text)),
                }
            }
            response => each(response).map(|()| None),
        }
    }

    /// Reads a response, and notes what it tells of the folder.
    fn read(&mut self, literal: usize) -> Result<Response, ImapError> {
        self.responses += 1;
        if self.responses > IMAP_RESPONSES {
            return Err(ImapError::TooLong("more responses to one command"));
        }
        let response = Response::read(&mut self.wire, literal)?;
        match &response {
            Response::Status {
                tag: None,
                word: Word::Bye,
                text,
                ..
            } => return Err(ImapError::Closed(text.clone())),
            Response::Data(values) => {
                if let [number, word] = values.as_slice()
                    && let Some(number) = number.number()
                {
                    if word.is("EXISTS") {
                        self.has_news |= number > self.exists;
                        self.exists = number;
                    } else if word.is("EXPUNGE") {
                        self.exists = self.exists.saturating_sub(1);
                    }
                }
            }
            _ => {}
        }
        Ok(response)
    }
}

/// The end of a command that has succeeded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// The code in brackets, if there is one.
    pub code: Option<String>,
}
