//! `parapost receive`: reads letters and plays the moves in them.

mod explanation;
mod hearing;
mod match_cache;
mod question;
mod quota;
mod ruling;

use std::collections::BTreeSet;
use std::fmt;
use std::io::BufReader;

use lettre::Address;

use crate::Error;
use crate::args::{self, Input};
use crate::command::delivery::{Outlet, deliver};
use crate::command::progress::Progress;
use crate::command::session::Session;
use crate::command::{Context, Status};
use crate::config::transport::Transport;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::match_lookup::{self, NotFound};
use crate::inbound::mbox::Messages;
use crate::inbound::{intent, mailbox, talk};
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::message_id::MessageId;
use crate::notation::reader;
use crate::quoting::id_line;
use crate::rules::Color;
use hearing::Hearing;
use match_cache::MatchCache;
use quota::Quota;
use ruling::Ruling;

/// What became of a message, as its line says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Disposition {
    Accepted,
    Duplicate,
    Refused,
    Ambiguous,
    Confirm,
    Stranger,
    NotYourTurn,
    UnknownMatch,
    Over,
    Command,
    Note,
    Ignored,
    Deferred,
}

impl Disposition {
    const fn as_str(self) -> &'static str {
        match self {
            Disposition::Accepted => "accepted",
            Disposition::Duplicate => "duplicate",
            Disposition::Refused => "refused",
            Disposition::Ambiguous => "ambiguous",
            Disposition::Confirm => "confirm",
            Disposition::Stranger => "stranger",
            Disposition::NotYourTurn => "not-your-turn",
            Disposition::UnknownMatch => "unknown-match",
            Disposition::Over => "over",
            Disposition::Command => "command",
            Disposition::Note => "note",
            Disposition::Ignored => "ignored",
            Disposition::Deferred => "deferred",
        }
    }

    /// What a run that met it comes to.
    const fn status(self) -> Status {
        match self {
            Disposition::Accepted
            | Disposition::Duplicate
            | Disposition::Command
            | Disposition::Note
            | Disposition::Ignored => Status::Done,
            Disposition::Deferred => Status::Later,
            _ => Status::Refused,
        }
    }
}

impl fmt::Display for Disposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What became of a message.
struct Report {
    message: MessageId,
    game: Option<Id>,
    word: Disposition,
    /// Why, for people; may be empty.
    reason: String,
    /// The match that may owe an answer.
    owes: Option<Id>,
}

