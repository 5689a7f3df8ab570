//! The decision about a message in a match, and the questions that the program asks players by
//! mail.
//!
//! [`decide`] reads only its arguments: no file, configuration, template or
//! clock. The caller renders the answers, adds the events and mails to the
//! match, and saves it.
//!
//! A player is asked which match a message is about, and whether a message from an unknown
//! address was the player's. Such a message may have the answer code of a mail: somebody has it
//! to whom the player gave it, or the player writes from elsewhere. It plays nothing. The player
//! is asked, and may add the address.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::limits;
use crate::match_id::Id;
use crate::matches::action::{Action, Intent, Played, Refusal, Request};
use crate::matches::article::NewsStep;
use crate::matches::codes::changes;
use crate::matches::decision::{
    ADDRESS_QUESTION, Choice, Decision, DueMail, ENOUGH, ENOUGH_NOTES, Explanation, FULL, Quota,
    Received, Refused, Usage, WhichMatch, no_room_for_words, shown,
};
use crate::matches::event::{ADDRESS, AddressStep, Disposition, Event, LogEntry, MISSING, Who};
use crate::matches::mail::{MailKind, MailWish, NewMail, QueuedMail};
use crate::matches::mail_id::looks_made_for;
use crate::matches::r#match::{Day, Match};
use crate::matches::player::{Player, same_address};
use crate::notation::move_list;
use crate::printable::half_moves;
use crate::rules::Color;

/// Asks the person who runs the program about a mail that this player has answered and that is missing
/// from the log.
pub(crate) fn question_of_missing_mail(player: &Player) -> String {
    format!(
        "{} answers a mail that this file has never sent: is it a backup, or is the match played on another machine, too?",
        player.name()
    )
}

/// Tells which command brings back what is missing from the file of a match.
pub(crate) fn way_back(id: &Id) -> String {
    format!(
        "'parapost repair {id} --from FILE' brings back what another copy, the outbox or a mailbox has"
    )
}

/// Returns true if a letter answered a mail that the log lacked, and the log has been repaired since. The
/// letter is read anew if it comes again.
fn is_mended(game: &Match, event: &LogEntry) -> bool {
    let later = game.log().iter().rev();
    let mut later = later.take_while(|other| !std::ptr::eq(*other, event));
    event.get(MISSING).is_some() && later.any(LogEntry::is_repair)
}

/// Decides what a message with this intent does in a match.
///
/// The match allows the events of the decision, in their order. A message that
/// the log has from the same player is a duplicate; the question which match is
/// meant was about no match, and makes no duplicate. Beyond a bound nothing is
/// written.
pub fn decide(
    game: &Match,
    intent: &Intent,
    received: &Received<'_>,
    now: DateTime<Utc>,
) -> Decision {
    if received.is_known_to(game, |event| {
        !event.is_question() && !is_mended(game, event)
    }) {
        let is_other =
            received.is_known_to(game, |event| says_other(event, intent, received, game));
        let reason = if is_other { OTHER_LETTER } else { "" };
        return Decision::new(Disposition::Duplicate, reason);
    }
    let usage = Usage::of(game, Who::Player(received.side), now);
    let message = Message {
        game,
        received,
        now,
        has_room: usage.has_room_for(received.words),
    };
    message.within_bounds(message.decide(intent), &usage)
}

/// Says that a letter was not read, since another had its Message-ID.
const OTHER_LETTER: &str = "a letter with the same Message-ID and other words was read before, so this one was not; ask its writer to send it again";

/// Returns true if an event came by another letter than this one: it has other words or another move.
fn says_other(event: &LogEntry, intent: &Intent, received: &Received<'_>, game: &Match) -> bool {
    // What is carried of a letter may change behind its beginning.
    let signs = |text: &str| -> String {
        let signs = text.chars().filter(|c| c.is_alphanumeric());
        signs.take(40).collect()
    };
    match (&event.event, intent) {
        (Event::Note(Some(words)), Intent::Words) => {
            !received.words.is_empty() && signs(words) != signs(received.words)
        }
        (Event::Act(Action::Move(text)), Intent::Move(played)) => {
            *text != game.position().text(&played.reading.ply)
        }
        _ => false,
    }
}

/// Decides on a letter that asks for a rematch which cannot begin, for a reason in sentences.
pub(crate) fn without_rematch(
    game: &Match,
    received: &Received<'_>,
    why: &str,
    now: DateTime<Utc>,
) -> Decision {
    let message = Message {
        game,
        received,
        now,
        has_room: true,
    };
    message.refused(&Refusal::new(vec![Request::Rematch.to_string()], why))
}

