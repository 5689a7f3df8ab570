//! One letter's way through the stages, from its parsed message to the verdict: the matches that
//! it may be about, the one that it is about, the side that it proves to be from, what it asks
//! for there, and the decision. Every source gives its letters here.
//!
//! A letter may be an invitation to the user. Nothing is entered without the user's yes.
//!
//! The sender of a letter is authenticated before anything is answered, counted or remembered.
//! What is remembered of a letter is its match, its side and its Message-ID: another player's
//! letter under the same id is another letter.

use std::cell::Cell;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::Error;
use crate::config::SenderPolicy;
use crate::inbound::answer_form::{self, AnswerForm};
use crate::inbound::answered::{AnsweredMessage, is_known};
use crate::inbound::incoming_message::{IncomingMessage, left_of};
use crate::inbound::invitation::{self, Invitation, InvitationError};
use crate::inbound::match_lookup::{Lookup, NotFound};
use crate::inbound::request::Unsubscribe;
use crate::inbound::sender_authentication::{self, AuthenticationError};
use crate::inbound::{condition, mailing_list, talk};
use crate::mail::quoting::line::Line;
use crate::mail::quoting::sent::Sent;
use crate::mail::sources::Anew;
use crate::match_id::Id;
use crate::matches::action::{Intent, Request};
use crate::matches::article::Readers;
use crate::matches::claims::confirmed;
use crate::matches::codes::CodeState;
use crate::matches::decide::{decide, note_yes, without_rematch};
use crate::matches::decision::{Decision, Quota, REPEATED, Received};
use crate::matches::event::{Disposition, Event, LogEntry};
use crate::matches::mail::{MailKind, MailWish, QueuedMail};
use crate::matches::mail_id::{self, looks_made_for};
use crate::matches::r#match::Match;
use crate::matches::player::{is_nobodys, same_address};
use crate::notation::reader::classify;
use crate::outbound::sent_mail;
use crate::referee::candidates::Candidates;
use crate::referee::count::Count;
use crate::referee::lanes::{Deferrals, Slot};
use crate::referee::session::Session;
use crate::referee::verdict::{Effect, Verdict};
use crate::rules::Color;
use crate::store::cache::Cache;
use crate::store::errand::Errand;
use crate::store::store::{Store, Stored, update};

/// The most messages of a player that a match remembers although they only repeated a
/// move.
const REMEMBERED: usize = 50;

/// The matches, as the messages of a run find them.
pub(crate) struct Handler<'a> {
    pub(crate) session: &'a Session,
    pub(crate) cache: Arc<Cache<'a>>,
    pub(crate) deferrals: Deferrals,
    /// When a message that reads other matches may do so.
    pub(crate) slot: Slot<'a>,
    /// The mails that the message may cause if it is read anew.
    pub(crate) anew: Option<Anew>,
    /// True if no change may reach the store.
    pub(crate) is_dry_run: bool,
}

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
        format!("{text}. 'parapost receive --accept' enters the match. {HOW_TO_DECLINE}")
    }
}

/// Tells how the invitation to a match that is not entered is declined.
pub(crate) const HOW_TO_DECLINE: &str =
    "To decline, so that the inviter knows, answer that mail with 'decline' alone on a line.";

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

/// A message with its lines and its place.
pub(super) struct MatchedMessage<'m> {
    pub(super) message: &'m IncomingMessage,
    pub(super) side: Color,
    pub(super) proof: SenderProof,
    /// Who else may have read it.
    pub(super) readers: Readers,
    /// True if it was read in a newsgroup, whose server takes no second article under one id.
    pub(super) is_article: bool,
    pub(super) lookup: &'m Lookup<'m>,
}

impl MatchedMessage<'_> {
    /// Returns true if a message that names no match, and so could be about another one
    /// when it comes again, is one that this match does not know and may remember.
    fn is_new_in(&self, game: &Match) -> bool {
        let is_settled = self.lookup.is_settled();
        !is_settled && !is_known(game, self.message) && has_room(game, self.side)
    }
}

/// The parts of a message that tell who sent it.
pub(super) struct SenderEvidence<'m> {
    pub(super) message: &'m IncomingMessage,
    pub(super) lines: &'m [Line<'m>],
    /// True if a mailing list had put its own address in the place of its sender's.
    pub(super) is_restored: bool,
    /// The matches that it may be about, and those of its sender.
    pub(super) lookup: &'m Lookup<'m>,
    /// The addresses that the questions went to which it answers.
    questions: &'m [Address],
    /// The answers in it that our links have begun.
    pub(super) forms: &'m [&'m AnswerForm],
}

