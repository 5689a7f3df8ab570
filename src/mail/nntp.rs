//! NNTP: the transport of articles to a news server (RFC 3977), and what readers of a group need.
//!
//! An article is posted once: its Message-ID is fixed before the first try, and each try asks the
//! server whether it has the article before it posts it.

pub mod connection;
pub mod group;
pub mod newsgroup;
#[cfg(test)]
mod tests;

use std::net::TcpStream;
use std::time::Duration;

use rustls::ClientConnection;

use crate::Error;
use crate::nntp::connection::{NntpConnection, NntpError, NntpReply, Posting};
use crate::nntp::newsgroup::Newsgroup;
use crate::secret::{self, Credential, Login};
use crate::settings::{ConnectionSettings, Tls};
use crate::transport::{self, OutgoingMessage, Rejection, SendError, Transport};
use crate::wire::{self, AnyStream, Stream, TimedSocket};

/// The time limit for each step until an article can be handed over.
pub const LIMIT: Duration = Duration::from_mins(1);

/// The time limit of an article, up to the answer to its final dot. Some servers ask others then.
const TEXT: Duration = Duration::from_mins(10);

/// The time limit of ending the connection, which nothing depends on.
const END: Duration = Duration::from_secs(5);

/// Posts articles to a news server, over one connection as long as it lasts.
pub struct NntpTransport {
    settings: ConnectionSettings,
    /// The connection between two articles.
    idle: Option<NntpConnection>,
    /// Why the server could not be reached. It is not tried again for each article.
    failed: Option<Error>,
}

impl Drop for NntpTransport {
    fn drop(&mut self) {
        if let Some(connection) = self.idle.take() {
            leave(connection);
        }
    }
}

impl NntpTransport {
    /// Creates a transport to a server. It connects when it posts an article, and takes leave of
    /// the server when it is dropped.
    #[must_use]
    pub fn new(settings: ConnectionSettings) -> NntpTransport {
        NntpTransport {
            settings,
            idle: None,
            failed: None,
        }
    }

    /// Returns the connection that stands, or a new one.
    fn ready(&mut self) -> Result<NntpConnection, SendError> {
        if let Some(idle) = self.idle.take() {
            return Ok(idle);
        }
        transport::connected(&mut self.failed, || connect(&self.settings))
    }

    /// Returns true if the server says that articles to a group go to a moderator. It is asked
    /// only over a connection that stands, as behind an article that it has taken.
    pub fn is_moderated(&mut self, group: &Newsgroup) -> bool {
        let Some(mut connection) = self.idle.take() else {
            return false;
        };
        let posting = connection.posting(group, LIMIT);
        if connection.is_in_step() {
            self.idle = Some(connection);
        }
        matches!(posting, Ok(Some(Posting::Moderated)))
    }

    fn try_to_post(&mut self, article: &OutgoingMessage) -> Result<(), SendError> {
        let mut connection = self.ready()?;
        let posted = self.post(&mut connection, article);
        if connection.is_in_step() {
            self.idle = Some(connection);
        } else {
            leave(connection);
        }
        posted
    }

    /// Posts an article that the server does not have yet.
    fn post<S: Stream>(
        &self,
        connection: &mut NntpConnection<S>,
        article: &OutgoingMessage,
    ) -> Result<(), SendError> {
        let not_begun = |error: NntpError| match error {
            NntpError::Closed(_) | NntpError::Io(_) => SendError::Broken(self.unsent(error)),
            // Nobody may post, whatever it is.
            NntpError::NeedsLogin(_) => SendError::SetUp(self.unsent(error)),
            NntpError::Refused(_) if error.is_permanent() => SendError::SetUp(self.unsent(error)),
            error => SendError::Deferred(self.unsent(error)),
        };
        // An earlier try may have ended so that nobody knows.
        if connection.has_article(article.id()).map_err(not_begun)? {
            return Ok(());
        }
        connection.say("POST", &[340], LIMIT).map_err(not_begun)?;
        match connection.send_text(&article.bytes(), TEXT) {
            Ok(_) => Ok(()),
            Err(NntpError::Refused(reply)) => self.refused(connection, article, reply),
            Err(error @ NntpError::NeedsLogin(_)) => Err(SendError::SetUp(self.unsent(error))),
            Err(error) => Err(SendError::Unknown(
                Error::later(format!(
                    "it is not known whether {} has taken the article: {error}",
                    server(&self.settings)
                ))
                .with_source(error),
            )),
        }
    }

