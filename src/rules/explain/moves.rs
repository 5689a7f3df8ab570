//! Why a piece may not go there on the board.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::common::{Explainer, list};
use crate::bitboard::Bitboard;
use crate::piece::{Piece, Role};
use crate::placement;
use crate::square::Square;
use crate::state::IndexedPly;

impl<B: Bitboard> Explainer<'_, B> {
    pub(super) fn board_move(&self, from: u8, to: u8, promotion: Option<Role>) -> String {
        let us = self.us;
        let Some(piece) = self.state.get(from) else {
            return format!("there is no piece on {}", B::square(from));
        };
        if piece.color != us {
            let (role, owner) = (piece.role.name(), self.name(piece.color));
            return format!(
                "the {role} on {} is {owner}'s, and it is {}'s turn",
                B::square(from),
                self.name(us)
            );
        }
        if let Some(own) = self.state.get(to).filter(|other| other.color == us) {
            let (name, role) = (self.name(us), own.role.name());
            return format!("{name}'s own {role} stands on {}", B::square(to));
        }
        if !self.pseudo_targets(piece, from).has(to) {
            return self.out_of_reach(piece, from, to);
        }
        let captures = self.state.of(!us).has(to) || self.takes_in_passing(piece, from, to);
        if captures && self.state.king(us).is_none() && self.t.rules.king_before_capture {
            let name = self.name(us);
            return format!("{name}'s king is still in reserve, so {name} may not capture");
        }
        if let Some(why) = self.promotion(piece, from, to, promotion) {
            return why;
        }
        self.left_in_check(IndexedPly::Move {
            from,
            to,
            promotion,
        })
    }

    /// Where a piece goes if checks and the bar on captures are left out.
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

    pub(super) fn reach(&self, from: Square) -> Option<String> {
        let index = B::index(from);
        let piece = self.state.get(index)?;
        let mut squares: Vec<Square> = self
            .pseudo_targets(piece, index)
            .squares()
            .map(B::square)
            .collect();
        squares.sort_unstable();
        let role = piece.role.name();
        Some(if squares.is_empty() {
            format!("the {role} on {from} has nowhere to go")
        } else {
            format!("the {role} on {from} reaches {}", list(&squares, "and"))
        })
    }

    fn out_of_reach(&self, piece: Piece, from: u8, to: u8) -> String {
        let special = if self.is_chess_pawn(piece) {
            self.pawn_out_of_reach(from, to)
        } else {
            self.blocked(piece, from, to)
        };
        special
            .or_else(|| self.reach(B::square(from)))
            .unwrap_or_default()
    }

    /// What stands in the way of a piece that runs along a line.
    fn blocked(&self, piece: Piece, from: u8, to: u8) -> Option<String> {
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
