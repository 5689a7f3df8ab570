//! Writes the move list as the 1994 post does, to the byte.

use std::fmt;

use crate::notation::move_number::{mover, numbered};
use crate::rules::{Color, Ply, Record};

/// A list of moves in its written form: `Display` writes its heading and lines, each
/// with its line ending, or nothing if no move was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveList {
    players: [&'static str; 2],
    /// The number of the first move.
    first: u32,
    turns: Vec<[Option<ListTurn>; 2]>,
    /// The last column that a placement may reach.
    last_column: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct ListTurn {
    text: String,
    /// True for a placement of several pieces, which never widens a column.
    is_placement: bool,
}

/// The narrowest column of White's moves.
const NARROWEST: usize = 8;

/// The last column that a placement may reach in a message.
const LAST_COLUMN: usize = 72;

/// Writes the moves from half-move `from` (from 0) on, without their marks, on one
/// line. The numbers make it unambiguous.
#[must_use]
pub fn line(record: &Record, from: usize) -> String {
    let steps = record.steps().iter().enumerate().skip(from);
    let told: Vec<String> = steps
        .map(|(ply, step)| {
            if ply == from || mover(ply) == Color::White {
                numbered(ply, &step.text)
            } else {
                step.text.clone()
            }
        })
        .collect();
    told.join(" ")
}

impl MoveList {
    /// Makes the list of the moves played.
    #[must_use]
    pub fn of(record: &Record) -> MoveList {
        let start = record.start();
        let turn = |text: String, is_placement| Some(ListTurn { text, is_placement });
        let mut turns: Vec<[Option<ListTurn>; 2]> = Vec::new();
        if start.turn() == Color::Black && !record.steps().is_empty() {
            turns.push([turn("...".to_owned(), false), None]);
        }
        for step in record.steps() {
            let turn = turn(step.to_string(), matches!(step.ply, Ply::Placement(_)));
            match turns.last_mut() {
                Some([_, second @ None]) => *second = turn,
                _ => turns.push([turn, None]),
            }
        }
        MoveList {
            players: start.variant().rules().players,
            first: start.number(),
            turns,
            last_column: LAST_COLUMN,
        }
    }

    /// Returns the list for a terminal with so many columns.
    #[must_use]
    pub fn within(self, columns: usize) -> MoveList {
        MoveList {
            last_column: columns.min(LAST_COLUMN),
            ..self
        }
    }

    /// Returns the width of the number column: one more than the longest number and its
    /// dot need.
    fn number_width(&self) -> usize {
        let last = (self.first as usize + self.turns.len()).saturating_sub(1);
        (last.to_string().len() + 2).max(4)
    }

    fn first_width(&self) -> usize {
        let moves = self.turns.iter().filter_map(|turn| turn[0].as_ref());
        moves
            .filter(|turn| !turn.is_placement)
            .map(|turn| turn.text.len() + 2)
            .max()
            .unwrap_or_default()
            .max(NARROWEST)
    }
}

impl fmt::Display for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.turns.is_empty() {
            return Ok(());
        }
        let (numbers, firsts) = (self.number_width(), self.first_width());
        let [first, second] = self.players;
        writeln!(f, "{first:<width$}{second}\n", width = numbers + firsts)?;
        for (number, turn) in (self.first..).zip(&self.turns) {
            let number = format!("{number}.");
            let [Some(first), second] = turn else {
                continue;
            };
            write!(f, "{number:<numbers$}")?;
            let column = numbers + firsts;
            if first.text.len() + 2 <= firsts && second.is_some() {
                write!(f, "{:<firsts$}", first.text)?;
            } else {
                write_broken(f, &first.text, numbers, self.last_column)?;
                if second.is_some() {
                    writeln!(f)?;
                    write!(f, "{:column$}", "")?;
                }
            }
            if let Some(second) = second {
                write_broken(f, &second.text, column, self.last_column)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Writes a move that begins at a column, counted from 0. A move that would pass the
/// last column is broken after the last comma that fits and continues below its own
/// first letter.
fn write_broken(
    f: &mut fmt::Formatter<'_>,
    text: &str,
    column: usize,
    last_column: usize,
) -> fmt::Result {
    let parts = parts(text, last_column.saturating_sub(column));
    f.write_str(&parts.join(&format!("\n{:column$}", "")))
}

/// Breaks a move that is wider than a terminal with so many columns after commas, and
/// indents what goes on.
#[must_use]
pub fn broken(text: &str, columns: usize) -> String {
    const INDENT: &str = "  ";
    if text.len() <= columns {
        return text.to_owned();
    }
    parts(text, columns.saturating_sub(INDENT.len())).join(&format!("\n{INDENT}"))
}

/// Breaks a move after the last comma that fits, as long as it is too wide.
fn parts(text: &str, room: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > room {
        let Some(comma) = rest[..room].rfind(',') else {
            break;
        };
        let (part, behind) = rest.split_at(comma + 1);
        parts.push(part);
        rest = behind;
    }
    parts.push(rest);
    parts
}
