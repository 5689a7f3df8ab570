//! The referee of a match, as a player's copy of the match names one.

use lettre::Address;

use crate::matches::r#match::Match;
use crate::matches::player::same_address;
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
}
