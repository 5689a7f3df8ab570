//! Delivery of owed mail; all mail leaves through this file.
//!
//! Mail for a person at a terminal: who it is from and to, the subject and the text, as its
//! reader sees them. What else it has is named, and its page is kept in a file to open in a
//! browser. Nothing is shown as it is encoded.

mod articles;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{mem, thread};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use lettre::Address;
use tracing::info;

use crate::command::arguments::{Delivery, PrintForm};
use crate::command::context::{Context, Counts, Sending, Status, visible};
use crate::command::last_mail::{self, LastMails};
use crate::config::news::NewsSettings;
use crate::config::transport::TransportSettings;
use crate::mail::files;
use crate::mail::files::replace::replace_for_user;
use crate::mail::message::parts::{MailPart, MailParts};
use crate::mail::message_id::MessageId;
use crate::mail::nntp::NntpTransport;
use crate::mail::settings::ConnectionSettings;
use crate::mail::smtp::SmtpTransport;
use crate::mail::transport::{
    FolderTransport, OutgoingMessage, PrintTransport, Rejection, SendError, SendmailTransport,
    Transport,
};
use crate::match_id::Id;
use crate::matches::decide::way_back;
use crate::matches::event::LogEntry;
use crate::matches::mail::{MailStep, QueuedMail};
use crate::matches::r#match::Match;
use crate::matches::player::is_mailable;
use crate::outbound::compose;
use crate::printable::{counted, fold, one_line, terminal_width, wrapped};
use crate::referee::session::Session;
use crate::store::attempts::{Attempts, Failure};
use crate::store::errand::Errand;
use crate::store::store::{self, Stored, update};
use crate::threads::lock;
use crate::{Error, clock, config};

/// The time until a mail that cannot be written, as with a broken template, is tried again.
const UNWRITTEN: Duration = Duration::from_mins(15);

/// The time until the mail that another process was sending is looked at again.
const PAUSE: Duration = Duration::from_millis(500);

/// The mails of a match that are to be tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// All that are owed.
    All,
    /// Those that wait for nothing: a mail that has failed several times waits
    /// before it is tried again.
    Due,
}

/// The outcome of a delivery.
#[derive(Default, Debug)]
pub(crate) struct Delivered {
    /// The mails that were sent, or lie in a folder.
    pub(crate) sent: Vec<MessageId>,
    /// The files of those that lie in a folder.
    pub(crate) filed: Vec<PathBuf>,
    /// What a person may want to know of each of them, where somebody is to be told.
    pub(crate) told: Vec<String>,
    /// The worst outcome of a mail, where one that waits was not sent.
    pub(crate) status: Status,
    /// The worst outcome of a mail that had not failed before.
    pub(crate) status_of_new: Status,
    /// True if no mail can be sent, of this match or another.
    pub(crate) is_set_up_broken: bool,
    /// The time until the first mail that waits is tried again.
    pub(crate) next_in: Option<Duration>,
    /// Why nothing was tried: another process sends the mail of this match, or works on it.
    pub(crate) busy: Option<Error>,
    /// A recipient to whom mail was not tried, since another connection has one for it.
    pub(crate) served: Option<Address>,
}

/// Warns the user of each of these matches that lacks a mail that went out, and shows the way back.
pub(super) fn warn_of_backup(session: &Session, ids: &[Id], context: &mut Context<'_>) {
    let mails = LastMails::of(session.sent.clone(), &session.outbox);
    for id in ids.iter().filter(|id| mails.knows(id)) {
        if let Ok(stored) = session.store.read(id)
            && let Some(warning) = mails.warning(&stored.game)
        {
            context.say(format_args!("warning: {id}: {warning} {}", way_back(id)));
        }
    }
}

/// Sends the mail that a match owes, oldest first. Each mail stands alone: one
/// that cannot be sent holds up no other. What cannot be sent is reported on
/// standard error and stays owed, unless it is refused for good, which is
/// recorded.
///
/// # Errors
///
/// If the match cannot be read or the lock not taken, or if it cannot be
/// recorded that a mail was sent or refused.
pub(crate) fn deliver(
    context: &mut Context<'_>,
    mailer: &mut Mailer<'_>,
    stored: Stored,
    which: Which,
) -> Result<Delivered, Error> {
    if !stored.game.owes() {
        return Ok(Delivered::default());
    }
    let sending = mailer.session.store.sending(stored.game.id())?;
    deliver_under(sending, context, mailer, stored, which)
}

