//! A match between two correspondents.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveTime, TimeDelta, Utc};
use lettre::Address;
use sha2::{Digest as _, Sha256};

use crate::mail::message_id::MessageId;
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::match_id::Id;
use crate::matches::action::{Action, Ending};
use crate::matches::article::{Forum, LIST, NewsStep};
use crate::matches::event::{Event, LAPSED, LogEntry, OFFER, Who};
use crate::matches::hash::{Link, hash_of_moves, hashes_of_moves};
use crate::matches::mail::{MailStep, NewMail, QueuedMail};
use crate::matches::mail_id::MailIds;
use crate::matches::player::{Player, is_mailable, is_shared_mailbox, mailbox, same_address};
use crate::matches::state::{self, NotAllowed, State};
use crate::notation::header;
use crate::rules::{Color, Position, Record, Step, Variant};
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
    pub(crate) log: Vec<LogEntry>,
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
    /// The position in which the match begins, if it is not the start of the game. Only a match at
    /// the terminal has one.
    pub start: Option<Position>,
    /// The players, in the order in which they move.
    pub players: [Player; 2],
    /// The address of the referee, if one keeps the match: the players' mails go there
    /// then. A referee's own copy of the match names none.
    pub referee: Option<Address>,
    /// The event the match belongs to.
    pub event: Option<String>,
    /// The time for a move.
    pub time: Option<Days>,
    /// The last day of the invitation.
    pub until: Option<Day>,
    /// The newsgroup that the moves are posted to, if both players have agreed on one.
    pub news: Option<Newsgroup>,
    /// True if moves count from that newsgroup, too.
    pub counts_news: bool,
    /// The mailing list that the positions are mailed to, if both players have agreed on one.
    pub list: Option<Address>,
}

impl Match {
    /// Creates a match that begins now.
    pub fn new(settings: MatchSettings, now: DateTime<Utc>) -> Match {
        let begin = settings.begin(now);
        let link = Link::first(&settings.id, &begin);
        Match::begun(settings, begin, link)
    }

    /// Creates a match whose log has this first line alone.
    pub(crate) fn begun(settings: MatchSettings, begin: LogEntry, link: Link) -> Match {
        Match {
            state: State::new(settings.start(), begin.time),
            log: vec![begin],
            links: vec![link],
            headers: Vec::new(),
            is_chained: true,
            settings,
        }
    }

    /// Returns the terms of the match.
    pub fn settings(&self) -> &MatchSettings {
        &self.settings
    }

    /// Returns the id.
    pub fn id(&self) -> &Id {
        &self.settings.id
    }

    /// Returns the game and its options.
    pub fn variant(&self) -> &Variant {
        &self.settings.variant
    }

    /// Returns a player.
    pub fn player(&self, color: Color) -> &Player {
        &self.settings.players[color.index()]
    }

    /// Returns true if this address speaks for a player: it is one of the
    /// player's, or another sub-address of the same mailbox, or was added in the
    /// match. Where both players have addresses of that mailbox, only the whole
    /// address tells them apart.
    pub fn speaks_for(&self, color: Color, address: &Address) -> bool {
        let player = self.player(color);
        let mut added = self.state.claims.added(color).iter();
        player.has_exactly(address)
            || player.has(address) && !is_shared_mailbox(&self.settings.players, address)
            || added.any(|added| same_address(added, address)) && !self.player(!color).has(address)
    }

    /// Returns the addresses that the players have added.
    pub(crate) fn added_addresses(&self) -> impl Iterator<Item = &Address> {
        let sides = Color::ALL.into_iter();
        sides.flat_map(|side| self.state.claims.added(side))
    }

