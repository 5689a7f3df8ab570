//! The servers of the big mail providers, as `init` proposes them without asking anybody.

use std::borrow::Cow;

use crate::settings::ImapTls;

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
