//! One message's way through the stages.
//!
//! Its sender is authenticated before anything is answered, counted or remembered. What
//! is remembered of a message is its match, its side and its Message-ID: another
//! player's message under the same id is another message.

use std::cell::Cell;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::Error;
use crate::command::receive::candidates::Candidates;
use crate::command::receive::content::{Content, Proof, sides_of};
use crate::command::receive::count::Count;
use crate::command::receive::effect::Effect;
use crate::command::receive::put_off::PutOff;
use crate::command::receive::queue::Slot;
use crate::command::receive::report::Report;
use crate::command::receive::secrets::without_secrets;
use crate::command::session::Session;
use crate::inbound::answer_form::{self, AnswerForm};
use crate::inbound::answered::AnsweredMessage;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::match_lookup::{Lookup, NotFound};
use crate::inbound::request::Unsubscribe;
use crate::inbound::sender_authentication::{self, AuthenticationError};
use crate::inbound::{edited_message, request, talk};
use crate::mail::sources::source::Anew;
use crate::matches::codes::CodeState;
use crate::matches::decide::decide;
use crate::matches::decision::{Decision, Quota, Received};
use crate::matches::event::Disposition;
use crate::matches::intent::{Intent, Request};
use crate::matches::mail::MailWish;
use crate::matches::mail_id::looks_made_for;
use crate::matches::r#match::Match;
use crate::matches::quota::REPEATED;
use crate::notation::reader;
use crate::outbound::sent_mail;
use crate::quoting::id_line;
use crate::quoting::line::Line;
use crate::quoting::sent::Sent;
use crate::rules::Color;
use crate::store::cache::Cache;
use crate::store::store::Store as _;
use crate::store::update::update;

/// The most messages of a player that a match remembers although they only repeated a
/// move.
const REMEMBERED: usize = 50;

/// The matches, as the messages of a run find them.
pub(super) struct Handler<'a> {
    pub(super) session: &'a Session,
    pub(super) cache: Arc<Cache<'a>>,
    pub(super) put_off: PutOff,
    /// When a message that reads other matches may do so.
    pub(super) slot: Slot<'a>,
    /// What the message may cause if it is read anew.
    pub(super) anew: Option<Anew>,
    /// True if no change may reach the store.
    pub(super) is_dry_run: bool,
}

/// A message with its lines and its place.
struct MatchedMessage<'m> {
    message: &'m IncomingMessage,
    side: Color,
    proof: Proof,
    /// True if the message names its match, now and whenever it comes again.
    is_settled: bool,
    /// The matches in which its sender plays, as far as they were read.
    own: &'m [&'m Match],
}

impl MatchedMessage<'_> {
    /// Returns true if a message that names no match, and so could be about another one
    /// when it comes again, is one that this match does not know and may remember.
    fn is_new_in(&self, game: &Match) -> bool {
        !self.is_settled && !is_known(game, self.message) && has_room(game, self.side)
    }
}

/// What a message has to tell who sent it.
struct Evidence<'m> {
    message: &'m IncomingMessage,
    /// The addresses that the questions went to which it answers.
    questions: &'m [Address],
    /// The answers in it that our links have begun.
    forms: &'m [&'m AnswerForm],
}

impl<'m> Evidence<'m> {
    fn of(
        message: &'m IncomingMessage,
        questions: &'m [Address],
        forms: &'m [&'m AnswerForm],
    ) -> Evidence<'m> {
        Evidence {
            message,
            questions,
            forms,
        }
    }
}

