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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CredentialKind {
    /// The password of the mailbox.
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

/// A line of the table: name, domains, IMAP server, SMTP server, proof, advice. Servers
/// are written `host:port`.
type Line = (
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static str,
    CredentialKind,
    &'static str,
);

/// The ports with TLS from the first byte; the others have STARTTLS.
const IMPLICIT_TLS: [u16; 2] = [993, 465];

const YAHOO: &str = "In the account's security settings (Generate app password), make an app password for this program.";
const TWO_FACTORS: &str =
    "If the account asks for a second factor, make a password for this program in its settings.";
const GMX: &str = "Allow POP3 and IMAP in the settings of the mailbox first; with two-factor login, make a password for this program there.";

const PROVIDERS: &[Line] = &[
    (
        "Gmail",
        &["gmail.com", "googlemail.com"],
        "imap.gmail.com:993",
        "smtp.gmail.com:465",
        CredentialKind::AppPassword,
        "Turn on 2-Step Verification, then make an app password at https://myaccount.google.com/apppasswords.",
    ),
    (
        "Outlook.com",
        &[
            "outlook.com",
            "outlook.de",
            "outlook.fr",
            "hotmail.com",
            "hotmail.co.uk",
            "hotmail.de",
            "hotmail.fr",
            "live.com",
            "msn.com",
        ],
        "outlook.office365.com:993",
        "smtp-mail.outlook.com:587",
        CredentialKind::Token,
        "It takes no password, only an OAuth 2 token: give a command that prints one (--token-command), and allow IMAP in the settings of the mailbox.",
    ),
    (
        "iCloud",
        &["icloud.com", "me.com", "mac.com"],
        "imap.mail.me.com:993",
        "smtp.mail.me.com:587",
        CredentialKind::AppPassword,
        "Make an app-specific password at https://account.apple.com (Sign-In and Security).",
    ),
    (
        "Yahoo",
        &[
            "yahoo.com",
            "yahoo.co.uk",
            "yahoo.de",
            "yahoo.es",
            "yahoo.fr",
            "yahoo.it",
            "ymail.com",
            "rocketmail.com",
        ],
        "imap.mail.yahoo.com:993",
        "smtp.mail.yahoo.com:465",
        CredentialKind::AppPassword,
        YAHOO,
    ),
    (
        "AOL",
        &["aol.com", "aim.com"],
        "imap.aol.com:993",
        "smtp.aol.com:465",
        CredentialKind::AppPassword,
        YAHOO,
    ),
    (
        "GMX",
        &["gmx.de", "gmx.net", "gmx.at", "gmx.ch"],
        "imap.gmx.net:993",
        "mail.gmx.net:465",
        CredentialKind::Password,
        GMX,
    ),
    (
        "GMX",
        &["gmx.com"],
        "imap.gmx.com:993",
        "mail.gmx.com:465",
        CredentialKind::Password,
        GMX,
    ),
    (
        "WEB.DE",
        &["web.de"],
        "imap.web.de:993",
        "smtp.web.de:587",
        CredentialKind::Password,
        GMX,
    ),
    (
        "Fastmail",
        &["fastmail.com", "fastmail.fm"],
        "imap.fastmail.com:993",
        "smtp.fastmail.com:465",
        CredentialKind::AppPassword,
        "Make an app password in the settings of the account (Privacy & Security).",
    ),
    (
        "Posteo",
        &["posteo.de", "posteo.net"],
        "posteo.de:993",
        "posteo.de:465",
        CredentialKind::Password,
        "",
    ),
    (
        "mailbox.org",
        &["mailbox.org"],
        "imap.mailbox.org:993",
        "smtp.mailbox.org:465",
        CredentialKind::Password,
        TWO_FACTORS,
    ),
    (
        "Proton Mail",
        &["proton.me", "protonmail.com", "protonmail.ch", "pm.me"],
        "127.0.0.1:1143",
        "127.0.0.1:1025",
        CredentialKind::AppPassword,
        "It needs the Proton Mail Bridge, running on this machine: the password is the one that the Bridge shows, and --ca-file the certificate that it exports.",
    ),
    (
        "Zoho",
        &["zoho.com", "zohomail.com"],
        "imap.zoho.com:993",
        "smtp.zoho.com:465",
        CredentialKind::Password,
        "Allow IMAP in the settings of the mailbox first; if the account asks for a second factor, make a password for this program there.",
    ),
    (
        "Zoho",
        &["zohomail.eu"],
        "imap.zoho.eu:993",
        "smtp.zoho.eu:465",
        CredentialKind::Password,
        "Allow IMAP in the settings of the mailbox first; if the account asks for a second factor, make a password for this program there.",
    ),
    (
        "T-Online",
        &["t-online.de", "magenta.de"],
        "secureimap.t-online.de:993",
        "securesmtp.t-online.de:465",
        CredentialKind::AppPassword,
        "Make a password for mail programs (E-Mail-Passwort) in the Kundencenter.",
    ),
    (
        "freenet",
        &["freenet.de"],
        "mx.freenet.de:993",
        "mx.freenet.de:587",
        CredentialKind::Password,
        "",
    ),
    (
        "Yandex",
        &["yandex.com"],
        "imap.yandex.com:993",
        "smtp.yandex.com:465",
        CredentialKind::AppPassword,
        "Allow IMAP in the settings of the mailbox, and make an app password for mail in the account.",
    ),
    (
        "Mail.ru",
        &["mail.ru", "inbox.ru", "list.ru", "bk.ru"],
        "imap.mail.ru:993",
        "smtp.mail.ru:465",
        CredentialKind::AppPassword,
        "Make a password for external programs in the settings of the account.",
    ),
    (
        "Orange",
        &["orange.fr", "wanadoo.fr"],
        "imap.orange.fr:993",
        "smtp.orange.fr:465",
        CredentialKind::Password,
        "",
    ),
    (
        "Free",
        &["free.fr"],
        "imap.free.fr:993",
        "smtp.free.fr:465",
        CredentialKind::Password,
        "",
    ),
    (
        "Seznam",
        &["seznam.cz"],
        "imap.seznam.cz:993",
        "smtp.seznam.cz:465",
        CredentialKind::Password,
        TWO_FACTORS,
    ),
];

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
    let mut lines = PROVIDERS.iter();
    lines
        .find(|line| {
            line.1
                .iter()
                .any(|known| known.eq_ignore_ascii_case(domain))
        })
        .map(provider)
}

/// Returns the provider that a server belongs to, if the table has it.
#[must_use]
pub fn by_host(host: &str) -> Option<Provider> {
    let mut providers = PROVIDERS.iter().map(provider);
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

fn provider((name, _, imap, smtp, proof, advice): &Line) -> Provider {
    let server = |text: &'static str| {
        let (host, port) = text.split_once(':').unwrap_or((text, ""));
        ServerAddress::new(host, port.parse().unwrap_or_default())
    };
    Provider {
        name,
        imap: server(imap),
        smtp: server(smtp),
        proof: *proof,
        advice,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_of_the_table_can_be_used() {
        let mut seen = std::collections::HashSet::new();
        for line in PROVIDERS {
            for domain in line.1 {
                assert!(seen.insert(*domain), "{domain} twice");
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
        assert!(ServerAddress::new("mail.A.test", 1).is_below("a.test"));
        assert!(ServerAddress::new("a.test", 1).is_below("a.test"));
        assert!(!ServerAddress::new("evila.test", 1).is_below("a.test"));
    }
}
