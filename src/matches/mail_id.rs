//! The Message-IDs of outgoing mail, and the secret they are made with.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::match_id::Id;
use crate::matches::hex::hex;
use crate::message_id::MessageId;
use crate::rules::Color;
use crate::{Error, files};

/// How many bytes of the keyed hash stand in an id, as hexadecimal digits.
const TOKEN: usize = 10;

/// Makes Message-IDs that the same mail gets again however often it is made,
/// and that nobody else can make: `<id.N.TOKEN@host>`, N the line of the log and
/// TOKEN a keyed hash.
pub struct MailIds {
    secret: Secret,
    host: String,
}

impl MailIds {
    /// Ids with that host's name at their end.
    #[must_use]
    pub fn new(secret: Secret, host: &str) -> MailIds {
        // What does not belong in an id is never in the domain of an address
        // that a mail server takes; where it is, the id must still be one.
        let good = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        let host: String = host.chars().filter(good).take(120).collect();
        MailIds {
            secret,
            host: if host.is_empty() {
                "localhost".to_owned()
            } else {
                host
            },
        }
    }

    /// The Message-ID of the mail of that kind to that player, owed by that
    /// line of the match's log, in answer to that message. A log that was
    /// repaired has had other lines of the same numbers: the event of the
    /// repair tells them apart.
    ///
    /// # Panics
    ///
    /// Never: an id is made of what belongs in one.
    #[must_use]
    pub fn make(
        &self,
        id: &Id,
        kind: &str,
        to: Color,
        line: usize,
        re: Option<&MessageId>,
        repaired: Option<&str>,
    ) -> MessageId {
        let mut mac = self.secret.mac();
        let parts = [
            id.as_str(),
            kind,
            &to.letter().to_string(),
            &line.to_string(),
            re.map_or("", MessageId::as_str),
        ];
        for part in parts.into_iter().chain(repaired) {
            // The length keeps "ab", "c" apart from "a", "bc".
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        let token = hex(&mac.finalize().into_bytes()[..TOKEN]);
        format!("<{id}.{line}.{token}@{}>", self.host)
            .parse()
            .expect("an id is made of what belongs in one")
    }
}

/// Whether a message's id has the shape of those made for that match, by this
/// or anybody's copy of the program. Nothing proves that it was.
#[must_use]
pub fn looks_made_for(id: &Id, message: &MessageId) -> bool {
    let parts = || {
        let rest = message
            .as_str()
            .strip_prefix('<')?
            .strip_prefix(id.as_str())?;
        let (line, rest) = rest.strip_prefix('.')?.split_once('.')?;
        let (token, _) = rest.split_once('@')?;
        Some((line, token))
    };
    parts().is_some_and(|(line, token)| {
        line.parse::<usize>().is_ok()
            && token.len() == 2 * TOKEN
            && token.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// The secret of this user's Message-IDs. It never leaves its file.
#[derive(Clone)]
pub struct Secret([u8; Secret::LENGTH]);

impl Secret {
    /// Its length in bytes.
    pub const LENGTH: usize = 32;

    /// Reads the secret in that file, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// If it cannot be read or made, or holds something else.
    pub fn open(path: &Path) -> Result<Secret, Error> {
        match read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            result => return result.map_err(|error| Error::file(path, &error)),
        }
        let mut bytes = [0; Secret::LENGTH];
        getrandom::fill(&mut bytes)
            .map_err(|error| Error::later(format!("no random numbers to be had: {error}")))?;
        match write(path, &bytes) {
            // Another process was faster: its secret is the one.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => read(path),
            result => result.map(|()| Secret(bytes)),
        }
        .map_err(|error| Error::file(path, &error))
    }

    /// The secret of those bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; Secret::LENGTH]) -> Secret {
        Secret(bytes)
    }

    fn mac(&self) -> Hmac<Sha256> {
        Hmac::new_from_slice(&self.0).expect("a key of any length will do")
    }
}

fn read(path: &Path) -> io::Result<Secret> {
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
                Secret::LENGTH
            ),
        )
    })?;
    Ok(Secret(bytes))
}

/// Writes the whole secret under its name at once, or nothing.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    files::make_folder(folder)?;
    // A temporary file is readable by its owner alone.
    let mut file = tempfile::Builder::new()
        .prefix(".secret")
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    files::sync_folder(folder)
}
