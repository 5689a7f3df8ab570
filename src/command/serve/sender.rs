//! The threads that send what is owed, while others take messages, and the queue of the matches
//! whose mail is to be sent, in the order in which they were called for.
//!
//! One thread hears what is called for, and one looks what else is owed. Each of the others has a
//! connection of its own: what hangs there holds up no other. A match keeps its place in the queue
//! until its mail has been looked at: a further call changes nothing, nor does it lose its place
//! while it waits for another process or for a recipient. Each is with one sending thread at a
//! time.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Display;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lettre::Address;

use crate::Error;
use crate::command::context::{Context, Status};
use crate::command::delivery::{Mailer, Outlet, Recipients, Which, deliver_if_free};
use crate::command::serve::shared::{Shared, spawn};
use crate::mail::smtp::SmtpTransport;
use crate::match_id::Id;
use crate::referee::session::Session;
use crate::store::errand::Errand;
use crate::store::store::Store as _;
use crate::threads::lock;

/// The time from one look at all matches to the next: other processes may owe mail or have
/// been killed, and mail that has failed waits for its time.
const LOOK: Duration = Duration::from_secs(20);

/// The time until mail that another process was sending is looked at again: that process may
/// have been killed.
const AGAIN: Duration = Duration::from_secs(3);

/// The time until the mail of a match is tried again when the matches are out of reach.
const TROUBLE: Duration = Duration::from_secs(5);

/// The matches are out of reach: a look each few seconds tells when they are there again.
const AWAY: Rests = Rests(Duration::from_secs(1), TROUBLE);

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
    /// The connections that stand.
    connected: AtomicUsize,
}

