//! The decision about a message: the events to log, the mails to send, the values that the
//! templates of answers use, and the part of the bounds of a match that a player's letters have
//! used.
//!
//! A move, a resignation, an acceptance and a justified claim are free: no
//! bound ever refuses or delays them or their mails. Every other letter counts,
//! whatever it causes and whoever gets the mail: an offer, a proposal, a
//! refusal, a note, a question. `mail off` counts, too, but is carried out
//! beyond every bound: only its writer hears of it then.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use lettre::Address;
use serde::Serialize;

use crate::limits;
use crate::mail::message_id::MessageId;
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::matches::action::{Action, Refusal};
use crate::matches::article::{CODE, GROUP, LIST, PROOF, Readers};
use crate::matches::event::{
    AddressStep, BANNER, COPIED, Disposition, Event, LogEntry, MISSING, Who,
};
use crate::matches::mail::{MailKind, MailWish, NewMail};
use crate::matches::r#match::Match;
use crate::notation::move_list;
use crate::rules::{Color, Ply, Position, Role};

/// The reason given when the daily limit leaves a letter without effect.
pub const ENOUGH: &str = "nothing is kept or answered: there were enough answers in a day";

/// The reason given when the match keeps no more of a player's letters.
pub const FULL: &str =
    "nothing is kept or answered: this player's letters have filled their part of the record";

/// The parts of a player's message that a decision depends on.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    /// The Message-ID.
    pub id: &'a MessageId,
    /// The side that sent it.
    pub side: Color,
    /// The sender's address, which answers go to.
    pub address: Option<&'a Address>,
    /// The text besides moves and commands, meant for the other player.
    pub words: &'a str,
    /// Why the message was not read, if it was not.
    pub unread: Option<&'a str>,
    /// True if the user is the referee, who tells both players of every change.
    pub is_referee: bool,
    /// The mails that the message may still cause.
    pub quota: Quota,
}

/// The mails that a message may still cause. A move, a resignation, an acceptance and a
/// justified claim need none of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quota {
    /// The number of letters, this one among them, of which anything but those may come:
    /// which may be logged and answered.
    pub answers: usize,
    /// True if its words alone may be mailed to the other player.
    pub notes: bool,
}

impl Quota {
    /// A quota that bounds nothing.
    pub const UNBOUNDED: Quota = Quota {
        answers: usize::MAX,
        notes: true,
    };
}

/// The outcome of a message in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct Decision {
    /// The message's disposition.
    pub disposition: Disposition,
    /// The reason, for the person who runs the program; may be empty.
    pub reason: String,
    /// The events to add to the log, in this order. Without events and mails
    /// the match stays as it is.
    pub events: Vec<LogEntry>,
    /// The mails to owe after the events, in this order.
    pub mails: Vec<DueMail>,
}

/// A mail that a decision calls for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DueMail {
    pub mail: NewMail,
    /// The values for its template, if a template writes its text.
    pub explanation: Option<Explanation>,
    /// True if it is the last answer of a day, and says so.
    pub is_last: bool,
    /// True if its reader has had such an explanation in this position: it is short.
    pub is_again: bool,
}

impl DueMail {
    /// Calls for a mail.
    pub fn new(mail: NewMail, explanation: Option<Explanation>) -> DueMail {
        DueMail {
            mail,
            explanation,
            is_last: false,
            is_again: false,
        }
    }
}

impl Decision {
    /// Creates a decision that leaves the match as it is.
    pub fn new(disposition: Disposition, reason: impl Into<String>) -> Decision {
        Decision {
            disposition,
            reason: reason.into(),
            events: Vec::new(),
            mails: Vec::new(),
        }
    }

    pub(super) fn event(mut self, event: LogEntry) -> Decision {
        self.events.push(event);
        self
    }

    pub(super) fn mail(mut self, mail: NewMail) -> Decision {
        self.mails.push(DueMail::new(mail, None));
        self
    }

    /// Notes what the writer's programs may have put around a letter that is asked about, or refused.
    pub(crate) fn with_banner(self, fingerprint: &str) -> Decision {
        self.with_key(BANNER, fingerprint, LogEntry::is_refused)
    }

