//! Squares by file and rank, and a board of them with its pieces, with no idea of a rule;
//! read and written as the first field of a FEN.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::fmt::Write;
use core::str::FromStr;

use crate::piece::{Color, Piece, Role};
use crate::sentences::{sentences, shown};

/// A file of the board: `a` to `i`, with the index 0 to 8 from the first
/// player's left.
///
/// # Examples
///
/// ```
/// use parapost_rules::File;
///
/// let e = File::new(4).expect("an index below 9");
/// assert_eq!(e, File::from_letter('e').expect("a file"));
/// assert_eq!(e.to_string(), "e");
/// assert_eq!(File::new(9), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct File(u8);

/// A rank of the board: `1` to `9`, with the index 0 to 8 from the first
/// player's home rank.
///
/// # Examples
///
/// ```
/// use parapost_rules::Rank;
///
/// let fourth = Rank::new(3).expect("an index below 9");
/// assert_eq!(fourth, Rank::from_digit('4').expect("a rank"));
/// assert_eq!(fourth.to_string(), "4");
/// assert_eq!(Rank::from_digit('0'), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rank(u8);

impl File {
    /// The file of an index; none above 8.
    #[must_use]
    pub const fn new(index: u8) -> Option<File> {
        if index < 9 { Some(File(index)) } else { None }
    }

    /// The file of a letter, `a` to `i` or `A` to `I`.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<File> {
        match letter {
            'a'..='i' => Some(File(letter as u8 - b'a')),
            'A'..='I' => Some(File(letter as u8 - b'A')),
            _ => None,
        }
    }

    /// The files of a board that many squares wide (at most 9), from the left.
    pub fn all(width: u8) -> impl DoubleEndedIterator<Item = File> + Clone {
        (0..width.min(9)).map(File)
    }

    /// The file's index, 0 for the a-file.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The file's letter, `a` to `i`.
    #[must_use]
    pub const fn letter(self) -> char {
        (b'a' + self.0) as char
    }
}

impl Rank {
    /// The rank of an index; none above 8.
    #[must_use]
    pub const fn new(index: u8) -> Option<Rank> {
        if index < 9 { Some(Rank(index)) } else { None }
    }

    /// The rank of a digit, `1` to `9`.
    #[must_use]
    pub const fn from_digit(digit: char) -> Option<Rank> {
        match digit {
            '1'..='9' => Some(Rank(digit as u8 - b'1')),
            _ => None,
        }
    }

    /// The ranks of a board that many squares high (at most 9), from the
    /// first player's home rank.
    pub fn all(width: u8) -> impl DoubleEndedIterator<Item = Rank> + Clone {
        (0..width.min(9)).map(Rank)
    }

    /// The rank's index, 0 for the first player's home rank.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The rank's digit, `1` to `9`.
    #[must_use]
    pub const fn digit(self) -> char {
        (b'1' + self.0) as char
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.digit())
    }
}

/// A square, `a1` to `i9`. A square belongs to no board: [`Square::is_on`]
/// tells the boards that have it.
///
/// Squares are ordered by name: a1, a2, … a9, b1, … i9.
///
/// # Examples
///
/// ```
/// use parapost_rules::Square;
///
/// assert_eq!("e4".parse(), Ok(Square::E4));
/// assert_eq!(Square::new(4, 3), Some(Square::E4));
/// assert_eq!(Square::from_coords(Square::E4.file(), Square::E4.rank()), Square::E4);
/// assert_eq!(Square::new(9, 0), None);
/// assert!(Square::I9.is_on(9) && !Square::I9.is_on(8));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square of a file's and a rank's index; none if either is above 8.
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        match (File::new(file), Rank::new(rank)) {
            (Some(file), Some(rank)) => Some(Square::from_coords(file, rank)),
            _ => None,
        }
    }

    /// The square on a file and a rank.
    #[must_use]
    pub const fn from_coords(file: File, rank: Rank) -> Square {
        Square(file.0 << 4 | rank.0)
    }

    /// The squares of a board that many squares wide and high (at most 9), by
    /// name.
    #[must_use]
    pub fn all(width: u8) -> impl DoubleEndedIterator<Item = Square> + Clone {
        File::all(width)
            .flat_map(move |file| Rank::all(width).map(move |rank| Square::from_coords(file, rank)))
    }

    /// The square of two indices below 9.
    pub(crate) const fn at(file: u8, rank: u8) -> Square {
        debug_assert!(file < 9 && rank < 9);
        Square(file << 4 | rank)
    }

    /// The square of a constant's name.
    const fn named(name: &str) -> Square {
        let name = name.as_bytes();
        Square::at(name[0] - b'A', name[1] - b'1')
    }

    /// The square's file.
    #[must_use]
    pub const fn file(self) -> File {
        File(self.0 >> 4)
    }

    /// The square's rank.
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank(self.0 & 15)
    }

    /// Returns true if the square is on a board `width` squares wide and high.
    #[must_use]
    pub const fn is_on(self, width: u8) -> bool {
        self.0 >> 4 < width && self.0 & 15 < width
    }
}