    /// Returns the sides this address speaks for: none, one, or both if
    /// somebody plays against himself.
    pub fn sides(&self, address: &Address) -> impl Iterator<Item = Color> + '_ {
        let address = address.clone();
        Color::ALL
            .into_iter()
            .filter(move |color| self.speaks_for(*color, &address))
    }

    /// Returns true if this address speaks for a player.
    pub(crate) fn has_player(&self, address: &Address) -> bool {
        self.sides(address).next().is_some()
    }

    /// Returns the side this address speaks for; if it is both, the side to
    /// move.
    pub fn side_of(&self, address: &Address) -> Option<Color> {
        let mut sides = self.sides(address);
        match (sides.next(), sides.next()) {
            (Some(_), Some(_)) => Some(self.position().turn()),
            (side, _) => side,
        }
    }

    /// Returns the sides that one of the player's addresses speaks for: none,
    /// one, or both.
    pub(crate) fn sides_of(&self, somebody: &Player) -> Vec<Color> {
        self.sides_of_any(somebody.addresses())
    }

    /// Returns the sides of the user: in a match at the terminal the other side than the
    /// program's, also where it is not configured who the user is.
    pub(crate) fn own_sides(&self, me: Option<&Player>) -> Vec<Color> {
        let at_terminal = self.program().filter(|_| self.is_at_terminal());
        match (at_terminal, me) {
            (Some((side, _)), _) => vec![!side],
            (None, Some(me)) => self.sides_of(me),
            (None, None) => Vec::new(),
        }
    }

    /// Returns the sides that one of these addresses speaks for.
    pub(crate) fn sides_of_any(&self, addresses: &[Address]) -> Vec<Color> {
        let speaks = |color: &Color| {
            let mut addresses = addresses.iter();
            addresses.any(|address| self.speaks_for(*color, address))
        };
        Color::ALL.into_iter().filter(speaks).collect()
    }

    /// Returns the time the match began.
    pub fn started(&self) -> DateTime<Utc> {
        self.log[0].time
    }

    /// Returns the moves played.
    pub fn record(&self) -> &Record {
        &self.state.record
    }

    /// Returns the present position.
    pub fn position(&self) -> &Position {
        self.state.record.position()
    }

    /// Returns the side to move, or `None` once the match is over.
    pub fn turn(&self) -> Option<Color> {
        let goes_on = self.state.ending.is_none();
        goes_on.then(|| self.position().turn())
    }

    /// Returns the ending, if the match is over.
    pub fn ending(&self) -> Option<Ending> {
        self.state.ending
    }

    /// Returns the side whose offer of a draw stands.
    pub fn offer(&self) -> Option<Color> {
        self.state.offer
    }

    /// Returns the side whose proposal to take the last move back stands.
    pub fn takeback(&self) -> Option<Color> {
        self.state.takeback
    }

    /// Returns the line of the log (from 1) at which the offer of a draw was made that
    /// stands.
    pub(crate) fn offered_at(&self) -> Option<usize> {
        self.done_at(self.offer()?, Action::OfferDraw)
    }

    /// Returns the line of the log (from 1) at which the proposal was made that stands,
    /// to take the last move back.
    pub(crate) fn proposed_at(&self) -> Option<usize> {
        self.done_at(self.takeback()?, Action::ProposeTakeback)
    }

    /// Returns the last line of the log (from 1) at which a player did this.
    fn done_at(&self, by: Color, action: Action) -> Option<usize> {
        let done = Event::Act(action);
        let mut log = self.log.iter();
        let at = log.rposition(|event| event.event == done && event.who == by.into());
        at.map(|at| at + 1)
    }

    /// Creates the line of the log for an action of a player, with what people who read the
    /// log want to know: why a draw is claimed, which move is taken back.
    pub fn entry(&self, now: DateTime<Utc>, action: Action, color: Color) -> LogEntry {
        let lapses = action == Action::AcceptTakeback && self.state.is_offer_of_last_position();
        let (claim, last) = match action {
            Action::ClaimDraw => (self.record().claim(), None),
            Action::ProposeTakeback | Action::AcceptTakeback | Action::DeclineTakeback => {
                (None, self.record().steps().last())
            }
            Action::Move(_)
            | Action::Resign
            | Action::OfferDraw
            | Action::AcceptDraw
            | Action::DeclineDraw
            | Action::DeclineInvitation
            | Action::Withdraw => (None, None),
        };
        LogEntry::new(now, action, color)
            .remark(claim)
            .key("move", last.map(|step| &step.text))
            .key(OFFER, lapses.then_some(LAPSED))
    }

    /// Returns true if a player who was invited has not played yet, so that the invitation can
    /// be declined or withdrawn, and may lapse.
    #[must_use]
    pub fn is_invitation_open(&self) -> bool {
        self.state.is_invitation_open()
    }

    /// Returns the time from which the invitation has lapsed, as long as it is open.
    #[must_use]
    pub fn lapses_at(&self) -> Option<DateTime<Utc>> {
        let until = self.settings.until?;
        self.is_invitation_open().then(|| until.end())
    }

    /// Returns true if the invitation has lapsed, though the log does not say so yet.
    #[must_use]
    pub fn has_lapsed(&self, now: DateTime<Utc>) -> bool {
        self.lapses_at().is_some_and(|time| time <= now)
    }

    /// Returns the time by which the player to move must move, at most the end
    /// of the year 9999.
    pub fn deadline(&self) -> Option<DateTime<Utc>> {
        self.turn()?;
        let days = self.settings.time?.days();
        Some(clock::after_days(self.state.since, days))
    }

    /// Returns true if the player to move has exceeded the time limit.
    pub fn is_overdue(&self, now: DateTime<Utc>) -> bool {
        self.deadline().is_some_and(|deadline| deadline < now)
    }

    pub fn log(&self) -> &[LogEntry] {
        &self.log
    }

    /// Returns true if the log was chained when it was read. Writing the file
    /// adds a missing chain.
    pub fn is_chained(&self) -> bool {
        self.is_chained
    }

    /// Returns the owed mail, oldest first.
    pub fn owed(&self) -> &[QueuedMail] {
        self.state.owed.as_slice()
    }

    /// Returns the mails made for a player, sent or not, oldest first.
    pub fn mails_to(&self, to: Color) -> impl Iterator<Item = QueuedMail> + '_ {
        let lines = self.log.iter().enumerate();
        let to_player = lines.filter(move |(_, event)| event.who == Who::Player(to));
        to_player.filter_map(|(at, event)| state::owed(at + 1, event).ok())
    }

    /// Returns the first of the events that a message of this player caused, if
    /// the log has any. The other player can send a message under any id, so
    /// that an id alone tells nothing.
    pub fn received(&self, from: Color, id: &MessageId) -> Option<&LogEntry> {
        self.log
            .iter()
            .find(|event| event.who == Who::Player(from) && event.came_by(id))
    }

    /// Returns true if the mail with this id was called for or sent.
    pub fn mailed(&self, id: &MessageId) -> bool {
        self.log.iter().any(|event| event.went_out_as(id))
    }

    /// Returns the move in the record that came by this message of this player.
    pub fn played_by(&self, from: Color, id: &MessageId) -> Option<&str> {
        let mut events = self.state.lines().filter_map(|line| self.log.get(line - 1));
        let event = events.find(|event| event.who == Who::Player(from) && event.came_by(id))?;
        event.argument()
    }

    /// Returns the last message that came from this player.
    pub fn last_received(&self, from: Color) -> Option<MessageId> {
        let events = self.log.iter().rev();
        events
            .filter(|event| event.who == Who::Player(from))
            .filter(|event| !event.is_of_outgoing_mail())
            .find_map(|event| event.message_id("msg"))
    }

    /// Returns true if a half-move of this side's stands in the list, be it made here or taken over.
    pub(crate) fn has_moved(&self, side: Color) -> bool {
        let moves = self.record().steps().len();
        moves > usize::from(self.record().start().turn() != side)
    }

    /// Returns the hash of the match so far. Two players compare it to know
    /// that they are at the same point of the same match. It consists of the
    /// first 16 hexadecimal digits of a SHA-256 over the id, rules, options and
    /// canonical half-moves without marks, each on a line.
    pub fn hash(&self) -> String {
        self.hash_of(self.record())
    }

    /// Returns the hash for another record of this match.
    pub(crate) fn hash_of(&self, record: &Record) -> String {
        self.hash_of_moves(record.steps().iter().map(|step| step.text.as_str()))
    }

    /// Returns the hash for these moves of this match, in canonical form.
    pub(crate) fn hash_of_moves<'m>(&self, moves: impl IntoIterator<Item = &'m str>) -> String {
        hash_of_moves(self.id(), self.variant(), moves)
    }

    /// Returns the hash of the match after each number of half-moves, starting with none.
    pub(crate) fn hashes(&self) -> Vec<String> {
        self.hashes_of_moves(self.record().steps().iter().map(|step| step.text.as_str()))
    }

    /// Returns the hash of each beginning of these moves in this match, in canonical form.
    pub(crate) fn hashes_of_moves<'m>(
        &self,
        moves: impl IntoIterator<Item = &'m str>,
    ) -> Vec<String> {
        hashes_of_moves(self.id(), self.variant(), moves)
    }

    /// Returns the lines of the log (from 1) that were written while the record had its first `plies`
    /// half-moves, beginning with the line of the last of them.
    pub(crate) fn lines_after(&self, plies: usize) -> Range<usize> {
        let line = |ply: usize| self.state.lines().nth(ply);
        let first = plies.checked_sub(1).map_or(Some(1), line);
        let end = self.log.len() + 1;
        first.unwrap_or(end)..line(plies).unwrap_or(end)
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
            headers: self.headers.clone(),
            is_chained: self.is_chained,
            ..Match::begun(self.settings.clone(), log[0].clone(), self.links[0])
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
            Some(later) if line > 0 && later.iter().all(LogEntry::is_aside) => {
                Ok(Cow::Borrowed(self))
            }
            _ => self.as_of(line).map(Cow::Owned),
        }
    }

    /// Returns the match as it was before each takeback by agreement, the last
    /// one first. Mails from before a takeback refer to that state.
    pub(crate) fn before_takebacks(&self) -> impl Iterator<Item = Match> + '_ {
        let log = self.log().iter().enumerate().rev();
        let is_takeback = |event: &LogEntry| {
            event.event == Event::Act(Action::AcceptTakeback)
                || event.news_step() == Some(NewsStep::Withdrawn)
        };
        log.filter(move |(_, event)| is_takeback(event))
            .filter_map(|(lines, _)| self.as_of(lines).ok())
    }

    /// Returns the last of these: no more are compared with each letter.
    pub(crate) fn before_last_takebacks(&self) -> impl Iterator<Item = Match> + '_ {
        /// The most takebacks whose moves a letter may still quote.
        const MOST: usize = 8;
        self.before_takebacks().take(MOST)
    }

    /// Takes over the moves of a record, in a match that has just begun.
    ///
    /// # Errors
    ///
    /// If the log does not accept a move.
    pub(crate) fn take_over(&mut self, record: &Record) -> Result<(), Error> {
        let time = self.started();
        for step in record.steps() {
            let turn = self.position().turn();
            self.push(LogEntry::new(time, Action::play(&step.text), turn))?;
        }
        Ok(())
    }

    /// Returns the id of the match that follows this one. Both players' programs come to the
    /// same one, so that there is one such match whoever asks for it, and however often.
    pub(crate) fn rematch_id(&self) -> Id {
        Id::of_digest(&Sha256::digest(format!("rematch\n{}", self.hash())))
    }

    /// Returns the terms of the match that follows this one: the same, with the colours changed.
    pub(crate) fn rematch_settings(&self) -> MatchSettings {
        MatchSettings {
            id: self.rematch_id(),
            players: [Color::Black, Color::White].map(|color| self.proven_player(color)),
            until: None,
            ..self.settings.clone()
        }
    }

    /// Returns true if another match has the terms of the one that follows this one.
    pub(crate) fn is_followed_by(&self, other: &Match) -> bool {
        let (terms, others) = (self.rematch_settings(), other.settings());
        let has_players = Color::ALL.into_iter().all(|color| {
            let player = &terms.players[color.index()];
            player
                .addresses()
                .iter()
                .any(|address| other.speaks_for(color, address))
        });
        terms.id == others.id && terms.variant == others.variant && has_players
    }

    /// Adds an event to the log and applies it.
    ///
    /// # Errors
    ///
    /// If the present state does not allow the event. The match stays as it
    /// was.
    pub fn push(&mut self, event: LogEntry) -> Result<(), Error> {
        let link = Link::of(self.last_link().as_str(), &event);
        self.push_linked(event, link)
    }

    /// Returns the state after one more event.
    ///
    /// # Errors
    ///
    /// If the present state does not allow the event.
    pub(crate) fn state_after(&self, event: &LogEntry) -> Result<State, NotAllowed> {
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
    pub(crate) fn must_be_turn(&self, color: Color) -> Result<(), Error> {
        self.state.must_be_turn(color).map_err(Error::refused)
    }

    /// Checks that an offer of a draw, or a proposal to take a move back, is
    /// this player's first since the position last changed. The log of a match
    /// may have more of them, from other programs or earlier versions.
    ///
    /// # Errors
    ///
    /// If it is not the first. Other events are always allowed.
    pub(crate) fn must_be_first(&self, entry: &LogEntry) -> Result<(), NotAllowed> {
        let mut since = self.since_position();
        let is_repeated = since.any(|other| other.event == entry.event && other.who == entry.who);
        if is_repeated && entry.event == Event::Act(Action::OfferDraw) {
            Err(NotAllowed::OfferedBefore)
        } else if is_repeated && entry.event == Event::Act(Action::ProposeTakeback) {
            Err(NotAllowed::ProposedBefore)
        } else {
            Ok(())
        }
    }

    /// Returns the events since the position last changed, the last one first.
    pub(crate) fn since_position(&self) -> impl Iterator<Item = &LogEntry> {
        let log = self.log().iter().rev();
        log.take_while(|event| !event.changes_position())
    }

    /// Returns the time when the present position came about.
    pub(crate) fn position_since(&self) -> DateTime<Utc> {
        let mut log = self.log().iter().rev();
        let change = log.find(|event| event.changes_position());
        change.map_or_else(|| self.started(), |event| event.time)
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
        let mail = self.at_home(mail);
        let owed = LogEntry::new(now, Event::Mail(MailStep::Owed, Some(mail.kind)), mail.to)
            .key("re", mail.re)
            .key("to", mail.address)
            .key("at", mail.at)
            .key("auto", mail.automatic.then_some("yes"))
            .key("asks", mail.asks)
            .key("puzzle", mail.puzzle.as_ref().map(|puzzle| &puzzle.name))
            .key("text", mail.text)
            .key(
                "solution",
                mail.puzzle.as_ref().map(|puzzle| &puzzle.solution),
            );
        let msg = ids.make(self.id(), self.log.len() + 1, self.last_link(), &owed);
        self.push(owed.first_key("msg", &msg))?;
        Ok(msg)
    }

    /// Notes a mail with the present position that was sent and that the log has lost.
    ///
    /// # Errors
    ///
    /// If the log does not accept a line.
    pub(crate) fn restore_mail(
        &mut self,
        now: DateTime<Utc>,
        to: Color,
        msg: &MessageId,
    ) -> Result<(), Error> {
        let owed = LogEntry::new(
            now,
            Event::Mail(MailStep::Owed, Some("position".into())),
            to,
        );
        self.push(owed.first_key("msg", msg))?;
        self.sent(now, msg, "repair")
    }

    /// Notes that a mail was sent. Does nothing if the log says so already or
    /// the mail is no longer owed.
    ///
    /// # Errors
    ///
    /// If the log does not accept the line.
    pub fn sent(&mut self, now: DateTime<Utc>, msg: &MessageId, by: &str) -> Result<(), Error> {
        let Some(owed) = self.state.owed.find(msg) else {
            return Ok(());
        };
        let event = LogEntry::of_mail(now, MailStep::Sent, owed).key("by", Some(by));
        self.push(event)
    }

    /// Returns the hash of the last line of the log.
    pub(crate) fn last_link(&self) -> Link {
        match self.links.last() {
            Some(link) => *link,
            None => unreachable!("a log has its first line"),
        }
    }

    /// Returns the hash of a line of the log (from 0) whose text is known: it is that
    /// event, behind a line with the hash `previous`, or behind none.
    pub(crate) fn known_link(
        &self,
        at: usize,
        event: &LogEntry,
        previous: Option<Link>,
    ) -> Option<Link> {
        let before = at.checked_sub(1).map(|before| self.links.get(before));
        let is_known = self.log.get(at) == Some(event) && before == previous.as_ref().map(Some);
        self.links.get(at).copied().filter(|_| is_known)
    }

    /// Adds an event to the log, of which the hash is known, and applies it.
    ///
    /// # Errors
    ///
    /// As [`Match::push`].
    pub(crate) fn push_linked(&mut self, event: LogEntry, link: Link) -> Result<(), Error> {
        self.state
            .apply(self.log.len() + 1, &event)
            .map_err(Error::refused)?;
        self.log.push(event);
        self.links.push(link);
        Ok(())
    }

    /// Returns true if the match has a referee with this address, letter by letter.
    pub fn is_referee(&self, address: &Address) -> bool {
        let referee = self.settings().referee.as_ref();
        referee.is_some_and(|referee| same_address(referee, address))
    }

    /// Returns true if both players have agreed on a mailing list of this mailbox.
    pub fn is_list(&self, address: &Address) -> bool {
        let list = self.settings().list.as_ref();
        list.is_some_and(|list| mailbox(list) == mailbox(address))
    }

    /// Returns the address of mail to a player that names no other: the referee's, if
    /// one keeps the match, else the player's first.
    pub(crate) fn mailbox_of(&self, to: Color) -> &Address {
        let referee = self.settings().referee.as_ref();
        referee.unwrap_or(self.player(to).address())
    }

    /// Returns the name of a player as anybody may read it: the one that was given,
    /// if it has no address in it, else the side in the words of the game.
    pub(crate) fn public_name(&self, color: Color) -> &str {
        match self.player(color).given_name() {
            name if name.is_empty() || name.contains('@') => self.variant().player(color),
            name => name,
        }
    }

    /// Returns the terms of the match as a referee tells them to a player: of the other
    /// one they have the name alone.
    pub(crate) fn told_by_referee(&self, to: Color) -> MatchSettings {
        let mut settings = self.settings().clone();
        let stand_in = Player::known_by_name(self.public_name(!to), !to);
        // A name that was given is one, and so is that of a side.
        if let Ok(other) = stand_in {
            settings.players[(!to).index()] = other;
        }
        settings
    }

    /// Returns about how many bytes of memory the match takes.
    pub fn memory(&self) -> usize {
        let events = self.log.iter().map(|event| EVENT + event.size());
        TABLES + events.sum::<usize>() + PLY * (self.record().steps().len() + 1)
    }
}

