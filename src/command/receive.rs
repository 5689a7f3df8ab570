//! `parapost receive`: reads messages and plays the moves in them.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chrono::TimeDelta;
use lettre::Address;

use crate::Error;
use crate::args::{self, Input};
use crate::command::context::Context;
use crate::command::delivery::{Outlet, Which, deliver};
use crate::command::progress::Progress;
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
use crate::matches::which_match::{self, QUESTION};
use crate::message_id::MessageId;
use crate::notation::reader;
use crate::quoting::id_line;
use crate::quoting::sent::Sent;
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
        owing: BTreeMap::new(),
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
    /// The matches that may owe answers now, and which are to be tried.
    owing: BTreeMap<Id, Which>,
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
        if let Some(id) = &report.owes {
            // A message that comes again asks for its answer again.
            let which = match report.word {
                Disposition::Duplicate | Disposition::Ignored => Which::All,
                _ => Which::Due,
            };
            let wanted = self.owing.entry(id.clone()).or_insert(which);
            if which == Which::All {
                *wanted = which;
            }
        }
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
        let quota = Quota {
            answers: self.may_answer(letter)?,
            notes: self.is_left(game.player(!side).address(), &["note"])?,
        };
        let is_referee = self.session.side_or_referee(game)?.is_none();
        let unread = letter.unread.map(|excess| excess.to_string());
        let session = self.session;
        let updated = update(&self.cache, self.cache.read(&id)?, |game| {
            let text = reader::read_lines(lines.clone(), game.variant());
            let id_lines = id_line::id_lines(&text.lines);
            let intent = intent::read(game, side, &text, &id_lines);
            let words = talk::within(game.log(), talk::of(&text, &id_lines));
            let received = Received {
                id: &letter.id,
                side,
                address: letter.sender.as_ref(),
                words: &words,
                unread: unread.as_deref(),
                is_referee,
                quota,
            };
            let decision = decide(game, &intent, &received, session.now);
            session.carry_out(&decision, game)?;
            Ok(decision)
        });
        if updated.is_err() {
            self.put_off.insert(id.clone());
        }
        let (decision, _) = updated?;
        let report = report(decision.disposition, decision.reason).about(id.clone());
        Ok(Report {
            owes: Some(id),
            ..report
        })
    }

    /// Returns true if a letter is the user's own mail, even under a new id.
    fn is_own(&self, letter: &IncomingMessage) -> bool {
        let mut loops = letter.loops.iter();
        loops.any(|text| {
            let address = text.parse::<Address>();
            address.is_ok_and(|address| self.session.me.player.has(&address))
        })
    }

    /// Returns true if more mails of these kinds may go to an address today.
    fn is_left(&self, to: &Address, kinds: &[&str]) -> Result<bool, Error> {
        let since = self.session.now - TimeDelta::days(1);
        let mailed = self.cache.mailed(to, kinds, since)?;
        Ok(mailed < self.session.config.policy.answers)
    }

    /// Returns true if the sender of a letter may be answered today.
    fn may_answer(&self, letter: &IncomingMessage) -> Result<bool, Error> {
        match &letter.sender {
            Some(sender) => self.is_left(sender, &["answer", QUESTION]),
            None => Ok(false),
        }
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
        let received = Received {
            id: &letter.id,
            side,
            address,
            words: "",
            unread: None,
            is_referee: true,
            quota: Quota {
                answers: self.may_answer(letter)?,
                notes: false,
            },
        };
        let session = self.session;
        let (decision, _) = update(&self.cache, keeper.clone(), |game| {
            let own = own.iter().map(|stored| &*stored.game);
            let decision = which_match::ask(game, &received, own, &why, session.now);
            session.carry_out(&decision, game)?;
            Ok(decision)
        })?;
        Ok(Report {
            owes: received.quota.answers.then(|| keeper.game.id().clone()),
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
        for (id, which) in std::mem::take(&mut self.owing) {
            let stored = self.cache.read(&id);
            match stored.and_then(|stored| deliver(context, self.session, stored, outlet, which)) {
                Ok(delivered) => self.met(match which {
                    Which::All => delivered.status,
                    // Older mail that fails is no reason to bring this message
                    // again.
                    Which::Due => delivered.status_of_new,
                }),
                Err(error) => {
                    context.say(format_args!("parapost: {error}"));
                    self.met(Status::from(&error));
                }
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
