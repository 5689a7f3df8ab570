//! Why a reserve piece may not be dropped there, alone, on a pawn or among
//! others.

use alloc::format;
use alloc::string::String;

use super::common::{Explainer, list, ranks_of};
use crate::bitboard::Bitboard;
use crate::drop_restrictions::{ForbiddenAttacks, barred_bishop_squares, pawn_files};
use crate::game::DropAttack;
use crate::movegen;
use crate::piece::{Piece, Role};
use crate::placement;
use crate::ply::Placement;
use crate::state::IndexedPly;
use crate::tables::Movement;

impl<B: Bitboard> Explainer<'_, B> {
    /// Why a drop is not allowed for reasons of its own, checks apart.
    pub(super) fn drop_alone(&self, role: Role, to: u8) -> Option<String> {
        let us = self.us;
        if let Some(why) = self.not_in_reserve(role) {
            return Some(why);
        }
        if placement::is_first_turn(self.t, self.state, us) && role != Role::King {
            return Some(king_first(self.name(self.us)));
        }
        let own_pawn = self.state.pieces(us, Role::Pawn).has(to);
        if own_pawn && self.t.rules.relocation.is_some() {
            return Some(self.dropped_on_pawn(role, to));
        }
        self.taken(to).or_else(|| self.drop_place(role, to))
    }

    /// What already stands where a piece is to come.
    fn taken(&self, to: u8) -> Option<String> {
        let Piece { color, role } = self.state.get(to)?;
        let (owner, role, square) = (self.name(color), role.name(), B::square(to));
        Some(format!(
            "{square} is not empty: {owner}'s {role} stands there"
        ))
    }

    pub(super) fn not_in_reserve(&self, role: Role) -> Option<String> {
        let rules = &self.t.rules;
        let name = role.name();
        if !rules.has_reserve() {
            Some(format!("{} has no drops", self.game()))
        } else if rules.kind(role).is_none() {
            Some(format!("there is no {name} in {}", self.game()))
        } else if !rules.slots().any(|(slot, _)| slot == role) {
            let game = self.without(|rules| rules.slots().any(|(slot, _)| slot == role));
            Some(format!("in {game} no {name} is ever in reserve"))
        } else if !self.state.reserve(self.us).has(role) {
            Some(format!("{} has no {name} in reserve", self.name(self.us)))
        } else {
            None
        }
    }

    /// Why one piece more cannot be placed than there were in reserve.
    fn none_left(&self, role: Role, had: u8) -> Option<String> {
        let (name, piece) = (self.name(self.us), role.name());
        let plural = if had == 1 { "" } else { "s" };
        (!self.state.reserve(self.us).has(role))
            .then(|| format!("{name} has no more than {had} {piece}{plural} in reserve"))
    }

    /// Why an empty square is no place to drop a piece of the reserve on.
    fn drop_place(&self, role: Role, to: u8) -> Option<String> {
        let us = self.us;
        let name = self.name(us);
        let square = B::square(to);
        let movement = self.t.movement(role)?;
        if !movement.drop_zone[us.index()].has(to) {
            return Some(self.outside_drop_zone(movement, to));
        }
        if role == Role::Pawn
            && self.t.rules.one_pawn_a_file
            && pawn_files(self.t, self.state, us).has(to)
        {
            return Some(format!(
                "{name} already has an unpromoted pawn on the {}-file, and may not drop a second there",
                square.file()
            ));
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
            .then(|| format!("a dropped pawn may not give checkmate, as it would on {square}"))
    }

    fn bishops_differ(&self, to: u8) -> String {
        let (name, verb) = (self.name(self.us), self.verb(Role::Bishop));
        let color = if self.t.light.has(to) {
            "light"
        } else {
            "dark"
        };
        format!(
            "{name}'s first bishop was {verb} on a {color} square; the second goes on the other colour, and {} is {color}",
            B::square(to)
        )
    }

    /// "dropped", or the word that the sources use.
    fn verb(&self, role: Role) -> &'static str {
        if self.t.rules.placement || role == Role::Pawn {
            "placed"
        } else {
            "dropped"
        }
    }

    fn outside_drop_zone(&self, movement: &Movement<B>, to: u8) -> String {
        let role = movement.role.name();
        let us = self.us.index();
        let square = B::square(to);
        if movement.immobile[us].has(to) && !self.t.chess_pawns {
            return format!("a {role} dropped on {square} could never move");
        }
        let single = self
            .t
            .rules
            .slots()
            .any(|(slot, count)| slot == movement.role && count == 1);
        let (name, verb) = (self.name(self.us), self.verb(movement.role));
        let ranks = list(&ranks_of(movement.drop_zone[us]), "or");
        if single {
            format!("{name}'s {role} is {verb} on ranks {ranks}, not on {square}")
        } else {
            format!("{name}'s {role}s are {verb} on ranks {ranks}, not on {square}")
        }
    }

    fn attacks_on_landing(&self, movement: &Movement<B>, to: u8) -> String {
        let attacked = self.t.attacks(movement, self.us, to, self.state.occupied());
        let role = movement.role.name();
        let square = B::square(to);
        let (protected, spare) = match self.t.rules.drop_attack {
            DropAttack::NotTheKing => ("the enemy king", self.state.pieces(!self.us, Role::King)),
            _ => ("an enemy piece", self.state.of(!self.us)),
        };
        let victim = (attacked & spare).squares().map(|at| self.whose(at)).next();
        format!(
            "a dropped piece may not attack {protected}; the {role} on {square} would attack {}",
            victim.unwrap_or_default()
        )
    }

    fn pawn_drop_mates(&self, role: Role, to: u8) -> bool {
        role == Role::Pawn && !self.t.rules.pawn_drop_mate && {
            let next = self.state.play(self.t, IndexedPly::Drop { role, to });
            next.is_check(self.t, !self.us) && movegen::count(self.t, &next) == 0
        }
    }

    /// Why a drop on an own pawn is none: it lacks the pawn's square, or none
    /// would help.
    fn dropped_on_pawn(&self, role: Role, to: u8) -> String {
        let us = self.us;
        if let Some(why) = self.barred_relocation(role, to) {
            return why;
        }
        let (name, square) = (self.name(us), B::square(to));
        let mut goals = (self.t.relocation[us.index()] & self.state.empty()).squares();
        let what = goals.next().map_or_else(
            || String::from("there is no square for it to go to"),
            |goal| {
                let drop = Piece { color: us, role };
                format!(
                    "say where it goes, as in {drop}>{square}/{}",
                    B::square(goal)
                )
            },
        );
        format!("{square} is not empty: {name}'s own pawn stands there; {what}")
    }

    /// Why no drop of the role on that own pawn is allowed, wherever the pawn
    /// goes.
    fn barred_relocation(&self, role: Role, to: u8) -> Option<String> {
        if self.state.is_check(self.t, self.us) {
            let name = self.name(self.us);
            return Some(format!(
                "{name} is in check, and then no pawn may be relocated"
            ));
        }
        barred_bishop_squares(self.t, self.state, role)
            .has(to)
            .then(|| self.bishops_differ(to))
    }

    pub(super) fn relocation(&self, role: Role, to: u8, pawn: u8) -> String {
        let us = self.us;
        let name = self.name(us);
        if self.t.rules.relocation.is_none() {
            return format!("{} has no relocation of pawns", self.game());
        }
        if let Some(why) = self.not_in_reserve(role) {
            return why;
        }
        let own_pawn = Piece {
            color: us,
            role: Role::Pawn,
        };
        let square = B::square(to);
        if self.state.get(to) != Some(own_pawn) {
            return format!("{name} has no pawn on {square} to put elsewhere");
        }
        if let Some(why) = self.barred_relocation(role, to) {
            return why;
        }
        let ranks = list(&ranks_of(self.t.relocation[us.index()]), "or");
        self.taken(pawn).unwrap_or_else(|| {
            format!(
                "{name}'s relocated pawn goes to ranks {ranks}, not to {}",
                B::square(pawn)
            )
        })
    }

    pub(super) fn placement(&self, placement: &Placement) -> String {
        if !self.t.rules.has_reserve() {
            return format!("{} has no drops", self.game());
        }
        if !self.t.rules.placement {
            return format!("in {} one piece is dropped at a time", self.game());
        }
        if placement.len() < 2 {
            return String::from("a placement is of two pieces or more");
        }
        let first = placement::is_first_turn(self.t, self.state, self.us);
        if first && !placement.drops().any(|(role, _)| role == Role::King) {
            return king_first(self.name(self.us));
        }
        let mut next = *self.state;
        for (role, square) in placement.drops() {
            let after = Explainer {
                state: &next,
                ..*self
            };
            if !square.is_on(B::WIDTH) {
                return format!("{square} is not a square of {}", self.game());
            }
            let to = B::index(square);
            let why = self
                .not_in_reserve(role)
                .or_else(|| after.none_left(role, self.state.reserve(self.us).count(role)))
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

/// Why a first turn of Kingchess is none (docs/rules.md 8.1).
pub(crate) fn king_first(name: &str) -> String {
    format!("{name}'s first turn must place the king, alone or with other pieces")
}
