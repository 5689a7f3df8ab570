//! The connections to the database, which threads share, and the confirmation that what was read
//! over them counts: one write stands for whatever letters have read before it.
//!
//! Each acknowledged write of this process will do. Where there is none, the letters that wait
//! share one of a row that no other process is likely to write. However many strangers write,
//! there are two such writes a second at most.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio_postgres::types::Type;

use crate::Error;
use crate::mail::server_text::ServerText;
use crate::store::errand::{self, Reads, ServerRun, Wait};
use crate::store::postgres::connection::{Connection, Failure, LIMIT, Patience, Settings};
use crate::store::postgres::schema;
use crate::threads::lock;

/// The most connections of a process. A server takes some hundred of all processes.
const MOST: usize = 16;

/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// The connections of a process.
#[derive(Debug)]
pub(super) struct Pool {
    settings: Settings,
    connections: Mutex<Connections>,
    is_free: Condvar,
    /// The number of the host that was last found to take writes.
    host: AtomicUsize,
    patience: Arc<Patience>,
    /// True if the tables are known to be of this version.
    is_checked: AtomicBool,
    confirmations: Confirmations,
}

#[derive(Default)]
struct Connections {
    idle: Vec<Connection>,
    /// The number of connections, idle or not.
    count: usize,
}

impl std::fmt::Debug for Connections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Connections({})", self.count)
    }
}

/// The result of something that was tried until it was known.
#[derive(Debug)]
pub(super) enum WriteOutcome {
    /// It is done, durably.
    Done,
    /// It is not done: somebody else was faster.
    Otherwise,
    /// Time is over, and it is unknown. The reason.
    Unknown(Error),
}

/// The finding about something that may be done.
pub(super) enum WriteState {
    /// It is done, and a write of its row has been acknowledged since.
    Done,
    /// All is as it was before.
    NotYet,
    /// Somebody else was faster.
    Otherwise,
}

/// The place of a connection in use, which is given back if whoever uses it panics.
struct Place<'p>(&'p Pool);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.forget(1);
    }
}

impl Pool {
    pub(super) fn new(settings: Settings) -> Pool {
        Pool {
            settings,
            connections: Mutex::default(),
            is_free: Condvar::new(),
            host: AtomicUsize::new(0),
            patience: Arc::default(),
            is_checked: AtomicBool::new(false),
            confirmations: Confirmations::default(),
        }
    }

    /// A pool for making the tables.
    pub(super) fn unchecked(settings: Settings) -> Pool {
        Pool {
            is_checked: AtomicBool::new(true),
            ..Pool::new(settings)
        }
    }

    pub(super) fn place(&self) -> String {
        self.settings.place()
    }

    pub(super) fn wait(&self) -> Duration {
        self.settings.wait
    }

    /// Begins to wait for something that may pass.
    fn begin_to_wait(&self) -> Wait {
        Wait::begin(self.settings.wait.max(LIMIT))
    }

    /// Begins to wait for the database, unless the errand has given it up.
    fn begin_to_try(&self) -> Result<Wait, Error> {
        match errand::gave_up() {
            Some(error) => Err(error),
            None => Ok(self.begin_to_wait()),
        }
    }

    /// Returns the error of what has failed for the last time.
    fn last_error(&self, failure: Failure) -> Error {
        let is_away = matches!(failure, Failure::NotReached(_) | Failure::Unknown(_));
        let error = failure.error(&self.place());
        if is_away {
            errand::give_up(&error);
        }
        error
    }

