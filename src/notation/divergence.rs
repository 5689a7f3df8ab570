//! Compares the lists of a text with a record: how far they go, and where they differ.

use std::fmt;

use crate::notation::follow::{Follower, Relation, UnplayableMove, may_be_rest};
use crate::notation::moves::{Manner, MoveEntry, Moves};
use crate::notation::reader::ParsedText;
use crate::rules::Record;

/// The result of following all lists of a text, which belong to one match, along its
/// record.
#[derive(Clone, Debug)]
pub struct FollowedList {
    /// The number of half-moves that the longest list reaches; none if there is no
    /// list.
    pub reach: Option<usize>,
    /// The record, extended by the lists.
    pub record: Record,
    /// The first half-move that differs or cannot be played.
    pub divergence: Option<Divergence>,
}

/// A half-move at which a list differs from the record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The half-move, from 0.
    pub ply: usize,
    /// The move in the list, as written.
    pub there: String,
    /// The number of its line, from 1.
    pub line: usize,
    /// The kind of difference.
    pub kind: DivergenceKind,
}

/// The ways in which a list can differ from a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DivergenceKind {
    /// The list has another move at this half-move.
    Other,
    /// The moves before it are missing.
    Gap,
    /// The list continues with a move that cannot be played.
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

/// Follows the lists of a text along a record and beyond its end. `is_list` returns
/// true for lines that belong to a list.
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
            // Lists may differ beyond the record, but a difference within it takes
            // precedence.
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

/// Returns how an entry differs. `plays` is false after the first difference: nothing
/// is played then.
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

/// Returns true if the row is the second player's half of the row above.
fn is_rest(row: &Moves, above: &Moves) -> bool {
    let [first] = above.entries.as_slice() else {
        return false;
    };
    may_be_rest(row, above)
        && row.entries.len() == 1
        && row.lines.start == above.lines.end
        && first.number.is_some_and(|number| !number.is_second)
}

/// Returns true for a numbered list. In a mail, a bare move is its sender's next one.
#[must_use]
pub fn is_numbered(manner: Manner) -> bool {
    manner == Manner::List
}
