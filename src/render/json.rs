//! A position as JSON, for programs.

use std::iter;

use serde::Serialize;

use crate::notation::diagram::Diagram;
use crate::rules::{Color, File, Rank, Record, Reserve, Rules, Square};

pub(super) fn write(record: &Record) -> String {
    let object = serde_json::to_string(&PositionJson::of(record));
    // Serializing texts and numbers cannot fail.
    object.unwrap_or_else(|error| unreachable!("{error}")) + "\n"
}

/// A position for programs.
#[derive(Serialize)]
pub(crate) struct PositionJson {
    game: &'static str,
    options: Vec<&'static str>,
    /// The number of half-moves made.
    ply: usize,
    turn: &'static str,
    status: &'static str,
    /// The rows from the top; `-` is an empty square, and `+` precedes a
    /// promoted piece.
    board: Vec<String>,
    reserves: Reserves,
    moves: Vec<String>,
    fen: String,
    diagram: String,
}

/// The pieces in reserve, in the order of the diagram's slots.
#[derive(Serialize)]
struct Reserves {
    white: String,
    black: String,
}

impl PositionJson {
    pub(crate) fn of(record: &Record) -> PositionJson {
        let position = record.position();
        let variant = position.variant();
        let rules = variant.rules();
        let width = rules.width;
        let square = |file, rank| {
            let piece = position.get(Square::from_coords(file, rank));
            piece.map_or_else(|| "-".to_owned(), |piece| piece.to_string())
        };
        let row = |rank| File::all(width).map(|file| square(file, rank)).collect();
        PositionJson {
            game: variant.game().id,
            options: variant.options().to_vec(),
            ply: record.steps().len(),
            turn: side(position.turn()),
            status: record.status(),
            board: Rank::all(width).rev().map(row).collect(),
            reserves: Reserves {
                white: held(rules, position.reserve(Color::White), Color::White),
                black: held(rules, position.reserve(Color::Black), Color::Black),
            },
            moves: record.steps().iter().map(ToString::to_string).collect(),
            fen: position.fen(),
            diagram: Diagram::of(position).to_string(),
        }
    }
}

/// Returns the word for a side in JSON, whatever a game calls it.
pub(crate) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Returns the letters of a player's pieces in reserve.
pub(super) fn held(rules: &Rules, reserve: Reserve, color: Color) -> String {
    let mut letters = String::new();
    for (role, _) in rules.slots() {
        let count = usize::from(reserve.count(role));
        letters.extend(iter::repeat_n(role.of(color).letter(), count));
    }
    letters
}