/// The constants of all squares, each worked out from its name.
macro_rules! squares {
    ($($name:ident)*) => {
        impl Square {
            $(
                #[doc = concat!("The square ", stringify!($name), ".")]
                pub const $name: Square = Square::named(stringify!($name));
            )*
        }
    };
}

squares! {
    A1 A2 A3 A4 A5 A6 A7 A8 A9
    B1 B2 B3 B4 B5 B6 B7 B8 B9
    C1 C2 C3 C4 C5 C6 C7 C8 C9
    D1 D2 D3 D4 D5 D6 D7 D8 D9
    E1 E2 E3 E4 E5 E6 E7 E8 E9
    F1 F2 F3 F4 F5 F6 F7 F8 F9
    G1 G2 G3 G4 G5 G6 G7 G8 G9
    H1 H2 H3 H4 H5 H6 H7 H8 H9
    I1 I2 I3 I4 I5 I6 I7 I8 I9
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no square.
///
/// # Examples
///
/// ```
/// use parapost_rules::{ParseSquareError, Square};
///
/// let error: ParseSquareError = "e10".parse::<Square>().unwrap_err();
/// assert_eq!(error.to_string(), "not the name of a square");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the name of a square")
    }
}

impl core::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `a1` to `i9`; the file's letter may be a capital.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let mut chars = text.chars();
        let file = chars.next().and_then(File::from_letter);
        let rank = chars.next().and_then(Rank::from_digit);
        match (file, rank, chars.next()) {
            (Some(file), Some(rank), None) => Ok(Square::from_coords(file, rank)),
            _ => Err(ParseSquareError),
        }
    }
}

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
        return Err(ParseFenError::Rows { has, width });
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
            let piece = piece(c, promoted).ok_or(ParseFenError::NoPiece(c))?;
            let at = u8::try_from(file).unwrap_or(u8::MAX);
            if at < width {
                board.set(Square::at(at, rank), Some(piece));
            }
            promoted = false;
            file += 1;
        }
        if promoted || file != u32::from(width) {
            let row = row.to_string();
            return Err(ParseFenError::Row { row, width });
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
    Some(role.of(Color::of_letter(letter)))
}

sentences! {
    /// The reason why a text is no FEN of the game.
    ///
    /// Its `Display` repeats what is wrong with at most forty characters of it,
    /// and with a question mark for each that would steer a terminal.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{ParseFenError, Setup, Variant};
    ///
    /// let chess = Variant::find("chess", &[])?;
    /// let error = Setup::from_fen(&chess, "8/8/8/8/8/8/8 w").unwrap_err();
    /// assert_eq!(error, ParseFenError::Rows { has: 7, width: 8 });
    /// assert_eq!(error.to_string(), "the board has 7 rows instead of 8");
    /// let error = Setup::from_fen(&chess, "8/8/8/8/8/8/8/7J").unwrap_err();
    /// assert_eq!(error, ParseFenError::NoPiece('J'));
    /// # Ok::<(), parapost_rules::VariantError>(())
    /// ```
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    #[non_exhaustive]
    pub enum ParseFenError() {
        /// The board has another number of rows than the game's.
        Rows {
            /// The rows of the text.
            has: usize,
            /// The rows of the game's board.
            width: u8,
        } => ("the board has {has} {} instead of {width}", if *has == 1 { "row" } else { "rows" }),
        /// A row has another number of squares than the game's.
        Row {
            /// The row.
            row: String,
            /// The squares of a row of the game's board.
            width: u8,
        } => ("the row '{}' does not have {width} squares", shown(row)),
        /// A character of the board that stands for no piece.
        NoPiece(sign: char) => ("'{}' is no piece", shown_sign(*sign)),
        /// The bracket of the reserves is not closed.
        ReservesOpen => ("the reserves lack their ']'"),
        /// A character among the reserves that stands for no piece the game has
        /// there.
        NotInReserve(sign: char) => ("'{}' can't be in reserve in this game", shown_sign(*sign)),
        /// More pieces of a kind in reserve than any game has.
        TooManyInReserve(letter: char) => ("too many '{letter}' in reserve"),
        /// The side to move is neither `w` nor `b`.
        Turn(text: String) => ("the side to move is w or b, not '{}'", shown(text)),
        /// A letter that stands for no right to castle in the game.
        Castling(sign: char) => ("'{}' is no right to castle", shown_sign(*sign)),
        /// The en passant field is neither a square nor `-`.
        EnPassant(text: String) => ("the en passant square '{}' is no square", shown(text)),
        /// The halfmove clock is no number up to 100,000.
        Halfmoves(text: String) => ("the halfmove clock '{}' is no number", shown(text)),
        /// The move number is no number up to 100,000.
        Number(text: String) => ("the move number '{}' is no number", shown(text)),
        /// An item of the field of earlier drops that is neither a bishop's colour
        /// nor a pawn's square that stands there once.
        Memory(text: String) =>
            ("'{}' is neither a bishop's colour, as in B-dark, nor a pawn's square", shown(text)),
        /// There is a field too many.
        ExtraField(text: String) => ("'{}' is one field too many", shown(text)),
    }
}

impl core::error::Error for ParseFenError {}

fn shown_sign(sign: char) -> String {
    shown(sign.encode_utf8(&mut [0; 4]))
}
