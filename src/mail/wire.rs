//! The bytes of a connection: lines and literals with limits, and time limits.
//!
//! What a server says is hostile data: none of its lines, literals and answers may be as long
//! or take as long as it likes.

use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use rustls::{ClientConnection, StreamOwned};

use crate::srv::TimedSocket;

/// The bytes that are read at once.
const CHUNK: usize = 16 << 10;

/// A stream in TLS.
pub type TlsStream = StreamOwned<ClientConnection, TimedSocket>;

/// A stream with TLS or without it.
pub type AnyStream = Box<dyn Stream + Send>;

/// A stream whose use can be limited in time.
pub trait Stream: Read + Write {
    /// Sets the time after which reading and writing fail with
    /// [`ErrorKind::WouldBlock`] or [`ErrorKind::TimedOut`].
    fn set_deadline(&mut self, deadline: Instant);

    /// Returns true if nobody between can read it.
    fn is_encrypted(&self) -> bool;
}

impl Stream for TimedSocket {
    fn set_deadline(&mut self, deadline: Instant) {
        TimedSocket::set_deadline(self, deadline);
    }

    fn is_encrypted(&self) -> bool {
        false
    }
}

impl Stream for TlsStream {
    fn set_deadline(&mut self, deadline: Instant) {
        self.sock.set_deadline(deadline);
    }

    fn is_encrypted(&self) -> bool {
        true
    }
}

impl<S: Stream + ?Sized> Stream for Box<S> {
    fn set_deadline(&mut self, deadline: Instant) {
        (**self).set_deadline(deadline);
    }

    fn is_encrypted(&self) -> bool {
        (**self).is_encrypted()
    }
}

/// Why bytes could not be sent or read.
#[derive(Debug)]
pub enum WireError {
    /// The connection failed.
    Io(io::Error),
    /// The server closed the connection.
    Closed,
    /// An answer takes too long.
    TimedOut,
    /// A line is longer than is read.
    LongLine,
    /// An answer has more bytes than are read.
    LongAnswer,
    /// The server, or somebody between, has sent something behind its answer to STARTTLS, to
    /// have it taken for a part of the encrypted exchange.
    BehindStarttls,
}

impl From<io::Error> for WireError {
    fn from(error: io::Error) -> WireError {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => WireError::TimedOut,
            // Servers often close a connection with TLS without a word.
            ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe => WireError::Closed,
            _ => WireError::Io(error),
        }
    }
}

/// The bounds of an answer, besides the time until it is complete, which
/// [`Wire::expect_answer`] sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnswerLimits {
    /// The longest time without a byte, if that is shorter.
    pub silence: Option<Duration>,
    /// The number of its bytes.
    pub bytes: usize,
}

/// A connection as lines and literals.
#[derive(Debug)]
pub struct Wire<S> {
    stream: S,
    limits: AnswerLimits,
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
    /// Wraps a stream, from which no answer is expected yet. The limits are those of each
    /// answer.
    pub fn new(stream: S, limits: AnswerLimits) -> Wire<S> {
        Wire {
            stream,
            limits,
            chunk: vec![0; CHUNK],
            buffer: Vec::new(),
            start: 0,
            deadline: Instant::now(),
            bytes: 0,
        }
    }

    /// Returns the stream, to go on over it with TLS behind the answer to STARTTLS.
    ///
    /// # Errors
    ///
    /// [`WireError::BehindStarttls`] if there is more than was read.
    pub fn into_stream(self) -> Result<S, WireError> {
        if self.start < self.buffer.len() {
            return Err(WireError::BehindStarttls);
        }
        Ok(self.stream)
    }

    /// Returns the stream, whatever is still to be read.
    #[cfg(test)]
    pub(crate) fn into_inner(self) -> S {
        self.stream
    }

    /// Returns true if the connection is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.stream.is_encrypted()
    }

    /// Returns the number of bytes that have come and were not taken.
    #[cfg(test)]
    pub(crate) fn unread(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Begins to wait for a new answer, which takes so long at most.
    pub fn expect_answer(&mut self, time: Duration) {
        self.deadline = Instant::now() + time;
        self.bytes = 0;
    }

    /// Sends bytes, in this time at most.
    ///
    /// # Errors
    ///
    /// If the connection fails.
    pub fn send(&mut self, bytes: &[u8], limit: Duration) -> Result<(), WireError> {
        self.stream.set_deadline(Instant::now() + limit);
        self.stream.write_all(bytes)?;
        Ok(self.stream.flush()?)
    }

    /// Waits for bytes from the server, of an answer that takes so long at most from then on.
    /// Returns false if there are none in time.
    ///
    /// # Errors
    ///
    /// If the connection fails.
    pub fn wait(&mut self, longest: Duration, time: Duration) -> Result<bool, WireError> {
        let end = Instant::now() + longest;
        while self.start == self.buffer.len() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            match self.fill(left) {
                Err(WireError::TimedOut) => {}
                other => other?,
            }
        }
        self.deadline = Instant::now() + time;
        Ok(true)
    }

    /// Reads a line, without its end.
    ///
    /// # Errors
    ///
    /// If it is longer than `most` bytes or the connection fails.
    pub fn line(&mut self, most: usize) -> Result<Vec<u8>, WireError> {
        let mut seen = self.start;
        loop {
            let found = self.buffer[seen..].iter().position(|byte| *byte == b'\n');
            let end = found.map_or(self.buffer.len(), |at| seen + at);
            if end - self.start > most {
                return Err(WireError::LongLine);
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
    pub fn literal(&mut self, bytes: usize) -> Result<Vec<u8>, WireError> {
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
    fn fill_in_time(&mut self) -> Result<(), WireError> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(WireError::TimedOut);
        }
        let silence = self.limits.silence.unwrap_or(left);
        self.fill(left.min(silence))
    }

    fn fill(&mut self, longest: Duration) -> Result<(), WireError> {
        self.buffer.drain(..self.start);
        self.start = 0;
        self.stream.set_deadline(Instant::now() + longest);
        let read = loop {
            match self.stream.read(&mut self.chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        if read == 0 {
            return Err(WireError::Closed);
        }
        self.bytes += read;
        if self.bytes > self.limits.bytes {
            return Err(WireError::LongAnswer);
        }
        self.buffer.extend_from_slice(&self.chunk[..read]);
        Ok(())
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

        fn is_encrypted(&self) -> bool {
            false
        }
    }

    /// What comes gains no time: neither parts of a line, nor whole lines, nor a literal.
    #[test]
    fn an_answer_has_to_be_complete_in_time() {
        let limits = AnswerLimits {
            silence: Some(Duration::from_mins(5)),
            bytes: 1 << 20,
        };
        for words in ["x", "* OK\r\n"] {
            let deadline = None;
            let mut wire = Wire::new(Drip { words, deadline }, limits);
            let end = Instant::now() + Duration::from_millis(20);
            wire.deadline = end;
            let failed = loop {
                if let Err(error) = wire.line(1 << 20) {
                    break error;
                }
            };
            assert!(matches!(failed, WireError::TimedOut), "{words}");
            assert!(matches!(wire.literal(1 << 20), Err(WireError::TimedOut)));
            let last = wire.stream.deadline.expect("a time");
            assert!(last < end + Duration::from_secs(9));
            // The next command has its own time.
            wire.expect_answer(Duration::from_mins(9));
            assert!(wire.literal(1).is_ok());
        }
    }
}