/// The most words of one player that a match keeps in a day, each of one letter.
const MOST_NOTES: usize = 40;

/// The key of a note, and its value, whose writer got the answer that it has no move.
const TOLD: (&str, &str) = ("told", "no-move");

/// The key of the first event of a letter that answers a question by `yes`: the Message-ID of
/// that question.
const YES: &str = "yes";

/// A message and the match it is about.
struct Message<'a> {
    game: &'a Match,
    received: &'a Received<'a>,
    now: DateTime<Utc>,
    /// True if the match has room for the message's words.
    has_room: bool,
}

impl Message<'_> {
    fn decide(&self, intent: &Intent) -> Decision {
        let changes = match intent {
            Intent::Again(_) | Intent::Words => false,
            Intent::Command(request) => request.is_order() && *request != Request::Rematch,
            _ => true,
        };
        if changes && self.game.has_lapsed(self.now) {
            return self.lapsed();
        }
        if self.game.turn().is_none() && changes {
            return self.refuse(Disposition::Over, "the match is over", Explanation::Over);
        }
        match intent {
            Intent::Move(played) => self.play(played),
            Intent::Again(_) => Decision::new(Disposition::Duplicate, "the move is played already"),
            Intent::OutOfTurn(line) => {
                let explanation = Explanation::NotYourTurn {
                    line: shown(line),
                    opponent: self.opponent(),
                };
                let why = "it is the other player's move";
                self.refuse(Disposition::NotYourTurn, why, explanation)
            }
            Intent::Command(request) => self.command(request),
            Intent::Mention {
                line,
                moves,
                is_own,
            } => {
                let choice = Choice::new(line, self.game.position(), moves);
                // Somebody else may have written any other line, and many write `ok` for "I see".
                let choice = choice.for_yes(*is_own);
                let reason = choice.reason("the move stands in prose");
                let asks = choice.only_line();
                let explanation = Explanation::Confirm(choice);
                let decision = self.refuse(Disposition::Confirm, reason, explanation);
                decision.asking(asks)
            }
            Intent::Ambiguous { line, forms } => {
                let choice = Choice::new(line, self.game.position(), forms);
                let reason = choice.reason("it can be read in several ways");
                let explanation = Explanation::Ambiguous(choice);
                self.refuse(Disposition::Ambiguous, reason, explanation)
            }
            Intent::Refused(refusal) => self.refused(refusal),
            Intent::Words => self.words(),
        }
    }

    /// Keeps a decision within what the message may still cause.
    fn within_bounds(&self, decision: Decision, usage: &Usage) -> Decision {
        let (quota, side) = (self.received.quota, self.received.side);
        let is_note_beyond = decision.has_notes() && !quota.notes;
        if !decision.is_counted() {
            return if is_note_beyond {
                decision.without_note(side, ENOUGH_NOTES)
            } else {
                decision
            };
        } else if quota.answers == 0 {
            let may_say = !is_note_beyond && !usage.is_full() && usage.notes < MOST_NOTES;
            return if decision.is_words() && may_say {
                let mut decision = decision.unanswered(side);
                let events = decision.events.into_iter();
                decision.events = events.map(|event| event.without(TOLD.0)).collect();
                decision
            } else {
                decision.beyond_bounds(side, ENOUGH)
            };
        } else if usage.is_full() {
            return decision.beyond_bounds(side, FULL);
        }
        let mut decision = if !is_note_beyond {
            decision
        } else if decision.is_only_words() {
            self.refused(&Refusal::new(Vec::new(), ENOUGH_NOTES))
        } else {
            decision.without_note(side, ENOUGH_NOTES)
        };
        // The last answer must say so even where words alone would get none: later letters
        // get none at all.
        if !decision.say_last(self.received)
            && quota.answers == 1
            && !looks_made_for(self.game.id(), self.received.id)
        {
            decision = decision.mail(self.answer("Your words are kept."));
            decision.say_last(self.received);
        }
        decision
    }

    fn play(&self, played: &Played) -> Decision {
        let position = self.game.position();
        let event = self.action(Action::Move(position.text(&played.reading.ply)));
        let after = match self.game.state_after(&event) {
            Ok(after) => after,
            Err(error) => return self.impossible(played.line.clone(), error),
        };
        let warnings = played.reading.warnings.iter().map(ToString::to_string);
        let warnings = warnings.collect::<Vec<_>>().join("; ");
        let reason = if warnings.is_empty() {
            String::new()
        } else {
            let (line, number) = (shown(&played.line), move_list::number_of_position(position));
            format!("warning: '{line}' after {number} {warnings}")
        };
        let mut decision = Decision::new(Disposition::Accepted, reason).event(event);
        let offers_anew = after.ending.is_none() && after.offer != Some(self.received.side);
        if played.offers_draw && offers_anew {
            decision = decision.event(self.action(Action::OfferDraw));
        }
        self.tell(self.keep_words(decision), &warnings)
    }

    fn command(&self, request: &Request) -> Decision {
        let action = match request {
            Request::Act(Action::Resign) if self.may_mean_decline() => {
                return self.ask(&Action::Resign, RESIGN_OR_DECLINE.to_owned());
            }
            Request::Act(action) => action.clone(),
            Request::ResignMatch => Action::Resign,
            Request::Decline => match self.declined() {
                Ok(action) => action,
                Err(question) => return self.ask(&Action::DeclineInvitation, question),
            },
            Request::Rematch => return self.rematch(),
            Request::AddAddress(address) => return self.add_address(address),
            Request::Note => return self.note(),
            Request::Mail(wish) => return self.mail(*wish),
            Request::Show(plies) => return self.show(*plies),
            Request::Help => {
                let decision = self.asked(request);
                return decision.explain(self.game, self.received, Explanation::Help);
            }
            Request::Rules => return self.mailed(request, MailKind::Rules),
            Request::Legal => return self.mailed(request, MailKind::Legal),
        };
        let event = self.action(action.clone());
        let allowed = self.game.state_after(&event);
        if let Err(error) = allowed.and_then(|_| self.game.must_be_first(&event)) {
            return self.impossible(request.to_string(), error);
        }
        let decision = Decision::new(Disposition::Command, action.to_string()).event(event);
        let decision = self.tell(self.keep_words(decision), "");
        // A referee has sent a receipt already, and the program never writes to
        // another copy of itself.
        if self.received.is_referee || looks_made_for(self.game.id(), self.received.id) {
            return decision;
        }
        decision.mail(self.receipt(""))
    }

    /// Returns true if a player who resigns may mean that the invitation is declined: the
    /// player has not moved yet, here or elsewhere. The player's program says what it means.
    fn may_mean_decline(&self) -> bool {
        let side = self.received.side;
        !self.game.has_moved(side)
            && self.game.state.is_invited(side)
            && !looks_made_for(self.game.id(), self.received.id)
    }

    /// Returns what `decline` alone means.
    ///
    /// # Errors
    ///
    /// If it may mean an offer or a proposal of the other player's: the question to ask.
    fn declined(&self) -> Result<Action, String> {
        let (game, side) = (self.game, self.received.side);
        let is_open = game.state.can_decline(side).is_ok();
        let other = Some(!side);
        let choices = [
            (
                is_open,
                Action::DeclineInvitation,
                "you do not play the match, and nobody has lost",
            ),
            (
                game.offer() == other,
                Action::DeclineDraw,
                "you play on, and the offer of a draw is over",
            ),
            (
                game.takeback() == other,
                Action::DeclineTakeback,
                "the last move stays as it is",
            ),
        ];
        let open: Vec<_> = choices
            .into_iter()
            .filter(|(is_open, ..)| *is_open)
            .collect();
        if let [] | [(_, Action::DeclineInvitation, _)] = open.as_slice() {
            return Ok(Action::DeclineInvitation);
        }
        let mut question = "You wrote \"decline\", and what that is about is not guessed. Please send, alone on a line and without the quotation marks:\n".to_owned();
        for (_, action, meaning) in open {
            let _ = write!(question, "\n- \"{action}\": {meaning}");
        }
        Err(question)
    }

    /// Asks the sender what an order means.
    fn ask(&self, action: &Action, question: String) -> Decision {
        let reason = format!("'{action}': it is asked what is meant");
        let refusal = Refusal::new(Vec::new(), question);
        let refused = Refused::new(&refusal, self.game.position(), false);
        self.refuse(
            Disposition::Ambiguous,
            reason,
            Explanation::Refused(refused),
        )
    }

    /// Says that the invitation has lapsed, and notes it.
    fn lapsed(&self) -> Decision {
        let until = self.game.settings().until.map(Day::for_people);
        let why = format!(
            "The invitation has lapsed: it stood until the end of {}. The match is not played, and nobody has lost. If you both still want to play, a new invitation begins a new match.",
            until.unwrap_or_default()
        );
        let refused = Refused::new(&Refusal::new(Vec::new(), why), self.game.position(), false);
        let reason = "the invitation has lapsed";
        let mut decision = self.refuse(Disposition::Over, reason, Explanation::Refused(refused));
        let event = LogEntry::new(self.now, Event::Lapsed, Who::Nobody);
        decision.events.insert(0, event);
        if self.received.is_referee {
            // Who has moved, and waits, must learn that nothing comes any more.
            return decision.mail(self.to_other(MailKind::Position));
        }
        decision
    }

    /// Begins another match of the same players, or names the one that follows already.
    fn rematch(&self) -> Decision {
        let game = self.game;
        if let Some(id) = &game.state.rematch {
            let answer = self.answer(format!(
                "A rematch of this match is there already: game {id}. Its mails have [{id}] in the subject."
            ));
            return self.asked(&Request::Rematch).mail(answer);
        }
        let (side, order) = (self.received.side, Request::Rematch.to_string());
        if self.received.is_referee && !game.player(!side).is_partner() && !game.takes_mail(!side) {
            let why = format!("{} has asked for no more mail", self.opponent());
            return self.impossible(order, why);
        }
        let id = game.rematch_id();
        let event = self.event(Event::Rematch(Some(id.to_string())));
        if let Err(error) = game.state_after(&event) {
            return self.impossible(order, error);
        }
        let decision = Decision::new(Disposition::Command, format!("rematch: {id}"));
        let answer = self.answer(format!(
            "The rematch is game {id}: the same game, with the colours changed. A mail of its own, with [{id}] in the subject, begins it."
        ));
        let decision = decision.event(event);
        let decision = match self.received.words {
            "" => decision,
            _ => self.pass_on(decision),
        };
        decision.mail(answer)
    }

    /// Passes on the words of a `note`, whatever they look like.
    fn note(&self) -> Decision {
        if !self.has_room {
            return self.no_room();
        }
        let decision = if self.received.words.is_empty() {
            self.asked(&Request::Note)
        } else {
            Decision::new(Disposition::Command, Request::Note.to_string())
        };
        let answer = self.answer("Your note is kept in the record of the match.");
        self.pass_on(decision).mail(answer)
    }

    /// Keeps what the sender wishes about the mail of the match.
    fn mail(&self, wish: MailWish) -> Decision {
        let (game, side) = (self.game, self.received.side);
        if wish == MailWish::PuzzlesWeekly && !self.received.is_referee {
            let lines = vec![Request::Mail(wish).to_string()];
            return self.refused(&Refusal::new(lines, "Only a referee mails puzzles."));
        }
        let decision = Decision::new(Disposition::Command, Request::Mail(wish).to_string());
        // A mail says once that no more mail comes.
        if wish == MailWish::Off && !game.takes_mail(side) {
            return decision;
        }
        let event = self.event(Event::Wish(Some(wish)));
        let mut decision = self.keep_words(decision.event(event));
        if self.received.is_referee {
            if !self.received.words.is_empty() && self.has_room {
                decision = decision.mail(self.to_other(MailKind::Note).saying(self.received.words));
            }
            if wish == MailWish::Off && game.turn().is_some() {
                let opponent = game.public_name(side).to_owned();
                let notice = Explanation::Unsubscribed { opponent };
                decision = decision.explain_in(self.to_other(MailKind::Answer), notice);
            }
        }
        if looks_made_for(game.id(), self.received.id) {
            return decision;
        }
        decision.mail(self.answer(answer_to(wish)))
    }

    /// Adds an address that the sender was asked about.
    fn add_address(&self, address: &Address) -> Decision {
        let (game, side) = (self.game, self.received.side);
        let request = Request::AddAddress(address.clone()).to_string();
        let refused = |why: &str| self.refused(&Refusal::new(vec![request.clone()], why));
        let said = Event::Asked(Some(request.clone()));
        let has_said = |event: &LogEntry| event.event == said && event.who == side.into();
        if game.belongs_to(side, address) {
            return refused("This address is yours in this match already.");
        } else if game.speaks_for(side, address) || game.log().iter().any(has_said) {
            return refused(TO_BE_CONFIRMED);
        }
        let mut log = game.log().iter();
        let was_asked = log.any(|event| asks_about(event, side, address));
        if game.is_list(address) || !was_asked {
            return refused("Only an address that we have asked you about can be added.");
        }
        let added = Event::Address(Some(AddressStep::Added));
        // A player who guesses the other player's address must not find out that it is right. So
        // the address stays the other player's, and the answer is the same.
        let event = if is_others(game, side, address) {
            self.event(said)
        } else {
            self.event(added).key(ADDRESS, Some(address))
        };
        let decision = Decision::new(Disposition::Command, request).event(event);
        let decision = match self.received.words {
            "" => decision,
            _ => self.pass_on(decision),
        };
        let text = format!(
            "You can play from {address}, too, in this match. To confirm it, answer the mail that we send there with the word \"yes\" alone. Until then, our answers to letters from there come here. We send such a mail to an address once in {} days at most.",
            limits::ADDRESS_PAUSE.num_days()
        );
        decision.mail(self.answer(text))
    }

    fn show(&self, plies: Option<usize>) -> Decision {
        let request = Request::Show(plies);
        let made = self.game.record().steps().len();
        let at = plies.unwrap_or(made);
        if at > made {
            let have = if made == 1 { "has" } else { "have" };
            let why = format!("Only {} {have} been made.", half_moves(made));
            return self.refused(&Refusal::new(vec![request.to_string()], why));
        }
        let mut answer = self.answer("You asked for the position.");
        if at < made {
            answer = answer.showing(at);
        }
        self.asked(&request).mail(answer)
    }

    /// Notes a question, which changes nothing in the match.
    fn asked(&self, request: &Request) -> Decision {
        let event = self.event(Event::Asked(Some(request.to_string())));
        Decision::new(Disposition::Command, request.to_string()).event(event)
    }

    /// Answers a question by a mail that is made from the match, so that the log keeps no copy.
    fn mailed(&self, request: &Request, kind: MailKind) -> Decision {
        self.asked(request)
            .mail(self.received.reply(self.game, kind))
    }

    fn words(&self) -> Decision {
        let refused = |why: String| self.refused(&Refusal::new(Vec::new(), why));
        if let Some(excess) = self.received.unread {
            return refused(format!(
                "Your message has not been read: {excess}. Please send what you have to say alone, as plain text."
            ));
        }
        if !self.has_room {
            return self.no_room();
        }
        if !self.received.words.is_empty() {
            let decision = self.pass_on(Decision::new(Disposition::Note, ""));
            let is_program_s = looks_made_for(self.game.id(), self.received.id);
            return if self.is_senders_turn() && !is_program_s {
                self.tell_no_move(decision)
            } else {
                decision
            };
        }
        // The other player's program may send an invitation or the like, which
        // asks for nothing. The log notes it, so that a later mail can answer
        // it.
        if looks_made_for(self.game.id(), self.received.id) {
            return Decision::new(Disposition::Note, "").event(self.event(Event::Note(None)));
        }
        if self.is_senders_turn() {
            return refused("There is no move in your message.".to_owned());
        }
        Decision::new(Disposition::Ignored, "it says nothing")
    }

    /// Refuses words that the match has no room for.
    fn no_room(&self) -> Decision {
        self.refused(&Refusal::new(Vec::new(), no_room_for_words()))
    }

    fn is_senders_turn(&self) -> bool {
        self.game.turn() == Some(self.received.side)
    }

    /// Returns true if the sender has had an answer in this position to a letter with such an
    /// event, and so knows what the long one says.
    fn was_told(&self, is_alike: impl Fn(&LogEntry) -> bool) -> bool {
        let mut since = self.game.since_position();
        since.any(|event| event.who == Who::Player(self.received.side) && is_alike(event))
    }

    /// Tells the sender of a note that it has no move, and marks the note.
    fn tell_no_move(&self, decision: Decision) -> Decision {
        let (key, value) = TOLD;
        let events = decision.events.into_iter();
        let decision = Decision {
            events: events.map(|event| event.key(key, Some(value))).collect(),
            ..decision
        };
        let opponent = self.opponent();
        let again = self.was_told(|event| event.get(key) == Some(value));
        let explanation = Explanation::NoMove { opponent };
        decision
            .explain(self.game, self.received, explanation)
            .again(again)
    }

    fn impossible(&self, line: String, error: impl std::fmt::Display) -> Decision {
        self.refused(&Refusal::new(
            vec![line],
            format!("That can't be done: {error}."),
        ))
    }

    fn refused(&self, refusal: &Refusal) -> Decision {
        let refused = Refused::new(refusal, self.game.position(), self.is_senders_turn());
        let mut reason = refused.reason();
        if refusal.is_of_missing_mail {
            let player = self.game.player(self.received.side);
            let asked = question_of_missing_mail(player);
            reason = format!("{reason} {asked} {}", way_back(self.game.id()));
        }
        let decision = self.refuse(Disposition::Refused, reason, Explanation::Refused(refused));
        if refusal.is_of_missing_mail {
            return decision.of_missing_mail();
        }
        decision.asking(refusal.asks.clone())
    }

    /// Notes that the message changed nothing, and explains why.
    fn refuse(
        &self,
        disposition: Disposition,
        reason: impl Into<String>,
        explanation: Explanation,
    ) -> Decision {
        let event = self.event(Event::Refused(Some(disposition)));
        let again = self.was_told(|earlier| earlier.event == event.event);
        Decision::new(disposition, reason)
            .event(event)
            .explain(self.game, self.received, explanation)
            .again(again)
    }

    /// Adds the message's words to the log, if it has room for them.
    fn keep_words(&self, decision: Decision) -> Decision {
        if self.received.words.is_empty() || !self.has_room {
            return decision;
        }
        decision.event(self.event(Event::note(self.received.words)))
    }

    /// Keeps the message's words, and passes them on if the user is the
    /// referee.
    fn pass_on(&self, decision: Decision) -> Decision {
        let decision = self.keep_words(decision);
        if self.received.is_referee {
            decision.mail(self.to_other(MailKind::Note).saying(self.received.words))
        } else {
            decision
        }
    }

    /// Tells both players what the sender did, if the user is the referee. A
    /// user who plays answers by a move instead.
    fn tell(&self, decision: Decision, warnings: &str) -> Decision {
        if !self.received.is_referee {
            return decision;
        }
        let mut position = self.to_other(MailKind::Position);
        if !self.received.words.is_empty() && self.has_room {
            position = position.saying(self.received.words);
        }
        decision.mail(position).mail(self.receipt(warnings))
    }

    /// Creates the mail that acknowledges the message, with remarks.
    fn receipt(&self, warnings: &str) -> NewMail {
        let no_room = no_room_for_words();
        let mut remarks = Vec::from_iter((!warnings.is_empty()).then_some(warnings));
        if !self.has_room {
            // The template ends the sentence.
            remarks.push(no_room.trim_end_matches('.'));
        }
        let receipt = self.received.reply(self.game, MailKind::Receipt);
        if remarks.is_empty() {
            receipt
        } else {
            receipt.saying(remarks.join("; "))
        }
    }

    /// Creates the answer to the sender that says this.
    fn answer(&self, text: impl Into<String>) -> NewMail {
        self.received
            .reply(self.game, MailKind::Answer)
            .saying(text)
    }

    /// Returns the name of the other player.
    fn opponent(&self) -> String {
        self.game.public_name(!self.received.side).to_owned()
    }

    /// Creates a mail of this kind to the other player.
    fn to_other(&self, kind: MailKind) -> NewMail {
        let other = !self.received.side;
        NewMail::new(kind, other)
            .answering(self.game.last_received(other))
            .automatic()
    }

    fn event(&self, event: Event) -> LogEntry {
        self.received.event(self.now, event)
    }

    fn action(&self, action: Action) -> LogEntry {
        let entry = self.game.entry(self.now, action, self.received.side);
        // The address matters only if the player has claims.
        let has_claims = self.game.has_claims(self.received.side);
        let from = self.received.address.filter(|_| has_claims);
        entry.key("msg", Some(self.received.id)).key(ADDRESS, from)
    }
}

