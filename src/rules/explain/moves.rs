//! Reasons why a piece may not go to a square.

use alloc::vec::Vec;

use super::common::Explainer;
use crate::bitboard::Bitboard;
use crate::illegal::IllegalMoveKind as Why;
use crate::piece::{Piece, Role};
use crate::placement;
use crate::square::Square;
use crate::state::IndexedPly;

impl<B: Bitboard> Explainer<'_, B> {
    pub(super) fn board_move(&self, from: u8, to: u8, promotion: Option<Role>) -> Why {
        let us = self.us;
        let (start, end) = (B::square(from), B::square(to));
        let Some(piece) = self.state.get(from) else {
            return Why::EmptySquare(start);
        };
        if piece.color != us {
            return Why::NotYours { from: start, piece };
        }
        if let Some(own) = self.state.get(to).filter(|other| other.color == us) {
            let role = own.role;
            return Why::OwnPiece { to: end, role };
        }
        if !self.pseudo_targets(piece, from).has(to) {
            return self.out_of_reach(piece, from, to);
        }
        let captures = self.state.of(!us).has(to) || self.takes_in_passing(piece, from, to);
        if captures && self.state.king(us).is_none() && self.t.rules.king_before_capture {
            return Why::CaptureBeforeKing;
        }
        if let Some(why) = self.promotion(piece, from, to, promotion) {
            return why;
        }
        self.left_in_check(IndexedPly::Move {
            role: piece.role,
            from,
            to,
            promotion,
        })
    }

    /// The squares a piece goes to if checks and the bar on captures are left out.
    pub(super) fn pseudo_targets(&self, piece: Piece, from: u8) -> B {
        if self.is_chess_pawn(piece) {
            return self.pawn_targets(piece.color, from);
        }
        let own = self.state.of(piece.color);
        self.t.movement(piece.role).map_or(B::EMPTY, |movement| {
            let occupied = self.state.occupied();
            self.t.attacks(movement, piece.color, from, occupied) & !own
        })
    }

    pub(super) fn reach(&self, from: Square) -> Option<Why> {
        let index = B::index(from);
        let piece = self.state.get(index)?;
        let mut reaches: Vec<Square> = self
            .pseudo_targets(piece, index)
            .squares()
            .map(B::square)
            .collect();
        reaches.sort_unstable();
        let role = piece.role;
        Some(Why::OutOfReach {
            from,
            role,
            reaches,
        })
    }

    fn out_of_reach(&self, piece: Piece, from: u8, to: u8) -> Why {
        let special = if self.is_chess_pawn(piece) {
            self.pawn_out_of_reach(from, to)
        } else {
            self.blocked(piece, from, to)
        };
        special
            .or_else(|| self.reach(B::square(from)))
            .unwrap_or(Why::Other)
    }

    /// The piece in the way of one that runs along a line.
    fn blocked(&self, piece: Piece, from: u8, to: u8) -> Option<Why> {
        let movement = self.t.movement(piece.role)?;
        if !self
            .t
            .attacks(movement, piece.color, from, B::EMPTY)
            .has(to)
        {
            return None;
        }
        let way = placement::between(self.t, from, to)? & self.state.occupied();
        let nearest = way
            .squares()
            .min_by_key(|index| distance::<B>(*index, from))?;
        Some(self.in_the_way(nearest, piece.role, from))
    }
}

fn distance<B: Bitboard>(one: u8, other: u8) -> u8 {
    let (a, b) = (B::square(one), B::square(other));
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index()))
}
