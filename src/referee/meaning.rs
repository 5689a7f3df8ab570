//! What a letter asks for in its match: an intent, with the words for the other player.

use std::cell::Cell;

use lettre::Address;

use crate::Error;
use crate::inbound::answer_form::{self, TappedMove};
use crate::inbound::answered::{AnsweredPosition, Consent, sides_of};
use crate::inbound::banner::Named;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::request::{self, Unsubscribe};
use crate::inbound::sender_authentication::cites_undisclosed;
use crate::inbound::{answered, banner, condition, intent, invitation, talk};
use crate::mail::quoting::line::{Line, Typed};
use crate::matches::action::{Intent, Refusal, Request};
use crate::matches::claims::NO_YES;
use crate::matches::codes::CodeState;
use crate::matches::event::BANNER;
use crate::matches::mail::{MailWish, QueuedMail};
use crate::matches::mail_id::looks_made_for;
use crate::matches::r#match::Match;
use crate::notation::header;
use crate::notation::reader;
use crate::outbound::sent_mail;
use crate::referee::handler::{Handler, MatchedMessage, ReadMessage, SenderProof};
use crate::rules::Color;

impl Handler<'_> {
    /// Reads a message in its match. Returns none if its only proof is a code, and the code does
    /// not prove what it asks for.
    ///
    /// # Errors
    ///
    /// If it is unknown which of its words may be passed on.
    pub(super) fn read_in(
        &self,
        found: &MatchedMessage<'_>,
        game: &Match,
    ) -> Result<Option<ReadMessage>, Error> {
        let MatchedMessage { message, side, .. } = *found;
        // The player's own copy of this program may have made it.
        let is_made = looks_made_for(game.id(), &message.id);
        let (whole, forms) = self.text(found, game);
        let is_read = found.proof == SenderProof::Usual && !is_made;
        let repeated = self.repeated_banner(found, whole, game).filter(|_| is_read);
        let whole = repeated.as_ref().map_or(whole, |(_, text)| text);
        let (mut lines, _) = self.lines(found, whole, game, is_made);
        doubt_quoted_move(&mut lines, is_read);
        let text = reader::read_lines(lines, game.variant());
        let id_lines = header::id_lines(&text.lines);
        let forms = answer_form::own(forms, &text.lines);
        let is_by_code = found.proof == SenderProof::Code;
        let code = self.code_state(&forms, game, side);
        if is_by_code && code != CodeState::Right {
            return Ok(None);
        }
        let sides = sides_of(message, game);
        let intent = if is_made && invitation::is_one(&text.lines, game.id()) {
            Intent::Words
        } else {
            let answered = AnsweredPosition::of(message, game, &sides, code, &self.session.ids);
            let quotes = |mails| self.bound_lines(found, whole, game, mails).1;
            let answered = answered.map(|answered| answered.or_quoted(game, side, quotes));
            let is_anew = self.anew.is_some();
            intent::read(game, side, &text, &id_lines, answered, is_anew, is_made)
        };
        let tapped = TappedMove {
            forms: &forms,
            lines: &text.lines,
            subject: &message.subject,
            is_stale: matches!(code, CodeState::Outdated(line) if shows_other(game, line)),
            is_by_code,
        };
        let intent = match forms[..] {
            [] => intent,
            _ => tapped.intent(intent, game),
        };
        let intent = answered::intent(intent, message, game, &sides);
        // The message may be the letter of a program that unsubscribes its user. What else such
        // a letter asks for is done instead, if its sender is proved. The subject of an answer
        // is somebody else's: it needs the code.
        let asked = Unsubscribe::read(&message.subject, game.id());
        let is_proved = found.proof == SenderProof::Unsubscribe;
        let unsubscribes = || message.parent.is_none() || self.unsubscribes(message, game, side);
        let intent = match asked {
            Some(asked) if is_proved || intent == Intent::Words && unsubscribes() => {
                Intent::Command(Request::Mail(asked.wish))
            }
            _ => intent,
        };
        // Nobody gets puzzles by the letter of somebody else, whatever the policy asks for.
        let has_mail = || cites_undisclosed(message, game, side);
        let may_wish = |wish: MailWish| wish != MailWish::PuzzlesWeekly || has_mail();
        let intent = match intent {
            Intent::Command(Request::Mail(wish)) if !may_wish(wish) => unproven(wish),
            intent => intent,
        };
        // A code stands for a move alone.
        if is_by_code && matches!(intent, Intent::Command(_) | Intent::Words) {
            return Ok(None);
        }
        let is_move = matches!(intent, Intent::Move(_)) && !is_by_code;
        let unknown_secrets = Cell::new(None);
        let without = |words: String| {
            let (sender, ids) = (message.sender.as_ref(), &self.session.ids);
            let wait = || self.slot.wait();
            let words = talk::passed_on(&*self.cache, wait, ids, sender, words, game);
            words.unwrap_or_else(|error| {
                unknown_secrets.set(Some(error));
                String::new()
            })
        };
        let said = match found.proof {
            SenderProof::Usual if is_made => talk::of_program(&message.text),
            SenderProof::Usual => talk::of(&text, &id_lines, &forms),
            SenderProof::Code | SenderProof::Unsubscribe => String::new(),
        };
        let may_be_yes = is_read && intent == Intent::Words;
        let quotes = |mail: &QueuedMail| self.bound_lines(found, whole, game, vec![mail.clone()]).1;
        let yes =
            may_be_yes.then(|| Consent::of(message, &text.lines, &said, (game, side), quotes));
        let (intent, said, question) = consented(yes, intent, said);
        let (said, condition) = without_later_moves(said, &text.lines, game, side);
        let condition = condition.filter(|_| is_read).map(without);
        let (intent, condition) = conditioned(condition, intent, &said);
        let asked = (intent, said, question);
        let (intent, said, question) = of_address(message, &text.lines, (game, side), asked);
        let read = ReadMessage {
            intent: intent.with_lines(without),
            words: without(said),
            condition,
            wish: is_move
                .then(|| request::mail_wish(&text.lines))
                .flatten()
                .filter(|wish| may_wish(*wish)),
            question,
            banner: match repeated {
                Some((known, _)) => Some(known),
                None if is_read => {
                    banner::fingerprint(&text.lines, &self.people_of(message, game, side))
                }
                None => None,
            },
        };
        unknown_secrets.take().map_or(Ok(Some(read)), Err)
    }

    /// Returns the fingerprint of the banner that an answer to a question has in common with the letter
    /// which was asked about, and the text of the answer without that banner.
    fn repeated_banner(
        &self,
        found: &MatchedMessage<'_>,
        text: &str,
        game: &Match,
    ) -> Option<(String, String)> {
        let MatchedMessage { message, side, .. } = *found;
        let (event, mail) = answered::question_answered(message, game, side)?;
        let fingerprint = event.get(BANNER)?;
        let named = self.people_of(message, game, side);
        let asked = sent_mail::asked_to_send(game, &mail);
        let text = banner::without_repeated(text, fingerprint, &named, &asked)?;
        Some((fingerprint.to_owned(), text))
    }

    /// Returns the people whom the banner of a letter may name.
    fn people_of(&self, message: &IncomingMessage, game: &Match, side: Color) -> Named {
        let small = |address: &Address| address.to_string().to_lowercase();
        let (me, settings) = (&self.session.me.player, game.settings());
        let ours = me.addresses().iter();
        let ours = ours.chain(&settings.referee).chain(&settings.list);
        Named {
            writer: game.proven_addresses(side).map(small).collect(),
            name: game.player(side).name().to_owned(),
            ours: ours.map(small).chain([me.name().to_lowercase()]).collect(),
            subject: message.subject.clone(),
        }
    }
}

