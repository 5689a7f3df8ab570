//! A connection to an IMAP server: TLS, the login, commands and their answers, and why an
//! exchange fails.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rustls::StreamOwned;

use crate::Error;
use crate::imap::{self, ImapError, Response, Value, Word};
use crate::limits::{self, IMAP_BYTES, IMAP_RESPONSES};
use crate::secret::{Credential, Login};
use crate::settings::{ImapSettings, ImapTls};
use crate::wire::{self, AnswerLimits, Stream, TimedSocket, TlsStream, Wire};

/// The most names of a server's extensions that are kept.
const CAPABILITIES: usize = 500;

/// The longest wait for a greeting.
const GREETING: Duration = Duration::from_secs(30);

/// The time until an answer is complete. To search the text of messages takes some servers
/// minutes, and 32 MiB in half an hour are 18 KiB a second.
pub(super) const TIME: Duration = Duration::from_mins(30);

/// The longest time in which no byte comes or goes.
const SILENCE: Duration = Duration::from_mins(5);

/// The other bounds of an answer.
pub(super) const ANSWER: AnswerLimits = AnswerLimits {
    silence: Some(SILENCE),
    bytes: IMAP_BYTES,
};

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
    pub(crate) exists: u32,
    /// True if messages have come since it was last set to false.
    pub(crate) has_news: bool,
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
        if !connection.wire.wait(GREETING, TIME)? {
            return Err(ImapError::TimedOut);
        }
        match connection.read(0)? {
            Response::Status {
                tag: None,
                word,
                code,
                text,
            } => match word {
                Word::Ok => Ok((connection, false)),
                Word::Preauth => Ok((connection, true)),
                word => Err(imap::answer(word, code, text)),
            },
            _ => Err(ImapError::Malformed("no greeting")),
        }
    }

    /// Goes on over another stream, such as that of TLS.
    pub fn over(stream: S) -> Connection<S> {
        Connection {
            wire: Wire::new(stream, ANSWER),
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
        Ok(self.wire.into_stream()?)
    }

    /// Returns the stream, whatever is still to be read.
    #[cfg(test)]
    pub(crate) fn into_inner(self) -> S {
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

    /// Says which program this is (RFC 2971), where the server asks. Some open no folder before.
    ///
    /// # Errors
    ///
    /// If the connection fails. The server may refuse.
    pub fn identify(&mut self) -> Result<(), ImapError> {
        const VERSION: &str = env!("CARGO_PKG_VERSION");
        if !self.can("ID") {
            return Ok(());
        }
        let words = format!("ID (\"name\" \"parapost\" \"version\" \"{VERSION}\")");
        match self.run(&[Part::Words(&words)], limits::IMAP_NAME, |_| Ok(())) {
            Err(ImapError::No(_)) => Ok(()),
            done => done.map(|_| ()),
        }
    }

    /// Runs a command. `each` gets the responses that come before its end, none of which
    /// has literals of more than `literal` bytes. Returns the code in brackets at its end, if
    /// there is one.
    ///
    /// # Errors
    ///
    /// If the server does not answer OK, `each` fails, or the connection does.
    pub fn run(
        &mut self,
        parts: &[Part<'_>],
        literal: usize,
        mut each: impl FnMut(Response) -> Result<(), ImapError>,
    ) -> Result<Option<Vec<u8>>, ImapError> {
        let tag = self.begin(parts, literal, &mut each)?;
        match self.proceed(&tag, literal, &mut each)? {
            Turn::Done(code) => Ok(code),
            Turn::More(_) => Err(ImapError::Malformed(
                "a wish for more where nothing follows",
            )),
        }
    }

    /// Runs a command of whose answers nothing but the outcome matters.
    ///
    /// # Errors
    ///
    /// As [`Connection::run`].
    pub fn command(&mut self, words: &str) -> Result<(), ImapError> {
        self.run(&[Part::Words(words)], 0, |_| Ok(())).map(|_| ())
    }

    /// Runs a command that goes on in lines of its own, each of which the server asks
    /// for: a login. `next` returns the line that answers the server's words.
    ///
    /// # Errors
    ///
    /// As [`Connection::run`].
    pub fn converse(
        &mut self,
        words: &str,
        mut next: impl FnMut(&[u8]) -> String,
    ) -> Result<(), ImapError> {
        /// The most lines of one login.
        const LINES: usize = 8;
        let mut each = |_| Ok(());
        let tag = self.begin(&[Part::Words(words)], 0, &mut each)?;
        let mut lines = 0;
        while let Turn::More(words) = self.proceed(&tag, 0, &mut each)? {
            if lines == LINES {
                return Err(ImapError::Malformed("a login without an end"));
            }
            lines += 1;
            let line = next(&words) + "\r\n";
            self.wire.send(line.as_bytes(), SILENCE)?;
        }
        Ok(())
    }

    /// Waits with IDLE until messages come or the time is over.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn idle(&mut self, longest: Duration) -> Result<(), ImapError> {
        let mut each = |_| Ok(());
        let tag = self.begin(&[Part::Words("IDLE")], 0, &mut each)?;
        if let Turn::Done(_) = self.proceed(&tag, 0, &mut each)? {
            return Ok(());
        }
        let end = Instant::now() + longest;
        while !self.has_news {
            let left = end.saturating_duration_since(Instant::now());
            if !self.wire.wait(left, TIME)? {
                break;
            }
            if let Some(Turn::Done(_)) = self.step(&tag, 0, &mut each)? {
                return Ok(());
            }
        }
        self.wire.expect_answer(TIME);
        self.wire.send(b"DONE\r\n", SILENCE)?;
        while let Turn::More(_) = self.proceed(&tag, 0, &mut each)? {}
        Ok(())
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
        self.wire.expect_answer(TIME);
        for part in parts {
            match *part {
                Part::Words(words) => line.push_str(words),
                Part::Text(text) => {
                    if let Some(quoted) = imap::quoted(text) {
                        line.push_str(&quoted);
                        continue;
                    }
                    let _ = write!(line, "{{{}}}\r\n", text.len());
                    self.wire.send(line.as_bytes(), SILENCE)?;
                    if let Turn::Done(_) = self.proceed(tag.as_bytes(), literal, each)? {
                        return Err(ImapError::Malformed("an end before the command's"));
                    }
                    text.clone_into(&mut line);
                }
            }
        }
        line.push_str("\r\n");
        self.wire.send(line.as_bytes(), SILENCE)?;
        Ok(tag.into_bytes())
    }

    /// Reads on until the command has ended or the server wants more of it.
    fn proceed(
        &mut self,
        tag: &[u8],
        literal: usize,
        each: &mut impl FnMut(Response) -> Result<(), ImapError>,
    ) -> Result<Turn, ImapError> {
        loop {
            if let Some(turn) = self.step(tag, literal, each)? {
                return Ok(turn);
            }
        }
    }

    /// Reads one response to a command.
    fn step(
        &mut self,
        tag: &[u8],
        literal: usize,
        each: &mut impl FnMut(Response) -> Result<(), ImapError>,
    ) -> Result<Option<Turn>, ImapError> {
        match self.read(literal)? {
            Response::Continue(words) => Ok(Some(Turn::More(words))),
            Response::Status {
                tag: Some(ended),
                word,
                code,
                text,
            } => match word {
                _ if ended != tag => Err(ImapError::Malformed("an answer to no command")),
                Word::Ok => Ok(Some(Turn::Done(code))),
                word => Err(imap::answer(word, code, text)),
            },
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

/// What stands behind the responses to a command.
enum Turn {
    /// The server wants more of it, with these words.
    More(Vec<u8>),
    /// It has succeeded, with this code in brackets.
    Done(Option<Vec<u8>>),
}

/// The longest time to reach one address of a server.
const REACH: Duration = Duration::from_secs(30);

/// Returns the name of a server in messages.
#[must_use]
pub fn name(settings: &ImapSettings) -> String {
    format!("{} (port {})", settings.host, settings.port)
}

/// Connects and logs in. The password or the token is read when everything else stands,
/// and goes to no server but one with a certificate for the configured name. `begun` gets
/// the connection before anything is said over it.
///
/// # Errors
///
/// If the server cannot be reached, cannot be trusted, or does not accept the login.
pub fn connect(
    settings: &ImapSettings,
    begun: impl FnOnce(&TcpStream),
) -> Result<Connection<TlsStream>, Error> {
    let server = name(settings);
    let failed = |error: ImapError| error.of(&server);
    let client = wire::tls_connection(&settings.host, settings.ca_file.as_deref(), "imap")?;
    let tcp = wire::connect(&settings.host, settings.port, REACH);
    let tcp = tcp.map_err(ImapError::Io).map_err(failed)?;
    begun(&tcp);
    let tcp = TimedSocket::new(tcp, SILENCE);
    let (mut connection, is_known) = match settings.tls {
        ImapTls::Tls => Connection::greeted(StreamOwned::new(client, tcp)).map_err(failed)?,
        ImapTls::Starttls => {
            let tcp = ask_for_tls(tcp).map_err(failed)?;
            (Connection::over(StreamOwned::new(client, tcp)), false)
        }
    };
    connection.read_capabilities().map_err(failed)?;
    if !is_known {
        log_in(&mut connection, &settings.login, &server)?;
        connection.read_capabilities().map_err(failed)?;
    }
    connection.identify().map_err(failed)?;
    Ok(connection)
}

/// Begins TLS on a connection without it.
fn ask_for_tls<S: Stream>(stream: S) -> Result<S, ImapError> {
    let unfit = |why: &str| ImapError::Unfit(format!("{why}; nothing is sent to it without TLS"));
    let (mut connection, is_known) = Connection::greeted(stream)?;
    if is_known {
        return Err(unfit(
            "it begins behind the login, where there is no STARTTLS",
        ));
    }
    connection.read_capabilities()?;
    if !connection.can("STARTTLS") {
        return Err(unfit("it does not offer STARTTLS"));
    }
    match connection.command("STARTTLS") {
        Err(ImapError::No(answer)) => return Err(unfit(&format!("it refuses STARTTLS: {answer}"))),
        done => done?,
    }
    connection.into_stream()
}

/// Logs in by the best way that the server and the user have in common.
fn log_in<S: Stream>(
    connection: &mut Connection<S>,
    login: &Login,
    server: &str,
) -> Result<(), Error> {
    let unfit = |why: &str| ImapError::Unfit(why.to_owned()).of(server);
    let is_plain = connection.can("AUTH=PLAIN");
    match login.credential {
        Credential::Token(_) if !connection.can("AUTH=XOAUTH2") => {
            return Err(unfit("it takes no token (AUTH=XOAUTH2)"));
        }
        Credential::Password(_) if !is_plain && connection.can("LOGINDISABLED") => {
            return Err(unfit(
                "it takes no password (LOGINDISABLED, and no AUTH=PLAIN)",
            ));
        }
        _ => {}
    }
    let secret = login.credential.read()?;
    let done = match login.credential {
        Credential::Token(_) => authenticate(connection, "XOAUTH2", login.xoauth2(&secret)),
        Credential::Password(_) if is_plain => {
            authenticate(connection, "PLAIN", login.plain(&secret))
        }
        Credential::Password(_) => {
            let parts = [
                Part::Words("LOGIN "),
                Part::Text(&login.user),
                Part::Words(" "),
                Part::Text(secret.expose()),
            ];
            connection.run(&parts, 0, |_| Ok(())).map(|_| ())
        }
    };
    done.map_err(|error| turned_away(error, login, server))
}

/// Logs in by a mechanism of SASL, which begins with these words.
fn authenticate<S: Stream>(
    connection: &mut Connection<S>,
    mechanism: &str,
    initial: String,
) -> Result<(), ImapError> {
    let has_initial = connection.can("SASL-IR");
    let command = if has_initial {
        format!("AUTHENTICATE {mechanism} {initial}")
    } else {
        format!("AUTHENTICATE {mechanism}")
    };
    let mut rest = Some(initial).filter(|_| !has_initial);
    // Whatever the server asks for beyond that, such as to be told that its words about a
    // bad token were read, gets an empty line.
    connection.converse(&command, |_| rest.take().unwrap_or_default())
}

/// Converts the refusal of a login, which is final unless the server says that it has
/// trouble of its own.
fn turned_away(error: ImapError, login: &Login, server: &str) -> Error {
    match &error {
        ImapError::No(answer) if !answer.is_trouble() => {
            let what = match login.credential {
                Credential::Password(_) => "the password",
                Credential::Token(_) => "the token",
            };
            let user = login.user.escape_debug();
            let why = format!("it does not accept {what} of '{user}': {answer}");
            ImapError::Unfit(why).of(server).with_source(error)
        }
        _ => error.of(server),
    }
}
