//! The addresses that came into a match by letters, as its log records them.

use lettre::Address;

use crate::matches::article::GROUP;
use crate::matches::event::{ADDRESS, AddressStep, Event, LogEntry, Who};
use crate::rules::Color;

/// The addresses that came by letters.
#[derive(Clone, Default, Debug)]
pub(crate) struct Claims {
    /// The addresses that each player has added.
    added: [Vec<Address>; 2],
    /// The addresses that letters have proven.
    pub(in crate::matches) proven: [Vec<Address>; 2],
    /// True if a letter brought the addresses of the beginning without proving any of them.
    pub(in crate::matches) by_letter: [bool; 2],
}

impl Claims {
    /// Reads a line of the log. `is_first` says that it directly follows the beginning and was
    /// written with it.
    pub(in crate::matches) fn take(&mut self, event: &LogEntry, is_first: bool) {
        let Who::Player(side) = event.who else {
            return;
        };
        let side = side.index();
        let address = || event.get(ADDRESS)?.parse::<Address>().ok();
        match &event.event {
            Event::Address(Some(AddressStep::Added)) => self.added[side].extend(address()),
            Event::Address(Some(AddressStep::Proven)) => self.proven[side].extend(address()),
            // The invitation to the user, or the letter that asks for a match with the partner.
            Event::Note(None) if is_first => self.by_letter[side] = has_letter(event),
            Event::Asked(Some(words)) if is_first && words.starts_with("new ") => {
                self.by_letter[side] = has_letter(event);
            }
            // Earlier versions did not ask, so a player who moved under them has these addresses.
            // Today a move of a player with claims has its address.
            _ if event.is_move() && has_letter(event) => {
                let is_earlier = event.get(ADDRESS).is_none() && event.get(GROUP).is_none();
                if is_earlier {
                    self.by_letter[side] = false;
                    let added = self.added[side].clone();
                    self.proven[side].extend(added);
                }
            }
            _ => {}
        }
    }

    /// Returns the addresses that a player has added.
    pub(crate) fn added(&self, side: Color) -> &[Address] {
        &self.added[side.index()]
    }
}

/// Returns true if a letter has caused the event.
fn has_letter(event: &LogEntry) -> bool {
    event.get("msg").is_some()
}