impl<'a> Handler<'a> {
    /// Creates a handler over matches that were read before, and that several may share.
    pub(super) fn over(
        session: &'a Session,
        cache: Arc<Cache<'a>>,
        is_dry_run: bool,
    ) -> Handler<'a> {
        Handler {
            session,
            cache,
            put_off: PutOff::default(),
            slot: Slot::default(),
            anew: None,
            is_dry_run,
        }
    }

    /// Takes a message through every stage. Of an invitation that waits for the user's yes
    /// nobody is asked which match it is about.
    ///
    /// # Errors
    ///
    /// If the message must come again. Nothing is recorded then.
    pub(super) fn handle(
        &mut self,
        message: &IncomingMessage,
        is_invitation: bool,
    ) -> Result<Report, Error> {
        let report =
            |word, reason: &dyn ToString| Report::of(message.id.clone(), word, reason.to_string());
        if let Some(machine) = message
            .machine
            .as_ref()
            .filter(|_| !Self::may_be_read(message))
        {
            return Ok(report(Disposition::Ignored, machine));
        }
        let lines = message.lines(&Sent::nothing());
        let mut candidates = Candidates::named(&*self.cache, message, &lines);
        if let Some(report) = self.read_from_program(message, &candidates)? {
            return Ok(report);
        }
        let is_ours = |game: &Match| message.id.is_of(game.id()) && game.mailed(&message.id);
        if let Some(stored) = candidates.find(is_ours) {
            let report = report(Disposition::Ignored, &"it is our own mail come back");
            return Ok(report.about(stored.game.id()));
        }
        let is_own = self.is_own(message, &candidates);
        if is_own.map_err(|error| self.put_off.all_for(error))? {
            return Ok(report(
                Disposition::Ignored,
                &"it is our own mail come back (X-Loop)",
            ));
        }
        let is_certain = candidates.settle(message, &lines);
        if let Some(sender) = message.sender.as_ref().filter(|_| !is_certain) {
            let added = candidates.add_of(&*self.cache, sender);
            added.map_err(|error| self.put_off.all_for(error))?;
        }
        let (candidates, hidden) = (&candidates, candidates.hidden());
        let mut lookup = Lookup::new(message, &lines, candidates.games(), &hidden);
        if !is_certain && lookup.rests_on_text() {
            // Somebody may have put an id into words that were carried to the sender.
            let sent = sent_mail::ids_carried_to(message.sender.as_ref(), lookup.own());
            let lines = message.lines(&sent);
            lookup = Lookup::new(message, &lines, candidates.games(), &hidden);
        }
        let questions = &sender_authentication::questions_answered(message, lookup.own());
        let forms = &answer_form::own(&message.answers, &lines);
        let evidence = Evidence::of(message, questions, forms);
        let proven = |game: &&&Match| self.side(&evidence, game).is_ok();
        let own: Vec<&Match> = lookup.own().iter().filter(proven).copied().collect();
        if !lookup.is_settled()
            && let Some(game) = own.iter().find(|game| is_known(game, message))
        {
            return Ok(known(message, game));
        }
        if self.anew.is_some() && !is_invitation && !own.is_empty() && !lookup.names_one() {
            return Ok(Report::unnamed(message));
        }
        let game = match candidates.found(&lookup) {
            Ok(game) => game,
            Err(NotFound::Hidden) => {
                self.put_off.add(hidden);
                return Err(candidates.unreadable());
            }
            Err(NotFound::Stranger) => {
                let reason = "its sender plays no match here";
                return Ok(report(Disposition::Stranger, &reason));
            }
            Err(NotFound::Ask(why)) if own.is_empty() => {
                let reason = self.unproven(&evidence, lookup.own()).unwrap_or(why);
                return Ok(report(Disposition::Stranger, &reason));
            }
            Err(NotFound::Ask(why)) if is_invitation => {
                return Ok(report(Disposition::UnknownMatch, &why));
            }
            Err(NotFound::Ask(why)) => return self.question(message, &lookup, &own, &why),
        };
        let id = game.id();
        let (side, proof) = match self.side(&evidence, game) {
            Ok(proven) => proven,
            Err(_) if self.may_be_forgotten(game) => {
                let reason = "it may be from a player who is forgotten";
                return Ok(report(Disposition::Ignored, &reason).about(id));
            }
            Err(Unproven::NoPlayer) if !forms.is_empty() => {
                return self.ask_player(message, game, forms, &lines);
            }
            Err(reason) => return Ok(report(Disposition::Stranger, &reason).about(id)),
        };
        if self.bypasses_referee(game, side) {
            let reason = "the match has a referee, who tells what the opponent does";
            return Ok(report(Disposition::Ignored, &reason).about(id));
        }
        self.put_off.check(id)?;
        let found = MatchedMessage {
            message,
            side,
            proof,
            is_settled: lookup.is_settled(),
            own: lookup.own(),
        };
        self.decided(&found, game)
    }

    /// Decides about a message in its match, and reports it.
    fn decided(&mut self, found: &MatchedMessage<'_>, game: &Match) -> Result<Report, Error> {
        let id = game.id();
        let decided = self.decide(found, game);
        if decided.is_err() {
            self.put_off.add([id.clone()]);
        }
        let (effect, decision) = decided?;
        let word = decision.disposition;
        let report = Report::of(found.message.id.clone(), word, decision.reason).about(id);
        let is_answered = effect.is_answered && self.anew.is_some();
        let report = report.doing(effect).answered(is_answered);
        Ok(if word == Disposition::Stranger {
            report
        } else {
            report.owing(id)
        })
    }

    /// Returns true if a message that is read anew, and not a player's, may be of somebody
    /// who is forgotten.
    fn may_be_forgotten(&self, game: &Match) -> bool {
        let mut sides = Color::ALL.into_iter();
        self.anew.is_some() && sides.any(|side| game.is_forgotten(side))
    }

    /// Returns why a message proves its sender in none of the sender's matches, if any.
    fn unproven(&self, evidence: &Evidence<'_>, own: &[&Match]) -> Option<String> {
        Some(self.side(evidence, own.first()?).err()?.to_string())
    }

    /// Returns the side that a message is from, if it proves that as the policy asks, or
    /// by an answer code.
    fn side(&self, evidence: &Evidence<'_>, game: &Match) -> Result<(Color, Proof), Unproven> {
        let Evidence {
            message,
            questions,
            forms,
        } = *evidence;
        let sender = message.sender.as_ref();
        let side = sender.and_then(|sender| game.side_of(sender));
        let side = side.ok_or(Unproven::NoPlayer)?;
        let policy = &self.session.config.policy;
        match sender_authentication::check_with_questions(policy, message, game, side, questions) {
            Ok(()) => Ok((side, Proof::Usual)),
            Err(AuthenticationError::NoToken) if self.has_code(message, forms, game, side) => {
                Ok((side, Proof::Code))
            }
            Err(AuthenticationError::NoToken) if self.unsubscribes(message, game, side) => {
                Ok((side, Proof::Unsubscribe))
            }
            Err(reason) => Err(reason.into()),
        }
    }

    /// Returns true if a message has the code by which this player asks for no more mail.
    fn unsubscribes(&self, message: &IncomingMessage, game: &Match, side: Color) -> bool {
        let asked = Unsubscribe::read(&message.subject, game.id());
        let code = asked.and_then(|asked| asked.code);
        code.is_some_and(|code| {
            let ids = &self.session.ids;
            ids.is_unsubscribe_code(game, side, &code)
        })
    }

    /// Returns true if the code of a message is right, or was when the message first
    /// came.
    fn has_code(
        &self,
        message: &IncomingMessage,
        forms: &[&AnswerForm],
        game: &Match,
        side: Color,
    ) -> bool {
        match self.code_state(forms, game, side) {
            CodeState::Right => true,
            CodeState::Outdated(_) => is_known(game, message),
            CodeState::Unknown => false,
        }
    }

    /// Returns what the code of a message is worth. Of several codes none counts.
    pub(super) fn code_state(&self, forms: &[&AnswerForm], game: &Match, side: Color) -> CodeState {
        let Some((first, others)) = forms.split_first() else {
            return CodeState::Unknown;
        };
        if first.id != *game.id() || others.iter().any(|form| form.code != first.code) {
            return CodeState::Unknown;
        }
        CodeState::of(&first.code, game, side, &self.session.ids)
    }

    /// Decides about a message in its match, and saves what it does.
    fn decide(
        &self,
        found: &MatchedMessage<'_>,
        game: &Match,
    ) -> Result<(Effect, Decision), Error> {
        let MatchedMessage { message, side, .. } = *found;
        let is_referee = self.session.side_or_referee(game)?.is_none();
        let unread = message.unread.map(|excess| excess.to_string());
        let (session, now) = (self.session, self.session.now);
        let id = game.id();
        let (mut count, is_locked) = (None, Cell::new(false));
        let mut change = |game: &mut Match| {
            // The player's own copy of this program may have made it.
            let is_made = looks_made_for(game.id(), &message.id);
            let lines = self.lines(found, game, is_made);
            let text = reader::read_lines(lines, game.variant());
            let id_lines = id_line::id_lines(&text.lines);
            let forms = answer_form::own(&message.answers, &text.lines);
            let is_by_code = found.proof == Proof::Code;
            let code = self.code_state(&forms, game, side);
            if is_by_code && code != CodeState::Right {
                return Ok(Some(without_code(message, game)));
            }
            let content = Content {
                message,
                text: &text,
                id_lines: &id_lines,
                forms: &forms,
                is_made,
                code,
                is_anew: self.anew.is_some(),
                has_unsubscribe_code: self.unsubscribes(message, game, side),
            };
            let intent = content.intent(found.proof, side, game);
            // A code stands for a move alone.
            if is_by_code && matches!(intent, Intent::Command(_) | Intent::Talk) {
                return Ok(Some(without_code(message, game)));
            }
            let unknown_secrets = Cell::new(None);
            let without = |words: String| {
                let sender = message.sender.as_ref();
                let (cache, slot) = (&*self.cache, self.slot);
                let words = without_secrets(cache, slot, &session.ids, sender, words, game);
                words.unwrap_or_else(|error| {
                    unknown_secrets.set(Some(error));
                    String::new()
                })
            };
            let intent = intent.with_lines(without);
            let words = if found.proof == Proof::Usual {
                without(talk::of(&text, &id_lines, &forms))
            } else {
                String::new()
            };
            unknown_secrets.take().map_or(Ok(()), Err)?;
            let mut received = Received {
                id: &message.id,
                side,
                address: message.sender.as_ref(),
                words: &words,
                unread: unread.as_deref(),
                is_referee,
                quota: Quota::UNBOUNDED,
            };
            let mut decision = decide(game, &intent, &received, now);
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
                decision = decide(game, &intent, &received, now);
            }
            // A message that names no match could be about another one when it comes
            // again.
            if decision.disposition == Disposition::Duplicate && found.is_new_in(game) {
                decision.events.push(received.event(now, REPEATED));
            }
            let is_move = decision.disposition == Disposition::Accepted && !is_by_code;
            // A wish about mail may stand beside a move.
            if let Some(wish) = request::mail_wish(&text.lines).filter(|_| is_move) {
                decision.add(wished(wish, game, received, now));
            }
            if let Some(edited) = &message.edits {
                edited_message::note(&mut decision.events, edited);
            }
            session.carry_out(&decision, game)?;
            Ok(Some(decision))
        };
        loop {
            is_locked.set(false);
            let read = self.cache.read(id)?;
            if let (Some(mut decision), stored) = update(&*self.cache, read, &mut change)? {
                return Ok((
                    Effect::of_decision(side, &mut decision, &stored.game),
                    decision,
                ));
            }
        }
    }

    /// Returns the lines of a message, each with its author. The writer's own copy of this
    /// program may have made it: then it quotes nothing but what it carries.
    fn lines<'m>(&self, found: &MatchedMessage<'m>, game: &Match, is_made: bool) -> Vec<Line<'m>> {
        let MatchedMessage {
            message, side, own, ..
        } = *found;
        if is_made {
            return message.lines(&sent_mail::words_to(game, side));
        }
        let (me, templates) = (&self.session.me.player, &self.session.templates);
        let sent = sent_mail::sent_to(game, side, &message.cites, me, templates);
        let mut lines = message.lines(&sent);
        let answered = AnsweredMessage::of(message, game, own);
        let text = |game: &Match, mail: &_| sent_mail::text_of(game, mail, me, templates);
        answered.bound(&mut lines, me, &text);
        lines
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
        let loops: Vec<Address> = loops.filter(|address| me.has(address)).collect();
        for address in &loops {
            let is_anothers = |game: &Match| {
                let mine = game.sides_of(me);
                game.sides(address).any(|side| !mine.contains(&side))
            };
            let is_known = candidates.games().any(is_anothers);
            let others = || -> Result<bool, Error> {
                let matches = self.cache.by_address(address)?.matches;
                Ok(matches.iter().any(|stored| is_anothers(&stored.game)))
            };
            if !is_known && !others()? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Reports a message that a match knows. Its answer may still be owed: a message often comes
/// again because its answer could not be sent.
fn known(message: &IncomingMessage, game: &Match) -> Report {
    let report = Report::of(message.id.clone(), Disposition::Duplicate, "");
    report.about(game.id()).owing(game.id())
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

/// Returns true if a match has received the message before, be it only to ask which
/// match was meant.
fn is_known(game: &Match, message: &IncomingMessage) -> bool {
    let mut sides = sides_of(game, message).into_iter();
    sides.any(|side| game.received(side, &message.id).is_some())
}

/// Returns true if a match may remember more messages of a side that only repeated a
/// move.
fn has_room(game: &Match, side: Color) -> bool {
    let log = game.log().iter();
    let remembered = log.filter(|event| event.event == REPEATED && event.who == side.into());
    remembered.count() < REMEMBERED
}

/// The reason why a message is not a player's.
#[derive(Debug, thiserror::Error)]
enum Unproven {
    #[error("its sender does not play in this match")]
    NoPlayer,
    #[error(transparent)]
    NotAuthentic(#[from] AuthenticationError),
}

#[cfg(test)]
mod tests;
