//! The state of a match, computed from its log event by event.
//!
//! Only this file defines when an event is allowed, and the reasons why one is not. It checks
//! new events before they are written, and written events when they are read.

mod claimed;
mod mails;
mod news;

use std::cell::Cell;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use lettre::Address;
use thiserror::Error;

use crate::mail::message_id::MessageId;
use crate::mail::transport::FOLDER;
use crate::matches::action::{Action, Ending};
use crate::matches::article::{Articles, CODE, Forum, GROUP, PROOF, QueuedArticle};
use crate::matches::event::{ADDRESS, Event, LAPSED, LogEntry, OFFER, Who};
use crate::matches::mail::{
    MailKind, MailStep, MailWish, MailedPuzzle, NewMail, QueuedMail, UndeliveredMail,
};
use crate::matches::state::claimed::Claims;
use crate::matches::state::mails::{MailList, SentMails};
use crate::rules::notation::ReadError;
use crate::rules::{Color, IllegalMove, Position, Record};

/// The state of a match.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) record: Record,
    /// The side whose offer of a draw stands.
    pub(crate) offer: Option<Color>,
    /// The side whose proposal to take the last move back stands.
    pub(crate) takeback: Option<Color>,
    pub(crate) ending: Option<Ending>,
    /// The time of the event that passed the turn.
    pub(crate) since: DateTime<Utc>,
    /// Mail that was not sent yet, oldest first.
    pub(crate) owed: MailList<QueuedMail>,
    /// Mail that was refused for good, oldest first.
    pub(crate) undelivered: MailList<UndeliveredMail>,
    /// Mail of which a delivery report says that it has not arrived, and whose player has
    /// not written since.
    pub(crate) reported: Vec<UndeliveredMail>,
    /// Mail that was sent since its player moved last, and may be reported.
    sent: SentMails,
    /// The articles in a newsgroup.
    pub(super) articles: Articles,
    /// True if articles have disagreed about the next half-move, which is played by mail then.
    pub(super) is_disputed: bool,
    /// The addresses that came by letters.
    pub(crate) claims: Claims,
    /// The resignation, kept for `undo`.
    resignation: Option<Resignation>,
    /// The changes of each move outside the record, kept for `undo`.
    moves: Vec<Before>,
    invitation: Invitation,
    /// The match that follows this one, once a player has asked for it.
    pub(crate) rematch: Option<String>,
}

/// Who was invited to a match, as far as its log tells.
#[derive(Clone, Debug)]
struct Invitation {
    /// How many moves each side has made since the invitation, those taken back by agreement among
    /// them. Whoever has moved has answered it.
    moves: [usize; 2],
    /// The sides to which an invitation was called for.
    invited: [bool; 2],
    /// The side by whose invitation the match was entered here.
    entered_by: Option<Color>,
}

#[derive(Clone, Debug)]
struct Before {
    line: usize,
    offer: Option<Color>,
    since: DateTime<Utc>,
    /// True if a mail that tells of the move was sent.
    is_reported: bool,
    /// True if it came by what anybody may have read before: an article, or a code that may stand in
    /// one.
    is_by_public: bool,
}

#[derive(Clone, Copy, Debug)]
struct Resignation {
    line: usize,
    /// True if a mail was sent since, or a message has come.
    may_be_known: bool,
}

thread_local! {
    static MOVES: Cell<u64> = const { Cell::new(0) };
    static READINGS: Cell<u64> = const { Cell::new(0) };
}

/// Returns the number of moves this thread has added to matches so far. Tests
/// use it to count how often a match is replayed.
#[doc(hidden)]
pub fn moves_taken_in() -> u64 {
    MOVES.get()
}

/// Returns how many of those moves had to be given to the general reader of moves, which
/// takes many times as long. Canonical text never has to.
#[doc(hidden)]
pub fn logged_moves_interpreted() -> u64 {
    READINGS.get()
}

impl State {
    pub(crate) fn new(start: Position, time: DateTime<Utc>) -> State {
        State {
            record: Record::new(start),
            offer: None,
            takeback: None,
            ending: None,
            since: time,
            owed: MailList::default(),
            undelivered: MailList::default(),
            reported: Vec::new(),
            sent: SentMails::default(),
            articles: Articles::default(),
            is_disputed: false,
            claims: Claims::default(),
            resignation: None,
            moves: Vec::new(),
            invitation: Invitation {
                moves: [0; 2],
                invited: [false; 2],
                entered_by: None,
            },
            rematch: None,
        }
    }

