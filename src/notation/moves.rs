//! Moves in the lines of a text: in a list, alone, or in prose.
//!
//! Nothing here depends on a position. A line that begins with a number and a move
//! belongs to a list. A line that holds nothing but moves is bare. Moves among words
//! are prose, and are only noted.

mod row;
pub(super) mod scan;
mod token;

use std::ops::Range;

use crate::notation::place::Place;
use crate::quoting::line::Author;
use crate::rules::Color;
use crate::rules::notation::{MoveText, ParseMoveError};

/// The moves of one line, or of several that a mailer or a comment has made of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moves {
    /// The lines, counted from 0.
    pub lines: Range<usize>,
    /// The manner in which the moves stand there.
    pub manner: Manner,
    /// The moves from left to right, at least one.
    pub entries: Vec<MoveEntry>,
}

/// The manner in which moves stand in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// The line belongs to a list: it begins with a number and a move, or holds nothing
    /// but moves and numbers.
    List,
    /// The line holds nothing but moves, none of them with a number.
    Bare,
    /// The line holds nothing but moves after the name of the player who makes the
    /// first: `White: K>b1,B>b2`.
    Named(Color),
    /// The moves stand among words.
    Prose,
}

/// A move in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveEntry {
    /// The move with its mark, as its writer meant it: `n>g2 !+`.
    pub text: String,
    /// The place of the move, without a mark after a blank.
    pub place: Place,
    /// The author of its line.
    pub author: Author,
    /// The number directly before it. Without one, it is the move after the previous
    /// entry.
    pub number: Option<Number>,
    /// True if other words stand between the move and the number, move or margin before
    /// it.
    pub is_aside: bool,
    /// The rest of its line, up to the next entry or its number. It is trimmed and
    /// includes comments in brackets.
    pub tail: String,
    /// The parsed move, not yet interpreted, or the error for a slip in a list.
    pub parsed: Result<MoveText, ParseMoveError>,
}

/// The number before a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// The number.
    pub value: u32,
    /// True if dots mark it as the second player's move: `3...`.
    pub is_second: bool,
    /// The place of the number.
    pub place: Place,
}

/// A number as in a list, followed by text that is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The number.
    pub number: Number,
    /// True if at most two words follow it, as many as moves would take, and one looks
    /// like a move. No remark looks like that.
    pub is_row: bool,
}

impl Moves {
    /// Returns its moves, without those that other words separate from the list.
    pub fn of_list(&self) -> impl Iterator<Item = &MoveEntry> {
        self.entries.iter().filter(|entry| !entry.is_aside)
    }
}

impl Number {
    /// Returns the half-move of the number, counted from 0.
    #[must_use]
    pub fn ply(&self) -> usize {
        (self.value as usize).saturating_sub(1) * 2 + usize::from(self.is_second)
    }
}

impl MoveEntry {
    /// Returns the half-move of the entry, counted from 0. `next` is the half-move
    /// after the previous entry.
    #[must_use]
    pub fn ply(&self, next: usize) -> usize {
        self.number.map_or(next, |number| number.ply())
    }

    /// Returns true if its number is that of the first half-move.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.number.is_some_and(|number| number.ply() == 0)
    }

    /// Returns the move without its mark in lower case, for comparisons without a
    /// position.
    #[must_use]
    pub fn plain(&self) -> String {
        match &self.parsed {
            Ok(parsed) => parsed.as_str().to_lowercase(),
            Err(_) => self.text.to_lowercase(),
        }
    }
}
