//! The outcome of a run: its exit status, and the counts of what it has done.

use std::collections::BTreeMap;
use std::process::ExitCode;

use crate::Error;
use crate::matches::event::Disposition;

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
    /// Returns the outcome of a run that has found what it looked at good, or not.
    pub(crate) const fn of_check(is_good: bool) -> Status {
        if is_good {
            Status::Done
        } else {
            Status::Refused
        }
    }

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

/// The outcome of an attempt to send a mail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Sending {
    /// It was sent.
    Sent,
    /// It was refused for good.
    Refused,
    /// It was not sent and stays owed.
    Deferred,
    /// Nobody knows whether it was sent; it stays owed.
    Unknown,
}

impl Sending {
    pub(super) const ALL: [Sending; 4] = [
        Sending::Sent,
        Sending::Refused,
        Sending::Deferred,
        Sending::Unknown,
    ];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Sending::Sent => "sent",
            Sending::Refused => "refused",
            Sending::Deferred => "deferred",
            Sending::Unknown => "unknown",
        }
    }
}

/// The counts of what a run has done.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Counts {
    /// The messages received, by their outcomes.
    pub(super) messages: BTreeMap<&'static str, u64>,
    /// The attempts to send a mail, by their outcomes.
    pub(super) sendings: BTreeMap<&'static str, u64>,
}

impl Counts {
    /// Counts a message.
    pub(crate) fn received(&mut self, outcome: Disposition) {
        *self.messages.entry(outcome.as_str()).or_default() += 1;
    }

    /// Counts an attempt to send a mail.
    pub(crate) fn tried(&mut self, outcome: Sending) {
        *self.sendings.entry(outcome.as_str()).or_default() += 1;
    }

    /// Adds the counts of another run.
    pub(super) fn add(&mut self, other: &Counts) {
        for (to, from) in [
            (&mut self.messages, &other.messages),
            (&mut self.sendings, &other.sendings),
        ] {
            for (outcome, number) in from {
                let sum = to.entry(outcome).or_default();
                *sum = sum.saturating_add(*number);
            }
        }
    }
}
