//! A connection to a server: its socket, the authorities whose certificates are trusted in
//! TLS, and its bytes as lines and literals, with limits in length and in time.
//!
//! What a server says is hostile data: none of its lines, literals and answers may be as long
//! or take as long as it likes.

use std::env;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::{Error, files};

/// The bytes that are read at once.
const CHUNK: usize = 16 << 10;

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

    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        Ok(Some(left))
    }
}

/// The file in which a system names itself.
const HOSTS: &str = "/etc/hosts";

/// Returns the addresses of a server.
///
/// # Errors
///
/// If its name has none, or nobody is there to be asked.
pub fn addresses(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    match own_addresses(host) {
        Some(own) => Ok(own.map(|own| SocketAddr::new(own, port)).to_vec()),
        None => Ok((host, port).to_socket_addrs()?.collect()),
    }
}

/// Returns the addresses of `localhost` where no file tells the system what they are, as in a
/// container that holds nothing but the program: it would ask the DNS, which is not to know.
#[must_use]
pub fn own_addresses(host: &str) -> Option<[IpAddr; 2]> {
    own_addresses_without(Path::new(HOSTS), host)
}

fn own_addresses_without(hosts: &Path, host: &str) -> Option<[IpAddr; 2]> {
    let name = host.strip_suffix('.').unwrap_or(host);
    let is_own = name.eq_ignore_ascii_case("localhost") && !hosts.exists();
    // In the order of most systems. A failure is then told of the one that is in most use.
    is_own.then(|| [Ipv6Addr::LOCALHOST.into(), Ipv4Addr::LOCALHOST.into()])
}

