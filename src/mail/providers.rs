//! The servers of the big mail providers, as `init` proposes them without asking anybody.
//!
//! The servers that a mail domain names in the DNS (RFC 6186 and RFC 8314).
//!
//! What a resolver says is not signed: whoever can change it on the way can name any
//! server. It is a proposal that a person has to look at.

use std::borrow::Cow;
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};
use std::{fmt, fs, io};

use simple_dns::rdata::RData;
use simple_dns::{CLASS, Name, Packet, PacketFlag, Question, RCODE, TYPE};

use crate::error::words;
use crate::settings::ImapTls;
use crate::wire::TimedSocket;

/// A server: its name, its port, and the way to TLS.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerAddress {
    /// The name, which its certificate must contain.
    pub host: Cow<'static, str>,
    /// The port.
    pub port: u16,
    /// The way to TLS.
    pub tls: ImapTls,
}

/// The kind of proof that a provider wants of who somebody is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CredentialKind {
    /// The password of the mailbox.
    #[default]
    Password,
    /// A password made for one program, because the mailbox's own is refused.
    AppPassword,
    /// An OAuth 2 token; every password is refused.
    Token,
}

/// A mail provider.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Provider {
    /// Its name.
    pub name: &'static str,
    /// The server that mail is read on.
    pub imap: ServerAddress,
    /// The server that mail is sent through.
    pub smtp: ServerAddress,
    /// The kind of proof that it wants.
    pub proof: CredentialKind,
    /// A sentence on what has to be done there first; empty if nothing has.
    pub advice: &'static str,
}

/// The providers, each with its domains. Servers are written `host:port`.
const TABLE: &str = include_str!("providers.tsv");

/// The ports with TLS from the first byte; the others have STARTTLS.
const IMPLICIT_TLS: [u16; 2] = [993, 465];

/// The ports that are known to have STARTTLS.
const STARTTLS: [u16; 3] = [143, 587, 25];

/// The domains of providers whose mail cannot be read by IMAP.
const WITHOUT_IMAP: [&str; 6] = [
    "tuta.com",
    "tuta.io",
    "tutamail.com",
    "tutanota.com",
    "tutanota.de",
    "keemail.me",
];

impl ServerAddress {
    /// Reads `host:port`, or a host alone. `[::1]:993` is an IPv6 address with a port.
    /// Ports that are always in TLS tell the way to it; without a port it is `usual`.
    #[must_use]
    pub fn parse(text: &str, usual: u16) -> Option<ServerAddress> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (host, rest) = rest.split_once(']')?;
                (host, rest.strip_prefix(':'))
            }
            None => match text.rsplit_once(':') {
                // An IPv6 address without brackets has no port.
                Some((host, _)) if host.contains(':') => (text, None),
                Some((host, port)) => (host, Some(port)),
                None => (text, None),
            },
        };
        let port = port.map_or(Some(usual), |port| port.parse().ok())?;
        let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
        if host.is_empty() || port == 0 || !host.chars().all(is_good) {
            return None;
        }
        Some(ServerAddress::new(host.to_owned(), port))
    }

    /// Returns a server whose port tells the way to TLS.
    #[must_use]
    pub fn new(host: impl Into<Cow<'static, str>>, port: u16) -> ServerAddress {
        let tls = if IMPLICIT_TLS.contains(&port) {
            ImapTls::Tls
        } else {
            ImapTls::Starttls
        };
        let host = host.into();
        ServerAddress { host, port, tls }
    }

    /// Returns true if the port tells for certain how the server begins TLS.
    #[must_use]
    pub fn is_port_usual(&self) -> bool {
        IMPLICIT_TLS.contains(&self.port) || STARTTLS.contains(&self.port)
    }

    /// Returns true if the server's name is that of a domain or below it.
    #[must_use]
    pub fn is_below(&self, domain: &str) -> bool {
        let (host, domain) = (self.host.to_ascii_lowercase(), domain.to_ascii_lowercase());
        let above = host.strip_suffix(&domain);
        above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
    }
}

impl std::fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, port {}", self.host, self.port)
    }
}

/// Returns the provider of a mail domain, if the table has it.
#[must_use]
pub fn of(domain: &str) -> Option<Provider> {
    let is_it = |known: &str| known.eq_ignore_ascii_case(domain);
    let mut lines = lines().filter(|(domains, _)| domains.split(' ').any(is_it));
    lines.next().map(|(_, provider)| provider)
}

