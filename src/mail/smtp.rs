//! The transport to a mail server by SMTP.
//!
//! One connection serves all mails of a run, each with a transaction of its own.

pub mod connection;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use lettre::Address;
use lettre::address::Envelope;
use rustls::ClientConnection;

use crate::Error;
use crate::secret::{self, Credential, Login};
use crate::server_text::ServerText;
use crate::settings::{ConnectionSettings, Tls};
use crate::smtp::connection::{SmtpConnection, SmtpError, SmtpReply};
use crate::transport::{self, OutgoingMessage, Rejection, SendError, Transport};
use crate::wire::{self, AnyStream, TimedSocket};

/// Connects to a server, logs in and takes leave. Returns the words of its greeting.
///
/// # Errors
///
/// If the server cannot be reached, cannot be trusted, or does not accept the login.
pub fn probe(settings: &ConnectionSettings) -> Result<ServerText, Error> {
    let mut connection = connect(settings)?;
    let greeting = std::mem::take(&mut connection.greeting);
    leave(connection);
    Ok(greeting)
}

/// The time limit of naming the sender or a recipient, or of beginning the text, as RFC 5321
/// asks for it in 4.5.3.2.
const COMMAND: Duration = Duration::from_mins(5);

/// The time limit of the text, up to the answer to its final dot. A server that has the mail
/// may take its time to say so, and who gives up earlier sends it twice.
const TEXT: Duration = Duration::from_mins(10);

/// The time limit of ending a transaction or the connection, which nothing depends on.
const END: Duration = Duration::from_secs(5);

/// Sends messages to a mail server, over one connection as long as it lasts.
pub struct SmtpTransport {
    settings: ConnectionSettings,
    /// The connection between two mails.
    idle: Option<SmtpConnection>,
    /// Why the server could not be reached. It is not tried again for each mail.
    failed: Option<Error>,
}

impl SmtpTransport {
    /// Creates a transport to a server. It connects when it sends a message, and takes
    /// leave of the server when it is dropped.
    #[must_use]
    pub fn new(settings: ConnectionSettings) -> SmtpTransport {
        SmtpTransport {
            settings,
            idle: None,
            failed: None,
        }
    }

    /// Returns true if it sends to the server of these settings, and logs in as they say.
    #[must_use]
    pub fn is_of(&self, settings: &ConnectionSettings) -> bool {
        self.settings == *settings
    }

    /// Returns true if a connection stands.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.idle.is_some()
    }

    /// Connects, unless a connection stands.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached or takes no mail from here.
    pub fn make_ready(&mut self) -> Result<(), SendError> {
        if self.idle.is_none() {
            self.idle = Some(self.connect()?);
        }
        Ok(())
    }
}

impl Transport for SmtpTransport {
    fn name(&self) -> &'static str {
        "smtp"
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        transport::again_if_broken(|| self.try_to_send(message))
    }
}

impl Drop for SmtpTransport {
    fn drop(&mut self) {
        if let Some(connection) = self.idle.take() {
            leave(connection);
        }
    }
}

