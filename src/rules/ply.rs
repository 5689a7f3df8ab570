//! One player's turn.

use crate::piece::Role;
use crate::square::Square;

/// One player's turn, as bare as it can be: what is captured, and by what, is
/// the position's to say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Ply {
    /// A piece on the board goes to another square, capturing what stands
    /// there; a pawn may capture en passant.
    Move {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
        /// What it becomes, if it promotes.
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
        /// Where the pawn goes.
        pawn: Square,
    },
    /// Kingchess: two or more reserve pieces are put on empty squares.
    Placement(Placement),
}

impl Ply {
    /// The square a piece arrives on; for castling none, for a placement that
    /// of its first piece.
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Side {
    /// `O-O`, towards the h-file.
    King,
    /// `O-O-O`, towards the a-file.
    Queen,
}

/// Several drops made in one turn (Kingchess). A set: it does not remember an
/// order, and keeps its drops in the order they are written, K Q R B N P and
/// each kind by square name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement {
    drops: [Option<(Role, Square)>; Placement::MOST],
}

impl Placement {
    /// The most pieces a placement can have: a whole reserve.
    pub const MOST: usize = 16;

    /// The placement of those drops; none if there are more than
    /// [`Placement::MOST`] or two on one square.
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

    /// How many pieces are placed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.drops().count()
    }

    /// Whether nothing is placed, which no game allows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
