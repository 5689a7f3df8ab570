//! Finds the reason why a move is not allowed, one rule after another.

mod castling;
mod common;
mod drops;
mod moves;
mod pawns;

use crate::bitboard::Bitboard;
use crate::engine::{Core, index_on, on_board};
use crate::illegal::IllegalMoveKind as Why;
use crate::ply::Ply;
use crate::square::Square;
use crate::state::IndexedPly;
use crate::variant::Variant;

use common::Explainer;

/// The reason why a ply is not legal.
pub(crate) fn why_not(variant: &Variant, core: &Core, ply: &Ply) -> Why {
    on_board!(core, |t, state| {
        Explainer::new(t, state, variant).ply(ply)
    })
}

/// The squares that the piece on a square goes to; those of a chess pawn are
/// its advances and its captures.
pub(crate) fn reach(variant: &Variant, core: &Core, from: Square) -> Option<Why> {
    on_board!(core, |t, state| {
        Explainer::new(t, state, variant).reach(from)
    })
}

/// Returns true if the mover's piece on a square could go to another if neither
/// checks nor the bar on captures were a matter.
pub(crate) fn aims_at(variant: &Variant, core: &Core, from: Square, to: Square) -> bool {
    on_board!(core, |t, state| {
        let (from, to) = (index_on(state, from), index_on(state, to));
        state.get(from).is_some_and(|piece| {
            Explainer::new(t, state, variant)
                .pseudo_targets(piece, from)
                .has(to)
        })
    })
}

impl<B: Bitboard> Explainer<'_, B> {
    fn ply(&self, ply: &Ply) -> Why {
        match ply {
            Ply::Move {
                from,
                to,
                promotion,
            } => on_squares::<B>(&[*from, *to], || {
                self.board_move(B::index(*from), B::index(*to), *promotion)
            }),
            Ply::Castle(side) => self.castle(*side),
            Ply::Drop { role, to } => on_squares::<B>(&[*to], || {
                let to = B::index(*to);
                self.drop_alone(*role, to)
                    .unwrap_or_else(|| self.left_in_check(IndexedPly::Drop { role: *role, to }))
            }),
            Ply::Relocation { role, to, pawn } => on_squares::<B>(&[*to, *pawn], || {
                self.relocation(*role, B::index(*to), B::index(*pawn))
            }),
            Ply::Placement(placement) => self.placement(placement),
        }
    }
}

/// The reason, if the board has the squares.
fn on_squares<B: Bitboard>(squares: &[Square], why: impl FnOnce() -> Why) -> Why {
    match squares.iter().find(|square| !square.is_on(B::WIDTH)) {
        Some(square) => Why::OffBoard(*square),
        None => why(),
    }
}
