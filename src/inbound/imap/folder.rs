//! The folder of a mailbox: what is in it, and what happens to its messages.

use std::collections::BTreeSet;

use chrono::NaiveDate;

use crate::inbound::imap::connection::{Connection, Part};
use crate::inbound::imap::error::ImapError;
use crate::inbound::imap::response::{Response, Value};
use crate::inbound::imap::text;
use crate::inbound::imap::wire::Stream;
use crate::limits;

/// The keyword of messages that are dealt with.
pub const KEYWORD: &str = "$Parapost";

/// The header fields that tell whether a message is ours.
const FIELDS: &str = "FROM SUBJECT IN-REPLY-TO REFERENCES CHAT-EDIT";

/// A folder as the server describes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selected {
    /// Changes when the numbers of messages are given anew; none if the server does not
    /// keep them.
    pub uid_validity: Option<u32>,
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
        !self.is_read_only
            && self
                .flags
                .as_ref()
                .is_none_or(|flags| flags.iter().any(is_it))
    }

    fn learn(&mut self, code: &str) {
        let (word, rest) = code.split_once(' ').unwrap_or((code, ""));
        match word.to_ascii_uppercase().as_str() {
            "UIDVALIDITY" => self.uid_validity = rest.parse().ok(),
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

/// What the header of a message is, as far as it was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    pub uid: u32,
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
        let name = text::folder(folder);
        let parts = [Part::Words(word), Part::Text(&name)];
        let done = self.run(&parts, 0, |response| {
            if let Response::Status {
                code: Some(code), ..
            } = response
            {
                selected.learn(&code);
            }
            Ok(())
        })?;
        if let Some(code) = done.code {
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
        self.run(&[Part::Words("NOOP")], 0, |_| Ok(()))?;
        Ok(())
    }

    /// Says goodbye. The server need not answer.
    pub fn leave(&mut self) {
        let _ = self.run(&[Part::Words("LOGOUT")], 0, |_| Ok(()));
    }

    /// Returns true if there is a folder of that name.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn has_folder(&mut self, name: &str) -> Result<bool, ImapError> {
        let name = text::folder(name);
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
        self.search(&[Part::Words(&format!("SINCE {}", text::day(day)))])
    }

    /// Returns those of some messages in whose text one of these words stands.
    ///
    /// # Errors
    ///
    /// As [`Connection::above`].
    pub fn containing(&mut self, uids: &[u32], words: &[&str]) -> Result<Vec<u32>, ImapError> {
        let set = format!("UID {}", text::set(uids));
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
        if self.exists == 0 {
            return Ok(0);
        }
        let mut last = 0;
        self.run(&[Part::Words("FETCH * (UID)")], 0, |response| {
            if let Some(fetched) = Fetched::of(response) {
                last = last.max(fetched.uid.unwrap_or(0));
            }
            Ok(())
        })?;
        Ok(last)
    }

    /// Reads the heads of messages. One that is gone is left out.
    ///
    /// # Errors
    ///
    /// If the command fails or `each` does.
    pub fn heads(&mut self, uids: &[u32], mut each: impl FnMut(Head)) -> Result<(), ImapError> {
        let set = text::set(uids);
        let most = limits::HEADER;
        let command = format!("UID FETCH {set} (BODY.PEEK[HEADER.FIELDS ({FIELDS})]<0.{most}>)");
        self.run(&[Part::Words(&command)], most, |response| {
            if let Some(Fetched {
                uid: Some(uid),
                body: Some(fields),
            }) = Fetched::of(response)
                && uids.binary_search(&uid).is_ok()
            {
                each(Head { uid, fields });
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Reads a message, at most one byte more than [`limits::MESSAGE`]. Returns none if
    /// it is gone.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn message(&mut self, uid: u32) -> Result<Option<Vec<u8>>, ImapError> {
        // What a server says of the size of a message need not be true.
        let most = limits::MESSAGE + 1;
        let command = format!("UID FETCH {uid} (BODY.PEEK[]<0.{most}>)");
        let mut found = None;
        self.run(&[Part::Words(&command)], most, |response| {
            if let Some(fetched) = Fetched::of(response)
                && fetched.uid == Some(uid)
                && fetched.body.is_some()
            {
                found = fetched.body;
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Gives a message a keyword.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn mark(&mut self, uid: u32, keyword: &str) -> Result<(), ImapError> {
        self.store(uid, keyword)
    }

    fn store(&mut self, uid: u32, flag: &str) -> Result<(), ImapError> {
        let command = format!("UID STORE {uid} +FLAGS.SILENT ({flag})");
        self.run(&[Part::Words(&command)], 0, |_| Ok(()))?;
        Ok(())
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
        let name = text::folder(folder);
        let parts = [Part::Words(&command), Part::Text(&name)];
        self.run(&parts, limits::IMAP_NAME, |_| Ok(()))?;
        if !is_one_step {
            self.store(uid, "\\Deleted")?;
            let command = format!("UID EXPUNGE {uid}");
            self.run(&[Part::Words(&command)], 0, |_| Ok(()))?;
        }
        Ok(())
    }
}

/// What a FETCH response tells of a message.
#[derive(Debug)]
struct Fetched {
    uid: Option<u32>,
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
        let mut fetched = Fetched {
            uid: None,
            body: None,
        };
        let mut items = items.into_iter();
        while let (Some(name), Some(value)) = (items.next(), items.next()) {
            let is_body = matches!(&name, Value::Atom(name) if starts_with_body(name));
            match value {
                value if name.is("UID") => fetched.uid = value.number(),
                Value::Text(text) if is_body => fetched.body = Some(text),
                _ => {}
            }
        }
        Some(fetched)
    }
}

fn starts_with_body(name: &[u8]) -> bool {
    let start = name.get(..5);
    start.is_some_and(|start| start.eq_ignore_ascii_case(b"BODY["))
}
