//! The transport to a mail server by SMTP.
//!
//! One connection serves all mails of a run, each with a transaction of its own.

pub mod connect;
pub mod connection;

use std::time::Duration;

use lettre::Address;
use lettre::address::Envelope;

use crate::Error;
use crate::config::transport::SmtpSettings;
use crate::outbound::outgoing_message::OutgoingMessage;
use crate::outbound::transport::{Refusal, SendError, Transport};
use crate::outbound::transports::smtp::connect::{connect, server, unsent_to};
use crate::outbound::transports::smtp::connection::{Answer, Connection, SmtpError};

/// Connects to a server, logs in and takes leave. Returns the words of its greeting.
///
/// # Errors
///
/// If the server cannot be reached, cannot be trusted, or does not accept the login.
pub fn probe(settings: &SmtpSettings) -> Result<String, Error> {
    let mut connection = connect(settings)?;
    let greeting = std::mem::take(&mut connection.greeting);
    leave(connection);
    Ok(greeting)
}

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
pub struct SmtpTransport {
    settings: SmtpSettings,
    /// The connection between two mails.
    idle: Option<Connection>,
    /// Why the server could not be reached. It is not tried again for each mail.
    failed: Option<Error>,
}

impl SmtpTransport {
    /// Creates a transport to a server. It connects when it sends a message, and takes
    /// leave of the server when it is dropped.
    #[must_use]
    pub fn new(settings: SmtpSettings) -> SmtpTransport {
        SmtpTransport {
            settings,
            idle: None,
            failed: None,
        }
    }

    /// Returns true if it sends to the server of these settings, and logs in as they say.
    #[must_use]
    pub fn is_of(&self, settings: &SmtpSettings) -> bool {
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
        match self.try_to_send(message) {
            // It has certainly not gone, and the next connection may last.
            Err(SendError::Broken(_)) => self.try_to_send(message),
            sent => sent,
        }
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

    fn connect(&mut self) -> Result<Connection, SendError> {
        let connected = match &self.failed {
            Some(error) => Err(error.clone()),
            None => connect(&self.settings),
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
        connection: &mut Connection,
        envelope: &Envelope,
        bytes: &[u8],
    ) -> Result<(), SendError> {
        let options = self.options(connection, envelope, bytes)?;
        let from = envelope.from().map_or("", AsRef::as_ref);
        say(
            connection,
            Step::Command,
            &format!("MAIL FROM:<{from}>{options}"),
            &[250],
        )
        .map_err(|error| SendError::SetUp(unsent_to(&self.settings, "", error)))
    }

    /// Hands over a message whose sender the server has taken. Keeps the connection for
    /// the next one, if the server goes on to answer.
    fn hand_over(
        &mut self,
        mut connection: Connection,
        envelope: &Envelope,
        bytes: &[u8],
    ) -> Result<(), SendError> {
        let sent = self.transfer(&mut connection, envelope, bytes);
        let is_free = connection.is_in_step()
            && (sent.is_ok() || say(&mut connection, Step::End, "RSET", &[250]).is_ok());
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
        connection: &mut Connection,
        envelope: &Envelope,
        bytes: &[u8],
    ) -> Result<(), SendError> {
        for to in envelope.to() {
            say(
                connection,
                Step::Command,
                &format!("RCPT TO:<{to}>"),
                &[250, 251],
            )
            .map_err(|error| match &error {
                SmtpError::Refused(answer) if is_about_sender(answer) => {
                    let to = format!(" to {}", recipients(envelope));
                    SendError::Deferred(unsent_to(&self.settings, &to, error))
                }
                _ => self.refused_or_deferred(envelope, error),
            })?;
        }
        say(connection, Step::Command, "DATA", &[354]).map_err(|error| {
            let is_end = error.is_end();
            deferred_or_broken(is_end, unsent_to(&self.settings, "", error))
        })?;
        match connection.send_text(bytes, Step::Text.limit()) {
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
        connection: &Connection,
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
                    SendError::Refused(Refusal { words, error })
                });
            }
            options.push_str(option);
        }
        Ok(options)
    }

    /// Converts the answer to a recipient or to a whole mail. That a login is
    /// needed (530) is no word about the recipient.
    fn refused_or_deferred(&self, envelope: &Envelope, error: SmtpError) -> SendError {
        let refusal = match &error {
            SmtpError::Refused(answer) if error.is_permanent() && answer.code != 530 => {
                Some(format!("{} {}", answer.code, answer.text))
            }
            _ => None,
        };
        let to = format!(" to {}", recipients(envelope));
        let is_end = error.is_end();
        let error = unsent_to(&self.settings, &to, error);
        match refusal {
            Some(words) => SendError::Refused(Refusal { words, error }),
            None => deferred_or_broken(is_end, error),
        }
    }
}

/// Returns why a mail was not sent this time.
fn deferred_or_broken(is_end: bool, error: Error) -> SendError {
    if is_end {
        SendError::Broken(error)
    } else {
        SendError::Deferred(error)
    }
}

/// Returns true if the enhanced status of an answer (RFC 3463) is no word about the
/// recipient: the sender's address is wrong (5.1.7, 5.1.8), or whoever sends may not
/// (5.7.x). The last can be about the recipient, too; the mail is then tried in vain.
fn is_about_sender(answer: &Answer) -> bool {
    let status = answer.text.split(' ').next().unwrap_or_default();
    matches!(status, "5.1.7" | "5.1.8") || status.starts_with("5.7.")
}

fn recipients(envelope: &Envelope) -> String {
    let addresses: Vec<&str> = envelope.to().iter().map(AsRef::as_ref).collect();
    addresses.join(", ")
}

/// Gives a command, which one of these codes must answer.
fn say(
    connection: &mut Connection,
    step: Step,
    command: &str,
    codes: &[u16],
) -> Result<(), SmtpError> {
    connection.say(command, codes, step.limit()).map(|_| ())
}

/// Ends a connection.
fn leave(mut connection: Connection) {
    let _ = say(&mut connection, Step::End, "QUIT", &[221]);
}
