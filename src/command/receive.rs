//! `parapost receive`: reads messages and plays the moves in them.
//!
//! The messages of one run are read from their sources, handled as if one after the other, and
//! answered when the sources have ended.

pub(super) mod reporter;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;
use std::{io, mem};

use clap::Args;

use crate::Error;
use crate::command::arguments::{Delivery, Input, Telling};
use crate::command::context::{Context, Progress, Status};
use crate::command::delivery::{Mailer, Outlet, Which, deliver_each};
use crate::command::receive::reporter::Reporter;
use crate::command::unproven::Unproven;
use crate::config::transport::TransportSettings;
use crate::inbound::incoming_message::{self, IncomingMessage};
use crate::limits::{INVITATIONS, READ_AHEAD, READ_AHEAD_BYTES};
use crate::mail::lmtp::DeliveryStatus;
use crate::mail::message::ParseMessageError;
use crate::mail::message_id::MessageId;
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::mail::sources;
use crate::mail::sources::files::{Division, StdinSource};
use crate::mail::sources::{Anew, MailSource, MessageKey, RawMessage, Settlement};
use crate::match_id::Id;
use crate::matches::event::Disposition;
use crate::referee::handler::{Consented, HOW_TO_DECLINE, Handler, Invited};
use crate::referee::lanes::Deferrals;
use crate::referee::session::Session;
use crate::referee::side_by_side::{ParsedMessage, SideBySide};
use crate::referee::verdict::Verdict;
use crate::store::cache::Cache;
use crate::store::errand::{Errand, Reads};
use crate::store::store::Store as _;

/// `parapost receive`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost receive --accept invitation.eml
  parapost receive --send ~/Maildir")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(super) struct Receive {
    /// The answers.
    #[command(flatten)]
    pub(super) delivery: Delivery,
    /// Say what would be done, and do nothing
    #[arg(long, conflicts_with_all = ["send", "print"])]
    pub(super) dry_run: bool,
    /// Enter the matches that messages invite you to, without asking
    #[arg(long, conflicts_with = "deliver")]
    pub(super) accept: bool,
    /// The report on the messages.
    #[command(flatten)]
    pub(super) telling: Telling,
    /// For a mail server's pipe: one message; exit status 0 unless it should try again
    #[arg(long)]
    pub(super) deliver: bool,
    /// The input is a mailbox (mbox) even if it does not look like one
    #[arg(long, conflicts_with = "deliver")]
    pub(super) mbox: bool,
    /// One .eml, an mbox, a Maildir or MH folder [default: one message on stdin]
    #[arg(value_name = "FILE|-|DIR")]
    pub(super) inputs: Vec<Input>,
}

pub(super) fn run(args: &Receive, context: &mut Context<'_>) -> Result<Status, Error> {
    let result = receive(args, context);
    match result {
        // With --deliver, trouble of this program makes the mail server keep
        // the message and try again. Every verdict, even a refusal, completes
        // the delivery.
        Err(error) if args.deliver => {
            context.say_error(&error);
            Ok(Status::Later)
        }
        Ok(Status::Refused) if args.deliver => Ok(Status::Done),
        result => result,
    }
}

fn receive(args: &Receive, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open_to_receive(context, args.dry_run)?.for_a_run();
    let reporter = Reporter::new(args.telling, args.delivery, &session, context.is_shown)?;
    let mut batch = Batch::new(&session, args.dry_run, context.is_terminal);
    batch.reporter = reporter;
    let stdin = [Input::Stdin];
    let inputs = if args.inputs.is_empty() {
        &stdin[..]
    } else {
        &args.inputs
    };
    for input in inputs {
        if let Err(error) = batch.read(input, args, context) {
            batch.fail(&error, args.deliver, context);
        }
    }
    Ok(batch.finish(args.delivery, context))
}

/// The user's consent to enter the matches of invitations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Consent {
    /// The user has said yes with the command.
    Given,
    /// The user can be asked.
    Asked,
    /// Nobody can be asked.
    Missing,
}

impl Consent {
    /// Tells if the user has consented with the command, or can be asked while messages are read.
    pub(super) fn of(is_given: bool, may_ask: bool, context: &Context<'_>) -> Consent {
        if is_given {
            Consent::Given
        } else if may_ask && context.can_ask() {
            Consent::Asked
        } else {
            Consent::Missing
        }
    }
}

