//! Why a move is not allowed, found out by asking one rule after another.

mod castling;
mod drops;
mod pawns;

use alloc::vec::Vec;

use crate::bitboard::Bitboard;
use crate::game::Rules;
use crate::illegal::{IllegalMoveKind as Why, MissingRule};
use crate::movegen;
use crate::piece::{Color, Piece, Role};
use crate::placement;
use crate::ply::Ply;
use crate::position::{Position, index_on, on_board};
use crate::square::Square;
use crate::state::{State, Turn};
use crate::tables::Tables;
use crate::variant::Variant;

/// Why a ply that is not legal is not.
pub(crate) fn why_not(position: &Position, ply: &Ply) -> Why {
    let variant = position.variant();
    on_board!(position.core(), |t, state| {
        Explainer::new(t, state, variant).ply(ply)
    })
}

/// The squares that the piece on a square goes to; those of a chess pawn are
/// its advances and its captures.
pub(crate) fn reach(position: &Position, from: Square) -> Option<Why> {
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

    /// A rule that the game does not have, with the option that takes it away
    /// where the game has it otherwise.
    fn without(&self, rule: MissingRule, has: impl Fn(&Rules) -> bool) -> Why {
        let game = self.variant.game();
        let takes_away = |name: &&'static str| {
            let option = game.options.iter().find(|option| option.name == *name);
            option.is_some_and(|option| {
                let mut rules = game.rules.clone();
                (option.apply)(&mut rules);
                has(&game.rules) && !has(&rules)
            })
        };
        let option = self.variant.options().iter().copied().find(takes_away);
        Why::NoSuchRule { rule, option }
    }

    /// An occupied square and the piece on it.
    fn standing(&self, index: u8) -> (Square, Piece) {
        let is_white = self.state.of(Color::White).has(index);
        let color = if is_white { Color::White } else { Color::Black };
        let role = self.state.role_of(index);
        (B::square(index), Piece { color, role })
    }

    fn ply(&self, ply: &Ply) -> Why {
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

    #[allow(clippy::unused_self, reason = "reads as one step of the explanation")]
    fn with_squares(&self, squares: &[Square], why: impl FnOnce() -> Why) -> Why {
        match squares.iter().find(|square| !square.is_on(B::WIDTH)) {
            Some(square) => Why::OffBoard(*square),
            None => why(),
        }
    }

    // Moves on the board.

    fn board_move(&self, from: u8, to: u8, promotion: Option<Role>) -> Why {
        let us = self.us;
        let (start, end) = (B::square(from), B::square(to));
        let Some(piece) = self.state.get(from) else {
            return Why::EmptySquare(start);
        };
        if piece.color != us {
            return Why::NotYours { from: start, piece };
        }
        if let Some(own) = self.state.get(to).filter(|other| other.color == us) {
            let role = own.role;
            return Why::OwnPiece { to: end, role };
        }
        if !self.pseudo_targets(piece, from).has(to) {
            return self.out_of_reach(piece, from, to);
        }
        let captures = self.state.of(!us).has(to) || self.takes_in_passing(piece, from, to);
        if captures && self.state.king(us).is_none() && self.t.rules.king_before_capture {
            return Why::CaptureBeforeKing;
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

    fn reach(&self, from: Square) -> Option<Why> {
        let index = B::index(from);
        let piece = self.state.get(index)?;
        let mut reaches: Vec<Square> = self
            .pseudo_targets(piece, index)
            .squares()
            .map(B::square)
            .collect();
        reaches.sort_unstable();
        let role = piece.role;
        Some(Why::OutOfReach {
            from,
            role,
            reaches,
        })
    }

    fn out_of_reach(&self, piece: Piece, from: u8, to: u8) -> Why {
        let special = if self.is_chess_pawn(piece) {
            self.pawn_out_of_reach(from, to)
        } else {
            self.blocked(piece, from, to)
        };
        special
            .or_else(|| self.reach(B::square(from)))
            .unwrap_or(Why::Other)
    }

    /// What stands in the way of a piece that runs along a line.
    fn blocked(&self, piece: Piece, from: u8, to: u8) -> Option<Why> {
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

    fn in_the_way(&self, blocker: u8, role: Role, from: u8) -> Why {
        let (from, blocker) = (B::square(from), self.standing(blocker));
        Why::InTheWay {
            from,
            role,
            blocker,
        }
    }

    // Checks.

    fn left_in_check(&self, turn: Turn) -> Why {
        self.in_check_after(&self.state.play(self.t, turn))
    }

    /// Why a position that the rest of the rules allow to reach is not: the
    /// own king could be taken.
    fn in_check_after(&self, next: &State<B>) -> Why {
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
                && movegen::count(self.t, self.state) == 0
                && placement::any(self.t, self.state),
        }
    }
}

fn distance<B: Bitboard>(one: u8, other: u8) -> u8 {
    let (a, b) = (B::square(one), B::square(other));
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index()))
}
