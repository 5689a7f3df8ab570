//! The bytes of a connection: lines and literals with limits, and time limits.

use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use rustls::{ClientConnection, StreamOwned};

use crate::imap::ImapError;
use crate::limits::IMAP_BYTES;
use crate::srv::TimedSocket;

/// The longest time without a byte from the server. To search the text of messages takes
/// some servers minutes.
pub const SILENCE: Duration = Duration::from_mins(5);

/// The longest time until an answer is complete: 32 MiB in it are 18 KiB a second.
pub const ANSWER: Duration = Duration::from_mins(30);

/// The bytes that are read at once.
const CHUNK: usize = 16 << 10;

/// A stream whose use can be limited in time.
pub trait Stream: Read + Write {
    /// Sets the time after which reading and writing fail with
    /// [`ErrorKind::WouldBlock`] or [`ErrorKind::TimedOut`].
    fn set_deadline(&mut self, deadline: Instant);
}

impl Stream for TimedSocket {
    fn set_deadline(&mut self, deadline: Instant) {
        TimedSocket::set_deadline(self, deadline);
    }
}

impl Stream for StreamOwned<ClientConnection, TimedSocket> {
    fn set_deadline(&mut self, deadline: Instant) {
        self.sock.set_deadline(deadline);
    }
}

/// A connection as lines and literals.
#[derive(Debug)]
pub struct Wire<S> {
    stream: S,
    /// The bytes of one call to `read`.
    chunk: Vec<u8>,
    buffer: Vec<u8>,
    /// The place of the first byte in the buffer that is still to be read.
    start: usize,
    /// The time by which the present answer must be complete.
    deadline: Instant,
    /// The bytes that came since the present answer was asked for.
    bytes: usize,
}

impl<S: Stream> Wire<S> {
    /// Wraps a stream.
    pub fn new(stream: S) -> Wire<S> {
        Wire {
            stream,
            chunk: vec![0; CHUNK],
            buffer: Vec::new(),
            start: 0,
            deadline: Instant::now() + ANSWER,
            bytes: 0,
        }
    }

    /// Returns the stream.
    ///
    /// # Errors
    ///
    /// If the server has sent more than was read: whoever sends something behind the
    /// answer to STARTTLS wants it to be taken for a part of the encrypted exchange.
    pub fn into_stream(self) -> Result<S, ImapError> {
        if self.start < self.buffer.len() {
            return Err(ImapError::Malformed("words behind its answer to STARTTLS"));
        }
        Ok(self.stream)
    }

    /// Returns the stream, whatever is still to be read.
    #[cfg(test)]
    pub(crate) fn into_inner(self) -> S {
        self.stream
    }

    /// Begins to wait for a new answer.
    pub fn expect_answer(&mut self) {
        self.deadline = Instant::now() + ANSWER;
        self.bytes = 0;
    }

    /// Sends bytes.
    ///
    /// # Errors
    ///
    /// If the connection fails.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), ImapError> {
        self.stream.set_deadline(Instant::now() + SILENCE);
        let sent = self.stream.write_all(bytes);
        sent.and_then(|()| self.stream.flush()).map_err(failed)
    }

    /// Waits for bytes from the server. Returns false if there are none in time.
    ///
    /// # Errors
    ///
    /// If the connection fails.
    pub fn wait(&mut self, longest: Duration) -> Result<bool, ImapError> {
        let end = Instant::now() + longest;
        while self.start == self.buffer.len() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            match self.fill(left) {
                Err(ImapError::TimedOut) => {}
                other => other?,
            }
        }
        self.deadline = Instant::now() + ANSWER;
        Ok(true)
    }

    /// Reads a line, without its end.
    ///
    /// # Errors
    ///
    /// If it is longer than `most` bytes or the connection fails.
    pub fn line(&mut self, most: usize) -> Result<Vec<u8>, ImapError> {
        let mut seen = self.start;
        loop {
            let found = self.buffer[seen..].iter().position(|byte| *byte == b'\n');
            let end = found.map_or(self.buffer.len(), |at| seen + at);
            if end - self.start > most {
                return Err(ImapError::TooLong("a longer line"));
            }
            if found.is_some() {
                let mut line = self.buffer[self.start..end].to_vec();
                self.start = end + 1;
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                return Ok(line);
            }
            let unread = self.buffer.len() - self.start;
            self.fill_in_time()?;
            // Earlier bytes may have moved to the front.
            seen = self.start + unread;
        }
    }

    /// Reads so many bytes.
    ///
    /// # Errors
    ///
    /// If the connection fails.
    pub fn literal(&mut self, bytes: usize) -> Result<Vec<u8>, ImapError> {
        let mut literal = Vec::new();
        loop {
            let unread = &self.buffer[self.start..];
            let taken = unread.len().min(bytes - literal.len());
            literal.extend_from_slice(&unread[..taken]);
            self.start += taken;
            if literal.len() == bytes {
                return Ok(literal);
            }
            self.fill_in_time()?;
        }
    }

    /// Reads more bytes into the buffer, at least one.
    fn fill_in_time(&mut self) -> Result<(), ImapError> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ImapError::TimedOut);
        }
        self.fill(left.min(SILENCE))
    }

    fn fill(&mut self, longest: Duration) -> Result<(), ImapError> {
        self.buffer.drain(..self.start);
        self.start = 0;
        self.stream.set_deadline(Instant::now() + longest);
        let read = loop {
            match self.stream.read(&mut self.chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read.map_err(failed)?,
            }
        };
        if read == 0 {
            return Err(ImapError::Closed(String::new()));
        }
        self.bytes += read;
        if self.bytes > IMAP_BYTES {
            return Err(ImapError::TooLong("more bytes in answer to one command"));
        }
        self.buffer.extend_from_slice(&self.chunk[..read]);
        Ok(())
    }
}

fn failed(error: io::Error) -> ImapError {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => ImapError::TimedOut,
        // Peers of TLS often close the connection without a word.
        ErrorKind::UnexpectedEof
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe => ImapError::Closed(String::new()),
        _ => ImapError::Io(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that says a word every millisecond, and the last time it was given.
    struct Drip {
        words: &'static str,
        deadline: Option<Instant>,
    }

    impl Read for Drip {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            std::thread::sleep(Duration::from_millis(1));
            let words = self.words.as_bytes();
            buffer[..words.len()].copy_from_slice(words);
            Ok(words.len())
        }
    }

    impl Write for Drip {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Stream for Drip {
        fn set_deadline(&mut self, deadline: Instant) {
            self.deadline = Some(deadline);
        }
    }

    /// What comes gains no time: neither parts of a line, nor whole lines, nor a literal.
    #[test]
    fn an_answer_has_to_be_complete_in_time() {
        for words in ["x", "* OK\r\n"] {
            let deadline = None;
            let mut wire = Wire::new(Drip { words, deadline });
            let end = Instant::now() + Duration::from_millis(20);
            wire.deadline = end;
            let failed = loop {
                if let Err(error) = wire.line(1 << 20) {
                    break error;
                }
            };
            assert!(matches!(failed, ImapError::TimedOut), "{words}");
            assert!(matches!(wire.literal(1 << 20), Err(ImapError::TimedOut)));
            let last = wire.stream.deadline.expect("a time");
            assert!(last < end + Duration::from_secs(9));
            // The next command has its own time.
            wire.expect_answer();
            assert!(wire.literal(1).is_ok());
        }
    }
}
