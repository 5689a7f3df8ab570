//! The question which match a message is about, and how many answers letters get.

use crate::Error;
use crate::command::receive::count::Count;
use crate::command::receive::message::Handler;
use crate::command::receive::report::Report;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::match_lookup::Lookup;
use crate::mail::sources::source::Anew;
use crate::matches::decision::{Quota, Received};
use crate::matches::event::Disposition;
use crate::matches::r#match::Match;
use crate::matches::questions;
use crate::rules::Color;
use crate::store::store::Store as _;
use crate::store::update::update;

impl Handler<'_> {
    /// Returns what a letter may still cause, also among those that are read anew.
    pub(super) fn quota(&self, count: &Count, game: &Match, side: Color) -> Quota {
        let quota = count.quota(self.session, game, side);
        match self.anew {
            Some(Anew { answers: 0 }) => Quota {
                answers: 0,
                ..quota
            },
            _ => quota,
        }
    }

    /// Asks a player which match a message is about, of those in which the message
    /// proves its sender, `own`, and those it names. The log of one of `own` records the
    /// question.
    pub(super) fn question(
        &mut self,
        message: &IncomingMessage,
        lookup: &Lookup<'_>,
        own: &[&Match],
        why: &str,
    ) -> Result<Report, Error> {
        let ids = || own.iter().map(|game| game.id().clone());
        let asked = self.ask_which(message, own, &lookup.with_named(own), why);
        asked.inspect_err(|_| self.put_off.add(ids()))
    }

    fn ask_which(
        &self,
        message: &IncomingMessage,
        own: &[&Match],
        listed: &[&Match],
        why: &str,
    ) -> Result<Report, Error> {
        let goes_on = own.iter().find(|game| game.turn().is_some());
        let keeper = goes_on.or(own.first());
        let address = message.sender.as_ref();
        let side = |game: &Match| address.and_then(|address| game.side_of(address));
        let Some((keeper, side)) = keeper.and_then(|keeper| Some((keeper, side(keeper)?))) else {
            return Ok(Report::of(message.id.clone(), Disposition::Stranger, why));
        };
        let (session, id) = (self.session, keeper.id());
        let count = Count::take(session, &self.cache, address, keeper, side)?;
        let (decision, _) = update(&*self.cache, self.cache.read(id)?, |game| {
            let received = Received {
                id: &message.id,
                side,
                address,
                words: "",
                unread: None,
                is_referee: true,
                quota: self.quota(&count, game, side),
            };
            let listed = listed.iter().copied();
            let decision = questions::which_match(game, &received, listed, why, session.now);
            session.carry_out(&decision, game)?;
            Ok(decision)
        })?;
        let is_asked = !decision.mails.is_empty();
        let report = Report::of(message.id.clone(), decision.disposition, decision.reason);
        Ok(if is_asked {
            report.owing(id).answered(self.anew.is_some())
        } else {
            report
        })
    }
}
