//! The rows of the index: a key, a match, and a sum that shows damage.
//!
//! ```text
//! 3f9a0c21d4e5b678 k7f3qd 9c1e
//! go k7f3qd 0b2d
//! ```

use std::fmt;

use lettre::Address;
use sha2::{Digest, Sha256};

use crate::match_id::Id;
use crate::matches::hex::hex;
use crate::matches::player::mailbox;
use crate::store::store::Open;

/// The key of the matches whose players cannot be read.
pub(super) const HIDDEN: &str = "hidden";

/// The key of the texts that are no matches.
pub(super) const OTHER: &str = "other";

/// A row: a match under a key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::store) struct Row {
    pub(super) key: String,
    pub(super) id: Id,
}

impl Row {
    pub(super) fn new(key: impl Into<String>, id: &Id) -> Row {
        Row {
            key: key.into(),
            id: id.clone(),
        }
    }

    /// Reads a row. Returns none if it is damaged.
    pub(super) fn read(line: &str) -> Option<Row> {
        let (text, found) = line.rsplit_once(' ')?;
        let (key, id) = text.split_once(' ')?;
        let row = Row {
            key: key.to_owned(),
            id: id.parse().ok()?,
        };
        (sum(text) == found).then_some(row)
    }
}

impl fmt::Display for Row {
    /// Writes the row with its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{} {}", self.key, self.id);
        writeln!(f, "{text} {}", sum(&text))
    }
}

/// Returns the sum of a text (FNV-1a), in four hexadecimal digits.
fn sum(text: &str) -> String {
    let hash = text.bytes().fold(0x811C_9DC5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    format!("{:04x}", (hash >> 16) ^ (hash & 0xFFFF))
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
