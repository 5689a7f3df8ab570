//! The section `[me]`, the user of the program; and the section `[policy]`, the senders that
//! are believed, and the number of answers they get.

use clap::ValueEnum;
use lettre::Address;
use serde::Deserialize;

use crate::config::error::SettingError;
use crate::config::values::OneOrMany;
use crate::matches::player::Player;

/// The user.
#[derive(Clone, Debug)]
pub struct User {
    /// The user's name and addresses.
    pub player: Player,
    /// The user's part in the matches of the games folder.
    pub role: UserRole,
}

/// The user's part in a match.
#[derive(Deserialize, ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum UserRole {
    /// The user plays.
    #[default]
    #[value(help = "You play")]
    Player,
    /// The user passes the moves between two other players.
    #[value(help = "You pass the moves between two other players")]
    Referee,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawUser {
    #[serde(default)]
    name: String,
    address: OneOrMany,
    #[serde(default)]
    role: UserRole,
}

impl User {
    pub(super) fn check(raw: RawUser) -> Result<User, SettingError> {
        let address = |text: String| text.parse().map_err(|_| SettingError::Address(text));
        let addresses: Result<Vec<Address>, SettingError> =
            raw.address.into_vec().into_iter().map(address).collect();
        Ok(User {
            player: Player::new(&raw.name, addresses?)?,
            role: raw.role,
        })
    }
}

/// The senders that are believed, and the number of answers they get.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    /// The proof that a message must carry of its sender.
    pub identity: SenderPolicy,
    /// The hosts whose signature checks are trusted.
    pub trusted: Vec<String>,
    /// The maximum number of explanations that one player gets in a day.
    pub answers: usize,
}

/// The proof that a message must carry of its sender.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum SenderPolicy {
    /// The address in the From field.
    #[default]
    Address,
    /// The From address, and the Message-ID of a mail of this match that went
    /// to its sender.
    Token,
    /// The From address, and a signature of its domain that a trusted host has
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
    /// The default of `answers`: more than a person needs.
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
