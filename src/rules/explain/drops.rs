//! Reasons why a reserve piece may not be dropped: alone, on a pawn, or among
//! others.

use super::common::{Explainer, ranks_of};
use crate::bitboard::Bitboard;
use crate::drop_restrictions::{ForbiddenAttacks, barred_bishop_squares, pawn_files};
use crate::game::{DropAttack, Rules};
use crate::illegal::{IllegalMoveKind as Why, MissingRule};
use crate::movegen;
use crate::piece::Role;
use crate::placement;
use crate::ply::Placement;
use crate::state::IndexedPly;
use crate::tables::Movement;

impl<B: Bitboard> Explainer<'_, B> {
    /// The reason why a drop is not allowed, checks apart.
    pub(super) fn drop_alone(&self, role: Role, to: u8) -> Option<Why> {
        let us = self.us;
        if let Some(why) = self.not_in_reserve(role) {
            return Some(why);
        }
        if placement::is_first_turn(self.t, self.state, us) && role != Role::King {
            return Some(Why::KingFirst);
        }
        let own_pawn = self.state.pieces(us, Role::Pawn).has(to);
        if own_pawn && self.t.rules.relocation.is_some() {
            return Some(self.dropped_on_pawn(role, to));
        }
        self.taken(to).or_else(|| self.drop_place(role, to))
    }

    /// The piece that stands where another one is to come.
    fn taken(&self, to: u8) -> Option<Why> {
        let (piece, square) = (self.state.get(to)?, B::square(to));
        Some(Why::Occupied { square, piece })
    }

    pub(super) fn not_in_reserve(&self, role: Role) -> Option<Why> {
        let rules = &self.t.rules;
        if !rules.has_reserve() {
            Some(NO_DROPS)
        } else if rules.kind(role).is_none() {
            Some(Why::NoSuchPiece(role))
        } else if !rules.slots().any(|(slot, _)| slot == role) {
            let slot = |rules: &Rules| rules.slots().any(|(slot, _)| slot == role);
            let option = self.taken_away_by(slot);
            Some(Why::NeverInReserve { role, option })
        } else if !self.state.reserve(self.us).has(role) {
            Some(Why::NotInReserve(role))
        } else {
            None
        }
    }

    /// The reason why a reserve piece may not be dropped on an empty square.
    fn drop_place(&self, role: Role, to: u8) -> Option<Why> {
        let us = self.us;
        let square = B::square(to);
        let movement = self.t.movement(role)?;
        if !self.t.drop_ranks(us, movement.role).has(to) {
            return Some(self.outside_drop_zone(movement, to));
        }
        if role == Role::Pawn && self.t.rules.one_pawn_a_file && pawn_files(self.state, us).has(to)
        {
            return Some(Why::SecondPawn(square.file()));
        }
        if barred_bishop_squares(self.t, self.state, role).has(to) {
            return Some(self.bishops_differ(to));
        }
        if ForbiddenAttacks::new(self.t, self.state)
            .from(movement)
            .has(to)
        {
            return Some(self.attacks_on_landing(movement, to));
        }
        self.pawn_drop_mates(role, to)
            .then_some(Why::PawnDropMate(square))
    }

    fn bishops_differ(&self, to: u8) -> Why {
        Why::BishopColor {
            square: B::square(to),
            light: self.t.light.has(to),
            placed: self.is_placed(Role::Bishop),
        }
    }

    /// Returns true if the sources speak of placing the piece, not of dropping it.
    fn is_placed(&self, role: Role) -> bool {
        self.t.rules.placement || role == Role::Pawn
    }

    fn outside_drop_zone(&self, movement: &Movement<B>, to: u8) -> Why {
        let (role, us) = (movement.role, self.us.index());
        let square = B::square(to);
        if movement.immobile[us].has(to) && !self.t.chess_pawns {
            return Why::DropStranded { role, square };
        }
        let mut slots = self.t.rules.slots();
        Why::DropRank {
            role,
            square,
            ranks: ranks_of(self.t.drop_ranks(self.us, movement.role)),
            single: slots.any(|(slot, count)| slot == role && count == 1),
            placed: self.is_placed(role),
        }
    }

    fn attacks_on_landing(&self, movement: &Movement<B>, to: u8) -> Why {
        let attacked = self.t.attacks(movement, self.us, to, self.state.occupied());
        let king_only = self.t.rules.drop_attack == DropAttack::NotTheKing;
        let spared = if king_only {
            self.state.pieces(!self.us, Role::King)
        } else {
            self.state.of(!self.us)
        };
        let mut victims = (attacked & spared).squares();
        Why::DropAttacks {
            role: movement.role,
            square: B::square(to),
            victim: victims.next().map(|at| self.standing(at)),
            king_only,
        }
    }

    fn pawn_drop_mates(&self, role: Role, to: u8) -> bool {
        role == Role::Pawn && !self.t.rules.pawn_drop_mate && {
            let next = self.state.play(self.t, IndexedPly::Drop { role, to });
            next.is_check(self.t, !self.us) && !movegen::any(self.t, &next)
        }
    }

    /// The reason why a drop on an own pawn is not allowed without the pawn's new
    /// square.
    fn dropped_on_pawn(&self, role: Role, to: u8) -> Why {
        if let Some(why) = self.barred_relocation(role, to) {
            return why;
        }
        let mut goals = (self.t.relocation[self.us.index()] & self.state.empty()).squares();
        Why::DropOnPawn {
            role,
            square: B::square(to),
            goal: goals.next().map(B::square),
        }
    }

    /// The reason why no drop of the role on an own pawn is allowed, wherever the
    /// pawn goes.
    fn barred_relocation(&self, role: Role, to: u8) -> Option<Why> {
        if self.state.is_check(self.t, self.us) {
            return Some(Why::RelocationInCheck);
        }
        barred_bishop_squares(self.t, self.state, role)
            .has(to)
            .then(|| self.bishops_differ(to))
    }

    pub(super) fn relocation(&self, role: Role, to: u8, pawn: u8) -> Why {
        let us = self.us;
        if self.t.rules.relocation.is_none() {
            return Why::NoSuchRule {
                rule: MissingRule::Relocation,
                option: None,
            };
        }
        if let Some(why) = self.not_in_reserve(role) {
            return why;
        }
        if self.state.get(to) != Some(Role::Pawn.of(us)) {
            return Why::NoPawn(B::square(to));
        }
        if let Some(why) = self.barred_relocation(role, to) {
            return why;
        }
        self.taken(pawn).unwrap_or_else(|| Why::RelocationRank {
            square: B::square(pawn),
            ranks: ranks_of(self.t.relocation[us.index()]),
        })
    }

    pub(super) fn placement(&self, placement: &Placement) -> Why {
        if !self.t.rules.has_reserve() {
            return NO_DROPS;
        }
        if !self.t.rules.placement {
            return Why::OneDropATurn;
        }
        if placement.len() < 2 {
            return Why::PlacementTooSmall;
        }
        let first = placement::is_first_turn(self.t, self.state, self.us);
        if first && !placement.drops().any(|(role, _)| role == Role::King) {
            return Why::KingFirst;
        }
        let mut next = *self.state;
        for (role, square) in placement.drops() {
            let after = Explainer {
                state: &next,
                ..*self
            };
            if !square.is_on(B::WIDTH) {
                return Why::OffBoard(square);
            }
            let to = B::index(square);
            let too_few = || {
                let held = self.state.reserve(self.us).count(role);
                let none_left = !next.reserve(self.us).has(role);
                none_left.then_some(Why::TooFewInReserve { role, held })
            };
            let why = self
                .not_in_reserve(role)
                .or_else(too_few)
                .or_else(|| after.taken(to))
                .or_else(|| after.drop_place(role, to));
            if let Some(why) = why {
                return why;
            }
            next.drop(self.t, role, to);
        }
        self.in_check_after(&next)
    }
}

const NO_DROPS: Why = Why::NoSuchRule {
    rule: MissingRule::Drops,
    option: None,
};