/// As [`deliver`], but waits for nobody who sends the mail of this match: a process that was
/// stopped or killed while it did must not hold up the mail of the others.
///
/// # Errors
///
/// As [`deliver`], but for the lock.
pub(crate) fn deliver_if_free(
    context: &mut Context<'_>,
    mailer: &mut Mailer<'_>,
    stored: Stored,
    which: Which,
) -> Result<Delivered, Error> {
    if !stored.game.owes() {
        return Ok(Delivered::default());
    }
    if let Some(served) = mailer.is_served_elsewhere(&stored.game) {
        return Ok(Delivered {
            served: Some(served),
            ..Delivered::default()
        });
    }
    let looked = {
        let _errand = Errand::without_waiting();
        mailer.session.store.sending(stored.game.id())
    };
    match looked {
        Ok(sending) => deliver_under(sending, context, mailer, stored, which),
        Err(error) if error.is_held() => Ok(Delivered {
            busy: Some(error),
            ..Delivered::default()
        }),
        Err(error) => Err(error),
    }
}

/// Delivers under the lock of the match's outgoing mail.
fn deliver_under(
    sending: Box<dyn store::Sending>,
    context: &mut Context<'_>,
    mailer: &mut Mailer<'_>,
    stored: Stored,
    which: Which,
) -> Result<Delivered, Error> {
    let session = mailer.session;
    let mut run = Run {
        session,
        stored,
        // Printing waits for no server.
        which: match mailer.outlet {
            Outlet::Configured => which,
            Outlet::Print(_) | Outlet::PrintMbox(_) => Which::All,
        },
        called_for: HashSet::new(),
        tried: HashSet::new(),
        reports: Vec::new(),
        counts: Counts::default(),
        delivered: Delivered::default(),
        recipients: mailer.recipients,
        is_told: mailer.is_told && mailer.outlet == Outlet::Configured,
    };
    let id = run.stored.game.id().clone();
    let mut attempts = Attempts::open(sending)?;
    // Another process may have sent the mail while this one waited for the
    // lock.
    run.stored = session.store.renewed(run.stored)?;
    let mut result = if mailer.is_for_news {
        Ok(())
    } else {
        let mut transport = mailer.transport(&mut *context.stdout, context.is_shown);
        run.deliver(&mut attempts, &mut *transport)
    };
    if result.is_ok() && mailer.outlet == Outlet::Configured {
        result = run.post(&mut attempts, mailer.news());
    }
    context.counts.add(&run.counts);
    for line in &run.reports {
        context.say(line);
    }
    let left = run.stored.game.owed().len();
    let what = if left == 1 { "mail is" } else { "mails are" };
    let left = format!("{id}: {left} {what} still owed; 'parapost send {id}' tries again");
    if let Err(error) = result {
        return Err(error.and(left));
    }
    // Mail that others have called for meanwhile is no trouble.
    let is_unsent = !mailer.is_for_news && !run.stored.game.owed().is_empty();
    if run.delivered.status != Status::Done && is_unsent {
        context.say(left);
    }
    Ok(run.delivered)
}

