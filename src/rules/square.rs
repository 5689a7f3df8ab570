//! Squares by file and rank, the same for boards of any size up to 9x9.

use core::fmt;
use core::str::FromStr;

/// A file, counted from 0 for the a-file (the first player's left).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct File(u8);

/// A rank, counted from 0 for the first player's home rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rank(u8);

impl File {
    /// The file's number, 0 for the a-file.
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
    /// The rank's number, 0 for the first player's home rank.
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

/// A square, `a1` to `i9`. It knows no board: whether it lies on one is the
/// board's to say.
///
/// Squares are ordered by name: a1, a2, … a9, b1, … i9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square on the given file and rank, both counted from 0.
    ///
    /// # Panics
    ///
    /// If either is above 8.
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Square {
        assert!(file < 9 && rank < 9);
        Square(file << 4 | rank)
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

    /// Whether the square lies on a board `width` squares wide and high.
    #[must_use]
    pub const fn is_on(self, width: u8) -> bool {
        self.0 >> 4 < width && self.0 & 15 < width
    }
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
        match text.as_bytes() {
            [file @ (b'a'..=b'i' | b'A'..=b'I'), rank @ b'1'..=b'9'] => {
                Ok(Square::new(file.to_ascii_lowercase() - b'a', rank - b'1'))
            }
            _ => Err(ParseSquareError),
        }
    }
}
