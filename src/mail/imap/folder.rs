//! The folder of a mailbox: what is in it, and what happens to its messages.

use std::collections::BTreeSet;

use chrono::{DateTime, FixedOffset, NaiveDate};

use crate::imap::connection::{Connection, Part};
use crate::imap::{self, ImapError, Response, Value};
use crate::limits;
use crate::server_text::ServerText;
use crate::wire::Stream;

/// The header fields that tell whether a message is ours, and which one it is.
const FIELDS: &str = "FROM SUBJECT MESSAGE-ID IN-REPLY-TO REFERENCES CHAT-EDIT";

/// The most bytes of `Message-ID` fields that are asked for.
const ID_FIELDS: usize = 4 << 10;

/// The most characters of a mailbox's id (RFC 8474, 7).
const MAILBOX_ID: usize = 255;

/// A folder as the server describes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selected {
    /// Changes when the numbers of messages are given anew; none if the server does not
    /// keep them.
    pub uid_validity: Option<u32>,
    /// The id of the mailbox, if the server gives one (RFC 8474).
    pub mailbox_id: Option<String>,
    /// The UID that the next message gets, if the server says it.
    pub uid_next: Option<u32>,
    /// The flags that can be changed, if the server says it.
    pub flags: Option<Vec<String>>,
    /// True if nothing can be changed.
    pub is_read_only: bool,
}

impl Selected {
    /// Returns true if messages can get a keyword that lasts.
    #[must_use]
    pub fn takes_keyword(&self, keyword: &str) -> bool {
        let is_it = |flag: &String| flag == "\\*" || flag.eq_ignore_ascii_case(keyword);
        let flags = self.flags.as_ref();
        !self.is_read_only && flags.is_none_or(|flags| flags.iter().any(is_it))
    }

    fn learn(&mut self, code: &[u8]) {
        let code = String::from_utf8_lossy(code);
        let (word, rest) = code.split_once(' ').unwrap_or((&code, ""));
        match word.to_ascii_uppercase().as_str() {
            "UIDVALIDITY" => self.uid_validity = rest.parse().ok(),
            "MAILBOXID" => self.mailbox_id = mailbox_id(rest),
            "UIDNEXT" => self.uid_next = rest.parse().ok(),
            "PERMANENTFLAGS" => {
                let flags = rest.trim_matches(['(', ')']).split_whitespace();
                self.flags = Some(flags.map(ToOwned::to_owned).collect());
            }
            "READ-ONLY" => self.is_read_only = true,
            _ => {}
        }
    }
}

/// Reads the id of a mailbox: `(F2212ea87-6097-4256-9d51-71338625)`.
fn mailbox_id(text: &str) -> Option<String> {
    let id = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let may_be_in = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_id = !id.is_empty() && id.len() <= MAILBOX_ID && id.chars().all(may_be_in);
    is_id.then(|| id.to_owned())
}

/// The header of a message, as far as it was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// Its number in the folder, which it keeps.
    pub uid: u32,
    /// When the message arrived, in seconds since 1970, by the clock of the server.
    pub arrived: Option<i64>,
    /// Some fields of the header. If they are as long as was asked for, they are cut off.
    pub fields: Vec<u8>,
}

impl<S: Stream> Connection<S> {
    /// Opens a folder, to be changed or only to be read, when not even its messages stop
    /// being recent.
    ///
    /// # Errors
    ///
    /// If there is no such folder or the command fails.
    pub fn select(&mut self, folder: &str, is_to_change: bool) -> Result<Selected, ImapError> {
        let word = if is_to_change { "SELECT " } else { "EXAMINE " };
        let mut selected = Selected::default();
        self.exists = 0;
        let name = imap::folder(folder);
        let parts = [Part::Words(word), Part::Text(&name)];
        let code = self.run(&parts, 0, |response| {
            if let Response::Status {
                code: Some(code), ..
            } = response
            {
                selected.learn(&code);
            }
            Ok(())
        })?;
        if let Some(code) = code {
            selected.learn(&code);
        }
        self.has_news = false;
        Ok(selected)
    }