impl MatchSettings {
    /// Reads the terms from the first line of a log, if the line has them.
    pub(crate) fn of_beginning(id: &Id, event: &LogEntry) -> Option<MatchSettings> {
        let Event::New(Some(game)) = &event.event else {
            return None;
        };
        let game = header::game(game).ok()?;
        let variant = header::variant(game, event.get("options").unwrap_or_default()).ok()?;
        let time = event.get("time").map(str::parse).transpose().ok()?;
        let until = event.get("until").map(str::parse).transpose().ok()?;
        let news = event.get("news").map(str::parse).transpose().ok()?;
        let counts_news = counts_news(event.get("moves"), news.is_some())?;
        let start = event.get("fen");
        let start = start.map(|fen| Position::from_fen(&variant, fen));
        Some(MatchSettings {
            id: id.clone(),
            start: start.transpose().ok()?,
            variant,
            players: [
                event.get("white")?.parse().ok()?,
                event.get("black")?.parse().ok()?,
            ],
            referee: event.get("referee").map(str::parse).transpose().ok()?,
            event: event.get("event").map(ToOwned::to_owned),
            time,
            until,
            news,
            counts_news,
            list: event.get(LIST).map(str::parse).transpose().ok()?,
        })
    }

    /// Writes the terms under their keys. This stands between options.
    pub(crate) fn terms(&self, between: &str) -> [(&'static str, Option<String>); 12] {
        let options = self.variant.options();
        let options = (!options.is_empty()).then(|| options.join(between));
        let [white, black] = &self.players;
        let referee = self.referee.as_ref();
        [
            ("Rules", Some(self.variant.game().id.to_owned())),
            ("Options", options),
            ("FEN", self.start.as_ref().map(Position::fen)),
            ("White", Some(white.to_string())),
            ("Black", Some(black.to_string())),
            ("Referee", referee.map(ToString::to_string)),
            ("Event", self.event.clone()),
            ("Time", self.time.map(|time| time.to_string())),
            ("Until", self.until.map(|day| day.to_string())),
            ("News", self.news.as_ref().map(ToString::to_string)),
            ("Moves", self.counts_news.then(|| NEWS.to_owned())),
            ("List", self.list.as_ref().map(ToString::to_string)),
        ]
    }

    /// Returns the position in which the match begins.
    pub fn start(&self) -> Position {
        self.start.clone().unwrap_or_else(|| self.variant.start())
    }

    /// Returns the address of the mailing list if it is a player's or the referee's, to whom no mail of
    /// a list goes.
    pub(crate) fn list_of_people(&self) -> Option<&Address> {
        let list = self.list.as_ref()?;
        let is_lists = |address: &Address| mailbox(address) == mailbox(list);
        let players = self.players.iter().flat_map(Player::addresses);
        players.chain(&self.referee).any(is_lists).then_some(list)
    }

    /// Returns an address in the terms to which no mail can be written. New terms have none; those
    /// of earlier versions can.
    pub fn without_mail(&self) -> Option<&Address> {
        let players = self.players.iter().flat_map(Player::addresses);
        let mut all = players.chain(&self.referee).chain(&self.list);
        all.find(|address| !is_mailable(address))
    }

    /// Returns the forums that the players have agreed on, or will by playing.
    pub(crate) fn forums(&self) -> Vec<Forum> {
        let news = self.news.clone().map(Forum::Group);
        news.into_iter()
            .chain(self.list.clone().map(Forum::List))
            .collect()
    }

    /// Creates the first event of the log, which repeats the headers.
    pub fn begin(&self, time: DateTime<Utc>) -> LogEntry {
        let [(_, game), terms @ ..] = self.terms(",");
        let begin = LogEntry::new(time, Event::New(game), Who::Nobody);
        terms.into_iter().fold(begin, |begin, (key, value)| {
            begin.key(&key.to_ascii_lowercase(), value)
        })
    }
}

/// The value of `Moves` where moves count from the newsgroup.
pub(crate) const NEWS: &str = "news";

/// Returns whether moves count from a newsgroup, by the value of `Moves`. Returns none for a
/// value that is none, or without a group.
pub(crate) fn counts_news(value: Option<&str>, has_group: bool) -> Option<bool> {
    match value {
        None => Some(false),
        Some(NEWS) if has_group => Some(true),
        Some(_) => None,
    }
}

/// A number of days for a move, 1 to 3650, written `10d`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Days(u16);

impl Days {
    /// The number of days.
    pub const fn days(self) -> u16 {
        self.0
    }
}

impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}d", self.0)
    }
}

