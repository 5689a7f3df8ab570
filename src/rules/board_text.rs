//! The first field of a FEN: a board as text.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::str::FromStr;

use crate::board::Board;
use crate::fen_error::{ParseFenError, ParseFenErrorKind};
use crate::piece::{Color, Piece, Role};
use crate::square::Square;

impl FromStr for Board {
    type Err = ParseFenError;

    /// Reads the first field of a FEN: as many rows as each has squares, at
    /// most 9.
    fn from_str(text: &str) -> Result<Board, ParseFenError> {
        let rows = text.split('/').count();
        board(u8::try_from(rows).unwrap_or(9).min(9), text)
    }
}

/// Reads a board of that width.
pub(crate) fn board(width: u8, text: &str) -> Result<Board, ParseFenError> {
    let mut board = Board::blank(width);
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(width) {
        let has = rows.len();
        return Err(ParseFenErrorKind::Rows { has, width }.into());
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
            let piece = piece(c, promoted).ok_or(ParseFenErrorKind::NoPiece(c))?;
            let at = u8::try_from(file).unwrap_or(u8::MAX);
            if at < width {
                board.set(Square::at(at, rank), Some(piece));
            }
            promoted = false;
            file += 1;
        }
        if promoted || file != u32::from(width) {
            let row = row.to_string();
            return Err(ParseFenErrorKind::Row { row, width }.into());
        }
    }
    Ok(board)
}

pub(crate) fn piece(letter: char, promoted: bool) -> Option<Piece> {
    let role = Role::from_letter(letter)?;
    let role = if promoted { role.promoted()? } else { role };
    Some(role.of(owner(letter)))
}

/// The owner of a letter: White has the capitals.
pub(crate) fn owner(letter: char) -> Color {
    if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    }
}