    /// Notes that the letter answers a mail of ours that the log lacks.
    pub(crate) fn of_missing_mail(self) -> Decision {
        self.with_key(MISSING, "yes", LogEntry::is_refused)
    }

    /// Notes that nothing but an answer code proves who has made the move.
    pub(crate) fn proven_by_code(self) -> Decision {
        self.with_key(PROOF, CODE, LogEntry::is_move)
    }

    /// Adds a key to the events for which `is_it` returns true.
    fn with_key(
        mut self,
        key: &'static str,
        value: &str,
        is_it: impl Fn(&LogEntry) -> bool,
    ) -> Decision {
        let events = self.events.into_iter();
        let marked = events.map(|event| {
            let value = is_it(&event).then_some(value);
            event.key(key, value)
        });
        self.events = marked.collect();
        self
    }

    /// Notes that the move stands in an article of a group.
    pub(crate) fn played_in(mut self, group: &Newsgroup) -> Decision {
        let events = self.events.into_iter();
        self.events = events.map(|event| event.key(GROUP, Some(group))).collect();
        self
    }

    /// Notes of what a letter of this side has caused who else may have read it.
    pub(crate) fn read_by(mut self, readers: &Readers, side: Color) -> Decision {
        let events = self.events.into_iter();
        let marked = events.map(|event| {
            let is_own = event.who == Who::Player(side);
            match readers {
                Readers::Us => event,
                Readers::Others => event.key(COPIED, is_own.then_some("yes")),
                Readers::List(list) => event.key(LIST, is_own.then_some(list)),
            }
        });
        self.events = marked.collect();
        self
    }

    /// Adds what another decision about the same message writes.
    pub fn add(&mut self, other: Decision) {
        self.events.extend(other.events);
        self.mails.extend(other.mails);
    }

    /// Explains something to the sender.
    pub(super) fn explain(
        self,
        game: &Match,
        received: &Received<'_>,
        explanation: Explanation,
    ) -> Decision {
        self.explain_in(received.reply(game, MailKind::Answer), explanation)
    }

    /// Explains something in a mail.
    pub(super) fn explain_in(mut self, mail: NewMail, explanation: Explanation) -> Decision {
        self.mails.push(DueMail::new(mail, Some(explanation)));
        self
    }

    /// Has the answer ask for this line, for which `yes` stands.
    pub(super) fn asking(mut self, line: Option<String>) -> Decision {
        if let Some(due) = self.mails.last_mut() {
            due.mail.asks = line;
        }
        self
    }

    /// Shortens the answer to somebody who has had the long one.
    pub(super) fn again(mut self, is_again: bool) -> Decision {
        if let Some(due) = self.mails.last_mut() {
            due.is_again = is_again;
        }
        self
    }

    /// Returns true if the decision counts against the bounds: if it writes
    /// anything, and is not about a move, a resignation, an acceptance or a
    /// justified claim.
    pub(crate) fn is_counted(&self) -> bool {
        !self.events.first().is_none_or(is_free)
    }

    /// Returns true if it begins another match of the same players.
    pub(crate) fn begins_rematch(&self) -> bool {
        let mut events = self.events.iter();
        events.any(|event| matches!(event.event, Event::Rematch(_)))
    }

    /// Returns true if it carries out a player's order that ends the match.
    pub(crate) fn ends_match(&self) -> bool {
        let mut actions = self.events.iter().filter_map(LogEntry::action);
        actions.any(Action::ends_match)
    }

    /// Returns true if it owes a note, of which a player gets only so many a day.
    pub(crate) fn has_notes(&self) -> bool {
        self.mails.iter().any(|due| due.mail.kind == MailKind::Note)
    }

    /// Returns true if a message can only pass its words on, so that nothing is left of it
    /// where it must not.
    pub(super) fn is_only_words(&self) -> bool {
        let mut events = self.events.iter();
        events.all(|event| matches!(event.event, Event::Note(_) | Event::Asked(_)))
    }

