//! Squares and what stands on them, with no idea of a rule.

use crate::piece::Piece;
use crate::square::Square;

/// A square board of 8x8 or 9x9 and the pieces on it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    width: u8,
    squares: [Option<Piece>; 81],
}

impl Board {
    /// An empty board `width` squares wide and high.
    ///
    /// # Panics
    ///
    /// If the width is above 9.
    #[must_use]
    pub const fn empty(width: u8) -> Board {
        assert!(width <= 9);
        Board {
            width,
            squares: [None; 81],
        }
    }

    /// How many files, and how many ranks, the board has.
    #[must_use]
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// The piece on a square; none where the square is empty or off the board.
    #[must_use]
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.squares[index(square)]
    }

    /// Puts a piece on a square, or empties it.
    ///
    /// # Panics
    ///
    /// If the square is off the board.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        assert!(square.is_on(self.width), "{square} is off the board");
        self.squares[index(square)] = piece;
    }

    /// The occupied squares with their pieces, by square name.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        (0..self.width)
            .flat_map(move |file| (0..self.width).map(move |rank| Square::new(file, rank)))
            .filter_map(|square| Some((square, self.get(square)?)))
    }
}

fn index(square: Square) -> usize {
    usize::from(square.rank().index()) * 9 + usize::from(square.file().index())
}
