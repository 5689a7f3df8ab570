//! The chain of a log: each line ends in a hash of its own text and the hash of
//! the line before. The headers repeat the last hash.
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

use crate::match_id::Id;
use crate::matches::event::LogEntry;
use crate::matches::hash::Link;

/// The text before the hash of a line.
const MARK: &str = " chain=";

/// Returns the hash of a line behind a line with the hash `previous` (for the first line,
/// the match's id).
pub(super) fn hash(previous: &str, event: &LogEntry) -> String {
    Link::of(previous, event).as_str().to_owned()
}

/// Returns the line of an event with its hash.
pub(super) fn line(event: &LogEntry, link: Link) -> String {
    [&event.line(), MARK, link.as_str()].concat()
}

/// Returns true if the lines of a match's log are as they were written, up to the last hash.
pub(super) fn holds<'l>(id: &Id, mut lines: impl Iterator<Item = &'l str>, last: &str) -> bool {
    let mut end: Option<Link> = None;
    lines.all(|line| {
        let (text, hash) = split(line);
        let previous = end.as_ref().map_or(id.as_str(), Link::as_str);
        let link = Link::of_line(previous, text);
        end = Some(link);
        hash == Some(link.as_str())
    }) && end.is_some_and(|end| end.as_str() == last)
}

/// Splits a line into its text and the hash at its end, if there is one.
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