    /// Returns true if a message passes words on, and does nothing else.
    pub(super) fn is_words(&self) -> bool {
        let mut events = self.events.iter();
        !self.events.is_empty() && events.all(|event| matches!(event.event, Event::Note(Some(_))))
    }

    /// Leaves out the answer to the sender.
    pub(super) fn unanswered(mut self, side: Color) -> Decision {
        self.mails.retain(|due| due.mail.to != side);
        self
    }

    /// Leaves out the words that would be kept and mailed as a note, and tells their
    /// writer why in the answer to the rest.
    pub(super) fn without_note(mut self, side: Color, why: &str) -> Decision {
        self.events.retain(|event| !event.is_note());
        self.mails.retain(|due| due.mail.kind != MailKind::Note);
        for due in &mut self.mails {
            if due.mail.to == side {
                due.mail.add(why);
            }
        }
        self
    }

    /// Adds something to the answer to the sender, if there is one.
    pub(crate) fn telling(
        mut self,
        game: &Match,
        received: &Received<'_>,
        words: &str,
    ) -> Decision {
        if self.events.is_empty() || self.disposition == Disposition::Duplicate {
            return self;
        }
        let is_answer = |due: &&mut DueMail| due.mail.to == received.side;
        if let Some(due) = self.mails.iter_mut().find(is_answer) {
            due.mail.add(words);
        } else {
            let answer = received.reply(game, MailKind::Answer).saying(words);
            self.mails.push(DueMail::new(answer, None));
        }
        self
    }

    /// Has the answer to the sender say that it is the last one. Returns false if the
    /// sender gets none.
    pub(super) fn say_last(&mut self, received: &Received<'_>) -> bool {
        let is_answer = |due: &&mut DueMail| due.mail.to == received.side;
        let answer = self.mails.iter_mut().find(is_answer);
        let is_told = answer.is_some();
        if let Some(due) = answer {
            due.is_last = received.quota.answers == 1;
        }
        is_told
    }

    /// Keeps what no bound stops, with its answer, and drops whatever else would be
    /// written.
    pub(super) fn beyond_bounds(mut self, side: Color, why: &str) -> Decision {
        if !self.events.first().is_some_and(is_kept_beyond_bounds) {
            return self.dropped(why);
        }
        self.events.truncate(1);
        self.mails.retain(|due| due.mail.to == side);
        self
    }

    /// Drops whatever would be written, because of a bound.
    pub(super) fn dropped(self, why: &str) -> Decision {
        let disposition = match self.events.first().map(|event| &event.event) {
            None | Some(Event::Refused(_) | Event::Asked(_)) => self.disposition,
            // A program's own mail, which says nothing.
            Some(Event::Note(None)) => Disposition::Ignored,
            Some(_) => Disposition::Refused,
        };
        let reason = match self.reason.as_str() {
            "" => why.to_owned(),
            reason => format!("{reason} ({why})"),
        };
        Decision::new(disposition, reason)
    }
}

impl Received<'_> {
    /// Returns true if the log has an event of this kind that the message
    /// caused. Somebody who plays against himself may have been the other side
    /// then.
    pub(super) fn is_known_to(&self, game: &Match, is_kind: impl Fn(&LogEntry) -> bool) -> bool {
        Color::ALL.into_iter().any(|side| {
            let is_sender =
                side == self.side || self.address.is_some_and(|from| game.speaks_for(side, from));
            let mut events = game.log().iter();
            is_sender
                && events.any(|event| {
                    event.who == Who::Player(side) && event.came_by(self.id) && is_kind(event)
                })
        })
    }

    /// Creates an event that this message causes, done by its sender.
    pub fn event(&self, now: DateTime<Utc>, event: impl Into<Event>) -> LogEntry {
        LogEntry::new(now, event, self.side).key("msg", Some(self.id))
    }

    /// Creates a mail of this kind to the address that the message came from if it is proven, else
    /// to the player's own.
    pub(super) fn reply(&self, game: &Match, kind: MailKind) -> NewMail {
        let mail = NewMail::new(kind, self.side)
            .answering(Some(self.id.clone()))
            .automatic();
        match self.address {
            Some(address) if game.belongs_to(self.side, address) => {
                mail.at_address(address.clone())
            }
            Some(_) => mail.at_address(game.home(self.side).clone()),
            None => mail,
        }
    }
}

