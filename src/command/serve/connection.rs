//! One connection of a client.

use std::io::ErrorKind;
use std::net::Shutdown;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tracing::debug;

use crate::command::serve::listener::Stream;
use crate::command::serve::shared::Shared;
use crate::limits::SESSION_TIME;
use crate::mail::lmtp::{Protocol, Step};

/// How long a client may leave a reply unread.
const UNREAD: Duration = Duration::from_mins(2);

/// How long a client with a large message waits for room. RFC 5321, 4.5.3.2.5 gives it
/// three minutes.
const ROOM: Duration = Duration::from_mins(2);

/// The bytes that are read at once.
const PIECE: usize = 16 << 10;

/// A connection, as other threads see it.
pub(super) struct Connection {
    stream: Stream,
    /// True while a message arrives or is handled.
    is_in_message: AtomicBool,
}

impl Connection {
    pub(super) fn new(stream: Stream) -> Connection {
        Connection {
            stream,
            is_in_message: AtomicBool::new(false),
        }
    }

    /// Ends the connection of a client that waits between messages.
    pub(super) fn end_if_idle(&self) {
        if !self.is_in_message.load(Ordering::SeqCst) {
            self.stream.shut(Shutdown::Read);
        }
    }

    /// Ends the connection.
    pub(super) fn end(&self) {
        self.stream.shut(Shutdown::Both);
    }

    /// Serves the client until the session ends.
    pub(super) fn serve(&self, shared: &Shared, idle: Duration) {
        if self.stream.set_patience(idle, UNREAD).is_err() {
            return;
        }
        debug!("a client has connected");
        let mut replies = Vec::new();
        let session = shared.session();
        let host = session.me.player.address().domain();
        let mut protocol = Protocol::new(host, &mut replies);
        drop(session);
        let knows = |address: &_| shared.knows(address);
        let mut buffer = vec![0; PIECE];
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
            let read = match self.stream.read(&mut buffer) {
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
                    Step::More => break,
                    Step::Large => {
                        room = shared.large.take(ROOM);
                        protocol.make_room(room.is_some());
                    }
                    Step::Message(bytes) => {
                        // What was asked before the message has its reply meanwhile.
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
                    Step::End => {
                        self.flush(&mut replies);
                        return;
                    }
                }
            }
        }
    }

    /// Writes the replies. Returns false if the client has gone.
    fn flush(&self, replies: &mut Vec<u8>) -> bool {
        let is_written = replies.is_empty() || self.stream.write_all(replies, UNREAD).is_ok();
        replies.clear();
        is_written
    }
}
