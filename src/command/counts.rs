//! The counts of what a run has done.

use std::collections::BTreeMap;

use crate::matches::event::Disposition;

/// What became of an attempt to send a mail.
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
