//! What the lists of a text come to, and where they part from a record.

use crate::notation::moves::{Manner, MoveEntry, Moves};
use crate::notation::reader::ParsedText;
use crate::rules::Record;
use crate::rules::notation::Voice;

/// The lists of a text, all of them of one match, held against a record.
#[derive(Clone, Debug)]
pub struct FollowedList {
    /// How many half-moves the longest of them reaches; none where there is no
    /// list.
    pub reach: Option<usize>,
    /// The record, and what the lists go on with.
    pub record: Record,
    /// The first half-move that they have otherwise, or that cannot be played.
    pub parting: Option<Divergence>,
}

/// A half-move that a list has otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The half-move, from 0.
    pub ply: usize,
    /// What the list has there, as it stands.
    pub there: String,
    /// The line it stands in, from 1.
    pub line: usize,
    /// Why it cannot be played, where the record has nothing to hold it
    /// against.
    pub why: Option<String>,
}

/// Follows the lists of a text along a record, and beyond its end. Which lines
/// are of a list, `is_list` says.
#[must_use]
pub fn follow(
    record: &Record,
    text: &ParsedText<'_>,
    is_list: impl Fn(Manner) -> bool,
) -> FollowedList {
    let base = record.steps().len();
    let mut told = FollowedList {
        reach: None,
        record: record.clone(),
        parting: None,
    };
    let mut next = 0;
    let mut last: Option<&Moves> = None;
    let rows = text.moves().filter(|row| {
        let is_row = is_list(row.manner) || last.is_some_and(|last| is_rest(row, last));
        if is_row {
            last = Some(row);
        }
        is_row
    });
    for entry in rows.flat_map(|row| &row.entries) {
        if entry.is_aside {
            continue;
        }
        let ply = entry.ply(next);
        next = ply + 1;
        match told.take(entry, ply) {
            Ok(()) => {}
            // Behind the record lists may differ; what it has itself decides.
            Err(parting) if ply < base => {
                told.parting = Some(parting);
                return told;
            }
            Err(parting) => {
                told.parting.get_or_insert(parting);
            }
        }
        told.reach = told.reach.max(Some(next));
    }
    told
}

/// Whether a row is the second player's half of the one above it, which a
/// placement or a mail program has broken.
fn is_rest(row: &Moves, above: &Moves) -> bool {
    let [first] = above.entries.as_slice() else {
        return false;
    };
    let [rest] = row.entries.as_slice() else {
        return false;
    };
    row.manner == Manner::Bare
        && row.lines.start == above.lines.end
        && rest.author == first.author
        && first.number.is_some_and(|number| !number.is_second)
}

impl FollowedList {
    fn take(&mut self, entry: &MoveEntry, ply: usize) -> Result<(), Divergence> {
        let parting = |why: Option<String>| Divergence {
            ply,
            there: entry.text.clone(),
            line: entry.place.line,
            why,
        };
        let played = self.record.steps().len();
        if ply < played {
            if entry.is_step(&self.record, ply) {
                return Ok(());
            }
            return Err(parting(None));
        }
        if ply > played || self.parting.is_some() {
            return Err(parting(Some("what comes before it is not told".to_owned())));
        }
        let read = match &entry.parsed {
            Ok(text) => self.record.position().interpret(text, Voice::List),
            Err(error) => return Err(parting(Some(error.to_string()))),
        };
        let ply = read.map_err(|error| parting(Some(error.to_string())))?.ply;
        let played = self.record.play(&ply).map(|_| ());
        played.map_err(|error| parting(Some(error.to_string())))
    }
}

/// Whether a line is of a list proper, with numbers: in a mail a bare move is
/// its sender's next one.
#[must_use]
pub fn is_numbered(manner: Manner) -> bool {
    manner == Manner::List
}