/// Sends the mail of several matches, one after the other. Mail that another process is sending
/// holds up no other: it is looked at again and again, until `patience` is over. `read` finds a
/// match, unless it has gone. `ended` is given what came of each, and how many are still to come.
pub(crate) fn deliver_each<'c>(
    context: &mut Context<'c>,
    mailer: &mut Mailer<'_>,
    matches: Vec<(Id, Which)>,
    patience: Duration,
    read: impl Fn(&Id, Which) -> Option<Result<Stored, Error>>,
    mut ended: impl FnMut(&mut Context<'c>, (&Id, Which), Result<&Delivered, Error>, usize),
) {
    let deadline = Instant::now() + patience;
    let mut matches = matches.into_iter();
    let mut busy = Vec::new();
    // One match after the other is in memory: an outage leaves mail in thousands.
    loop {
        let Some((id, which)) = matches.next() else {
            if busy.is_empty() {
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            thread::sleep(PAUSE.min(left));
            matches = mem::take(&mut busy).into_iter();
            continue;
        };
        let Some(stored) = read(&id, which) else {
            continue;
        };
        let is_last_look = Instant::now() >= deadline;
        let delivered = stored.and_then(|stored| deliver_if_free(context, mailer, stored, which));
        let left = matches.len() + busy.len();
        match delivered {
            Ok(Delivered {
                busy: Some(error), ..
            }) if is_last_look => ended(context, (&id, which), Err(error), left),
            Ok(Delivered { busy: Some(_), .. }) => busy.push((id, which)),
            Ok(delivered) => {
                ended(context, (&id, which), Ok(&delivered), left);
                if delivered.is_set_up_broken {
                    return tell_of_untried(left, context);
                }
            }
            Err(error) => ended(context, (&id, which), Err(error), left),
        }
    }
}

/// Sends what these matches owe now, after a run that has added to it. Returns the worst status, and
/// the number of matches whose mail has gone.
pub(crate) fn send_due(
    session: &Session,
    ids: Vec<Id>,
    context: &mut Context<'_>,
) -> (Status, usize) {
    let mut mailer = Mailer::new(session, Outlet::of_session(session));
    let store = mailer.store();
    let (mut status, mut sent, patience) = (Status::Done, 0, context.wait());
    deliver_each(
        context,
        &mut mailer,
        ids.into_iter().map(|id| (id, Which::Due)).collect(),
        patience,
        |id, _| store.find(id).transpose(),
        |context, _, delivered, _| match delivered {
            Ok(delivered) => {
                sent += usize::from(!delivered.sent.is_empty());
                status = status.max(delivered.status);
            }
            Err(error) => context.say_trouble(&error, &mut status),
        },
    );
    (status, sent)
}

/// Says that no mail of other matches was tried, because it would have failed alike.
fn tell_of_untried(matches: usize, context: &mut Context<'_>) {
    let what = match matches {
        0 => return,
        1 => "one more match".to_owned(),
        several => format!("{several} more matches"),
    };
    context.say(format_args!(
        "parapost: the mail of {what} is not tried, as it would fail alike; 'parapost send' tries it"
    ));
}

/// A delivery under way.
struct Run<'a> {
    session: &'a Session,
    stored: Stored,
    which: Which,
    /// The mails that were owed at first, or that follow from a refusal. Mail
    /// that others call for meanwhile is theirs to send.
    called_for: HashSet<MessageId>,
    /// The mails that were tried, each with its address. A mail that is refused
    /// for the address of a letter goes to the player's own.
    tried: HashSet<(MessageId, Address)>,
    /// The lines for the person at the keyboard.
    reports: Vec<String>,
    /// The outcomes of the mails that were tried.
    counts: Counts,
    delivered: Delivered,
    /// Those to whom other connections have mail.
    recipients: Option<&'a Recipients>,
    /// True if a person is told where each mail goes.
    is_told: bool,
}

