//! The transport to a mail server by SMTP.
//!
//! One connection serves all mails of a run, each with a transaction of its own.

mod connect;

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use lettre::Address;
use lettre::address::Envelope;
use lettre::transport::smtp;
use lettre::transport::smtp::client::SmtpConnection;
use lettre::transport::smtp::commands::{Data, Mail, Quit, Rcpt, Rset};
use lettre::transport::smtp::extension::{Extension, MailBodyParameter, MailParameter};

use crate::Error;
use crate::config::transport::SmtpSettings;
use crate::outbound::outgoing_message::OutgoingMessage;
use crate::outbound::transport::{Refusal, SendError, Transport};
use crate::outbound::transports::smtp::connect::{connect, server, unsent_to};

/// The steps of handing over a mail.
#[derive(Clone, Copy)]
enum Step {
    /// The sender, a recipient, the beginning of the text.
    Command,
    /// The text, up to the answer to its final dot. A server that has the mail may
    /// take its time to say so, and who gives up earlier sends it twice.
    Text,
    /// Ending a transaction or the connection, which nothing depends on.
    End,
}

impl Step {
    /// Returns the time limit, as RFC 5321 asks for it in 4.5.3.2.
    const fn limit(self) -> Duration {
        match self {
            Step::Command => Duration::from_mins(5),
            Step::Text => Duration::from_mins(10),
            Step::End => Duration::from_secs(5),
        }
    }
}

/// Sends messages to a mail server, over one connection as long as it lasts.
pub struct SmtpTransport<'s> {
    settings: &'s SmtpSettings,
    /// The connection between two mails.
    idle: Option<SmtpConnection>,
    /// Why the server could not be reached. It is not tried again for each mail.
    failed: Option<Error>,
}

impl<'s> SmtpTransport<'s> {
    /// Creates a transport to a server. It connects when it sends a message, and takes
    /// leave of the server when it is dropped.
    #[must_use]
    pub fn new(settings: &'s SmtpSettings) -> SmtpTransport<'s> {
        SmtpTransport {
            settings,
            idle: None,
            failed: None,
        }
    }
}

impl Transport for SmtpTransport<'_> {
    fn name(&self) -> &'static str {
        "smtp"
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        let (envelope, bytes) = (message.envelope(), message.bytes());
        let used = self.idle.take();
        let mut connection = match used {
            None => self.connect()?,
            Some(mut used) => match self.begin(&mut used, envelope, &bytes) {
                Ok(()) => return self.hand_over(used, envelope, &bytes),
                Err(error @ SendError::Refused(_)) => {
                    self.idle = Some(used);
                    return Err(error);
                }
                // The server has closed the connection, or takes only so many mails
                // in one. What it says in a new one counts.
                Err(_) => {
                    leave(used);
                    self.connect()?
                }
            },
        };
        match self.begin(&mut connection, envelope, &bytes) {
            Ok(()) => self.hand_over(connection, envelope, &bytes),
            Err(error) => {
                match error {
                    SendError::Refused(_) => self.idle = Some(connection),
                    _ => leave(connection),
                }
                Err(error)
            }
        }
    }
}

impl Drop for SmtpTransport<'_> {
    fn drop(&mut self) {
        if let Some(connection) = self.idle.take() {
            leave(connection);
        }
    }
}

impl SmtpTransport<'_> {
    fn connect(&mut self) -> Result<SmtpConnection, SendError> {
        let connected = match &self.failed {
            Some(error) => Err(error.clone()),
            None => connect(self.settings),
        };
        connected.map_err(|error| {
            self.failed = Some(error.clone());
            SendError::SetUp(error)
        })
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
        let mail = Mail::new(envelope.from().cloned(), options);
        say(connection, Step::Command, mail, &[250])
            .map_err(|error| SendError::SetUp(error.into_error(self.settings, "")))
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
        let is_free = match &sent {
            Ok(()) => true,
            // Nobody knows what a server that fell silent would still answer.
            Err(SendError::Unknown(_)) => false,
            Err(_) => say(&mut connection, Step::End, Rset, &[250]).is_ok(),
        };
        if is_free {
            self.idle = Some(connection);
        } else {
            leave(connection);
        }
        sent
    }

    /// Transfers a message. From the recipient on, trouble is the mail's own, and only a
    /// 5yz to the recipient or to the whole mail is for good.
    fn transfer(
        &self,
        connection: &mut SmtpConnection,
        envelope: &Envelope,
        bytes: &[u8],
    ) -> Result<(), SendError> {
        for to in envelope.to() {
            let to = Rcpt::new(to.clone(), Vec::new());
            say(connection, Step::Command, to, &[250, 251])
                .map_err(|error| self.refused_or_deferred(envelope, error))?;
        }
        say(connection, Step::Command, Data, &[354])
            .map_err(|error| SendError::Deferred(error.into_error(self.settings, "")))?;
        let _ = connection.set_timeout(Some(Step::Text.limit()));
        match connection.message(bytes) {
            Ok(answer) if answer.has_code(250) => Ok(()),
            Ok(answer) => Err(SendError::Unknown(
                Failure::OutOfTurn(answer.code().into()).into_error(self.settings, ""),
            )),
            Err(error) if error.is_permanent() || error.is_transient() => {
                Err(self.refused_or_deferred(envelope, Failure::Smtp(error)))
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
    fn refused_or_deferred(&self, envelope: &Envelope, failure: Failure) -> SendError {
        let (is_refusal, words) = match &failure {
            Failure::Smtp(error) => {
                let code = error.status().map(u16::from);
                let words = match (code, error.source()) {
                    (Some(code), Some(said)) => format!("{code} {said}"),
                    _ => error.to_string(),
                };
                (error.is_permanent() && code != Some(530), words)
            }
            Failure::OutOfTurn(_) => (false, String::new()),
        };
        let error = failure.into_error(self.settings, &format!(" to {}", recipients(envelope)));
        if is_refusal {
            SendError::Refused(Refusal { words, error })
        } else {
            SendError::Deferred(error)
        }
    }
}

fn recipients(envelope: &Envelope) -> String {
    let addresses: Vec<&str> = envelope.to().iter().map(AsRef::as_ref).collect();
    addresses.join(", ")
}

/// Why a command was not done.
enum Failure {
    /// The server refused it, or the connection broke.
    Smtp(smtp::Error),
    /// The server gave a positive answer with this code, which is not one to the
    /// command. It may be about to close the connection.
    OutOfTurn(u16),
}

impl Failure {
    fn into_error(self, settings: &SmtpSettings, to: &str) -> Error {
        match self {
            Failure::Smtp(error) => unsent_to(settings, to, error),
            Failure::OutOfTurn(code) => Error::later(format!(
                "{} has not taken the mail{to}: it answers out of turn ({code})",
                server(settings)
            )),
        }
    }
}

/// Gives a command, which one of these codes must answer.
fn say(
    connection: &mut SmtpConnection,
    step: Step,
    command: impl fmt::Display,
    codes: &[u16],
) -> Result<(), Failure> {
    // A system that knows no time limits has none of them.
    let _ = connection.set_timeout(Some(step.limit()));
    let answer = connection.command(command).map_err(Failure::Smtp)?;
    let code = u16::from(answer.code());
    if codes.contains(&code) {
        Ok(())
    } else {
        Err(Failure::OutOfTurn(code))
    }
}

/// Ends a connection.
fn leave(mut connection: SmtpConnection) {
    let _ = say(&mut connection, Step::End, Quit, &[221]);
}
