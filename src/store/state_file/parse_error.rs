//! What is wrong with a state file, and where.

use std::fmt;

/// What is wrong with a state file, and where. Displayed as `LINE: why`, so
/// that the file's name and a colon may precede it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}: {message}")]
pub struct ParseMatchError {
    /// The line, from 1.
    pub line: usize,
    message: String,
    is_newer: bool,
}

impl ParseMatchError {
    /// A file that a newer version of the program wrote.
    pub(super) fn newer(line: usize, message: String) -> ParseMatchError {
        ParseMatchError {
            line,
            message,
            is_newer: true,
        }
    }

    /// Whether the only fault is that a newer version of the program wrote the
    /// file.
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