impl Run<'_> {
    fn deliver(
        &mut self,
        attempts: &mut Attempts,
        transport: &mut dyn Transport,
    ) -> Result<(), Error> {
        let game = &self.stored.game;
        let unsent: HashSet<&MessageId> = game
            .owed()
            .iter()
            .chain(game.undelivered().iter().map(|refused| &refused.mail))
            .map(|mail| &mail.msg)
            .chain(game.unposted().map(|article| &article.id))
            .collect();
        attempts.retain(|id| unsent.contains(id));
        let owed = game.owed().iter().map(|owed| owed.msg.clone());
        self.called_for = owed.collect();
        while let Some(owed) = self.next() {
            let has_failed = attempts.has_failed(&owed.msg);
            if let Some(time) = attempts.waits_until(&owed.msg, self.session.now)
                && self.which == Which::Due
            {
                self.waits((time - self.session.now).to_std().unwrap_or_default());
                let (id, to) = (self.stored.game.id(), self.stored.game.address_of(&owed));
                let time = clock::write(time);
                self.reports.push(format!(
                    "{id}: the mail to {to} waits until {time}; 'parapost send {id}' tries it now"
                ));
                self.met(Status::Later, has_failed);
                continue;
            }
            let address = self.stored.game.address_of(&owed);
            let on_its_way = match self.recipients.map(|all| all.begin(address)) {
                Some(None) => {
                    self.delivered.served = Some(address.clone());
                    continue;
                }
                Some(begun) => begun,
                None => None,
            };
            let tried = self.try_one(&owed, attempts, transport)?;
            drop(on_its_way);
            if let Some(status) = tried {
                self.met(status, has_failed);
            }
            if self.delivered.is_set_up_broken {
                return Ok(());
            }
        }
        self.mail_lists(attempts, transport)
    }

    /// Returns the next mail to try, and notes that it was tried.
    fn next(&mut self) -> Option<QueuedMail> {
        let game = &self.stored.game;
        let mut owed = game.owed().iter();
        let owed = owed.find(|owed| {
            if !self.called_for.contains(&owed.msg) {
                return false;
            }
            let address = game.address_of(owed).clone();
            self.tried.insert((owed.msg.clone(), address))
        });
        owed.cloned()
    }

    /// Notes that a mail is tried again after so long.
    fn waits(&mut self, wait: Duration) {
        let next = &mut self.delivered.next_in;
        *next = Some(next.map_or(wait, |next| next.min(wait)));
    }

    fn met(&mut self, status: Status, has_failed: bool) {
        let delivered = &mut self.delivered;
        delivered.status = delivered.status.max(status);
        if !has_failed {
            delivered.status_of_new = delivered.status_of_new.max(status);
        }
    }

    /// Logs and counts an attempt to send a mail.
    fn note(&mut self, owed: &QueuedMail, by: &str, outcome: Sending) {
        let (game, kind) = (self.stored.game.id(), owed.kind.as_str());
        info!(msg = %owed.msg, "match" = %game, by, kind, outcome = outcome.as_str(), "sending");
        self.counts.tried(outcome);
    }

    fn tell(&mut self, error: impl std::fmt::Display) {
        self.reports.push(format!("parapost: {error}"));
    }

    /// Tries to send one mail, and records what became of it. Returns the outcome if it was not
    /// sent, nor is now to be tried at another address.
    ///
    /// # Errors
    ///
    /// If that cannot be recorded.
    fn try_one(
        &mut self,
        owed: &QueuedMail,
        attempts: &mut Attempts,
        transport: &mut dyn Transport,
    ) -> Result<Option<Status>, Error> {
        let Session {
            me, templates, ids, ..
        } = self.session;
        let game = &self.stored.game;
        let to = game.address_of(owed);
        if !is_mailable(to) {
            let words = format!("no mail can be made for the address {to}");
            let by = transport.name();
            self.tell(format!("{}: {words}", game.id()));
            self.note(owed, by, Sending::Refused);
            return self.record_refusal(owed, by, &words);
        }
        let message = match compose::compose(game, owed, &me.player, templates, ids) {
            Ok(message) => message,
            Err(error) => {
                self.tell(&error);
                self.waits(UNWRITTEN);
                return Ok(Some(Status::from(&error)));
            }
        };
        let (store, now) = (&*self.session.store, self.session.now);
        attempts.begin(message.id())?;
        let by = transport.name();
        match transport.send(&message) {
            Ok(()) => {
                let place = transport.place(&message);
                let outcome = place.as_ref().map_or(Sending::Sent, |_| Sending::Filed);
                self.note(owed, by, outcome);
                last_mail::note(self.session.sent.as_deref(), &self.stored.game, &owed.msg);
                let note = |game: &mut Match| game.sent(now, &owed.msg, by);
                ((), self.stored) = update(store, self.stored.clone(), note)?;
                attempts.end(&owed.msg)?;
                self.delivered.sent.push(owed.msg.clone());
                self.delivered.filed.extend(place);
                if self.is_told {
                    self.delivered.told.push(lying(&message, self.session));
                }
                Ok(None)
            }
            Err(SendError::Refused(Rejection { words, error })) => {
                self.note(owed, by, Sending::Refused);
                self.tell(&error);
                // If this fails, `undo` is refused without need.
                let _ = attempts.refused();
                self.record_refusal(owed, by, &words)
            }
            Err(SendError::SetUp(error)) => {
                self.note(owed, by, Sending::Deferred);
                let _ = attempts.broken_off();
                self.tell(&error);
                self.delivered.is_set_up_broken = true;
                Ok(Some(Status::from(&error)))
            }
            Err(error) => {
                let failure = failure_of(&error);
                let outcome = match failure {
                    Failure::Unknown => Sending::Unknown,
                    Failure::Broken | Failure::Answered => Sending::Deferred,
                };
                self.note(owed, by, outcome);
                let _ = attempts.failed(now, failure);
                self.tell(&error);
                Ok(Some(Status::from(error.error())))
            }
        }
    }

    /// Records that a mail was refused for good, and what follows.
    fn record_refusal(
        &mut self,
        owed: &QueuedMail,
        by: &str,
        words: &str,
    ) -> Result<Option<Status>, Error> {
        let session = self.session;
        let mut notice = None;
        let note = |game: &mut Match| {
            let is_referee = matches!(session.side_or_referee(game), Ok(None));
            let due = game.mail_failed(session.now, &owed.msg, by, words, is_referee)?;
            let due = due.filter(|due| game.takes(&due.mail));
            // A broken template of the user's must not keep the refusal out of
            // the log.
            notice = due.map(|due| session.owe(&due, game));
            Ok(())
        };
        ((), self.stored) = update(&*session.store, self.stored.clone(), note)?;
        match notice {
            Some(Ok(msg)) => {
                self.called_for.insert(msg);
            }
            Some(Err(error)) => self.tell(error),
            None => {}
        }
        let game = &self.stored.game;
        let id = game.id();
        if let Some(again) = game.owed().iter().find(|mail| mail.msg == owed.msg) {
            let to = game.address_of(again);
            self.reports.push(format!("{id}: it goes to {to} instead"));
            return Ok(None);
        }
        self.reports.push(format!(
            "{id}: that mail is not tried again; 'parapost mail list {id}' shows it, and 'parapost mail --help' says what can be done"
        ));
        Ok(Some(Status::Refused))
    }
}

