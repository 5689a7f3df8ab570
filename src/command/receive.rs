//! `parapost receive`: reads messages and plays the moves in them.

mod count;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;

use lettre::Address;

use crate::Error;
use crate::args::{self, Input};
use crate::command::context::Context;
use crate::command::delivery::{Outlet, deliver};
use crate::command::progress::Progress;
use crate::command::receive::count::Count;
use crate::command::session::Session;
use crate::command::status::Status;
use crate::config::transport::TransportSettings;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::mail_source::{MailSource, Settlement};
use crate::inbound::match_lookup::{self, NotFound};
use crate::inbound::sources::stdin::StdinSource;
use crate::inbound::{intent, sender_authentication, sources, talk};
use crate::match_id::Id;
use crate::matches::decide::decide;
use crate::matches::decision::{Decision, Quota, Received};
use crate::matches::disposition::Disposition;
use crate::matches::r#match::Match;
use crate::matches::which_match;
use crate::message_id::MessageId;
use crate::notation::reader;
use crate::quoting::id_line;
use crate::quoting::line::Line;
use crate::quoting::sent::Sent;
use crate::rules::Color;
use crate::store::cache::Cache;
use crate::store::store::{Store as _, Survey};
use crate::store::update::update;

/// Returns the settlement that tells the source what became of a message.
fn settlement(disposition: Disposition) -> Settlement {
    match disposition {
        Disposition::Deferred => Settlement::Deferred,
        Disposition::Stranger | Disposition::Ignored => Settlement::NotOurs,
        _ => Settlement::Handled,
    }
}

/// Returns the exit status for a disposition.
fn status(disposition: Disposition) -> Status {
    match disposition {
        Disposition::Accepted
        | Disposition::Duplicate
        | Disposition::Command
        | Disposition::Note
        | Disposition::Ignored => Status::Done,
        Disposition::Deferred => Status::Later,
        _ => Status::Refused,
    }
}

/// The outcome of a message.
struct Report {
    message: MessageId,
    game: Option<Id>,
    word: Disposition,
    /// The reason, for people; may be empty.
    reason: String,
    /// The match that may owe an answer.
    owes: Option<Id>,
}

pub(super) fn run(args: &args::Receive, context: &mut Context<'_>) -> Result<Status, Error> {
    let result = receive(args, context);
    match result {
        // With --deliver, trouble of this program makes the mail server keep
        // the message and try again. Every verdict, even a refusal, completes
        // the delivery.
        Err(error) if args.deliver => {
            context.say(format_args!("parapost: {error}"));
            Ok(Status::Later)
        }
        Ok(Status::Refused) if args.deliver => Ok(Status::Done),
        result => result,
    }
}

fn receive(args: &args::Receive, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let mut batch = Batch {
        cache: Cache::open(&*session.store, args.dry_run)?,
        session: &session,
        status: Status::Done,
        owing: BTreeSet::new(),
        put_off: BTreeSet::new(),
        progress: Progress::new(context.is_terminal),
        is_dry_run: args.dry_run,
    };
    let stdin = [Input::Stdin];
    let inputs = if args.inputs.is_empty() {
        &stdin[..]
    } else {
        &args.inputs
    };
    for input in inputs {
        if let Err(error) = batch.read(input, args.deliver, context) {
            // Trouble with one source must not stop the others.
            batch
                .progress
                .aside(|| context.say(format_args!("parapost: {error}")));
            // Messages that could not be read were not handled.
            batch.met(if args.deliver {
                Status::Later
            } else {
                Status::from(&error)
            });
        }
    }
    batch.progress.clear();
    if !args.dry_run {
        batch.answer(args, context);
    }
    Ok(batch.status)
}

/// The messages of one run.
struct Batch<'a> {
    session: &'a Session,
    cache: Cache<'a>,
    status: Status,
    /// The matches that may owe answers now.
    owing: BTreeSet<Id>,
    /// The matches in which a message was deferred. Later messages to them wait
    /// too, since an answer must not be read before the message it answers.
    put_off: BTreeSet<Id>,
    progress: Progress,
    /// True if the run must change nothing, not even at the source.
    is_dry_run: bool,
}

