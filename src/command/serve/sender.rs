//! The threads that send what is owed, while others take messages.
//!
//! One hears what is called for, and one looks what else is owed. Each of the others has a
//! connection of its own: what hangs there holds up no other.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::Error;
use crate::command::context::Context;
use crate::command::delivery::{Mailer, Outlet, Recipients, Which, deliver_if_free};
use crate::command::serve::queue::{Next, Queue, SendOutcome, Taken};
use crate::command::serve::shared::{Shared, spawn};
use crate::command::status::Status;
use crate::config::transport::TransportSettings;
use crate::mail::smtp::SmtpTransport;
use crate::match_id::Id;
use crate::referee::session::Session;
use crate::store::store::Store as _;

/// The time from one look at all matches to the next: other processes may owe mail or have
/// been killed, and mail that has failed waits for its time.
const LOOK: Duration = Duration::from_secs(20);

/// The time until mail that another process was sending is looked at again: that process may
/// have been killed.
const AGAIN: Duration = Duration::from_secs(3);

/// The time until the mail of a match is tried again when the matches are out of reach.
const TROUBLE: Duration = Duration::from_mins(1);

/// The time until the mail of a match is tried again that only a person can mend.
const FAULT: Duration = Duration::from_mins(5);

/// The time for which a connection rests after trouble: the first time, and at most.
struct Rests(Duration, Duration);

/// Trouble that may pass: the server is away, or takes no more connections.
const PASSING: Rests = Rests(Duration::from_secs(1), Duration::from_mins(1));

/// Trouble that the user has to mend, such as a wrong password. A server that is asked too
/// often shuts the user out.
const LASTING: Rests = Rests(Duration::from_mins(1), Duration::from_mins(15));

/// The thread that hears what is called for.
pub(super) struct MailSender {
    owing: Receiver<Id>,
    senders: Arc<Senders>,
    /// The thread that looks.
    looking: Option<JoinHandle<()>>,
    /// The threads that send, by their numbers.
    threads: BTreeMap<usize, JoinHandle<()>>,
}

/// The parts that the sending threads share.
struct Senders {
    shared: Arc<Shared>,
    queue: Queue,
    recipients: Arc<Recipients>,
    /// The connections that stand.
    connected: AtomicUsize,
}

impl MailSender {
    pub(super) fn new(shared: Arc<Shared>, owing: Receiver<Id>) -> MailSender {
        let recipients = Arc::<Recipients>::default();
        MailSender {
            owing,
            senders: Arc::new(Senders {
                shared,
                queue: Queue::new(Arc::clone(&recipients)),
                recipients,
                connected: AtomicUsize::new(0),
            }),
            looking: None,
            threads: BTreeMap::new(),
        }
    }