impl SmtpTransport {
    fn try_to_send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        let (envelope, bytes) = (message.envelope(), message.bytes());
        let (mut connection, is_used) = match self.idle.take() {
            Some(used) => (used, true),
            None => (self.connect()?, false),
        };
        let mut begun = self.begin(&mut connection, envelope, &bytes);
        if is_used && matches!(&begun, Err(error) if !matches!(error, SendError::Refused(_))) {
            // The server has closed the connection, or takes only so many mails in one. What
            // it says in a new one counts.
            leave(connection);
            connection = self.connect()?;
            begun = self.begin(&mut connection, envelope, &bytes);
        }
        match begun {
            Ok(()) => return self.hand_over(connection, envelope, &bytes),
            Err(SendError::Refused(_)) => self.idle = Some(connection),
            Err(_) => leave(connection),
        }
        begun
    }

    fn connect(&mut self) -> Result<SmtpConnection, SendError> {
        transport::connected(&mut self.failed, || connect(&self.settings))
    }

    /// Names the sender of a message to the server. A refusal here is about the sender,
    /// so that no other mail would go either; only a message that needs an extension
    /// which the server lacks is refused for itself.
    fn begin(
        &self,
        connection: &mut SmtpConnection,
        envelope: &Envelope,
        bytes: &[u8],
    ) -> Result<(), SendError> {
        let options = self.options(connection, envelope, bytes)?;
        let from = envelope.from().map_or("", AsRef::as_ref);
        let command = format!("MAIL FROM:<{from}>{options}");
        let said = connection.say(&command, &[250], COMMAND);
        said.map_err(|error| SendError::SetUp(unsent_to(&self.settings, "", error)))?;
        Ok(())
    }

    /// Hands over a message whose sender the server has taken. Keeps the connection for
    /// the next one, if the server goes on to answer.
    fn hand_over(
        &mut self,
        mut connection: SmtpConnection,
        envelope: &Envelope,
        bytes: &[u8],
    ) -> Result<(), SendError> {
        let sent = self.transfer(&mut connection, envelope, bytes);
        let is_free = connection.is_in_step()
            && (sent.is_ok() || connection.say("RSET", &[250], END).is_ok());
        if is_free {
            self.idle = Some(connection);
        } else {
            leave(connection);
        }
        sent
    }

    /// Transfers a message. From the recipient on, trouble is the mail's own, and only a
    /// 5yz to the recipient or to the whole mail is for good. Many servers say what they
    /// have against the client or the sender only when a recipient is named.
    fn transfer(
        &self,
        connection: &mut SmtpConnection,
        envelope: &Envelope,
        bytes: &[u8],
    ) -> Result<(), SendError> {
        for to in envelope.to() {
            let said = connection.say(&format!("RCPT TO:<{to}>"), &[250, 251], COMMAND);
            said.map_err(|error| match &error {
                SmtpError::Refused(answer) if is_about_sender(answer) => {
                    let to = format!(" to {}", recipients(envelope));
                    SendError::Deferred(unsent_to(&self.settings, &to, error))
                }
                _ => self.refused_or_deferred(envelope, error),
            })?;
        }
        let said = connection.say("DATA", &[354], COMMAND);
        said.map_err(|error| self.deferred_or_broken("", error))?;
        match connection.send_text(bytes, TEXT) {
            Ok(()) => Ok(()),
            Err(error @ SmtpError::Refused(_)) => Err(self.refused_or_deferred(envelope, error)),
            // After a broken connection nobody knows whether the server has the
            // message.
            Err(error) => Err(SendError::Unknown(
                Error::later(format!(
                    "it is not known whether {} has taken the mail to {}: {error}",
                    server(&self.settings),
                    recipients(envelope)
                ))
                .with_source(error),
            )),
        }
    }

    /// Returns the parameters that a message needs. An address that is not ASCII
    /// needs an extension; nothing else in a message does.
    fn options(
        &self,
        connection: &SmtpConnection,
        envelope: &Envelope,
        bytes: &[u8],
    ) -> Result<String, SendError> {
        let is_plain = |address: &Address| {
            let text: &str = address.as_ref();
            text.is_ascii()
        };
        let is_own = envelope.from().is_some_and(|from| !is_plain(from));
        let mut addresses = envelope.from().into_iter().chain(envelope.to());
        let address = addresses.find(|address| !is_plain(address));
        // No mail of ours has such bytes but in an address.
        let needs = address.map_or("this mail", AsRef::as_ref);
        let mut options = String::new();
        for (is_needed, name, option) in [
            (address.is_some(), "SMTPUTF8", " SMTPUTF8"),
            (!bytes.is_ascii(), "8BITMIME", " BODY=8BITMIME"),
        ] {
            if !is_needed {
                continue;
            }
            if !connection.offers(name) {
                let words = format!("the server does not offer {name}, which {needs} needs");
                let (server, to) = (server(&self.settings), recipients(envelope));
                let error =
                    Error::refused(format!("{server} has not taken the mail to {to}: {words}"));
                return Err(if is_own {
                    SendError::SetUp(error)
                } else {
                    SendError::Refused(Rejection { words, error })
                });
            }
            options.push_str(option);
        }
        Ok(options)
    }

    /// Converts the answer to a recipient or to a whole mail. That a login is
    /// needed (530) is no word about the recipient.
    fn refused_or_deferred(&self, envelope: &Envelope, error: SmtpError) -> SendError {
        let to = format!(" to {}", recipients(envelope));
        match &error {
            SmtpError::Refused(answer) if error.is_permanent() && answer.code != 530 => {
                let words = format!("{} {}", answer.code, answer.text);
                let error = unsent_to(&self.settings, &to, error);
                SendError::Refused(Rejection { words, error })
            }
            _ => self.deferred_or_broken(&to, error),
        }
    }

    /// Returns why a mail was not sent this time.
    fn deferred_or_broken(&self, to: &str, error: SmtpError) -> SendError {
        let why = if error.is_end() {
            SendError::Broken
        } else {
            SendError::Deferred
        };
        why(unsent_to(&self.settings, to, error))
    }
}

/// Returns true if the enhanced status of an answer (RFC 3463) is no word about the
/// recipient: the sender's address is wrong (5.1.7, 5.1.8), or whoever sends may not
/// (5.7.x). The last can be about the recipient, too; the mail is then tried in vain.
fn is_about_sender(answer: &SmtpReply) -> bool {
    let status = answer.text.split(' ').next().unwrap_or_default();
    matches!(status, "5.1.7" | "5.1.8") || status.starts_with("5.7.")
}

