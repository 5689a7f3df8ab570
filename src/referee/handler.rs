//! One message's way through the stages: the matches that it may be about, the one that it is
//! about, the side that it proves to be from, what it asks for there, and the decision.
//!
//! Its sender is authenticated before anything is answered, counted or remembered. What
//! is remembered of a message is its match, its side and its Message-ID: another
//! player's message under the same id is another message.

use std::cell::Cell;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::Error;
use crate::inbound::answer_form::{self, AnswerForm, TappedMove};
use crate::inbound::answered::{AnsweredMessage, AnsweredPosition, is_known, sides_of};
use crate::inbound::consent::Consent;
use crate::inbound::incoming_message::{IncomingMessage, left_of};
use crate::inbound::match_lookup::{self, Lookup, NotFound, SEVERAL};
use crate::inbound::request::{self, Unsubscribe};
use crate::inbound::sender_authentication::{self, AuthenticationError};
use crate::inbound::{answered, intent, invitation, talk};
use crate::limits::NAMED;
use crate::mail::quoting::line::Line;
use crate::mail::quoting::sent::Sent;
use crate::mail::sources::Anew;
use crate::match_id::Id;
use crate::matches::codes::CodeState;
use crate::matches::decide::{decide, note_yes};
use crate::matches::decision::{Decision, Quota, REPEATED, Received};
use crate::matches::event::Disposition;
use crate::matches::intent::{Intent, Request};
use crate::matches::mail::{MailWish, QueuedMail};
use crate::matches::mail_id::{self, looks_made_for};
use crate::matches::r#match::Match;
use crate::notation::header::{self, IdLine};
use crate::notation::reader::{self, ParsedText, classify};
use crate::outbound::sent_mail;
use crate::referee::count::Count;
use crate::referee::lanes::{Deferrals, Slot};
use crate::referee::session::Session;
use crate::referee::verdict::{Effect, Verdict};
use crate::rules::Color;
use crate::store::cache::Cache;
use crate::store::store::{Store, Stored, Survey, update};

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

/// A message with its lines and its place.
struct MatchedMessage<'m> {
    message: &'m IncomingMessage,
    side: Color,
    proof: SenderProof,
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