/// Connects to the first address of a server that answers, each within the limit.
/// Commands are short and wait for their answers, so nothing is held back to be joined.
///
/// # Errors
///
/// That of the last address, or that the name has none.
pub fn connect(host: &str, port: u16, limit: Duration) -> io::Result<TcpStream> {
    let mut last = io::Error::new(ErrorKind::NotFound, "its name has no address");
    for address in addresses(host, port)? {
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

/// Prepares TLS with a server, which must have a certificate for `host`. `section` is that
/// of the configuration, for messages.
///
/// # Errors
///
/// As [`tls_client`], and if the host is no name.
pub fn tls_connection(
    host: &str,
    ca_file: Option<&Path>,
    section: &str,
) -> Result<ClientConnection, Error> {
    let config = tls_client(ca_file).map_err(|error| match ca_file {
        Some(_) => error.and(format_args!("check ca_file in [{section}]")),
        None => error,
    })?;
    let config = Arc::new(config);
    let name = ServerName::try_from(host.to_owned()).map_err(|_| {
        Error::refused(format!("[{section}] host: '{host}' is no name of a server"))
    })?;
    ClientConnection::new(config, name).map_err(|error| Error::refused(format!("TLS: {error}")))
}

/// The variables by which a user names other authorities than the system's.
const OWN_AUTHORITIES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// Returns true if nobody has named an authority, neither the system nor the user nor the settings:
/// then those are trusted that Mozilla trusted when this program was made.
#[must_use]
pub fn trusts_built_in_authorities(ca_file: Option<&Path>) -> bool {
    let is_left_open =
        ca_file.is_none() && OWN_AUTHORITIES.iter().all(|it| env::var_os(it).is_none());
    is_left_open && system_authorities().is_empty()
}

fn system_authorities() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    // A system may list certificates that cannot be used.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

/// Bytes of a file of authorities. A system's file has a quarter of a MiB.
const AUTHORITIES: u64 = 16 << 20;

/// Returns the settings of a TLS connection that trusts the system's authorities and the
/// certificates of a PEM file. Where there are none of either, see
/// [`trusts_built_in_authorities`].
///
/// # Errors
///
/// If the file cannot be read or has no certificate, or if nobody at all is trusted.
pub fn tls_client(ca_file: Option<&Path>) -> Result<ClientConfig, Error> {
    let mut roots = system_authorities();
    if let Some(file) = ca_file {
        let wrong =
            |error: &dyn std::fmt::Display| Error::refused(format!("{}: {error}", file.display()));
        let bytes = files::open(file).and_then(|file| files::read_to_end(file, AUTHORITIES));
        let bytes = bytes.map_err(|error| Error::file(file, &error))?;
        let found = CertificateDer::pem_slice_iter(&bytes).collect::<Result<Vec<_>, _>>();
        let found = found.map_err(|error| wrong(&error))?;
        if found.is_empty() {
            return Err(wrong(&"there is no certificate in PEM form in it"));
        }
        for certificate in found {
            roots.add(certificate).map_err(|error| wrong(&error))?;
        }
    }
    if trusts_built_in_authorities(ca_file) {
        roots
            .roots
            .extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    if roots.is_empty() {
        return Err(Error::refused(
            "this system trusts no certificate authority, and there is no ca_file",
        ));
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| Error::refused(format!("TLS: {error}")))?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

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
        self.deadline = deadline;
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

/// Does the handshake of TLS, in this time at most.
///
/// # Errors
///
/// If the server cannot be trusted or the connection fails.
pub(crate) fn encrypted(
    mut client: ClientConnection,
    mut socket: TimedSocket,
    limit: Duration,
) -> io::Result<TlsStream> {
    socket.set_deadline(Instant::now() + limit);
    while client.is_handshaking() {
        client.complete_io(&mut socket)?;
    }
    Ok(StreamOwned::new(client, socket))
}

/// Returns a text as it is sent to servers of mail and news, with the final dot. Every kind of line end
/// becomes CRLF, so that no server sees an end of the text where others see none.
pub(crate) fn stuffed(text: &[u8]) -> Vec<u8> {
    let mut sent = Vec::with_capacity(text.len() + text.len() / 50 + 5);
    let mut is_start = true;
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\r' | b'\n' => {
                if byte == b'\r' {
                    bytes.next_if_eq(&b'\n');
                }
                sent.extend_from_slice(b"\r\n");
                is_start = true;
            }
            byte => {
                if is_start && byte == b'.' {
                    sent.push(b'.');
                }
                sent.push(byte);
                is_start = false;
            }
        }
    }
    if !is_start {
        sent.extend_from_slice(b"\r\n");
    }
    sent.extend_from_slice(b".\r\n");
    sent
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

/// Returns the error of TLS in one of a stream.
pub(crate) fn tls_error(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
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
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// Reading the first waited for ever, and the second never ended.
    #[cfg(unix)]
    #[test]
    fn authorities_are_read_from_a_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for (file, why) in [
            (pipe.as_path(), "this is a named pipe"),
            (Path::new("/dev/zero"), "this is a pipe or a device"),
        ] {
            let error = tls_client(Some(file)).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    /// A server that says a word every millisecond, and the last time it was given.
    struct Drip {
        words: &'static str,
        deadline: Option<Instant>,
    }

    impl Read for Drip {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            thread::sleep(Duration::from_millis(1));
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

    /// Elsewhere the system knows best: it may have been told of another address.
    #[test]
    fn a_system_without_a_file_of_hosts_knows_itself() {
        let none = Path::new("/nowhere/hosts");
        for host in ["localhost", "LocalHost", "localhost."] {
            let own = own_addresses_without(none, host).unwrap();
            assert!(own.iter().all(IpAddr::is_loopback), "{host}: {own:?}");
            assert_eq!(own_addresses_without(Path::new("/"), host), None, "{host}");
        }
        for host in ["localhost.example.org", "mylocalhost", "127.0.0.1", ""] {
            assert_eq!(own_addresses_without(none, host), None, "{host}");
        }
    }

    #[test]
    fn an_address_needs_nobody_to_be_asked() {
        for (host, address) in [
            ("192.0.2.7", "192.0.2.7:25"),
            ("2001:db8::7", "[2001:db8::7]:25"),
        ] {
            let found = addresses(host, 25).unwrap();
            assert_eq!(found.len(), 1, "{host}");
            assert_eq!(found[0].to_string(), address);
        }
    }

    #[test]
    fn no_line_of_a_text_is_its_end() {
        let sent = |text: &str| String::from_utf8(stuffed(text.as_bytes())).unwrap();
        assert_eq!(sent("a\r\nb"), "a\r\nb\r\n.\r\n");
        assert_eq!(sent("a\r\n"), "a\r\n.\r\n");
        assert_eq!(sent(".\r\n.a\r\n..b"), "..\r\n..a\r\n...b\r\n.\r\n");
        for end in ["\n", "\r", "\r\n"] {
            assert_eq!(sent(&format!("a{end}.{end}b")), "a\r\n..\r\nb\r\n.\r\n");
        }
    }

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
    fn a_connection_that_is_never_taken_holds_nobody() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        // With no room for those who wait, the system leaves further calls unanswered.
        rustix::net::listen(&listener, 0).unwrap();
        let port = listener.local_addr().unwrap().port();
        let limit = Duration::from_millis(100);
        let mut waiting = Vec::new();
        let error = loop {
            match connect("127.0.0.1", port, limit) {
                Ok(tcp) => waiting.push(tcp),
                Err(error) => break error,
            }
        };
        assert!(is_late(&error), "{error}");
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
