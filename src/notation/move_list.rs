//! Writes moves: the list as the 1994 post does, to the byte; a move with its number; and
//! the text of a move that mail programs cannot spoil.

use std::fmt;

use crate::rules::notation::Voice;
use crate::rules::{Color, Ply, Position, Record};

/// A list of moves in its written form: `Display` writes its heading and lines, each
/// with its line ending, or nothing if no move was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveList {
    players: [&'static str; 2],
    /// The number of the first move.
    first: u32,
    /// The turns of both players; the last one may lack the second player's.
    turns: Vec<(ListTurn, Option<ListTurn>)>,
    /// The last column that a placement may reach.
    last_column: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct ListTurn {
    text: String,
    /// True for a placement of several pieces, which never widens a column.
    is_placement: bool,
}

impl ListTurn {
    fn new(text: impl fmt::Display, is_placement: bool) -> ListTurn {
        let text = text.to_string();
        ListTurn { text, is_placement }
    }
}

/// The narrowest column of White's moves.
const NARROWEST: usize = 8;

/// The last column that a placement may reach in a message.
const LAST_COLUMN: usize = 72;

/// Writes the moves from half-move `from` (from 0) on, without their marks, on one
/// line. The numbers make it unambiguous.
#[must_use]
pub fn line(record: &Record, from: usize) -> String {
    let mut line = Vec::new();
    for (ply, step) in record.steps().iter().enumerate().skip(from) {
        if ply == from || mover(ply) == Color::White {
            line.push(number_of_ply(ply));
        }
        line.push(step.text.clone());
    }
    line.join(" ")
}

impl MoveList {
    /// Makes the list of the moves played.
    #[must_use]
    pub fn of(record: &Record) -> MoveList {
        let start = record.start();
        let mut turns: Vec<(ListTurn, Option<ListTurn>)> = Vec::new();
        if start.turn() == Color::Black && !record.steps().is_empty() {
            turns.push((ListTurn::new("...", false), None));
        }
        for step in record.steps() {
            let turn = ListTurn::new(step, matches!(step.ply, Ply::Placement(_)));
            match turns.last_mut() {
                Some((_, second @ None)) => *second = Some(turn),
                _ => turns.push((turn, None)),
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
        let mut width = NARROWEST;
        for (first, _) in self.turns.iter().filter(|(first, _)| !first.is_placement) {
            width = width.max(first.text.len() + 2);
        }
        width
    }
}

impl fmt::Display for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.turns.is_empty() {
            return Ok(());
        }
        let (numbers, firsts) = (self.number_width(), self.first_width());
        let column = numbers + firsts;
        let [first, second] = self.players;
        writeln!(f, "{first:<column$}{second}\n")?;
        for (number, (first, second)) in (self.first..).zip(&self.turns) {
            write!(f, "{:<numbers$}", format!("{number}."))?;
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

/// Returns the player of a half-move, counted from 0.
#[must_use]
pub fn mover(ply: usize) -> Color {
    if ply.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    }
}

/// Returns the number of a half-move, counted from 0: `3.` or `3...`.
#[must_use]
pub fn number_of_ply(ply: usize) -> String {
    written(ply / 2 + 1, mover(ply))
}

/// Returns the number of the next move in a position: `3.` or `3...`.
#[must_use]
pub fn number_of_position(position: &Position) -> String {
    written(position.number() as usize, position.turn())
}

/// Formats a move with its number: `3. B>f4`, `3... n-e6`.
#[must_use]
pub fn numbered(ply: usize, text: &str) -> String {
    format!("{} {text}", number_of_ply(ply))
}

fn written(number: usize, color: Color) -> String {
    let dots = match color {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{number}{dots}")
}

/// Returns the text that our reader takes for this legal ply and no other, even if it
/// stands alone, and even if each `+` in it is lost or has become a blank: the canonical
/// text, or else one that has the square of origin or a capital letter. Returns none if
/// no text is so clear.
#[must_use]
pub fn clear_text(position: &Position, ply: &Ply) -> Option<String> {
    let text = position.text(ply);
    // A small letter may be a file. Without its `+` a promoted piece is another one, that
    // may have a move to the same square.
    if !text.contains('+') && !text.starts_with(['b', 'g']) {
        return Some(text);
    }
    let long = position.long_text(ply);
    let [capital, long_capital] = [&text, &long].map(|text| capitalized(text));
    let mut forms = [text, long, capital, long_capital].into_iter();
    forms.find(|text| is_clear(position, text, ply))
}

fn is_clear(position: &Position, text: &str, ply: &Ply) -> bool {
    let read = |text: &str| {
        position
            .read_with(text, Voice::Alone)
            .map(|reading| reading.ply)
    };
    let is_other = |damaged: String| read(&damaged).is_ok_and(|other| other != *ply);
    read(text).is_ok_and(|read| read == *ply)
        && !(text.contains('+')
            && ["", " "]
                .into_iter()
                .any(|sign| is_other(text.replace('+', sign))))
}

/// Returns a text with its first letter as a capital.
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
