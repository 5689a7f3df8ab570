//! `parapost serve`: takes messages from a mail server by LMTP, and sends what is owed.
//!
//! A thread for each connection reads and replies; a few messages are handled at a time.
//! More threads send, and one writes the file of `--metrics`, so that counting many matches
//! keeps no client waiting. This one accepts connections and obeys signals.

mod connection;
mod sender;
mod shared;

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::low_level::pipe;

use crate::Error;
use crate::command::arguments::Serve;
use crate::command::context::{Context, Status};
use crate::command::serve::connection::{ClientConnection, OpenSocket};
use crate::command::serve::sender::MailSender;
use crate::command::serve::shared::{Shared, spawn};
use crate::command::status;
use crate::limits::CONNECTIONS;
use crate::referee::session::Session;
use crate::store::cache::Cache;

/// The time that messages under way may take when the program stops.
const GRACE: Duration = Duration::from_secs(30);

/// The time that threads may take to notice that their connections have ended.
const LAST: Duration = Duration::from_secs(2);

/// The time for which no connections are accepted when one could not be.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) fn run(args: &Serve, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open_to_last(context)?;
    let signals = Signals::catch()?;
    let places = connection::open(&args.lmtp)?;
    // It lives as long as the process, and so do the threads that use it.
    let store = Box::leak(Box::new(Arc::clone(&session.store)));
    let cache = Cache::new(&**store, false);
    let (owing, called_for) = mpsc::channel();
    let shared = Arc::new(Shared::new(context.global.clone(), session, cache, owing));
    let mut sender = MailSender::new(Arc::clone(&shared), called_for);
    let (ended, end_of_sender) = mpsc::channel::<()>();
    spawn("sender", move || {
        // A fault of ours must not end the sending.
        while catch_unwind(AssertUnwindSafe(|| sender.run())).is_err() {
            sender.say("the sending of mail made the program panic, which is a bug");
        }
        drop(ended);
    })?;
    let (end_metrics, stop_metrics) = mpsc::channel::<()>();
    let (ended, end_of_metrics) = mpsc::channel::<()>();
    if let Some(path) = context.global.metrics.clone() {
        let shared = Arc::clone(&shared);
        spawn("metrics", move || {
            write_metrics(&shared, &path, &stop_metrics);
            drop(ended);
        })?;
    } else {
        drop(ended);
    }
    let server = Server {
        shared: Arc::clone(&shared),
        connections: Arc::new(Connections::new()?),
        idle: Duration::from_secs(args.idle.into()),
    };
    for place in &places {
        let (name, warning) = place.listener.place();
        context.say(format_args!("parapost: listening at {name}"));
        if let Some(warning) = warning {
            context.say(format_args!("parapost: warning: {name}: {warning}"));
        }
    }
    let result = server.accept(&places, &signals, context);
    shared.stop();
    drop(places);
    let deadline = Instant::now() + GRACE;
    server.connections.end(deadline);
    // A mail that is on its way may take long. It stays owed, and goes again under the
    // same Message-ID.
    let left = deadline.saturating_duration_since(Instant::now());
    let _ = end_of_sender.recv_timeout(left);
    drop(end_metrics);
    let left = deadline.saturating_duration_since(Instant::now());
    let _ = end_of_metrics.recv_timeout(left.max(LAST));
    context.counts.add(&shared.take_counts());
    result.map(|()| Status::Done)
}

/// The wishes of signals: a byte comes from a socket for each.
struct Signals {
    end: UnixStream,
    reload: UnixStream,
}

impl Signals {
    fn catch() -> Result<Signals, Error> {
        let caught = |signals: &[i32]| {
            let (read, write) = UnixStream::pair()?;
            read.set_nonblocking(true)?;
            for signal in signals {
                pipe::register(*signal, write.try_clone()?)?;
            }
            Ok(read)
        };
        let failed = |error: std::io::Error| Error::io("signals", &error);
        Ok(Signals {
            end: caught(&[SIGTERM, SIGINT]).map_err(failed)?,
            reload: caught(&[SIGHUP]).map_err(failed)?,
        })
    }
}

/// The connections of the clients.
struct Connections {
    open: Mutex<BTreeMap<u64, Arc<ClientConnection>>>,
    closed: Condvar,
    /// A byte comes from the first when one has closed.
    woken: UnixStream,
    waker: UnixStream,
}

impl Connections {
    fn new() -> Result<Connections, Error> {
        let pair = UnixStream::pair().and_then(|(woken, waker)| {
            woken.set_nonblocking(true)?;
            waker.set_nonblocking(true)?;
            Ok((woken, waker))
        });
        let (woken, waker) = pair.map_err(|error| Error::io("a pair of sockets", &error))?;
        Ok(Connections {
            open: Mutex::default(),
            closed: Condvar::new(),
            woken,
            waker,
        })
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<ClientConnection>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self, number: u64) {
        self.open().remove(&number);
        self.closed.notify_all();
        // If no byte fits, there are some already.
        let _ = (&self.waker).write(&[0]);
    }

