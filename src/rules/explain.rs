//! Why a move is not allowed, found out by asking one rule after another.

mod castling;
mod drops;
mod pawns;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use crate::bitboard::Bitboard;
use crate::game::Rules;
use crate::illegal::IllegalMove;
use crate::movegen;
use crate::piece::{Color, Piece, Role};
use crate::placement;
use crate::ply::Ply;
use crate::position::{Position, index_on, on_board};
use crate::square::Square;
use crate::state::{State, Turn};
use crate::tables::Tables;
use crate::variant::Variant;

pub(crate) use drops::king_first;

/// Why a ply that is not legal is not.
pub(crate) fn why_not(position: &Position, ply: &Ply) -> IllegalMove {
    let variant = position.variant();
    IllegalMove::new(on_board!(position.core(), |t, state| {
        Explainer::new(t, state, variant).ply(ply)
    }))
}

/// Where the piece on a square goes, in words: "the knight on g5 reaches e4
/// and e6". For a pawn of chess its advances are meant as well as captures.
pub(crate) fn reach(position: &Position, from: Square) -> Option<String> {
    let variant = position.variant();
    on_board!(position.core(), |t, state| {
        Explainer::new(t, state, variant).reach(from)
    })
}

/// Whether the mover's piece on a square could go to another if neither
/// checks nor the bar on captures were a matter.
pub(crate) fn aims_at(position: &Position, from: Square, to: Square) -> bool {
    let variant = position.variant();
    on_board!(position.core(), |t, state| {
        let (from, to) = (index_on(state, from), index_on(state, to));
        state.get(from).is_some_and(|piece| {
            Explainer::new(t, state, variant)
                .pseudo_targets(piece, from)
                .has(to)
        })
    })
}

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

struct Explainer<'a, B> {
    t: &'a Tables<B>,
    state: &'a State<B>,
    variant: &'a Variant,
    us: Color,
}

impl<'a, B: Bitboard> Explainer<'a, B> {
    fn new(t: &'a Tables<B>, state: &'a State<B>, variant: &'a Variant) -> Explainer<'a, B> {
        let us = state.turn;
        Explainer {
            t,
            state,
            variant,
            us,
        }
    }

    fn name(&self, color: Color) -> &'static str {
        self.variant.player(color)
    }

    fn game(&self) -> &'static str {
        self.variant.game().name
    }

    /// What has no such rule: "Unachess II", where the game never has it;
    /// "Unachess with no-castling-no-ep", where that option takes it away.
    fn without(&self, has: impl Fn(&Rules) -> bool) -> String {
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
    fn whose(&self, index: u8) -> String {
        self.state.get(index).map_or_else(
            || format!("nothing on {}", B::square(index)),
            |piece| {
                let (owner, role) = (self.name(piece.color), piece.role.name());
                format!("{owner}'s {role} on {}", B::square(index))
            },
        )
    }

    fn ply(&self, ply: &Ply) -> String {
        match ply {
            Ply::Move {
                from,
                to,
                promotion,
            } => self.with_squares(&[*from, *to], || {
                self.board_move(B::index(*from), B::index(*to), *promotion)
            }),
            Ply::Castle(side) => self.castle(*side),
            Ply::Drop { role, to } => self.with_squares(&[*to], || {
                let to = B::index(*to);
                self.drop_alone(*role, to)
                    .unwrap_or_else(|| self.left_in_check(Turn::Drop { role: *role, to }))
            }),
            Ply::Relocation { role, to, pawn } => self.with_squares(&[*to, *pawn], || {
                self.relocation(*role, B::index(*to), B::index(*pawn))
            }),
            Ply::Placement(placement) => self.placement(placement),
        }
    }

    fn with_squares(&self, squares: &[Square], why: impl FnOnce() -> String) -> String {
        match squares.iter().find(|square| !square.is_on(B::WIDTH)) {
            Some(square) => format!("{square} is not a square of {}", self.game()),
            None => why(),
        }
    }

    // Moves on the board.

    fn board_move(&self, from: u8, to: u8, promotion: Option<Role>) -> String {
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
        self.left_in_check(Turn::Move {
            from,
            to,
            promotion,
        })
    }

    /// Where a piece goes if checks and the bar on captures are left out.
    fn pseudo_targets(&self, piece: Piece, from: u8) -> B {
        if self.is_chess_pawn(piece) {
            return self.pawn_targets(piece.color, from);
        }
        let own = self.state.of(piece.color);
        self.t.gait(piece.role).map_or(B::EMPTY, |gait| {
            let occupied = self.state.occupied();
            self.t.attacks(gait, piece.color, from, occupied) & !own
        })
    }

    fn reach(&self, from: Square) -> Option<String> {
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
        let gait = self.t.gait(piece.role)?;
        if !self.t.attacks(gait, piece.color, from, B::EMPTY).has(to) {
            return None;
        }
        let way = placement::between(self.t, from, to)? & self.state.occupied();
        let nearest = way
            .squares()
            .min_by_key(|index| distance::<B>(*index, from))?;
        Some(self.in_the_way(nearest, piece.role, from))
    }

    fn in_the_way(&self, blocker: u8, role: Role, from: u8) -> String {
        format!(
            "{} stands in the way of the {} on {}",
            self.whose(blocker),
            role.name(),
            B::square(from)
        )
    }

    // Checks.

    fn left_in_check(&self, turn: Turn) -> String {
        self.in_check_after(&self.state.play(self.t, turn))
    }

    /// Why a position that the rest of the rules allow to reach is not: the
    /// own king could be taken.
    fn in_check_after(&self, next: &State<B>) -> String {
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

fn distance<B: Bitboard>(one: u8, other: u8) -> u8 {
    let (a, b) = (B::square(one), B::square(other));
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index()))
}
