//! The square from which a move goes, as far as it was written.

use crate::square::{File, Rank, Square};

/// The part of the origin that was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OriginText {
    Nothing,
    File(File),
    Rank(Rank),
    Square(Square),
}

impl OriginText {
    /// Returns true if a move from that square may have this origin.
    pub(crate) fn fits(self, from: Square) -> bool {
        match self {
            OriginText::Nothing => true,
            OriginText::File(file) => from.file() == file,
            OriginText::Rank(rank) => from.rank() == rank,
            OriginText::Square(square) => from == square,
        }
    }
}