impl Batch<'_> {
    fn read(
        &mut self,
        input: &Input,
        is_single: bool,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        match input {
            Input::Stdin if is_single => {
                self.read_all(&mut StdinSource::read_one(&mut *context.stdin)?, context)
            }
            Input::Stdin => self.read_all(&mut StdinSource::read(&mut *context.stdin)?, context),
            Input::File(path) => self.read_all(&mut sources::path::open(path)?, context),
        }
    }

    /// Handles every message of a source.
    fn read_all(
        &mut self,
        source: &mut dyn MailSource,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        self.progress.expect(source.bytes_expected());
        let mut read = 0;
        while let Some(message) = source.next() {
            let message = message?;
            self.progress.advance(source.bytes_read() - read);
            read = source.bytes_read();
            let (word, told) = self.message(&message.bytes, context);
            if !self.is_dry_run {
                source.settled(message.key, settlement(word))?;
            }
            told?;
        }
        Ok(())
    }

    /// Handles one message and writes its line.
    fn message(
        &mut self,
        bytes: &[u8],
        context: &mut Context<'_>,
    ) -> (Disposition, Result<(), Error>) {
        let report = self.deal(bytes);
        self.met(status(report.word));
        self.owing.extend(report.owes.clone());
        self.progress.count();
        let told = self.progress.aside(|| report.tell(context));
        (report.word, told)
    }

    /// Keeps the worst status: `Later` over `Refused` over `Done`.
    fn met(&mut self, status: Status) {
        let rank = |status| match status {
            Status::Done => 0,
            Status::Refused | Status::Usage => 1,
            Status::Later => 2,
        };
        if rank(status) > rank(self.status) {
            self.status = status;
        }
    }

    /// Parses and handles a message.
    fn deal(&mut self, bytes: &[u8]) -> Report {
        let letter = match IncomingMessage::parse(bytes) {
            Ok(letter) => letter,
            Err(error) => {
                return Report::of(MessageId::derived([bytes]), Disposition::Refused, error);
            }
        };
        self.letter(&letter).unwrap_or_else(|error| {
            // Nothing is recorded, so the same message may come again.
            Report::of(letter.id.clone(), Disposition::Deferred, error)
        })
    }

    /// Takes a letter through every stage.
    fn letter(&mut self, letter: &IncomingMessage) -> Result<Report, Error> {
        let report = |word, reason: String| Report::of(letter.id.clone(), word, reason);
        if let Some(machine) = &letter.machine {
            return Ok(report(Disposition::Ignored, machine.to_string()));
        }
        if let Some(stored) = self.cache.by_message(&letter.id)? {
            // The answer may still be owed. A message often comes again because
            // its answer could not be sent.
            let word = match stored.game.received(&letter.id) {
                Some(_) => Disposition::Duplicate,
                None => Disposition::Ignored,
            };
            let game = stored.game.id().clone();
            let report = report(word, String::new()).about(game.clone());
            return Ok(Report {
                owes: Some(game),
                ..report
            });
        }
        if self.is_own(letter) {
            let reason = "it is our own mail come back (X-Loop)".to_owned();
            return Ok(report(Disposition::Ignored, reason));
        }
        let lines = letter.lines(&Sent::nothing());
        let Survey { matches, damaged } = self.cache.survey()?;
        let hidden: Vec<Id> = damaged.iter().map(|(id, _)| id.clone()).collect();
        let matches = matches.iter().map(|stored| &*stored.game);
        let game = match match_lookup::find(letter, &lines, matches, &hidden) {
            Ok(game) => game,
            Err(NotFound::Hidden) => {
                let why: Vec<String> = damaged.into_iter().map(|(_, why)| why).collect();
                return Err(Error::refused(why.join("\n")));
            }
            Err(NotFound::Stranger) => {
                return Ok(report(
                    Disposition::Stranger,
                    "its sender plays no match here".to_owned(),
                ));
            }
            Err(NotFound::Ask(why)) => return self.question(letter, why),
        };
        let id = game.id().clone();
        let Some(side) = letter.sender.as_ref().and_then(|from| game.side_of(from)) else {
            let reason = "its sender does not play in this match".to_owned();
            return Ok(report(Disposition::Stranger, reason).about(id));
        };
        let policy = &self.session.config.policy;
        if let Err(why) = sender_authentication::check(policy, letter, game, side) {
            return Ok(report(Disposition::Stranger, why.to_string()).about(id));
        }
        if self.put_off.contains(&id) {
            return Err(Error::later(format!(
                "{id}: an earlier message was put off"
            )));
        }
        let is_referee = self.session.side_or_referee(game)?.is_none();
        let decision = self.decide(letter, &lines, &id, side, is_referee);
        if decision.is_err() {
            self.put_off.insert(id.clone());
        }
        let decision = decision?;
        let report = report(decision.disposition, decision.reason).about(id.clone());
        Ok(Report {
            owes: Some(id),
            ..report
        })
    }

    /// Decides about a letter in a match, and saves what it causes.
    fn decide(
        &self,
        letter: &IncomingMessage,
        lines: &[Line<'_>],
        id: &Id,
        side: Color,
        is_referee: bool,
    ) -> Result<Decision, Error> {
        let unread = letter.unread.map(|excess| excess.to_string());
        let session = self.session;
        let mut count = None;
        let is_locked = Cell::new(false);
        let mut change = |game: &mut Match| {
            let text = reader::read_lines(lines.to_vec(), game.variant());
            let id_lines = id_line::id_lines(&text.lines);
            let intent = intent::read(game, side, &text, &id_lines);
            let words = talk::of(&text, &id_lines);
            let mut received = Received {
                id: &letter.id,
                side,
                address: letter.sender.as_ref(),
                words: &words,
                unread: unread.as_deref(),
                is_referee,
                quota: Quota::UNBOUNDED,
            };
            let mut decision = decide(game, &intent, &received, session.now);
            let is_locked = is_locked.replace(true);
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
                received.quota = count.quota(session, game, side);
                decision = decide(game, &intent, &received, session.now);
            }
            session.carry_out(&decision, game)?;
            Ok(Some(decision))
        };
        loop {
            is_locked.set(false);
            let read = self.cache.read(id)?;
            if let (Some(decision), _) = update(&self.cache, read, &mut change)? {
                return Ok(decision);
            }
        }
    }

    /// Returns true if a letter is the user's own mail, even under a new id.
    fn is_own(&self, letter: &IncomingMessage) -> bool {
        let mut loops = letter.loops.iter();
        loops.any(|text| {
            let address = text.parse::<Address>();
            address.is_ok_and(|address| self.session.me.player.has(&address))
        })
    }

    /// Asks a player which match a letter is about. The log of one of the
    /// player's matches records the question.
    fn question(&mut self, letter: &IncomingMessage, why: String) -> Result<Report, Error> {
        let report = |decision: Decision| {
            Report::of(letter.id.clone(), decision.disposition, decision.reason)
        };
        let address = letter.sender.as_ref();
        let side = |game: &Match| address.and_then(|address| game.side_of(address));
        let own = match address {
            Some(address) => self.cache.by_address(address)?,
            None => Vec::new(),
        };
        let goes_on = own.iter().find(|stored| stored.game.turn().is_some());
        let keeper = goes_on.or(own.first());
        let Some((keeper, side)) = keeper.and_then(|keeper| Some((keeper, side(&keeper.game)?)))
        else {
            return Ok(Report::of(letter.id.clone(), Disposition::Stranger, why));
        };
        let session = self.session;
        let count = Count::take(session, &self.cache, address, &keeper.game, side)?;
        let (decision, _) = update(&self.cache, keeper.clone(), |game| {
            let received = Received {
                id: &letter.id,
                side,
                address,
                words: "",
                unread: None,
                is_referee: true,
                quota: count.quota(session, game, side),
            };
            let own = own.iter().map(|stored| &*stored.game);
            let decision = which_match::ask(game, &received, own, &why, session.now);
            session.carry_out(&decision, game)?;
            Ok(decision)
        })?;
        Ok(Report {
            owes: (!decision.mails.is_empty()).then(|| keeper.game.id().clone()),
            ..report(decision)
        })
    }

    /// Sends the answers owed after this run.
    fn answer(&mut self, args: &args::Receive, context: &mut Context<'_>) {
        let outlet = match Outlet::of(args.delivery) {
            None => return,
            Some(Outlet::Configured)
                if self.session.config.transport != TransportSettings::Print =>
            {
                Outlet::Configured
            }
            Some(_) => Outlet::PrintMbox,
        };
        for id in std::mem::take(&mut self.owing) {
            if let Err(error) = deliver(context, self.session, &id, outlet) {
                context.say(format_args!("parapost: {error}"));
                self.met(Status::from(&error));
            }
        }
    }
}

impl Report {
    fn of(message: MessageId, word: Disposition, reason: impl fmt::Display) -> Report {
        Report {
            message,
            game: None,
            word,
            reason: reason.to_string(),
            owes: None,
        }
    }

    /// Writes the line of the message, and the reason for people.
    fn tell(&self, context: &mut Context<'_>) -> Result<(), Error> {
        let game = self.game.as_ref().map_or("-", Id::as_str);
        let line = format!("{}\t{game}\t{}\n", self.message, self.word);
        context.report(line)?;
        if !self.reason.is_empty() {
            context.say(format_args!("{game}: {}: {}", self.word, self.reason));
        }
        Ok(())
    }

    fn about(self, game: Id) -> Report {
        Report {
            game: Some(game),
            ..self
        }
    }
}