/// Returns how an attempt has failed that was neither refused for good nor bound to fail.
fn failure_of(error: &SendError) -> Failure {
    match error {
        SendError::Broken(_) => Failure::Broken,
        SendError::Unknown(_) => Failure::Unknown,
        SendError::Refused(_) | SendError::Deferred(_) | SendError::SetUp(_) => Failure::Answered,
    }
}

/// Sends the mail that a command has called for, or reports that it is owed.
/// `done` tells the person what the command did. Returns the status of the
/// command: that an older mail could not be sent does not count.
///
/// # Errors
///
/// As [`deliver`].
pub(crate) fn finish(
    context: &mut Context<'_>,
    session: &Session,
    stored: Stored,
    delivery: Delivery,
    done: &str,
) -> Result<Status, Error> {
    let id = stored.game.id().clone();
    let is_owed =
        |event: &&LogEntry| matches!(event.mail_step(), Some(MailStep::Owed | MailStep::Requeued));
    if !stored.game.log().last().as_ref().is_some_and(is_owed) {
        context.say(format_args!(
            "{id}: {done}; your opponent has asked for no more mail, so none is owed; 'parapost send --resend {id}' sends one all the same"
        ));
        return Ok(Status::Done);
    }
    let Some(outlet) = Outlet::of(delivery) else {
        context.say(format_args!(
            "{id}: {done}; the mail is owed: 'parapost send {id}' sends it"
        ));
        return Ok(Status::Done);
    };
    let last = stored.game.log().iter().rev();
    let own: Vec<MessageId> = last
        .take_while(is_owed)
        .filter_map(|event| event.message_id("msg"))
        .collect();
    let articles = stored.game.owed_articles().iter();
    let to_lists = articles.filter(|owed| owed.forum.list().is_some()).count();
    let outlet = match outlet {
        // Nothing else would separate them.
        Outlet::Print(form) if stored.game.owed().len() + to_lists > 1 => Outlet::PrintMbox(form),
        outlet => outlet,
    };
    let mut mailer = Mailer::new(session, outlet);
    let delivered = deliver(context, &mut mailer, stored, Which::Due)?;
    if !own.iter().all(|id| delivered.sent.contains(id)) {
        return Ok(delivered.status);
    }
    if outlet == Outlet::Configured {
        let gone = delivered.gone(session);
        context.say(format_args!("{id}: {done}; {gone}"));
    }
    Ok(Status::Done)
}

