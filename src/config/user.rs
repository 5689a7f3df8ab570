//! The section `[me]`: the user of the program.

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
