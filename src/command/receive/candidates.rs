//! The matches that a message may be about: those that it names, and if that does not
//! settle it, those of its sender.

use lettre::Address;

use crate::Error;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::match_lookup::{self, Lookup, NotFound, SEVERAL};
use crate::limits::NAMED;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::quoting::line::Line;
use crate::store::store::{Store, Stored, Survey};

/// The matches that a message may be about, as far as they have been read.
pub(super) struct Candidates {
    /// The matches that can be read, sorted, and those that cannot.
    pub(super) survey: Survey,
    /// True if the message names more matches that are here than are read for it.
    is_beyond: bool,
}

impl Candidates {
    /// Reads the matches that a message names. Looks for as many as it names, and reads at
    /// most [`NAMED`].
    pub(super) fn named(
        store: &dyn Store,
        message: &IncomingMessage,
        lines: &[Line<'_>],
    ) -> Candidates {
        let mut survey = Survey::default();
        let mut is_beyond = false;
        for id in match_lookup::ids_named(message, lines) {
            if survey.matches.len() + survey.damaged.len() >= NAMED {
                is_beyond = true;
                break;
            }
            match store.find(&id) {
                Ok(None) => {}
                Ok(Some(stored)) => survey.matches.push(stored),
                Err(error) => survey.damaged.push((id, error.to_string())),
            }
        }
        Candidates { survey, is_beyond }
    }

    /// Adds the matches in which an address speaks for a player.
    ///
    /// # Errors
    ///
    /// If the store cannot tell.
    pub(super) fn add_of(&mut self, store: &dyn Store, address: &Address) -> Result<(), Error> {
        let Survey { matches, damaged } = store.by_address(address)?;
        let known = &mut self.survey;
        for stored in matches {
            let id = stored.game.id();
            if !known.matches.iter().any(|known| known.game.id() == id) {
                known.matches.push(stored);
            }
        }
        known
            .matches
            .sort_by(|one, other| one.game.id().cmp(other.game.id()));
        for (id, why) in damaged {
            if !known.damaged.iter().any(|(known, _)| *known == id) {
                known.damaged.push((id, why));
            }
        }
        known.damaged.sort();
        Ok(())
    }

    /// Returns the ids of the matches that cannot be read.
    pub(super) fn hidden(&self) -> Vec<Id> {
        let damaged = self.survey.damaged.iter();
        damaged.map(|(id, _)| id.clone()).collect()
    }

    /// Returns the error of a message that may be about a match that cannot be read.
    pub(super) fn unreadable(&self) -> Error {
        let damaged = self.survey.damaged.iter();
        let mut why: Vec<&str> = damaged.map(|(_, why)| why.as_str()).collect();
        // A store that is away says the same of each.
        why.dedup();
        Error::refused(why.join("\n"))
    }

    /// Returns the matches that can be read.
    pub(super) fn games(&self) -> impl Iterator<Item = &Match> {
        self.survey.matches.iter().map(|stored| &*stored.game)
    }

    /// Returns the first match of which something is true.
    pub(super) fn find(&self, is_it: impl Fn(&Match) -> bool) -> Option<&Stored> {
        let mut matches = self.survey.matches.iter();
        matches.find(|stored| is_it(&stored.game))
    }

    /// Returns true if the message is about one match whatever matches of its sender there
    /// are.
    pub(super) fn settle(&self, message: &IncomingMessage, lines: &[Line<'_>]) -> bool {
        let lookup = Lookup::new(message, lines, self.games(), &self.hidden());
        !self.is_beyond && lookup.is_certain()
    }

    /// Finds the match that the message is about, as [`Lookup::find`] does.
    ///
    /// # Errors
    ///
    /// As [`Lookup::find`].
    pub(super) fn found<'m>(&self, lookup: &Lookup<'m>) -> Result<&'m Match, NotFound> {
        if self.is_beyond && !lookup.own().is_empty() {
            return Err(NotFound::Ask(SEVERAL.to_owned()));
        }
        lookup.find()
    }
}
