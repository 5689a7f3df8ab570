//! The questions that a message raises: which match it is about, and whether it was the player's.
//! The second question is for a message from an unknown address with the answer code of a mail, and
//! for one without a proof that the player can give. Such a message plays nothing, and its sender
//! gets nothing. The program asks the player whose mail or name it has.

use lettre::Address;

use crate::Error;
use crate::config::SenderPolicy;
use crate::inbound::answer_form;
use crate::inbound::answered::is_known;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::sender_authentication::{self, AuthenticationError, answers_proof_question};
use crate::mail::sources::Anew;
use crate::match_id::Id;
use crate::matches::action::Intent;
use crate::matches::article::Readers;
use crate::matches::codes::CodeState;
use crate::matches::decide::{is_plain, may_be_asked_about, which_match, whose_address};
use crate::matches::decision::{Decision, DueMail, Quota, Received};
use crate::matches::event::Disposition;
use crate::matches::following::asked_for_proof;
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::r#match::Match;
use crate::referee::count::Count;
use crate::referee::handler::{Handler, MatchedMessage, SenderEvidence, SenderProof, known};
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

    /// Returns true if a message from the other player's address has the answer code of the player
    /// to move. The program asks that player about it as about a stranger's message. Otherwise
    /// somebody who guesses the address could find out that it is right.
    pub(super) fn has_code_of_other(&self, evidence: &SenderEvidence<'_>, game: &Match) -> bool {
        let (Some(address), Some(turn)) = (&evidence.message.sender, game.turn()) else {
            return false;
        };
        game.speaks_for(!turn, address)
            && !game.speaks_for(turn, address)
            && self.code_state(evidence.forms, game, turn) == CodeState::Right
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
                    && may_be_asked_about(game, address, &session.me.player)
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

    /// Returns the player to ask about a message that lacks its proof: its player, if it has a
    /// valid signature that does not show that it was written to us, or the user.
    pub(super) fn unproven(
        &self,
        message: &IncomingMessage,
        game: &Match,
        why: &AuthenticationError,
    ) -> Option<Color> {
        let side = game.side_of(message.sender.as_ref()?)?;
        let is_signed = *why == AuthenticationError::Redirected;
        let may_ask = is_signed && !self.bypasses_referee(game, side);
        (may_ask || self.is_user(game, side)).then_some(side)
    }

    /// Asks a player whether a message that lacks its proof is the player's, once in a position.
    /// Asks the user only about letters that ask for something.
    ///
    /// # Errors
    ///
    /// If the message must come again. Nothing is recorded then.
    pub(super) fn ask_for_proof(
        &mut self,
        evidence: &SenderEvidence<'_>,
        game: &Match,
        side: Color,
        why: &AuthenticationError,
    ) -> Result<Verdict, Error> {
        let message = evidence.message;
        let id = game.id();
        let verdict = |word, reason: &str| Verdict::of(message.id.clone(), word, reason).about(id);
        if is_known(game, message) {
            return Ok(known(message, game));
        }
        let stranger = || verdict(Disposition::Stranger, &why.to_string());
        let found = MatchedMessage {
            message,
            side,
            proof: SenderProof::Usual,
            readers: Readers::Us,
            is_article: false,
            lookup: evidence.lookup,
        };
        self.deferrals.check(id)?;
        let asked = self.read_in(&found, game).and_then(|read| {
            let asks_something = match read.map(|read| read.intent) {
                None => false,
                Some(Intent::Again(_)) => return Ok(Err(verdict(Disposition::Duplicate, ""))),
                Some(Intent::Words | Intent::Mention { .. }) => !self.is_user(game, side),
                Some(_) => true,
            };
            let may_ask = asks_something
                && !matches!(self.anew, Some(Anew { answers: 0 }))
                && self.session.side_or_referee(game).is_ok();
            if !may_ask {
                return Ok(Err(stranger()));
            }
            let read = self.cache.read(id)?;
            let (decision, _) = update(&*self.cache, read, |game| {
                let decision = self.proof_question(message, game, side);
                self.session.carry_out(&decision, game)?;
                Ok(decision)
            })?;
            Ok(Ok(decision))
        });
        Ok(
            match asked.inspect_err(|_| self.deferrals.add([id.clone()]))? {
                Err(verdict) => verdict,
                Ok(decision) if decision.mails.is_empty() => {
                    let reason = format!("{why}; {}", decision.reason);
                    verdict(Disposition::Stranger, &reason)
                }
                Ok(decision) => {
                    let reason = format!("{why}; {}", decision.reason);
                    self.asking(verdict(decision.disposition, &reason), &decision, id)
                }
            },
        )
    }

    /// Returns the verdict on a message that names no match for certain and proves its sender in no
    /// match.
    ///
    /// # Errors
    ///
    /// As [`Handler::ask_for_proof`].
    pub(super) fn unproven_anywhere(
        &mut self,
        evidence: &SenderEvidence<'_>,
        why: &str,
        is_invitation: bool,
    ) -> Result<Verdict, Error> {
        let own = evidence.lookup.own().iter().rev();
        let last = own.max_by_key(|game| game.turn().is_some()).copied();
        let unproven = last.and_then(|game| Some((game, self.side(evidence, game).err()?)));
        let side = unproven.as_ref().and_then(|(game, reason)| {
            let is_signed = *reason == AuthenticationError::Redirected && !is_invitation;
            let side = self.unproven(evidence.message, game, reason);
            side.filter(|_| is_signed)
        });
        match (unproven, side) {
            (Some((game, reason)), Some(side)) => self.ask_for_proof(evidence, game, side, &reason),
            (unproven, _) => {
                let stranger = |why: &str| {
                    let id = evidence.message.id.clone();
                    Verdict::of(id, Disposition::Stranger, why)
                };
                Ok(match unproven {
                    None => stranger(why),
                    Some((game, reason)) => {
                        stranger(&reason.to_string()).unproven(evidence.message, game)
                    }
                })
            }
        }
    }

    /// Returns true if a letter of the user's answers the question whether another one was the
    /// user's. A user's letters to the user's own program may pass no server that checks them.
    pub(super) fn answers_as_user(
        &self,
        message: &IncomingMessage,
        game: &Match,
        side: Color,
    ) -> bool {
        self.is_user(game, side) && answers_proof_question(message, game, side)
    }

    /// Returns true if the user plays this side.
    fn is_user(&self, game: &Match, side: Color) -> bool {
        game.sides_of(&self.session.me.player).contains(&side)
    }

    /// Returns the question whether a letter is the user's, if it has an order that would end the
    /// match, and its only proof is the address in its From field.
    pub(super) fn user_is_asked(
        &self,
        found: &MatchedMessage<'_>,
        game: &Match,
        decision: &Decision,
    ) -> Option<Decision> {
        let is_unproven = decision.ends_match()
            && self.session.config.policy.identity == SenderPolicy::Address
            && self.is_user(game, found.side)
            && !sender_authentication::cites_own(found.message, game, found.side);
        is_unproven.then(|| self.proof_question(found.message, game, found.side))
    }

    /// Decides to ask a player whether a letter is the player's, unless the program has asked that
    /// in this position. The question repeats nothing of the letter.
    fn proof_question(&self, message: &IncomingMessage, game: &Match, side: Color) -> Decision {
        let me = &self.session.me.player;
        let new = NewMail::new(MailKind::Answer, side).automatic();
        let (mail, what) = if self.is_user(game, side) {
            let what = "A letter with your address asks for something in this match, but nothing proves that you wrote it: anybody can put your address into a letter.";
            (new.at_address(me.address().clone()), what)
        } else {
            let what = "We got a letter of yours with a good signature, but no signed part of it says that you wrote it to us, about this position: anybody who has a letter of yours can send it on to us.";
            (new, what)
        };
        if game.has_asked_for_proof(side) {
            return Decision::new(
                Disposition::Confirm,
                "its player was asked about that in this position",
            );
        }
        // Whoever asked for no mail gets an answer to a letter.
        let mail = match &message.sender {
            Some(sender) if !game.takes(&mail) => mail.at_address(sender.clone()),
            _ => mail,
        };
        if !game.takes(&mail) {
            return Decision::new(Disposition::Confirm, "its player gets no mail");
        }
        let words = format!(
            "{what} So nothing was done. If you did, answer this mail with your move or command alone on a line. If you did not, you need not do anything. We ask this once in a position."
        );
        let is_ours = |to: &Address| me.has(to) || game.is_referee(to) || game.is_list(to);
        let recipients = message.recipients.iter();
        let mut elsewhere =
            recipients.filter(|to| !is_ours(to) && !game.has_player(to) && is_plain(to));
        let to = elsewhere
            .next()
            .filter(|_| !message.recipients.iter().any(is_ours));
        let line = asked_for_proof(self.session.now, side, &message.id, to);
        let mut decision = Decision::new(Disposition::Confirm, "its player is asked by mail");
        decision.events.push(line);
        decision.mails.push(DueMail::new(mail.saying(words), None));
        decision
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
