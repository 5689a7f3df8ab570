//! A letter, from its parsed message to the verdict: every source gives its letters here.
//!
//! It may be an invitation to the user. Nothing is entered without the user's yes.

use crate::Error;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::invitation::{self, Invitation, InvitationError};
use crate::inbound::sender_authentication;
use crate::match_id::Id;
use crate::matches::event::{Disposition, Event, LogEntry};
use crate::matches::r#match::Match;
use crate::matches::player::same_address;
use crate::referee::handler::Handler;
use crate::referee::verdict::Verdict;
use crate::rules::Color;
use crate::store::errand::Errand;
use crate::store::store::Store as _;

/// An invitation that can be entered, and the side that the user plays.
pub(crate) struct Invited {
    invitation: Invitation,
    side: Color,
}

impl Invited {
    /// Describes the invitation in a clause.
    pub(crate) fn text(&self) -> String {
        let id = &self.invitation.settings.id;
        format!(
            "{id}: {}",
            invitation::describe(&self.invitation, self.side)
        )
    }

    /// Tells what can be done where the user's consent is missing.
    pub(crate) fn hint(&self) -> String {
        let text = self.text();
        format!("{text}. 'parapost receive --accept' enters the match.")
    }
}

/// The user's answer to an invitation that can be entered.
pub(crate) enum Consented {
    /// The user enters the match.
    Yes,
    /// The user does not, or cannot be asked: the message is like any other. The text tells
    /// the user what can be done; it may be empty.
    No(String),
    /// The message is to come again, for this reason.
    Later(String),
}

impl Handler<'_> {
    /// Takes a message all the way, whatever comes of it. `consent` says what becomes of an
    /// invitation that can be entered.
    pub(crate) fn take(
        &mut self,
        message: &IncomingMessage,
        consent: impl FnOnce(&Invited) -> Consented,
    ) -> Verdict {
        let _errand = Errand::begin();
        let handled = match self.invitation(message) {
            Ok(None) => self.handle(message, false),
            Ok(Some(invited)) => match consent(&invited) {
                Consented::Yes => self.begin(&invited, message),
                Consented::Later(why) => Ok(Verdict::deferred(message, why)),
                Consented::No(hint) => {
                    let handled = self.handle(message, true);
                    handled.map(|verdict| verdict.invited(hint))
                }
            },
            Err(why) => {
                let hint = format!("this invitation cannot be entered: {why}");
                let handled = self.handle(message, false);
                handled.map(|verdict| Verdict { hint, ..verdict })
            }
        };
        Verdict::of_handled(message, handled)
    }

    /// Reads an invitation to the user. Returns none if the message is none, or if there
    /// is a match with its id.
    ///
    /// # Errors
    ///
    /// If the invitation cannot be entered.
    pub(crate) fn invitation(
        &self,
        message: &IncomingMessage,
    ) -> Result<Option<Invited>, InvitationError> {
        let Some(sender) = message
            .sender
            .as_ref()
            .filter(|_| message.machine.is_none())
        else {
            return Ok(None);
        };
        let me = &self.session.me.player;
        if me.has_exactly(sender) {
            return Ok(None);
        }
        // A match that cannot be read is there.
        let is_known = |id: &Id| !matches!(self.cache.find(id), Ok(None));
        let Some(invitation) = invitation::read(message, is_known)? else {
            return Ok(None);
        };
        let settings = &invitation.settings;
        let game = Match::new(settings.clone(), self.session.now);
        let sides = game.sides_of(me);
        let [side] = sides.as_slice() else {
            return Err(InvitationError::NotThePlayer);
        };
        let mut addresses = game.player(*side).addresses().iter();
        // Whoever has one of these addresses plays for the user.
        if let Some(other) = addresses.find(|address| !me.has(address)) {
            return Err(InvitationError::OthersAddress(other.to_string()));
        }
        let is_host = match &settings.referee {
            Some(referee) => same_address(referee, sender) && !me.has(referee),
            None => game.speaks_for(!*side, sender),
        };
        if !is_host {
            return Err(InvitationError::Sender(sender.to_string()));
        }
        let policy = &self.session.config.policy;
        sender_authentication::check_signature(policy, message)?;
        let side = *side;
        Ok(Some(Invited { invitation, side }))
    }

    /// Enters the match of an invitation. The invitation is noted, so that the user's
    /// first mail answers it.
    ///
    /// # Errors
    ///
    /// If the match cannot be written. An existing match is never replaced.
    fn begin(&self, invited: &Invited, message: &IncomingMessage) -> Result<Verdict, Error> {
        let (now, opponent) = (self.session.now, !invited.side);
        let settings = invited.invitation.settings.clone();
        let mut game = Match::new(settings, now);
        game.take_over(&invited.invitation.record)?;
        let note = LogEntry::new(now, Event::Note(None), opponent);
        game.push(note.key("msg", Some(&message.id)))?;
        if !self.is_dry_run {
            self.cache.create(&game)?;
        }
        let id = game.id();
        let text = invitation::describe(&invited.invitation, invited.side);
        let verdict = Verdict::of(message.id.clone(), Disposition::Invitation, text);
        Ok(verdict.about(id))
    }
}
