//! The hashes of a match: of its moves, by which two records are compared, and of the lines of
//! its log, which they chain. Each line ends in a hash of its own text and the hash of the line
//! before. The headers repeat the last hash.
//!
//! ```text
//! Chain: 90b4c7c2f5a1d3e8
//! …
//! 2026-11-20T03:05:00Z move White P>e3 chain=5b7d09c1a2e4f680
//! 2026-11-20T09:40:00Z move Black n>g5 chain=90b4c7c2f5a1d3e8
//! ```
//!
//! The chain breaks if a line is changed, lost, added or moved, or if the file
//! is cut between two lines. It does not stop anybody from writing another log
//! with its own chain; the hashes of the moves, in the mails that both players
//! keep, guard against that.
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
    let mut hash = begun(id, variant);
    for text in moves {
        add_line(&mut hash, text);
    }
    ended(hash)
}

/// Computes the hash of each beginning of moves, from no move to all, as [`hash_of_moves`] does. A
/// message can name each hash many times.
pub(crate) fn hashes_of_moves<'m>(
    id: &Id,
    variant: &Variant,
    moves: impl IntoIterator<Item = &'m str>,
) -> Vec<String> {
    let mut hash = begun(id, variant);
    let mut hashes = vec![ended(hash.clone())];
    for text in moves {
        add_line(&mut hash, text);
        hashes.push(ended(hash.clone()));
    }
    hashes
}

fn begun(id: &Id, variant: &Variant) -> Sha256 {
    let mut hash = Sha256::new();
    add_line(&mut hash, id.as_str());
    add_line(&mut hash, variant.game().id);
    add_line(&mut hash, &variant.options().join(","));
    hash
}

fn add_line(hash: &mut Sha256, text: &str) {
    hash.update(text.as_bytes());
    hash.update(b"\n");
}

fn ended(hash: Sha256) -> String {
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

/// The text before the hash of a line.
const MARK: &str = " chain=";

/// Returns the line of an event with its hash.
pub(crate) fn chained_line(event: &LogEntry, link: Link) -> String {
    [&event.line(), MARK, link.as_str()].concat()
}

/// Returns true if the lines of a match's log are as they were written, up to the last hash.
pub(crate) fn chain_holds<'l>(
    id: &Id,
    mut lines: impl Iterator<Item = &'l str>,
    last: &str,
) -> bool {
    let mut end: Option<Link> = None;
    lines.all(|line| {
        let (text, hash) = split_chain(line);
        let previous = end.as_ref().map_or(id.as_str(), Link::as_str);
        let link = Link::of_line(previous, text);
        end = Some(link);
        hash == Some(link.as_str())
    }) && end.is_some_and(|end| end.as_str() == last)
}

/// Splits a line into its text and the hash at its end, if there is one.
pub(crate) fn split_chain(line: &str) -> (&str, Option<&str>) {
    let is_hash = |text: &str| text.len() == DIGITS && text.bytes().all(|byte| HEX.contains(&byte));
    match line.rsplit_once(MARK) {
        Some((text, hash)) if is_hash(hash) => (text, Some(hash)),
        _ => (line, None),
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
