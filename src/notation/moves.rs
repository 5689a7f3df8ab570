//! Moves as they stand in the lines of a text: in a list, alone, or in prose.
//!
//! Nothing here knows a position. A line is of a list when it begins with a
//! number and a move; it is bare when it holds nothing but moves; what stands
//! among words is prose, and only noted.

mod row;
pub(super) mod scan;
mod token;

use std::ops::Range;

use crate::notation::place::Place;
use crate::quoting::line::Author;
use crate::rules::Color;
use crate::rules::notation::{MoveText, ParseMoveError};

/// The moves of one line, or of a few that a mailer or a comment has made of
/// one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moves {
    /// The lines, counted from 0.
    pub lines: Range<usize>,
    /// How the moves stand there.
    pub manner: Manner,
    /// The moves, from left to right; one at least.
    pub entries: Vec<MoveEntry>,
}

/// How moves stand in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// The line is of a list: it begins with a number and a move, or holds
    /// nothing but moves and numbers.
    List,
    /// The line holds nothing but moves, none of them with a number.
    Bare,
    /// The line holds nothing but moves behind the name of the player who
    /// makes the first: `White: K>b1,B>b2`.
    Named(Color),
    /// The moves stand among words.
    Prose,
}

/// A move as it stands in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveEntry {
    /// The move with its mark, as it was meant: `n>g2 !+`.
    pub text: String,
    /// Where the move stands, without its mark where a blank sets that off.
    pub place: Place,
    /// Whose words it is in.
    pub author: Author,
    /// The number that stands directly before it. Without one it is the next
    /// move after the entry before it.
    pub number: Option<Number>,
    /// Whether other words stand between it and the number, the move or the
    /// margin before it.
    pub is_aside: bool,
    /// What stands on its line behind it, up to the number of the next entry
    /// or that entry; trimmed, comments in brackets included.
    pub tail: String,
    /// The move without meaning, or why it is none: a slip in a list.
    pub parsed: Result<MoveText, ParseMoveError>,
}

/// The number before a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// The number.
    pub value: u32,
    /// Whether dots say that it is the second player's move: `3...`.
    pub is_second: bool,
    /// Where it stands.
    pub place: Place,
}

/// A number as of a list, with something behind it that is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The number.
    pub number: Number,
    /// Whether no more stands behind it than two moves take, and one of that
    /// is like a move: no remark looks so.
    pub is_row: bool,
}

impl Moves {
    /// Its moves, without those that other words part from the list.
    pub fn of_list(&self) -> impl Iterator<Item = &MoveEntry> {
        self.entries.iter().filter(|entry| !entry.is_aside)
    }
}

impl Number {
    /// Which half-move it is the number of, counted from 0.
    #[must_use]
    pub fn ply(&self) -> usize {
        (self.value as usize).saturating_sub(1) * 2 + usize::from(self.is_second)
    }
}

impl MoveEntry {
    /// Which half-move it says it is, counted from 0, where `next` is the one
    /// after the entry before it.
    #[must_use]
    pub fn ply(&self, next: usize) -> usize {
        self.number.map_or(next, |number| number.ply())
    }

    /// Whether its number says that it is the first of all.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.number.is_some_and(|number| number.ply() == 0)
    }

    /// The move without its mark in small letters, to compare it where no
    /// position tells more.
    #[must_use]
    pub fn plain(&self) -> String {
        match &self.parsed {
            Ok(parsed) => parsed.as_str().to_lowercase(),
            Err(_) => self.text.to_lowercase(),
        }
    }
}