/// The event that remembers a letter which only repeated a move. Such events have a bound
/// of their own: without them the letter could be played in another match when it comes
/// again.
pub const REPEATED: Event = Event::Refused(Some(Disposition::Duplicate));

/// The event that asks the player about an address. That counts as a letter of the
/// player's, as it came by the player's code.
pub(super) const ADDRESS_QUESTION: Event = Event::Address(Some(AddressStep::Asked));

/// The part of the bounds of a match that a person's letters have used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Usage {
    /// The letters within a day that were not free.
    pub letters: usize,
    /// The letters within a day whose words were kept.
    pub notes: usize,
    /// The bytes of all the person's words in the log.
    pub words: usize,
    /// The bytes of the log, mails included, that letters caused which were not
    /// free.
    pub bytes: usize,
}

impl Usage {
    /// Returns what a person's letters have taken of the bounds of a match.
    /// Takes time linear in the log.
    pub fn of(game: &Match, who: Who, now: DateTime<Utc>) -> Usage {
        let mut usage = Usage::default();
        // The letter that the last event came by.
        let mut letter = None;
        // True if the mails that follow are owed because of a letter that counts.
        let mut is_counted = false;
        let mut mails = HashSet::new();
        for event in game.log() {
            if event.is_owed() {
                if is_counted {
                    mails.extend(event.get("msg"));
                }
            } else if event.is_of_outgoing_mail() {
                // A mail that follows what became of another is about that one.
                is_counted = false;
                if event.get("msg").is_some_and(|id| mails.contains(id)) {
                    usage.bytes += event.size();
                }
            } else if event.who != who {
                (letter, is_counted) = (None, false);
            } else {
                if let Event::Note(Some(words)) = &event.event {
                    usage.words += words.len();
                    usage.notes += usize::from(is_recent(event.time, now));
                }
                let id = event.get("msg");
                if event.event == ADDRESS_QUESTION {
                    (letter, is_counted) = (None, true);
                    usage.letters += usize::from(is_recent(event.time, now));
                } else if id.is_none() || id != letter {
                    letter = id;
                    is_counted = id.is_some() && !is_free(event);
                    usage.letters += usize::from(is_counted && is_recent(event.time, now));
                }
            }
            if is_counted {
                usage.bytes += event.size();
            }
        }
        usage
    }

    /// Returns true if the match keeps these further words of the person.
    pub(crate) fn has_room_for(&self, words: &str) -> bool {
        words.is_empty() || self.words + words.len() <= limits::WORDS
    }

    /// Returns true if the match keeps no further letters of the person, except
    /// those that are free.
    pub fn is_full(&self) -> bool {
        self.bytes > limits::LETTERS
    }
}

/// Counts the notes that were called for within a day for a player.
pub(crate) fn notes_to(game: &Match, to: Color, now: DateTime<Utc>) -> usize {
    let is_note = |event: &&LogEntry| {
        event.owed_kind() == Some(&MailKind::Note)
            && event.who == Who::Player(to)
            && event.get("auto") == Some("yes")
            && is_recent(event.time, now)
    };
    game.log().iter().filter(is_note).count()
}

/// Returns true if a letter whose first event is this one is free.
pub fn is_free(event: &LogEntry) -> bool {
    match &event.event {
        Event::Act(action) => action.is_free(),
        // There are never more of them than questions.
        Event::Address(step) => *step != Some(AddressStep::Asked),
        event => *event == REPEATED,
    }
}

/// Returns true if a letter whose first event is this one counts, but no bound stops it:
/// `mail off`.
pub fn is_kept_beyond_bounds(event: &LogEntry) -> bool {
    event.event == Event::Wish(Some(MailWish::Off))
}

/// Returns true if a time is less than a day away, before or after: a clock that
/// once stood wrong must not use up a bound for years.
fn is_recent(time: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    time.signed_duration_since(now).abs() < TimeDelta::days(1)
}

