//! The transport to a mail server by SMTP.

use std::error::Error as StdError;
use std::time::Duration;
use std::{fs, io};

use lettre::Address;
use lettre::address::Envelope;
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{Certificate, SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};

use crate::config::secret::Credential;
use crate::config::transport::{SmtpSettings, Tls};
use crate::outbound::outgoing_message::OutgoingMessage;
use crate::outbound::transport::{Refusal, SendError, Transport};
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
        let mut connection = connect(self.settings).map_err(SendError::SetUp)?;
        let sent = self.hand_over(&mut connection, message);
        connection.abort();
        sent
    }
}

impl SmtpTransport<'_> {
    /// Hands a message to a server that is connected and logged in to.
    ///
    /// A refusal before the recipient is named is about the sender, so that no
    /// other mail would go either. From the recipient on, trouble is the mail's
    /// own, and only a 5yz to the recipient or to the whole mail is for good.
    fn hand_over(
        &self,
        connection: &mut SmtpConnection,
        message: &OutgoingMessage,
    ) -> Result<(), SendError> {
        let envelope = message.envelope();
        let bytes = message.bytes();
        let options = self.options(connection, envelope, &bytes)?;
        connection
            .command(Mail::new(envelope.from().cloned(), options))
            .map_err(|error| SendError::SetUp(unsent(self.settings, error)))?;
        for to in envelope.to() {
            connection
                .command(Rcpt::new(to.clone(), Vec::new()))
                .map_err(|error| self.refused_or_deferred(envelope, error))?;
        }
        connection
            .command(Data)
            .map_err(|error| SendError::Deferred(unsent(self.settings, error)))?;
        match connection.message(&bytes) {
            Ok(_) => Ok(()),
            Err(error) if error.is_permanent() || error.is_transient() => {
                Err(self.refused_or_deferred(envelope, error))
            }
            // After a broken connection nobody knows whether the server has the
            // message.
            Err(error) => Err(SendError::Unknown(
                Error::later(format!(
                    "it is not known whether {} has taken the mail to {}: {error}",
                    server(self.settings),
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
    ) -> Result<Vec<MailParameter>, SendError> {
        let is_plain = |address: &Address| {
            let text: &str = address.as_ref();
            text.is_ascii()
        };
        let is_own = envelope.from().is_some_and(|from| !is_plain(from));
        let mut options = Vec::new();
        for (is_needed, extension, name, option) in [
            (
                is_own || !envelope.to().iter().all(is_plain),
                Extension::SmtpUtfEight,
                "SMTPUTF8",
                MailParameter::SmtpUtfEight,
            ),
            (
                !bytes.is_ascii(),
                Extension::EightBitMime,
                "8BITMIME",
                MailParameter::Body(MailBodyParameter::EightBitMime),
            ),
        ] {
            if !is_needed {
                continue;
            }
            if !connection.server_info().supports_feature(extension) {
                let words = format!("the server does not offer {name}, which this address needs");
                let (server, to) = (server(self.settings), recipients(envelope));
                let error =
                    Error::refused(format!("{server} has not taken the mail to {to}: {words}"));
                return Err(if is_own {
                    SendError::SetUp(error)
                } else {
                    SendError::Refused(Refusal { words, error })
                });
            }
            options.push(option);
        }
        Ok(options)
    }

    /// Converts the answer to a recipient or to a whole mail. That a login is
    /// needed (530) is no word about the recipient.
    fn refused_or_deferred(&self, envelope: &Envelope, error: smtp::Error) -> SendError {
        let code = error.status().map(u16::from);
        let is_refusal = error.is_permanent() && code != Some(530);
        let words = match (code, error.source()) {
            (Some(code), Some(said)) => format!("{code} {said}"),
            _ => error.to_string(),
        };
        let error = unsent_to(
            self.settings,
            &format!(" to {}", recipients(envelope)),
            error,
        );
        if is_refusal {
            SendError::Refused(Refusal { words, error })
        } else {
            SendError::Deferred(error)
        }
    }
}

fn server(settings: &SmtpSettings) -> String {
    format!("the mail server {}, port {},", settings.host, settings.port)
}

fn recipients(envelope: &Envelope) -> String {
    let addresses: Vec<&str> = envelope.to().iter().map(AsRef::as_ref).collect();
    addresses.join(", ")
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
    if let Some(login) = &settings.login {
        if !connection.is_encrypted() {
            return Err(Error::refused("no password is sent without TLS"));
        }
        let mechanisms: &[Mechanism] = match login.credential {
            Credential::Password(_) => &[Mechanism::Plain, Mechanism::Login],
            Credential::Token(_) => &[Mechanism::Xoauth2],
        };
        let secret = login.credential.read()?;
        let credentials = Credentials::new(login.user.clone(), secret.expose().to_owned());
        connection.auth(mechanisms, &credentials).map_err(failed)?;
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
fn unsent(settings: &SmtpSettings, error: smtp::Error) -> Error {
    unsent_to(settings, "", error)
}

fn unsent_to(settings: &SmtpSettings, to: &str, error: smtp::Error) -> Error {
    let message = format!("{} has not taken the mail{to}: {error}", server(settings));
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
