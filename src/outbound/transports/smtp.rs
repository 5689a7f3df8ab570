//! The transport to a mail server by SMTP.

use std::error::Error as StdError;
use std::time::Duration;
use std::{fs, io};

use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{Certificate, SmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;

use crate::config::transport::{SmtpSettings, Tls};
use crate::outbound::outgoing_message::OutgoingMessage;
use crate::outbound::transport::{SendError, Transport};
use crate::outbound::transports::password;
use crate::{Error, error};

/// The time limit for each step of the exchange with a mail server.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Sends messages to a mail server, each over its own connection.
pub struct SmtpTransport<'s> {
    settings: &'s SmtpSettings,
}

impl<'s> SmtpTransport<'s> {
    /// Creates a transport to a server. It connects when it sends a message.
    #[must_use]
    pub fn new(settings: &'s SmtpSettings) -> SmtpTransport<'s> {
        SmtpTransport { settings }
    }
}

impl Transport for SmtpTransport<'_> {
    fn name(&self) -> &'static str {
        "smtp"
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        let mut connection = connect(self.settings).map_err(SendError::unsent)?;
        let sent = connection.send(message.envelope(), &message.bytes());
        connection.abort();
        sent.map(|_| ()).map_err(|error| {
            // A refusal by the server is certain. After a broken connection
            // nobody knows whether the server has the message.
            let is_certain = error.is_transient() || error.is_permanent() || error.is_client();
            let error = unsent(self.settings, error);
            if is_certain {
                SendError::unsent(error)
            } else {
                SendError::Unknown(error)
            }
        })
    }
}

/// Connects with the encryption and login of the settings.
fn connect(settings: &SmtpSettings) -> Result<SmtpConnection, Error> {
    let failed = |error| unsent(settings, error);
    let hello = ClientId::default();
    let parameters = match settings.tls {
        Tls::None => None,
        Tls::Starttls | Tls::Tls => Some(trust(settings)?),
    };
    let at_once = parameters.as_ref().filter(|_| settings.tls == Tls::Tls);
    let address = (settings.host.as_str(), settings.port);
    let mut connection =
        SmtpConnection::connect(address, Some(TIMEOUT), &hello, at_once, None).map_err(failed)?;
    if let Some(parameters) = parameters.filter(|_| settings.tls == Tls::Starttls) {
        connection.starttls(&parameters, &hello).map_err(failed)?;
    }
    if let Some((user, password)) = &settings.login {
        if !connection.is_encrypted() {
            return Err(Error::refused("no password is sent without TLS"));
        }
        let credentials = Credentials::new(user.clone(), password::read(password)?);
        connection
            .auth(&[Mechanism::Plain, Mechanism::Login], &credentials)
            .map_err(failed)?;
    }
    Ok(connection)
}

/// Trusts the system's authorities, and the certificate of the settings.
fn trust(settings: &SmtpSettings) -> Result<TlsParameters, Error> {
    let mut parameters = TlsParameters::builder(settings.host.clone());
    if let Some(file) = &settings.ca_file {
        let pem = fs::read(file).map_err(|error| Error::file(file, &error))?;
        // The library accepts a file without certificates.
        if !String::from_utf8_lossy(&pem).contains("-----BEGIN CERTIFICATE-----") {
            return Err(Error::refused(format!(
                "{}: there is no certificate in PEM form in it",
                file.display()
            )));
        }
        let certificate = Certificate::from_pem(&pem).map_err(|error| {
            Error::refused(format!("{}: {error}", file.display())).with_source(error)
        })?;
        parameters = parameters.add_root_certificate(certificate);
    }
    parameters.build().map_err(|error| unsent(settings, error))
}

/// Converts a refusal or a failed connection to an error.
fn unsent(settings: &SmtpSettings, error: lettre::transport::smtp::Error) -> Error {
    let message = format!(
        "the mail server {}, port {}, has not taken the mail: {error}",
        settings.host, settings.port
    );
    let is_permanent =
        error.is_permanent() || error.is_client() || error.is_tls() || is_distrust(&error);
    let unsent = if is_permanent {
        Error::refused(message)
    } else {
        Error::later(message)
    };
    unsent.with_source(error)
}

/// Returns true if the server's certificate is not trusted. An answer that is
/// not UTF-8 has the same kind of error, but no cause.
fn is_distrust(error: &(dyn StdError + 'static)) -> bool {
    error::causes(error).any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| {
            error.kind() == io::ErrorKind::InvalidData && error.get_ref().is_some()
        })
    })
}
