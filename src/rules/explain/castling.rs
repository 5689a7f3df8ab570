//! Reasons why king and rook may not castle.

use super::common::Explainer;
use crate::bitboard::Bitboard;
use crate::castling::castling_path;
use crate::illegal::{IllegalMoveKind as Why, MissingRule};
use crate::piece::{Piece, Role};
use crate::ply::Side;
use crate::state::IndexedPly;

impl<B: Bitboard> Explainer<'_, B> {
    pub(super) fn castle(&self, side: Side) -> Why {
        let us = self.us;
        if !self.t.rules.castling {
            return self.without(MissingRule::Castling, |rules| rules.castling);
        }
        let [king, rook, king_to, rook_to] = castling_path(us, side);
        for (role, at) in [(Role::King, king), (Role::Rook, rook)] {
            let square = B::square(at);
            if self.state.get(at) != Some(Piece { color: us, role }) {
                return Why::CastlingPiece { role, square };
            }
            if !self.state.unmoved.has(at) {
                return Why::CastlingMoved { role, square };
            }
        }
        let between = (king.min(rook) + 1..king.max(rook)).find(|&i| self.state.get(i).is_some());
        if let Some(at) = between {
            let blocker = self.standing(at);
            return Why::CastlingBlocked { blocker };
        }
        if self.state.is_check(self.t, us) {
            return Why::CastlingInCheck;
        }
        for (at, lands) in [(rook_to, false), (king_to, true)] {
            let attackers = self.state.attackers(self.t, !us, at, self.state.occupied());
            if !attackers.is_empty() {
                return Why::CastlingAttacked {
                    square: B::square(at),
                    attacker: self.standing(attackers.lowest()),
                    lands,
                };
            }
        }
        self.left_in_check(IndexedPly::Castle(side))
    }
}
