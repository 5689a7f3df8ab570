//! The one error of the program: why something was not done, in words for
//! the person at the keyboard.

use std::error::Error as StdError;
use std::path::Path;
use std::{fmt, io, iter};

/// Why something was not done. Its `Display` is for people: one or more lines
/// without a final line end.
#[derive(Clone, Debug)]
pub struct Error {
    kind: Kind,
    message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Refused,
    Usage,
    Later,
    Hangup,
}

impl Error {
    /// It is not allowed, not understood or damaged; asking again changes
    /// nothing.
    pub fn refused(message: impl fmt::Display) -> Error {
        Error::new(Kind::Refused, message)
    }

    /// The command was used wrongly.
    pub fn usage(message: impl fmt::Display) -> Error {
        Error::new(Kind::Usage, message)
    }

    /// It may go well another time: a lock held too long, a full disk, a
    /// server out of reach.
    pub fn later(message: impl fmt::Display) -> Error {
        Error::new(Kind::Later, message)
    }

    /// A file could not be read or written.
    #[must_use]
    pub fn file(path: &Path, error: &io::Error) -> Error {
        Error::io(&path.display().to_string(), error)
    }

    /// Something named could not be read or written.
    #[must_use]
    pub fn io(what: &str, error: &io::Error) -> Error {
        use io::ErrorKind as K;
        let message = format!("{what}: {error}");
        match error.kind() {
            K::StorageFull
            | K::QuotaExceeded
            | K::FileTooLarge
            | K::ResourceBusy
            | K::StaleNetworkFileHandle
            | K::TimedOut
            | K::WouldBlock
            | K::Interrupted
            | K::OutOfMemory => Error::later(message),
            K::NotFound
            | K::PermissionDenied
            | K::AlreadyExists
            | K::NotADirectory
            | K::IsADirectory
            | K::ReadOnlyFilesystem
            | K::InvalidFilename
            | K::InvalidInput
            | K::InvalidData
            | K::Unsupported => Error::refused(message),
            // Descriptors used up, an ailing disk: no word of their own, and
            // no number any more where a library has wrapped them.
            _ => match error.raw_os_error() {
                None => Error::later(message),
                Some(5 | 23 | 24) if cfg!(unix) => Error::later(message),
                Some(_) => Error::refused(message),
            },
        }
    }

    /// Standard output could not be written. A reader that has gone away
    /// wants to hear nothing more.
    #[must_use]
    pub fn stdout(error: &io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Error::new(Kind::Hangup, "standard output is closed"),
            _ => Error::io("standard output", error),
        }
    }

    fn new(kind: Kind, message: impl fmt::Display) -> Error {
        Error {
            kind,
            message: message.to_string(),
        }
    }

    /// Whether the same thing may go well another time.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        self.kind == Kind::Later
    }

    /// Whether the command was used wrongly.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        self.kind == Kind::Usage
    }

    /// Whether the reader of standard output has gone away.
    #[must_use]
    pub fn is_hangup(&self) -> bool {
        self.kind == Kind::Hangup
    }

    /// The same error with more said.
    #[must_use]
    pub fn and(self, more: impl fmt::Display) -> Error {
        Error {
            message: format!("{}\n{more}", self.message),
            ..self
        }
    }
}

/// The error and its sources, the outermost first.
pub(crate) fn causes<'e>(
    error: &'e (dyn StdError + 'static),
) -> impl Iterator<Item = &'e (dyn StdError + 'static)> + Clone {
    iter::successors(Some(error), |error| (*error).source())
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {}