/// Returns the provider that a server belongs to, if the table has it.
#[must_use]
pub fn by_host(host: &str) -> Option<Provider> {
    let mut providers = lines().map(|(_, provider)| provider);
    providers.find(|provider| {
        let hosts = [&provider.imap.host, &provider.smtp.host];
        hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
    })
}

/// Returns true if the mail of a domain cannot be read by IMAP.
#[must_use]
pub fn is_without_imap(domain: &str) -> bool {
    WITHOUT_IMAP
        .iter()
        .any(|known| known.eq_ignore_ascii_case(domain))
}

/// Reads the lines of the table: the domains, and their provider.
fn lines() -> impl Iterator<Item = (&'static str, Provider)> {
    let server = |text: &'static str| {
        let (host, port) = text.split_once(':').unwrap_or((text, ""));
        ServerAddress::new(host, port.parse().unwrap_or_default())
    };
    let lines = TABLE.lines().skip(1);
    lines.filter_map(move |line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, domains, imap, smtp, proof, advice] = columns[..] else {
            return None;
        };
        let proof = match proof {
            "password" => CredentialKind::Password,
            "app password" => CredentialKind::AppPassword,
            "token" => CredentialKind::Token,
            _ => return None,
        };
        let provider = Provider {
            name,
            imap: server(imap),
            smtp: server(smtp),
            proof,
            advice,
        };
        Some((domains, provider))
    })
}

/// The time to wait for an answer, and the number of attempts.
const PATIENCE: Duration = Duration::from_secs(2);
const ATTEMPTS: usize = 3;

/// The most bytes of an answer by UDP. Nothing longer was asked for.
const DATAGRAM: usize = 4096;

/// The port of resolvers.
const PORT: u16 = 53;

/// Why a resolver has given no answer. `Display` writes a clause.
#[derive(Debug, thiserror::Error)]
pub enum SrvError {
    /// The system names no resolver.
    #[error("this system names no resolver")]
    NoResolver,
    /// A domain that cannot be asked about.
    #[error("the domain cannot be asked about")]
    Domain,
    /// The resolver cannot be reached or does not answer.
    #[error("{}", words(.0))]
    Io(#[from] io::Error),
    /// The answer is not one.
    #[error("its answer is not to be understood")]
    Malformed,
    /// The resolver answers that it cannot help.
    #[error("it answers {0}")]
    Refused(String),
}

/// A resolver of the DNS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resolver(pub SocketAddr);

/// The servers that a domain names.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Named {
    /// The server that mail is read on.
    pub imap: Option<ServerAddress>,
    /// The server that mail is sent through.
    pub smtp: Option<ServerAddress>,
}

/// A record of the DNS: where a service is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Record {
    priority: u16,
    /// Heavier ones are asked more often, so the heaviest is the one to propose.
    lightness: u16,
    host: String,
    port: u16,
}

impl fmt::Display for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.port() {
            PORT => write!(f, "{}", self.0.ip()),
            _ => write!(f, "{}", self.0),
        }
    }
}

