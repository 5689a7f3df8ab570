//! The lists of a text against a record: how far they go, and where they
//! differ.

use std::fmt;

use crate::notation::follow::{Follower, Relation, UnplayableMove, may_be_rest};
use crate::notation::moves::{Manner, MoveEntry, Moves};
use crate::notation::reader::ParsedText;
use crate::rules::Record;

/// The lists of a text, all of them of one match, against its record.
#[derive(Clone, Debug)]
pub struct FollowedList {
    /// How many half-moves the longest of them reaches; none where there is no
    /// list.
    pub reach: Option<usize>,
    /// The record, and what the lists go on with.
    pub record: Record,
    /// The first half-move that they have otherwise, or that cannot be played.
    pub divergence: Option<Divergence>,
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
    /// How it differs.
    pub kind: DivergenceKind,
}

/// How a list differs from a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DivergenceKind {
    /// There is another move on that half-move.
    Other,
    /// Moves before it are missing.
    Gap,
    /// It goes on with a move that cannot be played.
    Unplayable(UnplayableMove),
}

impl fmt::Display for DivergenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DivergenceKind::Other => f.write_str("there is another move"),
            DivergenceKind::Gap => f.write_str("what comes before it is not told"),
            DivergenceKind::Unplayable(error) => error.fmt(f),
        }
    }
}

/// Follows the lists of a text along a record, and beyond its end. `is_list`
/// tells which lines are of a list.
#[must_use]
pub fn follow(
    record: &Record,
    text: &ParsedText<'_>,
    is_list: impl Fn(Manner) -> bool,
) -> FollowedList {
    let mut follower = Follower::new(record);
    let (mut reach, mut divergence) = (None, None);
    let mut above: Option<&Moves> = None;
    let rows = text.moves().filter(|row| {
        let is_row = is_list(row.manner) || above.is_some_and(|above| is_rest(row, above));
        if is_row {
            above = Some(row);
        }
        is_row
    });
    for entry in rows.flat_map(Moves::of_list) {
        let (ply, relation) = follower.follow(entry);
        if let Some(kind) = differs(&mut follower, entry, relation, divergence.is_none()) {
            let found = Divergence {
                ply,
                there: entry.text.clone(),
                line: entry.place.line,
                kind,
            };
            // Behind the record lists may differ; what it has itself decides.
            if ply < record.steps().len() {
                divergence = Some(found);
                break;
            }
            divergence.get_or_insert(found);
        }
        reach = reach.max(Some(ply + 1));
    }
    FollowedList {
        reach,
        record: follower.into_record(),
        divergence,
    }
}

/// How an entry differs. Behind the first difference nothing is played.
fn differs(
    follower: &mut Follower<'_>,
    entry: &MoveEntry,
    relation: Relation,
    plays: bool,
) -> Option<DivergenceKind> {
    match relation {
        Relation::Agrees => None,
        Relation::Differs => Some(DivergenceKind::Other),
        Relation::Continues if plays => {
            let error = follower.push(entry)?.err()?;
            Some(DivergenceKind::Unplayable(error))
        }
        Relation::Continues | Relation::Skips => Some(DivergenceKind::Gap),
    }
}

/// Whether a row is the second player's half of the one above it.
fn is_rest(row: &Moves, above: &Moves) -> bool {
    let [first] = above.entries.as_slice() else {
        return false;
    };
    may_be_rest(row, above)
        && row.entries.len() == 1
        && row.lines.start == above.lines.end
        && first.number.is_some_and(|number| !number.is_second)
}

/// Whether a line is of a list proper, with numbers: in a mail a bare move is
/// its sender's next one.
#[must_use]
pub fn is_numbered(manner: Manner) -> bool {
    manner == Manner::List
}