/// The finding of a stage, or the verdict with which the way of a message ends there.
type Stage<T> = Result<T, Verdict>;

impl<'a> Handler<'a> {
    /// Creates a handler over matches that were read before, and that several may share.
    pub(crate) fn over(
        session: &'a Session,
        cache: Arc<Cache<'a>>,
        is_dry_run: bool,
    ) -> Handler<'a> {
        Handler {
            session,
            cache,
            deferrals: Deferrals::default(),
            slot: Slot::default(),
            anew: None,
            is_dry_run,
        }
    }

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
                Consented::No(hint) => {
                    let handled = self.handle(message, true);
                    handled.map(|verdict| verdict.invited(hint))
                }
                Consented::Later(why) => Ok(Verdict::deferred(message, why)),
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
        let me = &self.session.me.player;
        let sender = message.sender.as_ref();
        let sender = sender.filter(|sender| message.machine.is_none() && !me.has_exactly(sender));
        let Some(sender) = sender else {
            return Ok(None);
        };
        // A match that cannot be read is there.
        let is_known = |id: &Id| !matches!(self.cache.find(id), Ok(None));
        let Some(invitation) = invitation::read(message, is_known)? else {
            return Ok(None);
        };
        let settings = &invitation.settings;
        if let Some(day) = settings.until.filter(|day| day.end() <= self.session.now) {
            return Err(InvitationError::Lapsed(day.for_people()));
        }
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
        let mut settings = invited.invitation.settings.clone();
        // The other addresses in it may be anybody's.
        if let Some(sender) = message
            .sender
            .as_ref()
            .filter(|_| settings.referee.is_none())
        {
            let player = &mut settings.players[opponent.index()];
            *player = player.led_by(sender);
        }
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

    /// Takes a message through every stage. Of an invitation that waits for the user's yes
    /// nobody is asked which match it is about.
    ///
    /// # Errors
    ///
    /// If the message must come again. Nothing is recorded then.
    pub(crate) fn handle(
        &mut self,
        message: &IncomingMessage,
        is_invitation: bool,
    ) -> Result<Verdict, Error> {
        let of_machine = Verdict::of_machine(message);
        if let Some(verdict) = of_machine.filter(|_| !Self::may_be_read(message)) {
            return Ok(verdict);
        }
        let unwrapped = self.unwrapped(message);
        let message = unwrapped.as_ref().unwrap_or(message);
        let lines = classify(&message.text, &Sent::nothing());
        let mut candidates = Candidates::named(&*self.cache, message, &lines);
        if let Some(verdict) = Self::check_copy(message, &candidates) {
            return Ok(verdict);
        }
        if let Some(verdict) = self.read_from_program(message, &candidates)? {
            return Ok(verdict);
        }
        if let Some(verdict) = self.check_return(message, &candidates)? {
            return Ok(verdict);
        }
        let forms = &answer_form::own(&message.taken.forms, &lines);
        let restored = self.restored(message, forms, &candidates);
        let message = restored.as_ref().unwrap_or(message);
        let is_restored = restored.is_some() || unwrapped.is_some();
        let is_certain = candidates.is_certain(message, &lines);
        // No mail comes from nobody, who plays in every match with the partner.
        let is_looked_for = |sender: &&Address| !is_certain && !is_nobodys(sender);
        if let Some(sender) = message.sender.as_ref().filter(is_looked_for) {
            let added = candidates.add_of(&*self.cache, sender);
            added.inspect_err(|_| self.deferrals.add_all())?;
        }
        let lookup = &candidates.look_up(message, &lines, is_certain);
        let questions = &sender_authentication::questions_answered(message, lookup.own());
        let evidence = SenderEvidence {
            message,
            is_restored,
            lines: &lines,
            lookup,
            questions,
            forms,
        };
        if !is_invitation && let Some(verdict) = self.asks_for_partner(&evidence)? {
            return Ok(verdict);
        }
        let game = match self.match_of(&evidence, &candidates, is_invitation)? {
            Ok(game) => game,
            Err(verdict) => return Ok(verdict),
        };
        let (side, proof) = match self.proven_side(&evidence, game)? {
            Ok(proven) => proven,
            Err(verdict) => return Ok(verdict),
        };
        self.deferrals.check(game.id())?;
        let found = MatchedMessage {
            message,
            side,
            proof,
            readers: match &game.settings().list {
                Some(list) if is_restored => Readers::List(list.clone()),
                _ => mailing_list::readers(message, game, side, &self.session.me.player),
            },
            is_article: false,
            lookup,
        };
        if !is_invitation && self.may_be_meant_for_another(&found, game) {
            let why = "It names a game, but answers a message that is not known here, whose writer may have put that name there.";
            return self.ask_which(&evidence, why);
        }
        self.decided(&found, game)
    }

    /// Returns the verdict on a mail of ours that has come back, and none on another.
    fn check_return(
        &mut self,
        message: &IncomingMessage,
        candidates: &Candidates,
    ) -> Result<Option<Verdict>, Error> {
        let ignored = |reason| Verdict::of(message.id.clone(), Disposition::Ignored, reason);
        let is_ours =
            |game: &Match| mail_id::is_of(&message.id, game.id()) && game.mailed(&message.id);
        if let Some(game) = candidates.games().find(|game| is_ours(game)) {
            let verdict = ignored("it is our own mail come back");
            return Ok(Some(verdict.about(game.id())));
        }
        let is_own = self.is_own(message, candidates);
        if is_own.inspect_err(|_| self.deferrals.add_all())? {
            return Ok(Some(ignored("it is our own mail come back (X-Loop)")));
        }
        Ok(None)
    }

    /// Returns the match that a message is about, or ends the way of one that is known, names
    /// none clearly or is a stranger's.
    fn match_of<'m>(
        &mut self,
        evidence: &SenderEvidence<'m>,
        candidates: &Candidates,
        is_invitation: bool,
    ) -> Result<Stage<&'m Match>, Error> {
        let SenderEvidence {
            message, lookup, ..
        } = *evidence;
        let verdict = |word, reason: &str| Verdict::of(message.id.clone(), word, reason);
        let own = self.proven_of(evidence);
        if !lookup.is_settled()
            && let Some(game) = own.iter().find(|game| is_known(game, message))
        {
            return Ok(Err(known(message, game)));
        }
        if self.anew.is_some() && !is_invitation && !own.is_empty() && !lookup.names_one() {
            return Ok(Err(Verdict::unnamed(message)));
        }
        let verdict = match candidates.found(lookup) {
            Ok(game) => return Ok(Ok(game)),
            Err(NotFound::Hidden) => {
                self.deferrals.add(candidates.hidden());
                return Err(candidates.unreadable());
            }
            Err(NotFound::Stranger) => {
                verdict(Disposition::Stranger, "its sender plays no match here")
            }
            Err(NotFound::Ask(why)) if own.is_empty() => {
                self.unproven_anywhere(evidence, &why, is_invitation)?
            }
            Err(NotFound::Ask(why)) if is_invitation => verdict(Disposition::UnknownMatch, &why),
            Err(NotFound::Ask(why)) => self.ask_which(evidence, &why)?,
        };
        Ok(Err(verdict))
    }

    /// Asks the sender of a message which match it is about, of those that it proves to be the
    /// sender's.
    fn ask_which(&mut self, evidence: &SenderEvidence<'_>, why: &str) -> Result<Verdict, Error> {
        let own = self.proven_of(evidence);
        let listed = evidence.lookup.with_named(&own);
        let asked = self.question(evidence.message, &own, &listed, why);
        let ids = own.iter().map(|game| game.id().clone());
        asked.inspect_err(|_| self.deferrals.add(ids))
    }

    /// Returns the matches that a message proves to be its sender's.
    fn proven_of<'m>(&self, evidence: &SenderEvidence<'m>) -> Vec<&'m Match> {
        let proven = |game: &&&'m Match| self.side(evidence, game).is_ok();
        evidence
            .lookup
            .own()
            .iter()
            .filter(proven)
            .copied()
            .collect()
    }

    /// Returns true if somebody else may have chosen the match of a message: its subject and what
    /// it quotes are of a message that is not known here, and no mail of ours in that match.
    fn may_be_meant_for_another(&self, found: &MatchedMessage<'_>, game: &Match) -> bool {
        let message = found.message;
        let is_usual = found.proof == SenderProof::Usual;
        let may_be_chosen = is_usual && found.lookup.may_be_chosen(message);
        let is_of_program = || looks_made_for(game.id(), &message.id);
        let quotes_ours = || {
            let (text, _) = self.text(found, game);
            self.lines(found, text, game, false).1
        };
        // The log may lack a mail of ours.
        let parent = message.parent.as_ref();
        let answers_ours = || parent.is_some_and(|id| self.session.ids.has_made(game.id(), id));
        may_be_chosen && !answers_ours() && !is_of_program() && !quotes_ours()
    }

    /// Returns the side that a message is from and what proves it, or ends the way of one that
    /// proves none.
    fn proven_side(
        &mut self,
        evidence: &SenderEvidence<'_>,
        game: &Match,
    ) -> Result<Stage<(Color, SenderProof)>, Error> {
        let verdict = |word, reason: &str| {
            let verdict = Verdict::of(evidence.message.id.clone(), word, reason);
            Ok(Err(verdict.about(game.id())))
        };
        match self.side(evidence, game) {
            Ok((side, _)) if self.bypasses_referee(game, side) => {
                let reason = "the match has a referee, who tells what the opponent does";
                verdict(Disposition::Ignored, reason)
            }
            Ok(proven) => {
                if self.has_code_of_other(evidence, game) {
                    self.ask_player(evidence, game)?;
                }
                Ok(Ok(proven))
            }
            Err(reason @ AuthenticationError::NoToken)
                if Self::answers_in_public(evidence, game)
                    && self.unproven(evidence.message, game, &reason).is_none() =>
            {
                let told = self.unproven_in_public(evidence, game);
                let told = told.inspect_err(|_| self.deferrals.add([game.id().clone()]));
                told.map(Err)
            }
            Err(_) if self.may_be_forgotten(game) => {
                let reason = "it may be from a player who is forgotten";
                verdict(Disposition::Ignored, reason)
            }
            Err(AuthenticationError::NoPlayer) if !evidence.forms.is_empty() => {
                self.ask_player(evidence, game).map(Err)
            }
            Err(_) if self.has_code_of_other(evidence, game) => {
                self.ask_player(evidence, game).map(Err)
            }
            // Whoever plays elsewhere waits for an answer.
            Err(AuthenticationError::NoPlayer) if !self.proven_of(evidence).is_empty() => {
                let why = "It names a game that is not yours.";
                self.ask_which(evidence, why).map(Err)
            }
            Err(reason) => {
                if let Some(side) = self.unproven(evidence.message, game, &reason) {
                    return self.ask_for_proof(evidence, game, side, &reason).map(Err);
                }
                let stranger = verdict(Disposition::Stranger, &reason.to_string())?;
                Ok(stranger.map_err(|verdict| verdict.unproven(evidence.message, game)))
            }
        }
    }

    /// Decides about a message in its match, and reports it.
    fn decided(&mut self, found: &MatchedMessage<'_>, game: &Match) -> Result<Verdict, Error> {
        let id = game.id();
        let decided = self.decide(found, game);
        let (decision, stored) = decided.inspect_err(|_| self.deferrals.add([id.clone()]))?;
        let is_answered = decision.is_counted() && !decision.mails.is_empty();
        let word = decision.disposition;
        let verdict = Verdict::of(found.message.id.clone(), word, decision.reason).about(id);
        Ok(Verdict {
            effect: Some(Effect::of(found.side, decision.events, &stored.game)),
            is_answered: is_answered && self.anew.is_some(),
            owes: Some(id.clone()).filter(|_| word != Disposition::Stranger),
            ..verdict
        })
    }

    /// Returns true if a message that is read anew, and not a player's, may be of somebody
    /// who is forgotten.
    fn may_be_forgotten(&self, game: &Match) -> bool {
        let mut sides = Color::ALL.into_iter();
        self.anew.is_some() && sides.any(|side| game.is_forgotten(side))
    }

    /// Returns the side that a message is from, if it proves that as the policy asks, or
    /// by an answer code.
    pub(super) fn side(
        &self,
        evidence: &SenderEvidence<'_>,
        game: &Match,
    ) -> Result<(Color, SenderProof), AuthenticationError> {
        let SenderEvidence {
            message,
            questions,
            forms,
            is_restored,
            ..
        } = *evidence;
        // An address that nobody has is one for articles alone.
        let sender = message.sender.as_ref().filter(|sender| !is_nobodys(sender));
        let side = sender.and_then(|sender| game.side_of(sender));
        let side = side.ok_or(AuthenticationError::NoPlayer)?;
        let mut policy = self.session.config.policy.clone();
        if is_restored {
            // No more than the list's address is left of the sender's.
            policy.identity = SenderPolicy::Token;
        }
        if policy.identity == SenderPolicy::Address && game.is_unconfirmed() {
            // Anybody may have begun it in the sender's name.
            policy.identity = SenderPolicy::Token;
        }
        let policy = &policy;
        // The code is right, or was when the message first came.
        let has_code = || match self.code_state(forms, game, side) {
            CodeState::Right => !mailing_list::is_code_public(game, side),
            CodeState::Outdated(_) => is_known(game, message),
            CodeState::MissingMail => false,
            CodeState::Unknown => game.settings().list.is_some() && is_known(game, message),
        };
        let me = &self.session.me.player;
        let checked = sender_authentication::check(policy, message, game, side, questions, me);
        match checked {
            Ok(()) => Ok((side, SenderProof::Usual)),
            Err(reason) if reason.is_undone_by_code() && has_code() => {
                Ok((side, SenderProof::Code))
            }
            Err(reason) if reason.is_undone_by_code() && self.unsubscribes(message, game, side) => {
                Ok((side, SenderProof::Unsubscribe))
            }
            Err(_) if self.answers_as_user(message, game, side) => Ok((side, SenderProof::Usual)),
            Err(reason) => Err(reason),
        }
    }

    /// Returns true if a message has the code by which this player asks for no more mail.
    pub(super) fn unsubscribes(
        &self,
        message: &IncomingMessage,
        game: &Match,
        side: Color,
    ) -> bool {
        let asked = Unsubscribe::read(&message.subject, game.id());
        let code = asked.and_then(|asked| asked.code);
        code.is_some_and(|code| {
            let ids = &self.session.ids;
            ids.is_unsubscribe_code(game, side, &code)
        })
    }

    /// Returns what the code of a message is worth. Of several codes none counts.
    pub(crate) fn code_state(&self, forms: &[&AnswerForm], game: &Match, side: Color) -> CodeState {
        let Some((first, others)) = forms.split_first() else {
            return CodeState::Unknown;
        };
        if first.id != *game.id() || others.iter().any(|form| form.code != first.code) {
            return CodeState::Unknown;
        }
        CodeState::of(&first.code, game, side, &self.session.ids)
    }

    /// Returns the text of a message to read in a match, and the answers in it.
    pub(super) fn text<'m>(
        &self,
        found: &MatchedMessage<'m>,
        game: &Match,
    ) -> (&'m str, &'m [AnswerForm]) {
        let MatchedMessage { message, side, .. } = *found;
        message.taken.read(&message.text, |form| {
            let state = || CodeState::of(&form.code, game, side, &self.session.ids);
            form.id == *game.id() && state() != CodeState::Unknown
        })
    }

    /// Decides about a message in its match, and saves what it does. The events of the decision
    /// are the last of the match then.
    fn decide(
        &self,
        found: &MatchedMessage<'_>,
        game: &Match,
    ) -> Result<(Decision, Stored), Error> {
        let MatchedMessage { message, side, .. } = *found;
        let is_referee = self.session.side_or_referee(game)?.is_none();
        let unread = message.unread.map(|excess| excess.to_string());
        let (session, now) = (self.session, self.session.now);
        let id = game.id();
        let (mut count, is_locked) = (None, Cell::new(false));
        let mut change = |game: &mut Match| {
            let Some(ReadMessage {
                intent,
                words,
                condition,
                wish,
                question,
                banner,
            }) = self.read_in(found, game)?
            else {
                return Ok(Some(without_code(message, game)));
            };
            let mut received = Received {
                id: &message.id,
                side,
                address: message.sender.as_ref(),
                words: &words,
                unread: unread.as_deref(),
                is_referee,
                quota: Quota::UNBOUNDED,
            };
            let confirms = question
                .as_ref()
                .filter(|asked| asked.kind == MailKind::Address);
            let decide = |received: &Received<'_>| match confirms {
                Some(asked) => confirmed(game, received, asked, now),
                None => decide(game, &intent, received, now),
            };
            let mut decision = decide(&received);
            if let Some(question) = self.user_is_asked(found, game, &decision) {
                session.carry_out(&question, game)?;
                return Ok(Some(question));
            }
            let is_locked = is_locked.replace(true);
            // The counts depend on the messages before this one, so it waits for them.
            let is_of_counts = decision.is_counted() || decision.has_notes();
            if is_of_counts && !self.slot.wait_unless_locked(is_locked) {
                return Ok(None);
            }
            if decision.is_counted() {
                let count = match &count {
                    Some(count) => count,
                    // Others may hold the lock of the counts and wait for that
                    // of the match: the next try takes them in their order.
                    None if is_locked => return Ok(None),
                    None => {
                        let (cache, sender) = (&self.cache, received.address);
                        count.insert(Count::take(session, cache, sender, game, side)?)
                    }
                };
                received.quota = self.quota(count, game, side);
                decision = decide(&received);
            }
            // A message that names no match could be about another one when it comes
            // again.
            if decision.disposition == Disposition::Duplicate && found.is_new_in(game) {
                decision.events.push(received.event(now, REPEATED));
            }
            if let Some(told) = &condition {
                decision = decision.telling(game, &received, told);
            }
            decision = self.begun(decision, &received, game)?;
            let is_accepted = decision.disposition == Disposition::Accepted;
            // A code may stand in an article, too, where everybody has read it.
            if found.proof == SenderProof::Code && game.settings().counts_news {
                decision = decision.proven_by_code();
            }
            if let Some(wish) = wish.filter(|_| is_accepted) {
                decision.add(wished(wish, game, received, now));
            }
            // The message that this one puts right is a duplicate if it comes later, and a
            // further edit of it knows what came of it.
            if let Some(edited) = &message.edits {
                let events = decision.events.into_iter();
                decision.events = events.map(|event| event.edits(edited)).collect();
            }
            if let Some(question) = &question {
                note_yes(&mut decision, question);
            }
            if let Some(fingerprint) = &banner {
                decision = decision.with_banner(fingerprint);
            }
            let decision = Self::noted(decision, found, &received, (game, now));
            let decision = self.about_addresses(decision, message, side, game)?;
            session.carry_out(&decision, game)?;
            Ok(Some(decision))
        };
        loop {
            is_locked.set(false);
            let read = self.cache.read(id)?;
            if let (Some(decision), stored) = update(&*self.cache, read, &mut change)? {
                return Ok((decision, stored));
            }
        }
    }

    /// Begins the rematch that a decision about a letter from this side calls for. Returns the
    /// decision instead if that cannot be.
    ///
    /// # Errors
    ///
    /// If it cannot be written now.
    fn begun(
        &self,
        decision: Decision,
        received: &Received<'_>,
        game: &Match,
    ) -> Result<Decision, Error> {
        let side = Some(received.side);
        if !decision.begins_rematch() {
            return Ok(decision);
        }
        let bound = match game.partner() {
            Some((_, level)) if !self.session.plays_at(level) => {
                Some("The partner does not play at this level here any more.".to_owned())
            }
            Some(_) => self.beyond_rematch_bounds(game, received.side)?,
            None => None,
        };
        let why = match bound.as_deref() {
            Some(why) => why,
            None if self.is_dry_run || self.session.begin_rematch(&*self.cache, game, side)? => {
                return Ok(decision);
            }
            None => {
                "The rematch cannot begin by itself here: its id is that of another match. Please ask for it in words."
            }
        };
        Ok(without_rematch(game, received, why, self.session.now))
    }

    /// Returns the lines of the text of a message, each with its author, and true if what it
    /// quotes first is a mail of ours. The writer's own copy of this program may have made it: then
    /// it quotes nothing but what it carries.
    pub(super) fn lines<'t>(
        &self,
        found: &MatchedMessage<'_>,
        text: &'t str,
        game: &Match,
        is_made: bool,
    ) -> (Vec<Line<'t>>, bool) {
        if is_made {
            let sent = sent_mail::words_to(game, found.side);
            let mut lines = classify(text, &Self::left(sent, game, found.side));
            talk::remove_quoted(&mut lines);
            return (lines, false);
        }
        let (mut lines, quotes_ours) = self.bound_lines(found, text, game, Vec::new());
        condition::doubt(&mut lines);
        (lines, quotes_ours)
    }

    /// Returns the same of a message that no program of ours has made. It may answer one of the mails
    /// of ours in `relayed`, whose ids a relay may have replaced.
    pub(super) fn bound_lines<'t>(
        &self,
        found: &MatchedMessage<'_>,
        text: &'t str,
        game: &Match,
        relayed: Vec<QueuedMail>,
    ) -> (Vec<Line<'t>>, bool) {
        let MatchedMessage { message, side, .. } = *found;
        let me = &self.session.quoted(found.is_article);
        let templates = &self.session.templates;
        let sent = sent_mail::sent_to(game, side, &message.cites, me, templates);
        let mut lines = classify(text, &Self::left(sent, game, side));
        // The id of an article is everybody's, who may give it to a mail of their own.
        let parent = message.parent.as_ref().filter(|_| found.is_article);
        let article = parent.and_then(|id| sent_mail::text_of_article(game, game.article(id)?));
        let answered = AnsweredMessage::of(message, game, found.lookup.own()).following(article);
        let text_of = |game: &Match, mail: &_| sent_mail::text_of(game, mail, me, templates);
        let quotes_ours = answered.relayed(relayed).bound(&mut lines, me, &text_of);
        (lines, quotes_ours)
    }

    /// Adds what is left of the words that were sent to a player where a letter quotes them.
    fn left(sent: Sent, game: &Match, side: Color) -> Sent {
        let words = sent_mail::words_for(game, side).into_iter();
        words.fold(sent, |sent, words| sent.carried(&left_of(words)))
    }

    /// Returns true if a message is the user's own mail, even under a new id. Where
    /// the other player of a match has an address of the user's mailbox, that player's
    /// program sends from it.
    ///
    /// # Errors
    ///
    /// If the store cannot tell.
    fn is_own(&self, message: &IncomingMessage, candidates: &Candidates) -> Result<bool, Error> {
        let me = &self.session.me.player;
        let loops = message.loops.iter();
        let loops = loops.filter_map(|text| text.parse::<Address>().ok());
        for address in loops.filter(|address| me.has(address)) {
            let is_anothers = |game: &Match| {
                let mine = game.sides_of(me);
                game.sides(&address).any(|side| !mine.contains(&side))
            };
            if !candidates.games().any(is_anothers) {
                let others = self.cache.by_address(&address)?.matches;
                if !others.iter().any(|stored| is_anothers(&stored.game)) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Reports a message that a match knows. Its answer may still be owed: a message often comes
/// again because its answer could not be sent.
pub(super) fn known(message: &IncomingMessage, game: &Match) -> Verdict {
    let verdict = Verdict::of(message.id.clone(), Disposition::Duplicate, "");
    verdict.about(game.id()).owing(game.id())
}

/// Decides about a wish that stands beside a move, whose words have been kept.
fn wished(wish: MailWish, game: &Match, received: Received<'_>, now: DateTime<Utc>) -> Decision {
    let intent = Intent::Command(Request::Mail(wish));
    let received = Received {
        words: "",
        ..received
    };
    decide(game, &intent, &received, now)
}

/// Returns the decision about a message whose code proves nothing, or no more.
fn without_code(message: &IncomingMessage, game: &Match) -> Decision {
    if is_known(game, message) {
        return Decision::new(Disposition::Duplicate, "");
    }
    Decision::new(
        Disposition::Stranger,
        AuthenticationError::NoToken.to_string(),
    )
}

/// Returns true if a match may remember more messages of a side that only repeated a
/// move.
fn has_room(game: &Match, side: Color) -> bool {
    let log = game.log().iter();
    let remembered = log.filter(|event| event.event == REPEATED && event.who == side.into());
    remembered.count() < REMEMBERED
}

/// The way in which a message has proved its sender.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SenderProof {
    /// As the policy asks.
    Usual,
    /// By the answer code of a mail, which stands for the mail's token in a move.
    Code,
    /// By the code of `List-Unsubscribe`, which is good for nothing else.
    Unsubscribe,
}

/// A message as it was read in its match.
pub(super) struct ReadMessage {
    /// What it asks for there.
    pub(super) intent: Intent,
    /// Its words for the other player.
    pub(super) words: String,
    /// What the writer is told of a condition, or of a later move, which `words` does not have.
    pub(super) condition: Option<String>,
    /// The wish about mail that stands beside its move.
    pub(super) wish: Option<MailWish>,
    /// The question of ours that it says `yes` to.
    pub(super) question: Option<QueuedMail>,
    /// The fingerprint of what its writer's programs may have put around its words.
    pub(super) banner: Option<String>,
}