/// The answer to a player who adds an address a second time.
const TO_BE_CONFIRMED: &str = "You have already named this address in this match. It is not confirmed yet: answer the mail that we sent there with the word \"yes\" alone, at any time.";

/// The question to a player who resigns before the first move.
const RESIGN_OR_DECLINE: &str = "You wrote \"resign\", and have not played in this match yet, so you are asked what you mean. Please send, alone on a line and without the quotation marks:

- \"decline invitation\": you do not play the match, and nobody has lost
- \"resign match\": you resign, and the match is lost";

/// Returns the question that `yes` answers in a letter of this player's to the mail that this line
/// of the log (from 1) owes, with the line that the question asks for. There is none if the mail
/// asks for nothing, or for more than one line; if it is not this player's; and if since then
/// anything has happened in the match, a later letter of the player's was refused or asked about,
/// or one has said `yes` already.
///
/// Not the position alone must be the same: whoever says `yes` in an old thread may mean an offer
/// that has come since.
pub(crate) fn question_of_yes(game: &Match, side: Color, line: usize) -> Option<QueuedMail> {
    let mail = game.mails_to(side).find(|mail| mail.line == line)?;
    mail.asks.as_ref()?;
    let is_over = |event: &LogEntry| match &event.event {
        Event::New(_)
        | Event::Act(_)
        | Event::Lapsed
        | Event::Rematch(_)
        | Event::Undo
        | Event::UndoResignation
        | Event::News(Some(NewsStep::Withdrawn))
        | Event::Repaired(_)
        | Event::Other { .. } => true,
        Event::Refused(why) => {
            let is_aside = [Disposition::Duplicate, Disposition::UnknownMatch];
            event.who == Who::Player(side) && !why.is_some_and(|why| is_aside.contains(&why))
        }
        Event::Note(_)
        | Event::Asked(_)
        | Event::Wish(_)
        | Event::Address(_)
        | Event::Mail(..)
        | Event::News(_)
        | Event::Forgotten(_) => event.get(YES) == Some(mail.msg.as_str()),
    };
    let mut since = game.log()[line..].iter();
    (!since.any(is_over)).then_some(mail)
}

