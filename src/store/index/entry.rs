//! The entry of a match in the index: it is read from a state file without replaying that, and
//! written as rows.
//!
//! The headers tell the players, and the lines of the log the addresses that were added
//! and the mail that is owed. Where a file is damaged, more is taken rather than less: a
//! match that is found is verified in its own file.
//!
//! A row is a key, a match, and a sum that shows damage:
//!
//! ```text
//! 3f9a0c21d4e5b678 k7f3qd 9c1e
//! go k7f3qd 0b2d
//! ```

use std::collections::{BTreeSet, HashMap};

use lettre::Address;
use sha2::{Digest, Sha256};

use crate::match_id::Id;
use crate::matches::article::NewsStep;
use crate::matches::decide::every_address;
use crate::matches::event::{ADDRESS, LogEntry};
use crate::matches::hash::{hex, split_chain};
use crate::matches::mail::MailStep;
use crate::matches::r#match::Match;
use crate::matches::player::{Player, mailbox};
use crate::store::place::is_like_match;
use crate::store::store::Open;

/// The index's entry of a match.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::store) struct Entry {
    /// The keys under which the match is found.
    pub(super) keys: BTreeSet<String>,
    pub(in crate::store) open: Open,
}

/// Whatever may be left to do, as where a file is damaged.
pub(super) const ALL: Open = Open {
    goes_on: true,
    owes: true,
    fails: true,
};

/// Returns true for the line of an event that may end a match.
fn is_end(line: &str) -> bool {
    let kind = line.split(' ').nth(1);
    kind.is_some_and(|kind| ["resign", "accept", "claim", "invitation"].contains(&kind))
}

impl Entry {
    /// Returns what the index keeps of a match that was read.
    pub(in crate::store) fn of(game: &Match) -> Entry {
        let referee = game.settings().referee.as_ref();
        Entry {
            keys: every_address(game).chain(referee).map(key_of).collect(),
            open: Open::of(game),
        }
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
                "White" | "Black" if entry.add_player(value) => players += 1,
                "White" | "Black" => is_damaged = true,
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
        let mut has_end = false;
        for line in lines {
            has_log |= matches!(line.trim_end(), "Log" | "Log:");
            if has_log {
                has_end |= is_end(line);
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
                // A result that no event tells of is a rule's, or a person has written it: the
                // match is read.
                owes: !mails.owed.is_empty() || result != Some("*") && !has_end,
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
        let event = || split_chain(line).0.parse::<LogEntry>().ok();
        match kind {
            // The beginning repeats the players, whatever became of the headers.
            "new" => {
                let begin = event();
                for key in ["white", "black"] {
                    if let Some(player) = begin.as_ref().and_then(|begin| begin.get(key)) {
                        self.add_player(player);
                    }
                }
            }
            "news" => {
                // A step that this version does not know changes nothing.
                let step = event().map(|event| event.news_step());
                mails.has_bounced |= step == Some(Some(NewsStep::Reported));
                let step = step.map(|step| step.and_then(mail_step));
                match (step, article(line)) {
                    (Some(Some(step)), Some(id)) => mails.take(step, id),
                    (Some(None), _) => {}
                    (Some(Some(_)) | None, _) => mails.has_bounced = true,
                }
            }
            "address" => {
                let address = event().and_then(|event| event.get(ADDRESS)?.parse().ok());
                self.keys.extend(address.as_ref().map(key_of));
            }
            _ => {
                if let Some(step) = MailStep::from_word(kind) {
                    match message(line) {
                        Some(msg) => mails.take(step, msg),
                        None => mails.has_bounced = true,
                    }
                }
            }
        }
    }

    /// Adds the mailboxes of a player. Returns false if the text is none.
    fn add_player(&mut self, text: &str) -> bool {
        let player = Player::read_state(text);
        let addresses = player.iter().flat_map(Player::addresses);
        self.keys.extend(addresses.map(key_of));
        player.is_ok()
    }
}

/// Returns the Message-ID of a line's own mail.
fn message(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(" msg=")?;
    rest.split(' ').next()
}

/// Returns the Message-ID of a line's own article.
fn article(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(" article=")?;
    rest.split(' ').next()
}

/// Returns the step of a mail that comes to the same for what is left to do, if it is one of an
/// article.
fn mail_step(step: NewsStep) -> Option<MailStep> {
    match step {
        NewsStep::Owed => Some(MailStep::Owed),
        NewsStep::Posted => Some(MailStep::Sent),
        NewsStep::Failed => Some(MailStep::Failed),
        NewsStep::Requeued => Some(MailStep::Requeued),
        NewsStep::Dropped => Some(MailStep::Dropped),
        NewsStep::Reported | NewsStep::Stopped | NewsStep::Told | NewsStep::Withdrawn => None,
    }
}

/// The state of the mails and articles of a match. A mail that `undo` has taken back counts as owed.
#[derive(Default)]
struct Mails<'l> {
    /// How often each mail is owed, by its Message-ID.
    owed: HashMap<&'l str, usize>,
    failed: HashMap<&'l str, usize>,
    has_bounced: bool,
}

impl<'l> Mails<'l> {
    fn take(&mut self, step: MailStep, msg: &'l str) {
        let add = |mails: &mut HashMap<&'l str, usize>| *mails.entry(msg).or_default() += 1;
        let remove = |mails: &mut HashMap<&'l str, usize>| {
            let Some(count) = mails.get_mut(msg) else {
                return false;
            };
            *count -= 1;
            if *count == 0 {
                mails.remove(msg);
            }
            true
        };
        match step {
            MailStep::Owed => add(&mut self.owed),
            MailStep::Sent => drop(remove(&mut self.owed)),
            MailStep::Failed => {
                remove(&mut self.owed);
                add(&mut self.failed);
            }
            MailStep::Requeued => {
                remove(&mut self.failed);
                add(&mut self.owed);
            }
            MailStep::Dropped => {
                if !remove(&mut self.owed) {
                    remove(&mut self.failed);
                }
            }
            MailStep::Bounced => {
                add(&mut self.owed);
                self.has_bounced = true;
            }
        }
    }
}