/// The messages of one run.
pub(super) struct Batch<'a> {
    session: &'a Session,
    cache: Arc<Cache<'a>>,
    deferrals: Deferrals,
    status: Status,
    /// The matches that may owe answers now, and which are to be tried.
    owing: BTreeMap<Id, Which>,
    progress: Progress,
    /// True if the run must change nothing, not even at the source.
    is_dry_run: bool,
    /// The user's consent to what messages invite to.
    pub(super) consent: Consent,
    /// The number of matches entered.
    pub(super) entered: usize,
    /// True if the messages are fetched from a server, which brings them again as often as it
    /// likes: duplicates are not reported.
    pub(super) is_fetch: bool,
    /// True if a further round follows, which sends what this one leaves.
    pub(super) is_watch: bool,
    /// The newsgroup that the messages are articles of, if they are.
    pub(super) group: Option<Newsgroup>,
    pub(super) reporter: Reporter,
    /// The messages of which nothing has been reported yet, since the reads for the first of
    /// them are to be confirmed.
    held: Vec<(MessageKey, Verdict)>,
}

impl<'a> Batch<'a> {
    /// Begins a run. A dry run changes nothing, not even at the source.
    pub(super) fn new(session: &'a Session, is_dry_run: bool, is_terminal: bool) -> Batch<'a> {
        Batch {
            session,
            cache: Arc::new(Cache::new(&*session.store, is_dry_run)),
            deferrals: Deferrals::default(),
            status: Status::Done,
            owing: BTreeMap::new(),
            progress: Progress::new(is_terminal, "messages"),
            is_dry_run,
            consent: Consent::Missing,
            entered: 0,
            is_fetch: false,
            is_watch: false,
            group: None,
            reporter: Reporter::default(),
            held: Vec::new(),
        }
    }

    /// Handles every message of an input.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, or it is not what it is said to be.
    fn read(
        &mut self,
        input: &Input,
        args: &Receive,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        // Standard input cannot be both the message and the answer.
        let may_ask = !args.deliver && !args.dry_run && *input != Input::Stdin;
        self.consent = Consent::of(args.accept && !args.deliver, may_ask, context);
        let path = match input {
            Input::File(path) => path,
            Input::Stdin => {
                context.say_waiting("a message");
                // The context is used while messages are handled, so it cannot hold their source.
                let stdin = mem::replace(&mut context.stdin, Box::leak(Box::new(io::empty())));
                let mut source = match args {
                    Receive { mbox: true, .. } => StdinSource::mbox(stdin),
                    Receive { deliver: true, .. } => StdinSource::delivered(stdin)?,
                    Receive { .. } => StdinSource::message(stdin)?,
                };
                return self.read_all(&mut source, context);
            }
        };
        let named = match args {
            Receive { mbox: true, .. } => Some(Division::ByPostmark),
            Receive { deliver: true, .. } => Some(Division::Single),
            Receive { .. } => None,
        };
        self.read_all(&mut sources::files::open(path, named)?, context)
    }

    /// Tells of trouble with a source, which must not stop the others.
    fn fail(&mut self, error: &Error, is_delivery: bool, context: &mut Context<'_>) {
        self.progress.aside(|| context.say_error(error));
        // Messages that could not be read were not handled.
        self.met(if is_delivery {
            Status::Later
        } else {
            Status::from(error)
        });
    }

    /// Handles every message of a source.
    ///
    /// # Errors
    ///
    /// If the source cannot be read, or cannot record what became of a message.
    pub(super) fn read_all(
        &mut self,
        source: &mut dyn MailSource,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        self.progress.expect(source.bytes_expected());
        loop {
            let (messages, end) = self.read_ahead(source);
            let is_last = messages.is_empty();
            let mut handled = self.handle_all(messages, source, context).and(end);
            let is_full = self.held.len() >= READ_AHEAD || source.must_be_settled();
            if is_last || is_full || handled.is_err() {
                handled = handled.and(self.confirm_held(source, context));
            }
            handled?;
            // A message that was deferred may come again at once.
            if is_last {
                return Ok(());
            }
        }
    }

    /// Reads some messages of a source, or one; none, if it has no more. Returns the error
    /// that has ended the reading beside what was read before.
    fn read_ahead(&self, source: &mut dyn MailSource) -> (Vec<RawMessage>, Result<(), Error>) {
        let most = if source.can_be_read_ahead() && !self.is_fetch {
            READ_AHEAD
        } else {
            1
        };
        let (mut messages, mut bytes) = (Vec::new(), 0);
        while messages.len() < most && bytes < READ_AHEAD_BYTES {
            let before = source.bytes_read();
            let message: RawMessage = match source.next() {
                None => break,
                Some(Ok(message)) => message,
                Some(Err(error)) => return (messages, Err(error)),
            };
            self.progress.advance(source.bytes_read() - before);
            bytes += message.bytes.len();
            messages.push(message);
        }
        (messages, Ok(()))
    }

    /// Handles messages, side by side where that is worth it.
    ///
    /// # Errors
    ///
    /// As [`Batch::read_all`].
    fn handle_all(
        &mut self,
        messages: Vec<RawMessage>,
        source: &mut dyn MailSource,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        let (session, cache) = (self.session, Arc::clone(&self.cache));
        let place = SideBySide::for_messages(messages.len(), session, cache, self.is_dry_run);
        let Some(place) = place else {
            for message in messages {
                let verdict = self.message(&message, context);
                self.account(message.key, verdict, source, context)?;
            }
            return Ok(());
        };
        let parsed = place.parse(&messages);
        let mut messages = messages.iter().zip(&parsed).peekable();
        while let Some((raw, parsed)) = messages.next() {
            let Some((message, id)) = parsed.as_ref().and_then(ParsedMessage::of_match) else {
                let verdict = match parsed {
                    Some(parsed) => self.parsed_message(&parsed.message, raw.anew, context),
                    None => self.message(raw, context),
                };
                self.account(raw.key, verdict, source, context)?;
                continue;
            };
            let (mut keys, mut run) = (vec![raw.key], vec![(message, id)]);
            while let Some((raw, parsed)) = messages.peek()
                && let Some(next) = parsed.as_ref().and_then(ParsedMessage::of_match)
            {
                keys.push(raw.key);
                run.push(next);
                messages.next();
            }
            let mut accounted = Ok(());
            for (key, outcome) in keys
                .into_iter()
                .zip(place.handle(&run, &mut self.deferrals))
            {
                let verdict = outcome.unwrap_or_else(|panic| resume_unwind(panic));
                // Messages that were handled beside it are accounted for, too.
                accounted = accounted.and(self.account(key, verdict, source, context));
            }
            accounted?;
        }
        Ok(())
    }

    /// Tells what became of a message, now or once that is confirmed.
    ///
    /// # Errors
    ///
    /// As [`Batch::tell`].
    fn account(
        &mut self,
        key: MessageKey,
        verdict: Verdict,
        source: &mut dyn MailSource,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        if self.held.is_empty() && verdict.reads.is_empty() {
            return self.tell(key, &verdict, source, context);
        }
        self.held.push((key, verdict));
        Ok(())
    }

    /// Confirms what was read for the messages that are held, all at once, and tells of them.
    ///
    /// # Errors
    ///
    /// As [`Batch::tell`], of the first.
    fn confirm_held(
        &mut self,
        source: &mut dyn MailSource,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        let held = mem::take(&mut self.held);
        let mut reads = Reads::default();
        for (_, verdict) in &held {
            reads.merge(&verdict.reads);
        }
        // A letter waits for all that it needs no longer than one --wait.
        let _errand = Errand::going_on(&reads);
        let confirmed = if reads.is_empty() {
            Ok(())
        } else {
            self.cache.confirm(&reads)
        };
        let mut reported = Ok(());
        for (key, verdict) in held {
            if confirmed.is_err() && !verdict.reads.is_empty() {
                match verdict.game.clone() {
                    Some(id) => self.deferrals.add([id]),
                    None => self.deferrals.add_all(),
                }
            }
            let verdict = verdict.confirmed(&confirmed);
            reported = reported.and(self.tell(key, &verdict, source, context));
        }
        reported
    }

    /// Tells what became of a message, to the user and to its source.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written, or the source cannot record it.
    fn tell(
        &mut self,
        key: MessageKey,
        verdict: &Verdict,
        source: &mut dyn MailSource,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        self.met_verdict(verdict);
        self.progress.count();
        let is_silent = self.is_fetch
            && (verdict.word == Disposition::Duplicate && verdict.reason.is_empty()
                || verdict.settlement() == Settlement::Unnamed);
        let is_told = !self.is_dry_run && Unproven::met(verdict);
        let (reporter, cache) = (&mut self.reporter, &*self.cache);
        let outcome = self.progress.aside(|| {
            if !self.is_dry_run {
                verdict.note(context);
            }
            if is_silent {
                return Ok(());
            }
            reporter.tell(verdict, is_told, cache, context)
        });
        if !self.is_dry_run {
            source.settled(key, verdict.settlement())?;
        }
        outcome
    }

    /// Returns the matches, as the messages of this run find them.
    pub(super) fn cache(&self) -> Arc<Cache<'a>> {
        Arc::clone(&self.cache)
    }

