//! `parapost serve`: takes messages from a mail server by LMTP, and sends what is owed.
//!
//! A thread for each connection reads and replies; a few messages are handled at a time.
//! More threads send, one thinks for the partner, and one writes the file of `--metrics`, so that
//! neither keeps a client waiting. This one opens the sockets, accepts connections and obeys signals.

mod partner;
mod sender;
mod shared;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpListener};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use listenfd::ListenFd;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::low_level::pipe;
use tracing::debug;

use crate::Error;
use crate::command::arguments::Serve;
use crate::command::context::{Context, Status};
use crate::command::serve::sender::MailSender;
use crate::command::serve::shared::{Shared, spawn};
use crate::command::status;
use crate::limits::{CONNECTIONS, SESSION_TIME};
use crate::mail::lmtp::{NextStep, Protocol};
use crate::referee::session::Session;
use crate::store::cache::Cache;
use crate::threads::lock;

/// The time that messages under way may take when the program stops.
const GRACE: Duration = Duration::from_secs(30);

/// The time that threads may take to notice that their connections have ended.
const LAST: Duration = Duration::from_secs(2);

/// The time for which no connections are accepted when one could not be.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) fn run(args: &Serve, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open_to_last(context)?;
    let signals = Signals::catch()?;
    let places = open(&args.lmtp)?;
    // It lives as long as the process, and so do the threads that use it.
    let store = Box::leak(Box::new(Arc::clone(&session.store)));
    let cache = Cache::new(&**store, false);
    let (owing, called_for) = mpsc::channel();
    let (going_on, called_on) = mpsc::channel();
    let global = context.global.clone();
    let shared = Arc::new(Shared::new(global, session, cache, owing, going_on));
    let mut sender = MailSender::new(Arc::clone(&shared), called_for);
    let (ended, end_of_sender) = mpsc::channel::<()>();
    spawn("sender", move || {
        // A fault of ours must not end the sending.
        while catch_unwind(AssertUnwindSafe(|| sender.run())).is_err() {
            sender.say("the sending of mail made the program panic, which is a bug");
        }
        drop(ended);
    })?;
    // Nobody waits for its end: it holds no match while it thinks.
    let of_partner = Arc::clone(&shared);
    spawn("partner", move || partner::play(&of_partner, &called_on))?;
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
        let failed = |error: io::Error| Error::io("signals", &error);
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

    fn close(&self, number: u64) {
        lock(&self.open).remove(&number);
        self.closed.notify_all();
        // If no byte fits, there are some already.
        let _ = (&self.waker).write(&[0]);
    }

    /// Ends the connections: each when its message is dealt with, and all at the deadline.
    fn end(&self, deadline: Instant) {
        let mut open = lock(&self.open);
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
            let is_full = lock(&self.connections.open).len() >= CONNECTIONS;
            let always = [&signals.end, &signals.reload, &self.connections.woken];
            let mut waited_for = always.map(|from| PollFd::new(from, PollFlags::IN)).to_vec();
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
                        context.say_error(Error::io("a connection", &error));
                        paused_until = Some(Instant::now() + PAUSE);
                    }
                }
            }
        }
    }

    /// Starts the thread of a connection.
    fn begin(&self, number: u64, connection: ClientConnection, context: &mut Context<'_>) {
        let connection = Arc::new(connection);
        lock(&self.connections.open).insert(number, Arc::clone(&connection));
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
        shared.add_counts(&counts);
        shared.with_context(|context| context.say(format_args!("parapost: {error}")));
    }
}

/// The connections that may wait to be accepted. The system may allow fewer.
const BACKLOG: i32 = 1024;

/// The bytes that are written at once.
const WRITTEN_AT_ONCE: usize = 1 << 10;

/// A socket that is listened at.
enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

/// A socket that the server listens at, and the file to remove with it.
struct OpenSocket {
    listener: Listener,
    /// The file to remove, if this process made it.
    file: Option<PathBuf>,
}

impl Drop for OpenSocket {
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            let _ = fs::remove_file(file);
        }
    }
}

/// Opens the sockets that the user names, and those that systemd has opened.
///
/// # Errors
///
/// If there is none, or one cannot be opened.
fn open(named: &[String]) -> Result<Vec<OpenSocket>, Error> {
    let mut places = passed()?;
    for name in named {
        let (listener, file) = if let Some(path) = name.strip_prefix("unix:") {
            (Listener::Unix(bind(Path::new(path))?), Some(path.into()))
        } else {
            let bound = TcpListener::bind(name);
            let bound = bound.map_err(|error| Error::io(&format!("--lmtp {name}"), &error))?;
            (Listener::Tcp(bound), None)
        };
        places.push(OpenSocket { listener, file });
    }
    if places.is_empty() {
        return Err(Error::usage(
            "say where to listen: --lmtp HOST:PORT or --lmtp unix:PATH",
        ));
    }
    for place in &places {
        let set = rustix::io::ioctl_fionbio(&place.listener, true);
        set.map_err(|error| Error::io("--lmtp", &error.into()))?;
    }
    Ok(places)
}