impl Delivered {
    /// Says how many mails were sent, or where they lie.
    pub(crate) fn counted(&self, session: &Session) -> String {
        if self.filed.is_empty() {
            format!("{} sent", counted(self.sent.len(), "mail"))
        } else {
            self.gone(session)
        }
    }

    /// Says what has become of the mails that went: sent, or where they lie.
    pub(crate) fn gone(&self, session: &Session) -> String {
        let Some(first) = self.filed.first() else {
            return "the mail is sent".to_owned();
        };
        let lies = match self.filed.len() {
            1 => format!("the mail lies in {}", first.display()),
            several => {
                let folder = first.parent().unwrap_or(first);
                format!("{several} mails lie in {}", folder.display())
            }
        };
        match session.config.transport {
            TransportSettings::Folder(None) => lies + "; no mail server is set up (parapost init)",
            _ => lies,
        }
    }
}

/// The destination of mail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outlet {
    /// The transport of the configuration.
    Configured,
    /// Standard output; a whole message unchanged.
    Print(PrintForm),
    /// Standard output; each whole message as an entry of an mbox file.
    PrintMbox(PrintForm),
}

impl Outlet {
    /// Returns the destination that a command's options ask for, or `None` if
    /// mail stays owed.
    pub(crate) fn of(delivery: Delivery) -> Option<Outlet> {
        match delivery {
            Delivery {
                print: Some(form), ..
            } => Some(Outlet::Print(form)),
            Delivery { send: true, .. } => Some(Outlet::Configured),
            Delivery { .. } => None,
        }
    }

    /// Returns the destination of mail that goes without being asked for: an mbox on standard output
    /// if the configuration prints.
    pub(crate) fn of_session(session: &Session) -> Outlet {
        match session.config.transport {
            TransportSettings::Print => Outlet::PrintMbox(PrintForm::Auto),
            _ => Outlet::Configured,
        }
    }
}

/// Carries the mails of a run to their destination. One connection to a mail
/// server serves the mails of all matches.
pub(crate) struct Mailer<'s> {
    session: &'s Session,
    outlet: Outlet,
    smtp: Option<SmtpTransport>,
    news: Option<NntpTransport>,
    recipients: Option<&'s Recipients>,
    /// True if a person is to be told where each mail goes.
    pub(crate) is_told: bool,
    /// True if only articles are to be posted, and no mail is sent.
    pub(crate) is_for_news: bool,
}

impl<'s> Mailer<'s> {
    /// Returns the store of the matches whose mail it carries.
    pub(crate) fn store(&self) -> Arc<dyn store::Store> {
        Arc::clone(&self.session.store)
    }

    /// Creates a mailer. It connects to a mail server when there is a mail to send, and
    /// closes the session when it is dropped.
    pub(crate) fn new(session: &'s Session, outlet: Outlet) -> Mailer<'s> {
        Mailer {
            session,
            outlet,
            smtp: None,
            news: None,
            recipients: None,
            is_told: false,
            is_for_news: false,
        }
    }

    /// Creates one of several mailers that work at the same time. It goes on with the
    /// connection of an earlier one, if that is to the server of this session.
    pub(crate) fn one_of_several(
        session: &'s Session,
        outlet: Outlet,
        recipients: &'s Recipients,
        smtp: Option<SmtpTransport>,
    ) -> Mailer<'s> {
        let smtp = smtp.filter(|smtp| match &session.config.transport {
            TransportSettings::Smtp(settings) => smtp.is_of(settings),
            _ => false,
        });
        Mailer {
            smtp,
            recipients: Some(recipients),
            ..Mailer::new(session, outlet)
        }
    }

    /// Connects to the mail server, if mail goes to one.
    ///
    /// # Errors
    ///
    /// If no mail can be sent now.
    pub(crate) fn make_ready(&mut self) -> Result<(), SendError> {
        match &self.session.config.transport {
            TransportSettings::Smtp(settings) if self.outlet == Outlet::Configured => {
                self.smtp(settings).make_ready()
            }
            _ => Ok(()),
        }
    }