    /// Applies an event from this line of the log.
    ///
    /// # Errors
    ///
    /// If the present state does not allow the event. The state stays as it
    /// was.
    pub(crate) fn apply(&mut self, line: usize, event: &LogEntry) -> Result<(), NotAllowed> {
        self.apply_event(line, event)?;
        self.follow_invitation(line, event);
        let is_message = !event.is_of_outgoing_mail() && event.get("msg").is_some();
        if is_message && let Who::Player(from) = event.who {
            // Who has written has got the mail after all. Who has moved needs no mail from
            // before the move again.
            self.reported.retain(|reported| reported.mail.to != from);
            self.sent.has_written(from);
            if event.is_move() {
                self.sent.forget(from);
            }
        }
        if let Some(resignation) = &mut self.resignation
            && resignation.line < line
            && (is_message || event.tells_others())
        {
            resignation.may_be_known = true;
        }
        Ok(())
    }

    fn apply_event(&mut self, line: usize, event: &LogEntry) -> Result<(), NotAllowed> {
        match &event.event {
            Event::New(_) => Err(NotAllowed::Begun),
            Event::Act(action) => self.act(line, event, action),
            Event::Lapsed => self.lapse(),
            Event::Rematch(id) => self.begin_anew(event, id.as_deref()),
            Event::Undo => self.undo(player(event)?),
            Event::UndoResignation => self.undo_resignation(player(event)?),
            Event::Address(_) => State::check_address(event),
            Event::Mail(step, _) => match step {
                MailStep::Owed => self.owe(line, event),
                MailStep::Sent => self.sent(event),
                MailStep::Failed => self.failed(event),
                MailStep::Requeued => self.requeue(event),
                MailStep::Dropped => self.take_mail(event).map(|_| ()),
                MailStep::Bounced => self.bounce(event),
            },
            Event::Wish(Some(MailWish::NewsOff)) => {
                self.articles.is_stopped = true;
                Ok(())
            }
            Event::News(step) => step.map_or(Ok(()), |step| self.news(line, step, event)),
            Event::Other { .. } => self.refuse_incomplete(event),
            Event::Note(_)
            | Event::Refused(_)
            | Event::Asked(_)
            | Event::Wish(_)
            | Event::Repaired(_)
            | Event::Forgotten(_) => Ok(()),
        }
    }

    fn act(&mut self, line: usize, event: &LogEntry, action: &Action) -> Result<(), NotAllowed> {
        if (action, event.who) == (&Action::Withdraw, Who::Referee) {
            return self.withdraw(None);
        }
        let color = player(event)?;
        match action {
            Action::Move(text) => self.play(line, event, text)?,
            Action::OfferDraw => {
                let by_other = NotAllowed::OfferedByOther;
                self.ask(self.offer, color, NotAllowed::OfferedAlready, by_other)?;
                self.offer = Some(color);
            }
            Action::AcceptDraw => {
                self.answer(self.offer, color, NotAllowed::NoOffer)?;
                self.ending = Some(Ending::Agreed);
            }
            Action::DeclineDraw => {
                self.answer(self.offer, color, NotAllowed::NoOffer)?;
                self.offer = None;
            }
            Action::ClaimDraw => {
                self.must_be_turn(color)?;
                let claim = self.record.claim().ok_or(NotAllowed::NoClaim)?;
                self.ending = Some(Ending::Claimed(claim));
            }
            Action::ProposeTakeback => {
                let by_other = NotAllowed::ProposedByOther;
                self.ask(self.takeback, color, NotAllowed::ProposedAlready, by_other)?;
                if self.record.steps().is_empty() {
                    return Err(NotAllowed::NothingPlayed);
                }
                self.takeback = Some(color);
            }
            Action::AcceptTakeback => {
                self.answer(self.takeback, color, NotAllowed::NoProposal)?;
                let gone = self.lines().last();
                self.unplay();
                self.articles.drop_held(gone, event.time);
                if event.get(OFFER) == Some(LAPSED) {
                    self.offer = None;
                }
                self.since = event.time;
            }
            Action::DeclineTakeback => {
                self.answer(self.takeback, color, NotAllowed::NoProposal)?;
                self.takeback = None;
            }
            Action::DeclineInvitation => {
                self.can_decline(color)?;
                self.ending = Some(Ending::Declined(color));
            }
            Action::Withdraw => self.withdraw(Some(color))?,
            Action::Resign => {
                self.must_go_on()?;
                self.ending = Some(Ending::Resigned(color));
                self.resignation = Some(Resignation {
                    line,
                    may_be_known: false,
                });
            }
        }
        Ok(())
    }