/// The key of the matches whose players cannot be read.
pub(in crate::store) const HIDDEN: &str = "hidden";

/// The key of the texts that are no matches.
pub(in crate::store) const OTHER: &str = "other";

/// Returns what a row says: a key, a blank and the id of a match.
pub(super) fn row(key: &str, id: &Id) -> String {
    format!("{key} {id}")
}

/// Returns the line of a row, with its end.
pub(super) fn line(row: &str) -> String {
    format!("{row} {:04x}\n", sum(row))
}

/// Returns what a line says. Returns none if it is damaged.
pub(super) fn read_row(line: &str) -> Option<&str> {
    let (row, found) = line.rsplit_once(' ')?;
    let is_whole = found.len() == 4 && u32::from_str_radix(found, 16) == Ok(sum(row));
    is_whole.then_some(row)
}

/// Returns the sum of a text (FNV-1a), of 16 bits.
pub(super) fn sum(text: &str) -> u32 {
    let hash = text.bytes().fold(0x811C_9DC5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    (hash >> 16) ^ (hash & 0xFFFF)
}

/// Returns the key of a mailbox: the same for all its sub-addresses.
pub(in crate::store) fn key_of(address: &Address) -> String {
    let (name, domain) = mailbox(address);
    hex(&Sha256::digest(format!("{name}@{domain}"))[..8])
}

/// Writes what is left to do in a match as the key of a row.
pub(super) fn key_of_open(open: Open) -> String {
    let Open {
        goes_on,
        owes,
        fails,
    } = open;
    let letters = [(goes_on, 'g'), (owes, 'o'), (fails, 'f')];
    let letters = letters.into_iter().filter(|(is_so, _)| *is_so);
    let key: String = letters.map(|(_, letter)| letter).collect();
    if key.is_empty() { "-".to_owned() } else { key }
}

/// Reads what is left to do in a match from the key of a row.
pub(super) fn read_open(key: &str) -> Open {
    Open {
        goes_on: key.contains('g'),
        owes: key.contains('o'),
        fails: key.contains('f'),
    }
}

/// Returns what is left to do by either of two accounts.
pub(super) fn either(one: Open, other: Open) -> Open {
    Open {
        goes_on: one.goes_on || other.goes_on,
        owes: one.owes || other.owes,
        fails: one.fails || other.fails,
    }
}

/// Returns the sum of many lines, which tells them from others without each being looked at.
pub(super) fn sum_of_lines(lines: &[u8]) -> u32 {
    crc32fast::hash(lines)
}

/// Returns the lines of a file that are whole: the last may be torn.
pub(super) fn whole_lines(bytes: &[u8]) -> &[u8] {
    let last = bytes.iter().rposition(|byte| *byte == b'\n');
    &bytes[..last.map_or(0, |last| last + 1)]
}
