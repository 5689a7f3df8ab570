//! The questions that a message raises: which match it is about, and, where it is from an
//! unknown address and has the answer code of a mail, whether it was the player's. Such a
//! message plays nothing, and its sender gets nothing: the player whose mail it is is asked.

use crate::Error;
use crate::inbound::answer_form::{AnswerForm, TappedMove};
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::match_lookup::Lookup;
use crate::inbound::sender_authentication;
use crate::mail::quoting::line::Line;
use crate::mail::sources::source::Anew;
use crate::matches::codes::CodeState;
use crate::matches::decide::{may_be_added, which_match, whose_address};
use crate::matches::decision::{Decision, Quota, Received};
use crate::matches::event::Disposition;
use crate::matches::r#match::Match;
use crate::referee::count::Count;
use crate::referee::handler::Handler;
use crate::referee::verdict::Verdict;
use crate::rules::Color;
use crate::store::store::Store as _;
use crate::store::store::update;

impl Handler<'_> {
    /// Returns what a letter may still cause, also among those that are read anew.
    pub(crate) fn quota(&self, count: &Count, game: &Match, side: Color) -> Quota {
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
    pub(crate) fn question(
        &mut self,
        message: &IncomingMessage,
        lookup: &Lookup<'_>,
        own: &[&Match],
        why: &str,
    ) -> Result<Verdict, Error> {
        let ids = || own.iter().map(|game| game.id().clone());
        let asked = self.ask_which(message, own, &lookup.with_named(own), why);
        asked.inspect_err(|_| self.deferrals.add(ids()))
    }

    fn ask_which(
        &self,
        message: &IncomingMessage,
        own: &[&Match],
        listed: &[&Match],
        why: &str,
    ) -> Result<Verdict, Error> {
        let goes_on = own.iter().find(|game| game.turn().is_some());
        let keeper = goes_on.or(own.first());
        let address = message.sender.as_ref();
        let side = |game: &Match| address.and_then(|address| game.side_of(address));
        let Some((keeper, side)) = keeper.and_then(|keeper| Some((keeper, side(keeper)?))) else {
            return Ok(Verdict::of(message.id.clone(), Disposition::Stranger, why));
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
            let decision = which_match(game, &received, listed, why, session.now);
            session.carry_out(&decision, game)?;
            Ok(decision)
        })?;
        let is_asked = !decision.mails.is_empty();
        let verdict = Verdict::of(message.id.clone(), decision.disposition, decision.reason);
        Ok(if is_asked {
            verdict.owing(id).answered(self.anew.is_some())
        } else {
            verdict
        })
    }
}

/// Why such a message is a stranger's.
const NO_PLAYER: &str = "its sender does not play in this match";

impl Handler<'_> {
    /// Asks the player to move whether a message from an unknown address was the
    /// player's, if its code is right.
    ///
    /// # Errors
    ///
    /// If the message must come again. Nothing is recorded then.
    pub(crate) fn ask_player(
        &mut self,
        message: &IncomingMessage,
        game: &Match,
        forms: &[&AnswerForm],
        lines: &[Line<'_>],
    ) -> Result<Verdict, Error> {
        let id = game.id();
        let verdict = |word, reason: &str| Verdict::of(message.id.clone(), word, reason).about(id);
        let session = self.session;
        let asked = message
            .sender
            .as_ref()
            .zip(game.turn())
            .filter(|(address, side)| {
                let policy = &session.config.policy;
                let is_vouched =
                    || sender_authentication::check_unknown(policy, message, address).is_ok();
                self.code_state(forms, game, *side) == CodeState::Right
                    && may_be_added(game, *side, address, &session.me.player)
                    && is_vouched()
            });
        let Some((address, side)) = asked else {
            return Ok(verdict(Disposition::Stranger, NO_PLAYER));
        };
        self.deferrals.check(id)?;
        let tapped = TappedMove {
            forms,
            lines,
            subject: &message.subject,
            is_stale: false,
            is_by_code: true,
        };
        let text = tapped.move_text(game.position());
        let decide = || -> Result<Decision, Error> {
            let own = game.player(side).address();
            let count = Count::take(session, &self.cache, Some(own), game, side)?;
            let (decision, _) = update(&*self.cache, self.cache.read(id)?, |game| {
                // The code may have been used in the meantime.
                if self.code_state(forms, game, side) != CodeState::Right {
                    return Ok(Decision::new(Disposition::Stranger, NO_PLAYER));
                }
                let quota = self.quota(&count, game, side);
                let decision =
                    whose_address(game, side, address, text.as_deref(), quota, session.now);
                session.carry_out(&decision, game)?;
                Ok(decision)
            })?;
            Ok(decision)
        };
        let decided = decide();
        if decided.is_err() {
            self.deferrals.add([id.clone()]);
        }
        let decision = decided?;
        let is_asked = !decision.mails.is_empty();
        let verdict = verdict(decision.disposition, &decision.reason);
        Ok(if is_asked {
            verdict.owing(id).answered(self.anew.is_some())
        } else {
            verdict
        })
    }
}