/// Why words are not passed on, as a sentence for their writer.
pub(super) const ENOUGH_NOTES: &str = "Your words are not kept and not passed on: the other player has had as many notes within a day as one gets. Words beside a move go with the move, as always.";

/// The words of the last answer of a day.
pub(crate) const LAST_ANSWER: &str = "This is the last answer to you for today: so many of your letters a day are answered. Legal moves, a resignation, an acceptance, a justified claim and \"mail off\" are carried out as always, and words for your opponent are passed on. Anything else is neither kept nor answered until a day has passed since your first letter of these.";

/// Says why words are not kept, as a sentence for their writer.
pub(super) fn no_room_for_words() -> String {
    format!(
        "Your words are not kept and not passed on: what you have said in this match comes to {} MiB. Moves and commands are read as before.",
        limits::WORDS >> 20
    )
}

/// The maximum number of characters of a line that an answer shows.
const LONGEST_LINE: usize = 200;

/// The content of an answer. [`Explanation::template`] names its template, and
/// the explanation serializes to that template's values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Explanation {
    /// Something cannot be done.
    Refused(Refused),
    /// A move can be read in several ways.
    Ambiguous(Choice),
    /// A move stands in prose.
    Confirm(Choice),
    /// It is the other player's move.
    NotYourTurn {
        /// The line with the move.
        line: String,
        /// The name of the player to move.
        opponent: String,
    },
    /// The message has no move, though it is its sender's turn.
    NoMove {
        /// The name of the other player, who gets the words.
        opponent: String,
    },
    /// The match is over.
    Over,
    /// The list of commands.
    Help,
    /// The sender has several matches.
    WhichMatch(WhichMatch),
    /// Mail to the other player was refused for good.
    Undelivered {
        /// The name of the player who gets none.
        opponent: String,
    },
    /// The other player has asked for no more mail.
    Unsubscribed {
        /// The name of that player.
        opponent: String,
    },
    /// A message from an unknown address has an answer code.
    UnknownAddress {
        /// The address.
        address: String,
        /// The move of the message, in canonical form; empty if it has none.
        played: String,
    },
}

impl Explanation {
    /// Returns the name of the template.
    pub const fn template(&self) -> &'static str {
        match self {
            Explanation::Refused(_) => "refused",
            Explanation::Ambiguous(_) => "ambiguous",
            Explanation::Confirm(_) => "confirm",
            Explanation::NotYourTurn { .. } => "not-your-turn",
            Explanation::NoMove { .. } => "no-move",
            Explanation::Over => "over",
            Explanation::Help => "help",
            Explanation::WhichMatch(_) => "which-game",
            Explanation::Undelivered { .. } => "undelivered",
            Explanation::Unsubscribed { .. } => "unsubscribed",
            Explanation::UnknownAddress { .. } => "unknown-address",
        }
    }
}

/// Why a request is not carried out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refused {
    /// The lines the program read as the request.
    lines: Vec<String>,
    /// The reason, in a sentence.
    why: String,
    /// The name of the piece that was meant to move; may be empty.
    piece: &'static str,
    /// The legal moves of that piece that are near to what was written, and how many there are
    /// besides.
    moves: Vec<String>,
    /// True if `yes` stands for the line that is asked for.
    yes: bool,
}

impl Refused {
    /// Lists legal moves only for the player to move; nobody else can use them.
    pub(super) fn new(refusal: &Refusal, position: &Position, is_turn: bool) -> Refused {
        let role = refusal.role.filter(|_| is_turn);
        Refused {
            lines: refusal.lines.iter().map(|line| shown(line)).collect(),
            why: refusal.why.clone(),
            piece: role.map_or("", Role::name),
            moves: role
                .map(|role| near_moves(position, role, &refusal.lines.join(" ")))
                .unwrap_or_default(),
            yes: refusal.asks.is_some(),
        }
    }