fn recipients(envelope: &Envelope) -> String {
    let addresses: Vec<&str> = envelope.to().iter().map(AsRef::as_ref).collect();
    addresses.join(", ")
}

/// Ends a connection.
fn leave(mut connection: SmtpConnection) {
    let _ = connection.say("QUIT", &[221], END);
}

/// The time limit for each step until mail can be handed over. A server that is there
/// answers sooner.
const LIMIT: Duration = Duration::from_mins(1);

/// Returns the name of a server in messages.
#[must_use]
pub fn server(settings: &ConnectionSettings) -> String {
    format!("the mail server {}, port {},", settings.host, settings.port)
}

/// Converts a failure to an error. `to` names the recipients of the mail.
#[must_use]
pub fn unsent_to(settings: &ConnectionSettings, to: &str, error: SmtpError) -> Error {
    let message = format!("{} has not taken the mail{to}: {error}", server(settings));
    Error::refused_or_later(error.is_permanent(), message).with_source(error)
}

/// Connects with the encryption and login of the settings. The password or the token is
/// read when everything else stands, and goes to no server but one with a certificate for
/// the configured name.
///
/// # Errors
///
/// If the server cannot be reached, cannot be trusted, or does not accept the login.
pub fn connect(settings: &ConnectionSettings) -> Result<SmtpConnection, Error> {
    let failed = |error| unsent_to(settings, "", error);
    let client = match settings.tls {
        Tls::None => None,
        Tls::Starttls | Tls::Tls => {
            let ca_file = settings.ca_file.as_deref();
            Some(wire::tls_connection(&settings.host, ca_file, "smtp")?)
        }
    };
    let socket = wire::connect(&settings.host, settings.port, LIMIT);
    let socket = socket.map_err(SmtpError::from).map_err(failed)?;
    let socket = TimedSocket::new(socket, LIMIT);
    let mut connection = match client {
        None => SmtpConnection::<AnyStream>::greeted(Box::new(socket), LIMIT),
        Some(client) if settings.tls == Tls::Tls => wire::encrypted(client, socket, LIMIT)
            .map_err(SmtpError::from)
            .and_then(|stream| SmtpConnection::<AnyStream>::greeted(Box::new(stream), LIMIT)),
        Some(client) => ask_for_tls(socket, client),
    }
    .map_err(failed)?;
    connection.hello(LIMIT).map_err(failed)?;
    if let Some(login) = &settings.login {
        log_in(&mut connection, settings, login)?;
    }
    Ok(connection)
}

/// Begins TLS on a connection without it.
fn ask_for_tls(socket: TimedSocket, client: ClientConnection) -> Result<SmtpConnection, SmtpError> {
    let mut connection = SmtpConnection::<TimedSocket>::greeted(socket, LIMIT)?;
    connection.hello(LIMIT)?;
    if !connection.offers("STARTTLS") {
        return Err(SmtpError::Unfit(
            "STARTTLS is not supported on this server, and nothing is sent to it without TLS"
                .to_owned(),
        ));
    }
    connection.say("STARTTLS", &[220], LIMIT)?;
    let greeting = std::mem::take(&mut connection.greeting);
    let stream = wire::encrypted(client, connection.into_stream()?, LIMIT)?;
    let mut connection = SmtpConnection::<AnyStream>::over(Box::new(stream));
    connection.greeting = greeting;
    Ok(connection)
}

/// Logs in by a mechanism that the server offers.
fn log_in(
    connection: &mut SmtpConnection,
    settings: &ConnectionSettings,
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
            let words = login.plain(&secret);
            connection.say(&format!("AUTH PLAIN {words}"), &[235], LIMIT)
        }
        "LOGIN" => connection
            .say("AUTH LOGIN", &[334], LIMIT)
            .and_then(|_| connection.say(&BASE64.encode(&login.user), &[334], LIMIT))
            .and_then(|_| connection.say(&BASE64.encode(secret.expose()), &[235], LIMIT)),
        // A challenge says why the token is refused, and wants an empty answer before
        // the refusal itself.
        _ => {
            let words = login.xoauth2(&secret);
            match connection.say(&format!("AUTH XOAUTH2 {words}"), &[235, 334], LIMIT) {
                Ok(SmtpReply { code: 334, .. }) => connection.say("", &[235], LIMIT),
                done => done,
            }
        }
    };
    done.map(|_| ()).map_err(|error| {
        let code = match &error {
            SmtpError::Refused(answer) => Some(answer.code),
            _ => None,
        };
        let why = (error.is_permanent(), code);
        secret::failed_login(&server(settings), &error, why)
    })
}
