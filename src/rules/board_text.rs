//! The first field of a FEN: a board as text.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::board::Board;
use crate::piece::{Color, Piece, Role};
use crate::shown::shown;
use crate::square::Square;

/// A text that is no FEN of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseFenError {
    message: String,
}

impl ParseFenError {
    pub(crate) fn new(message: String) -> ParseFenError {
        ParseFenError { message }
    }
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for ParseFenError {}

/// Reads a board of that width.
pub(crate) fn board(width: u8, text: &str) -> Result<Board, ParseFenError> {
    let mut board = Board::blank(width);
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(width) {
        return Err(ParseFenError::new(format!(
            "the board has {} rows instead of {width}",
            rows.len()
        )));
    }
    for (rank, row) in (0..width).rev().zip(rows) {
        let mut file = 0;
        let mut promoted = false;
        for c in row.chars() {
            if c == '+' && !promoted {
                promoted = true;
                continue;
            }
            if let Some(blank) = c.to_digit(10).filter(|&n| n > 0 && !promoted) {
                file += blank;
                continue;
            }
            let piece = piece(c, promoted)
                .ok_or_else(|| ParseFenError::new(format!("'{}' is no piece", sign(c))))?;
            let at = u8::try_from(file).unwrap_or(u8::MAX);
            if at < width {
                board.set(Square::at(at, rank), Some(piece));
            }
            promoted = false;
            file += 1;
        }
        if promoted || file != u32::from(width) {
            return Err(ParseFenError::new(format!(
                "the row '{}' does not have {width} squares",
                shown(row)
            )));
        }
    }
    Ok(board)
}

pub(crate) fn sign(c: char) -> String {
    shown(c.encode_utf8(&mut [0; 4]))
}

pub(crate) fn piece(letter: char, promoted: bool) -> Option<Piece> {
    let role = Role::from_letter(letter)?;
    Some(Piece {
        color: if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        },
        role: if promoted { role.promoted()? } else { role },
    })
}
