//! Messages that programs send: delivery reports and a referee's mail are read.
//!
//! The program of a match's referee keeps the match and sends each player the other's moves.
//! Such a mail is information: at most one move of it is entered, and nothing is answered.
//!
//! A delivery report needs no proof of who wrote it: whoever has a mail can forge a report
//! about it. So it does no more than have that mail sent to its own recipient once again.
//! Nobody gets an answer or a notice.

use lettre::Address;

use crate::Error;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::{match_lookup, referee, sender_authentication};
use crate::mail::message::delivery_report::DeliveryReport;
use crate::mail::quoting::sent::Sent;
use crate::match_id::Id;
use crate::matches::action::Action;
use crate::matches::event::{Disposition, Event, LogEntry};
use crate::matches::mail_id;
use crate::matches::mail_id::looks_made_for;
use crate::matches::r#match::Match;
use crate::notation::reader::{self, classify};
use crate::referee::handler::{Candidates, Handler};
use crate::referee::verdict::{Effect, Verdict};
use crate::rules::Color;
use crate::store::store::{Store as _, Stored, update};

impl Handler<'_> {
    /// Returns true if a program's message may be one that is read.
    pub(crate) fn may_be_read(message: &IncomingMessage) -> bool {
        message.report.is_some() || referee::may_send(message)
    }

    /// Handles a delivery report, a referee's mail, and whatever else a program has sent.
    /// Returns none if a person may have written the message.
    ///
    /// # Errors
    ///
    /// If the message must come again.
    pub(crate) fn read_from_program(
        &mut self,
        message: &IncomingMessage,
        candidates: &Candidates,
    ) -> Result<Option<Verdict>, Error> {
        let mut read = self.read_delivery_report(message, candidates)?;
        if read.is_none() && referee::may_send(message) {
            read = self.read_from_referee(message, candidates)?;
        }
        Ok(read.or_else(|| {
            let machine = message.machine.as_ref()?;
            Some(Verdict::of(
                message.id.clone(),
                Disposition::Ignored,
                machine,
            ))
        }))
    }
}

impl Handler<'_> {
    /// Takes a message from the referee of a match that the user plays. Returns none if
    /// it is not from one. The subject names the match: the text may carry the words of
    /// a player, which could name another.
    ///
    /// # Errors
    ///
    /// If the message must come again: it could not be saved, or is a program's and
    /// about a match that cannot be read.
    pub(crate) fn read_from_referee(
        &mut self,
        message: &IncomingMessage,
        candidates: &Candidates,
    ) -> Result<Option<Verdict>, Error> {
        let Some(sender) = &message.sender else {
            return Ok(None);
        };
        let is_named = |id: &Id| match_lookup::is_in_subject(message, id);
        let found = candidates.games().find_map(|game| {
            let is_about = game.is_referee(sender) && is_named(game.id());
            Some((game, self.opponent(game)?)).filter(|_| is_about)
        });
        let Some((game, opponent)) = found else {
            let hidden = candidates.survey.damaged.iter();
            let mut hidden = hidden.filter(|(id, _)| is_named(id));
            return match hidden.next().filter(|_| message.machine.is_some()) {
                Some((id, why)) => {
                    self.deferrals.add([id.clone()]);
                    Err(Error::refused(why.clone()))
                }
                None => Ok(None),
            };
        };
        let id = game.id();
        let report =
            |word, reason: &str| Some(Verdict::of(message.id.clone(), word, reason).about(id));
        let policy = &self.session.config.policy;
        let checked = sender_authentication::check_referee(policy, message, game, opponent);
        if let Err(reason) = checked {
            return Ok(report(Disposition::Stranger, &reason.to_string()));
        }
        self.deferrals.check(id)?;
        let entered = self.enter(message, game, opponent);
        if entered.is_err() {
            self.deferrals.add([id.clone()]);
        }
        let (word, effect) = entered?;
        Ok(match word {
            Disposition::Ignored => report(
                Disposition::Ignored,
                "it is the referee's, and its list has no next move of the opponent",
            ),
            word => report(word, "").map(|report| report.doing(effect)),
        })
    }

    /// Enters the opponent's move that a referee's mail tells of, if it does.
    fn enter(
        &self,
        message: &IncomingMessage,
        game: &Match,
        opponent: Color,
    ) -> Result<(Disposition, Option<Effect>), Error> {
        let read = self.cache.read(game.id())?;
        let entry = |event| {
            let entry = LogEntry::new(self.session.now, event, opponent);
            entry.key("msg", Some(&message.id))
        };
        // The first mail is noted, so that the player's first mail can answer it: the
        // referee's policy may ask for that.
        let note = |game: &mut Match| {
            let is_first = game.last_received(opponent).is_none();
            if !is_first || !looks_made_for(game.id(), &message.id) {
                return Ok(Disposition::Ignored);
            }
            game.push(entry(Event::Note(None)))?;
            Ok(Disposition::Note)
        };
        let (word, stored) = update(&*self.cache, read, |game| {
            if game.received(opponent, &message.id).is_some() {
                return Ok(Disposition::Duplicate);
            }
            if game.turn() != Some(opponent) {
                return note(game);
            }
            let lines = classify(&message.text, &Sent::nothing());
            let text = reader::read_lines(lines, game.variant());
            let Some(next) = referee::next_move(game, &text) else {
                return note(game);
            };
            game.push(entry(Action::play(next).into()))?;
            Ok(Disposition::Accepted)
        })?;
        let is_new = matches!(word, Disposition::Accepted | Disposition::Note);
        let event = stored.game.log().last().filter(|_| is_new);
        let effect = event.map(|event| Effect::of(opponent, vec![event.clone()], &stored.game));
        Ok((word, effect))
    }

    /// Returns true if a letter is the opponent's, in a match that a referee keeps. The
    /// opponent's moves come from the referee alone, so that both have the same.
    pub(crate) fn bypasses_referee(&self, game: &Match, side: Color) -> bool {
        game.settings().referee.is_some() && self.opponent(game) == Some(side)
    }

    /// Returns the side of the user's opponent, if the user plays one side.
    fn opponent(&self, game: &Match) -> Option<Color> {
        match game.sides_of(&self.session.me.player).as_slice() {
            [side] => Some(!*side),
            _ => None,
        }
    }
}

