//! Claimed addresses: what a letter proves about them, and the mail that asks there.

use lettre::Address;

use crate::Error;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::mailing_list::lines_disclosed;
use crate::matches::claims::question_at;
use crate::matches::codes::CodeState;
use crate::matches::decide::is_plain;
use crate::matches::decision::{Decision, DueMail};
use crate::matches::event::{ADDRESS, AddressStep, Event, LogEntry};
use crate::matches::mail_id::looks_made_for;
use crate::matches::r#match::Match;
use crate::matches::player::{is_nobodys, mailbox};
use crate::referee::handler::Handler;
use crate::rules::Color;
use crate::store::store::Store as _;

impl Handler<'_> {
    /// Adds to a decision what its letter proves about the sender's address, or the mail that asks
    /// there. A player without a proven address gets one automatic answer within the pause.
    ///
    /// # Errors
    ///
    /// If the store cannot find out which mails went there.
    pub(super) fn about_addresses(
        &self,
        mut decision: Decision,
        message: &IncomingMessage,
        side: Color,
        game: &Match,
    ) -> Result<Decision, Error> {
        let from = message.sender.as_ref();
        let Some(from) = from.filter(|_| game.settings().referee.is_none()) else {
            return Ok(decision);
        };
        let step = |step| Event::Address(Some(step));
        let mut events = decision.events.iter();
        let added = events.find(|event| event.event == step(AddressStep::Added));
        let added: Option<Address> = added.and_then(|event| event.get(ADDRESS)?.parse().ok());
        let is_claim = !game.belongs_to(side, from);
        let is_proven = decision
            .events
            .iter()
            .any(|event| event.event == step(AddressStep::Proven));
        if decision.events.is_empty() || is_proven {
            return Ok(decision);
        }
        let home = game.home(side);
        if is_claim && self.is_first_answer(message, side, game, from) {
            for own in [
                Some(home),
                Some(from).filter(|from| mailbox(from) != mailbox(home)),
            ] {
                let proof = LogEntry::new(self.session.now, step(AddressStep::Proven), side);
                let proof = own.map(|own| proof.key(ADDRESS, Some(own)));
                decision.events.extend(proof);
            }
            return Ok(decision);
        }
        let is_automatic = |due: &DueMail| due.mail.to == side && due.mail.automatic;
        let is_unproven = !game.belongs_to(side, home);
        if is_unproven && decision.mails.iter().any(is_automatic) && self.is_bothered(home)? {
            decision.mails.retain(|due| !is_automatic(due));
        }
        let is_elsewhere = is_claim && mailbox(from) != mailbox(home);
        let from = Some(from).filter(|_| is_elsewhere && !looks_made_for(game.id(), &message.id));
        if let Some(address) = added.as_ref().or(from)
            && self.may_be_asked_at(address)?
        {
            let question = question_at(address, side);
            decision.mails.push(DueMail::new(question, None));
        }
        Ok(decision)
    }

    /// Returns true if a letter answers the first mail to a player without a proven address: it
    /// cites the mail, or has its answer code.
    fn is_first_answer(
        &self,
        message: &IncomingMessage,
        side: Color,
        game: &Match,
        from: &Address,
    ) -> bool {
        let disclosed = lines_disclosed(game, side);
        let ids = &self.session.ids;
        let mut forms = message
            .taken
            .forms
            .iter()
            .filter(|form| form.id == *game.id());
        let has_code =
            forms.any(|form| CodeState::of(&form.code, game, side, ids) == CodeState::Right);
        game.is_first_contact(side, from, disclosed, |mail| {
            let id = mail.message_id("msg");
            has_code || id.is_some_and(|id| message.cites.contains(&id))
        })
    }

    /// Returns true if a mail that nobody called for by hand went to this address within the pause,
    /// in any match in which the address is only claimed.
    ///
    /// # Errors
    ///
    /// If the store cannot find out.
    pub(super) fn is_bothered(&self, address: &Address) -> Result<bool, Error> {
        let found = self.cache.by_address(address)?.matches;
        let mut games = found.iter().map(|stored| &stored.game);
        Ok(games.any(|game| game.has_bothered(address, self.session.now)))
    }

    fn may_be_asked_at(&self, address: &Address) -> Result<bool, Error> {
        let can_be = self.anew.is_none()
            && is_plain(address)
            && !is_nobodys(address)
            && !self.session.me.player.has(address);
        Ok(can_be && !self.is_bothered(address)?)
    }
}
