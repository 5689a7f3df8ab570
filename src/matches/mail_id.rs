//! Message-IDs of outgoing mail, and the secret that signs them.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::Error;
use crate::mail::files;
use crate::mail::message_id::MessageId;
use crate::match_id::Id;
use crate::matches::event::LogEntry;
use crate::matches::hash::{Link, hex};

/// The number of hash bytes in an id, written as hexadecimal digits.
const TOKEN: usize = 10;

/// The number of its bytes that depend on the mail. The others prove that the program has made it.
const OF_MAIL: usize = 6;

/// The first part of the hash. It has a blank, as no id of a match has, with which the
/// hashes of earlier versions begin: none of those is one of these.
const PURPOSE: &[u8] = b"message id";

/// The first part of the hash of an article, whose id everybody can read.
const OF_ARTICLE: &[u8] = b"article id";

/// The first part of the hash that proves who has made an id.
const ORIGIN: &[u8] = b"origin of an id";

/// Returns true if a Message-ID has the form of this program's mails about a match.
pub fn is_of(message: &MessageId, id: &Id) -> bool {
    let rest = message.bare().strip_prefix(id.as_str());
    rest.is_some_and(|rest| rest.starts_with('.'))
}

/// Returns the id of the match whose mails have Message-IDs of this form.
pub fn match_of(message: &MessageId) -> Option<Id> {
    let (id, _) = message.bare().split_once('.')?;
    id.parse().ok()
}

/// Returns the id of the match whose articles have Message-IDs of this form.
pub fn match_of_article(message: &MessageId) -> Option<Id> {
    let (id, rest) = message.bare().split_once('.')?;
    rest.starts_with("news.").then(|| id.parse().ok())?
}

/// Returns the host in the ids of mails that are sent from an address at this domain.
pub fn host_of(domain: &str) -> String {
    // The domain of a deliverable address never has other characters. If
    // this one does, dropping them keeps the id valid.
    let good = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let host: String = domain.chars().filter(good).take(120).collect();
    if host.is_empty() {
        "localhost".to_owned()
    } else {
        host
    }
}

/// Makes the Message-IDs of outgoing mail: `<id.N.TOKEN@host>`, where N is the
/// line of the log and TOKEN a keyed hash of the whole log up to that line. The same
/// mail always gets the same id, no mail of another course of the match or of
/// another match under the same id has it, and without the secret nobody can forge one.
#[derive(Clone)]
pub struct MailIds {
    secret: IdSecret,
    host: String,
}

impl MailIds {
    /// Creates a maker of ids for this host name.
    pub fn new(secret: IdSecret, host: &str) -> MailIds {
        let host = host_of(host);
        MailIds { secret, host }
    }

    /// Begins a keyed hash of these parts.
    pub(super) fn mac_of<'p>(&self, parts: impl IntoIterator<Item = &'p [u8]>) -> Hmac<Sha256> {
        let mut mac = self.secret.mac();
        for part in parts {
            // The length keeps "ab", "c" apart from "a", "bc".
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }

    /// Returns the Message-ID of a mail that this line of the match's log owes. `owed`
    /// is the line without the id, and `previous` the hash of the line before, which
    /// stands for all lines before it: the players, the beginning, and all that has
    /// happened.
    ///
    /// # Panics
    ///
    /// Never: every part of the id is valid in a Message-ID.
    pub(super) fn make(&self, id: &Id, line: usize, previous: Link, owed: &LogEntry) -> MessageId {
        let owed = owed.line();
        let parts = [PURPOSE, previous.as_str().as_bytes(), owed.as_bytes()];
        let start = format!("{id}.{line}");
        let token = self.proven_token(&start, self.mac_of(parts));
        format!("<{start}.{token}@{}>", self.host)
            .parse()
            .expect("an id is made of what belongs in one")
    }

    /// Returns the TOKEN behind the start of an id, `id.N`: some bytes of a keyed hash of the mail, and
    /// some of one of those and the start. So the program knows an id of its own without the mail.
    fn proven_token(&self, start: &str, mac: Hmac<Sha256>) -> String {
        let mut token = mac.finalize().into_bytes();
        let origin = self.origin_mac(start, &token[..OF_MAIL]);
        let origin = origin.finalize().into_bytes();
        token[OF_MAIL..TOKEN].copy_from_slice(&origin[..TOKEN - OF_MAIL]);
        hex(&token[..TOKEN])
    }

    fn origin_mac(&self, start: &str, of_mail: &[u8]) -> Hmac<Sha256> {
        self.mac_of([ORIGIN, start.as_bytes(), of_mail])
    }

    /// Returns true if a program with this secret has made a Message-ID for a mail or an article of
    /// this match. It does not know those that earlier versions made. The time it takes tells nothing.
    pub(crate) fn has_made(&self, id: &Id, message: &MessageId) -> bool {
        let local = message.bare().split_once('@').map(|(local, _)| local);
        let parts = local.and_then(|local| local.rsplit_once('.'));
        let is_made = |start: &str, token: &str| {
            let token = bytes_of(token)?;
            let mac = self.origin_mac(start, &token[..OF_MAIL]);
            mac.verify_truncated_left(&token[OF_MAIL..]).ok()
        };
        is_of(message, id) && parts.is_some_and(|(start, token)| is_made(start, token).is_some())
    }
}

