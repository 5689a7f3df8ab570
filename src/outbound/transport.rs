//! The trait of all transports of mail, with typed errors.

use std::fmt;

use crate::Error;
use crate::outbound::outgoing_message::OutgoingMessage;

/// A way to send mail.
pub trait Transport {
    /// Returns the name that the log of a match keeps, such as `smtp`.
    fn name(&self) -> &'static str;

    /// Sends one message.
    ///
    /// # Errors
    ///
    /// If the message was not sent, or if it is unknown whether it was.
    /// [`SendError`] tells these apart, and whether the message is the cause.
    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError>;
}

impl<T: Transport + ?Sized> Transport for &mut T {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        (**self).send(message)
    }
}

/// Why a message was not sent, or may not have been.
#[derive(Clone, Debug)]
pub enum SendError {
    /// The message was refused for good: another attempt would end the same.
    Refused(Refusal),
    /// The server or program has not taken the message this time; others may be taken.
    Deferred(Error),
    /// The connection ended before the message was handed over, so that the server has said
    /// nothing about it.
    Broken(Error),
    /// The message was not sent, and neither would others be now: the settings
    /// are wrong, or the server cannot be reached.
    SetUp(Error),
    /// The message may have been sent. Sending it again may deliver it twice.
    Unknown(Error),
}

/// A refusal of one message.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The words of the server or program, for the log of the match.
    pub words: String,
    /// The error for the person at the keyboard.
    pub error: Error,
}

impl SendError {
    /// Returns the error for the person at the keyboard.
    #[must_use]
    pub fn error(&self) -> &Error {
        match self {
            SendError::Refused(Refusal { error, .. })
            | SendError::Deferred(error)
            | SendError::Broken(error)
            | SendError::SetUp(error)
            | SendError::Unknown(error) => error,
        }
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error().fmt(f)
    }
}

impl std::error::Error for SendError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error().source()
    }
}
