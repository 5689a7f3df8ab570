//! Why king and rook may not castle (docs/rules.md 3.4, 7.5, 8.6).

use alloc::format;
use alloc::string::String;

use super::common::Explainer;
use crate::bitboard::Bitboard;
use crate::castling::castling_path;
use crate::piece::{Piece, Role};
use crate::ply::Side;
use crate::state::IndexedPly;

impl<B: Bitboard> Explainer<'_, B> {
    pub(super) fn castle(&self, side: Side) -> String {
        let us = self.us;
        if !self.t.rules.castling {
            return format!("{} has no castling", self.without(|rules| rules.castling));
        }
        let name = self.name(us);
        let [king, rook, king_to, rook_to] = castling_path(us, side);
        for (role, at) in [(Role::King, king), (Role::Rook, rook)] {
            let (square, role_name) = (B::square(at), role.name());
            if self.state.get(at) != Some(Piece { color: us, role }) {
                return format!("to castle there {name} needs a {role_name} on {square}");
            }
            if !self.state.unmoved.has(at) {
                return format!("{name}'s {role_name} on {square} has moved, so it can't castle");
            }
        }
        let between = (king.min(rook) + 1..king.max(rook)).find(|&i| self.state.get(i).is_some());
        if let Some(at) = between {
            return format!("{} stands between king and rook", self.whose(at));
        }
        if self.state.is_check(self.t, us) {
            return format!("{name} is in check, and nobody castles out of check");
        }
        for (at, way) in [(rook_to, "across"), (king_to, "to")] {
            let attackers = self.state.attackers(self.t, !us, at, self.state.occupied());
            if !attackers.is_empty() {
                return format!(
                    "castling would take the king {way} {}, which {} attacks",
                    B::square(at),
                    self.whose(attackers.lowest())
                );
            }
        }
        self.left_in_check(IndexedPly::Castle(side))
    }
}