/// Takes the sockets that systemd has opened for this process.
fn passed() -> Result<Vec<OpenSocket>, Error> {
    let mut passed = ListenFd::from_env();
    let mut places = Vec::new();
    for index in 0..passed.len() {
        let listener = match passed.take_unix_listener(index) {
            Ok(listener) => listener.map(Listener::Unix),
            Err(_) => passed
                .take_tcp_listener(index)
                .map_err(|error| Error::io(&format!("socket {index} of systemd"), &error))?
                .map(Listener::Tcp),
        };
        places.extend(listener.map(|listener| OpenSocket {
            listener,
            file: None,
        }));
    }
    Ok(places)
}

/// Creates a socket in the file system for the user and the group. Replaces one that
/// nobody listens at, as a process leaves behind that was killed.
fn bind(path: &Path) -> Result<UnixListener, Error> {
    let failed = |error: io::Error| Error::file(path, &error);
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
        Ok(found) if !found.file_type().is_socket() => {
            let path = path.display();
            return Err(Error::refused(format!(
                "{path}: this is not a socket, and is not replaced"
            )));
        }
        Ok(_) => match UnixStream::connect(path) {
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
                fs::remove_file(path).map_err(failed)?;
            }
            Err(error) => return Err(failed(error)),
            Ok(_) => {
                let path = path.display();
                return Err(Error::refused(format!(
                    "{path}: another process listens at this socket"
                )));
            }
        },
    }
    let socket = bound(path).map_err(failed)?;
    rustix::net::listen(&socket, BACKLOG).map_err(|error| failed(error.into()))?;
    Ok(UnixListener::from(socket))
}

/// Creates a socket that has its rights, and that nobody can connect to yet: whoever could
/// before would keep the connection.
fn bound(path: &Path) -> io::Result<OwnedFd> {
    let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
    rustix::net::bind(&socket, &SocketAddrUnix::new(path)?)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o660))?;
    Ok(socket)
}

impl Listener {
    /// Takes a connection that waits. Whatever kind it is of, its socket is read, written and shut
    /// alike.
    fn accept(&self) -> io::Result<UnixStream> {
        let stream = match self {
            Listener::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                // Replies are short, and the client waits for them.
                stream.set_nodelay(true)?;
                // What std does with the socket of a `UnixStream` asks for no kind of address:
                // it reads, writes, sets times and shuts by the descriptor alone.
                UnixStream::from(OwnedFd::from(stream))
            }
            Listener::Unix(listener) => listener.accept()?.0,
        };
        stream.set_nonblocking(false)?;
        Ok(stream)
    }

    /// Returns the place in words, and what is worth a warning.
    fn place(&self) -> (String, Option<&'static str>) {
        match self {
            Listener::Tcp(listener) => match listener.local_addr() {
                Ok(address) if address.ip().is_loopback() => (address.to_string(), None),
                Ok(address) => {
                    let warning = "whoever reaches this port can write as anybody";
                    (address.to_string(), Some(warning))
                }
                Err(_) => ("a socket".to_owned(), None),
            },
            Listener::Unix(listener) => {
                let address = listener.local_addr().ok();
                let path = address.as_ref().and_then(|address| address.as_pathname());
                let path = path.map_or("a socket".to_owned(), |path| {
                    format!("unix:{}", path.display())
                });
                (path, None)
            }
        }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Listener::Tcp(listener) => listener.as_fd(),
            Listener::Unix(listener) => listener.as_fd(),
        }
    }
}