    /// Returns the connection, for the next mailer.
    pub(crate) fn into_connection(self) -> Option<SmtpTransport> {
        self.smtp
    }

    /// Returns one of the recipients of the mail that a match owes, if other connections
    /// have mail for all of them.
    pub(crate) fn is_served_elsewhere(&self, game: &Match) -> Option<Address> {
        let recipients = self.recipients?;
        let mut addresses = game.owed().iter().map(|owed| game.address_of(owed));
        let first = addresses.next()?;
        let is_served = |address: &Address| recipients.are_served(address);
        (is_served(first) && addresses.all(is_served)).then(|| first.clone())
    }

    fn smtp(&mut self, settings: &ConnectionSettings) -> &mut SmtpTransport {
        self.smtp
            .get_or_insert_with(|| SmtpTransport::new(settings.clone()))
    }

    /// Returns the news server of the configuration, if it has one.
    fn news(&mut self) -> Option<(&'s NewsSettings, &mut NntpTransport)> {
        let settings = self.session.config.news.as_ref()?;
        let transport = self
            .news
            .get_or_insert_with(|| NntpTransport::new(settings.server.clone()));
        Some((settings, transport))
    }

    /// Returns the transport for the destination, where standard output may be a terminal.
    pub(crate) fn transport<'t>(
        &'t mut self,
        stdout: &'t mut dyn Write,
        is_shown: bool,
    ) -> Box<dyn Transport + 't> {
        let session = self.session;
        match (self.outlet, &session.config.transport) {
            (Outlet::Print(PrintForm::Auto) | Outlet::PrintMbox(PrintForm::Auto), _)
            | (Outlet::Configured, TransportSettings::Print)
                if is_shown =>
            {
                Box::new(ShowTransport::new(stdout))
            }
            (Outlet::PrintMbox(_), _) => Box::new(PrintTransport::mbox(stdout)),
            (Outlet::Print(_), _) | (_, TransportSettings::Print) => {
                Box::new(PrintTransport::plain(stdout))
            }
            (_, TransportSettings::Folder(Some(folder))) => Box::new(FolderTransport::new(folder)),
            (_, TransportSettings::Folder(None)) => Box::new(FolderTransport::new(&session.outbox)),
            (_, TransportSettings::Smtp(settings)) => Box::new(self.smtp(settings)),
            (_, TransportSettings::Sendmail(program)) => Box::new(SendmailTransport::new(program)),
        }
    }
}

/// The recipients to whom mail is on its way over any connection of this process.
///
/// A mail server that asks others about a recipient may take minutes for its answer. If each
/// connection had a mail for such a recipient, none would be left for anybody else: so one
/// recipient has mail on one connection at a time.
#[derive(Default, Debug)]
pub(crate) struct Recipients(Mutex<HashSet<Address>>);

/// A mail on its way to a recipient, until it is dropped.
pub(crate) struct OnItsWay<'r> {
    recipients: &'r Recipients,
    address: Address,
}

impl Recipients {
    /// Notes that a mail is on its way to a recipient. Returns `None` if another one is.
    pub(crate) fn begin(&self, address: &Address) -> Option<OnItsWay<'_>> {
        let is_first = lock(&self.0).insert(address.clone());
        is_first.then(|| OnItsWay {
            recipients: self,
            address: address.clone(),
        })
    }

    /// Returns true if a mail is on its way to a recipient.
    pub(crate) fn are_served(&self, address: &Address) -> bool {
        lock(&self.0).contains(address)
    }
}

impl Drop for OnItsWay<'_> {
    fn drop(&mut self) {
        lock(&self.recipients.0).remove(&self.address);
    }
}

/// The type of a page.
const HTML: &str = "text/html";

/// Writes messages to a terminal, for a person.
struct ShowTransport<W> {
    stdout: W,
    /// True if a message has been written.
    is_next: bool,
}

impl<W: Write> ShowTransport<W> {
    /// Creates what writes messages there.
    fn new(stdout: W) -> ShowTransport<W> {
        ShowTransport {
            stdout,
            is_next: false,
        }
    }
}