/// Notes in the first event of a decision that its letter said `yes` to this question.
pub(crate) fn note_yes(decision: &mut Decision, question: &QueuedMail) {
    let events = decision.events.drain(..).enumerate();
    let noted = events.map(|(at, event)| {
        let question = Some(&question.msg).filter(|_| at == 0);
        event.key(YES, question)
    });
    decision.events = noted.collect();
}

/// The answer to a wish about mail.
const fn answer_to(wish: MailWish) -> &'static str {
    match wish {
        MailWish::Off => {
            "You get no more mail about this match. The match stands as it is, and the time for a \
             move goes on. Any answer of yours to this mail, \"mail on\" for example, brings the mail \
             back."
        }
        MailWish::On => "You get the mail about this match again.",
        MailWish::NewsOff => {
            "No move of this match is posted to a newsgroup or mailed to a mailing list by itself \
             any more. What was posted stays there."
        }
        MailWish::HtmlOff => {
            "The mail about this match is text alone from now on. \"mail html on\" takes that back."
        }
        MailWish::PuzzlesWeekly => {
            "You get the puzzle of each week from now on, one mail a week, also when this match is \
             over. \"puzzles off\" takes that back, and so does \"mail off\" in this match."
        }
        MailWish::PuzzlesOff => "You get no more puzzles.",
        MailWish::HtmlOn => {
            "The mail about this match may have a picture of the board again. \"mail html off\" \
             takes that back."
        }
    }
}

