//! Follows lists of moves along a record, entry by entry, and finds where they differ.
//!
//! `check`, the reading of replies and the comparison of records all follow lists here.
//! They differ only in how they use each [`Relation`].

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

use crate::notation::moves::{Manner, MoveEntry, Moves};
use crate::notation::reader::ParsedText;
use crate::rules::notation::{ReadError, Reading, Voice};
use crate::rules::{IllegalMove, Reason, Record};

/// The relation of an entry to the moves that its list is followed along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// The entry is the move at its half-move.
    Agrees,
    /// The entry belongs to the half-move after the last one.
    Continues,
    /// Another move is at its half-move.
    Differs,
    /// Moves between the last one and the entry are missing.
    Skips,
}

/// The reason why an entry of a list cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnplayableMove {
    /// The match has ended before this move.
    #[error("the game is over: {0}")]
    GameOver(Reason),
    /// The text does not name exactly one legal move.
    #[error("{0}")]
    Unread(#[source] ReadError),
    /// The record refuses the move.
    #[error("{0}")]
    Illegal(#[source] IllegalMove),
}

thread_local! {
    static READINGS: Cell<u64> = const { Cell::new(0) };
}

/// Returns how many moves of lists this thread has given to the general reader so far,
/// which takes many times as long as canonical text does.
#[doc(hidden)]
#[must_use]
pub fn listed_moves_interpreted() -> u64 {
    READINGS.get()
}

/// The moves that lists are followed along: a record and the moves that the lists add
/// to it.
#[derive(Clone, Debug)]
pub struct Follower<'r> {
    record: Cow<'r, Record>,
    /// The moves after the record, from the first that cannot be played.
    unplayed: Vec<String>,
    /// For each half-move, caches which texts mean its move, because one list may be
    /// quoted a thousand times.
    known: Vec<HashMap<String, bool>>,
    /// The half-move of an entry without a number.
    next: usize,
}

impl<'r> Follower<'r> {
    /// Follows lists along a record. The record is copied only when a list adds to it.
    #[must_use]
    pub fn new(record: &'r Record) -> Follower<'r> {
        Follower {
            record: Cow::Borrowed(record),
            unplayed: Vec::new(),
            known: Vec::new(),
            next: 0,
        }
    }

    /// Returns the record with all playable moves added to it.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Converts into the record with all playable moves added to it.
    #[must_use]
    pub fn into_record(self) -> Record {
        self.record.into_owned()
    }

    /// Returns the number of moves, including those that cannot be played.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.record.steps().len() + self.unplayed.len()
    }

    /// Begins another list, whose first entry is half-move `ply` if it has no number.
    pub fn begin(&mut self, ply: usize) {
        self.next = ply;
    }

    /// Returns the half-move of the next entry, if that has no number.
    #[must_use]
    pub fn next(&self) -> usize {
        self.next
    }

    /// Takes the next entry of a list. Returns its half-move and its relation to the
    /// moves.
    pub fn follow(&mut self, entry: &MoveEntry) -> (usize, Relation) {
        let ply = entry.ply(self.next);
        (ply, self.follow_as(entry, ply))
    }

    /// Counts the next entry of a list without reading it.
    pub fn pass(&mut self, entry: &MoveEntry) {
        self.next = entry.ply(self.next) + 1;
    }

    /// Takes the next entry of a list as half-move `ply`, regardless of its number.
    pub fn follow_as(&mut self, entry: &MoveEntry, ply: usize) -> Relation {
        self.next = ply + 1;
        self.relation(entry, ply)
    }

    /// Returns the relation of an entry to the moves, if taken as half-move `ply`.
    pub fn relation(&mut self, entry: &MoveEntry, ply: usize) -> Relation {
        match ply.cmp(&self.plies()) {
            std::cmp::Ordering::Less if self.has(entry, ply) => Relation::Agrees,
            std::cmp::Ordering::Less => Relation::Differs,
            std::cmp::Ordering::Equal => Relation::Continues,
            std::cmp::Ordering::Greater => Relation::Skips,
        }
    }

