//! The way to a mailbox: the connection, TLS and the login.

use std::net::TcpStream;
use std::time::Duration;

use rustls::{ClientConnection, StreamOwned};

use crate::Error;
use crate::config::imap::{ImapSettings, ImapTls};
use crate::config::secret::{Credential, Login, Value};
use crate::config::timed_socket::{self, TimedSocket};
use crate::config::trust;
use crate::inbound::imap::connection::{Connection, Part};
use crate::inbound::imap::error::ImapError;
use crate::inbound::imap::text::{base64, quoted};
use crate::inbound::imap::wire::{SILENCE, Stream};

/// A stream in TLS.
pub type TlsStream = StreamOwned<ClientConnection, TimedSocket>;

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
    let client = trust::connection(&settings.host, settings.ca_file.as_deref(), "imap")?;
    let tcp = timed_socket::connect(&settings.host, settings.port, REACH);
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
    match connection.run(&[Part::Words("STARTTLS")], 0, |_| Ok(())) {
        Err(ImapError::No(answer)) => return Err(unfit(&format!("it refuses STARTTLS: {answer}"))),
        done => done?,
    };
    connection.into_stream()
}

/// Logs in by the best way that the server and the user have in common.
fn log_in<S: Stream>(
    connection: &mut Connection<S>,
    login: &Login,
    server: &str,
) -> Result<(), Error> {
    let unfit = |why: &str| ImapError::Unfit(why.to_owned()).of(server);
    let (mechanism, secret, initial) = match &login.credential {
        Credential::Token(_) if !connection.can("AUTH=XOAUTH2") => {
            return Err(unfit("it takes no token (AUTH=XOAUTH2)"));
        }
        Credential::Token(_) => {
            let token = login.credential.read()?;
            let initial = login.xoauth2(&token);
            ("XOAUTH2", token, initial)
        }
        Credential::Password(_) if connection.can("AUTH=PLAIN") => {
            let password = login.credential.read()?;
            let initial = login.plain(&password);
            ("PLAIN", password, initial)
        }
        Credential::Password(_) if connection.can("LOGINDISABLED") => {
            return Err(unfit(
                "it takes no password (LOGINDISABLED, and no AUTH=PLAIN)",
            ));
        }
        Credential::Password(_) => {
            let password = login.credential.read()?;
            let parts = [
                Part::Words("LOGIN "),
                Part::Text(&login.user),
                Part::Words(" "),
                Part::Text(password.expose()),
            ];
            let done = connection.run(&parts, 0, |_| Ok(()));
            return done
                .map(|_| ())
                .map_err(|error| turned_away(error, login, server, &password));
        }
    };
    let initial = base64(initial.as_bytes());
    let has_initial = connection.can("SASL-IR");
    let command = if has_initial {
        format!("AUTHENTICATE {mechanism} {initial}")
    } else {
        format!("AUTHENTICATE {mechanism}")
    };
    let mut rest = Some(initial).filter(|_| !has_initial);
    // Whatever the server asks for beyond that, such as to be told that its words about a
    // bad token were read, gets an empty line.
    let done = connection.converse(&[Part::Words(&command)], |_| {
        rest.take().unwrap_or_default()
    });
    done.map(|_| ())
        .map_err(|error| turned_away(error, login, server, &secret))
}

/// Converts the refusal of a login, which is final unless the server says that it has
/// trouble of its own.
///
/// A server can repeat what it was sent, which is left out in all its forms.
fn turned_away(error: ImapError, login: &Login, server: &str, secret: &Value) -> Error {
    let forms = login.forms(secret);
    let quoted = quoted(secret.expose()).unwrap_or_default();
    let mut sent: Vec<&str> = forms.iter().map(String::as_str).collect();
    sent.insert(0, &quoted);
    let error = error.without(&sent);
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