/// Asks the sender which of several matches a message is about. The log of
/// `keeper`, one of them, records the question; `why` gives the reason in a
/// sentence.
pub fn which_match<'m>(
    keeper: &Match,
    received: &Received<'_>,
    own: impl IntoIterator<Item = &'m Match>,
    why: &str,
    now: DateTime<Utc>,
) -> Decision {
    let decision = Decision::new(Disposition::UnknownMatch, why);
    if received.is_known_to(keeper, |_| true) {
        return decision;
    }
    let games = own.into_iter().map(|game| line(game, received.address));
    let question = WhichMatch {
        text: why.to_owned(),
        id: keeper.id().to_string(),
        games: games.collect(),
    };
    let event = received.event(now, Event::Refused(Some(decision.disposition)));
    // A question names all matches of the player, so it goes to no address that a letter
    // invents: the part of a sub-address behind the `+` may be anything.
    let own = keeper.home(received.side);
    let known = received
        .address
        .filter(|address| is_registered(keeper, received.side, address));
    let mail = received
        .reply(keeper, MailKind::Question)
        .at_address(known.unwrap_or(own).clone());
    let question = DueMail::new(mail, Some(Explanation::WhichMatch(question)));
    ask(decision, keeper, received.quota, event, question)
}

/// Tells the player of a match whose letter asks for one with the partner why that does not begin.
pub(crate) fn without_partner(
    keeper: &Match,
    received: &Received<'_>,
    why: &str,
    now: DateTime<Utc>,
) -> Decision {
    if received.is_known_to(keeper, |_| true) {
        return Decision::new(Disposition::Duplicate, "");
    }
    let decision = Decision::new(Disposition::Refused, why);
    let event = received.event(now, Event::Refused(Some(Disposition::Refused)));
    let text = format!(
        "You asked for a match with the partner. {why} No such match begins, and nothing has been played here."
    );
    let mail = received.reply(keeper, MailKind::Answer).saying(text);
    ask(
        decision,
        keeper,
        received.quota,
        event,
        DueMail::new(mail, None),
    )
}

