//! The referee of a match, as a player's copy of the match names one, and what a
//! referee tells each player of the other: the name, and no address.

use lettre::Address;

use crate::matches::r#match::{Match, MatchSettings};
use crate::matches::player::{Player, same_address};
use crate::rules::Color;

impl Match {
    /// Returns true if the match has a referee with this address, letter by letter.
    #[must_use]
    pub fn is_referee(&self, address: &Address) -> bool {
        let referee = self.settings().referee.as_ref();
        referee.is_some_and(|referee| same_address(referee, address))
    }

    /// Returns the address of mail to a player that names no other: the referee's, if
    /// one keeps the match, else the player's first.
    pub(super) fn mailbox_of(&self, to: Color) -> &Address {
        let referee = self.settings().referee.as_ref();
        referee.unwrap_or(self.player(to).address())
    }

    /// Returns the name of a player as it may be told to anybody: the one that was given,
    /// if it has no address in it, else the side in the words of the game.
    #[must_use]
    pub fn public_name(&self, color: Color) -> &str {
        match self.player(color).given_name() {
            name if name.is_empty() || name.contains('@') => self.variant().player(color),
            name => name,
        }
    }

    /// Returns the terms of the match as a referee tells them to a player: of the other
    /// one they have the name alone.
    #[must_use]
    pub fn told_by_referee(&self, to: Color) -> MatchSettings {
        let mut settings = self.settings().clone();
        let told = Player::known_by_name(self.public_name(!to), !to);
        // A name that was given is one, and so is that of a side.
        if let Ok(other) = told {
            settings.players[(!to).index()] = other;
        }
        settings
    }
}
