//! Where a move was written.

/// Where a move was written, which decides what a small `b` may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// In a list of moves: canonical text is canonical.
    List,
    /// Alone in a mail: `bxc6` that could be the bishop's or the b-pawn's is
    /// ambiguous.
    Lone,
}
