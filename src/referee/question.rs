//! The questions that a message raises: which match it is about, and, where it is from an
//! unknown address and has the answer code of a mail, whether it was the player's. Such a
//! message plays nothing, and its sender gets nothing: the player whose mail it is is asked.

use lettre::Address;

use crate::Error;
use crate::inbound::answer_form;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::sender_authentication::{self, AuthenticationError};
use crate::mail::sources::Anew;
use crate::match_id::Id;
use crate::matches::codes::CodeState;
use crate::matches::decide::{may_be_added, which_match, whose_address};
use crate::matches::decision::{Decision, Quota, Received};
use crate::matches::event::Disposition;
use crate::matches::r#match::Match;
use crate::referee::count::Count;
use crate::referee::handler::{Handler, SenderEvidence};
use crate::referee::verdict::Verdict;
use crate::rules::Color;
use crate::store::store::{Store as _, update};

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

    /// Asks a player which match a message is about, of those `listed`: in which the message
    /// proves its sender, `own`, and those it names. The log of one of `own` records the
    /// question.
    pub(crate) fn question(
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
        let decide = |game: &Match, received: &Received<'_>| {
            let listed = listed.iter().copied();
            which_match(game, received, listed, why, self.session.now)
        };
        let decision = self.ask_sender(message, keeper, side, decide)?;
        let verdict = Verdict::of(message.id.clone(), decision.disposition, &decision.reason);
        Ok(self.asking(verdict, &decision, keeper.id()))
    }

    /// Decides about a question to the sender of a letter, of whose words nothing is read, and saves
    /// what it does in a match of the sender's.
    pub(super) fn ask_sender(
        &self,
        message: &IncomingMessage,
        game: &Match,
        side: Color,
        decide: impl Fn(&Match, &Received<'_>) -> Decision,
    ) -> Result<Decision, Error> {
        let address = message.sender.as_ref();
        self.ask(address, game, side, |game, quota| {
            let received = Received {
                id: &message.id,
                side,
                address,
                words: "",
                unread: None,
                is_referee: true,
                quota,
            };
            decide(game, &received)
        })
    }

    /// Decides about a question in a match, and saves what it does. `decide` is told what the
    /// letters of this address may still cause there.
    pub(super) fn ask(
        &self,
        address: Option<&Address>,
        game: &Match,
        side: Color,
        decide: impl Fn(&Match, Quota) -> Decision,
    ) -> Result<Decision, Error> {
        let count = Count::take(self.session, &self.cache, address, game, side)?;
        let read = self.cache.read(game.id())?;
        let (decision, _) = update(&*self.cache, read, |game| {
            let decision = decide(game, self.quota(&count, game, side));
            self.session.carry_out(&decision, game)?;
            Ok(decision)
        })?;
        Ok(decision)
    }

    /// Asks the player to move whether a message from an unknown address was the
    /// player's, if its code is right.
    ///
    /// # Errors
    ///
    /// If the message must come again. Nothing is recorded then.
    pub(super) fn ask_player(
        &mut self,
        evidence: &SenderEvidence<'_>,
        game: &Match,
    ) -> Result<Verdict, Error> {
        let SenderEvidence { message, forms, .. } = *evidence;
        let id = game.id();
        let verdict = |word, reason: &str| Verdict::of(message.id.clone(), word, reason).about(id);
        let no_player = AuthenticationError::NoPlayer.to_string();
        let session = self.session;
        let asked = message
            .sender
            .as_ref()
            .zip(game.turn())
            .filter(|(address, side)| {
                let policy = &session.config.policy;
                let is_vouched = || sender_authentication::check_signature(policy, message).is_ok();
                self.code_state(forms, game, *side) == CodeState::Right
                    && may_be_added(game, *side, address, &session.me.player)
                    && is_vouched()
            });
        let Some((address, side)) = asked else {
            return Ok(verdict(Disposition::Stranger, &no_player));
        };
        self.deferrals.check(id)?;
        let text = answer_form::move_text(forms, evidence.lines, game.position());
        let decide = |game: &Match, quota| {
            // The code may have been used in the meantime.
            if self.code_state(forms, game, side) != CodeState::Right {
                return Decision::new(Disposition::Stranger, no_player.as_str());
            }
            whose_address(game, side, address, text.as_deref(), quota, session.now)
        };
        let own = game.home(side);
        let asked = self.ask(Some(own), game, side, decide);
        let decision = asked.inspect_err(|_| self.deferrals.add([id.clone()]))?;
        let verdict = verdict(decision.disposition, &decision.reason);
        Ok(self.asking(verdict, &decision, id))
    }

    /// Notes that a question owes its mail to a player of a match, if it has one.
    pub(super) fn asking(&self, verdict: Verdict, decision: &Decision, id: &Id) -> Verdict {
        if decision.mails.is_empty() {
            return verdict;
        }
        Verdict {
            is_answered: self.anew.is_some(),
            ..verdict.owing(id)
        }
    }
}