    /// Notes what an event tells of the invitation: who has invited whom, and which moves were
    /// played before it.
    fn follow_invitation(&mut self, line: usize, event: &LogEntry) {
        let known = &mut self.invitation;
        // The line behind those of the beginning: the moves that were played elsewhere.
        let is_next = line == self.moves.len() + 2;
        // A later invitation is to a match that the user has begun.
        self.claims.take(event, is_next && event.time == self.since);
        match &event.event {
            Event::Act(Action::Move(_)) => {
                if let Who::Player(color) = event.who {
                    known.moves[color.index()] += 1;
                }
            }
            Event::Undo => {
                if let Who::Player(color) = event.who {
                    let moves = &mut known.moves[color.index()];
                    *moves = moves.saturating_sub(1);
                }
            }
            Event::Note(None) if is_next => {
                if let Who::Player(color) = event.who {
                    known.entered_by = Some(color);
                    known.moves = [0; 2];
                }
            }
            Event::Mail(MailStep::Owed, Some(MailKind::Invitation)) => {
                if let Who::Player(color) = event.who {
                    // What was played before it was played elsewhere, and is no answer to it.
                    if known.invited == [false; 2] && known.entered_by.is_none() {
                        known.moves = [0; 2];
                    }
                    known.invited[color.index()] = true;
                }
            }
            _ => {}
        }
    }

    /// Returns true if both players have moved in the match.
    pub(crate) fn have_both_played(&self) -> bool {
        Color::ALL.into_iter().all(|side| self.has_played(side))
    }

    /// Returns true if a player has ever moved in the match.
    fn has_played(&self, color: Color) -> bool {
        self.invitation.moves[color.index()] > 0
    }

    /// Returns the player who has invited the other one.
    pub(crate) fn inviter(&self) -> Option<Color> {
        let by_mail = match self.invitation.invited {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            [false, false] | [true, true] => None,
        };
        self.invitation.entered_by.or(by_mail)
    }

    /// Returns true if the match has begun by an invitation on which a player who was invited
    /// has not played.
    pub(crate) fn is_invitation_open(&self) -> bool {
        self.ending.is_none() && !self.is_agreed()
    }

    /// Returns true if everybody but the inviter has played, and so agreed to the terms.
    pub(super) fn is_agreed(&self) -> bool {
        let mut all = Color::ALL.into_iter();
        all.all(|color| self.inviter() == Some(color) || self.has_played(color))
    }

    /// Returns true if the log shows that this player was invited to the match, and has not
    /// played since.
    pub(crate) fn is_invited(&self, color: Color) -> bool {
        self.can_decline(color).is_ok()
    }

    /// Checks that a player can decline the invitation to the match.
    pub(crate) fn can_decline(&self, color: Color) -> Result<(), NotAllowed> {
        self.must_go_on()?;
        let was_invited =
            self.invitation.invited[color.index()] || self.invitation.entered_by == Some(!color);
        if self.inviter() == Some(color) {
            Err(NotAllowed::OwnInvitation)
        } else if self.has_played(color) {
            Err(NotAllowed::PlayedOn(self.name(color)))
        } else if !was_invited {
            Err(NotAllowed::NotInvited)
        } else {
            Ok(())
        }
    }

