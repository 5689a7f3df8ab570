//! A match between two correspondents.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::match_id::Id;
use crate::matches::chain::Link;
use crate::matches::days::Days;
use crate::matches::ending::Ending;
use crate::matches::event::{Event, EventKind, LAPSED, OFFER, Who};
use crate::matches::hash::{hash, hash_of_moves};
use crate::matches::mail_id::MailIds;
use crate::matches::not_allowed::NotAllowed;
use crate::matches::player::{Player, is_shared_mailbox, same_address};
use crate::matches::state::{self, QueuedMail, State};
use crate::matches::takeback::Takeback;
use crate::message_id::MessageId;
use crate::notation::header;
use crate::rules::{Color, Position, Record, Variant};
use crate::{Error, clock};

/// A match between two correspondents, as its state file tells it.
///
/// The log is the record. Every change is an event, and the code that applies
/// it also reads the file, so the program never writes an event it cannot read.
#[derive(Clone, Debug)]
pub struct Match {
    pub(crate) settings: MatchSettings,
    /// Headers that this version does not know, kept unchanged.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) log: Vec<Event>,
    /// The hash of each line of the log.
    pub(crate) links: Vec<Link>,
    pub(crate) state: State,
    /// True if the log was chained when it was read.
    pub(crate) is_chained: bool,
}

/// The terms of a match, fixed from the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchSettings {
    /// The id.
    pub id: Id,
    /// The game and its options.
    pub variant: Variant,
    /// The players, in the order in which they move.
    pub players: [Player; 2],
    /// The address of the referee, if one keeps the match: the players' mails go there
    /// then. A referee's own copy of the match names none.
    pub referee: Option<Address>,
    /// The event the match belongs to.
    pub event: Option<String>,
    /// The time for a move.
    pub time: Option<Days>,
}

/// A mail to owe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewMail {
    to: Color,
    kind: Cow<'static, str>,
    re: Option<MessageId>,
    address: Option<Address>,
    at: Option<usize>,
    text: Option<String>,
    automatic: bool,
}

impl NewMail {
    /// Creates a mail to this player. Its kind names its template.
    #[must_use]
    pub fn new(kind: &'static str, to: Color) -> NewMail {
        NewMail {
            to,
            kind: Cow::Borrowed(kind),
            re: None,
            address: None,
            at: None,
            text: None,
            automatic: false,
        }
    }

    /// Creates a copy of an owed mail, to call for it again.
    #[must_use]
    pub fn again(owed: &QueuedMail) -> NewMail {
        let QueuedMail {
            line: _,
            time: _,
            to,
            kind,
            msg: _,
            re,
            address,
            at,
            text,
            automatic,
        } = owed.clone();
        NewMail {
            to,
            kind: Cow::Owned(kind),
            re,
            address,
            at,
            text,
            automatic,
        }
    }

    /// Returns the kind, which names the template.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Returns the player it is for.
    #[must_use]
    pub fn to(&self) -> Color {
        self.to
    }

    /// Returns true if it answers the player's own letter, and goes where that came
    /// from.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        self.address.is_some()
    }

    /// Sets the message that this mail answers.
    #[must_use]
    pub fn answering(self, re: Option<MessageId>) -> NewMail {
        NewMail { re, ..self }
    }

    /// Sets the address it goes to.
    #[must_use]
    pub fn at_address(self, address: Address) -> NewMail {
        NewMail {
            address: Some(address),
            ..self
        }
    }

    /// Shows the position after this many half-moves instead of the last.
    #[must_use]
    pub fn showing(self, plies: usize) -> NewMail {
        NewMail {
            at: Some(plies),
            ..self
        }
    }

    /// Sets the text, in lines of any length.
    #[must_use]
    pub fn saying(self, text: impl Into<String>) -> NewMail {
        NewMail {
            text: Some(text.into()),
            ..self
        }
    }

    /// Adds a paragraph to the text; in a receipt, which has one remark, some words.
    pub(crate) fn add(&mut self, words: &str) {
        let text = self.text.get_or_insert_default();
        if !text.is_empty() {
            let is_remark = self.kind == "receipt";
            text.push_str(if is_remark { "; " } else { "\n\n" });
        }
        text.push_str(words);
        if self.kind == "receipt" {
            // The template ends the sentence.
            text.truncate(text.trim_end_matches('.').len());
        }
    }

    /// Marks a mail that the program sends without a person's request.
    #[must_use]
    pub fn automatic(self) -> NewMail {
        NewMail {
            automatic: true,
            ..self
        }
    }
}

