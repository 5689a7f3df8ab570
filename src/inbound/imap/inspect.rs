//! Looking at a mailbox without changing anything: its folders, its quota, its clock.

use chrono::{DateTime, FixedOffset};

use crate::inbound::imap::connection::{Connection, Part};
use crate::inbound::imap::error::ImapError;
use crate::inbound::imap::response::{Response, Value};
use crate::inbound::imap::text;
use crate::inbound::imap::wire::Stream;
use crate::limits;

/// The most folders that are looked at.
const FOLDERS: usize = 2000;

/// The names that folders for unwanted mail have where the server does not say which is
/// one, in small letters.
const JUNK: [&str; 12] = [
    "junk",
    "spam",
    "junk e-mail",
    "junk email",
    "junk mail",
    "junk-e-mail",
    "bulk",
    "bulk mail",
    "spamverdacht",
    "spamordner",
    "courrier indésirable",
    "unerwünscht",
];

/// A folder of a mailbox.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MailFolder {
    /// The name.
    pub name: String,
    /// True if it is for unwanted mail.
    pub is_junk: bool,
}

/// What a mailbox may hold of something, and what it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quota {
    /// What is limited: `STORAGE` in KiB, or `MESSAGE`.
    pub resource: String,
    /// How much there is.
    pub used: u64,
    /// How much there may be.
    pub limit: u64,
}

impl<S: Stream> Connection<S> {
    /// Returns the number of messages in the selected folder.
    #[must_use]
    pub fn messages(&self) -> u32 {
        self.exists
    }

