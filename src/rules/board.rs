//! A board and the pieces on it, with no idea of a rule; read and written as the
//! first field of a FEN.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::fmt::Write;

use crate::fen_error::{ParseFenError, ParseFenErrorKind};
use crate::piece::{Color, Piece, Role};
use crate::square::{File, Rank, Square};

/// A square board of at most 9x9 squares and the pieces on it.
///
/// Its `Display` is a diagram, its [`fen`](Board::fen) the first field of a FEN.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Board, Color, Piece, Role, Square};
///
/// let mut board = Board::empty(8).expect("a width of at most 9");
/// let knight = Piece { color: Color::White, role: Role::Knight };
/// board.set(Square::G1, Some(knight));
/// assert_eq!(board.get(Square::G1), Some(knight));
/// assert_eq!(board.pieces().count(), 1);
/// assert_eq!(board.fen(), "8/8/8/8/8/8/8/6N1");
/// assert!(board.to_string().ends_with("1 . . . . . . N .\n  a b c d e f g h"));
/// assert_eq!(Board::from_fen("8/8/8/8/8/8/8/6N1"), Ok(board));
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

    /// Reads the first field of a FEN: as many rows as each has squares, at most 9.
    ///
    /// # Errors
    ///
    /// If the text is not such a field.
    pub fn from_fen(text: &str) -> Result<Board, ParseFenError> {
        let rows = text.split('/').count();
        board(u8::try_from(rows).unwrap_or(9).min(9), text)
    }

    /// The first field of a FEN, as `8/8/8/8/8/8/8/6N1`.
    #[must_use]
    pub fn fen(&self) -> String {
        let row = |rank| {
            let (mut row, mut blank) = (String::new(), 0);
            for file in File::all(self.width) {
                let Some(piece) = self.get(Square::from_coords(file, rank)) else {
                    blank += 1;
                    continue;
                };
                push_blank(&mut row, blank);
                blank = 0;
                row += &piece.to_string();
            }
            push_blank(&mut row, blank);
            row
        };
        let rows: Vec<String> = Rank::all(self.width).rev().map(row).collect();
        rows.join("/")
    }

    /// The occupied squares with their pieces, by square name.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all(self.width).filter_map(|square| Some((square, self.get(square)?)))
    }
}

impl fmt::Display for Board {
    /// A diagram: a row for each rank, from the top, with the names of the ranks
    /// and of the files beside it. A promoted piece has its `+` before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::all(self.width).rev() {
            write!(f, "{rank}")?;
            for file in File::all(self.width) {
                match self.get(Square::from_coords(file, rank)) {
                    Some(piece) => write!(f, "{piece:>2}")?,
                    None => f.write_str(" .")?,
                }
            }
            f.write_char('\n')?;
        }
        f.write_char(' ')?;
        File::all(self.width).try_for_each(|file| write!(f, " {file}"))
    }
}

fn index(square: Square) -> usize {
    usize::from(square.rank().index()) * 9 + usize::from(square.file().index())
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

fn push_blank(row: &mut String, blank: u8) {
    if blank > 0 {
        row.push(char::from(b'0' + blank));
    }
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
