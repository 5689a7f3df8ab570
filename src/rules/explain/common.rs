//! What every reason draws on: names, pieces, checks.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use crate::bitboard::Bitboard;
use crate::game::Rules;
use crate::movegen;
use crate::piece::{Color, Role};
use crate::placement;
use crate::state::{IndexedPly, State};
use crate::tables::Tables;
use crate::variant::Variant;

/// "a", "a and b", "a, b and c".
pub(crate) fn list<T: Display>(items: &[T], last: &str) -> String {
    match items {
        [] => String::from("nothing"),
        [one] => one.to_string(),
        [rest @ .., end] => {
            let rest: Vec<String> = rest.iter().map(ToString::to_string).collect();
            format!("{} {last} {end}", rest.join(", "))
        }
    }
}

pub(super) struct Explainer<'a, B> {
    pub(super) t: &'a Tables<B>,
    pub(super) state: &'a State<B>,
    pub(super) variant: &'a Variant,
    pub(super) us: Color,
}

impl<'a, B: Bitboard> Explainer<'a, B> {
    pub(super) fn new(
        t: &'a Tables<B>,
        state: &'a State<B>,
        variant: &'a Variant,
    ) -> Explainer<'a, B> {
        let us = state.turn;
        Explainer {
            t,
            state,
            variant,
            us,
        }
    }

    pub(super) fn name(&self, color: Color) -> &'static str {
        self.variant.player(color)
    }

    pub(super) fn game(&self) -> &'static str {
        self.variant.game().name
    }

    /// What has no such rule: "Unachess II", where the game never has it;
    /// "Unachess with no-castling-no-ep", where that option takes it away.
    pub(super) fn without(&self, has: impl Fn(&Rules) -> bool) -> String {
        let game = self.variant.game();
        let takes_away = |name: &&'static str| {
            let option = game.options.iter().find(|option| option.name == *name);
            option.is_some_and(|option| {
                let mut rules = game.rules.clone();
                (option.apply)(&mut rules);
                has(&game.rules) && !has(&rules)
            })
        };
        match self.variant.options().iter().copied().find(takes_away) {
            Some(option) => format!("{} with {option}", game.name),
            None => String::from(game.name),
        }
    }

    /// "White's knight on g5".
    pub(super) fn whose(&self, index: u8) -> String {
        self.state.get(index).map_or_else(
            || format!("nothing on {}", B::square(index)),
            |piece| {
                let (owner, role) = (self.name(piece.color), piece.role.name());
                format!("{owner}'s {role} on {}", B::square(index))
            },
        )
    }

    pub(super) fn in_the_way(&self, blocker: u8, role: Role, from: u8) -> String {
        format!(
            "{} stands in the way of the {} on {}",
            self.whose(blocker),
            role.name(),
            B::square(from)
        )
    }

    pub(super) fn left_in_check(&self, ply: IndexedPly) -> String {
        self.in_check_after(&self.state.play(self.t, ply))
    }

    /// Why a position that the rest of the rules allow to reach is not: the
    /// own king could be taken.
    pub(super) fn in_check_after(&self, next: &State<B>) -> String {
        let us = self.us;
        let attackers = |state: &State<B>, king| {
            let occupied = state.occupied();
            state.attackers(self.t, !us, king, occupied)
        };
        let after = next.king(us).map(|king| (king, attackers(next, king)));
        let Some((king, after)) = after.filter(|(_, attackers)| !attackers.is_empty()) else {
            return format!("the rules of {} do not allow this", self.game());
        };
        let square = B::square(king);
        let name = self.name(us);
        let before = match self.state.king(us) {
            Some(before) if before == king => attackers(self.state, king),
            moved => {
                let how = if moved.is_some() { "go" } else { "be dropped" };
                let attacker = self.whose(after.lowest());
                return format!("{attacker} attacks {square}, so the king may not {how} there");
            }
        };
        let unmet = before & after;
        if unmet.is_empty() {
            let attacker = self.whose(after.lowest());
            return format!("{attacker} would then attack {name}'s king on {square}");
        }
        let checkers: Vec<String> = before.squares().map(|at| self.whose(at)).collect();
        let checkers_named = list(&checkers, "and");
        let them = if checkers.len() > 1 { "both" } else { "it" };
        let why =
            format!("{name} is in check from {checkers_named}, and this does not meet {them}");
        if self.t.rules.placement
            && movegen::count(self.t, self.state) == 0
            && placement::any(self.t, self.state)
        {
            format!("{why}; several pieces placed in one turn can")
        } else {
            why
        }
    }
}

/// The ranks that a set has squares on, from the lowest.
pub(super) fn ranks_of<B: Bitboard>(set: B) -> Vec<char> {
    let mut ranks: Vec<char> = set
        .squares()
        .map(|index| B::square(index).rank().digit())
        .collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}