/// The error for a text that is no number of days.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{}' is no time for a move: write 1d to 3650d", .0.escape_debug())]
pub struct ParseDaysError(String);

impl FromStr for Days {
    type Err = ParseDaysError;

    fn from_str(text: &str) -> Result<Days, ParseDaysError> {
        text.strip_suffix('d')
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|digits| digits.parse().ok())
            .filter(|days| (1..=3650).contains(days))
            .map(Days)
            .ok_or_else(|| ParseDaysError(text.to_owned()))
    }
}

/// A day of the calendar, written `2026-12-01`. It lasts until it is over everywhere on earth,
/// so that nobody is late whose own calendar still shows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Day(NaiveDate);

impl Day {
    /// Returns the day of a time, by the calendar of UTC.
    pub(crate) fn of(time: DateTime<Utc>) -> Day {
        Day(time.date_naive())
    }

    /// Returns the time at which the day is over everywhere: noon of the next day in UTC, as the
    /// westernmost time zone is twelve hours behind.
    #[must_use]
    pub fn end(self) -> DateTime<Utc> {
        clock::after_days(self.0.and_time(NaiveTime::MIN).and_utc(), 1) + TimeDelta::hours(12)
    }

    /// Writes the day for people: `Tuesday, 1 December 2026`.
    #[must_use]
    pub fn for_people(self) -> String {
        self.0.format("%A, %-d %B %Y").to_string()
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%Y-%m-%d"))
    }
}