/// Writes bytes to a client within a time, however few it takes at once.
fn write_all(mut stream: &UnixStream, mut bytes: &[u8], limit: Duration) -> io::Result<()> {
    let begun = Instant::now();
    while !bytes.is_empty() {
        if begun.elapsed() > limit {
            return Err(ErrorKind::TimedOut.into());
        }
        // The system would write all of a long text before it comes back.
        match stream.write(&bytes[..bytes.len().min(WRITTEN_AT_ONCE)]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The time for which a client may leave a reply unread.
const UNREAD: Duration = Duration::from_mins(2);

/// The time that a client with a large message waits for room. RFC 5321, 4.5.3.2.5 gives it
/// three minutes.
const ROOM: Duration = Duration::from_mins(2);

/// The bytes that are read at once.
const READ_AT_ONCE: usize = 16 << 10;

/// A connection, as other threads see it.
struct ClientConnection {
    stream: UnixStream,
    /// True while a message arrives or is handled.
    is_in_message: AtomicBool,
}

impl ClientConnection {
    fn new(stream: UnixStream) -> ClientConnection {
        ClientConnection {
            stream,
            is_in_message: AtomicBool::new(false),
        }
    }

    /// Ends the connection of a client that waits between messages.
    fn end_if_idle(&self) {
        if !self.is_in_message.load(Ordering::SeqCst) {
            let _ = self.stream.shutdown(Shutdown::Read);
        }
    }

    /// Ends the connection.
    fn end(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// Serves the client until the session ends.
    fn serve(&self, shared: &Shared, idle: Duration) {
        let mut stream = &self.stream;
        let limited = stream.set_read_timeout(Some(idle));
        let limited = limited.and_then(|()| stream.set_write_timeout(Some(UNREAD)));
        if limited.is_err() {
            return;
        }
        debug!("a client has connected");
        let mut replies = Vec::new();
        let session = shared.session();
        let host = session.me.player.address().domain();
        let mut protocol = Protocol::new(host, &mut replies);
        drop(session);
        let knows = |address: &_| shared.knows(address);
        let mut buffer = vec![0; READ_AT_ONCE];
        let mut room = None;
        let mut begun = Instant::now();
        loop {
            let is_in_message = protocol.is_in_message();
            self.is_in_message.store(is_in_message, Ordering::SeqCst);
            // Asked once: a server that is stopped in between says so before it goes.
            let is_end = !is_in_message && shared.is_stopping();
            if !is_in_message {
                drop(room.take());
            }
            if is_end {
                protocol.close(&mut replies);
            }
            if !self.flush(&mut replies) || is_end {
                return;
            }
            if begun.elapsed() > SESSION_TIME {
                protocol.expire(&mut replies);
                self.flush(&mut replies);
                return;
            }
            let read = match stream.read(&mut buffer) {
                Ok(0) if shared.is_stopping() && !is_in_message => continue,
                Ok(0) => return,
                Ok(read) => read,
                Err(error) => match error.kind() {
                    ErrorKind::Interrupted => continue,
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                        protocol.expire(&mut replies);
                        self.flush(&mut replies);
                        return;
                    }
                    _ => return,
                },
            };
            let mut input = &buffer[..read];
            loop {
                match protocol.feed(&mut input, &knows, &mut replies) {
                    NextStep::More => break,
                    NextStep::Large => {
                        room = shared.large.take(ROOM);
                        protocol.make_room(room.is_some());
                    }
                    NextStep::Message(bytes) => {
                        // The commands before the message have their replies meanwhile.
                        if !self.flush(&mut replies) {
                            return;
                        }
                        let outcome = shared.handle(&bytes);
                        drop(bytes);
                        drop(room.take());
                        protocol.settle(outcome, &mut replies);
                        begun = Instant::now();
                        if shared.is_stopping() {
                            break;
                        }
                    }
                    NextStep::End => {
                        self.flush(&mut replies);
                        return;
                    }
                }
            }
        }
    }

    /// Writes the replies. Returns false if the client has gone.
    fn flush(&self, replies: &mut Vec<u8>) -> bool {
        let is_written = replies.is_empty() || write_all(&self.stream, replies, UNREAD).is_ok();
        replies.clear();
        is_written
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// A client that takes a byte now and then keeps each write from timing out.
    #[test]
    fn a_client_that_reads_slowly_is_given_up() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let long = Some(Duration::from_mins(1));
        ours.set_read_timeout(long).unwrap();
        ours.set_write_timeout(long).unwrap();
        let reader = thread::spawn(move || {
            let mut buffer = [0; 1 << 10];
            while matches!((&theirs).read(&mut buffer), Ok(1..)) {
                thread::sleep(Duration::from_millis(20));
            }
        });
        let limit = Duration::from_millis(200);
        let error = write_all(&ours, &vec![0; 1 << 20], limit).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        drop(ours);
        reader.join().unwrap();
    }

    /// Whoever connects before the rights are set stays connected.
    #[test]
    fn nobody_connects_to_a_socket_before_it_has_its_rights() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lmtp");
        let socket = bound(&path).unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o660);
        let refused = UnixStream::connect(&path).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
        drop(socket);
        let listener = bind(&path).unwrap();
        UnixStream::connect(&path).unwrap();
        listener.accept().unwrap();
    }
}
