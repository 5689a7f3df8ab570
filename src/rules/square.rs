//! Squares by file and rank, the same for boards of any size up to 9x9.

use core::fmt;
use core::str::FromStr;

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