/// Adds a question or an explanation to a decision, unless a bound stops it.
fn ask(
    decision: Decision,
    keeper: &Match,
    quota: Quota,
    event: LogEntry,
    question: DueMail,
) -> Decision {
    if quota.answers == 0 {
        return decision.dropped(ENOUGH);
    } else if Usage::of(keeper, event.who, event.time).is_full() {
        return decision.dropped(FULL);
    }
    let is_last = quota.answers == 1;
    let mut decision = decision.event(event);
    decision.mails.push(DueMail {
        is_last,
        ..question
    });
    decision
}

/// Returns true if an address is, letter by letter, one of a player's proven addresses.
fn is_registered(game: &Match, side: Color, address: &Address) -> bool {
    let mut own = game.proven_addresses(side);
    own.any(|own| same_address(own, address))
}

/// Describes a match on one line, for somebody who plays in it. It names no other player:
/// the line is kept in another match's log, which is not theirs.
fn line(game: &Match, address: Option<&Address>) -> String {
    let side = address.and_then(|address| game.side_of(address));
    let state = match game.turn() {
        None => "over",
        turn if turn == side => "your move",
        Some(_) => "the other player's move",
    };
    let plays = side.map(|side| format!("you are {}, ", game.variant().player(side)));
    format!(
        "  [{}] {}: {}{state}",
        game.id(),
        game.variant().game().name,
        plays.unwrap_or_default()
    )
}

