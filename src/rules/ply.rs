//! One player's turn, and what it changes, piece by piece.

use crate::board::Square;
use crate::piece::{Piece, Role};

/// One player's turn.
///
/// A ply names squares and roles only. The position knows the piece that moves
/// and the one that is captured.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Ply, Role, Variant};
///
/// let position = Variant::find("shogi", &[])?.start();
/// let advance = Ply::Move { from: "c3".parse()?, to: "c4".parse()?, promotion: None };
/// assert!(position.is_legal(&advance));
/// assert_eq!(advance.target(), "c4".parse().ok());
/// let drop = Ply::Drop { role: Role::Pawn, to: "c4".parse()? };
/// assert!(!position.is_legal(&drop));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Ply {
    /// A piece on the board goes to another square, capturing what stands
    /// there; a pawn may capture en passant.
    Move {
        /// The square it leaves.
        from: Square,
        /// The square it goes to.
        to: Square,
        /// The role it becomes, if it promotes.
        promotion: Option<Role>,
    },
    /// King and rook castle.
    Castle(Side),
    /// A reserve piece is put on an empty square.
    Drop {
        /// The piece.
        role: Role,
        /// The square.
        to: Square,
    },
    /// New Chess: a reserve piece is put on an own pawn, which goes elsewhere.
    Relocation {
        /// The piece.
        role: Role,
        /// The square, where the pawn stood.
        to: Square,
        /// The pawn's new square.
        pawn: Square,
    },
    /// Kingchess: two or more reserve pieces are put on empty squares.
    Placement(Placement),
}

impl Ply {
    /// The square a piece arrives on: none for castling, that of the first
    /// piece for a placement.
    #[must_use]
    pub fn target(&self) -> Option<Square> {
        match self {
            Ply::Move { to, .. } | Ply::Drop { to, .. } | Ply::Relocation { to, .. } => Some(*to),
            Ply::Castle(_) => None,
            Ply::Placement(placement) => placement.drops().next().map(|(_, to)| to),
        }
    }
}

/// The side to castle on.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Ply, Position, Setup, Side, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let setup = Setup::from_fen(&chess, "4k3/8/8/8/8/8/8/R3K2R w KQ")?;
/// let position = Position::from_setup(&chess, &setup)?;
/// let after = position.play(&Ply::Castle(Side::Queen))?;
/// assert_eq!(after.board().fen(), "4k3/8/8/8/8/8/8/2KR3R");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Side {
    /// `O-O`, towards the h-file.
    King,
    /// `O-O-O`, towards the a-file.
    Queen,
}

/// Several drops made in one turn (Kingchess).
///
/// A placement is a set: its drops have the order in which they are written,
/// by role as K Q R B N P and then by square name.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Placement, Ply, Role, Variant};
///
/// let drops = [(Role::Pawn, "b2".parse()?), (Role::King, "b1".parse()?)];
/// let placement = Placement::new(drops).expect("two squares");
/// let start = Variant::find("kingchess", &[])?.start();
/// assert_eq!(start.text(&Ply::Placement(placement)), "K>b1,P>b2");
/// assert!(start.is_legal(&Ply::Placement(placement)));
/// assert_eq!(Placement::new([drops[0], drops[0]]), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement {
    drops: [Option<(Role, Square)>; Placement::MOST],
}

impl Placement {
    /// The most pieces a placement can have: a whole reserve.
    pub const MOST: usize = 16;

    /// The placement of drops; none if there are more than
    /// [`Placement::MOST`], or two on one square.
    #[must_use]
    pub fn new(drops: impl IntoIterator<Item = (Role, Square)>) -> Option<Placement> {
        let mut sorted = [None; Placement::MOST];
        let mut count = 0;
        for drop in drops {
            let before = &sorted[..count];
            if count == Placement::MOST || before.iter().flatten().any(|(_, sq)| *sq == drop.1) {
                return None;
            }
            sorted[count] = Some(drop);
            count += 1;
        }
        sorted[..count].sort_unstable();
        Some(Placement { drops: sorted })
    }

    /// The drops, in the order they are written.
    pub fn drops(&self) -> impl Iterator<Item = (Role, Square)> + '_ {
        self.drops.iter().flatten().copied()
    }

    /// The number of pieces placed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.drops().count()
    }

    /// Returns true if nothing is placed, which no game allows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

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
