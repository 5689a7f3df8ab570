//! What the matches of a store come to, told from their logs.

use std::collections::BTreeMap;

use crate::Error;
use crate::matches::event::Event;
use crate::store::store::{Open, Store};

/// What the matches of a store come to.
#[derive(Default)]
pub(super) struct Tally {
    going_on: u64,
    over: u64,
    damaged: u64,
    owed: u64,
    refused: u64,
    events: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts the matches, and what the logs of those say in which anything is left to do.
    ///
    /// # Errors
    ///
    /// If the store cannot be read. A damaged match is counted as such.
    pub(super) fn of(store: &dyn Store) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        let all = store.ids()?.len() as u64;
        for id in store.going_on()? {
            let game = match store.find(&id) {
                Ok(Some(stored)) => stored.game,
                Ok(None) => continue,
                Err(_) => {
                    tally.damaged += 1;
                    continue;
                }
            };
            if !Open::of(&game).is_any() {
                continue;
            }
            tally.going_on += u64::from(game.turn().is_some());
            tally.owed += game.owed().len() as u64;
            tally.refused += game.undelivered().len() as u64;
            for event in game.log() {
                // A word that this version does not know may be anything.
                let word = match &event.event {
                    Event::Other { .. } => "other",
                    event => event.kind(),
                };
                match tally.events.get_mut(word) {
                    Some(number) => *number += 1,
                    None => drop(tally.events.insert(word.to_owned(), 1)),
                }
            }
        }
        tally.over = all.saturating_sub(tally.going_on + tally.damaged);
        Ok(tally)
    }

    /// Returns the number of matches, by what state they are in.
    pub(super) fn matches(&self) -> [(&str, u64); 3] {
        [
            ("going-on", self.going_on),
            ("over", self.over),
            ("damaged", self.damaged),
        ]
    }

    /// Returns the number of mails that have not gone.
    pub(super) fn mails(&self) -> [(&str, u64); 2] {
        [("owed", self.owed), ("refused", self.refused)]
    }

    /// Returns the number of lines in the logs, by their words.
    pub(super) fn events(&self) -> Vec<(&str, u64)> {
        let events = self.events.iter();
        events
            .map(|(word, number)| (word.as_str(), *number))
            .collect()
    }
}