    /// Returns true if the entry is the move at half-move `ply`.
    pub fn has(&mut self, entry: &MoveEntry, ply: usize) -> bool {
        let steps = self.record.steps();
        let (Some(position), Some(step)) = (self.record.at(ply), steps.get(ply)) else {
            let unplayed = ply.checked_sub(steps.len());
            let move_there = unplayed.and_then(|at| self.unplayed.get(at));
            return move_there.is_some_and(|text| *text == entry.plain());
        };
        let Ok(text) = &entry.parsed else {
            return false;
        };
        // The canonical form needs no interpretation.
        if entry.text == step.text {
            return true;
        }
        if self.known.len() <= ply {
            self.known.resize_with(ply + 1, HashMap::new);
        }
        let known = &mut self.known[ply];
        if let Some(is_move) = known.get(&entry.text) {
            return *is_move;
        }
        READINGS.set(READINGS.get() + 1);
        let reading = position.interpret(text, Voice::List);
        let is_move = reading.is_ok_and(|reading| reading.ply == step.ply);
        known.insert(entry.text.clone(), is_move);
        is_move
    }

    /// Reads an entry as the next move.
    ///
    /// # Errors
    ///
    /// If the entry cannot be played. If the match is over, the error says so before any
    /// other, except for a text that is no move at all.
    pub fn read(&self, entry: &MoveEntry) -> Result<Reading, UnplayableMove> {
        let parsed = entry.parsed.as_ref().map_err(|error| {
            // Such a text is no move in any position.
            UnplayableMove::Unread(ReadError::NotAMove(error.clone()))
        })?;
        if let Some(outcome) = self.record.outcome() {
            return Err(UnplayableMove::GameOver(outcome.reason));
        }
        READINGS.set(READINGS.get() + 1);
        let reading = self.record.position().interpret(parsed, Voice::List);
        reading.map_err(UnplayableMove::Unread)
    }

    /// Adds an entry as the next move. Returns its reading, or none if an earlier move
    /// could not be played.
    pub fn push(&mut self, entry: &MoveEntry) -> Option<Result<Reading, UnplayableMove>> {
        let result = self.unplayed.is_empty().then(|| {
            // Most lists are canonical, and need no interpretation.
            let parsed = entry.parsed.as_ref().ok();
            if let Some(step) = parsed.and_then(|text| self.record.to_mut().play_marked(text)) {
                return Ok(Reading {
                    ply: step.ply,
                    warnings: Vec::new(),
                    offers_draw: false,
                });
            }
            let reading = self.read(entry)?;
            let played = self.record.to_mut().play(&reading.ply);
            played.map_err(UnplayableMove::Illegal)?;
            Ok(reading)
        });
        if !matches!(result, Some(Ok(_))) {
            self.unplayed.push(entry.plain());
        }
        result
    }

    /// Takes back all moves after the first `plies`.
    pub fn truncate(&mut self, plies: usize) {
        let played = self.record.steps().len();
        self.unplayed.truncate(plies.saturating_sub(played));
        if plies < played {
            let record = self.record.to_mut();
            while record.steps().len() > plies {
                record.undo();
            }
            self.known.truncate(plies);
        }
    }
}

impl From<Record> for Follower<'static> {
    fn from(record: Record) -> Follower<'static> {
        Follower {
            record: Cow::Owned(record),
            unplayed: Vec::new(),
            known: Vec::new(),
            next: 0,
        }
    }
}

/// Returns true if a row without a number may be the rest of a list's row above it. The
/// second player's column is narrow, and a placement or a mail program breaks the row
/// before it.
#[must_use]
pub fn may_be_rest(row: &Moves, above: &Moves) -> bool {
    row.manner == Manner::Bare && row.entries[0].author == above.entries[0].author
}

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
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DivergenceKind {
    /// The list has another move at this half-move.
    #[error("there is another move")]
    Other,
    /// The moves before it are missing.
    #[error("what comes before it is not told")]
    Gap,
    /// The list continues with a move that cannot be played.
    #[error("{0}")]
    Unplayable(#[source] UnplayableMove),
}

/// Follows the lists of a text along a record and beyond its end. `is_list` returns
/// true for lines that belong to a list.
#[must_use]
pub fn follow_lists(
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
