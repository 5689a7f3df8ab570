//! How a run ended.

use std::process::ExitCode;

use crate::Error;

/// How a run ended, as its exit status tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// 0: done.
    Done,
    /// 1: refused, and the reason was told.
    Refused,
    /// 2: used wrongly.
    Usage,
    /// 75: to be tried again later.
    Later,
}

impl Status {
    /// The exit status.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::Refused => 1,
            Status::Usage => 2,
            Status::Later => 75,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}

impl From<&Error> for Status {
    fn from(error: &Error) -> Status {
        if error.is_hangup() {
            Status::Done
        } else if error.is_transient() {
            Status::Later
        } else if error.is_usage() {
            Status::Usage
        } else {
            Status::Refused
        }
    }
}