impl Match {
    /// Creates a match that begins now.
    #[must_use]
    pub fn new(settings: MatchSettings, now: DateTime<Utc>) -> Match {
        let begin = settings.begin(now);
        Match {
            links: vec![Link::first(&settings.id, &begin)],
            log: vec![begin],
            state: State::new(&settings.variant, now),
            headers: Vec::new(),
            is_chained: true,
            settings,
        }
    }

    /// Returns the terms of the match.
    #[must_use]
    pub fn settings(&self) -> &MatchSettings {
        &self.settings
    }

    /// Returns the id.
    #[must_use]
    pub fn id(&self) -> &Id {
        &self.settings.id
    }

    /// Returns the game and its options.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.settings.variant
    }

    /// Returns a player.
    #[must_use]
    pub fn player(&self, color: Color) -> &Player {
        &self.settings.players[color.index()]
    }

    /// Returns true if this address speaks for a player: it is one of the
    /// player's, or another sub-address of the same mailbox, or was added in the
    /// match. Where both players have addresses of that mailbox, only the whole
    /// address tells them apart.
    #[must_use]
    pub fn speaks_for(&self, color: Color, address: &Address) -> bool {
        let player = self.player(color);
        let mut added = self.state.added[color.index()].iter();
        player.has_exactly(address)
            || player.has(address) && !is_shared_mailbox(&self.settings.players, address)
            || added.any(|added| same_address(added, address)) && !self.player(!color).has(address)
    }

    /// Returns the addresses that the players have added.
    pub fn added_addresses(&self) -> impl Iterator<Item = &Address> {
        self.state.added.iter().flatten()
    }

    /// Returns the sides this address speaks for: none, one, or both if
    /// somebody plays against himself.
    pub fn sides(&self, address: &Address) -> impl Iterator<Item = Color> + '_ {
        let address = address.clone();
        Color::ALL
            .into_iter()
            .filter(move |color| self.speaks_for(*color, &address))
    }

    /// Returns the side this address speaks for; if it is both, the side to
    /// move.
    #[must_use]
    pub fn side_of(&self, address: &Address) -> Option<Color> {
        let mut sides = self.sides(address);
        match (sides.next(), sides.next()) {
            (Some(_), Some(_)) => Some(self.position().turn()),
            (side, _) => side,
        }
    }

    /// Returns the sides that one of the player's addresses speaks for: none,
    /// one, or both.
    #[must_use]
    pub fn sides_of(&self, somebody: &Player) -> Vec<Color> {
        let speaks = |color: &Color| {
            let mut addresses = somebody.addresses().iter();
            addresses.any(|address| self.speaks_for(*color, address))
        };
        Color::ALL.into_iter().filter(speaks).collect()
    }

    /// Returns the time the match began.
    #[must_use]
    pub fn started(&self) -> DateTime<Utc> {
        self.log[0].time
    }

    /// Returns the moves played.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.state.record
    }

    /// Returns the present position.
    #[must_use]
    pub fn position(&self) -> &Position {
        self.state.record.position()
    }

    /// Returns the side to move, or `None` once the match is over.
    #[must_use]
    pub fn turn(&self) -> Option<Color> {
        match self.state.ending {
            None => Some(self.position().turn()),
            Some(_) => None,
        }
    }

    /// Returns the ending, if the match is over.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.state.ending
    }

    /// Returns the side whose offer of a draw stands.
    #[must_use]
    pub fn offer(&self) -> Option<Color> {
        self.state.offer
    }

    /// Returns the side whose proposal to take the last move back stands.
    #[must_use]
    pub fn takeback(&self) -> Option<Color> {
        self.state.takeback
    }

    /// Creates the event of a proposal to take the last move back, or of the
    /// answer to one. It names the move for people who read the log.
    #[must_use]
    pub fn take_back(&self, now: DateTime<Utc>, color: Color, action: Takeback) -> Event {
        let last = self.record().steps().last();
        let lapses = action == Takeback::Accept && self.state.is_offer_of_last_position();
        Event::new(now, EventKind::Takeback, color)
            .argument(action.to_string())
            .key("move", last.map(|step| &step.text))
            .key(OFFER, lapses.then_some(LAPSED))
    }

    /// Returns the time by which the player to move must move, at most the end
    /// of the year 9999.
    #[must_use]
    pub fn deadline(&self) -> Option<DateTime<Utc>> {
        self.turn()?;
        let days = self.settings.time?.days();
        Some(clock::after_days(self.state.since, days))
    }

    /// Returns true if the player to move has exceeded the time limit.
    #[must_use]
    pub fn is_overdue(&self, now: DateTime<Utc>) -> bool {
        self.deadline().is_some_and(|deadline| deadline < now)
    }

    #[must_use]
    pub fn log(&self) -> &[Event] {
        &self.log
    }

    /// Returns true if the log was chained when it was read. Writing the file
    /// adds a missing chain.
    #[must_use]
    pub fn is_chained(&self) -> bool {
        self.is_chained
    }

    /// Returns the owed mail, oldest first.
    #[must_use]
    pub fn owed(&self) -> &[QueuedMail] {
        &self.state.owed
    }

    /// Returns the mails made for a player, sent or not, oldest first.
    pub fn mails_to(&self, to: Color) -> impl Iterator<Item = QueuedMail> + '_ {
        let lines = self.log.iter().enumerate();
        let to_player = lines.filter(move |(_, event)| {
            event.kind == EventKind::Owed && event.who == Who::Player(to)
        });
        to_player.filter_map(|(at, event)| state::owed(at + 1, event).ok())
    }

    /// Returns the first of the events that a message of this player caused, if
    /// the log has any. The other player can send a message under any id, so
    /// that an id alone tells nothing.
    #[must_use]
    pub fn received(&self, from: Color, id: &MessageId) -> Option<&Event> {
        self.log
            .iter()
            .find(|event| event.who == Who::Player(from) && event.came_by(id))
    }

    /// Returns true if the mail with this id was called for or sent.
    #[must_use]
    pub fn mailed(&self, id: &MessageId) -> bool {
        self.log.iter().any(|event| event.went_out_as(id))
    }

    /// Returns the move in the record that came by this message of this player.
    #[must_use]
    pub fn played_by(&self, from: Color, id: &MessageId) -> Option<&str> {
        let mut events = self.state.lines().filter_map(|line| self.log.get(line - 1));
        let event = events.find(|event| event.who == Who::Player(from) && event.came_by(id))?;
        event.argument.as_deref()
    }

    /// Returns the last message that came from this player.
    #[must_use]
    pub fn last_received(&self, from: Color) -> Option<MessageId> {
        let events = self.log.iter().rev();
        events
            .filter(|event| event.who == Who::Player(from))
            .filter(|event| !event.kind.is_of_outgoing_mail())
            .find_map(|event| event.message_id("msg"))
    }

    /// Returns the hash of the match so far. Two players compare it to know
    /// that they are at the same point of the same match. It consists of the
    /// first 16 hexadecimal digits of a SHA-256 over the id, rules, options and
    /// canonical half-moves without marks, each on a line.
    #[must_use]
    pub fn hash(&self) -> String {
        self.hash_of(self.record())
    }

    /// Returns the hash for another record of this match.
    #[must_use]
    pub fn hash_of(&self, record: &Record) -> String {
        hash(self.id(), self.variant(), record)
    }

    /// Returns the hash for these moves of this match, in canonical form.
    #[must_use]
    pub fn hash_of_moves<'m>(&self, moves: impl IntoIterator<Item = &'m str>) -> String {
        hash_of_moves(self.id(), self.variant(), moves)
    }

    /// Returns the match as it was when this line of the log (from 1) was
    /// written.
    ///
    /// # Errors
    ///
    /// If the log has no such line.
    pub fn as_of(&self, line: usize) -> Result<Match, Error> {
        let Some(log) = self.log.get(..line).filter(|log| !log.is_empty()) else {
            return Err(Error::refused(format!("the log has no line {line}")));
        };
        let mut then = Match {
            settings: self.settings.clone(),
            headers: self.headers.clone(),
            is_chained: self.is_chained,
            log: vec![log[0].clone()],
            links: vec![self.links[0]],
            state: State::new(&self.settings.variant, log[0].time),
        };
        for (event, link) in log.iter().zip(&self.links).skip(1) {
            then.push_linked(event.clone(), *link)?;
        }
        Ok(then)
    }

    /// Returns the match as a mail called for on this line of the log (from 1) shows it.
    /// More lines may stand in its log, about mail and words.
    ///
    /// # Errors
    ///
    /// If the log has no such line.
    pub(crate) fn shown_at(&self, line: usize) -> Result<Cow<'_, Match>, Error> {
        match self.log.get(line..) {
            // A mail shows nothing of what has come since, so the log need not be replayed.
            Some(later) if line > 0 && later.iter().all(|event| event.kind.is_aside()) => {
                Ok(Cow::Borrowed(self))
            }
            _ => self.as_of(line).map(Cow::Owned),
        }
    }

    /// Returns the match as it was before each takeback by agreement, the last
    /// one first. Mails from before a takeback refer to that state.
    pub fn before_takebacks(&self) -> impl Iterator<Item = Match> + '_ {
        let accept = Takeback::Accept.to_string();
        let log = self.log().iter().enumerate().rev();
        log.filter(move |(_, event)| {
            event.kind == EventKind::Takeback && event.argument.as_deref() == Some(accept.as_str())
        })
        .filter_map(|(lines, _)| self.as_of(lines).ok())
    }

    /// Adds an event to the log and applies it.
    ///
    /// # Errors
    ///
    /// If the present state does not allow the event. The match stays as it
    /// was.
    pub fn push(&mut self, event: Event) -> Result<(), Error> {
        let link = Link::of(self.last_link().as_str(), &event);
        self.push_linked(event, link)
    }

    /// Returns the state after one more event.
    ///
    /// # Errors
    ///
    /// If the present state does not allow the event.
    pub(crate) fn state_after(&self, event: &Event) -> Result<State, NotAllowed> {
        let mut state = self.state.clone();
        state.apply(self.log.len() + 1, event)?;
        Ok(state)
    }

    /// Checks that it is this player's turn.
    ///
    /// # Errors
    ///
    /// If it is the other player's turn or the match is over, with a message
    /// for this player.
    pub fn must_be_turn(&self, color: Color) -> Result<(), Error> {
        self.state.must_be_turn(color).map_err(Error::refused)
    }

    /// Owes a mail: adds its line to the log, and returns its Message-ID.
    ///
    /// # Errors
    ///
    /// If the log does not accept the line.
    pub fn owe(
        &mut self,
        now: DateTime<Utc>,
        mail: NewMail,
        ids: &MailIds,
    ) -> Result<MessageId, Error> {
        let owed = Event::new(now, EventKind::Owed, mail.to)
            .argument(mail.kind)
            .key("re", mail.re)
            .key("to", mail.address)
            .key("at", mail.at)
            .key("auto", mail.automatic.then_some("yes"))
            .key("text", mail.text);
        let msg = ids.make(self.id(), self.log.len() + 1, self.last_link(), &owed);
        self.push(owed.first_key("msg", &msg))?;
        Ok(msg)
    }

    /// Notes that a mail was sent. Does nothing if the log says so already or
    /// the mail is no longer owed.
    ///
    /// # Errors
    ///
    /// If the log does not accept the line.
    pub fn sent(&mut self, now: DateTime<Utc>, msg: &MessageId, by: &str) -> Result<(), Error> {
        let Some(owed) = self.owed().iter().find(|owed| owed.msg == *msg) else {
            return Ok(());
        };
        let event = Event::new(now, EventKind::Sent, owed.to)
            .argument(&owed.kind)
            .key("msg", Some(msg))
            .key("by", Some(by));
        self.push(event)
    }
}

