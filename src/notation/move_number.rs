//! The numbers of moves in lists and sentences.

use crate::rules::{Color, Position};

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
pub fn of_ply(ply: usize) -> String {
    written(ply / 2 + 1, mover(ply))
}

/// Returns the number of the next move in a position: `3.` or `3...`.
#[must_use]
pub fn of_position(position: &Position) -> String {
    written(position.number() as usize, position.turn())
}

/// Formats a move with its number: `3. B>f4`, `3... n-e6`.
#[must_use]
pub fn numbered(ply: usize, text: &str) -> String {
    format!("{} {text}", of_ply(ply))
}

fn written(number: usize, color: Color) -> String {
    let dots = match color {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{number}{dots}")
}
