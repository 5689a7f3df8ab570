//! The parts that the threads of `serve` share.

use std::io::{self, LineWriter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lettre::Address;

use crate::Error;
use crate::command::arguments::Global;
use crate::command::context::{Context, Counts};
use crate::command::receive;
use crate::limits::{HANDLED, LARGE_BODIES};
use crate::mail::lmtp::DeliveryStatus;
use crate::match_id::Id;
use crate::referee::session::Session;
use crate::store::cache::Cache;
use crate::store::store::Store as _;
use crate::threads::lock;

/// The time that a message waits for others to be handled. Clients wait ten minutes for the
/// reply to the final dot (RFC 5321, 4.5.3.2.6).
const TURN: Duration = Duration::from_mins(5);

/// The parts that the threads share.
pub(super) struct Shared {
    pub(super) global: Global,
    session: RwLock<Arc<Session>>,
    pub(super) cache: Arc<Cache<'static>>,
    /// The messages that are handled.
    turns: Permits,
    /// The large messages that are held.
    pub(super) large: Permits,
    counts: Mutex<Counts>,
    /// True once no more messages are taken.
    stopping: AtomicBool,
    /// Tells the sender which match may owe mail.
    owing: Mutex<Option<Sender<Id>>>,
    /// Tells the partner that a match has gone on.
    going_on: Mutex<Option<Sender<()>>>,
}

impl Shared {
    pub(super) fn new(
        global: Global,
        session: Session,
        cache: Cache<'static>,
        owing: Sender<Id>,
        going_on: Sender<()>,
    ) -> Shared {
        Shared {
            global,
            session: RwLock::new(Arc::new(session)),
            cache: Arc::new(cache),
            turns: Permits::new(HANDLED),
            large: Permits::new(LARGE_BODIES),
            counts: Mutex::default(),
            stopping: AtomicBool::new(false),
            owing: Mutex::new(Some(owing)),
            going_on: Mutex::new(Some(going_on)),
        }
    }

    /// Returns the session as the configuration is now.
    pub(super) fn session(&self) -> Arc<Session> {
        Arc::clone(&self.session.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the session, because the configuration has changed. The matches stay where
    /// they are: messages that are handled now and the cache go by that store. Returns its
    /// place if the configuration names another.
    pub(super) fn replace(&self, mut session: Session) -> Option<String> {
        let store = Arc::clone(&self.session().store);
        let place = (store.place() != session.store.place()).then(|| store.place());
        session.store = store;
        *self.session.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(session);
        place
    }

    /// Returns true if messages are taken for an address.
    pub(super) fn knows(&self, address: &Address) -> bool {
        self.session().me.player.has(address)
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    pub(super) fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        // The sender and the partner wait for what comes from here.
        lock(&self.owing).take();
        lock(&self.going_on).take();
    }

    /// Runs what a command does, with a context of its own.
    pub(super) fn with_context<T>(&self, work: impl FnOnce(&mut Context<'_>) -> T) -> T {
        let (mut stdin, mut stdout) = (io::empty(), LineWriter::new(io::stdout()));
        // In whole lines, so that those of several threads do not mix.
        let mut stderr = LineWriter::new(io::stderr());
        let mut context = Context::new(self.global.clone(), &mut stdin, &mut stdout, &mut stderr);
        let result = work(&mut context);
        let counts = context.counts;
        self.add_counts(&counts);
        result
    }

    /// Takes the counts of what has been done since they were last taken.
    pub(super) fn take_counts(&self) -> Counts {
        std::mem::take(&mut *lock(&self.counts))
    }

    /// Adds counts of what has been done, or puts those back that could not be kept.
    pub(super) fn add_counts(&self, counts: &Counts) {
        let mut sum = lock(&self.counts);
        sum.add(counts);
    }

    /// Handles a message. What it does is durable before this returns.
    pub(super) fn handle(&self, bytes: &[u8]) -> DeliveryStatus {
        let Some(turn) = self.turns.take(TURN) else {
            return DeliveryStatus::Later;
        };
        // A fault of ours in one message must not end the others.
        let handled = catch_unwind(AssertUnwindSafe(|| self.try_handle(bytes, turn)));
        let trouble = match handled {
            Ok(Ok(outcome)) => return outcome,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "a message made the program panic, which is a bug".to_owned(),
        };
        self.with_context(|context| context.say_error(trouble));
        DeliveryStatus::Later
    }

    fn try_handle(&self, bytes: &[u8], turn: Permit<'_>) -> Result<DeliveryStatus, Error> {
        let session = self.session().at_present()?;
        let cache = Arc::clone(&self.cache);
        let (outcome, owes) =
            self.with_context(|context| receive::delivered(&session, &cache, bytes, turn, context));
        if let Some(id) = owes {
            let found = self.cache.find(&id).ok().flatten();
            if found.is_some_and(|found| found.game.partner().is_some()) {
                let _ = lock(&self.going_on)
                    .as_ref()
                    .map(|partner| partner.send(()));
            }
            self.call_for(id);
        }
        Ok(outcome)
    }

    /// Has the mail of a match sent. Without the sender it stays owed.
    pub(super) fn call_for(&self, id: Id) {
        let _ = lock(&self.owing).as_ref().map(|owing| owing.send(id));
    }
}

/// Starts a thread.
pub(super) fn spawn(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, Error> {
    let thread = thread::Builder::new().name(name.to_owned());
    let spawned = thread.spawn(work);
    spawned.map_err(|error| Error::io("a new thread", &error))
}

/// Permits, of which there are so many and no more.
pub(super) struct Permits {
    left: Mutex<usize>,
    returned: Condvar,
}

/// A permit, which is returned when it is dropped.
pub(super) struct Permit<'p>(&'p Permits);

impl Permits {
    pub(super) fn new(number: usize) -> Permits {
        Permits {
            left: Mutex::new(number),
            returned: Condvar::new(),
        }
    }

    /// Waits for a permit. Returns none if there was none for so long.
    pub(super) fn take(&self, wait: Duration) -> Option<Permit<'_>> {
        let left = lock(&self.left);
        let waited = self
            .returned
            .wait_timeout_while(left, wait, |left| *left == 0);
        let (mut left, result) = waited.unwrap_or_else(PoisonError::into_inner);
        if result.timed_out() && *left == 0 {
            return None;
        }
        *left -= 1;
        Some(Permit(self))
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut left = lock(&self.0.left);
        *left += 1;
        self.0.returned.notify_one();
    }
}
