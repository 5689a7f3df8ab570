//! Why a chess pawn may not go there, and why no piece may promote there.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::common::{Explainer, list, ranks_of};
use crate::bitboard::{Bitboard, ahead};
use crate::drop_restrictions::may_promote;
use crate::game::{DoubleStep, Kings, PawnRule, Promotion};
use crate::piece::{Color, Piece, Role};

impl<B: Bitboard> Explainer<'_, B> {
    pub(super) fn is_chess_pawn(&self, piece: Piece) -> bool {
        self.t.chess_pawns && piece.role == Role::Pawn
    }

    /// Where a chess pawn goes if checks and the bar on captures are left out.
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

    /// Why the mover's chess pawn does not go there, where there is more to
    /// say than where it goes.
    pub(super) fn pawn_out_of_reach(&self, from: u8, to: u8) -> Option<String> {
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
        Some(match self.t.double_step() {
            DoubleStep::Never => format!(
                "{} has no double step of pawns: the pawn on {start} can't go to {end}",
                self.without(|rules| !matches!(
                    rules.pawn,
                    PawnRule::Chess {
                        double_step: DoubleStep::Never,
                        ..
                    }
                ))
            ),
            _ if !self.t.second[self.us.index()].has(from) => {
                format!("the pawn on {start} is not on its second rank, so it goes one square only")
            }
            _ => format!("the pawn on {start} was not dropped there, so it has no double step"),
        })
    }

    /// Why a pawn captures nothing on an empty square.
    fn nothing_to_capture(&self, to: u8) -> String {
        let end = B::square(to);
        let them = !self.us;
        let behind = B::bit(to).shift(ahead::<B>(them));
        let third = self.t.second[them.index()].shift(ahead::<B>(them));
        let passable = third.has(to) && behind.meets(self.state.pieces(them, Role::Pawn));
        if !passable {
            return format!("there is nothing to capture on {end}");
        }
        if !self.t.en_passant() {
            let game = self.without(|rules| {
                matches!(
                    rules.pawn,
                    PawnRule::Chess {
                        en_passant: true,
                        ..
                    }
                )
            });
            return format!("{game} has no capture en passant");
        }
        format!(
            "the pawn on {} did not come there by a double step on the turn before, so it can't be taken en passant",
            B::square(behind.lowest())
        )
    }

    pub(super) fn promotion(
        &self,
        piece: Piece,
        from: u8,
        to: u8,
        into: Option<Role>,
    ) -> Option<String> {
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
    ) -> Option<String> {
        let end = B::square(to);
        let pawn = piece.role == Role::Pawn;
        let last = pawn && self.t.zone[self.us.index()].has(to);
        match into {
            Some(_) if !pawn => Some(format!("a {} does not promote", piece.role.name())),
            Some(_) if !last => Some(format!("a pawn promotes on the last rank, not on {end}")),
            into if last && !into.is_some_and(|into| choices.contains(&into)) => {
                let names: Vec<_> = choices.iter().map(|role| role.name()).collect();
                Some(format!(
                    "a pawn that reaches {end} becomes a {}",
                    list(&names, "or")
                ))
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
    ) -> Option<String> {
        let us = self.us.index();
        let (start, end) = (B::square(from), B::square(to));
        let role = piece.role.name();
        let zone = self.t.zone[us];
        let immobile = self
            .t
            .movement(piece.role)
            .is_some_and(|movement| movement.immobile[us].has(to));
        match into {
            Some(_) if piece.role.is_promoted() => {
                Some(format!("the {role} on {start} is promoted already"))
            }
            Some(into) if piece.role.promoted() != Some(into) => {
                Some(match piece.role.promoted() {
                    Some(promoted) => format!("a {role} becomes a {} only", promoted.name()),
                    None => format!("a {role} does not promote"),
                })
            }
            _ if (into.is_some() || immobile) && !may_promote(self.t, self.state) => {
                let bar = self.barred_promotion(after);
                Some(if immobile {
                    format!("{bar}, and a {role} on {end} could never move again without promoting")
                } else {
                    bar
                })
            }
            Some(_) if !zone.has(from) && !zone.has(to) => Some(format!(
                "{}'s pieces promote when their move begins or ends on ranks {}, not from {start} to {end}",
                self.name(self.us),
                list(&ranks_of(zone), "or")
            )),
            None if immobile => Some(format!(
                "a {role} that reaches {end} must promote: it could never move again"
            )),
            _ => None,
        }
    }

    fn barred_promotion(&self, after: Kings) -> String {
        let (us, them) = (self.name(self.us), self.name(!self.us));
        let own_placed = self.state.king(self.us).is_some();
        let owner = match after {
            Kings::Enemy => them,
            Kings::Both if own_placed => them,
            _ => us,
        };
        format!("{owner}'s king is still in reserve, so {us} may not promote")
    }
}