    /// Checks that a player can withdraw the invitation to the match, or the referee, if no
    /// player is named.
    pub(crate) fn can_withdraw(&self, by: Option<Color>) -> Result<(), NotAllowed> {
        self.must_go_on()?;
        let is_by_referee = self.invitation.invited == [true; 2];
        match by {
            // Two who begin a rematch at once have both invited: in the record of each, the other
            // takes back an invitation that is not in it, which comes to the same as declining.
            Some(color) if !is_by_referee && self.is_invited(color) => Ok(()),
            Some(color) if self.inviter() != Some(color) => Err(NotAllowed::OthersInvitation),
            None if !is_by_referee => Err(NotAllowed::OthersInvitation),
            Some(color) if self.has_played(!color) => Err(NotAllowed::PlayedOn(self.name(!color))),
            None if !self.is_invitation_open() => Err(NotAllowed::PlayedOn("everybody invited")),
            Some(_) | None => Ok(()),
        }
    }

    fn withdraw(&mut self, by: Option<Color>) -> Result<(), NotAllowed> {
        self.can_withdraw(by)?;
        self.ending = Some(Ending::Withdrawn);
        Ok(())
    }

    fn lapse(&mut self) -> Result<(), NotAllowed> {
        self.must_go_on()?;
        if !self.is_invitation_open() {
            return Err(NotAllowed::PlayedOn("everybody invited"));
        }
        self.ending = Some(Ending::Lapsed);
        Ok(())
    }

    /// Notes the match that follows this one, of which there is one.
    fn begin_anew(&mut self, event: &LogEntry, id: Option<&str>) -> Result<(), NotAllowed> {
        if event.who != Who::Referee {
            player(event)?;
        }
        match (self.ending, &self.rematch) {
            (None, _) => Err(NotAllowed::GoesOn),
            // Otherwise one player could begin match after match, and lose each.
            (Some(_), _) if !self.have_both_played() => Err(NotAllowed::NeverPlayed),
            (Some(_), Some(id)) => Err(NotAllowed::FollowedAlready(id.clone())),
            (Some(_), None) => {
                self.rematch = Some(id.ok_or(NotAllowed::NoRematch)?.to_owned());
                Ok(())
            }
        }
    }

    /// Refuses to take back the end of a match that another one follows.
    fn must_be_last(&self) -> Result<(), NotAllowed> {
        match &self.rematch {
            Some(id) => Err(NotAllowed::FollowedAlready(id.clone())),
            None => Ok(()),
        }
    }