    /// Returns the folders that messages can be in.
    ///
    /// # Errors
    ///
    /// If there are too many, or the command fails.
    pub fn folders(&mut self) -> Result<Vec<MailFolder>, ImapError> {
        let is_told = self.can("SPECIAL-USE") && self.can("LIST-EXTENDED");
        let words = if is_told {
            "LIST \"\" \"*\" RETURN (SPECIAL-USE)"
        } else {
            "LIST \"\" \"*\""
        };
        let mut found = Vec::new();
        self.run(&[Part::Words(words)], limits::IMAP_NAME, |response| {
            if let Response::Data(values) = response {
                found.extend(folder(&values));
            }
            if found.len() > FOLDERS {
                return Err(ImapError::TooLong("more folders"));
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Returns what limits a folder, or nothing if the server does not tell.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn quota(&mut self, folder: &str) -> Result<Vec<Quota>, ImapError> {
        if !self.can("QUOTA") {
            return Ok(Vec::new());
        }
        let name = text::folder(folder);
        let parts = [Part::Words("GETQUOTAROOT "), Part::Text(&name)];
        let mut found = Vec::new();
        self.run(&parts, limits::IMAP_NAME, |response| {
            if let Response::Data(values) = response {
                found.extend(quotas(&values));
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Returns when the newest message of the selected folder arrived, by the clock of the
    /// server; none if the folder is empty.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn newest_arrival(&mut self) -> Result<Option<DateTime<FixedOffset>>, ImapError> {
        if self.exists == 0 {
            return Ok(None);
        }
        let mut newest = None;
        self.run(&[Part::Words("FETCH * (INTERNALDATE)")], 0, |response| {
            if let Response::Data(values) = response {
                newest = newest.max(newest_of(&values));
            }
            Ok(())
        })?;
        Ok(newest)
    }
}

/// Reads `LIST (\Flag) "/" "name"`. Returns none if it is something else or no folder
/// that messages can be in.
fn folder(values: &[Value]) -> Option<MailFolder> {
    let [word, Value::List(flags), delimiter, name, ..] = values else {
        return None;
    };
    let has = |flag: &str| flags.iter().any(|found| found.is(flag));
    if !word.is("LIST") || has("\\Noselect") || has("\\NonExistent") {
        return None;
    }
    let name = text::folder_name(bytes(name)?);
    let delimiter = bytes(delimiter).and_then(|bytes| std::str::from_utf8(bytes).ok());
    let last = match delimiter {
        Some(delimiter) if !delimiter.is_empty() && delimiter != "NIL" => {
            name.rsplit(delimiter).next().unwrap_or(&name)
        }
        _ => &name,
    };
    let is_junk = has("\\Junk") || JUNK.contains(&last.to_lowercase().as_str());
    Some(MailFolder { name, is_junk })
}

/// Reads `QUOTA "root" (STORAGE 10 512 MESSAGE 3 100)`.
fn quotas(values: &[Value]) -> Vec<Quota> {
    let [word, _, Value::List(limits)] = values else {
        return Vec::new();
    };
    if !word.is("QUOTA") {
        return Vec::new();
    }
    let number = |value: &Value| std::str::from_utf8(bytes(value)?).ok()?.parse().ok();
    let quota = |three: &[Value]| {
        Some(Quota {
            resource: String::from_utf8_lossy(bytes(three.first()?)?).to_ascii_uppercase(),
            used: number(three.get(1)?)?,
            limit: number(three.get(2)?)?,
        })
    };
    let quotas = limits.chunks(3).filter_map(quota);
    // None is written as 0 by some servers.
    quotas.filter(|quota| quota.limit > 0).collect()
}

/// Reads `3 FETCH (INTERNALDATE "22-Nov-2026 09:16:00 +0000")`.
fn newest_of(values: &[Value]) -> Option<DateTime<FixedOffset>> {
    let [_, word, Value::List(items)] = values else {
        return None;
    };
    if !word.is("FETCH") {
        return None;
    }
    let at = items.iter().position(|item| item.is("INTERNALDATE"))?;
    arrival(items.get(at + 1)?)
}

/// Reads when a message arrived, as the server writes it.
pub(super) fn arrival(value: &Value) -> Option<DateTime<FixedOffset>> {
    let text = std::str::from_utf8(bytes(value)?).ok()?;
    DateTime::parse_from_str(text.trim(), "%d-%b-%Y %H:%M:%S %z").ok()
}

fn bytes(value: &Value) -> Option<&[u8]> {
    match value {
        Value::Atom(bytes) | Value::Text(bytes) => Some(bytes),
        Value::List(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(text: &str) -> Value {
        Value::Atom(text.as_bytes().to_vec())
    }

    fn text(text: &str) -> Value {
        Value::Text(text.as_bytes().to_vec())
    }

    #[test]
    fn folders_are_known_for_what_they_are_for() {
        for (flags, delimiter, name, expected) in [
            (&["\\HasNoChildren"][..], text("/"), "INBOX", Some(false)),
            (&["\\Junk"], text("."), "Werbung", Some(true)),
            (&[], text("/"), "INBOX/Spam", Some(true)),
            (&[], atom("NIL"), "Junk E-mail", Some(true)),
            (&[], text("/"), "Spam/Kept", Some(false)),
            (&["\\Noselect"], text("/"), "[Gmail]", None),
        ] {
            let flags = flags.iter().map(|flag| atom(flag)).collect();
            let values = [atom("LIST"), Value::List(flags), delimiter, text(name)];
            assert_eq!(folder(&values).map(|it| it.is_junk), expected, "{name}");
        }
        assert_eq!(folder(&[atom("LIST")]), None);
    }

    #[test]
    fn quotas_and_arrivals_are_read() {
        let list = ["STORAGE", "10", "512", "MESSAGE", "3", "x", "A"].map(atom);
        let values = [atom("QUOTA"), text(""), Value::List(list.to_vec())];
        let found = quotas(&values);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].used, found[0].limit), (10, 512));
        let items = vec![atom("INTERNALDATE"), text(" 2-Nov-2026 09:16:00 +0100")];
        let values = [atom("3"), atom("FETCH"), Value::List(items)];
        let read = newest_of(&values).unwrap().to_rfc3339();
        assert_eq!(read, "2026-11-02T09:16:00+01:00");
    }
}
