//! The text of a match in the tables.
//!
//! A server writes each value of a row anew that a statement sets, and puts the whole of it into
//! its own log. So a text is in pieces, of which a new line of the log changes two:
//!
//! ```text
//! match.above        what stands above the log, which each line changes
//! match.body         the log as it was when the text was last written as a whole
//! match_part.body    what came later, in the order of the numbers
//! match.tail         the last lines
//! ```
//!
//! A row of an earlier version has all of it in `body`, and so has one that a person has put
//! there.

use crate::store::state_file::LOG;

/// The length in bytes from which on a tail becomes a part. A change writes the tail, so that a
/// long one makes each change dearer; short parts are more rows to be read.
pub(super) const TAIL: usize = 1024;

/// The text of a row of `match`.
pub(super) const TEXT: &str = "match.above || match.body || coalesce((
    select string_agg(match_part.body, '' order by match_part.number) from match_part
    where match_part.id = match.id), '') || match.tail";

/// The length in bytes of the text of a row of `match`, for which no text has to be put together
/// or decompressed.
pub(super) const LENGTH: &str = "cast(
    octet_length(match.above) + octet_length(match.body) + octet_length(match.tail) + coalesce((
    select sum(octet_length(match_part.body)) from match_part
    where match_part.id = match.id), 0) as bigint)";

/// Splits a text into what stands above its log and the log. A text without one has nothing
/// above it.
pub(super) fn split(text: &str) -> (&str, &str) {
    let heading = format!("\n{LOG}\n");
    let log = text.find(&heading).map_or(0, |at| at + heading.len());
    text.split_at(log)
}
