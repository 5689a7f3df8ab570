//! The section `[policy]`: which senders are believed, and how many answers
//! they get.

use serde::Deserialize;

use crate::config::error::SettingError;
use crate::config::one_or_many::OneOrMany;

/// Which senders are believed, and how many answers they get.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    /// The proof of the sender that a message must bring.
    pub identity: SenderPolicy,
    /// The hosts whose checks of signatures are trusted.
    pub trusted: Vec<String>,
    /// The most explanations that one player gets in a day.
    pub answers: usize,
}

/// The proof of its sender that a message must bring.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum SenderPolicy {
    /// The address in its From field.
    #[default]
    Address,
    /// That address, and the Message-ID of a mail of this match that went to
    /// its sender.
    Token,
    /// That address, and a signature of its domain that a trusted host has
    /// checked.
    Dkim,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPolicy {
    #[serde(default)]
    identity: SenderPolicy,
    trusted: Option<OneOrMany>,
    answers: Option<usize>,
}

impl Policy {
    /// The default of `answers`: more than a person asks for.
    pub const ANSWERS: usize = 20;

    pub(super) fn check(raw: RawPolicy) -> Result<Policy, SettingError> {
        let trusted = raw.trusted.map_or_else(Vec::new, OneOrMany::into_vec);
        if raw.identity == SenderPolicy::Dkim && trusted.is_empty() {
            return Err(SettingError::NoTrustedHost);
        }
        Ok(Policy {
            identity: raw.identity,
            trusted,
            answers: raw.answers.unwrap_or(Policy::ANSWERS),
        })
    }
}