pub(super) fn run(args: &args::Receive, context: &mut Context<'_>) -> Result<Status, Error> {
    let result = receive(args, context);
    match result {
        // A mail server that hands over a message keeps it on any trouble of
        // ours, and takes every verdict for an end.
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
        cache: MatchCache::open(&session.folder, args.dry_run)?,
        session,
        status: Status::Done,
        owing: BTreeSet::new(),
        put_off: BTreeSet::new(),
        progress: Progress::new(context.is_terminal),
    };
    let stdin = [Input::Stdin];
    let inputs = if args.inputs.is_empty() {
        &stdin[..]
    } else {
        &args.inputs
    };
    for input in inputs {
        if let Err(error) = batch.read(input, args.deliver, context) {
            // One source's trouble is not another's.
            batch
                .progress
                .aside(|| context.say(format_args!("parapost: {error}")));
            // What could not be read has not been dealt with.
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
struct Batch {
    session: Session,
    cache: MatchCache,
    status: Status,
    /// The matches that may owe answers now.
    owing: BTreeSet<Id>,
    /// The matches that a letter was put off in. Those that come behind it
    /// wait as well: an answer must not be heard before what it answers.
    put_off: BTreeSet<Id>,
    progress: Progress,
}

impl Batch {
    fn read(
        &mut self,
        input: &Input,
        is_single: bool,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        match input {
            Input::Stdin => {
                let failed = |error| Error::io("standard input", &error);
                if is_single {
                    let bytes =
                        Messages::single(BufReader::new(&mut *context.stdin)).map_err(failed)?;
                    return self.message(&bytes, context);
                }
                let messages = Messages::new(BufReader::new(&mut *context.stdin))
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(failed)?;
                let size = |bytes: &Vec<u8>| bytes.len() as u64;
                self.progress.expect(messages.iter().map(size).sum());
                for bytes in messages {
                    self.progress.advance(size(&bytes));
                    self.message(&bytes, context)?;
                }
            }
            Input::File(path) => {
                let files = mailbox::files(path)?;
                self.progress.expect(files.iter().map(mailbox::size).sum());
                for file in files {
                    let mut messages = mailbox::open(&file)?;
                    let mut read = 0;
                    while let Some(bytes) = messages.next() {
                        let bytes = bytes.map_err(|error| Error::file(&file, &error))?;
                        self.progress.advance(messages.position() - read);
                        read = messages.position();
                        self.message(&bytes, context)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Deals with one message and writes its line.
    fn message(&mut self, bytes: &[u8], context: &mut Context<'_>) -> Result<(), Error> {
        let report = self.deal(bytes);
        self.met(report.word.status());
        self.owing.extend(report.owes.clone());
        self.progress.count();
        self.progress.aside(|| report.tell(context))
    }

    /// The worst that was met decides: to be tried again, then refused.
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

    /// One message from its bytes to what became of it.
    fn deal(&mut self, bytes: &[u8]) -> Report {
        let letter = match IncomingMessage::parse(bytes) {
            Ok(letter) => letter,
            Err(error) => {
                return Report::of(MessageId::derived([bytes]), Disposition::Refused, error);
            }
        };
        self.letter(&letter).unwrap_or_else(|error| {
            // Nothing is recorded: whoever brings the message may bring it
            // again.
            Report::of(letter.id.clone(), Disposition::Deferred, error)
        })
    }

    /// The whole way of a letter, a line a stage.
    fn letter(&mut self, letter: &IncomingMessage) -> Result<Report, Error> {
        let report = |word, reason: String| Report::of(letter.id.clone(), word, reason);
        if let Some(machine) = &letter.machine {
            return Ok(report(Disposition::Ignored, machine.to_string()));
        }
        if let Some((game, word)) = self.cache.known(&letter.id) {
            // Its answer may be owed still: what brings a letter again is
            // often that the answer could not be sent.
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
        let lines = letter.lines();
        let hidden = self.cache.hidden();
        let game = match match_lookup::find(letter, &lines, self.cache.matches(), &hidden) {
            Ok(game) => game.clone(),
            Err(NotFound::Hidden) => return Err(self.cache.damage()),
            Err(NotFound::Stranger) => {
                return Ok(report(
                    Disposition::Stranger,
                    "its sender plays no match here".to_owned(),
                ));
            }
            Err(NotFound::Ask(why)) => return self.question(letter, why),
        };
        let id = game.id().clone();
        let Some(side) = side(&game, letter) else {
            let reason = "its sender does not play in this match".to_owned();
            return Ok(report(Disposition::Stranger, reason).about(id));
        };
        let policy = &self.session.config.policy;
        if let Err(why) = policy.identity.hold(letter, &game, side, &policy.trusted) {
            return Ok(report(Disposition::Stranger, why).about(id));
        }
        let quota = Quota {
            answers: self.may_answer(letter),
            notes: self.is_left(game.player(!side).address(), &["note"]),
        };
        if self.put_off.contains(&id) {
            return Err(Error::later(format!(
                "{id}: an earlier message was put off"
            )));
        }
        let session = &self.session;
        let ruling = self.cache.change(&session.folder, &id, |game| {
            // Somebody else may have dealt with it while the lock was taken.
            if game.received(&letter.id).is_some() {
                return Ok(Ruling::new(Disposition::Duplicate, ""));
            }
            let text = reader::read_lines(lines, game.variant());
            let id_lines = id_line::id_lines(&text.lines);
            let said = intent::read(game, side, &text, &id_lines);
            let words = talk::within(game.log(), talk::of(&text, &id_lines));
            Hearing {
                session,
                letter,
                side,
                words,
                quota,
            }
            .rule(game, said)
        });
        if ruling.is_err() {
            self.put_off.insert(id.clone());
        }
        let ruling = ruling?;
        let report = report(ruling.word, quota.tell(ruling)).about(id.clone());
        Ok(Report {
            owes: Some(id),
            ..report
        })
    }

    /// Whether a letter is one of ours, whatever its id is by now.
    fn is_own(&self, letter: &IncomingMessage) -> bool {
        let mut loops = letter.loops.iter();
        loops.any(|text| {
            let address = text.parse::<Address>();
            address.is_ok_and(|address| self.session.me.player.has(&address))
        })
    }

    /// Whether more mails of those kinds may go to somebody today.
    fn is_left(&self, to: &Address, kinds: &[&str]) -> bool {
        self.cache.mailed(to, kinds, self.session.now) < self.session.config.policy.answers
    }

    /// Whether the sender of a letter may still be answered today.
    fn may_answer(&self, letter: &IncomingMessage) -> bool {
        let sender = letter.sender.as_ref();
        sender.is_some_and(|sender| self.is_left(sender, &["answer", match_lookup::QUESTION]))
    }

    /// Asks a player which match a letter is about. The question stands in the
    /// log of one of the player's matches.
    fn question(&mut self, letter: &IncomingMessage, why: String) -> Result<Report, Error> {
        let own: Vec<Match> = self
            .cache
            .matches()
            .iter()
            .filter(|game| side(game, letter).is_some())
            .cloned()
            .collect();
        let goes_on = own.iter().find(|game| game.turn().is_some());
        let Some(keeper) = goes_on.or(own.first()).map(|game| game.id().clone()) else {
            return Ok(Report::of(letter.id.clone(), Disposition::Stranger, why));
        };
        let session = &self.session;
        if !self.may_answer(letter) {
            let why = format!("{why} ({})", quota::ENOUGH);
            return Ok(Report::of(
                letter.id.clone(),
                Disposition::UnknownMatch,
                why,
            ));
        }
        self.cache.change(&session.folder, &keeper, |game| {
            question::ask(session, game, letter, &own, &why)
        })?;
        let report = Report::of(letter.id.clone(), Disposition::UnknownMatch, why);
        Ok(Report {
            owes: Some(keeper),
            ..report
        })
    }

    /// Sends the answers that are owed by now.
    fn answer(&mut self, args: &args::Receive, context: &mut Context<'_>) {
        let outlet = match Outlet::of(args.delivery) {
            None => return,
            Some(Outlet::Configured) if self.session.config.transport != Transport::Print => {
                Outlet::Configured
            }
            Some(_) => Outlet::PrintMbox,
        };
        for id in std::mem::take(&mut self.owing) {
            if let Err(error) = deliver(context, &self.session, &id, outlet) {
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

    /// Its line, and the reason for people.
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

/// The side the sender plays: of both, the one to move.
fn side(game: &Match, letter: &IncomingMessage) -> Option<Color> {
    let sides: Vec<Color> = game.sides(letter.sender.as_ref()?).collect();
    match sides.as_slice() {
        [] => None,
        [side] => Some(*side),
        _ => Some(game.position().turn()),
    }
}
