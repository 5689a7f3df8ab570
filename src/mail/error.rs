//! The error type of the program, with messages for the person at the keyboard.

use std::error::Error as StdError;
use std::path::Path;
use std::sync::Arc;
use std::{fmt, io, iter};

/// Why something was not done. `Display` writes one or more lines for people,
/// without a final line end. They include the words of the source, if there is
/// one.
#[derive(Clone, Debug)]
pub struct Error {
    kind: Kind,
    message: String,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Refused,
    Usage,
    Later,
    Held,
    Hangup,
}

impl Error {
    /// Creates an error for something not allowed, not understood or damaged.
    /// Trying again changes nothing.
    pub fn refused(message: impl fmt::Display) -> Error {
        Error::new(Kind::Refused, message)
    }

    /// Creates an error for wrong usage of a command.
    pub fn usage(message: impl fmt::Display) -> Error {
        Error::new(Kind::Usage, message)
    }

    /// Creates an error for something that may work later: a lock held too
    /// long, a full disk, an unreachable server.
    pub fn later(message: impl fmt::Display) -> Error {
        Error::new(Kind::Later, message)
    }

    /// Creates an error for something that trying again changes nothing about, or else may.
    pub fn refused_or_later(is_permanent: bool, message: impl fmt::Display) -> Error {
        let kind = if is_permanent {
            Kind::Refused
        } else {
            Kind::Later
        };
        Error::new(kind, message)
    }

    /// Creates an error for something that another process holds, and that may be free later.
    pub fn held(message: impl fmt::Display) -> Error {
        Error::new(Kind::Held, message)
    }

    /// Creates an error for a file that could not be read or written.
    #[must_use]
    pub fn file(path: &Path, error: &io::Error) -> Error {
        Error::io(&path.display().to_string(), error)
    }

    /// Creates an error for a named stream or file that could not be read or
    /// written.
    #[must_use]
    pub fn io(what: &str, error: &io::Error) -> Error {
        use io::ErrorKind as K;
        let message = format!("{what}: {}", words(error));
        let failed = match error.kind() {
            K::StorageFull
            | K::QuotaExceeded
            | K::FileTooLarge
            // A disk with a fault, until it is mended.
            | K::ReadOnlyFilesystem
            | K::ResourceBusy
            | K::StaleNetworkFileHandle
            | K::TimedOut
            | K::WouldBlock
            | K::Interrupted
            | K::OutOfMemory
            | K::ConnectionRefused
            | K::ConnectionReset
            | K::ConnectionAborted
            | K::HostUnreachable
            | K::NetworkUnreachable
            | K::NetworkDown => Error::later(message),
            K::NotFound
            | K::PermissionDenied
            | K::AlreadyExists
            | K::NotADirectory
            | K::IsADirectory
            | K::InvalidFilename
            | K::InvalidInput
            | K::InvalidData
            | K::Unsupported => Error::refused(message),
            // EIO, ENFILE and EMFILE have no kind of their own, and no number
            // once a library has wrapped them.
            _ => match error.raw_os_error() {
                None => Error::later(message),
                Some(5 | 23 | 24) if cfg!(unix) => Error::later(message),
                Some(_) => Error::refused(message),
            },
        };
        failed.with_source(copy(error))
    }

    /// Creates an error for standard output. If its reader has gone, the
    /// program prints no message.
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
            source: None,
        }
    }

    /// Sets the source.
    #[must_use]
    pub fn with_source(self, source: impl StdError + Send + Sync + 'static) -> Error {
        Error {
            source: Some(Arc::new(source)),
            ..self
        }
    }

    /// Returns true if trying again later may help.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(self.kind, Kind::Later | Kind::Held)
    }

    /// Returns true if another process holds what is needed.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.kind == Kind::Held
    }

    /// Returns true if the command was used wrongly.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        self.kind == Kind::Usage
    }

    /// Returns true if the reader of standard output has gone away.
    #[must_use]
    pub fn is_hangup(&self) -> bool {
        self.kind == Kind::Hangup
    }

    /// Adds a further line to the message.
    #[must_use]
    pub fn and(self, more: impl fmt::Display) -> Error {
        Error {
            message: format!("{}\n{more}", self.message),
            ..self
        }
    }
}

/// Iterates over the error and its sources, the outermost first.
pub fn causes<'e>(
    error: &'e (dyn StdError + 'static),
) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    iter::successors(Some(error), |error| (*error).source())
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let source = self.source.as_deref()?;
        Some(source)
    }
}

/// Returns the words of an error, without the system's number for it: an error that the
/// system has no words for is called by its number in them.
#[must_use]
pub fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let number = error.raw_os_error();
    let number = number.map(|number| format!(" (os error {number})"));
    let words = number.and_then(|number| text.strip_suffix(&number));
    words.unwrap_or(&text).to_owned()
}

/// Copies an error that cannot be cloned. The copy has the system's error
/// number, or else the kind and the text.
#[must_use]
pub fn copy(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that cannot be reached now may be there later, and a disk be mended.
    #[cfg(target_os = "linux")]
    #[test]
    fn trouble_with_network_and_disk_may_pass() {
        let [refused, unreachable, read_only, no_such_file] = [111, 113, 30, 2];
        for (code, is_transient) in [
            (refused, true),
            (unreachable, true),
            (read_only, true),
            (no_such_file, false),
        ] {
            let error = Error::io("x", &io::Error::from_raw_os_error(code));
            assert_eq!(error.is_transient(), is_transient, "{error}");
        }
    }

    #[test]
    fn an_error_keeps_its_source_and_says_it_once() {
        for (source, words) in [
            (io::Error::from(io::ErrorKind::NotFound), "entity not found"),
            (
                io::Error::new(io::ErrorKind::InvalidData, "not UTF-8"),
                "not UTF-8",
            ),
            #[cfg(target_os = "linux")]
            (io::Error::from_raw_os_error(2), "No such file or directory"),
            #[cfg(target_os = "linux")]
            (io::Error::from_raw_os_error(999), "Unknown error 999"),
        ] {
            let error = Error::file(Path::new("x"), &source).and("try again");
            assert_eq!(error.to_string(), format!("x: {words}\ntry again"));
            let kept = error.source().unwrap().downcast_ref::<io::Error>().unwrap();
            assert_eq!(kept.kind(), source.kind());
            assert_eq!(kept.to_string(), source.to_string());
        }
        assert!(Error::refused("no").source().is_none());
    }
}
