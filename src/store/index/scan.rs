//! The index reads a state file without replaying it.
//!
//! The headers tell the players, and the lines of the log the addresses that were added
//! and the mail that is owed. Where a file is damaged, more is taken rather than less: a
//! match that is found is verified in its own file.

use std::collections::BTreeSet;

use lettre::Address;

use crate::matches::decide::every_address;
use crate::matches::event::{ADDRESS, LogEntry};
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::store::index::row::{HIDDEN, OTHER, key_of};
use crate::store::place::is_like_match;
use crate::store::store::Open;

/// The index's entry of a match.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::store) struct Entry {
    /// The keys under which the match is found.
    pub(super) keys: BTreeSet<String>,
    pub(super) open: Open,
}

/// Whatever may be left to do, as where a file is damaged.
pub(super) const ALL: Open = Open {
    goes_on: true,
    owes: true,
    fails: true,
};

impl Entry {
    /// Returns what the index keeps of a match that was read.
    pub(in crate::store) fn of(game: &Match) -> Entry {
        let referee = game.settings().referee.as_ref();
        Entry {
            keys: every_address(game).chain(referee).map(key_of).collect(),
            open: Open::of(game),
        }
    }

    /// Returns true if the match goes on.
    pub(in crate::store) fn goes_on(&self) -> bool {
        self.open.goes_on
    }

    /// Returns the entry of a file that cannot be read.
    pub(super) fn hidden() -> Entry {
        Entry {
            keys: BTreeSet::from([HIDDEN.to_owned()]),
            open: ALL,
        }
    }

    /// Returns true if the file is no match.
    pub(super) fn is_other(&self) -> bool {
        self.keys.contains(OTHER)
    }

    /// Takes what can be taken from the text of a state file.
    pub(super) fn scan(bytes: &[u8]) -> Entry {
        let mut entry = Entry::default();
        let mut is_damaged = std::str::from_utf8(bytes).is_err() || !bytes.ends_with(b"\n");
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text.lines();
        let mut players = 0;
        let mut mails = Mails::default();
        let mut result = None;
        for line in lines.by_ref().take_while(|line| !line.trim().is_empty()) {
            let Some((key, value)) = line.split_once(':') else {
                is_damaged = true;
                continue;
            };
            let value = value.trim();
            match key {
                "White" | "Black" => match value.parse::<Player>() {
                    Ok(player) => {
                        players += 1;
                        entry.keys.extend(player.addresses().iter().map(key_of));
                    }
                    Err(_) => is_damaged = true,
                },
                "Referee" => match value.parse::<Address>() {
                    Ok(referee) => drop(entry.keys.insert(key_of(&referee))),
                    Err(_) => is_damaged = true,
                },
                "Format" => is_damaged |= value != "1",
                "Result" => result = Some(value),
                _ => {}
            }
        }
        let mut has_log = false;
        for line in lines {
            has_log |= matches!(line.trim_end(), "Log" | "Log:");
            if has_log {
                entry.take_event(line, &mut mails);
            }
        }
        if players < 2 && !is_like_match(bytes) {
            entry.keys = BTreeSet::from([OTHER.to_owned()]);
            return entry;
        }
        if players < 2 {
            entry.keys.insert(HIDDEN.to_owned());
        }
        entry.open = if is_damaged || !has_log || players < 2 || result.is_none() {
            ALL
        } else {
            Open {
                goes_on: result == Some("*"),
                owes: !mails.owed.is_empty(),
                fails: !mails.failed.is_empty() || mails.has_bounced,
            }
        };
        entry
    }

    /// Takes the event of a line, if it is of the kinds that tell anything.
    fn take_event<'l>(&mut self, line: &'l str, mails: &mut Mails<'l>) {
        let mut words = line.splitn(4, ' ').skip(1);
        let (Some(kind), Some(_)) = (words.next(), words.next()) else {
            return;
        };
        match kind {
            // The beginning repeats the players, whatever became of the headers.
            "new" => {
                let begin = crate::store::chain::split(line).0.parse::<LogEntry>();
                for key in begin.iter().flat_map(|begin| {
                    let players = ["white", "black"].map(|key| begin.get(key));
                    players.into_iter().flatten()
                }) {
                    if let Ok(player) = key.parse::<Player>() {
                        self.keys.extend(player.addresses().iter().map(key_of));
                    }
                }
            }
            "address" => {
                let event = crate::store::chain::split(line).0.parse::<LogEntry>();
                let address = event
                    .ok()
                    .and_then(|event| event.get(ADDRESS)?.parse().ok());
                self.keys.extend(address.as_ref().map(key_of));
            }
            "owed" | "sent" | "failed" | "requeued" | "dropped" | "bounced" => {
                if let Some(msg) = message(line) {
                    mails.take(kind, msg);
                } else {
                    mails.has_bounced = true;
                }
            }
            _ => {}
        }
    }
}

/// Returns the Message-ID of a line's own mail.
fn message(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(" msg=")?;
    rest.split(' ').next()
}

/// The state of the mails of a match. A mail that `undo` has taken back counts as owed.
#[derive(Default)]
struct Mails<'l> {
    owed: Vec<&'l str>,
    failed: Vec<&'l str>,
    has_bounced: bool,
}

impl<'l> Mails<'l> {
    fn take(&mut self, kind: &str, msg: &'l str) {
        let remove = |mails: &mut Vec<&str>| {
            let place = mails.iter().rposition(|mail| *mail == msg);
            place.map(|place| mails.remove(place)).is_some()
        };
        match kind {
            "owed" => self.owed.push(msg),
            "sent" => drop(remove(&mut self.owed)),
            "failed" => {
                remove(&mut self.owed);
                self.failed.push(msg);
            }
            "requeued" => {
                remove(&mut self.failed);
                self.owed.push(msg);
            }
            "dropped" => {
                if !remove(&mut self.owed) {
                    remove(&mut self.failed);
                }
            }
            _ => {
                self.owed.push(msg);
                self.has_bounced = true;
            }
        }
    }
}
