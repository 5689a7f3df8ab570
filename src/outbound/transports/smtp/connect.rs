//! Connecting to a mail server: encryption, trust and login.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rustls::{ClientConnection, StreamOwned};

use crate::Error;
use crate::config::secret::{Credential, Login};
use crate::config::timed_socket::{self, TimedSocket};
use crate::config::transport::{SmtpSettings, Tls};
use crate::config::trust;
use crate::outbound::transports::smtp::connection::{Answer, Connection, SmtpError, Stream};

/// The time limit for each step until mail can be handed over. A server that is there
/// answers sooner.
const LIMIT: Duration = Duration::from_mins(1);

/// The source of an error: the server refuses the user or what proves who it is.
#[derive(Debug, thiserror::Error)]
#[error("the login is refused ({0})")]
pub struct LoginRefused(u16);

/// Returns the name of a server in messages.
pub(super) fn server(settings: &SmtpSettings) -> String {
    format!("the mail server {}, port {},", settings.host, settings.port)
}

/// Converts a failure to an error. `to` names the recipients of the mail.
pub(super) fn unsent_to(settings: &SmtpSettings, to: &str, error: SmtpError) -> Error {
    let message = format!("{} has not taken the mail{to}: {error}", server(settings));
    let unsent = if error.is_permanent() {
        Error::refused(message)
    } else {
        Error::later(message)
    };
    unsent.with_source(error)
}

/// Connects with the encryption and login of the settings. The password or the token is
/// read when everything else stands, and goes to no server but one with a certificate for
/// the configured name.
///
/// # Errors
///
/// If the server cannot be reached, cannot be trusted, or does not accept the login.
pub(super) fn connect(settings: &SmtpSettings) -> Result<Connection, Error> {
    let failed = |error| unsent_to(settings, "", error);
    let client = match settings.tls {
        Tls::None => None,
        Tls::Starttls | Tls::Tls => {
            let ca_file = settings.ca_file.as_deref();
            Some(trust::connection(&settings.host, ca_file, "smtp")?)
        }
    };
    let socket = timed_socket::connect(&settings.host, settings.port, LIMIT);
    let socket = socket.map_err(SmtpError::from).map_err(failed)?;
    let socket = TimedSocket::new(socket, LIMIT);
    let mut connection = match client {
        None => greeted(Stream::Plain(socket)),
        Some(client) if settings.tls == Tls::Tls => encrypted(client, socket).and_then(greeted),
        Some(client) => ask_for_tls(socket, client),
    }
    .map_err(failed)?;
    connection.hello(LIMIT).map_err(failed)?;
    if let Some(login) = &settings.login {
        log_in(&mut connection, settings, login)?;
    }
    Ok(connection)
}

/// Reads the greeting of a server.
fn greeted(stream: Stream) -> Result<Connection, SmtpError> {
    let mut connection = Connection::over(stream);
    connection.greeted(LIMIT)?;
    Ok(connection)
}

/// Begins TLS on a connection without it.
fn ask_for_tls(socket: TimedSocket, client: ClientConnection) -> Result<Connection, SmtpError> {
    let mut connection = greeted(Stream::Plain(socket))?;
    connection.hello(LIMIT)?;
    if !connection.offers("STARTTLS") {
        return Err(SmtpError::Unfit(
            "STARTTLS is not supported on this server, and nothing is sent to it without TLS"
                .to_owned(),
        ));
    }
    connection.say("STARTTLS", &[220], LIMIT)?;
    let greeting = std::mem::take(&mut connection.greeting);
    let mut connection = match connection.into_stream()? {
        Stream::Plain(socket) => Connection::over(encrypted(client, socket)?),
        stream @ Stream::Tls(_) => Connection::over(stream),
    };
    connection.greeting = greeting;
    Ok(connection)
}

/// Does the handshake of TLS.
fn encrypted(mut client: ClientConnection, mut socket: TimedSocket) -> Result<Stream, SmtpError> {
    socket.set_deadline(Instant::now() + LIMIT);
    while client.is_handshaking() {
        client.complete_io(&mut socket)?;
    }
    Ok(Stream::Tls(Box::new(StreamOwned::new(client, socket))))
}

/// Logs in by a mechanism that the server offers.
fn log_in(
    connection: &mut Connection,
    settings: &SmtpSettings,
    login: &Login,
) -> Result<(), Error> {
    if !connection.is_encrypted() {
        return Err(Error::refused("no password is sent without TLS"));
    }
    let mechanisms: &[&str] = match login.credential {
        Credential::Password(_) => &["PLAIN", "LOGIN"],
        Credential::Token(_) => &["XOAUTH2"],
    };
    let mut offered = mechanisms.iter();
    let Some(mechanism) = offered.find(|mechanism| connection.takes_login(mechanism)) else {
        return Err(Error::refused(format!(
            "{} offers no login by {}",
            server(settings),
            mechanisms.join(" or ")
        )));
    };
    let secret = login.credential.read()?;
    let done = match *mechanism {
        "PLAIN" => {
            let words = BASE64.encode(login.plain(&secret));
            connection.say(&format!("AUTH PLAIN {words}"), &[235], LIMIT)
        }
        "LOGIN" => connection
            .say("AUTH LOGIN", &[334], LIMIT)
            .and_then(|_| connection.say(&BASE64.encode(&login.user), &[334], LIMIT))
            .and_then(|_| connection.say(&BASE64.encode(secret.expose()), &[235], LIMIT)),
        // A challenge says why the token is refused, and wants an empty answer before
        // the refusal itself.
        _ => {
            let words = BASE64.encode(login.xoauth2(&secret));
            match connection.say(&format!("AUTH XOAUTH2 {words}"), &[235, 334], LIMIT) {
                Ok(Answer { code: 334, .. }) => connection.say("", &[235], LIMIT),
                done => done,
            }
        }
    };
    // A server can repeat what it was sent, so the source is not kept.
    done.map(|_| ()).map_err(|error| {
        let words = without(error.to_string(), &login.forms(&secret));
        let message = format!("{} has not taken the login: {words}", server(settings));
        match &error {
            SmtpError::Refused(answer) if error.is_permanent() => {
                Error::refused(message).with_source(LoginRefused(answer.code))
            }
            _ if error.is_permanent() => Error::refused(message),
            _ => Error::later(message),
        }
    })
}

/// Removes a secret from a server's words, in all forms in which it is sent.
fn without(words: String, forms: &[String]) -> String {
    let cut = |words: String, form: &String| words.replace(form.as_str(), "…");
    forms.iter().fold(words, cut)
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn a_server_that_repeats_a_login_does_not_get_it_printed() {
        let words = "501 cannot decode AHdoaXRlAHNlY3JldA== (secret)".to_owned();
        let forms = ["AHdoaXRlAHNlY3JldA==", "c2VjcmV0", "secret"].map(ToOwned::to_owned);
        assert_eq!(without(words, &forms), "501 cannot decode … (…)");
    }
}
