//! Reasons why a chess pawn may not go to a square, or a piece not promote.

use super::common::{Explainer, ranks_of};
use crate::bitboard::{Bitboard, ahead};
use crate::drop_restrictions::may_promote;
use crate::game::{DoubleStep, Kings, Promotion, Rules};
use crate::illegal::{IllegalMoveKind as Why, MissingRule};
use crate::piece::{Color, Piece, Role};

impl<B: Bitboard> Explainer<'_, B> {
    pub(super) fn is_chess_pawn(&self, piece: Piece) -> bool {
        self.t.chess_pawns && piece.role == Role::Pawn
    }

    /// The squares a chess pawn goes to if checks and the bar on captures are left out.
    pub(super) fn pawn_targets(&self, color: Color, from: u8) -> B {
        let bit = B::bit(from);
        let free = self.state.empty();
        let forward = ahead::<B>(color);
        let single = bit.shift(forward) & free;
        let mut targets = single;
        if self.state.double_steppers(self.t, color).meets(bit) {
            targets |= single.shift(forward) & free;
        }
        let mut victims = self.state.of(!color);
        if color == self.us {
            victims |= self.state.passed;
        }
        targets | (self.t.pawn.steps(color, from) & victims)
    }

    pub(super) fn takes_in_passing(&self, piece: Piece, from: u8, to: u8) -> bool {
        self.is_chess_pawn(piece)
            && self.state.passed.has(to)
            && self.t.pawn.steps(self.us, from).has(to)
    }

    /// The reason why the mover's chess pawn does not go to a square, if there is
    /// a better one than the squares it goes to.
    pub(super) fn pawn_out_of_reach(&self, from: u8, to: u8) -> Option<Why> {
        if self.t.pawn.steps(self.us, from).has(to) {
            return Some(self.nothing_to_capture(to));
        }
        let forward = ahead::<B>(self.us);
        let single = B::bit(from).shift(forward);
        let double = single.shift(forward);
        let occupied = self.state.occupied();
        if (single | double).has(to) && single.meets(occupied) {
            return Some(self.in_the_way(single.lowest(), Role::Pawn, from));
        }
        if !double.has(to) {
            return None;
        }
        if occupied.has(to) {
            return Some(self.in_the_way(to, Role::Pawn, from));
        }
        let (start, end) = (B::square(from), B::square(to));
        Some(match self.t.rules.double_step() {
            DoubleStep::Never => self.without(MissingRule::DoubleStep(start, end), |rules| {
                rules.double_step() != DoubleStep::Never
            }),
            _ if !self.t.second[self.us.index()].has(from) => Why::NotOnSecondRank(start),
            _ => Why::NotDroppedThere(start),
        })
    }

    /// The reason why a pawn captures nothing on an empty square.
    fn nothing_to_capture(&self, to: u8) -> Why {
        let them = !self.us;
        let behind = B::bit(to).shift(ahead::<B>(them));
        let third = self.t.second[them.index()].shift(ahead::<B>(them));
        let passable = third.has(to) && behind.meets(self.state.pieces(them, Role::Pawn));
        if !passable {
            return Why::NothingToCapture(B::square(to));
        }
        if !self.t.rules.en_passant() {
            return self.without(MissingRule::EnPassant, Rules::en_passant);
        }
        Why::NotEnPassant(B::square(behind.lowest()))
    }

    pub(super) fn promotion(
        &self,
        piece: Piece,
        from: u8,
        to: u8,
        into: Option<Role>,
    ) -> Option<Why> {
        match self.t.rules.promotion {
            Promotion::LastRank(choices) => self.promotion_of_pawn(piece, to, into, choices),
            Promotion::Zone { after, .. } => self.promotion_in_zone(piece, [from, to], into, after),
        }
    }

    fn promotion_of_pawn(
        &self,
        piece: Piece,
        to: u8,
        into: Option<Role>,
        choices: &[Role],
    ) -> Option<Why> {
        let end = B::square(to);
        let pawn = piece.role == Role::Pawn;
        let last = pawn && self.t.zone[self.us.index()].has(to);
        match into {
            Some(_) if !pawn => Some(Why::NoPromotion(piece.role)),
            Some(_) if !last => Some(Why::NotOnLastRank(end)),
            into if last && !into.is_some_and(|into| choices.contains(&into)) => {
                Some(Why::ChoosePromotion {
                    to: end,
                    choices: choices.to_vec(),
                })
            }
            _ => None,
        }
    }

    fn promotion_in_zone(
        &self,
        piece: Piece,
        [from, to]: [u8; 2],
        into: Option<Role>,
        after: Kings,
    ) -> Option<Why> {
        let us = self.us.index();
        let (start, end) = (B::square(from), B::square(to));
        let role = piece.role;
        let zone = self.t.zone[us];
        let immobile = self
            .t
            .movement(piece.role)
            .is_some_and(|movement| movement.immobile[us].has(to));
        match into {
            Some(_) if piece.role.is_promoted() => Some(Why::AlreadyPromoted { from: start, role }),
            Some(into) if piece.role.promoted() != Some(into) => {
                Some(match piece.role.promoted() {
                    Some(promoted) => Why::WrongPromotion { role, promoted },
                    None => Why::NoPromotion(role),
                })
            }
            _ if (into.is_some() || immobile) && !may_promote(self.t, self.state) => {
                Some(Why::PromotionBeforeKing {
                    king: self.missing_king(after),
                    stranded: immobile.then_some((role, end)),
                })
            }
            Some(_) if !zone.has(from) && !zone.has(to) => Some(Why::OutsideZone {
                from: start,
                to: end,
                ranks: ranks_of(zone),
            }),
            None if immobile => Some(Why::MustPromote { role, to: end }),
            _ => None,
        }
    }

    /// The player whose king is in reserve, which bars the promotion.
    fn missing_king(&self, after: Kings) -> Color {
        match after {
            Kings::Enemy => !self.us,
            Kings::Both if self.state.king(self.us).is_some() => !self.us,
            _ => self.us,
        }
    }
}
