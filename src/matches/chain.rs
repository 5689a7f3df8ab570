//! The chain of a match's log: each line has a hash of its own text and of the hash of the
//! line before.
//!
//! A match keeps the hashes of its lines, so that the same line is not hashed again each
//! time the match is written and read back.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::match_id::Id;
use crate::matches::event::Event;
use crate::matches::hex::hex;

/// The number of hexadecimal digits of a hash.
const DIGITS: usize = 16;

/// The hash of a line, in hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link([u8; DIGITS]);

impl Link {
    /// Returns the hash of a line: the first 16 hexadecimal digits of a SHA-256
    /// over the hash of the line before (for the first line, the match's id) and
    /// the line, each with a line end.
    pub(crate) fn of(previous: &str, event: &Event) -> Link {
        Link::of_line(previous, &event.line())
    }

    /// Returns the hash of the line of an event, written as [`Event::line`] does.
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
    pub(crate) fn first(id: &Id, event: &Event) -> Link {
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