    /// Parses and handles an article of a group. One that cannot be read is nobody's.
    fn article(&mut self, raw: &RawMessage, group: &Newsgroup) -> Verdict {
        let article = match incoming_message::read_article(&raw.bytes, group) {
            Ok(article) => article,
            Err(error) => {
                let id = MessageId::derived([raw.bytes.as_slice()]);
                return Verdict::of(id, Disposition::Ignored, error);
            }
        };
        let present = match self.session.at_present() {
            Ok(present) => present,
            Err(error) => return Verdict::deferred(&article.message, error),
        };
        let mut handler = Handler::over(&present, Arc::clone(&self.cache), self.is_dry_run);
        handler.deferrals = mem::take(&mut self.deferrals);
        let verdict = handler.take_article(&article);
        self.deferrals = handler.deferrals;
        verdict
    }

    /// Parses and handles a message.
    fn message(&mut self, raw: &RawMessage, context: &mut Context<'_>) -> Verdict {
        if let Some(group) = self.group.clone() {
            return self.article(raw, &group);
        }
        let banners = &self.session.config.policy.banners;
        match incoming_message::read_without(&raw.bytes, banners) {
            Ok(message) => self.parsed_message(&message, raw.anew, context),
            Err(error) => Verdict::unreadable(&raw.bytes, error),
        }
    }