    /// Refuses an action without what it needs. What this version does not know at all
    /// changes nothing.
    fn refuse_incomplete(&self, event: &LogEntry) -> Result<(), NotAllowed> {
        match event.event.kind() {
            "move" => {
                self.must_be_turn(player(event)?)?;
                Err(NotAllowed::NoMove)
            }
            "takeback" => {
                player(event)?;
                self.must_go_on()?;
                let word = event.argument().unwrap_or_default();
                Err(NotAllowed::NoTakeback(word.to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Returns the lines of the log, counted from 1, with the moves of the
    /// record.
    pub(crate) fn lines(&self) -> impl Iterator<Item = usize> + '_ {
        self.moves.iter().map(|before| before.line)
    }

    fn name(&self, color: Color) -> &'static str {
        self.record.position().variant().player(color)
    }

    fn must_go_on(&self) -> Result<(), NotAllowed> {
        match self.ending {
            None => Ok(()),
            Some(ending) => Err(NotAllowed::Over(ending)),
        }
    }

    /// Checks that it is this player's turn.
    pub(crate) fn must_be_turn(&self, color: Color) -> Result<(), NotAllowed> {
        self.must_go_on()?;
        if self.record.position().turn() == color {
            return Ok(());
        }
        Err(NotAllowed::NotYourTurn(self.name(!color)))
    }

    fn play(&mut self, line: usize, event: &LogEntry, text: &str) -> Result<(), NotAllowed> {
        MOVES.set(MOVES.get() + 1);
        let mover = player(event)?;
        self.must_be_turn(mover)?;
        if self.record.play_canonical(text).is_none() {
            self.play_by_reading(text)?;
        }
        self.moves.push(Before {
            line,
            offer: self.offer,
            since: self.since,
            is_reported: false,
            is_by_public: event.get(GROUP).is_some() || event.get(PROOF) == Some(CODE),
        });
        self.is_disputed = false;
        if let (Some(id), Ok(Some(group))) = (
            event.message_id("msg"),
            value(event, GROUP, "name of a newsgroup"),
        ) {
            self.articles.posted.push(QueuedArticle {
                line,
                time: event.time,
                id,
                forum: Forum::Group(group),
                at: None,
                // It is the mover's: nobody else's program says that it is taken back.
                last_move: None,
                after: None,
                text: None,
                supersedes: None,
            });
        }
        if self.offer == Some(!mover) {
            self.offer = None;
        }
        self.takeback = None;
        self.since = event.time;
        self.ending = self.record.outcome().map(Ending::Rules);
        Ok(())
    }

    /// Plays a move that cannot be played directly: mostly this only finds out why.
    fn play_by_reading(&mut self, text: &str) -> Result<(), NotAllowed> {
        READINGS.set(READINGS.get() + 1);
        let position = self.record.position();
        let ply = position
            .read(text)
            .map_err(|source| NotAllowed::Unplayable {
                text: text.to_owned(),
                source,
            })?
            .ply;
        let canonical = position.text(&ply);
        if canonical != text {
            return Err(NotAllowed::NotCanonical {
                text: text.to_owned(),
                canonical,
            });
        }
        self.record.play(&ply)?;
        Ok(())
    }

    fn undo(&mut self, color: Color) -> Result<(), NotAllowed> {
        let Some(last) = self.moves.last() else {
            return Err(NotAllowed::NothingPlayed);
        };
        if self.record.position().turn() == color {
            return Err(NotAllowed::NotYourMove(self.name(!color)));
        }
        if matches!(self.ending, Some(ending) if !matches!(ending, Ending::Rules(_))) {
            self.must_go_on()?;
        }
        if last.is_reported {
            return Err(NotAllowed::Told);
        }
        self.must_be_last()?;
        let (line, since) = (last.line, last.since);
        if !self.owes_since(line) {
            return Err(NotAllowed::NeverTold);
        }
        self.unplay();
        self.since = since;
        self.go_on_from(line);
        Ok(())
    }

    /// Returns true if a mail of a later line has not gone.
    fn owes_since(&self, line: usize) -> bool {
        self.unsent().any(|mail| mail.line > line)
    }

    /// Returns the mail that is owed or was refused for good.
    pub(super) fn unsent(&self) -> impl Iterator<Item = &QueuedMail> {
        let refused = self.undelivered.as_slice().iter();
        let owed = self.owed.as_slice().iter();
        owed.chain(refused.map(|refused| &refused.mail))
    }

    /// Returns the mail with this Message-ID that is owed or was refused for good.
    pub(super) fn unsent_mail(&self, msg: &MessageId) -> Option<&QueuedMail> {
        let refused = || self.undelivered.find(msg).map(|refused| &refused.mail);
        self.owed.find(msg).or_else(refused)
    }

    /// Takes back the end of the match on a line, and the mail and articles of later lines.
    fn go_on_from(&mut self, line: usize) {
        self.ending = None;
        self.articles.end_at(line);
        self.owed.retain(|owed| owed.line < line);
        self.undelivered.retain(|refused| refused.line < line);
    }

    /// Takes a resignation back that no mail has reported. No message may have come since
    /// either: it was answered, or left, as one to a match that is over.
    fn undo_resignation(&mut self, color: Color) -> Result<(), NotAllowed> {
        let Some(Resignation { line, may_be_known }) = self.resignation else {
            return Err(NotAllowed::NoResignation);
        };
        if self.ending != Some(Ending::Resigned(color)) {
            return Err(NotAllowed::NoResignation);
        }
        self.must_be_last()?;
        if may_be_known || !self.owes_since(line) {
            return Err(NotAllowed::ResignationKnown);
        }
        self.resignation = None;
        self.go_on_from(line);
        Ok(())
    }

    /// Removes the last move from the record.
    fn unplay(&mut self) {
        self.is_disputed = false;
        let Some(before) = self.moves.pop() else {
            return;
        };
        self.record.undo();
        // An offer by the other player that stands now was made after the move,
        // since the move ended any older one.
        let mover = self.record.position().turn();
        if self.offer != Some(!mover) {
            self.offer = before.offer;
        }
        self.takeback = None;
    }

    /// Returns true if to take the last move back would leave an offer standing that was
    /// not made in the position that comes back, or was declined since. The log says so,
    /// since in logs of earlier versions such an offer could still be accepted.
    pub(crate) fn is_offer_of_last_position(&self) -> bool {
        let mover = !self.record.position().turn();
        match self.moves.last().and_then(|last| last.offer) {
            // The move ended it.
            Some(before) if before != mover => false,
            None => self.offer == Some(!mover),
            Some(_) => self.offer != Some(mover),
        }
    }

    /// Checks that this player can offer or propose what nobody has yet.
    fn ask(
        &self,
        asked: Option<Color>,
        color: Color,
        already: NotAllowed,
        by_other: fn(&'static str) -> NotAllowed,
    ) -> Result<(), NotAllowed> {
        self.must_go_on()?;
        match asked {
            None => Ok(()),
            Some(other) if other == color => Err(already),
            Some(other) => Err(by_other(self.name(other))),
        }
    }

    /// Checks that this player can answer what the other has offered or proposed.
    fn answer(
        &self,
        asked: Option<Color>,
        color: Color,
        nothing: fn(&'static str) -> NotAllowed,
    ) -> Result<(), NotAllowed> {
        self.must_go_on()?;
        if asked == Some(!color) {
            return Ok(());
        }
        Err(nothing(self.name(!color)))
    }

    fn owe(&mut self, line: usize, event: &LogEntry) -> Result<(), NotAllowed> {
        let owed = owed(line, event)?;
        if self.owed.has(&owed.msg) || self.undelivered.has(&owed.msg) {
            return Err(NotAllowed::OwedAlready);
        }
        self.owed.insert(line, owed);
        Ok(())
    }

    fn sent(&mut self, event: &LogEntry) -> Result<(), NotAllowed> {
        let msg = event.message_id("msg").ok_or(NotAllowed::NoMessageId)?;
        // A mail that no line owes was sent by other means, and counts as the
        // mail of the last move.
        let owed = self.owed.take(&msg);
        let is_puzzle = owed
            .as_ref()
            .is_some_and(|owed| owed.kind == MailKind::Puzzle);
        if !is_puzzle {
            self.is_told(owed.as_ref().map(|owed| owed.line));
        }
        if let Some(mail) = owed {
            self.sent.add(mail, event.get("by") == Some(FOLDER));
        }
        Ok(())
    }

    /// Notes that others know the last move, if what told them was called for behind it.
    pub(super) fn is_told(&mut self, line: Option<usize>) {
        if let Some(last) = self.moves.last_mut()
            && line.is_none_or(|line| line > last.line)
        {
            last.is_reported = true;
        }
    }

    /// Owes a mail again that was reported undelivered.
    fn bounce(&mut self, event: &LogEntry) -> Result<(), NotAllowed> {
        let msg = event.message_id("msg").ok_or(NotAllowed::NoMessageId)?;
        let mail = self.sent.report(&msg).ok_or(NotAllowed::NotReportable)?;
        self.owe_again(mail.clone());
        self.reported.push(undelivered(mail, event));
        Ok(())
    }

    /// Owes a mail in its place among those that are owed.
    fn owe_again(&mut self, mail: QueuedMail) {
        self.owed.insert(mail.line, mail);
    }

    /// Returns the mails that lie in a folder.
    pub(super) fn filed(&self) -> impl Iterator<Item = &QueuedMail> {
        self.sent.filed()
    }

    /// Returns the mail with this Message-ID, if a delivery report about it can count.
    pub(super) fn reportable(&self, msg: &MessageId) -> Option<&QueuedMail> {
        self.sent.reportable(msg)
    }

    fn check_address(event: &LogEntry) -> Result<(), NotAllowed> {
        player(event)?;
        address(event, ADDRESS).map(|_| ())
    }

    fn failed(&mut self, event: &LogEntry) -> Result<(), NotAllowed> {
        let msg = event.message_id("msg").ok_or(NotAllowed::NoMessageId)?;
        let address = address(event, "to")?;
        let mut owed = self.owed.take(&msg).ok_or(NotAllowed::NotOwed)?;
        owed.mail.address = address.or(owed.mail.address);
        self.reported.retain(|reported| reported.mail.msg != msg);
        self.undelivered.push(undelivered(owed, event));
        Ok(())
    }

    fn requeue(&mut self, event: &LogEntry) -> Result<(), NotAllowed> {
        let address = address(event, "to")?;
        let mut again = self.take_mail(event)?;
        again.mail.address = address.or(again.mail.address);
        self.owe_again(again);
        Ok(())
    }

    /// Removes the mail with an event's Message-ID, owed or refused.
    fn take_mail(&mut self, event: &LogEntry) -> Result<QueuedMail, NotAllowed> {
        let msg = event.message_id("msg").ok_or(NotAllowed::NoMessageId)?;
        if let Some(owed) = self.owed.take(&msg) {
            self.reported.retain(|reported| reported.mail.msg != msg);
            return Ok(owed);
        }
        let refused = self.undelivered.take(&msg).ok_or(NotAllowed::NotOwed)?;
        Ok(refused.mail)
    }
}

/// Returns the address of an event under a key, if it has one.
fn address(event: &LogEntry, key: &'static str) -> Result<Option<Address>, NotAllowed> {
    value(event, key, "mail address")
}

/// Returns the value of an event under a key, if it has one, which is to be a `what`.
pub(super) fn value<T: FromStr>(
    event: &LogEntry,
    key: &'static str,
    what: &'static str,
) -> Result<Option<T>, NotAllowed> {
    let parsed = event.get(key).map(|text| {
        text.parse().map_err(|_| NotAllowed::BadValue {
            key,
            value: text.to_owned(),
            what,
        })
    });
    parsed.transpose()
}

/// Returns a mail that was refused or reported undelivered by an event.
fn undelivered(mail: QueuedMail, event: &LogEntry) -> UndeliveredMail {
    UndeliveredMail {
        mail,
        time: event.time,
        reason: event.get("text").unwrap_or_default().to_owned(),
    }
}

fn player(event: &LogEntry) -> Result<Color, NotAllowed> {
    match event.who {
        Who::Player(color) => Ok(color),
        Who::Referee | Who::Nobody => Err(NotAllowed::NoPlayer {
            event: event.event.kind().to_owned(),
            who: event.who.to_string(),
        }),
    }
}

/// Returns the mail that a line of the log owes.
pub(super) fn owed(line: usize, event: &LogEntry) -> Result<QueuedMail, NotAllowed> {
    let Event::Mail(MailStep::Owed, kind) = &event.event else {
        return Err(NotAllowed::NotOwed);
    };
    let to = player(event)?;
    let kind = kind.clone().ok_or(NotAllowed::NoKind)?;
    let msg = event.message_id("msg").ok_or(NotAllowed::NoMessageId)?;
    Ok(QueuedMail {
        line,
        time: event.time,
        msg,
        mail: NewMail {
            to,
            kind,
            re: value(event, "re", "Message-ID")?,
            address: address(event, "to")?,
            at: value(event, "at", "number of half-moves")?,
            text: event.get("text").map(ToOwned::to_owned),
            asks: event.get("asks").map(ToOwned::to_owned),
            automatic: event.get("auto") == Some("yes"),
            puzzle: event.get("puzzle").map(|name| MailedPuzzle {
                name: name.to_owned(),
                solution: event.get("solution").unwrap_or_default().to_owned(),
            }),
        },
    })
}

/// Why a match does not allow an event in its present state. `Display` writes a
/// sentence for players, without its full stop. It names the sides as the
/// match's game does: White, Sente.
#[derive(Clone, Debug, Error)]
pub enum NotAllowed {
    /// The log contains a second `new`.
    #[error("the match has begun already")]
    Begun,
    /// The match is over.
    #[error("the game is over, {0}")]
    Over(Ending),
    /// The match goes on.
    #[error("the match is not over")]
    GoesOn,
    /// A player has not moved in the match.
    #[error("not both players have moved in this match, so there is nothing to play again")]
    NeverPlayed,
    /// The match is followed by the named one.
    #[error("the match {0} follows this one already")]
    FollowedAlready(String),
    /// A `rematch` without the id of the match.
    #[error("a rematch needs its id")]
    NoRematch,
    /// The named side has played since it was invited.
    #[error("{0} has played on the invitation")]
    PlayedOn(&'static str),
    /// The player has made the invitation.
    #[error("the invitation is yours: who has made it withdraws it")]
    OwnInvitation,
    /// The log has no invitation to the player.
    #[error("no invitation to decline is known here: whoever plays no more resigns")]
    NotInvited,
    /// Somebody else has made the invitation.
    #[error("the invitation is not yours: who was invited declines it")]
    OthersInvitation,
    /// It is the turn of the named side.
    #[error("it is {0}'s turn")]
    NotYourTurn(&'static str),
    /// The named side made the last move.
    #[error("the last move was {0}'s")]
    NotYourMove(&'static str),
    /// There is no move to take back.
    #[error("nothing has been played")]
    NothingPlayed,
    /// The move cannot be read or is not legal.
    #[error("'{text}' cannot be played: {source}")]
    Unplayable {
        /// The move as it was written.
        text: String,
        /// The error in the move.
        source: ReadError,
    },
    /// The move is not in canonical form.
    #[error("'{text}' is written {canonical} in a log")]
    NotCanonical {
        /// The move as it was written.
        text: String,
        /// Its canonical form.
        canonical: String,
    },
    /// The record does not accept the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// A mail has brought the last move to the opponent.
    #[error("the mail or the article that tells of the last move has gone")]
    Told,
    /// No mail of this program brought the last move.
    #[error("the last move was not told by mail, so it counts as known")]
    NeverTold,
    /// This player has not resigned.
    #[error("there is no resignation of yours to take back")]
    NoResignation,
    /// Others may know of the resignation.
    #[error("since the resignation a mail has gone or come, so it counts as known")]
    ResignationKnown,
    /// The player has already offered a draw.
    #[error("the draw is offered already")]
    OfferedAlready,
    /// The named side has offered a draw.
    #[error("{0} has offered a draw, which can be accepted")]
    OfferedByOther(&'static str),
    /// The player has offered a draw since the position last changed.
    #[error(
        "a draw was offered already since the last move; it can be offered again after the next"
    )]
    OfferedBefore,
    /// The named side has not offered a draw.
    #[error("no offer of a draw by {0} stands")]
    NoOffer(&'static str),
    /// No draw can be claimed.
    #[error(
        "the position has not occurred three times, nor have 50 moves gone by without a pawn move, a capture or a drop"
    )]
    NoClaim,
    /// The player has already proposed to take the last move back.
    #[error("that is proposed already")]
    ProposedAlready,
    /// The named side has proposed to take the last move back.
    #[error("{0} has proposed it, which can be accepted")]
    ProposedByOther(&'static str),
    /// The player has proposed a take-back since the position last changed.
    #[error(
        "that was proposed already since the last move; it can be proposed again after the next"
    )]
    ProposedBefore,
    /// The named side has not proposed to take the last move back.
    #[error("no proposal by {0} to take a move back stands")]
    NoProposal(&'static str),
    /// An event `takeback` does not say what is done.
    #[error("'{0}' is none of propose, accept and decline")]
    NoTakeback(String),
    /// Only players can do this.
    #[error("'{event}' is a player's to do, not '{who}'")]
    NoPlayer {
        /// The event's word.
        event: String,
        /// The `WHO` of the event.
        who: String,
    },
    /// A `move` without its move.
    #[error("a move needs its text")]
    NoMove,
    /// An `owed` without its kind.
    #[error("the kind of mail is missing")]
    NoKind,
    /// A mail without its Message-ID.
    #[error("there is no msg= with a Message-ID")]
    NoMessageId,
    /// An article without its newsgroup or mailing list.
    #[error("an article needs the group= or the list= that it is for")]
    NoForum,
    /// Two mails or articles of one Message-ID.
    #[error("a mail of that Message-ID is owed already")]
    OwedAlready,
    /// A mail that is neither owed nor was refused.
    #[error("no mail of that Message-ID is owed")]
    NotOwed,
    /// A delivery report about a mail that has not gone, or of which the player has shown
    /// that it arrived, or one after another.
    #[error("no mail of that Message-ID waits for a word about its delivery")]
    NotReportable,
    /// The value of a key cannot be read.
    #[error("{key}={value} is no {what}")]
    BadValue {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
        /// The expected kind of value.
        what: &'static str,
    },
}
