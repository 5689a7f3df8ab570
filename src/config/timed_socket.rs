//! A TCP connection on which nothing takes longer than it may.
//!
//! A time limit of the system's own begins anew with each byte, and TLS reads as often as
//! it takes to have a whole record: a peer that gives a byte now and then would hold the
//! program for days.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

/// A TCP connection whose reads and writes fail with [`ErrorKind::TimedOut`] or
/// [`ErrorKind::WouldBlock`] after a point in time.
#[derive(Debug)]
pub struct TimedSocket {
    tcp: TcpStream,
    deadline: Instant,
}

impl TimedSocket {
    /// Wraps a connection that can be used for so long, until another point in time is
    /// set.
    #[must_use]
    pub fn new(tcp: TcpStream, limit: Duration) -> TimedSocket {
        TimedSocket {
            tcp,
            deadline: Instant::now() + limit,
        }
    }

    /// Sets the time after which reads and writes fail.
    pub fn set_deadline(&mut self, deadline: Instant) {
        self.deadline = deadline;
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        Ok(Some(left))
    }
}

/// Connects to the first address of a server that answers, each within the limit.
/// Commands are short and wait for their answers, so nothing is held back to be joined.
///
/// # Errors
///
/// That of the last address, or that the name has none.
pub fn connect(host: &str, port: u16, limit: Duration) -> io::Result<TcpStream> {
    let mut last = io::Error::new(ErrorKind::NotFound, "its name has no address");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, limit) {
            Ok(tcp) => {
                tcp.set_nodelay(true)?;
                return Ok(tcp);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

impl Read for TimedSocket {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.tcp.set_read_timeout(self.left()?)?;
        self.tcp.read(bytes)
    }
}

impl Write for TimedSocket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.tcp.set_write_timeout(self.left()?)?;
        self.tcp.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tcp.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::sync::Arc;
    use std::thread;

    use rustls::crypto::ring;
    use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

    use super::*;

    /// A connection that has to end at once, and its other end.
    fn connected() -> (TimedSocket, TcpStream) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let tcp = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (peer, _) = listener.accept().unwrap();
        (TimedSocket::new(tcp, Duration::from_millis(100)), peer)
    }

    fn is_late(error: &io::Error) -> bool {
        matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock)
    }

    #[test]
    fn a_peer_that_gives_a_byte_now_and_then_holds_nobody() {
        let (mut socket, mut peer) = connected();
        let drip = thread::spawn(move || while peer.write_all(b"x").is_ok() {});
        let error = io::copy(&mut socket, &mut io::sink()).unwrap_err();
        assert!(is_late(&error), "{error}");
        drop(socket);
        drip.join().unwrap();
    }

    #[test]
    fn a_peer_that_takes_a_byte_now_and_then_holds_nobody() {
        let (mut socket, mut peer) = connected();
        let sip = thread::spawn(move || while matches!(peer.read(&mut [0; 512]), Ok(1..)) {});
        let error = io::copy(&mut io::repeat(b'x'), &mut socket).unwrap_err();
        assert!(is_late(&error), "{error}");
        drop(socket);
        sip.join().unwrap();
    }

    /// A record of TLS comes in many reads, none of which the caller sees.
    #[test]
    fn a_record_of_tls_that_comes_in_drops_holds_nobody() {
        let (socket, mut peer) = connected();
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().unwrap();
        let config = config.with_root_certificates(RootCertStore::empty());
        let config = Arc::new(config.with_no_client_auth());
        let host = "localhost".try_into().unwrap();
        let client = ClientConnection::new(config, host).unwrap();
        let drip = thread::spawn(move || {
            // The beginning of a handshake of 16 KiB.
            let head = [22, 3, 3, 0x40, 0, 2, 0, 0x3f, 0xfc];
            let rest = std::iter::repeat_n(0, 0x4000);
            for byte in head.into_iter().chain(rest) {
                if peer.write_all(&[byte]).is_err() {
                    return;
                }
                thread::sleep(Duration::from_millis(1));
            }
        });
        let mut stream = StreamOwned::new(client, socket);
        let error = stream.read(&mut [0; 10]).unwrap_err();
        assert!(is_late(&error), "{error}");
        drop(stream);
        drip.join().unwrap();
    }
}
