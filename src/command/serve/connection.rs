//! The sockets that `serve` listens at, and the connections of the clients.

use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use listenfd::ListenFd;
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType};
use tracing::debug;

use crate::Error;
use crate::command::arguments::Endpoint;
use crate::command::serve::shared::Shared;
use crate::limits::SESSION_TIME;
use crate::mail::lmtp::{NextStep, Protocol};

/// The connections that may wait to be accepted. The system may allow fewer.
const BACKLOG: i32 = 1024;

/// The bytes that are written at once.
const WRITTEN_AT_ONCE: usize = 1 << 10;

/// A socket that is listened at.
pub(super) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

/// A socket that the server listens at, and the file to remove with it.
pub(super) struct OpenSocket {
    pub(super) listener: Listener,
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
pub(super) fn open(endpoints: &[Endpoint]) -> Result<Vec<OpenSocket>, Error> {
    let mut places = passed()?;
    for endpoint in endpoints {
        places.push(match endpoint {
            Endpoint::Tcp(address) => {
                let bound = TcpListener::bind(address);
                let bound =
                    bound.map_err(|error| Error::io(&format!("--lmtp {address}"), &error))?;
                OpenSocket {
                    listener: Listener::Tcp(bound),
                    file: None,
                }
            }
            Endpoint::Unix(path) => OpenSocket {
                listener: Listener::Unix(bind(path)?),
                file: Some(path.clone()),
            },
        });
    }
    if places.is_empty() {
        return Err(Error::usage(
            "say where to listen: --lmtp HOST:PORT or --lmtp unix:PATH",
        ));
    }
    for place in &places {
        let set = match &place.listener {
            Listener::Tcp(listener) => listener.set_nonblocking(true),
            Listener::Unix(listener) => listener.set_nonblocking(true),
        };
        set.map_err(|error| Error::io("--lmtp", &error))?;
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
    pub(super) fn accept(&self) -> io::Result<UnixStream> {
        let stream = match self {
            Listener::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                // Replies are short, and the client waits for them.
                stream.set_nodelay(true)?;
                UnixStream::from(OwnedFd::from(stream))
            }
            Listener::Unix(listener) => listener.accept()?.0,
        };
        stream.set_nonblocking(false)?;
        Ok(stream)
    }

    /// Returns the place in words, and what is worth a warning.
    pub(super) fn place(&self) -> (String, Option<&'static str>) {
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
pub(super) struct ClientConnection {
    stream: UnixStream,
    /// True while a message arrives or is handled.
    is_in_message: AtomicBool,
}

impl ClientConnection {
    pub(super) fn new(stream: UnixStream) -> ClientConnection {
        ClientConnection {
            stream,
            is_in_message: AtomicBool::new(false),
        }
    }

    /// Ends the connection of a client that waits between messages.
    pub(super) fn end_if_idle(&self) {
        if !self.is_in_message.load(Ordering::SeqCst) {
            let _ = self.stream.shutdown(Shutdown::Read);
        }
    }

    /// Ends the connection.
    pub(super) fn end(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// Serves the client until the session ends.
    pub(super) fn serve(&self, shared: &Shared, idle: Duration) {
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
            if !is_in_message {
                drop(room.take());
                if shared.is_stopping() {
                    protocol.close(&mut replies);
                }
            }
            if !self.flush(&mut replies) {
                return;
            }
            if shared.is_stopping() && !is_in_message {
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