/// The parts of a message that tell who sent it.
pub(super) struct SenderEvidence<'m> {
    pub(super) message: &'m IncomingMessage,
    pub(super) lines: &'m [Line<'m>],
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
        let machine = message.machine.as_ref();
        if let Some(machine) = machine.filter(|_| !Self::may_be_read(message)) {
            let id = message.id.clone();
            return Ok(Verdict::of(id, Disposition::Ignored, machine));
        }
        let lines = classify(&message.text, &Sent::nothing());
        let mut candidates = Candidates::named(&*self.cache, message, &lines);
        if let Some(verdict) = self.read_from_program(message, &candidates)? {
            return Ok(verdict);
        }
        if let Some(verdict) = self.check_return(message, &candidates)? {
            return Ok(verdict);
        }
        let is_certain = candidates.is_certain(message, &lines);
        if let Some(sender) = message.sender.as_ref().filter(|_| !is_certain) {
            let added = candidates.add_of(&*self.cache, sender);
            added.inspect_err(|_| self.deferrals.add_all())?;
        }
        let lookup = &candidates.look_up(message, &lines, is_certain);
        let questions = &sender_authentication::questions_answered(message, lookup.own());
        let forms = &answer_form::own(&message.taken, &lines);
        let evidence = SenderEvidence {
            message,
            lines: &lines,
            questions,
            forms,
        };
        let game = match self.match_of(&evidence, &candidates, lookup, is_invitation)? {
            Ok(game) => game,
            Err(verdict) => return Ok(verdict),
        };
        let (side, proof) = match self.proven_side(&evidence, lookup, game)? {
            Ok(proven) => proven,
            Err(verdict) => return Ok(verdict),
        };
        self.deferrals.check(game.id())?;
        let found = MatchedMessage {
            message,
            side,
            proof,
            is_settled: lookup.is_settled(),
            own: lookup.own(),
        };
        if !is_invitation && self.may_be_meant_for_another(&found, lookup, game) {
            let why = "It names a game, but answers a message that is not known here, whose writer may have put that name there.";
            return self.ask_which(&evidence, lookup, why);
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
        evidence: &SenderEvidence<'_>,
        candidates: &Candidates,
        lookup: &Lookup<'m>,
        is_invitation: bool,
    ) -> Result<Stage<&'m Match>, Error> {
        let message = evidence.message;
        let verdict = |word, reason: &str| Verdict::of(message.id.clone(), word, reason);
        let own = self.proven_of(evidence, lookup);
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
                let unproven = lookup.own().first();
                let unproven = unproven.and_then(|game| self.side(evidence, game).err());
                let reason = unproven.map_or(why, |unproven| unproven.to_string());
                verdict(Disposition::Stranger, &reason)
            }
            Err(NotFound::Ask(why)) if is_invitation => verdict(Disposition::UnknownMatch, &why),
            Err(NotFound::Ask(why)) => self.ask_which(evidence, lookup, &why)?,
        };
        Ok(Err(verdict))
    }

    /// Asks the sender of a message which match it is about, of those that it proves to be the
    /// sender's.
    fn ask_which(
        &mut self,
        evidence: &SenderEvidence<'_>,
        lookup: &Lookup<'_>,
        why: &str,
    ) -> Result<Verdict, Error> {
        let own = self.proven_of(evidence, lookup);
        let asked = self.question(evidence.message, &own, &lookup.with_named(&own), why);
        let ids = own.iter().map(|game| game.id().clone());
        asked.inspect_err(|_| self.deferrals.add(ids))
    }

    /// Returns the matches that a message proves to be its sender's.
    fn proven_of<'m>(&self, evidence: &SenderEvidence<'_>, lookup: &Lookup<'m>) -> Vec<&'m Match> {
        let proven = |game: &&&'m Match| self.side(evidence, game).is_ok();
        lookup.own().iter().filter(proven).copied().collect()
    }

    /// Returns true if somebody else may have chosen the match of a message: its subject and what
    /// it quotes are of a message that is not known here, and no mail of ours in that match.
    fn may_be_meant_for_another(
        &self,
        found: &MatchedMessage<'_>,
        lookup: &Lookup<'_>,
        game: &Match,
    ) -> bool {
        let message = found.message;
        let may_be_chosen = found.proof == SenderProof::Usual && lookup.may_be_chosen(message);
        let is_of_program = || looks_made_for(game.id(), &message.id);
        may_be_chosen && !is_of_program() && !self.lines(found, game, false).1
    }

    /// Returns the side that a message is from and what proves it, or ends the way of one that
    /// proves none.
    fn proven_side(
        &mut self,
        evidence: &SenderEvidence<'_>,
        lookup: &Lookup<'_>,
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
            Ok(proven) => Ok(Ok(proven)),
            Err(_) if self.may_be_forgotten(game) => {
                let reason = "it may be from a player who is forgotten";
                verdict(Disposition::Ignored, reason)
            }
            Err(AuthenticationError::NoPlayer) if !evidence.forms.is_empty() => {
                self.ask_player(evidence, game).map(Err)
            }
            // Whoever plays elsewhere waits for an answer.
            Err(AuthenticationError::NoPlayer) if !self.proven_of(evidence, lookup).is_empty() => {
                let why = "It names a game that is not yours.";
                self.ask_which(evidence, lookup, why).map(Err)
            }
            Err(reason) => verdict(Disposition::Stranger, &reason.to_string()),
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
    fn side(
        &self,
        evidence: &SenderEvidence<'_>,
        game: &Match,
    ) -> Result<(Color, SenderProof), AuthenticationError> {
        let SenderEvidence {
            message,
            questions,
            forms,
            ..
        } = *evidence;
        let sender = message.sender.as_ref();
        let side = sender.and_then(|sender| game.side_of(sender));
        let side = side.ok_or(AuthenticationError::NoPlayer)?;
        let policy = &self.session.config.policy;
        // The code is right, or was when the message first came.
        let has_code = || match self.code_state(forms, game, side) {
            CodeState::Right => true,
            CodeState::Outdated(_) => is_known(game, message),
            CodeState::Unknown => false,
        };
        match sender_authentication::check_with_questions(policy, message, game, side, questions) {
            Ok(()) => Ok((side, SenderProof::Usual)),
            Err(AuthenticationError::NoToken) if has_code() => Ok((side, SenderProof::Code)),
            Err(AuthenticationError::NoToken) if self.unsubscribes(message, game, side) => {
                Ok((side, SenderProof::Unsubscribe))
            }
            Err(reason) => Err(reason),
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
            // The player's own copy of this program may have made it.
            let is_made = looks_made_for(game.id(), &message.id);
            let (lines, _) = self.lines(found, game, is_made);
            let text = reader::read_lines(lines, game.variant());
            let id_lines = header::id_lines(&text.lines);
            let forms = answer_form::own(&message.taken, &text.lines);
            let is_by_code = found.proof == SenderProof::Code;
            let code = self.code_state(&forms, game, side);
            if is_by_code && code != CodeState::Right {
                return Ok(Some(without_code(message, game)));
            }
            let content = Content {
                text: &text,
                id_lines: &id_lines,
                forms: &forms,
                is_made,
                code,
            };
            let intent = self.intent(&content, found, game);
            // A code stands for a move alone.
            if is_by_code && matches!(intent, Intent::Command(_) | Intent::Words) {
                return Ok(Some(without_code(message, game)));
            }
            let unknown_secrets = Cell::new(None);
            let without = |words: String| {
                let sender = message.sender.as_ref();
                let wait = || self.slot.wait();
                let words = talk::passed_on(&*self.cache, wait, &session.ids, sender, words, game);
                words.unwrap_or_else(|error| {
                    unknown_secrets.set(Some(error));
                    String::new()
                })
            };
            let (intent, said, question) = said(&content, intent, found, game);
            let intent = intent.with_lines(without);
            let words = without(said);
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
            // The message that this one puts right is a duplicate if it comes later, and a
            // further edit of it knows what came of it.
            if let Some(edited) = &message.edits {
                let events = decision.events.into_iter();
                decision.events = events.map(|event| event.edits(edited)).collect();
            }
            if let Some(question) = &question {
                note_yes(&mut decision, question);
            }
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

    /// Returns the lines of a message, each with its author, and true if what it quotes first is a
    /// mail of ours. The writer's own copy of this program may have made it: then it quotes
    /// nothing but what it carries.
    fn lines<'m>(
        &self,
        found: &MatchedMessage<'m>,
        game: &Match,
        is_made: bool,
    ) -> (Vec<Line<'m>>, bool) {
        let MatchedMessage {
            message, side, own, ..
        } = *found;
        let left = |sent: Sent| {
            let words = sent_mail::words_for(game, side).into_iter();
            words.fold(sent, |sent, words| sent.carried(&left_of(words)))
        };
        if is_made {
            let lines = classify(&message.text, &left(sent_mail::words_to(game, side)));
            return (lines, false);
        }
        let (me, templates) = (&self.session.me.player, &self.session.templates);
        let sent = sent_mail::sent_to(game, side, &message.cites, me, templates);
        let mut lines = classify(&message.text, &left(sent));
        let answered = AnsweredMessage::of(message, game, own);
        let text = |game: &Match, mail: &_| sent_mail::text_of(game, mail, me, templates);
        let quotes_ours = answered.bound(&mut lines, me, &text);
        (lines, quotes_ours)
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
fn known(message: &IncomingMessage, game: &Match) -> Verdict {
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
enum SenderProof {
    /// As the policy asks.
    Usual,
    /// By the answer code of a mail, which stands for the mail's token in a move.
    Code,
    /// By the code of `List-Unsubscribe`, which is good for nothing else.
    Unsubscribe,
}

/// The text of a message as it was read in its match.
struct Content<'m> {
    text: &'m ParsedText<'m>,
    id_lines: &'m [IdLine],
    /// Its answers to the links of our mails.
    forms: &'m [&'m AnswerForm],
    /// True if this program made it, for the match.
    is_made: bool,
    code: CodeState,
}

/// Returns the intent of a message and its words for the other player. Where it says `yes` to a
/// question, these are the intent of the line that the question asks for, and none, and the
/// question is returned, too.
fn said(
    content: &Content<'_>,
    intent: Intent,
    found: &MatchedMessage<'_>,
    game: &Match,
) -> (Intent, String, Option<QueuedMail>) {
    if found.proof != SenderProof::Usual {
        return (intent, String::new(), None);
    }
    let lines = &content.text.lines;
    let said = talk::of(content.text, content.id_lines, content.forms);
    let may_be_yes = intent == Intent::Words && !content.is_made;
    let yes = if may_be_yes {
        Consent::of(found.message, lines, &said, game, found.side)
    } else {
        None
    };
    match yes {
        Some(Consent { question, intent }) => (intent, String::new(), Some(question)),
        None => (intent, said, None),
    }
}

impl Handler<'_> {
    /// Returns what a message asks for in a match.
    fn intent(&self, content: &Content<'_>, found: &MatchedMessage<'_>, game: &Match) -> Intent {
        let MatchedMessage {
            message,
            side,
            proof,
            ..
        } = *found;
        let Content { text, id_lines, .. } = *content;
        let sides = sides_of(message, game);
        let intent = if content.is_made && invitation::is_one(&text.lines, game.id()) {
            Intent::Words
        } else {
            let answered = AnsweredPosition::of(message, game, &sides, content.code);
            intent::read(game, side, text, id_lines, answered, self.anew.is_some())
        };
        let shows_other = |line| {
            let then = game.as_of(line);
            then.is_ok_and(|then| then.hash() != game.hash())
        };
        let tapped = TappedMove {
            forms: content.forms,
            lines: &text.lines,
            subject: &message.subject,
            is_stale: matches!(content.code, CodeState::Outdated(line) if shows_other(line)),
            is_by_code: proof == SenderProof::Code,
        };
        let intent = match content.forms {
            [] => intent,
            _ => tapped.intent(intent, game),
        };
        let intent = answered::intent(intent, message, game, &sides);
        // The message may be the letter of a program that unsubscribes its user. What else such
        // a letter asks for is done instead, if its sender is proved. The subject of an answer
        // is somebody else's: it needs the code.
        let unsubscribes = || {
            let asked = Unsubscribe::read(&message.subject, game.id());
            let has_code = || self.unsubscribes(message, game, side);
            asked.is_some() && (message.parent.is_none() || has_code())
        };
        if proof == SenderProof::Unsubscribe || intent == Intent::Words && unsubscribes() {
            Intent::Command(Request::Mail(MailWish::Off))
        } else {
            intent
        }
    }
}

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
    fn look_up<'c>(
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
