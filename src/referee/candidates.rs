//! The matches that a letter may be about: those that it names, and those of its sender.

use lettre::Address;

use crate::Error;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::match_lookup::{self, Lookup, NotFound, SEVERAL};
use crate::limits::NAMED;
use crate::mail::quoting::line::Line;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::notation::reader::classify;
use crate::outbound::sent_mail;
use crate::store::store::{Store, Survey};

/// The matches that a message may be about, as far as they have been read: those that it
/// names, and if that does not settle it, those of its sender.
pub(crate) struct Candidates {
    /// The matches that can be read, sorted, and those that cannot.
    pub(crate) survey: Survey,
    /// True if the message names more matches that are here than are read for it.
    is_beyond: bool,
}

impl Candidates {
    /// Reads the matches that a message names. Looks for as many as it names, and reads at
    /// most [`NAMED`].
    pub(crate) fn named(
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
    pub(crate) fn add_of(&mut self, store: &dyn Store, address: &Address) -> Result<(), Error> {
        let more = store.by_address(address)?;
        // Of two that are the same the first stays, which was known before.
        let Survey { matches, damaged } = &mut self.survey;
        matches.extend(more.matches);
        matches.sort_by(|one, other| one.game.id().cmp(other.game.id()));
        matches.dedup_by(|one, other| one.game.id() == other.game.id());
        damaged.extend(more.damaged);
        damaged.sort_by(|(one, _), (other, _)| one.cmp(other));
        damaged.dedup_by(|(one, _), (other, _)| one == other);
        Ok(())
    }

    /// Returns the ids of the matches that cannot be read.
    pub(crate) fn hidden(&self) -> Vec<Id> {
        let damaged = self.survey.damaged.iter();
        damaged.map(|(id, _)| id.clone()).collect()
    }

    /// Returns the error of a message that may be about a match that cannot be read.
    pub(crate) fn unreadable(&self) -> Error {
        let damaged = self.survey.damaged.iter();
        let mut why: Vec<&str> = damaged.map(|(_, why)| why.as_str()).collect();
        // A store that is away says the same of each.
        why.dedup();
        Error::refused(why.join("\n"))
    }

    /// Returns the matches that can be read.
    pub(crate) fn games(&self) -> impl Iterator<Item = &Match> {
        self.survey.matches.iter().map(|stored| &*stored.game)
    }

    /// Returns true if the message is about one match whatever matches of its sender there
    /// are.
    pub(crate) fn is_certain(&self, message: &IncomingMessage, lines: &[Line<'_>]) -> bool {
        let lookup = Lookup::new(message, lines, self.games(), &self.hidden());
        !self.is_beyond && lookup.is_certain()
    }

    /// Looks for the match of a message among these.
    pub(super) fn look_up<'c>(
        &'c self,
        message: &IncomingMessage,
        lines: &[Line<'_>],
        is_certain: bool,
    ) -> Lookup<'c> {
        let hidden = self.hidden();
        let lookup = Lookup::new(message, lines, self.games(), &hidden);
        if is_certain || !lookup.rests_on_text() {
            return lookup;
        }
        // Somebody may have put an id into words that were carried to the sender.
        let sent = sent_mail::ids_carried_to(message.sender.as_ref(), lookup.own());
        let lines = classify(&message.text, &sent);
        Lookup::new(message, &lines, self.games(), &hidden)
    }

    /// Finds the match that the message is about, as [`Lookup::find`] does.
    ///
    /// # Errors
    ///
    /// As [`Lookup::find`].
    pub(crate) fn found<'m>(&self, lookup: &Lookup<'m>) -> Result<&'m Match, NotFound> {
        if self.is_beyond && !lookup.own().is_empty() {
            return Err(NotFound::Ask(SEVERAL.to_owned()));
        }
        lookup.find()
    }
}