    /// Returns the refusal on one line, for the person who runs the program.
    pub(super) fn reason(&self) -> String {
        let mut reason = String::new();
        for line in &self.lines {
            if !self.why.starts_with(&format!("'{line}' ")) {
                reason = format!("{reason}'{line}': ");
            }
        }
        reason + &self.why
    }
}

/// The possible meanings of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Choice {
    /// The line.
    line: String,
    /// The number of the next move, as a list writes it.
    number: String,
    /// The possible moves.
    forms: Vec<String>,
    /// True if `yes` stands for the only one.
    yes: bool,
}

impl Choice {
    pub(super) fn new(line: &str, position: &Position, forms: &[String]) -> Choice {
        Choice {
            line: shown(line),
            number: move_list::number_of_position(position),
            forms: forms.to_vec(),
            yes: false,
        }
    }

    /// Has `yes` stand for the move, if that is one, where the line is the sender's for sure.
    pub(super) fn for_yes(self, is_own: bool) -> Choice {
        Choice {
            yes: is_own && self.forms.len() == 1,
            ..self
        }
    }

    /// Returns the line for which `yes` stands.
    pub(super) fn only_line(&self) -> Option<String> {
        let form = self.forms.first().filter(|_| self.yes)?;
        Some(format!("{} {form}", self.number))
    }

    /// Returns the choice on one line, for the person who runs the program.
    pub(super) fn reason(&self, why: &str) -> String {
        format!("'{}': {why}: {}", self.line, self.forms.join(", "))
    }
}

/// The matches that a message may be about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WhichMatch {
    /// The reason for the question, in a sentence.
    pub(super) text: String,
    /// The id of one of the matches, as an example.
    pub(super) id: String,
    /// The player's matches, one per line.
    pub(super) games: Vec<String>,
}

/// Shortens a line of a message for an answer.
pub(super) fn shown(line: &str) -> String {
    shortened(line, LONGEST_LINE)
}

/// Cuts a text that has more characters than this.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Lists the legal moves of all pieces of one kind, including promoted ones.
pub(crate) fn moves_of(position: &Position, role: Role) -> Vec<String> {
    let is_of = |ply: &Ply| match ply {
        Ply::Move { from, .. } => position.get(*from).map(|piece| piece.role.base()) == Some(role),
        Ply::Drop { role: dropped, .. } | Ply::Relocation { role: dropped, .. } => *dropped == role,
        Ply::Castle(_) => role == Role::King,
        Ply::Placement(_) => false,
    };
    let mut moves: Vec<String> = position
        .single_plies()
        .iter()
        .filter(|ply| is_of(ply))
        .map(|ply| position.text(ply))
        .collect();
    moves.sort_unstable();
    moves
}

/// The most legal moves that a refusal lists.
const MOST_NEAR: usize = 8;

/// Lists the legal moves of all pieces of one kind that are nearest to what somebody wrote, and
/// says how many others there are.
pub(crate) fn near_moves(position: &Position, role: Role, written: &str) -> Vec<String> {
    let mut moves = moves_of(position, role);
    let wanted = squares_of(written).pop();
    let sign = |text: &str| text.contains('>');
    let is_drop = sign(written);
    moves.sort_by_cached_key(|text| {
        let target = squares_of(text).pop();
        let distance = match (target, wanted) {
            (Some(target), Some(wanted)) => {
                let files = target.0.abs_diff(wanted.0);
                files.max(target.1.abs_diff(wanted.1))
            }
            _ => u8::MAX,
        };
        (distance, sign(text) != is_drop)
    });
    let others = moves.len().saturating_sub(MOST_NEAR);
    moves.truncate(MOST_NEAR);
    if others > 0 {
        moves.push(format!("and {others} others"));
    }
    moves
}

/// Returns the squares that a text names, each as two bytes.
fn squares_of(text: &str) -> Vec<(u8, u8)> {
    let pairs = text.as_bytes().windows(2);
    let pairs = pairs.filter(|pair| matches!(pair, [b'a'..=b'i' | b'A'..=b'I', b'1'..=b'9']));
    pairs
        .map(|pair| (pair[0].to_ascii_lowercase(), pair[1]))
        .collect()
}