    /// Returns true if messages have come since this was last asked.
    pub fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.has_news)
    }

    /// Has the server tell what is new.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn look(&mut self) -> Result<(), ImapError> {
        self.command("NOOP")
    }

    /// Says goodbye. The server need not answer.
    pub fn leave(&mut self) {
        let _ = self.command("LOGOUT");
    }

    /// Returns true if there is a folder of that name.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn has_folder(&mut self, name: &str) -> Result<bool, ImapError> {
        let name = imap::folder(name);
        let parts = [
            Part::Words("STATUS "),
            Part::Text(&name),
            Part::Words(" (UIDVALIDITY)"),
        ];
        match self.run(&parts, limits::IMAP_NAME, |_| Ok(())) {
            Ok(_) => Ok(true),
            Err(ImapError::No(answer)) if answer.word == "NO" && !answer.is_trouble() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns the UIDs above this one, ascending.
    ///
    /// # Errors
    ///
    /// If there are too many, or the command fails.
    pub fn above(&mut self, uid: u32) -> Result<Vec<u32>, ImapError> {
        let Some(first) = uid.checked_add(1) else {
            return Ok(Vec::new());
        };
        let mut found = self.search(&[Part::Words(&format!("UID {first}:*"))])?;
        // `n:*` has the last message even if its number is below n.
        found.retain(|found| *found > uid);
        Ok(found)
    }

    /// Returns the UIDs of the messages that arrived on this day or later, ascending.
    ///
    /// # Errors
    ///
    /// As [`Connection::above`].
    pub fn since(&mut self, day: NaiveDate) -> Result<Vec<u32>, ImapError> {
        self.search(&[Part::Words(&format!("SINCE {}", imap::day(day)))])
    }

    /// Returns the UIDs from `first` to `last` of the messages that arrived on this day or
    /// later and do not have this keyword, ascending.
    ///
    /// # Errors
    ///
    /// As [`Connection::above`].
    pub fn arrived(
        &mut self,
        (first, last): (u32, u32),
        day: NaiveDate,
        keyword: &str,
    ) -> Result<Vec<u32>, ImapError> {
        if first > last {
            return Ok(Vec::new());
        }
        let keys = format!("UID {first}:{last} SINCE {}", imap::day(day));
        let unmarked = format!("{keys} UNKEYWORD {keyword}");
        let mut found = match self.search(&[Part::Words(&unmarked)]) {
            // A server without keywords may not know the word.
            Err(ImapError::No(answer)) if !answer.is_trouble() => {
                self.search(&[Part::Words(&keys)])?
            }
            found => found?,
        };
        // A set has the last message even if its number is below the first.
        found.retain(|found| (first..=last).contains(found));
        Ok(found)
    }

    /// Returns those of some messages that are still in the folder, ascending.
    ///
    /// # Errors
    ///
    /// As [`Connection::above`].
    pub fn existing(&mut self, uids: &[u32]) -> Result<Vec<u32>, ImapError> {
        let mut found = self.search(&[Part::Words(&format!("UID {}", imap::set(uids)))])?;
        found.retain(|found| uids.binary_search(found).is_ok());
        Ok(found)
    }

    /// Returns those of some messages in whose text one of these words stands.
    ///
    /// # Errors
    ///
    /// As [`Connection::above`].
    pub fn containing(&mut self, uids: &[u32], words: &[&str]) -> Result<Vec<u32>, ImapError> {
        let set = format!("UID {}", imap::set(uids));
        let mut parts = vec![Part::Words(&set)];
        for (at, word) in words.iter().enumerate() {
            let is_last = at + 1 == words.len();
            parts.push(Part::Words(if is_last { " BODY " } else { " OR BODY " }));
            parts.push(Part::Text(word));
        }
        self.search(&parts)
    }

    fn search(&mut self, keys: &[Part<'_>]) -> Result<Vec<u32>, ImapError> {
        let mut found = BTreeSet::new();
        let mut parts = vec![Part::Words("UID SEARCH ")];
        parts.extend(keys);
        self.run(&parts, 0, |response| {
            if let Response::Search(uids) = response {
                // No message has the UID 0.
                found.extend(uids.into_iter().filter(|uid| *uid > 0));
            }
            if found.len() > limits::IMAP_MESSAGES {
                return Err(ImapError::TooLong("more messages"));
            }
            Ok(())
        })?;
        Ok(found.into_iter().collect())
    }

    /// Returns the highest UID in the folder, or 0.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn last(&mut self) -> Result<u32, ImapError> {
        let uid = self.of_last("UID", |fetched| fetched.uid)?;
        Ok(uid.unwrap_or(0))
    }

    /// Reads one item of the last message in the folder; none if the folder is empty.
    fn of_last<T: Ord + Copy>(
        &mut self,
        item: &str,
        read: impl Fn(Fetched) -> Option<T>,
    ) -> Result<Option<T>, ImapError> {
        let mut found = None;
        if self.exists > 0 {
            let command = format!("FETCH * ({item})");
            self.run(&[Part::Words(&command)], 0, |response| {
                found = found.max(Fetched::of(response).and_then(&read));
                Ok(())
            })?;
        }
        Ok(found)
    }

    /// Reads the heads of messages. One that is gone or held back is left out.
    ///
    /// # Errors
    ///
    /// If the command fails or `each` does.
    pub fn heads(&mut self, uids: &[u32], mut each: impl FnMut(Head)) -> Result<(), ImapError> {
        let set = imap::set(uids);
        let most = limits::HEADER;
        let command =
            format!("UID FETCH {set} (INTERNALDATE BODY.PEEK[HEADER.FIELDS ({FIELDS})]<0.{most}>)");
        self.fetch_heads(&command, most, |head| {
            if uids.binary_search(&head.uid).is_ok() {
                each(head);
            }
        })
    }

    /// Reads the `Message-ID` fields of messages, ascending, and when they arrived. One that
    /// is gone is left out.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn ids(&mut self, uids: &[u32]) -> Result<Vec<Head>, ImapError> {
        let command = format!("UID FETCH {} {}", imap::set(uids), id_items());
        let mut heads = Vec::new();
        self.fetch_heads(&command, ID_FIELDS, |head| {
            if uids.binary_search(&head.uid).is_ok() {
                heads.push(head);
            }
        })?;
        Ok(heads)
    }

    /// Reads the same of the last messages in the folder, so many.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn last_ids(&mut self, count: usize) -> Result<Vec<Head>, ImapError> {
        if self.exists == 0 {
            return Ok(Vec::new());
        }
        let before = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
        let first = self.exists.saturating_sub(before).max(1);
        let command = format!("FETCH {first}:* {}", id_items());
        let mut heads = Vec::new();
        self.fetch_heads(&command, ID_FIELDS, |head| heads.push(head))?;
        Ok(heads)
    }

    fn fetch_heads(
        &mut self,
        command: &str,
        most: usize,
        mut each: impl FnMut(Head),
    ) -> Result<(), ImapError> {
        self.run(&[Part::Words(command)], most, |response| {
            if let Some(Fetched {
                uid: Some(uid),
                arrived,
                body: Some(fields),
            }) = Fetched::of(response)
                // A header without these fields has its empty line.
                && !fields.is_empty()
            {
                let arrived = arrived.map(|time| time.timestamp());
                each(Head {
                    uid,
                    arrived,
                    fields,
                });
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Reads a message, at most one byte more than [`limits::MESSAGE`]. Returns none if
    /// the server gives nothing: the message is gone, or the server holds it back.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn message(&mut self, uid: u32) -> Result<Option<Vec<u8>>, ImapError> {
        // The size of a message need not be as the server says.
        let most = limits::MESSAGE + 1;
        let command = format!("UID FETCH {uid} (BODY.PEEK[]<0.{most}>)");
        let mut found = None;
        self.run(&[Part::Words(&command)], most, |response| {
            if let Some(fetched) = Fetched::of(response)
                && fetched.uid.is_none_or(|fetched| fetched == uid)
                && let Some(body) = fetched.body
                && !body.is_empty()
            {
                found = Some(body);
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Gives a message a flag or a keyword.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn mark(&mut self, uid: u32, flag: &str) -> Result<(), ImapError> {
        self.command(&format!("UID STORE {uid} +FLAGS.SILENT ({flag})"))
    }

    /// Returns true if the server can move one message without touching another.
    #[must_use]
    pub fn can_move(&self) -> bool {
        self.can("MOVE") || self.can("UIDPLUS")
    }

    /// Moves a message to a folder.
    ///
    /// # Errors
    ///
    /// If the command fails. The message may then be in both folders.
    pub fn move_to(&mut self, uid: u32, folder: &str) -> Result<(), ImapError> {
        let is_one_step = self.can("MOVE");
        let word = if is_one_step { "MOVE" } else { "COPY" };
        let command = format!("UID {word} {uid} ");
        let name = imap::folder(folder);
        let parts = [Part::Words(&command), Part::Text(&name)];
        self.run(&parts, limits::IMAP_NAME, |_| Ok(()))?;
        if !is_one_step {
            self.mark(uid, "\\Deleted")?;
            self.command(&format!("UID EXPUNGE {uid}"))?;
        }
        Ok(())
    }

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
    pub fn quota(&mut self, folder: &str) -> Result<Vec<StorageQuota>, ImapError> {
        if !self.can("QUOTA") {
            return Ok(Vec::new());
        }
        let name = imap::folder(folder);
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
        self.of_last("INTERNALDATE", |fetched| fetched.arrived)
    }
}

/// Returns the items of a FETCH by which a message is known again.
fn id_items() -> String {
    format!("(UID INTERNALDATE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]<0.{ID_FIELDS}>)")
}

/// The contents of a FETCH response.
#[derive(Default, Debug)]
struct Fetched {
    uid: Option<u32>,
    arrived: Option<DateTime<FixedOffset>>,
    body: Option<Vec<u8>>,
}

impl Fetched {
    /// Reads a FETCH response. Returns none for any other.
    fn of(response: Response) -> Option<Fetched> {
        let Response::Data(mut values) = response else {
            return None;
        };
        let is_fetch = values.get(1).is_some_and(|word| word.is("FETCH"));
        let Some(Value::List(items)) = values.pop().filter(|_| is_fetch) else {
            return None;
        };
        let mut fetched = Fetched::default();
        let mut items = items.into_iter();
        while let (Some(name), Some(value)) = (items.next(), items.next()) {
            // Some servers give the old name of a whole message.
            let is_body = name.is("RFC822")
                || matches!(&name, Value::Atom(name) if name.to_ascii_uppercase().starts_with(b"BODY["));
            match value {
                value if name.is("UID") => fetched.uid = value.number(),
                value if name.is("INTERNALDATE") => fetched.arrived = arrival(&value),
                Value::Text(text) if is_body => fetched.body = Some(text),
                _ => {}
            }
        }
        Some(fetched)
    }
}

/// The most folders that are looked at.
const FOLDERS: usize = 2000;

/// A folder of a mailbox.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MailFolder {
    /// The name.
    pub name: String,
    /// True if it is for unwanted mail.
    pub is_junk: bool,
}

/// A limit of a mailbox, and how much of it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StorageQuota {
    /// The limited resource: `STORAGE` in KiB, or `MESSAGE`.
    pub resource: ServerText,
    /// The amount that is used.
    pub used: u64,
    /// The most that may be used.
    pub limit: u64,
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
    let name = imap::folder_name(bytes(name)?);
    let delimiter = bytes(delimiter).and_then(|bytes| std::str::from_utf8(bytes).ok());
    let last = match delimiter {
        Some(delimiter) if !delimiter.is_empty() && delimiter != "NIL" => {
            name.rsplit(delimiter).next().unwrap_or(&name)
        }
        _ => &name,
    };
    let is_junk = match last.to_lowercase().as_str() {
        // So folders for unwanted mail are called where the server does not say which is one.
        "junk"
        | "spam"
        | "junk e-mail"
        | "junk email"
        | "junk mail"
        | "junk-e-mail"
        | "bulk"
        | "bulk mail"
        | "spamverdacht"
        | "spamordner"
        | "courrier indésirable"
        | "unerwünscht" => true,
        _ => has("\\Junk"),
    };
    Some(MailFolder { name, is_junk })
}

/// Reads `QUOTA "root" (STORAGE 10 512 MESSAGE 3 100)`.
fn quotas(values: &[Value]) -> Vec<StorageQuota> {
    let [word, _, Value::List(limits)] = values else {
        return Vec::new();
    };
    if !word.is("QUOTA") {
        return Vec::new();
    }
    let number = |value: &Value| std::str::from_utf8(bytes(value)?).ok()?.parse().ok();
    let quota = |three: &[Value]| {
        Some(StorageQuota {
            resource: ServerText::new(bytes(three.first()?)?.to_ascii_uppercase()),
            used: number(three.get(1)?)?,
            limit: number(three.get(2)?)?,
        })
    };
    let quotas = limits.chunks(3).filter_map(quota);
    // None is written as 0 by some servers.
    quotas.filter(|quota| quota.limit > 0).collect()
}

/// Reads when a message arrived, as the server writes it: `22-Nov-2026 09:16:00 +0000`.
fn arrival(value: &Value) -> Option<DateTime<FixedOffset>> {
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
    use super::{mailbox_id, *};

    #[test]
    fn the_id_of_a_mailbox_is_one_word_of_few_signs() {
        let is_read = |text: &str| mailbox_id(text).is_some();
        assert_eq!(mailbox_id("(F22-a_1)").as_deref(), Some("F22-a_1"));
        let long = format!("({})", "a".repeat(256));
        for wrong in [
            "",
            "F22",
            "()",
            "(a b)",
            "(a\nHandled: 1)",
            "(ä)",
            long.as_str(),
        ] {
            assert!(!is_read(wrong), "{wrong}");
        }
    }

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
        let values = vec![atom("3"), atom("FETCH"), Value::List(items)];
        let read = Fetched::of(Response::Data(values)).unwrap().arrived;
        assert_eq!(read.unwrap().to_rfc3339(), "2026-11-02T09:16:00+01:00");
    }
}