    /// Handles a message, in a run that may last at the time of the message.
    fn parsed_message(
        &mut self,
        message: &IncomingMessage,
        anew: Option<Anew>,
        context: &mut Context<'_>,
    ) -> Verdict {
        let present = self.is_fetch.then(|| self.session.at_present());
        let present = match present.transpose() {
            Ok(present) => present,
            Err(error) => return Verdict::deferred(message, error),
        };
        let session = present.as_ref().unwrap_or(self.session);
        let mut handler = Handler::over(session, Arc::clone(&self.cache), self.is_dry_run);
        handler.deferrals = mem::take(&mut self.deferrals);
        handler.anew = anew;
        let verdict = handler.take(message, |invited| self.consent(invited, context));
        self.deferrals = handler.deferrals;
        verdict
    }

    /// Keeps what a message means for the end of the run.
    fn met_verdict(&mut self, verdict: &Verdict) {
        self.met(verdict.status());
        if let Some(id) = &verdict.owes {
            // A message that comes again asks for its answer again.
            let which = match verdict.word {
                Disposition::Duplicate | Disposition::Ignored => Which::All,
                _ => Which::Due,
            };
            let wanted = self.owing.entry(id.clone()).or_insert(which);
            if which == Which::All {
                *wanted = which;
            }
        }
        if let Some(id) = verdict.begun() {
            self.owing.entry(id).or_insert(Which::Due);
        }
    }

    /// Returns what becomes of an invitation that can be entered.
    fn consent(&mut self, invited: &Invited, context: &mut Context<'_>) -> Consented {
        if self.entered >= INVITATIONS {
            let why = format!(
                "{INVITATIONS} invitations are entered in one run; the next run takes more"
            );
            // A message that is not kept is not fetched again.
            return if self.is_fetch {
                Consented::Later(why)
            } else {
                Consented::No(why)
            };
        }
        let text = invited.text();
        let consents = match self.consent {
            Consent::Given => true,
            Consent::Asked => self
                .progress
                .aside(|| context.ask(&format!("{text}. Enter it"))),
            Consent::Missing => false,
        };
        if consents {
            self.entered += 1;
            return Consented::Yes;
        }
        Consented::No(match self.consent {
            Consent::Asked => format!("The match is not entered. {HOW_TO_DECLINE}"),
            _ if self.is_fetch => format!(
                "{text}. 'parapost fetch --accept --since YYYY-MM-DD', with the day it came, enters the match. {HOW_TO_DECLINE}"
            ),
            _ => invited.hint(),
        })
    }

    /// Keeps the worst status.
    fn met(&mut self, status: Status) {
        self.status = self.status.max(status);
    }