impl Resolver {
    /// Reads `address` or `address:port`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Resolver> {
        let alone = text.parse::<IpAddr>().map(|ip| SocketAddr::new(ip, PORT));
        text.parse().or(alone).ok().map(Resolver)
    }

    /// Returns the first resolver that the system names.
    ///
    /// # Errors
    ///
    /// If it names none.
    pub fn of_system() -> Result<Resolver, SrvError> {
        let text = fs::read_to_string("/etc/resolv.conf").map_err(|_| SrvError::NoResolver)?;
        let named = text.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            let is_it = words.next() == Some("nameserver");
            words.next().filter(|_| is_it).and_then(Resolver::parse)
        });
        named.ok_or(SrvError::NoResolver)
    }

    /// Returns the servers that a mail domain names, those with TLS from the first byte
    /// before others.
    ///
    /// # Errors
    ///
    /// If the resolver gives no answer. That a domain names nothing is an answer.
    pub fn servers_of(self, domain: &str) -> Result<Named, SrvError> {
        let first = |services: [(&str, ImapTls); 2]| -> Result<Option<ServerAddress>, SrvError> {
            for (service, tls) in services {
                let found = self.ask(&format!("{service}._tcp.{domain}"))?;
                if let Some(Record { host, port, .. }) = found.into_iter().min() {
                    return Ok(Some(ServerAddress {
                        host: host.into(),
                        port,
                        tls,
                    }));
                }
            }
            Ok(None)
        };
        Ok(Named {
            imap: first([("_imaps", ImapTls::Tls), ("_imap", ImapTls::Starttls)])?,
            smtp: first([
                ("_submissions", ImapTls::Tls),
                ("_submission", ImapTls::Starttls),
            ])?,
        })
    }

    /// Asks for the SRV records of a name.
    fn ask(self, name: &str) -> Result<Vec<Record>, SrvError> {
        let mut id = [0; 2];
        getrandom::fill(&mut id).map_err(|_| SrvError::Io(ErrorKind::Other.into()))?;
        let id = u16::from_be_bytes(id);
        let question = question(name, id)?;
        let answer = self.by_udp(&question, id, name)?;
        match read(&answer, id, name)? {
            Some(records) => Ok(records),
            // The answer is longer than a datagram.
            None => read(&self.by_tcp(&question)?, id, name)?.ok_or(SrvError::Malformed),
        }
    }

    fn by_udp(self, question: &[u8], id: u16, name: &str) -> Result<Vec<u8>, SrvError> {
        let any: SocketAddr = match self.0 {
            SocketAddr::V4(_) => ([0, 0, 0, 0], 0).into(),
            SocketAddr::V6(_) => ([0u16; 8], 0).into(),
        };
        // The system chooses a port that nobody can foretell.
        let socket = UdpSocket::bind(any)?;
        socket.connect(self.0)?;
        let mut bytes = [0; DATAGRAM];
        for _ in 0..ATTEMPTS {
            socket.send(question)?;
            let end = Instant::now() + PATIENCE;
            loop {
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    break;
                }
                socket.set_read_timeout(Some(left))?;
                match socket.recv(&mut bytes) {
                    // Somebody else's guess at an answer is passed over.
                    Ok(length) => match read(&bytes[..length], id, name) {
                        Err(SrvError::Malformed) => {}
                        _ => return Ok(bytes[..length].to_vec()),
                    },
                    Err(error) if is_late(&error) => break,
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Err(SrvError::Io(io::Error::new(
            ErrorKind::TimedOut,
            "it does not answer",
        )))
    }

    fn by_tcp(self, question: &[u8]) -> Result<Vec<u8>, SrvError> {
        let stream = TcpStream::connect_timeout(&self.0, PATIENCE)?;
        let mut stream = TimedSocket::new(stream, PATIENCE);
        let length = u16::try_from(question.len()).map_err(|_| SrvError::Domain)?;
        stream.write_all(&[&length.to_be_bytes(), question].concat())?;
        let mut length = [0; 2];
        stream.read_exact(&mut length)?;
        let mut answer = vec![0; u16::from_be_bytes(length).into()];
        stream.read_exact(&mut answer)?;
        Ok(answer)
    }
}

fn is_late(error: &io::Error) -> bool {
    let kind = error.kind();
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut) || kind == ErrorKind::Interrupted
}

fn question(name: &str, id: u16) -> Result<Vec<u8>, SrvError> {
    let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if !name.chars().all(is_good) {
        return Err(SrvError::Domain);
    }
    let name = Name::new(name).map_err(|_| SrvError::Domain)?;
    let mut packet = Packet::new_query(id);
    packet.set_flags(PacketFlag::RECURSION_DESIRED);
    let asked = Question::new(name, TYPE::SRV.into(), CLASS::IN.into(), false);
    packet.questions.push(asked);
    packet.build_bytes_vec().map_err(|_| SrvError::Domain)
}

