//! The chain of a log: each line ends in a hash over its own text and the hash
//! of the line before, and the last hash stands in the headers again.
//!
//! ```text
//! Chain: 90b4c7c2f5a1d3e8
//! …
//! 2026-11-20T03:05:00Z move White P>e3 chain=5b7d09c1a2e4f680
//! 2026-11-20T09:40:00Z move Black n>g5 chain=90b4c7c2f5a1d3e8
//! ```
//!
//! A line that was changed, lost, added or moved breaks it, and so does a file
//! that was cut between two lines. It keeps nobody from writing another log
//! with a chain of its own; against that stand the hashes of the moves in the
//! mails that both sides keep.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::match_id::Id;
use crate::matches::event::Event;
use crate::matches::hex::hex;

/// What the hash of a line is written after.
const MARK: &str = " chain=";

/// The chain of a log as far as it has been followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Chain {
    /// The hash of the last line; before the first, the match's id.
    end: String,
}

impl Chain {
    /// The chain of a log that has no lines yet.
    pub(super) fn new(id: &Id) -> Chain {
        Chain {
            end: id.to_string(),
        }
    }

    /// The chain of that log.
    pub(super) fn of<'e>(id: &Id, log: impl IntoIterator<Item = &'e Event>) -> Chain {
        let mut chain = Chain::new(id);
        for event in log {
            chain.add(event);
        }
        chain
    }

    /// Adds a line: the first 16 hexadecimal digits of a SHA-256 over what
    /// stood at the end and the line, each with a line end.
    pub(super) fn add(&mut self, event: &Event) {
        self.end = next(&self.end, event);
    }

    /// Adds a line, and writes it with its hash.
    pub(super) fn write(&mut self, event: &Event) -> String {
        self.add(event);
        format!("{}{MARK}{}", event.line(), self.end)
    }
}

impl fmt::Display for Chain {
    /// The hash of the last line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.end)
    }
}

/// The hash of a line behind one of that hash.
pub(super) fn next(end: &str, event: &Event) -> String {
    let text = format!("{end}\n{}\n", event.line());
    hex(&Sha256::digest(text)[..8])
}

/// The text of a line, and the hash it ends in if there is one.
pub(super) fn split(line: &str) -> (&str, Option<&str>) {
    let is_hash = |text: &str| {
        text.len() == 16
            && text
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    match line.rsplit_once(MARK) {
        Some((text, hash)) if is_hash(hash) => (text, Some(hash)),
        _ => (line, None),
    }
}
