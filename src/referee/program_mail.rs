//! Messages that programs send: delivery reports and a referee's mail are read.
//!
//! The program of a match's referee keeps the match and sends each player the other's moves.
//! Such a mail is information: at most one move of it is entered, and nothing is answered.
//!
//! A delivery report needs no proof of who wrote it: whoever has a mail can forge a report
//! about it. So it does no more than have that mail sent to its own recipient once again, and one
//! about a mail to a mailing list, which many have, is only shown.
//! Nobody gets an answer or a notice.

use lettre::Address;

use crate::Error;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::{match_lookup, sender_authentication};
use crate::mail::message::automated::Automated;
use crate::mail::message::delivery_report::DeliveryReport;
use crate::mail::quoting::line::Author;
use crate::mail::quoting::sent::Sent;
use crate::match_id::Id;
use crate::matches::action::Action;
use crate::matches::event::{Disposition, Event, LogEntry};
use crate::matches::mail_id::{self, looks_made_for};
use crate::matches::r#match::Match;
use crate::notation::header;
use crate::notation::moves::Manner;
use crate::notation::reader::{self, ParsedText, PartKind, classify};
use crate::referee::candidates::Candidates;
use crate::referee::handler::Handler;
use crate::referee::verdict::{Effect, Verdict};
use crate::rules::Color;
use crate::rules::notation::Voice;
use crate::store::store::{Store as _, update};