impl MatchSettings {
    /// Reads the terms from the first line of a log, if the line has them.
    pub(crate) fn of_beginning(id: &Id, event: &Event) -> Option<MatchSettings> {
        let game = header::game(event.argument.as_deref()?).ok()?;
        let variant = header::variant(game, event.get("options").unwrap_or_default()).ok()?;
        let time = event.get("time").map(str::parse).transpose().ok()?;
        let settings = MatchSettings {
            id: id.clone(),
            variant,
            players: [
                event.get("white")?.parse().ok()?,
                event.get("black")?.parse().ok()?,
            ],
            referee: event.get("referee").map(str::parse).transpose().ok()?,
            event: event.get("event").map(ToOwned::to_owned),
            time,
        };
        (event.kind == EventKind::New).then_some(settings)
    }

    /// Creates the first event of the log, which repeats the headers.
    #[must_use]
    pub fn begin(&self, time: DateTime<Utc>) -> Event {
        let options = self.variant.options();
        let options = (!options.is_empty()).then(|| options.join(","));
        let [white, black] = &self.players;
        Event::new(time, EventKind::New, Who::Nobody)
            .argument(self.variant.game().id)
            .key("options", options)
            .key("white", Some(white))
            .key("black", Some(black))
            .key("referee", self.referee.as_ref())
            .key("event", self.event.as_ref())
            .key("time", self.time)
    }
}
