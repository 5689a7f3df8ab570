//! Why a move is not allowed, found out by asking one rule after another.

mod castling;
mod common;
mod drops;
mod moves;
mod pawns;

use alloc::format;
use alloc::string::String;

use crate::bitboard::Bitboard;
use crate::engine::{Core, index_on, on_board};
use crate::illegal::IllegalMove;
use crate::ply::Ply;
use crate::square::Square;
use crate::state::IndexedPly;
use crate::variant::Variant;

use common::Explainer;
pub(crate) use common::list;
pub(crate) use drops::king_first;

/// Why a ply that is not legal is not.
pub(crate) fn why_not(variant: &Variant, core: &Core, ply: &Ply) -> IllegalMove {
    IllegalMove::new(on_board!(core, |t, state| {
        Explainer::new(t, state, variant).ply(ply)
    }))
}

/// Where the piece on a square goes, in words: "the knight on g5 reaches e4
/// and e6". For a pawn of chess its advances are meant as well as captures.
pub(crate) fn reach(variant: &Variant, core: &Core, from: Square) -> Option<String> {
    on_board!(core, |t, state| {
        Explainer::new(t, state, variant).reach(from)
    })
}

/// Whether the mover's piece on a square could go to another if neither
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
    fn ply(&self, ply: &Ply) -> String {
        match ply {
            Ply::Move {
                from,
                to,
                promotion,
            } => self.with_squares(&[*from, *to], || {
                self.board_move(B::index(*from), B::index(*to), *promotion)
            }),
            Ply::Castle(side) => self.castle(*side),
            Ply::Drop { role, to } => self.with_squares(&[*to], || {
                let to = B::index(*to);
                self.drop_alone(*role, to)
                    .unwrap_or_else(|| self.left_in_check(IndexedPly::Drop { role: *role, to }))
            }),
            Ply::Relocation { role, to, pawn } => self.with_squares(&[*to, *pawn], || {
                self.relocation(*role, B::index(*to), B::index(*pawn))
            }),
            Ply::Placement(placement) => self.placement(placement),
        }
    }

    fn with_squares(&self, squares: &[Square], why: impl FnOnce() -> String) -> String {
        match squares.iter().find(|square| !square.is_on(B::WIDTH)) {
            Some(square) => format!("{square} is not a square of {}", self.game()),
            None => why(),
        }
    }
}