impl MailSender {
    pub(super) fn new(shared: Arc<Shared>, owing: Receiver<Id>) -> MailSender {
        MailSender {
            owing,
            senders: Arc::new(Senders {
                shared,
                queue: Queue::default(),
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
        let outlet = Outlet::of_session(session);
        Mailer::one_of_several(session, outlet, &self.queue.recipients, smtp)
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
        let mut mailer = self.senders.mailer(session, self.smtp.take());
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
        let found = {
            let _errand = Errand::without_waiting();
            self.senders.shared.cache.find(id)
        };
        let delivered = match found {
            Ok(Some(stored)) => {
                let mut mailer = self.senders.mailer(session, self.smtp.take());
                let delivered = deliver_if_free(context, &mut mailer, stored, Which::Due);
                self.smtp = mailer.into_connection();
                if self.smtp.as_ref().is_some_and(|smtp| !smtp.is_connected()) {
                    self.disconnect();
                }
                delivered
            }
            // The match has gone.
            Ok(None) => return (SendOutcome::Done, None),
            Err(error) if error.is_transient() => {
                context.say_error(&error);
                return (SendOutcome::Later(TROUBLE), Some(AWAY));
            }
            Err(error) => Err(error),
        };
        let delivered = match delivered {
            Ok(delivered) => delivered,
            Err(error) => {
                context.say_error(&error);
                return if error.is_held() {
                    // Of this match alone: the others do not wait for it.
                    (SendOutcome::Later(AGAIN), None)
                } else if error.is_transient() {
                    (SendOutcome::Later(TROUBLE), Some(AWAY))
                } else {
                    (SendOutcome::Waits(FAULT), None)
                };
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

/// The time for which a connection stays that has nothing to send.
const IDLE: Duration = Duration::from_secs(5);

/// The longest time without a look at the clock.
const LONGEST: Duration = Duration::from_mins(1);

/// The matches with mail to send, and the time of each.
#[derive(Default)]
struct Queue {
    // Nothing under the lock panics.
    state: Mutex<State>,
    /// Something is to be sent, or nothing will be any more.
    news: Condvar,
    /// Nothing will be sent any more.
    end: Condvar,
    /// Those to whom mail is on its way.
    recipients: Arc<Recipients>,
}

/// The number of a call: the lower, the earlier.
type Call = u64;

#[derive(Default)]
struct State {
    next: Call,
    places: BTreeMap<Id, Place>,
    /// The matches that can be taken now.
    ready: BTreeMap<Call, Id>,
    /// The matches that are looked at again at a time.
    later: BTreeSet<(Instant, Call, Id)>,
    /// The last of them whose time has come. They come one by one, so that no further
    /// connection is made for those that another process holds.
    due: Option<Call>,
    /// True if that one was taken last. Then one is taken that nobody has looked at yet, so
    /// that those that others hold delay it by one look, however many they are.
    was_due: bool,
    /// The matches with mail for a recipient to whom another connection has one.
    served: HashMap<Address, BTreeMap<Call, Id>>,
    /// When each match with mail that has failed is tried again, unless it is called for.
    waiting: BTreeMap<Id, Instant>,
    /// The numbers of the threads with a connection that have nothing to do.
    idle: BTreeSet<usize>,
    /// The numbers of the threads that are connecting.
    connecting: BTreeSet<usize>,
    is_closed: bool,
}

/// The place of a match.
enum Place {
    Ready,
    Later,
    Served(Call, Address),
    /// A thread has it. The call that came since.
    Taken(Option<Call>),
}

/// The next thing for a thread to do.
#[derive(PartialEq, Eq, Debug)]
enum Next {
    /// Send the mail of this match.
    Send(Taken),
    /// Connect: there is more to send than the connections do that stand.
    Connect,
    /// End the connection, which has had nothing to do for long.
    Disconnect,
    /// End.
    End,
}

/// A match that a thread has taken.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Taken {
    id: Id,
    call: Call,
}

/// The outcome for the mail of a match.
#[derive(Debug)]
enum SendOutcome {
    /// Nothing waits.
    Done,
    /// Its mail is tried again after so long.
    Waits(Duration),
    /// It could not be looked at, and keeps its place until it is after so long.
    Later(Duration),
    /// Another connection has a mail to this recipient.
    Served(Address),
    /// This connection could not send it.
    Back,
}

impl Queue {
    /// Calls for the mail of a match.
    fn call(&self, id: Id) {
        let mut state = lock(&self.state);
        let next = state.next;
        match state.places.get_mut(&id) {
            Some(Place::Ready | Place::Later | Place::Taken(Some(_))) => return,
            Some(Place::Taken(again)) => {
                *again = Some(next);
                state.next += 1;
                return;
            }
            // The new mail may be for somebody else.
            Some(Place::Served(call, address)) => {
                let (call, address) = (*call, address.clone());
                state.leave_served(&address, call);
                state.make_ready(id, call);
            }
            None => {
                state.next += 1;
                state.make_ready(id, next);
            }
        }
        self.news.notify_all();
    }

    /// Calls for the mail of matches that were found to owe some, unless all of it waits for
    /// its time.
    fn call_found(&self, ids: impl IntoIterator<Item = Id>) {
        let mut state = lock(&self.state);
        let now = Instant::now();
        state.waiting.retain(|_, until| *until > now);
        for id in ids {
            if !state.waiting.contains_key(&id) && !state.places.contains_key(&id) {
                let call = state.next;
                state.next += 1;
                state.make_ready(id, call);
            }
        }
        self.news.notify_all();
    }

    /// Waits for something to do for the thread of this number. Those with lower numbers come
    /// first, so that connections that are not needed end.
    fn next(&self, number: usize, is_connected: bool) -> Next {
        let begun = Instant::now();
        let mut state = lock(&self.state);
        loop {
            if state.is_closed {
                return Next::End;
            }
            let now = Instant::now();
            state.make_due_ready(now);
            let mut wait = LONGEST;
            if is_connected {
                let others = state.idle.range(..number).count();
                if state.ready.len() > others
                    && let Some(taken) = state.take()
                {
                    if !state.later.is_empty() {
                        self.news.notify_all();
                    }
                    return Next::Send(taken);
                }
                wait = (begun + IDLE).saturating_duration_since(now);
                if wait.is_zero() {
                    return Next::Disconnect;
                }
            } else if state.ready.len() > state.idle.len() + state.connecting.len() {
                state.connecting.insert(number);
                return Next::Connect;
            }
            // Whoever takes one tells of those whose time has come already.
            if let Some((due, ..)) = state.later.first()
                && *due > now
            {
                wait = wait.min(*due - now);
            }
            if is_connected {
                state.idle.insert(number);
            }
            let waited = self.news.wait_timeout(state, wait);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            state.idle.remove(&number);
        }
    }

    /// Notes that the thread of this number has connected, or that it could not.
    fn has_tried(&self, number: usize) {
        lock(&self.state).connecting.remove(&number);
        self.news.notify_all();
    }

    /// Gives a match back.
    fn done(&self, taken: Taken, outcome: SendOutcome) {
        let mut state = lock(&self.state);
        let Taken { id, call } = taken;
        let again = match state.places.remove(&id) {
            Some(Place::Taken(again)) => again,
            _ => None,
        };
        match outcome {
            SendOutcome::Done | SendOutcome::Waits(_) => {
                if let SendOutcome::Waits(wait) = outcome {
                    state.waiting.insert(id.clone(), Instant::now() + wait);
                }
                if let Some(again) = again {
                    state.make_ready(id, again);
                }
            }
            SendOutcome::Later(wait) => {
                state.places.insert(id.clone(), Place::Later);
                state.later.insert((Instant::now() + wait, call, id));
            }
            SendOutcome::Served(address) if self.recipients.are_served(&address) => {
                let place = Place::Served(call, address.clone());
                state.places.insert(id.clone(), place);
                state.served.entry(address).or_default().insert(call, id);
            }
            SendOutcome::Served(_) | SendOutcome::Back => state.make_ready(id, call),
        }
        state.make_served_ready(&self.recipients);
        self.news.notify_all();
    }

    /// Waits for so long, or until nothing is sent any more.
    fn rest(&self, time: Duration) {
        let state = lock(&self.state);
        let _rested = self
            .end
            .wait_timeout_while(state, time, |state| !state.is_closed);
    }

    /// Has all threads end when they have sent what they have taken.
    fn close(&self) {
        lock(&self.state).is_closed = true;
        self.news.notify_all();
        self.end.notify_all();
    }
}

impl State {
    fn make_ready(&mut self, id: Id, call: Call) {
        self.places.insert(id.clone(), Place::Ready);
        self.ready.insert(call, id);
    }

    fn make_due_ready(&mut self, now: Instant) {
        // Of those whose time has come, one at a time is to be taken.
        if self.later.first().is_some_and(|(due, ..)| *due <= now)
            && self.due.is_none_or(|call| !self.ready.contains_key(&call))
            && (self.ready.is_empty() || !self.was_due)
            && let Some((_, call, id)) = self.later.pop_first()
        {
            self.make_ready(id, call);
            self.due = Some(call);
        }
    }

    /// Makes the first match ready of those that wait for each recipient who is free. The
    /// others follow it one by one, as they would only wait for it.
    fn make_served_ready(&mut self, recipients: &Recipients) {
        let addresses = self.served.keys();
        let free = addresses.filter(|address| !recipients.are_served(address));
        let free: Vec<Address> = free.cloned().collect();
        for address in free {
            let first = self
                .served
                .get(&address)
                .and_then(BTreeMap::first_key_value);
            if let Some((call, id)) = first.map(|(call, id)| (*call, id.clone())) {
                self.leave_served(&address, call);
                self.make_ready(id, call);
            }
        }
    }

    fn leave_served(&mut self, address: &Address, call: Call) {
        if let Some(matches) = self.served.get_mut(address) {
            matches.remove(&call);
            if matches.is_empty() {
                self.served.remove(address);
            }
        }
    }

    fn take(&mut self) -> Option<Taken> {
        let (call, id) = self.ready.pop_first()?;
        self.was_due = self.due == Some(call);
        self.places.insert(id.clone(), Place::Taken(None));
        Some(Taken { id, call })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc;

    use super::*;
    use crate::command::arguments::Global;
    use crate::command::test_helpers;
    use crate::matches::mail::NewMail;
    use crate::matches::r#match::Match;
    use crate::rules::Color;
    use crate::store::cache::Cache;
    use crate::store::store::FaultyStore;

    #[test]
    fn a_match_that_makes_the_program_panic_holds_up_no_mail_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = test_helpers::session(folder.path(), "ref", "referee", |_, _| {});
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
        let shared = Arc::new(Shared::new(
            Global::default(),
            session,
            cache,
            call,
            mpsc::channel().0,
        ));
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

    const LONG: Duration = Duration::from_hours(1);

    fn queue() -> Queue {
        Queue::default()
    }

    fn id(name: &str) -> Id {
        name.parse().unwrap()
    }

    fn call(queue: &Queue, names: &str) {
        names.split(' ').for_each(|name| queue.call(id(name)));
    }

    /// Takes the next match, which must be there.
    fn take(queue: &Queue) -> Taken {
        match queue.next(0, true) {
            Next::Send(taken) => taken,
            next => panic!("{next:?}"),
        }
    }

    fn is_empty(queue: &Queue) -> bool {
        let mut state = lock(&queue.state);
        state.make_due_ready(Instant::now());
        state.ready.is_empty()
    }

    /// Takes all that is ready, and returns it in its order.
    fn drain(queue: &Queue) -> String {
        let mut names = Vec::new();
        while !is_empty(queue) {
            let taken = take(queue);
            names.push(taken.id.to_string());
            queue.done(taken, SendOutcome::Done);
        }
        names.join(" ")
    }

    /// The order was that of the ids, so that a busy match with a low one came before all
    /// others each time.
    #[test]
    fn matches_are_taken_in_the_order_in_which_they_were_called_for() {
        let queue = queue();
        call(&queue, "n c z a c n");
        queue.call_found([id("b"), id("z"), id("m")]);
        assert_eq!(drain(&queue), "n c z a b m");
    }

    #[test]
    fn a_match_that_waits_for_another_process_keeps_its_place_whatever_is_called_for() {
        let queue = queue();
        call(&queue, "a b c");
        let first = take(&queue);
        queue.done(first, SendOutcome::Later(LONG));
        call(&queue, "a b a");
        queue.call_found([id("a")]);
        assert_eq!(drain(&queue), "b c");
        call(&queue, "d a e");
        let busy = lock(&queue.state).later.pop_first().unwrap();
        lock(&queue.state)
            .later
            .insert((Instant::now(), busy.1, busy.2));
        assert_eq!(drain(&queue), "a d e");
    }

    #[test]
    fn matches_that_others_hold_are_looked_at_one_by_one_over_one_connection() {
        let queue = queue();
        call(&queue, "a b c");
        for _ in 0..3 {
            let taken = take(&queue);
            queue.done(taken, SendOutcome::Later(Duration::ZERO));
            let first = lock(&queue.state).later.pop_first().unwrap();
            lock(&queue.state)
                .later
                .insert((first.0 + LONG, first.1, first.2));
        }
        let now = Instant::now() + LONG * 2;
        let mut state = lock(&queue.state);
        for left in [2, 1, 0] {
            state.make_due_ready(now);
            state.make_due_ready(now);
            assert_eq!((state.ready.len(), state.later.len()), (1, left));
            state.take();
        }
    }

    /// A hundred of them would be looked at before any mail went.
    #[test]
    fn a_match_that_others_hold_comes_between_two_that_nobody_has_looked_at() {
        let queue = queue();
        call(&queue, "a b c");
        for _ in 0..3 {
            let taken = take(&queue);
            queue.done(taken, SendOutcome::Later(Duration::from_millis(50)));
        }
        std::thread::sleep(Duration::from_millis(100));
        call(&queue, "d e");
        assert_eq!(drain(&queue), "a d b e c");
    }

    #[test]
    fn a_match_is_with_one_thread_at_a_time() {
        let queue = queue();
        call(&queue, "a b");
        let first = take(&queue);
        call(&queue, "a c a");
        queue.call_found([id("a")]);
        assert_eq!(drain(&queue), "b c");
        queue.done(first, SendOutcome::Done);
        assert_eq!(drain(&queue), "a", "it was called for while it was sent");
    }

    #[test]
    fn what_one_connection_could_not_send_comes_first_for_the_next() {
        let queue = queue();
        call(&queue, "a b c");
        let first = take(&queue);
        queue.done(first, SendOutcome::Back);
        assert_eq!(drain(&queue), "a b c");
    }

    #[test]
    fn mail_that_has_failed_waits_for_its_time_unless_it_is_called_for() {
        let queue = queue();
        call(&queue, "a b");
        for wait in [LONG, Duration::ZERO] {
            let taken = take(&queue);
            queue.done(taken, SendOutcome::Waits(wait));
        }
        queue.call_found([id("a"), id("b")]);
        assert_eq!(drain(&queue), "b");
        call(&queue, "a");
        assert_eq!(drain(&queue), "a");
    }

    #[test]
    fn matches_wait_for_a_recipient_and_then_come_one_by_one_in_their_order() {
        let queue = queue();
        let slow: Address = "slow@example.org".parse().unwrap();
        let recipients = Arc::clone(&queue.recipients);
        let on_its_way = recipients.begin(&slow).unwrap();
        assert!(recipients.begin(&slow).is_none());
        call(&queue, "c a b x y");
        for _ in 0..3 {
            let taken = take(&queue);
            queue.done(taken, SendOutcome::Served(slow.clone()));
        }
        assert_eq!(drain(&queue), "x y");
        // The new mail may be for somebody else.
        call(&queue, "a");
        let taken = take(&queue);
        assert_eq!(taken.id, id("a"));
        queue.done(taken, SendOutcome::Served(slow.clone()));
        call(&queue, "z");
        drop(on_its_way);
        let last = take(&queue);
        queue.done(last, SendOutcome::Done);
        let state = lock(&queue.state);
        let ready: Vec<String> = state.ready.values().map(Id::to_string).collect();
        assert_eq!(ready, ["c"]);
        drop(state);
        assert_eq!(drain(&queue), "c a b");
        assert!(lock(&queue.state).served.is_empty());
        // It was free before the match was given back.
        call(&queue, "a");
        let taken = take(&queue);
        queue.done(taken, SendOutcome::Served(slow));
        assert_eq!(drain(&queue), "a");
    }

    #[test]
    fn a_thread_connects_only_for_what_the_connections_that_stand_do_not_send() {
        let queue = queue();
        call(&queue, "a");
        assert_eq!(queue.next(0, false), Next::Connect);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| queue.next(1, false));
            std::thread::sleep(Duration::from_millis(50));
            assert!(!other.is_finished(), "another is connecting for it");
            queue.has_tried(0);
            assert_eq!(other.join().unwrap(), Next::Connect);
        });
        queue.has_tried(1);
        lock(&queue.state).idle.insert(0);
        call(&queue, "b");
        assert_eq!(queue.next(1, false), Next::Connect);
        queue.has_tried(1);
        let _taken = take(&queue);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| queue.next(1, false));
            std::thread::sleep(Duration::from_millis(50));
            assert!(!other.is_finished(), "the one that stands sends it");
            call(&queue, "c");
            assert_eq!(other.join().unwrap(), Next::Connect);
        });
        queue.has_tried(1);
        // Nor does a further connection take what the first one is about to send.
        lock(&queue.state).ready.pop_first();
        assert_eq!(queue.next(1, true), Next::Disconnect);
        lock(&queue.state).idle.remove(&0);
        assert!(matches!(queue.next(1, true), Next::Send(_)));
        queue.close();
        assert_eq!(queue.next(1, false), Next::End);
        queue.rest(LONG);
    }
}