/// Returns true if a player can be asked about an address: it is not the referee's, the list's or
/// the user's own, and has nothing but plain signs. The program also asks about the other player's
/// address; otherwise silence would tell somebody that a guess was right.
pub(crate) fn may_be_asked_about(game: &Match, address: &Address, me: &Player) -> bool {
    let is_me = game.sides_of(me).is_empty() && me.has(address);
    is_plain(address) && !is_me && !game.is_referee(address) && !game.is_list(address)
}

/// Returns true if an address has nothing but plain signs, and not many.
pub(crate) fn is_plain(address: &Address) -> bool {
    let text: &str = address.as_ref();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"@.-_+=~".contains(&byte);
    text.len() <= limits::ADDRESS && text.bytes().all(is_plain)
}

/// Returns true if an address is of the mailbox of the player of the other side.
pub(crate) fn is_others(game: &Match, side: Color, address: &Address) -> bool {
    game.player(!side).has(address) || game.speaks_for(!side, address)
}

/// Asks the player of this side whether a message from an unknown address was the
/// player's. `text` is its move, in canonical form, if it has one. The player is asked
/// about an address once a half-move, and a few times in a match.
pub(crate) fn whose_address(
    game: &Match,
    side: Color,
    address: &Address,
    text: Option<&str>,
    quota: Quota,
    now: DateTime<Utc>,
) -> Decision {
    let reason = "its sender does not play in this match, but has an answer code";
    let decision = Decision::new(Disposition::Confirm, reason);
    let mut since = game.log().iter().rev().take_while(|event| !changes(event));
    let is_asked = since.any(|event| asks_about(event, side, address));
    let questions = game.log().iter().filter(|event| is_question(event, side));
    if is_asked {
        return decision.dropped("the player has been asked");
    } else if questions.count() >= limits::ADDRESS_QUESTIONS {
        return decision.dropped("the player has been asked often enough");
    }
    let event = LogEntry::new(now, ADDRESS_QUESTION, side)
        .key(ADDRESS, Some(address))
        .key("move", text);
    let question = Explanation::UnknownAddress {
        address: address.to_string(),
        played: text.unwrap_or_default().to_owned(),
    };
    let mail = NewMail::new(MailKind::Answer, side).automatic();
    let question = DueMail::new(mail, Some(question));
    ask(decision, game, quota, event, question)
}

/// Returns every address that speaks for a player of a match: those of its beginning and
/// those added since.
pub(crate) fn every_address(game: &Match) -> impl Iterator<Item = &Address> {
    let own = Color::ALL.map(|side| game.player(side).addresses());
    own.into_iter().flatten().chain(game.added_addresses())
}

fn is_question(event: &LogEntry, side: Color) -> bool {
    event.event == ADDRESS_QUESTION && event.who == side.into()
}

fn asks_about(event: &LogEntry, side: Color, address: &Address) -> bool {
    let known = event.get(ADDRESS).map(str::parse::<Address>);
    is_question(event, side)
        && known.is_some_and(|known| known.is_ok_and(|known| same_address(&known, address)))
}
