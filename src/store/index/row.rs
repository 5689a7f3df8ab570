//! The rows of the index: a key, a match, and a sum that shows damage.
//!
//! ```text
//! 3f9a0c21d4e5b678 k7f3qd 9c1e
//! go k7f3qd 0b2d
//! ```

use lettre::Address;
use sha2::{Digest, Sha256};

use crate::match_id::Id;
use crate::matches::hash::hex;
use crate::matches::player::mailbox;
use crate::store::store::Open;

/// The key of the matches whose players cannot be read.
pub(super) const HIDDEN: &str = "hidden";

/// The key of the texts that are no matches.
pub(super) const OTHER: &str = "other";

/// Returns what a row says: a key, a blank and the id of a match.
pub(super) fn row(key: &str, id: &Id) -> String {
    format!("{key} {id}")
}

/// Returns the line of a row, with its end.
pub(super) fn line(row: &str) -> String {
    format!("{row} {:04x}\n", sum(row))
}

/// Returns what a line says. Returns none if it is damaged.
pub(super) fn read(line: &str) -> Option<&str> {
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