impl Handler<'_> {
    /// Returns true if a program's message may be one that is read.
    pub(crate) fn may_be_read(message: &IncomingMessage) -> bool {
        let is_of_list = message.machine.as_ref().is_some_and(Automated::is_of_list);
        message.report.is_some() || may_send(message) || is_of_list
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
        if read.is_none() && may_send(message) {
            read = self.read_from_referee(message, candidates)?;
        }
        if read.is_none() && message.machine.as_ref().is_some_and(Automated::is_of_list) {
            if Self::comes_by_list(message, candidates) {
                return Ok(None);
            }
            // It may come by the list of a match that cannot be read.
            read = self.defer_if_hidden(candidates, |_| true)?;
        }
        Ok(read.or_else(|| Verdict::of_machine(message)))
    }

    /// Defers a program's message about a match that cannot be read. Nothing becomes of one
    /// that is about none.
    fn defer_if_hidden(
        &mut self,
        candidates: &Candidates,
        is_about: impl Fn(&Id) -> bool,
    ) -> Result<Option<Verdict>, Error> {
        let mut hidden = candidates.survey.damaged.iter();
        let Some((id, why)) = hidden.find(|(id, _)| is_about(id)) else {
            return Ok(None);
        };
        self.deferrals.add([id.clone()]);
        Err(Error::refused(why))
    }

    /// Takes a message from the referee of a match that the user plays. Returns none if
    /// it is not from one. The subject names the match: the text may carry the words of
    /// a player, which could name another.
    ///
    /// # Errors
    ///
    /// If the message must come again: it could not be saved, or is a program's and
    /// about a match that cannot be read.
    fn read_from_referee(
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
            let is_hidden = |id: &Id| message.machine.is_some() && is_named(id);
            return self.defer_if_hidden(candidates, is_hidden);
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
        let (word, effect) = entered.inspect_err(|_| self.deferrals.add([id.clone()]))?;
        let reason = match word {
            Disposition::Ignored => {
                "it is the referee's, and its list has no next move of the opponent"
            }
            _ => "",
        };
        Ok(report(word, reason).map(|report| Verdict { effect, ..report }))
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
            let Some(next) = next_move(game, &text) else {
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

    /// Handles a delivery report about a mail of one of these matches. Returns none if
    /// the message is none, or there is no such mail.
    ///
    /// # Errors
    ///
    /// If the report must come again.
    fn read_delivery_report(
        &mut self,
        message: &IncomingMessage,
        candidates: &Candidates,
    ) -> Result<Option<Verdict>, Error> {
        let Some(delivery) = &message.report else {
            return Ok(None);
        };
        let msg = &delivery.message;
        let is_ours = |game: &Match| {
            mail_id::is_of(msg, game.id()) && (game.mailed(msg) || game.article(msg).is_some())
        };
        let Some(game) = candidates.games().find(|game| is_ours(game)) else {
            return self.defer_if_hidden(candidates, |id| mail_id::is_of(msg, id));
        };
        let id = game.id();
        self.deferrals.check(id)?;
        let read = self.read_report_about(message, delivery, game);
        let read = read.inspect_err(|_| self.deferrals.add([id.clone()]));
        read.map(Some)
    }

    /// Handles a delivery report about a mail of this match.
    fn read_report_about(
        &self,
        message: &IncomingMessage,
        delivery: &DeliveryReport,
        game: &Match,
    ) -> Result<Verdict, Error> {
        let (id, msg) = (game.id(), &delivery.message);
        let report = |word, reason: String| Verdict::of(message.id.clone(), word, reason).about(id);
        if game.has_report(&message.id) {
            // The mail may still be owed.
            let known = report(Disposition::Duplicate, String::new());
            return Ok(known.owing(id));
        }
        let failed = delivery.failed.iter();
        let failed: Vec<(Vec<Address>, String)> = failed
            .map(|failed| (failed.addresses.clone(), failed.reason.clone()))
            .collect();
        let now = self.session.now;
        let is_article = game.article(msg).is_some();
        let (refusal, stored) = update(&*self.cache, self.cache.read(id)?, |game| {
            let marked = if is_article {
                game.article_reported(now, &message.id, msg, &failed)
            } else {
                game.mail_reported(now, &message.id, msg, &failed)
            };
            Ok(marked.err())
        })?;
        if let Some(why) = refusal {
            let why = format!("it is a delivery report that does not count: {why}");
            return Ok(report(Disposition::Ignored, why));
        }
        let mut articles = stored.game.reported_articles().iter();
        if let Some(reported) = articles.find(|reported| reported.article.id == *msg) {
            let words = format!(
                "the mail to the list {} has not arrived ({})",
                reported.article.forum, reported.reason
            );
            return Ok(report(Disposition::Undelivered, words));
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

/// The rows of moves that are tried, from the foot of the mail upwards. The list of our
/// mails stands there.
const ROWS: usize = 16;

/// Returns true if a referee's program may have sent the message. It marks its mails as
/// automatic.
fn may_send(message: &IncomingMessage) -> bool {
    matches!(message.machine, None | Some(Automated::AutoSubmitted))
}

/// Returns the move, in canonical form, by which the list of a referee's mail goes
/// further than the record. Returns none if the list does not agree with the record and
/// go exactly one legal move further.
///
/// The foot of the mail decides: its hash covers every move of the referee's record.
/// Words of the opponent that the mail carries stand above it, so that no list and no
/// foot among them count.
fn next_move(game: &Match, text: &ParsedText<'_>) -> Option<String> {
    game.turn()?;
    let steps = game.record().steps();
    let feet = header::id_lines(&text.lines);
    let foot = feet.last().filter(|foot| {
        is_own(foot.author) && foot.id == *game.id() && foot.plies == steps.len() + 1
    })?;
    let hash = foot.hash.as_ref()?;
    let rows = text.parts.iter().rev().filter_map(|part| match &part.kind {
        PartKind::Moves(moves) if moves.manner == Manner::List => moves.of_list().last(),
        _ => None,
    });
    let own = rows.filter(|entry| is_own(entry.author));
    own.take(ROWS).find_map(|entry| {
        let parsed = entry.parsed.as_ref().ok()?;
        let reading = game.position().interpret(parsed, Voice::List).ok()?;
        let next = game.position().text(&reading.ply);
        let made = steps.iter().map(|step| step.text.as_str());
        let all = made.chain([next.as_str()]);
        (game.hash_of_moves(all) == *hash).then_some(next)
    })
}

/// Returns true if a line without quote marks is not known to be somebody else's.
fn is_own(author: Author) -> bool {
    matches!(author, Author::Own | Author::Quoted(0))
}