    /// Ends the connections: each when its message is dealt with, and all at the deadline.
    fn end(&self, deadline: Instant) {
        let mut open = self.open();
        for connection in open.values() {
            connection.end_if_idle();
        }
        for last in [false, true] {
            let left = if last {
                open.values().for_each(|connection| connection.end());
                LAST
            } else {
                deadline.saturating_duration_since(Instant::now())
            };
            let closed = self
                .closed
                .wait_timeout_while(open, left, |open| !open.is_empty());
            (open, _) = closed.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Accepts connections.
struct Server {
    shared: Arc<Shared>,
    connections: Arc<Connections>,
    idle: Duration,
}

impl Server {
    /// Accepts connections until a signal ends it.
    fn accept(
        &self,
        places: &[OpenSocket],
        signals: &Signals,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        let mut number = 0;
        let mut paused_until: Option<Instant> = None;
        loop {
            let now = Instant::now();
            if paused_until.is_some_and(|until| until <= now) {
                paused_until = None;
            }
            let is_full = self.connections.open().len() >= CONNECTIONS;
            let mut waited_for = vec![&signals.end, &signals.reload, &self.connections.woken]
                .into_iter()
                .map(|socket| PollFd::new(socket, PollFlags::IN))
                .collect::<Vec<_>>();
            if !is_full && paused_until.is_none() {
                let listeners = places.iter().map(|place| &place.listener);
                waited_for.extend(listeners.map(|from| PollFd::new(from, PollFlags::IN)));
            }
            let left = paused_until.map(|until| {
                let left = Timespec::try_from(until.saturating_duration_since(now));
                left.unwrap_or_else(|_| unreachable!("it is short"))
            });
            match poll(&mut waited_for, left.as_ref()) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(Error::io("poll", &error.into())),
            }
            let is_ready: Vec<bool> = waited_for
                .iter()
                .map(|from| !from.revents().is_empty())
                .collect();
            if is_ready[0] {
                return Ok(());
            }
            if is_ready[1] && drain(&signals.reload) {
                self.reload(context);
            }
            if is_ready[2] {
                drain(&self.connections.woken);
            }
            for (place, _) in places.iter().zip(&is_ready[3..]).filter(|(_, is)| **is) {
                match place.listener.accept() {
                    Ok(stream) => {
                        number += 1;
                        self.begin(number, ClientConnection::new(stream), context);
                    }
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    Err(error) => {
                        let error = Error::io("a connection", &error);
                        context.say_error(&error);
                        paused_until = Some(Instant::now() + PAUSE);
                    }
                }
            }
        }
    }

    /// Starts the thread of a connection.
    fn begin(&self, number: u64, connection: ClientConnection, context: &mut Context<'_>) {
        let connection = Arc::new(connection);
        self.connections
            .open()
            .insert(number, Arc::clone(&connection));
        let guard = Closing(Arc::clone(&self.connections), number);
        let (shared, idle) = (Arc::clone(&self.shared), self.idle);
        let spawned = spawn("connection", move || {
            let _guard = guard;
            connection.serve(&shared, idle);
        });
        // Without the thread its guard is dropped, and the client sees the end.
        if let Err(error) = spawned {
            context.say_error(&error);
        }
    }

    /// Reads the configuration again. A broken one changes nothing.
    fn reload(&self, context: &mut Context<'_>) {
        match Session::open_to_last(context) {
            Ok(session) => {
                let place = self.shared.replace(session);
                context.say("parapost: the configuration is read again");
                if let Some(place) = place {
                    context.say(format_args!(
                        "parapost: the matches stay in {place} until 'serve' is started again"
                    ));
                }
            }
            Err(error) => context.say(format_args!(
                "parapost: {error}\nparapost: the configuration stays as it was"
            )),
        }
    }
}

/// Closes a connection when its thread ends, whatever ends it.
struct Closing(Arc<Connections>, u64);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close(self.1);
    }
}

/// Reads what a socket has. Returns true if it had anything.
fn drain(mut socket: &UnixStream) -> bool {
    let mut any = false;
    while matches!(socket.read(&mut [0; 64]), Ok(read) if read > 0) {
        any = true;
    }
    any
}

/// The time from the end of one writing to the next.
const PERIOD: Duration = Duration::from_secs(15);

/// Writes the file now and then, until nobody is left who could say something.
fn write_metrics(shared: &Shared, path: &Path, stop: &Receiver<()>) {
    loop {
        // A fault of ours in one match must not end the counting of the others.
        if catch_unwind(AssertUnwindSafe(|| write_once(shared, path))).is_err() {
            shared.with_context(|context| {
                context
                    .say("parapost: counting the matches made the program panic, which is a bug");
            });
        }
        match stop.recv_timeout(PERIOD) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn write_once(shared: &Shared, path: &Path) {
    let counts = shared.take_counts();
    // The cache is for the matches that letters are about.
    let store = &shared.session().store;
    if let Err(error) = status::add(path, &counts, &**store) {
        shared.put_back(&counts);
        shared.with_context(|context| context.say(format_args!("parapost: {error}")));
    }
}
