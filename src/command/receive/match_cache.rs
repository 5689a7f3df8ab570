//! The matches as a run of `receive` knows them: read once, and each again
//! under its lock when a letter is about it.

use chrono::{DateTime, TimeDelta, Utc};
use lettre::Address;

use crate::Error;
use crate::match_id::Id;
use crate::matches::disposition::Disposition;
use crate::matches::event::{Event, EventKind, Who};
use crate::matches::r#match::Match;
use crate::message_id::MessageId;
use crate::store::folder::Folder;

pub(super) struct MatchCache {
    matches: Vec<Match>,
    /// Those that could not be read, and why.
    damage: Vec<(Id, Error)>,
    /// Whether changes are only played through and not kept.
    dry_run: bool,
}

impl MatchCache {
    /// Reads every match of the folder.
    pub(super) fn open(folder: &Folder, dry_run: bool) -> Result<MatchCache, Error> {
        let mut cache = MatchCache {
            matches: Vec::new(),
            damage: Vec::new(),
            dry_run,
        };
        for id in folder.ids()? {
            match folder.read(&id) {
                Ok(game) => cache.matches.push(game),
                Err(error) => cache.damage.push((id, error)),
            }
        }
        Ok(cache)
    }

    pub(super) fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// The matches that could not be read.
    pub(super) fn hidden(&self) -> Vec<Id> {
        self.damage.iter().map(|(id, _)| id.clone()).collect()
    }

    /// What is wrong with those that could not be read.
    pub(super) fn damage(&self) -> Error {
        let lines: Vec<String> = self
            .damage
            .iter()
            .map(|(_, error)| error.to_string())
            .collect();
        Error::refused(lines.join("\n"))
    }

    /// The match that a message has come in for or gone out from already, and
    /// what to call it.
    pub(super) fn known(&self, id: &MessageId) -> Option<(Id, Disposition)> {
        self.matches.iter().find_map(|game| {
            let word = if game.received(id).is_some() {
                Disposition::Duplicate
            } else if game.knows(id) {
                Disposition::Ignored
            } else {
                return None;
            };
            Some((game.id().clone(), word))
        })
    }

    /// How many mails of those kinds the program has called for by itself
    /// within a day, to whoever has that address.
    pub(super) fn mailed(&self, to: &Address, kinds: &[&str], now: DateTime<Utc>) -> usize {
        let since = now - TimeDelta::days(1);
        let is_counted = |game: &Match, event: &Event| {
            event.kind == EventKind::Owed
                && event.time > since
                && event.get("auto") == Some("yes")
                && event
                    .argument
                    .as_deref()
                    .is_some_and(|kind| kinds.contains(&kind))
                && matches!(event.who, Who::Player(color) if game.player(color).has(to))
        };
        let count = |game: &Match| {
            let events = game.log().iter().rev();
            events.filter(|event| is_counted(game, event)).count()
        };
        self.matches.iter().map(count).sum()
    }

    /// Changes a match under its lock, and saves it if the change has left
    /// something in its log.
    pub(super) fn change<T>(
        &mut self,
        folder: &Folder,
        id: &Id,
        change: impl FnOnce(&mut Match) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let place = self.matches.iter().position(|game| game.id() == id);
        let (result, game) = if let Some(place) = place.filter(|_| self.dry_run) {
            let mut game = self.matches[place].clone();
            (change(&mut game)?, game)
        } else {
            let mut locked = folder.lock(id)?;
            let lines = locked.log().len();
            let result = change(&mut locked)?;
            if locked.log().len() > lines {
                locked.save()?;
            }
            (result, locked.clone())
        };
        match place {
            Some(place) => self.matches[place] = game,
            None => self.matches.push(game),
        }
        Ok(result)
    }
}