impl Handler<'_> {
    /// Handles a delivery report about a mail of one of these matches. Returns none if
    /// the message is none, or there is no such mail.
    ///
    /// # Errors
    ///
    /// If the report must come again.
    pub(crate) fn read_delivery_report(
        &mut self,
        message: &IncomingMessage,
        candidates: &Candidates,
    ) -> Result<Option<Verdict>, Error> {
        let Some(delivery) = &message.report else {
            return Ok(None);
        };
        let msg = &delivery.message;
        let is_ours = |game: &Match| mail_id::is_of(msg, game.id()) && game.mailed(msg);
        let Some(stored) = candidates.find(is_ours) else {
            let hidden = candidates
                .survey
                .damaged
                .iter()
                .find(|(id, _)| mail_id::is_of(msg, id));
            return match hidden {
                Some((id, why)) => {
                    self.deferrals.add([id.clone()]);
                    Err(Error::refused(why))
                }
                None => Ok(None),
            };
        };
        let id = stored.game.id();
        self.deferrals.check(id)?;
        let read = self.read_report_about(message, delivery, stored);
        if read.is_err() {
            self.deferrals.add([id.clone()]);
        }
        read.map(Some)
    }

    /// Handles a delivery report about a mail of this match.
    fn read_report_about(
        &self,
        message: &IncomingMessage,
        delivery: &DeliveryReport,
        stored: &Stored,
    ) -> Result<Verdict, Error> {
        let (id, msg) = (stored.game.id(), &delivery.message);
        let report = |word, reason: String| Verdict::of(message.id.clone(), word, reason).about(id);
        if stored.game.has_report(&message.id) {
            // The mail may still be owed.
            let known = report(Disposition::Duplicate, String::new());
            return Ok(known.owing(id));
        }
        let failed = delivery.failed.iter();
        let failed: Vec<(Vec<Address>, String)> = failed
            .map(|failed| (failed.addresses.clone(), failed.reason.clone()))
            .collect();
        let now = self.session.now;
        let (refusal, stored) = update(&*self.cache, self.cache.read(id)?, |game| {
            Ok(game.mail_reported(now, &message.id, msg, &failed).err())
        })?;
        if let Some(why) = refusal {
            let why = format!("it is a delivery report that does not count: {why}");
            return Ok(report(Disposition::Ignored, why));
        }
        let mut reported = stored.game.reported().iter();
        let reported = reported.find(|reported| reported.mail.msg == *msg);
        let words = reported.map(|reported| {
            let to = stored.game.address_of(&reported.mail);
            format!(
                "the mail to {to} has not arrived ({}); it is sent once again",
                reported.reason
            )
        });
        let marked = report(Disposition::Undelivered, words.unwrap_or_default());
        Ok(marked.owing(id))
    }
}
