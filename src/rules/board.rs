//! Squares and what stands on them, with no idea of a rule.

use core::fmt;
use core::fmt::Write;

use crate::piece::Piece;
use crate::square::{File, Rank, Square};

/// A square board of at most 9x9 squares and the pieces on it.
///
/// Its `Display` is the first field of a FEN.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Board, Color, Piece, Role};
///
/// let mut board = Board::empty(8).expect("a width of at most 9");
/// let knight = Piece { color: Color::White, role: Role::Knight };
/// board.set("g1".parse()?, Some(knight));
/// assert_eq!(board.get("g1".parse()?), Some(knight));
/// assert_eq!(board.pieces().count(), 1);
/// assert_eq!(board.to_string(), "8/8/8/8/8/8/8/6N1");
/// # Ok::<(), parapost_rules::ParseSquareError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    width: u8,
    squares: [Option<Piece>; 81],
}

impl Board {
    /// An empty board `width` squares wide and high; none if that is above 9.
    #[must_use]
    pub const fn empty(width: u8) -> Option<Board> {
        if width <= 9 {
            Some(Board::blank(width))
        } else {
            None
        }
    }

    /// An empty board of a width that a game has.
    pub(crate) const fn blank(width: u8) -> Board {
        Board {
            width,
            squares: [None; 81],
        }
    }

    /// The number of files, and of ranks.
    #[must_use]
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// The piece on a square; none if the square is empty or off the board.
    #[must_use]
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.squares[index(square)]
    }

    /// Puts a piece on a square, or empties it.
    ///
    /// # Panics
    ///
    /// If the square is off the board ([`Square::is_on`]).
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        assert!(square.is_on(self.width), "{square} is off the board");
        self.squares[index(square)] = piece;
    }

    /// The occupied squares with their pieces, by square name.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all(self.width).filter_map(|square| Some((square, self.get(square)?)))
    }
}

impl fmt::Display for Board {
    /// The first field of a FEN, as `8/8/8/8/8/8/8/6N1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, rank) in Rank::all(self.width).rev().enumerate() {
            if row > 0 {
                f.write_char('/')?;
            }
            let mut blank = 0;
            for file in File::all(self.width) {
                let Some(piece) = self.get(Square::from_coords(file, rank)) else {
                    blank += 1;
                    continue;
                };
                if blank > 0 {
                    write!(f, "{blank}")?;
                }
                blank = 0;
                write!(f, "{piece}")?;
            }
            if blank > 0 {
                write!(f, "{blank}")?;
            }
        }
        Ok(())
    }
}

fn index(square: Square) -> usize {
    usize::from(square.rank().index()) * 9 + usize::from(square.file().index())
}
