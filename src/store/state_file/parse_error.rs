//! The error of a state file that cannot be read.

use std::fmt;

/// A fault in a state file, and its place. `Display` writes `LINE: why`, so
/// that a caller can put the file's name and a colon before it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}: {message}")]
pub struct ParseMatchError {
    /// The line number, from 1.
    pub line: usize,
    message: String,
    is_newer: bool,
}

impl ParseMatchError {
    /// Creates the error for a file that a newer version of the program wrote.
    pub(super) fn newer(line: usize, message: String) -> ParseMatchError {
        ParseMatchError {
            line,
            message,
            is_newer: true,
        }
    }

    /// Returns true if the only fault is that a newer version of the program
    /// wrote the file.
    #[must_use]
    pub fn is_newer(&self) -> bool {
        self.is_newer
    }
}

pub(super) fn fault<T>(line: usize, message: impl fmt::Display) -> Result<T, ParseMatchError> {
    Err(ParseMatchError {
        line,
        message: message.to_string(),
        is_newer: false,
    })
}
