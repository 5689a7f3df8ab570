//! The hashes of a match: of its moves, by which two records are compared, and of the lines of
//! its log, each of which has a hash of its own text and of the hash of the line before.
//!
//! A match keeps the hashes of its lines, so that the same line is not hashed again each
//! time the match is written and read back.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::match_id::Id;
use crate::matches::event::LogEntry;
use crate::rules::Variant;

/// Computes the hash of moves in canonical form, for the match with this id.
pub(crate) fn hash_of_moves<'m>(
    id: &Id,
    variant: &Variant,
    moves: impl IntoIterator<Item = &'m str>,
) -> String {
    let mut hash = Sha256::new();
    let mut line = |text: &str| {
        hash.update(text.as_bytes());
        hash.update(b"\n");
    };
    line(id.as_str());
    line(variant.game().id);
    line(&variant.options().join(","));
    for text in moves {
        line(text);
    }
    hex(&hash.finalize()[..8])
}

/// The number of hexadecimal digits of a hash.
const DIGITS: usize = 16;

/// The hash of a line, in hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link([u8; DIGITS]);

impl Link {
    /// Returns the hash of a line: the first 16 hexadecimal digits of a SHA-256
    /// over the hash of the line before (for the first line, the match's id) and
    /// the line, each with a line end.
    pub(crate) fn of(previous: &str, event: &LogEntry) -> Link {
        Link::of_line(previous, &event.line())
    }

    /// Returns the hash of the line of an event, written as [`LogEntry::line`] does.
    pub(crate) fn of_line(previous: &str, text: &str) -> Link {
        let mut hash = Sha256::new();
        for part in [previous, "\n", text, "\n"] {
            hash.update(part);
        }
        let digits = hex(&hash.finalize()[..DIGITS / 2]);
        let mut link = Link([b'0'; DIGITS]);
        link.0.copy_from_slice(digits.as_bytes());
        link
    }

    /// Returns the hash of the first line of a match's log.
    pub(crate) fn first(id: &Id, event: &LogEntry) -> Link {
        Link::of(id.as_str(), event)
    }

    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_else(|_| unreachable!("digits are ASCII"))
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The hexadecimal digits.
const HEX: &[u8; 16] = b"0123456789abcdef";

/// Writes each byte as two lower-case digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let mut text = String::with_capacity(2 * bytes.len());
    text.extend(digits.map(|digit| char::from(HEX[usize::from(digit)])));
    text
}
