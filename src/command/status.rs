//! The outcome of a run.

use std::process::ExitCode;

use crate::Error;

/// The outcome of a run, as its exit status tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// 0: done.
    Done,
    /// 1: refused, with the reason on standard error.
    Refused,
    /// 2: wrong usage.
    Usage,
    /// 75: try again later.
    Later,
}

impl Status {
    /// Returns the exit status.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::Refused => 1,
            Status::Usage => 2,
            Status::Later => 75,
        }
    }

    /// Returns the worse of two outcomes: `Later` over `Usage` over `Refused` over
    /// `Done`.
    pub(crate) fn or_worse(self, other: Status) -> Status {
        let rank = |status| match status {
            Status::Done => 0,
            Status::Refused => 1,
            Status::Usage => 2,
            Status::Later => 3,
        };
        if rank(other) > rank(self) {
            other
        } else {
            self
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
