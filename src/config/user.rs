//! The user and how the user wants mail: the section `[me]`; the section `[policy]`, the senders
//! that are believed, and the number of answers they get; and the section `[mail]`, the look of
//! the mails that are sent.

use std::fmt::Display;

use clap::ValueEnum;
use lettre::Address;
use serde::Deserialize;

use crate::Error;
use crate::config::transport::one_or_many;
use crate::matches::player::Player;
use crate::notation::diagram::DiagramStyle;
use crate::rules::Color;

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
    #[serde(deserialize_with = "one_or_many")]
    address: Vec<String>,
    #[serde(default)]
    role: UserRole,
}

impl User {
    pub(super) fn check(raw: RawUser) -> Result<User, Error> {
        let wrong = |what: &dyn Display| Error::refused(format!("[me] {what}"));
        let address = |text: String| {
            let no_address = |_| wrong(&format!("address: '{text}' is no mail address"));
            text.parse().map_err(no_address)
        };
        let addresses: Result<Vec<Address>, Error> = raw.address.into_iter().map(address).collect();
        Ok(User {
            player: Player::new(&raw.name, addresses?).map_err(|error| wrong(&error))?,
            role: raw.role,
        })
    }
}

/// The senders that are believed, and the number of answers they get.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// The proof that a message must carry of its sender.
    pub identity: SenderPolicy,
    /// The hosts whose signature checks are trusted.
    #[serde(deserialize_with = "one_or_many")]
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

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            identity: SenderPolicy::default(),
            trusted: Vec::new(),
            answers: Policy::ANSWERS,
        }
    }
}

impl Policy {
    /// The default of `answers`: more than a person needs.
    pub const ANSWERS: usize = 20;

    pub(super) fn check(self) -> Result<Policy, Error> {
        if self.identity == SenderPolicy::Dkim && self.trusted.is_empty() {
            return Err(Error::refused(
                "[policy] identity = \"dkim\" needs trusted = \"…\", the name of the mail server that checks signatures, as it stands in Authentication-Results",
            ));
        }
        Ok(self)
    }
}

/// The look of the mails that are sent.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct MailSettings {
    /// True if a mail about a match has a part in HTML, with a picture of the board. If
    /// nothing is said, a referee's has.
    pub html: Option<bool>,
    /// True if a mail to the player to move has a page to answer on attached.
    pub page: bool,
    /// True if files and ranks stand at the edges of the board.
    pub coords: bool,
    /// The side from which the board is shown.
    pub side: BoardSide,
}

/// The side from which the board of a mail is shown.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum BoardSide {
    /// The first player's, as in the 1994 format.
    #[default]
    White,
    /// The reader's. Files and ranks then stand at the edges, because only they tell the
    /// side.
    Own,
}

impl MailSettings {
    /// Returns the settings of a user with this role.
    pub(crate) fn for_role(mut self, role: UserRole) -> MailSettings {
        self.html.get_or_insert(role == UserRole::Referee);
        self
    }

    /// Returns true if a mail about a match has a part in HTML.
    pub fn has_html(self) -> bool {
        self.html.unwrap_or_default()
    }

    /// Returns the look of the diagram in a mail to a player of this side.
    pub fn look(self, reader: Color) -> DiagramStyle {
        let is_own = self.side == BoardSide::Own;
        DiagramStyle {
            has_edges: self.coords || is_own,
            is_flipped: is_own && reader == Color::Black,
            ..DiagramStyle::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> MailSettings {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn the_board_is_that_of_1994_unless_something_else_is_said() {
        for reader in Color::ALL {
            assert_eq!(parse("").look(reader), DiagramStyle::default());
            assert_eq!(
                parse("side = \"white\"").look(reader),
                DiagramStyle::default()
            );
            let coords = parse("coords = true").look(reader);
            assert!(coords.has_edges && !coords.is_flipped);
        }
    }

    #[test]
    fn a_referees_mail_has_html_unless_something_else_is_said() {
        for (text, of_player, of_referee) in [
            ("", false, true),
            ("html = true", true, true),
            ("html = false", false, false),
        ] {
            let settings = parse(text);
            assert_eq!(settings.for_role(UserRole::Player).has_html(), of_player);
            assert_eq!(settings.for_role(UserRole::Referee).has_html(), of_referee);
        }
        assert!(!parse("").has_html());
    }

    #[test]
    fn the_readers_own_side_has_the_edges_that_tell_it() {
        for text in ["side = \"own\"", "side = \"own\"\ncoords = false"] {
            for reader in Color::ALL {
                let look = parse(text).look(reader);
                assert!(look.has_edges, "{text}");
                assert_eq!(look.is_flipped, reader == Color::Black, "{text}");
            }
        }
        assert!(toml::from_str::<MailSettings>("side = \"black\"").is_err());
        assert!(toml::from_str::<MailSettings>("cords = true").is_err());
    }
}