/// Reads an answer. Returns none if it is cut off.
fn read(bytes: &[u8], id: u16, name: &str) -> Result<Option<Vec<Record>>, SrvError> {
    let packet = Packet::parse(bytes).map_err(|_| SrvError::Malformed)?;
    let asked = packet.questions.first().map(|it| it.qname.to_string());
    let is_answer = packet.id() == id
        && packet.has_flags(PacketFlag::RESPONSE)
        && asked.is_some_and(|asked| asked.eq_ignore_ascii_case(name));
    if !is_answer {
        return Err(SrvError::Malformed);
    }
    if packet.has_flags(PacketFlag::TRUNCATION) {
        return Ok(None);
    }
    match packet.rcode() {
        RCODE::NoError | RCODE::NameError => {}
        other => return Err(SrvError::Refused(format!("{other:?}"))),
    }
    let records = packet.answers.iter().filter_map(|answer| {
        let RData::SRV(found) = &answer.rdata else {
            return None;
        };
        let host = found.target.to_string();
        let host = host.trim_end_matches('.');
        // A dot says that the service is decidedly not there.
        let server = ServerAddress::parse(&format!("{host}:{}", found.port), found.port)?;
        Some(Record {
            priority: found.priority,
            lightness: u16::MAX - found.weight,
            host: server.host.to_ascii_lowercase(),
            port: server.port,
        })
    });
    Ok(Some(records.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_of_the_table_can_be_used() {
        let mut seen = std::collections::HashSet::new();
        assert_eq!(lines().count(), TABLE.lines().count() - 1);
        for (domains, _) in lines() {
            for domain in domains.split(' ') {
                assert!(seen.insert(domain), "{domain} twice");
                let provider = of(&domain.to_ascii_uppercase()).unwrap();
                for server in [&provider.imap, &provider.smtp] {
                    assert!(server.port > 0, "{domain}");
                    let text = format!("{}:{}", server.host, server.port);
                    assert_eq!(ServerAddress::parse(&text, 1).as_ref(), Some(server));
                }
                let is_silent = provider.advice.is_empty();
                assert!(
                    !is_silent || provider.proof == CredentialKind::Password,
                    "{domain}"
                );
            }
        }
        assert!(of("example.org").is_none());
        assert_eq!(by_host("IMAP.gmail.com").unwrap().name, "Gmail");
        assert!(is_without_imap("Tuta.com") && !is_without_imap("gmail.com"));
    }

    #[test]
    fn servers_are_read() {
        for (text, expected) in [
            ("a.test", Some(("a.test", 993, ImapTls::Tls))),
            ("a.test:143", Some(("a.test", 143, ImapTls::Starttls))),
            ("[::1]:1993", Some(("::1", 1993, ImapTls::Starttls))),
            ("::1", Some(("::1", 993, ImapTls::Tls))),
            ("a.test:", None),
            ("a.test:0", None),
            ("a b", None),
            ("a\n", None),
            ("", None),
            ("[::1", None),
        ] {
            let server = ServerAddress::parse(text, 993);
            let found = server
                .as_ref()
                .map(|it| (it.host.as_ref(), it.port, it.tls));
            assert_eq!(found, expected, "{text}");
        }
        for (port, is_usual) in [(993, true), (587, true), (2525, false)] {
            assert_eq!(ServerAddress::new("a.test", port).is_port_usual(), is_usual);
        }
        assert!(ServerAddress::new("mail.A.test", 1).is_below("a.test"));
        assert!(ServerAddress::new("a.test", 1).is_below("a.test"));
        assert!(!ServerAddress::new("evila.test", 1).is_below("a.test"));
    }
}

#[cfg(test)]
mod srv_tests {
    use super::*;

    #[test]
    fn what_is_no_answer_is_none() {
        let asked = question("_imaps._tcp.a.test", 7).unwrap();
        for bytes in [&[][..], &[0; 5], &[0xff; 512], &asked] {
            let read = read(bytes, 7, "_imaps._tcp.a.test");
            assert!(matches!(read, Err(SrvError::Malformed)), "{bytes:?}");
        }
        let long = format!("{}.test", "a".repeat(64));
        for name in ["a b.test", "a\\.test", "ä.test", &long] {
            assert!(matches!(question(name, 7), Err(SrvError::Domain)), "{name}");
        }
    }

    /// An answer to another question or with another number is somebody else's.
    #[test]
    fn an_answer_has_the_number_and_the_question() {
        let mut answer = question("_imaps._tcp.a.test", 7).unwrap();
        answer[2] |= 0x80;
        let is_one = |id, name| matches!(read(&answer, id, name), Ok(Some(_)));
        assert!(is_one(7, "_imaps._tcp.A.test"));
        assert!(!is_one(8, "_imaps._tcp.a.test"));
        assert!(!is_one(7, "_imaps._tcp.b.test"));
        answer[2] |= 0x02;
        assert!(matches!(read(&answer, 7, "_imaps._tcp.a.test"), Ok(None)));
        // Every cut and every changed byte of it does no harm.
        for at in 0..answer.len() {
            let _ = read(&answer[..at], 7, "_imaps._tcp.a.test");
            for bit in 0..8 {
                let mut changed = answer.clone();
                changed[at] ^= 1 << bit;
                let _ = read(&changed, 7, "_imaps._tcp.a.test");
            }
        }
    }

    #[test]
    fn resolvers_are_read() {
        let shown = |text: &str| Resolver::parse(text).map(|it| it.to_string());
        assert_eq!(shown("127.0.0.1").unwrap(), "127.0.0.1");
        assert_eq!(shown("127.0.0.1:5353").unwrap(), "127.0.0.1:5353");
        assert_eq!(shown("::1").unwrap(), "::1");
        assert_eq!(shown("[::1]:53").unwrap(), "::1");
        assert_eq!(shown("localhost"), None);
    }
}