    /// Finds out what the refusal of an article means: that the server has it already, that it
    /// has trouble, or that it does not want it.
    fn refused<S: Stream>(
        &self,
        connection: &mut NntpConnection<S>,
        article: &OutgoingMessage,
        reply: NntpReply,
    ) -> Result<(), SendError> {
        // A server that hands articles on repeats the words of the next one.
        let inner = reply.text.split(' ').next().unwrap_or_default();
        let is_duplicate = inner == "435" || reply.text.to_lowercase().contains("duplicate");
        if is_duplicate || connection.has_article(article.id()).unwrap_or(false) {
            return Ok(());
        }
        let is_trouble = reply.code != 441
            || matches!(inner, "400" | "403" | "436")
            || inner != "437" && passes(&reply.text);
        let words = reply.to_string();
        let error = NntpError::Refused(reply);
        Err(if is_trouble {
            let message = format!(
                "{} has not taken the article: {error}",
                server(&self.settings)
            );
            SendError::Deferred(Error::later(message).with_source(error))
        } else {
            SendError::Refused(Rejection {
                words,
                error: self.unsent(error),
            })
        })
    }

    fn unsent(&self, error: NntpError) -> Error {
        failed(&self.settings, "has not taken the article", error)
    }
}

impl Transport for NntpTransport {
    fn name(&self) -> &'static str {
        "news"
    }

    fn send(&mut self, article: &OutgoingMessage) -> Result<(), SendError> {
        transport::again_if_broken(|| self.try_to_post(article))
    }
}

/// The words of servers that take an article at another time: most have one code for all
/// refusals.
const PASSING: [&str; 14] = [
    "try again",
    "try later",
    "later again",
    "temporar",
    "too fast",
    "too often",
    "too frequent",
    "rate limit",
    "slow down",
    "throttl",
    "too many articles",
    "too many posts",
    "too many messages",
    "too many connections",
];

/// Returns true if the words of a refusal are of a kind that passes.
fn passes(text: &str) -> bool {
    let text = text.to_lowercase();
    PASSING.iter().any(|words| text.contains(words))
}

/// Ends a connection.
pub fn leave<S: Stream>(mut connection: NntpConnection<S>) {
    let _ = connection.say("QUIT", &[205], END);
}

/// Converts a failure to an error that names the server, which `has` done or not done something.
#[must_use]
pub fn failed(settings: &ConnectionSettings, has: &str, error: NntpError) -> Error {
    let message = format!("{} {has}: {error}", server(settings));
    Error::refused_or_later(error.is_permanent(), message).with_source(error)
}

/// Connects with the encryption and login of the settings, to the part of the server that serves
/// readers. The password is read when everything else stands, and goes to no server but one with a
/// certificate for the configured name.
///
/// # Errors
///
/// If the server cannot be reached, cannot be trusted, or does not accept the login.
pub fn connect(settings: &ConnectionSettings) -> Result<NntpConnection, Error> {
    connect_watched(settings, |_| {})
}

/// The same; `watch` is given the connection as soon as there is one, such as to close it from
/// another thread.
///
/// # Errors
///
/// As [`connect`].
pub fn connect_watched(
    settings: &ConnectionSettings,
    watch: impl FnOnce(&TcpStream),
) -> Result<NntpConnection, Error> {
    let cannot = |error| failed(settings, "cannot be used", error);
    if settings.tls == Tls::None && settings.login.is_some() {
        return Err(cannot(without_tls()));
    }
    let client = match settings.tls {
        Tls::None => None,
        Tls::Starttls | Tls::Tls => {
            let ca_file = settings.ca_file.as_deref();
            Some(wire::tls_connection(&settings.host, ca_file, "news")?)
        }
    };
    let socket = wire::connect(&settings.host, settings.port, LIMIT);
    let socket = socket.map_err(NntpError::from).map_err(cannot)?;
    watch(&socket);
    let socket = TimedSocket::new(socket, LIMIT);
    let mut connection = open(socket, client, settings.tls).map_err(cannot)?;
    if let Some(login) = &settings.login {
        log_in(&mut connection, login, settings)?;
        connection.read_capabilities(LIMIT).map_err(cannot)?;
    }
    Ok(connection)
}