    /// Has mail sent until nobody can call for any more, and the mail under way has gone.
    pub(super) fn run(&mut self) {
        while !self.senders.shared.is_stopping() {
            if let Err(error) = self.start_threads() {
                self.say(error);
            }
            match self.owing.recv_timeout(LOOK) {
                Ok(id) => self.senders.queue.call(id),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.senders.queue.close();
        for thread in mem::take(&mut self.threads).into_values() {
            let _ = thread.join();
        }
    }

    /// Starts the threads that are missing: one for each connection that the configuration
    /// asks for, and the one that looks.
    fn start_threads(&mut self) -> Result<(), Error> {
        self.threads.retain(|_, thread| !thread.is_finished());
        let asked_for = self.senders.shared.session().config.connections;
        for number in 0..asked_for {
            if !self.threads.contains_key(&number) {
                let senders = Arc::clone(&self.senders);
                let work = move || Sender::new(senders, number).run();
                self.threads.insert(number, spawn("sending", work)?);
            }
        }
        if self.looking.as_ref().is_none_or(JoinHandle::is_finished) {
            let senders = Arc::clone(&self.senders);
            self.looking = Some(spawn("looking", move || senders.look())?);
        }
        Ok(())
    }

    pub(super) fn say(&self, error: impl Display) {
        self.senders.say(error);
    }
}

impl Senders {
    /// Returns what sends over one of the connections.
    fn mailer<'s>(&'s self, session: &'s Session, smtp: Option<SmtpTransport>) -> Mailer<'s> {
        let outlet = match session.config.transport {
            TransportSettings::Print => Outlet::PrintMbox,
            _ => Outlet::Configured,
        };
        Mailer::one_of_several(session, outlet, &self.recipients, smtp)
    }

    /// Looks again and again which matches owe mail.
    fn look(&self) {
        while !self.shared.is_stopping() {
            match self.shared.cache.owing() {
                Ok(owing) => self.queue.call_found(owing),
                Err(error) => self.say(error),
            }
            self.queue.rest(LOOK);
        }
    }

    fn say(&self, error: impl Display) {
        let say = |context: &mut Context<'_>| context.say_error(&error);
        self.shared.with_context(say);
    }
}

/// A thread that sends over a connection of its own.
struct Sender {
    senders: Arc<Senders>,
    number: usize,
    smtp: Option<SmtpTransport>,
    /// True if its connection stands.
    is_connected: bool,
    /// The time for which it rests after the next trouble.
    rest: Duration,
    /// True if it was said, since this connection last sent a mail, that others send alone.
    is_absence_known: bool,
}

impl Sender {
    fn new(senders: Arc<Senders>, number: usize) -> Sender {
        Sender {
            senders,
            number,
            smtp: None,
            is_connected: false,
            rest: Duration::ZERO,
            is_absence_known: false,
        }
    }

    /// Sends until nothing is sent any more, or over fewer connections.
    fn run(&mut self) {
        loop {
            match self.senders.queue.next(self.number, self.is_connected) {
                Next::Send(taken) => self.send(taken),
                Next::Connect => {
                    let session = self.senders.shared.session();
                    let is_wanted = self.number < session.config.connections;
                    let rests = is_wanted.then(|| self.connect(&session)).flatten();
                    self.senders.queue.has_tried(self.number);
                    if !is_wanted {
                        return;
                    }
                    if let Some(rests) = rests {
                        self.rest_after(rests);
                    }
                }
                Next::Disconnect => self.disconnect(),
                Next::End => return self.disconnect(),
            }
        }
    }

    /// Connects to the mail server, before any match waits for that. Returns how long to rest
    /// if it cannot.
    fn connect(&mut self, session: &Session) -> Option<Rests> {
        let senders = Arc::clone(&self.senders);
        let mut mailer = senders.mailer(session, self.smtp.take());
        let connected = mailer.make_ready();
        self.smtp = mailer.into_connection();
        match connected {
            Ok(()) => {
                self.is_connected = true;
                self.senders.connected.fetch_add(1, Ordering::SeqCst);
                None
            }
            Err(error) => {
                let error = error.error();
                let others = self.senders.connected.load(Ordering::SeqCst);
                if others == 0 {
                    self.senders.say(error);
                } else if !self.is_absence_known {
                    self.is_absence_known = true;
                    let lines = if others == 1 {
                        "one connection"
                    } else {
                        "fewer connections"
                    };
                    self.senders.say(format!(
                        "{error}\nmail goes over {lines} until the server takes another"
                    ));
                }
                Some(if error.is_transient() {
                    PASSING
                } else {
                    LASTING
                })
            }
        }
    }

    fn disconnect(&mut self) {
        self.smtp = None;
        if self.is_connected {
            self.is_connected = false;
            self.senders.connected.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Rests after trouble, the longer the more often it comes. The other connections go on.
    fn rest_after(&mut self, Rests(first, longest): Rests) {
        self.disconnect();
        let rest = self.rest.clamp(first, longest);
        self.rest = rest.saturating_mul(2);
        self.senders.queue.rest(rest);
    }

    /// Sends the mail of a match.
    fn send(&mut self, taken: Taken) {
        let senders = Arc::clone(&self.senders);
        // A fault of ours in one match's mail must not hold up that of the others.
        let sent = catch_unwind(AssertUnwindSafe(|| {
            let session = senders.shared.session().at_present()?;
            let say = |context: &mut Context<'_>| self.send_of(&taken.id, &session, context);
            Ok(senders.shared.with_context(say))
        }));
        let id = &taken.id;
        let (outcome, trouble) = match sent {
            Ok(Ok(sent)) => sent,
            Ok(Err(error)) => {
                let error: Error = error;
                senders.say(&error);
                (SendOutcome::Later(TROUBLE), None)
            }
            Err(_) => {
                self.disconnect();
                senders.say(format!(
                    "{id}: its mail made the program panic, which is a bug"
                ));
                (SendOutcome::Waits(FAULT), None)
            }
        };
        senders.queue.done(taken, outcome);
        if let Some(rests) = trouble {
            self.rest_after(rests);
        }
    }

    /// Sends the mail of a match. Returns what has become of it, and how long to rest if no
    /// mail can be sent over this connection now.
    fn send_of(
        &mut self,
        id: &Id,
        session: &Session,
        context: &mut Context<'_>,
    ) -> (SendOutcome, Option<Rests>) {
        let found = self.senders.shared.cache.find(id);
        let delivered = match found {
            Ok(Some(stored)) => {
                let senders = Arc::clone(&self.senders);
                let mut mailer = senders.mailer(session, self.smtp.take());
                let delivered = deliver_if_free(context, &mut mailer, stored, Which::Due);
                self.smtp = mailer.into_connection();
                if self.smtp.as_ref().is_some_and(|smtp| !smtp.is_connected()) {
                    self.disconnect();
                }
                delivered
            }
            // The match has gone.
            Ok(None) => return (SendOutcome::Done, None),
            Err(error) => Err(error),
        };
        let delivered = match delivered {
            Ok(delivered) => delivered,
            Err(error) => {
                context.say_error(&error);
                let outcome = if error.is_transient() {
                    SendOutcome::Later(TROUBLE)
                } else {
                    SendOutcome::Waits(FAULT)
                };
                return (outcome, None);
            }
        };
        if delivered.is_set_up_broken {
            let rests = if delivered.status == Status::Later {
                PASSING
            } else {
                LASTING
            };
            return (SendOutcome::Back, Some(rests));
        }
        if !delivered.sent.is_empty() {
            self.rest = Duration::ZERO;
            self.is_absence_known = false;
        }
        let outcome = if delivered.busy.is_some() {
            SendOutcome::Later(AGAIN)
        } else if let Some(address) = delivered.served {
            SendOutcome::Served(address)
        } else {
            delivered
                .next_in
                .map_or(SendOutcome::Done, SendOutcome::Waits)
        };
        (outcome, None)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc;

    use super::*;
    use crate::command::arguments::Global;
    use crate::command::test_session;
    use crate::matches::mail::NewMail;
    use crate::matches::r#match::Match;
    use crate::rules::Color;
    use crate::store::cache::Cache;
    use crate::store::faulty::FaultyStore;

    #[test]
    fn a_match_that_makes_the_program_panic_holds_up_no_mail_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = test_session::session(folder.path(), "ref", "referee", |_, _| {});
        let faulty: Id = "m".parse().unwrap();
        // The match `n`, behind it, owes a mail.
        let mut game = Match::clone(&session.store.read(&faulty).unwrap().game);
        let mut settings = game.settings().clone();
        settings.id = "n".parse().unwrap();
        game = Match::new(settings, session.now);
        let mail = NewMail::new("position", Color::White);
        game.owe(session.now, mail, &session.ids).unwrap();
        session.store.create(&game).unwrap();
        let store = Arc::clone(&session.store);
        session.store = Arc::new(FaultyStore {
            store,
            faulty: faulty.clone(),
        });
        let outbox = session.outbox.clone();
        let store = Box::leak(Box::new(Arc::clone(&session.store)));
        let (call, called_for) = mpsc::channel();
        let cache = Cache::new(&**store, false);
        let shared = Arc::new(Shared::new(Global::default(), session, cache, call));
        let senders = MailSender::new(shared, called_for).senders;
        senders.queue.call(faulty.clone());
        senders.queue.call(game.id().clone());
        let mut sender = Sender::new(Arc::clone(&senders), 0);
        for id in [&faulty, game.id()] {
            let Next::Send(taken) = senders.queue.next(0, true) else {
                panic!("{id} was called for");
            };
            assert_eq!(&taken.id, id);
            sender.send(taken);
        }
        assert_eq!(fs::read_dir(outbox).unwrap().count(), 1);
        // Nobody but a person mends it.
        senders.queue.call_found([faulty]);
        assert_eq!(senders.queue.next(0, true), Next::Disconnect);
    }
}