/// The error for a text that is no day.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{}' is no day of the years 2000 to 9998: write it like 2026-12-01", .0.escape_debug())]
pub struct ParseDayError(String);

impl FromStr for Day {
    type Err = ParseDayError;

    fn from_str(text: &str) -> Result<Day, ParseDayError> {
        let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().map(Day);
        // Nothing but the form in which it is written.
        day.filter(|day| day.to_string() == text && (2000..=9998).contains(&day.0.year()))
            .ok_or_else(|| ParseDayError(text.to_owned()))
    }
}

/// The bytes of an event besides its text.
const EVENT: usize = 256;

/// Bytes of the tables of its mails, with a mail in each.
const TABLES: usize = 2048;

/// The bytes of a half-move: its position, and what repetition compares of that.
const PLY: usize = 2 * size_of::<Position>() + size_of::<Step>() + 64;

#[cfg(test)]
mod tests {
    use allocation_counter::measure;

    use super::*;
    use crate::matches::action::Action;
    use crate::matches::event::LogEntry;
    use crate::matches::mail::NewMail;
    use crate::matches::mail_id::{IdSecret, MailIds};
    use crate::rules::{Color, Variant};

    /// The cache of matches held as many as ever, however long they were.
    #[test]
    fn a_match_takes_about_as_much_memory_as_it_says() {
        let settings = MatchSettings::sample("m");
        let time = "2026-11-20T03:00:00Z".parse().unwrap();
        let ids = MailIds::new(IdSecret::from_bytes([7; 32]), "example.org");
        let mut game = Match::new(settings, time);
        let mut random = fastrand::Rng::with_seed(7);
        for number in 0..=60 {
            let plies = game.position().single_plies();
            let Some(ply) = random.choice(plies).filter(|_| game.turn().is_some()) else {
                break;
            };
            let side = game.position().turn();
            let event = LogEntry::new(time, Action::play(game.position().text(&ply)), side);
            let from = format!("<{number}.abcdef@players.example.org>");
            game.push(event.key("msg", Some(from))).unwrap();
            for to in Color::ALL {
                let msg = game.owe(time, NewMail::new("position", to), &ids).unwrap();
                game.sent(time, &msg, "smtp").unwrap();
            }
            if number % 20 != 0 {
                continue;
            }
            let mut copy = None;
            let taken = measure(|| copy = Some(game.clone()));
            let (taken, said) = (taken.bytes_current, i64::try_from(game.memory()).unwrap());
            assert!(
                taken <= said && said <= 3 * taken,
                "{number}: {taken}, not {said}"
            );
        }
    }

    impl MatchSettings {
        /// Returns Anna's and Ben's match of Unachess with this id.
        pub(crate) fn sample(id: &str) -> MatchSettings {
            let players = ["Anna <anna@example.org>", "Ben <ben@example.org>"];
            MatchSettings {
                id: id.parse().unwrap(),
                variant: Variant::find("unachess", &[]).unwrap(),
                players: players.map(|who| who.parse().unwrap()),
                referee: None,
                event: None,
                time: None,
                until: None,
                news: None,
                counts_news: false,
                start: None,
                list: None,
            }
        }
    }
}