/// Returns what a letter asks for, its words and its question, once it is known if it says `yes`.
fn consented(
    yes: Option<Result<Option<Consent>, String>>,
    intent: Intent,
    said: String,
) -> (Intent, String, Option<QueuedMail>) {
    match yes {
        Some(Ok(Some(Consent { question, intent }))) => (intent, String::new(), Some(question)),
        Some(Err(line)) => (refused(no_question(&line)), String::new(), None),
        Some(Ok(None)) | None => (intent, said, None),
    }
}

/// Refuses a letter that says nothing but a condition, whose first line this is.
fn conditioned(condition: Option<String>, intent: Intent, said: &str) -> (Intent, Option<String>) {
    match condition {
        Some(told) if intent == Intent::Words && said.is_empty() => (refused(told), None),
        condition => (intent, condition),
    }
}

/// Returns the words of a letter without the lines that tell later moves, and what its writer is told
/// of those or of a condition.
fn without_later_moves(
    said: String,
    lines: &[Line<'_>],
    game: &Match,
    side: Color,
) -> (String, Option<String>) {
    let condition = condition::first(lines).map(condition::told);
    let later = condition::later_moves(lines, game, side);
    let is_later = |line: &&str| later.contains(&line.trim_end());
    let Some(first) = said.lines().find(is_later) else {
        return (said, condition);
    };
    let told = condition.unwrap_or_else(|| condition::told_of_later_move(first.trim()));
    let kept: Vec<&str> = said.lines().filter(|line| !is_later(line)).collect();
    (kept.join("\n").trim().to_owned(), Some(told))
}

/// Doubts the move that a letter quotes alone: its program may quote all words.
fn doubt_quoted_move(lines: &mut [Line<'_>], is_read: bool) {
    let sources: Vec<&str> = lines.iter().map(|line| line.source).collect();
    if is_read
        && let Some(at) = banner::quoted_move(&sources)
        && !lines[at].is_of_parent
    {
        lines[at].typed = Typed::Added;
    }
}

/// Returns what a letter asks for, its words and its question, unless it answers the question to a
/// claimed address: the reader there may be somebody else.
fn of_address(
    message: &IncomingMessage,
    lines: &[Line<'_>],
    (game, side): (&Match, Color),
    asked: (Intent, String, Option<QueuedMail>),
) -> (Intent, String, Option<QueuedMail>) {
    let name = game.player(side).name();
    match answered::address_question(message, game, side) {
        None => asked,
        Some(question) if answered::says_yes(lines, &asked.1, name) => {
            (Intent::Words, String::new(), Some(question))
        }
        Some(_) => (refused(NO_YES), String::new(), None),
    }
}

/// Refuses a wish that counts only in an answer to one of our mails.
fn unproven(wish: MailWish) -> Intent {
    Intent::Refused(Refusal::new(
        vec![Request::Mail(wish).to_string()],
        "This counts only in an answer to a mail of this match that we have sent to you. Answer \
         this one with the same line.",
    ))
}

/// Says that a `yes` does not show which question it answers.
fn no_question(line: &str) -> String {
    format!(
        "It is unclear which question your \"yes\" answers, so nothing was done. If you mean \
         \"{line}\", send that line."
    )
}

/// Refuses a letter as a whole.
fn refused(why: impl Into<String>) -> Intent {
    Intent::Refused(Refusal::new(Vec::new(), why))
}

/// Returns true if the match had another position at a line of its log.
fn shows_other(game: &Match, line: usize) -> bool {
    let then = game.as_of(line);
    then.is_ok_and(|then| then.hash() != game.hash())
}