fn without_tls() -> NntpError {
    NntpError::Unfit("no password is sent without TLS".to_owned())
}

/// Opens the part of a server that serves readers, in TLS if there is a client for it.
fn open(
    socket: TimedSocket,
    client: Option<ClientConnection>,
    tls: Tls,
) -> Result<NntpConnection, NntpError> {
    match client {
        Some(client) if tls == Tls::Tls => {
            let stream: AnyStream = Box::new(wire::encrypted(client, socket, LIMIT)?);
            as_reader(NntpConnection::greeted(stream, LIMIT)?)
        }
        Some(client) => {
            let plain = as_reader(NntpConnection::greeted(socket, LIMIT)?)?;
            let greeting = plain.greeting.clone();
            let stream = wire::encrypted(client, ask_for_tls(plain)?, LIMIT)?;
            let stream: AnyStream = Box::new(stream);
            let mut connection = as_reader(NntpConnection::over(stream))?;
            connection.greeting = greeting;
            Ok(connection)
        }
        None => {
            let stream: AnyStream = Box::new(socket);
            as_reader(NntpConnection::greeted(stream, LIMIT)?)
        }
    }
}

/// Asks for the part of a server that serves readers, unless that is the one that answers. Some
/// offer TLS only there.
fn as_reader<S: Stream>(mut connection: NntpConnection<S>) -> Result<NntpConnection<S>, NntpError> {
    connection.read_capabilities(LIMIT)?;
    if !connection.can("READER", None) {
        match connection.mode_reader(LIMIT) {
            // One that knows no other part, or that wants TLS or a login first.
            Err(NntpError::Refused(_) | NntpError::NeedsLogin(_)) => {}
            done => done?,
        }
        connection.read_capabilities(LIMIT)?;
    }
    Ok(connection)
}

/// Asks to begin TLS on a connection without it (RFC 4642). Returns its stream.
fn ask_for_tls<S: Stream>(mut connection: NntpConnection<S>) -> Result<S, NntpError> {
    let unfit = |why: &str| NntpError::Unfit(format!("{why}; nothing is sent to it without TLS"));
    if connection.tells_capabilities() && !connection.can("STARTTLS", None) {
        return Err(unfit("it does not offer STARTTLS"));
    }
    match connection.say("STARTTLS", &[382], LIMIT) {
        Err(NntpError::Refused(reply)) => Err(unfit(&format!("it refuses STARTTLS: {reply}"))),
        said => said.and_then(|_| connection.into_stream()),
    }
}

/// Logs in by AUTHINFO USER (RFC 4643).
fn log_in<S: Stream>(
    connection: &mut NntpConnection<S>,
    login: &Login,
    settings: &ConnectionSettings,
) -> Result<(), Error> {
    let cannot = |error| failed(settings, "cannot be used", error);
    if !connection.is_encrypted() {
        return Err(cannot(without_tls()));
    }
    if let Credential::Token(_) = login.credential {
        return Err(cannot(NntpError::Unfit(
            "news servers take a password and no token".to_owned(),
        )));
    }
    let is_mechanism = |word: &str| connection.can("AUTHINFO", Some(word));
    if connection.can("AUTHINFO", None) && !is_mechanism("USER") && is_mechanism("SASL") {
        return Err(cannot(NntpError::Unfit(
            "it offers no login by AUTHINFO USER".to_owned(),
        )));
    }
    let password = login.credential.read()?;
    let user = connection.say(&format!("AUTHINFO USER {}", login.user), &[281, 381], LIMIT);
    let done = user.and_then(|reply| match reply.code {
        281 => Ok(reply),
        _ => connection.say(
            &format!("AUTHINFO PASS {}", password.expose()),
            &[281],
            LIMIT,
        ),
    });
    done.map(|_| ()).map_err(|error| {
        let code = match &error {
            NntpError::Refused(reply) => Some(reply.code),
            _ => None,
        };
        let why = (error.is_permanent(), code);
        secret::failed_login(&server(settings), &error, why)
    })
}

/// Returns the name of a server in messages.
fn server(settings: &ConnectionSettings) -> String {
    format!("the news server {}, port {},", settings.host, settings.port)
}
