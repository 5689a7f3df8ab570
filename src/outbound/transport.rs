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
    /// [`SendError`] tells these apart.
    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError>;
}

/// Why a message was not sent, or may not have been.
#[derive(Clone, Debug)]
pub enum SendError {
    /// The message was not sent, and trying again changes nothing.
    Permanent(Error),
    /// The message was not sent, and trying again later may help.
    Transient(Error),
    /// The message may have been sent. Sending it again may deliver it twice.
    Unknown(Error),
}

impl SendError {
    /// An error before the message was handed over: it was certainly not sent.
    ///
    /// There is no `From<Error>` for this: a `?` behind the point where the
    /// message has left would call it unsent.
    #[must_use]
    pub fn unsent(error: Error) -> SendError {
        if error.is_transient() {
            SendError::Transient(error)
        } else {
            SendError::Permanent(error)
        }
    }

    /// Returns true if the message was certainly not sent.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        !matches!(self, SendError::Unknown(_))
    }

    /// Returns true if trying again later may help. Returns false if it is
    /// unknown whether the message was sent.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(self, SendError::Transient(_))
    }

    fn error(&self) -> &Error {
        match self {
            SendError::Permanent(error)
            | SendError::Transient(error)
            | SendError::Unknown(error) => error,
        }
    }
}

impl From<SendError> for Error {
    fn from(error: SendError) -> Error {
        match error {
            SendError::Permanent(error)
            | SendError::Transient(error)
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