/// Reads the bytes of a TOKEN.
fn bytes_of(token: &str) -> Option<[u8; TOKEN]> {
    if token.len() != 2 * TOKEN {
        return None;
    }
    let mut bytes = [0; TOKEN];
    for (byte, digits) in bytes.iter_mut().zip(token.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(bytes)
}

impl MailIds {
    /// Returns the Message-ID of an article that this line of the match's log owes, as
    /// [`MailIds::make`] does that of a mail: `<id.news.N.TOKEN@host>`, which is no id of a mail.
    ///
    /// # Panics
    ///
    /// Never: every part of the id is valid in a Message-ID.
    pub(super) fn make_of_article(
        &self,
        id: &Id,
        line: usize,
        previous: Link,
        owed: &LogEntry,
        host: &str,
    ) -> MessageId {
        let owed = owed.line();
        let parts = [OF_ARTICLE, previous.as_str().as_bytes(), owed.as_bytes()];
        let start = format!("{id}.news.{line}");
        let token = self.proven_token(&start, self.mac_of(parts));
        format!("<{start}.{token}@{}>", host_of(host))
            .parse()
            .expect("an id is made of what belongs in one")
    }
}

/// Returns the TOKEN that a keyed hash makes.
pub(super) fn token_of(mac: Hmac<Sha256>) -> String {
    hex(&mac.finalize().into_bytes()[..TOKEN])
}

/// Returns true if a Message-ID has the shape of those made for this match, by
/// any copy of the program. This proves nothing about its origin.
pub(crate) fn looks_made_for(id: &Id, message: &MessageId) -> bool {
    let line = message.bare().split('.').nth(1).map(str::parse::<usize>);
    is_of(message, id) && matches!(line, Some(Ok(_))) && token(message.as_str()).is_some()
}

/// Returns the TOKEN of a Message-ID of the shape of ours, with or without its
/// brackets: whoever knows it can pass for the player that the mail went to.
pub fn token(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once('.')?;
    let (_, rest) = rest.split_once('.')?;
    let (token, _) = rest.split_once('@')?;
    let is_token = token.len() == 2 * TOKEN && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_token.then_some(token)
}

/// The secret behind this user's Message-IDs. It never leaves its file.
#[derive(Clone)]
pub struct IdSecret([u8; IdSecret::LENGTH]);

impl IdSecret {
    /// The length in bytes.
    pub const LENGTH: usize = 32;

    /// Reads the secret from a file, or creates the file if there is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or created, or holds something else.
    pub fn open(path: &Path) -> Result<IdSecret, Error> {
        match read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            result => return result.map_err(|error| Error::file(path, &error)),
        }
        let mut bytes = [0; IdSecret::LENGTH];
        getrandom::fill(&mut bytes)
            .map_err(|error| Error::later(format!("no random numbers to be had: {error}")))?;
        match write(path, &bytes) {
            // Another process created the file first, so its secret is used.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => read(path),
            result => result.map(|()| IdSecret(bytes)),
        }
        .map_err(|error| Error::file(path, &error))
    }

    /// Creates a secret from its bytes.
    pub const fn from_bytes(bytes: [u8; IdSecret::LENGTH]) -> IdSecret {
        IdSecret(bytes)
    }

    fn mac(&self) -> Hmac<Sha256> {
        Hmac::new_from_slice(&self.0).expect("a key of any length will do")
    }
}

fn read(path: &Path) -> io::Result<IdSecret> {
    let bytes = files::read(path, 1 << 10)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(path)?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                format!(
                    "others can read or change this secret; 'chmod 600 {0}' keeps it, but what has been read can forge answers: to be sure remove it, and a new one is made",
                    path.display()
                ),
            ));
        }
    }
    let bytes = bytes.try_into().map_err(|_| {
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!(
                "this is no secret of {} bytes; remove it and a new one is made",
                IdSecret::LENGTH
            ),
        )
    })?;
    Ok(IdSecret(bytes))
}

/// Writes the secret under its final name atomically: in full or not at all.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    files::make_folder(folder)?;
    // Only its owner can read a temporary file.
    let mut file = tempfile::Builder::new()
        .prefix(".secret")
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    files::sync_folder(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::event::Event;
    use crate::rules::Color;

    #[test]
    fn an_id_shows_who_has_made_it_and_for_which_match() {
        let of = |byte: u8| MailIds::new(IdSecret::from_bytes([byte; IdSecret::LENGTH]), "x.test");
        let id: Id = "demo".parse().unwrap();
        let time = "2026-11-20T03:00:00Z".parse().unwrap();
        let owed = LogEntry::new(time, Event::Note(None), Color::White);
        let link = Link::first(&id, &owed);
        let mail = of(7).make(&id, 12, link, &owed);
        let article = of(7).make_of_article(&id, 12, link, &owed, "news.test");
        for made in [&mail, &article] {
            assert!(of(7).has_made(&id, made), "{made}");
            assert!(!of(8).has_made(&id, made), "{made}");
            assert!(!of(7).has_made(&"other".parse().unwrap(), made), "{made}");
        }
        let text = mail.to_string();
        for changed in [
            text.replace(".12.", ".13."),
            text.replace('@', "0@"),
            text.replace(".12.", ".12.news."),
            text.replace(&text[9..12], "zzz"),
            "<demo.12@x.test>".to_owned(),
            "<demo@x.test>".to_owned(),
            "<demo.>".to_owned(),
        ] {
            let changed: MessageId = changed.parse().unwrap();
            assert!(!of(7).has_made(&id, &changed), "{changed}");
        }
        // Earlier versions used the whole hash of the mail.
        let earlier = token_of(of(7).mac_of([PURPOSE]));
        let earlier: MessageId = format!("<demo.12.{earlier}@x.test>").parse().unwrap();
        assert!(!of(7).has_made(&id, &earlier));
    }
}