    /// Ends the run: sends the answers, unless nothing may change, and returns the
    /// status.
    pub(super) fn finish(mut self, delivery: Delivery, context: &mut Context<'_>) -> Status {
        self.progress.clear();
        if !self.is_dry_run {
            self.answer(delivery, context);
        }
        let reporter = mem::take(&mut self.reporter);
        if let Err(error) = reporter.close(self.session, &self.cache, self.is_dry_run, context) {
            self.fail(&error, false, context);
        }
        self.status
    }

    /// Tells a person whose output goes elsewhere that this run leaves mail owed; where it is read
    /// the reporter tells each.
    fn tell_of_owed(&self, context: &mut Context<'_>) {
        if !context.is_terminal || self.reporter.is_for_people() {
            return;
        }
        let is_owed = |id: &&Id| {
            let stored = self.cache.read(id);
            stored.is_ok_and(|stored| !stored.game.owed().is_empty())
        };
        let ids: Vec<&Id> = self.owing.keys().filter(is_owed).collect();
        let text = match ids.as_slice() {
            [] => return,
            [id] => format!("{id}: mail is owed until 'parapost send {id}'"),
            several => format!(
                "mail of {} matches is owed until 'parapost send'",
                several.len()
            ),
        };
        context.say(text);
    }

    /// Sends the answers owed after this run.
    fn answer(&mut self, delivery: Delivery, context: &mut Context<'_>) {
        let outlet = match Outlet::of(delivery) {
            None => return self.tell_of_owed(context),
            Some(Outlet::Configured)
                if self.session.config.transport != TransportSettings::Print =>
            {
                Outlet::Configured
            }
            Some(_) => Outlet::PrintMbox(delivery.print.unwrap_or_default()),
        };
        self.reporter.has_printed = outlet != Outlet::Configured && !self.owing.is_empty();
        let mut mailer = Mailer::new(self.session, outlet);
        mailer.is_told = self.reporter.is_for_people();
        // Mail that another process is sending is looked at again, by this run or the next round.
        let patience = if self.is_watch {
            Duration::ZERO
        } else {
            context.wait()
        };
        let cache = Arc::clone(&self.cache);
        let owing = mem::take(&mut self.owing).into_iter().collect();
        let read = |id: &Id, _| Some(cache.read(id));
        deliver_each(
            context,
            &mut mailer,
            owing,
            patience,
            read,
            |context, (_, which), delivered, left| match delivered {
                Ok(delivered) => {
                    self.reporter.told.extend(delivered.told.iter().cloned());
                    self.met(match which {
                        // Older mail that fails is no reason to bring this message again.
                        Which::Due if left == 0 || !delivered.is_set_up_broken => {
                            delivered.status_of_new
                        }
                        Which::Due | Which::All => delivered.status,
                    });
                }
                Err(error) if self.is_watch && error.is_held() => {}
                Err(error) => {
                    context.say_error(&error);
                    self.met(Status::from(&error));
                }
            },
        );
    }
}

/// Handles a message, and tells of it. What it does is durable when this returns, and it is given
/// up for nothing that was out of date. Others may have the turn as soon as it is handled: the
/// confirmation is one for many. Returns the match that may owe an answer.
pub(super) fn delivered(
    session: &Session,
    cache: &Arc<Cache<'_>>,
    bytes: &[u8],
    turn: impl Sized,
    context: &mut Context<'_>,
) -> (DeliveryStatus, Option<Id>) {
    // The confirmation is a part of it.
    let _errand = Errand::begin();
    let mut excess = None;
    let banners = &session.config.policy.banners;
    let verdict = match incoming_message::read_without(bytes, banners) {
        Ok(message) => {
            let mut handler = Handler::over(session, Arc::clone(cache), false);
            // Nobody can be asked.
            handler.take(&message, |invited| Consented::No(invited.hint()))
        }
        Err(error) => {
            if let ParseMessageError::Excess(limit) = error {
                excess = Some(limit);
            }
            Verdict::unreadable(bytes, error)
        }
    };
    drop(turn);
    let confirmed = cache.confirm(&verdict.reads);
    let verdict = verdict.confirmed(&confirmed);
    verdict.note(context);
    let is_told = Unproven::met(&verdict);
    // Standard output is not what the server waits for.
    let _ = verdict.tell(is_told, context);
    let outcome = match (excess, verdict.word) {
        (Some(excess), _) => DeliveryStatus::Beyond(excess),
        (None, Disposition::Deferred) => DeliveryStatus::Later,
        (None, _) => DeliveryStatus::Done,
    };
    (outcome, verdict.owes)
}