impl<W: Write> Transport for ShowTransport<W> {
    fn name(&self) -> &'static str {
        "print"
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        let mut text = shown(message, terminal_width());
        if self.is_next {
            text.insert(0, '\n');
        }
        let printed = self.stdout.write_all(text.as_bytes());
        printed
            .and_then(|()| self.stdout.flush())
            .map_err(|error| SendError::SetUp(Error::stdout(&error)))?;
        self.is_next = true;
        Ok(())
    }
}

/// Returns a message as a person reads it.
fn shown(message: &OutgoingMessage, columns: usize) -> String {
    let Some(parts) = MailParts::read(&message.bytes()) else {
        unreachable!("what is sent is a mail");
    };
    let mut text = String::new();
    for (field, value) in [
        ("From", &parts.from),
        ("To", &parts.to),
        ("Subject", &parts.subject),
    ] {
        for line in fold(&one_line(&format!("{field}: {value}")), columns) {
            let _ = writeln!(text, "{line}");
        }
    }
    let words = wrapped(&visible(parts.text.trim_end()), columns);
    let _ = writeln!(text, "\n{words}\n");
    for part in &parts.others {
        let _ = writeln!(text, "{}", named(part));
        if part.kind == HTML
            && part.name.is_none()
            && let Some(file) = keep(message, part, &parts)
        {
            let _ = writeln!(text, "  {}", visible(&file.display().to_string()));
        }
    }
    if parts.others.is_empty() {
        // The text is followed by the empty line alone.
        text.pop();
    }
    text
}

/// Names a part that is not shown, with its size.
fn named(part: &MailPart) -> String {
    let size = part.bytes.len().div_ceil(1_000);
    let what = match (part.kind.as_str(), &part.name) {
        (HTML, None) => "Beside the text: a page, to open in a browser".to_owned(),
        (HTML, Some(name)) => format!("Attached: {}, a page", one_line(name)),
        (kind, Some(name)) if kind.starts_with("image/") => {
            format!("Beside the text: {}, a picture", one_line(name))
        }
        (kind, _) => format!("Beside the text: a part of the type {}", one_line(kind)),
    };
    format!("{what} ({size} KB)")
}

/// Keeps the page of a mail in a file of the user's, its pictures inside, and returns where. A
/// person without a home, or with a full disk, can do without.
fn keep(message: &OutgoingMessage, page: &MailPart, parts: &MailParts) -> Option<PathBuf> {
    let mut html = String::from_utf8(page.bytes.clone()).ok()?;
    for picture in &parts.others {
        if let Some(id) = &picture.content_id {
            let data = BASE64.encode(&picture.bytes);
            let inside = format!("data:{};base64,{data}", picture.kind);
            html = html.replace(&format!("cid:{id}"), &inside);
        }
    }
    // The id of the match and the line of its log, not what nobody is to guess.
    let name: Vec<String> = message
        .file_name()
        .split('.')
        .take(2)
        .map(ToOwned::to_owned)
        .collect();
    let folder = config::cache_folder().ok()?;
    files::make_folder(&folder).ok()?;
    let file = folder.join(format!("{}.html", name.join(".")));
    replace_for_user(&file, html.as_bytes()).ok()?;
    Some(file)
}

/// Tells whom a message goes to, where it lies if it waits in a folder, and where its page is.
fn lying(message: &OutgoingMessage, session: &Session) -> String {
    let Some(parts) = MailParts::read(&message.bytes()) else {
        unreachable!("what is sent is a mail");
    };
    let mut text = one_line(&format!("To {}: {}", parts.to, parts.subject));
    let folder = match &session.config.transport {
        TransportSettings::Folder(folder) => Some(folder.as_ref().unwrap_or(&session.outbox)),
        _ => None,
    };
    if let Some(folder) = folder {
        let file = folder.join(format!("{}.eml", message.file_name()));
        let _ = write!(text, "\n  {}", visible(&file.display().to_string()));
    }
    let page = parts
        .others
        .iter()
        .find(|part| part.kind == HTML && part.name.is_none());
    if let Some(file) = page.and_then(|page| keep(message, page, &parts)) {
        let file = visible(&file.display().to_string());
        let _ = write!(text, "\n  {file} (its page, for a browser)");
    }
    text
}
