//! Shared by all reasons: the position, the options, checks.

use alloc::vec::Vec;

use crate::bitboard::Bitboard;
use crate::game::Rules;
use crate::illegal::{IllegalMoveKind as Why, MissingRule};
use crate::movegen;
use crate::piece::{Color, Piece, Role};
use crate::placement;
use crate::square::{Rank, Square};
use crate::state::{IndexedPly, State};
use crate::tables::Tables;
use crate::variant::Variant;

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

    /// A rule that the game does not have, with the option that takes it away
    /// where the game has it otherwise.
    pub(super) fn without(&self, rule: MissingRule, has: impl Fn(&Rules) -> bool) -> Why {
        let option = self.taken_away_by(has);
        Why::NoSuchRule { rule, option }
    }

    /// The option that takes away what the game has without it.
    pub(super) fn taken_away_by(&self, has: impl Fn(&Rules) -> bool) -> Option<&'static str> {
        let game = self.variant.game();
        let takes_away = |name: &&'static str| {
            let option = game.options.iter().find(|option| option.name == *name);
            option.is_some_and(|option| {
                let mut rules = game.rules.clone();
                (option.apply)(&mut rules);
                has(&game.rules) && !has(&rules)
            })
        };
        self.variant.options().iter().copied().find(takes_away)
    }

    /// An occupied square and the piece on it.
    pub(super) fn standing(&self, index: u8) -> (Square, Piece) {
        let is_white = self.state.of(Color::White).has(index);
        let color = if is_white { Color::White } else { Color::Black };
        let role = self.state.role_of(index);
        (B::square(index), Piece { color, role })
    }

    pub(super) fn in_the_way(&self, blocker: u8, role: Role, from: u8) -> Why {
        let (from, blocker) = (B::square(from), self.standing(blocker));
        Why::InTheWay {
            from,
            role,
            blocker,
        }
    }

    pub(super) fn left_in_check(&self, turn: IndexedPly) -> Why {
        self.in_check_after(&self.state.play(self.t, turn))
    }

    /// The reason why a ply that the other rules allow leaves the king in check.
    pub(super) fn in_check_after(&self, next: &State<B>) -> Why {
        let us = self.us;
        let attackers = |state: &State<B>, king| {
            let occupied = state.occupied();
            state.attackers(self.t, !us, king, occupied)
        };
        let after = next.king(us).map(|king| (king, attackers(next, king)));
        let Some((king, after)) = after.filter(|(_, attackers)| !attackers.is_empty()) else {
            return Why::Other;
        };
        let square = B::square(king);
        let before = match self.state.king(us) {
            Some(before) if before == king => attackers(self.state, king),
            moved => {
                return Why::KingAttacked {
                    king: square,
                    attacker: self.standing(after.lowest()),
                    dropped: moved.is_none(),
                };
            }
        };
        let unmet = before & after;
        if unmet.is_empty() {
            return Why::KingExposed {
                king: square,
                attacker: self.standing(after.lowest()),
            };
        }
        Why::CheckNotMet {
            checkers: before.squares().map(|at| self.standing(at)).collect(),
            needs_several: self.t.rules.placement
                && !movegen::any(self.t, self.state)
                && placement::any(self.t, self.state),
        }
    }
}

/// The ranks that a set has squares on, from the lowest.
pub(super) fn ranks_of<B: Bitboard>(set: B) -> Vec<Rank> {
    let mut ranks: Vec<Rank> = set.squares().map(|index| B::square(index).rank()).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}
