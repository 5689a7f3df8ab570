//! What a ply changes, piece by piece.

use crate::board::Square;
use crate::piece::Piece;

/// A piece that comes to a place, or leaves it, when a ply is played.
///
/// # Examples
///
/// ```
/// use parapost_rules::{PieceChange, Color, Listing, Role, Square, Variant, Walk};
///
/// let mut walk = Walk::new(&Variant::find("unachess", &[])?.start());
/// walk.list(Listing::Drops(Role::Queen));
/// let mut changes = Vec::new();
/// assert!(walk.play_seen(0, |change| changes.push(change)));
/// let piece = Role::Queen.of(Color::White);
/// assert_eq!(changes, [
///     PieceChange { piece, square: None, comes: false },
///     PieceChange { piece, square: Some(Square::A1), comes: true },
/// ]);
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(clippy::exhaustive_structs, reason = "its parts are what it says")]
pub struct PieceChange {
    /// The piece; its owner is the one whose reserve it is in.
    pub piece: Piece,
    /// The square; none for the reserve.
    pub square: Option<Square>,
    /// True if it comes there, false if it leaves.
    pub comes: bool,
}

impl PieceChange {
    pub(crate) const fn new(piece: Piece, square: Option<Square>, comes: bool) -> PieceChange {
        PieceChange {
            piece,
            square,
            comes,
        }
    }
}