    /// Uses a connection.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let connection = match self.idle()? {
            Some(connection) => connection,
            None => self.open().inspect_err(|_| self.forget(1))?,
        };
        let host = self.host.load(Ordering::Relaxed);
        let place = Place(self);
        let done = work(&connection);
        std::mem::forget(place);
        if connection.is_broken() {
            // The others are of the same server.
            let idle = std::mem::take(&mut self.connections().idle);
            self.forget(idle.len() + 1);
            let next = host.wrapping_add(1);
            let _ = self
                .host
                .compare_exchange(host, next, Ordering::Relaxed, Ordering::Relaxed);
        } else {
            self.connections().idle.push(connection);
            self.is_free.notify_one();
        }
        done
    }

    /// Tries something that changes nothing until it is done or time is over.
    ///
    /// # Errors
    ///
    /// Those of the work, and a transient error if the database is out of reach.
    pub(super) fn read<T>(
        &self,
        work: impl Fn(&Connection) -> Result<T, Failure>,
    ) -> Result<T, Error> {
        let wait = self.begin_to_try()?;
        // A connection may have ended since it was last used: whoever cannot wait tries twice.
        let mut is_first = true;
        loop {
            let read = self.with(|connection| {
                work(connection).inspect(|_| errand::note_read(connection.server()))
            });
            match read {
                Ok(done) => return Ok(done),
                Err(Failure::Unknown(_)) if is_first => {}
                Err(failure) if failure.may_pass() && !wait.is_over() => {}
                Err(failure) => return Err(self.last_error(failure)),
            }
            is_first = false;
            thread::sleep(PAUSE);
        }
    }

    /// Tries something until it is known whether it is done. `attempt` returns false if
    /// somebody else was faster, `find` looks whether an attempt of unknown outcome is done.
    ///
    /// # Errors
    ///
    /// If it is certainly not done.
    pub(super) fn try_until_known(
        &self,
        attempt: impl Fn(&Connection) -> Result<bool, Failure>,
        find: impl Fn(&Connection) -> Result<WriteState, Failure>,
    ) -> Result<WriteOutcome, Error> {
        let attempt = |connection: &Connection| {
            let asked = Instant::now();
            let done = attempt(connection)?;
            self.note(connection, asked, done);
            Ok(done)
        };
        let find = |connection: &Connection| {
            let asked = Instant::now();
            let found = find(connection)?;
            self.note(connection, asked, matches!(found, WriteState::Done));
            Ok(found)
        };
        let wait = self.begin_to_try()?;
        let mut is_in_doubt = false;
        loop {
            let failure = 'tried: {
                if is_in_doubt {
                    match self.with(find) {
                        Ok(WriteState::Done) => return Ok(WriteOutcome::Done),
                        Ok(WriteState::Otherwise) => return Ok(WriteOutcome::Otherwise),
                        Ok(WriteState::NotYet) => {}
                        Err(failure) => break 'tried failure,
                    }
                }
                match self.with(attempt) {
                    Ok(true) => return Ok(WriteOutcome::Done),
                    Ok(false) if !is_in_doubt => return Ok(WriteOutcome::Otherwise),
                    // The first attempt was done after all, or somebody was faster.
                    Ok(false) => Failure::Again(ServerText::new("it has changed meanwhile")),
                    Err(failure) => {
                        is_in_doubt |= matches!(failure, Failure::Unknown(_));
                        failure
                    }
                }
            };
            if !failure.may_pass() || wait.is_over() {
                let error = self.last_error(failure);
                return if is_in_doubt {
                    Ok(WriteOutcome::Unknown(error))
                } else {
                    Err(error)
                };
            }
            if !matches!(failure, Failure::Again(_)) {
                thread::sleep(PAUSE);
            }
        }
    }

    /// Returns when what was read counts: when each server that was read has acknowledged a write
    /// that it was asked for later.
    ///
    /// # Errors
    ///
    /// A transient error if that does not come about in time, or if a server that was read has
    /// been replaced.
    pub(super) fn confirm(&self, reads: &Reads) -> Result<(), Error> {
        let mut reads = reads.clone();
        let wait = self.begin_to_try()?;
        let mut last = None;
        loop {
            let under_way = match self.turn(&mut reads, &wait) {
                Ok(Some(under_way)) => under_way,
                Ok(None) => return Ok(()),
                Err(failure) => {
                    // Why a write has failed says more than that time is over.
                    let last = last.filter(|_| failure.may_pass());
                    return Err(self.last_error(last.unwrap_or(failure)));
                }
            };
            let written = self.write_row();
            drop(under_way);
            match written {
                Ok(()) => {}
                Err(failure) if failure.may_pass() && !wait.is_over() => last = Some(failure),
                Err(failure) => return Err(self.last_error(failure)),
            }
        }
    }

    /// Waits until what a letter has read counts, or until the letter is the one that writes, for
    /// all.
    fn turn(&self, reads: &mut Reads, wait: &Wait) -> Result<Option<UnderWay<'_>>, Failure> {
        let begun = Instant::now();
        let mut state = lock(&self.confirmations.state);
        loop {
            if let Some((server, asked)) = state.acknowledged.clone() {
                reads.confirm(&server, asked);
                if reads.are_superseded_by(&server, asked) {
                    drop(state);
                    self.close_others(&server);
                    return Err(Failure::Other(Error::later(format!(
                        "{}: a server has answered that takes no writes any more; try again later",
                        self.place()
                    ))));
                }
            }
            if reads.is_empty() {
                return Ok(None);
            }
            let left = wait.left().max(LEAST.saturating_sub(begun.elapsed()));
            let pause = match state.begun {
                _ if state.is_under_way => left,
                Some(begun) => WRITE_PERIOD.saturating_sub(begun.elapsed()),
                None => Duration::ZERO,
            };
            if pause.is_zero() && !state.is_under_way {
                state.is_under_way = true;
                state.begun = Some(Instant::now());
                return Ok(Some(UnderWay(&self.confirmations)));
            }
            if left.is_zero() {
                let why = "what was read could not be confirmed in time";
                return Err(Failure::NotReached(ServerText::new(why)));
            }
            let changed = &self.confirmations.changed;
            let waited = changed.wait_timeout(state, pause.min(left));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Writes the row of this process.
    fn write_row(&self) -> Result<(), Failure> {
        let row = self.confirmations.row()?;
        self.with(|connection: &Connection| {
            let asked = Instant::now();
            connection.query(
                "insert into match_worker (id, rev) values ($1, 1)
                 on conflict (id) do update set rev = match_worker.rev + 1 returning rev",
                &[(&row, Type::INT8)],
            )?;
            self.confirmations.note(connection.server(), asked);
            Ok(())
        })
    }

    /// Notes that a server has acknowledged a write, or has answered that there is none.
    fn note(&self, connection: &Connection, asked: Instant, is_write: bool) {
        let server = connection.server();
        if is_write {
            errand::note_write(server, asked);
            self.confirmations.note(server, asked);
        } else {
            errand::note_read(server);
        }
    }

    /// Closes what is idle of other servers than this.
    fn close_others(&self, server: &ServerRun) {
        let mut connections = self.connections();
        let idle = std::mem::take(&mut connections.idle).into_iter();
        let (theirs, others): (Vec<_>, Vec<_>) =
            idle.partition(|connection| connection.server() == server);
        connections.idle = theirs;
        drop(connections);
        self.forget(others.len());
    }

    fn connections(&self) -> MutexGuard<'_, Connections> {
        // A count and a list, never half changed.
        let connections = self.connections.lock();
        connections.unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&self, count: usize) {
        self.connections().count -= count;
        self.is_free.notify_all();
    }

    /// Returns an idle connection, or `None` if a new one may be made.
    fn idle(&self) -> Result<Option<Connection>, Failure> {
        let (wait, begun) = (self.begin_to_wait(), Instant::now());
        let mut connections = self.connections();
        loop {
            if let Some(connection) = connections.idle.pop() {
                return Ok(Some(connection));
            }
            if connections.count < MOST {
                connections.count += 1;
                return Ok(None);
            }
            let left = wait.left().max(LEAST.saturating_sub(begun.elapsed()));
            if left.is_zero() {
                return Err(Failure::NotReached(ServerText::new(
                    "all connections are busy",
                )));
            }
            let waited = self.is_free.wait_timeout(connections, left);
            connections = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Connects to the first host that takes writes, beginning with the last that did.
    fn open(&self) -> Result<Connection, Failure> {
        let hosts = &self.settings.hosts;
        let first = self.host.load(Ordering::Relaxed);
        let mut failed = Failure::NotReached(ServerText::new("no host is configured"));
        for number in (first..).take(hosts.len()) {
            match Connection::open(&self.settings, &hosts[number % hosts.len()], &self.patience) {
                Ok(connection) => {
                    self.host.store(number, Ordering::Relaxed);
                    self.check(&connection)?;
                    return Ok(connection);
                }
                // A refusal for good says more than that another server is out of reach.
                Err(failure) if failed.may_pass() => failed = failure,
                Err(_) => {}
            }
        }
        Err(failed)
    }

    /// Checks that the tables are of this version.
    fn check(&self, connection: &Connection) -> Result<(), Failure> {
        if self.is_checked.load(Ordering::Relaxed) {
            return Ok(());
        }
        schema::check(connection, &self.place())?;
        self.is_checked.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// Returns random bytes.
pub(super) fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::later(format!("no random numbers: {error}")))?;
    Ok(bytes)
}

/// The time that even those have who wait for nobody: until a connection of this process is free,
/// or its next shared write is due.
const LEAST: Duration = Duration::from_secs(1);

/// The time from one shared write to the next.
const WRITE_PERIOD: Duration = Duration::from_millis(500);

/// The rows of all processes. Were there one for each process, those that a mail server starts
/// for every letter would leave as many. Two that have the same one wait for each other.
const ROWS: i64 = 1024;

/// The confirmations of the reads of a process.
#[derive(Default, Debug)]
struct Confirmations {
    // Each part is set as a whole.
    state: Mutex<Acknowledgements>,
    changed: Condvar,
    /// The row that this process writes.
    row: OnceLock<i64>,
}

#[derive(Default, Debug)]
struct Acknowledgements {
    /// The server that has acknowledged a write last, and when it was asked for it.
    acknowledged: Option<(ServerRun, Instant)>,
    /// When the last shared write began.
    begun: Option<Instant>,
    is_under_way: bool,
}

impl Confirmations {
    /// Notes that a server has acknowledged a write that it was asked for then.
    fn note(&self, server: &ServerRun, asked: Instant) {
        let mut state = lock(&self.state);
        let last = state.acknowledged.as_ref();
        if last.is_none_or(|(_, last)| *last < asked) {
            state.acknowledged = Some((server.clone(), asked));
            self.changed.notify_all();
        }
    }

    /// Returns the number of this process's row.
    fn row(&self) -> Result<i64, Error> {
        if let Some(row) = self.row.get() {
            return Ok(*row);
        }
        let row = i64::from(u16::from_be_bytes(random()?)) % ROWS;
        Ok(*self.row.get_or_init(|| row))
    }
}

/// A shared write, which ends when it is dropped, however it ends.
struct UnderWay<'c>(&'c Confirmations);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).is_under_way = false;
        self.0.changed.notify_all();
    }
}
