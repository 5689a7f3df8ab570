//! Why a move is not allowed, found out by asking one rule after another.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use crate::bars::{Shunned, bishop_bar, may_promote, pawn_files};
use crate::bitboard::Bitboard;
use crate::game::{DoubleStep, DropAttack, Kings, Promotion};
use crate::illegal::IllegalMove;
use crate::movegen;
use crate::piece::{Color, Piece, Role};
use crate::placement;
use crate::ply::{Placement, Ply, Side};
use crate::position::{Position, index_on, on_board};
use crate::square::Square;
use crate::state::{State, Turn, ahead, castling_path};
use crate::tables::{Gait, Tables};
use crate::variant::Variant;

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
            Some(square) => format!("{square} is not on the board of {}", self.game()),
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
            return format!(
                "{}, and it is {}'s turn",
                self.is_not_ours(from),
                self.name(us)
            );
        }
        if let Some(own) = self.state.get(to).filter(|other| other.color == us) {
            let (name, role) = (self.name(us), own.role.name());
            return format!("{name}'s own {role} stands on {}", B::square(to));
        }
        let passing = piece.role == Role::Pawn && self.is_pawn_capture(from, to);
        if !self.pseudo_targets(piece, from).has(to) {
            return self.out_of_reach(piece, from, to, passing);
        }
        let captures = self.state.of(!us).has(to) || (passing && self.state.passed.has(to));
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

    fn is_not_ours(&self, index: u8) -> String {
        self.state.get(index).map_or_else(String::new, |piece| {
            let (role, owner) = (piece.role.name(), self.name(piece.color));
            format!("the {role} on {} is {owner}'s", B::square(index))
        })
    }

    fn is_pawn_capture(&self, from: u8, to: u8) -> bool {
        self.t.chess_pawns && self.t.pawn.steps(self.us, from).has(to)
    }

    /// Where a piece goes if checks and the bar on captures are left out.
    fn pseudo_targets(&self, piece: Piece, from: u8) -> B {
        let state = self.state;
        let occupied = state.occupied();
        let own = state.of(piece.color);
        if !(self.t.chess_pawns && piece.role == Role::Pawn) {
            return self.t.gait(piece.role).map_or(B::EMPTY, |gait| {
                self.t.attacks(gait, piece.color, from, occupied) & !own
            });
        }
        let bit = B::bit(from);
        let free = B::FULL & !occupied;
        let forward = ahead::<B>(piece.color);
        let single = bit.shift(forward) & free;
        let mut targets = single;
        if state.double_steppers(self.t, piece.color).meets(bit) {
            targets |= single.shift(forward) & free;
        }
        let victims = state.of(!piece.color) | state.passed;
        targets | (self.t.pawn.steps(piece.color, from) & victims)
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

    fn out_of_reach(&self, piece: Piece, from: u8, to: u8, pawn_capture: bool) -> String {
        let (start, end) = (B::square(from), B::square(to));
        if pawn_capture {
            return if self.t.en_passant() || !self.looks_like_en_passant(to) {
                format!("there is nothing to capture on {end}")
            } else {
                format!("{} has no capture en passant here", self.with_options())
            };
        }
        if self.t.chess_pawns && piece.role == Role::Pawn {
            let forward = ahead::<B>(self.us);
            let single = B::bit(from).shift(forward);
            let double = single.shift(forward);
            if single.has(to) || (double.has(to) && single.meets(self.state.occupied())) {
                return format!(
                    "{} stands in the way of the pawn on {start}",
                    self.whose(if single.has(to) { to } else { single.lowest() })
                );
            }
            if double.has(to) {
                return self.no_double_step(from, to);
            }
        } else if let Some(gait) = self.t.gait(piece.role)
            && self.t.attacks(gait, piece.color, from, B::EMPTY).has(to)
            && let Some(way) = placement::between(self.t, from, to)
        {
            let nearest = (way & self.state.occupied()).squares();
            let nearest = nearest.min_by_key(|index| distance::<B>(*index, from));
            if let Some(nearest) = nearest {
                let (blocker, role) = (self.whose(nearest), piece.role.name());
                return format!("{blocker} stands in the way of the {role} on {start}");
            }
        }
        self.reach(start).unwrap_or_default()
    }

    fn looks_like_en_passant(&self, to: u8) -> bool {
        let behind = B::bit(to).shift(ahead::<B>(!self.us));
        behind.meets(self.state.pieces(!self.us, Role::Pawn))
    }

    fn no_double_step(&self, from: u8, to: u8) -> String {
        let (start, end) = (B::square(from), B::square(to));
        if self.state.occupied().has(to) {
            return format!(
                "{} stands in the way of the pawn on {start}",
                self.whose(to)
            );
        }
        match self.t.double_step() {
            DoubleStep::Never => format!(
                "{} has no double step of pawns: the pawn on {start} can't go to {end}",
                self.with_options()
            ),
            _ if !self.t.second[self.us.index()].has(from) => {
                format!("the pawn on {start} is not on its second rank, so it goes one square only")
            }
            _ => format!("the pawn on {start} was not dropped there, so it has no double step"),
        }
    }

    /// "Unachess with no-double-step", "Unachess II".
    fn with_options(&self) -> String {
        match self.variant.options() {
            [] => String::from(self.game()),
            options => format!("{} with {}", self.game(), list(options, "and")),
        }
    }

    fn promotion(&self, piece: Piece, from: u8, to: u8, into: Option<Role>) -> Option<String> {
        let us = self.us.index();
        let (start, end) = (B::square(from), B::square(to));
        let role = piece.role.name();
        match self.t.rules.promotion {
            Promotion::LastRank(choices) => {
                let last = piece.role == Role::Pawn && self.t.zone[us].has(to);
                match (last, into) {
                    (false, Some(_)) if piece.role == Role::Pawn => {
                        Some(format!("a pawn promotes on the last rank, not on {end}"))
                    }
                    (false, Some(_)) => Some(format!("a {role} does not promote")),
                    (true, into) if !into.is_some_and(|into| choices.contains(&into)) => {
                        let names: Vec<_> = choices.iter().map(|role| role.name()).collect();
                        Some(format!(
                            "a pawn that reaches {end} becomes a {}",
                            list(&names, "or")
                        ))
                    }
                    _ => None,
                }
            }
            Promotion::Zone { ranks, after } => {
                let promoted = piece.role.promoted();
                let zone = self.t.zone[us];
                let dead = self
                    .t
                    .gait(piece.role)
                    .is_some_and(|gait| gait.dead[us].has(to));
                match into {
                    Some(_) if promoted.is_none() => Some(format!("a {role} does not promote")),
                    Some(into) if promoted != Some(into) => {
                        Some(format!("a {role} does not become a {}", into.name()))
                    }
                    _ if (into.is_some() || dead) && !may_promote(self.t, self.state) => {
                        let bar = self.barred_promotion(after);
                        Some(if dead {
                            format!(
                                "{bar}, and a {role} on {end} could never move again without promoting"
                            )
                        } else {
                            bar
                        })
                    }
                    Some(_) if !zone.has(from) && !zone.has(to) => Some(format!(
                        "a piece promotes on the last {ranks} ranks; {start} and {end} are not among them"
                    )),
                    None if dead => Some(format!(
                        "a {role} that reaches {end} must promote: it could never move again"
                    )),
                    _ => None,
                }
            }
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

    // Castling.

    fn castle(&self, side: Side) -> String {
        let us = self.us;
        if !self.t.rules.castling {
            return format!("{} has no castling", self.with_options());
        }
        let [king, rook, king_to, rook_to] = castling_path(us, side);
        for (role, at) in [(Role::King, king), (Role::Rook, rook)] {
            let (name, square) = (self.name(us), B::square(at));
            let role_name = role.name();
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
            return format!(
                "{} is in check, and nobody castles out of check",
                self.name(us)
            );
        }
        for at in [rook_to, king_to] {
            let attackers = self.state.attackers(self.t, !us, at, self.state.occupied());
            if !attackers.is_empty() {
                return format!(
                    "castling would take the king across {}, which {} attacks",
                    B::square(at),
                    self.whose(attackers.lowest())
                );
            }
        }
        self.left_in_check(Turn::Castle(side))
    }

    // Drops.

    /// Why a drop is not allowed for reasons of its own, checks apart.
    fn drop_alone(&self, role: Role, to: u8) -> Option<String> {
        let us = self.us;
        let name = self.name(us);
        let square = B::square(to);
        if let Some(why) = self.not_in_reserve(role) {
            return Some(why);
        }
        if self.t.rules.placement && self.state.reserve(us).has(Role::King) && role != Role::King {
            return Some(format!(
                "{name}'s first turn must place the king, alone or with other pieces"
            ));
        }
        if self.state.occupied().has(to) {
            let taken = format!("{square} is not empty: {} is there", self.whose(to));
            let own_pawn = self.state.pieces(us, Role::Pawn).has(to);
            return Some(if self.t.rules.relocation.is_some() && own_pawn {
                format!("{taken}; say where the pawn goes, as in N>{square}/c3")
            } else {
                taken
            });
        }
        self.drop_place(role, to)
    }

    fn not_in_reserve(&self, role: Role) -> Option<String> {
        let name = self.name(self.us);
        if self.state.reserve(self.us).has(role) {
            None
        } else if !self.t.rules.slots().any(|(slot, _)| slot == role) {
            let role = role.name();
            Some(format!("in {} no {role} is ever in reserve", self.game()))
        } else {
            Some(format!("{name} has no {} in reserve", role.name()))
        }
    }

    /// Why an empty square is no place to drop a piece of the reserve on.
    fn drop_place(&self, role: Role, to: u8) -> Option<String> {
        let us = self.us;
        let name = self.name(us);
        let square = B::square(to);
        let gait = self.t.gait(role)?;
        if !gait.drop_zone[us.index()].has(to) {
            return Some(self.outside_drop_zone(gait, to));
        }
        if role == Role::Pawn
            && self.t.rules.one_pawn_a_file
            && pawn_files(self.t, self.state, us).has(to)
        {
            return Some(format!(
                "{name} already has an unpromoted pawn on the {}-file",
                square.file()
            ));
        }
        if bishop_bar(self.t, self.state, role).has(to) {
            let color = if self.t.light.has(to) {
                "light"
            } else {
                "dark"
            };
            return Some(format!(
                "{name}'s first bishop was dropped on a {color} square; the second goes on the other colour, and {square} is {color}"
            ));
        }
        if Shunned::new(self.t, self.state).from(gait).has(to) {
            return Some(self.attacks_on_landing(gait, to));
        }
        self.pawn_drop_mates(role, to)
            .then(|| format!("a dropped pawn may not give checkmate, as it would on {square}"))
    }

    fn outside_drop_zone(&self, gait: &Gait<B>, to: u8) -> String {
        let role = gait.role.name();
        let (first, last) = self.t.rules.drop_ranks[gait.role.index()];
        if gait.dead[self.us.index()].has(to) && !self.t.chess_pawns {
            return format!("a {role} dropped on {} could never move", B::square(to));
        }
        let mut ranks: Vec<u8> = match self.us {
            Color::White => (first..=last).collect(),
            Color::Black => (first..=last).map(|rank| B::WIDTH + 1 - rank).collect(),
        };
        ranks.sort_unstable();
        let verb = if self.t.rules.placement {
            "placed"
        } else {
            "dropped"
        };
        let verb = if gait.role == Role::Pawn {
            "placed"
        } else {
            verb
        };
        format!(
            "{}'s {role}s are {verb} on ranks {}, not on {}",
            self.name(self.us),
            list(&ranks, "or"),
            B::square(to)
        )
    }

    fn attacks_on_landing(&self, gait: &Gait<B>, to: u8) -> String {
        let attacked = self.t.attacks(gait, self.us, to, self.state.occupied());
        let role = gait.role.name();
        let square = B::square(to);
        let spared = match self.t.rules.drop_attack {
            DropAttack::NotTheKing => "the enemy king",
            _ => "an enemy piece",
        };
        let spare = match self.t.rules.drop_attack {
            DropAttack::NotTheKing => self.state.pieces(!self.us, Role::King),
            _ => self.state.of(!self.us),
        };
        let victim = (attacked & spare).squares().map(|at| self.whose(at)).next();
        format!(
            "a dropped piece may not attack {spared}; the {role} on {square} would attack {}",
            victim.unwrap_or_default()
        )
    }

    fn pawn_drop_mates(&self, role: Role, to: u8) -> bool {
        role == Role::Pawn && !self.t.rules.pawn_drop_mate && {
            let next = self.state.play(self.t, Turn::Drop { role, to });
            next.is_check(self.t, !self.us) && movegen::count(self.t, &next) == 0
        }
    }

    fn relocation(&self, role: Role, to: u8, pawn: u8) -> String {
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
        if self.state.is_check(self.t, us) {
            return format!("{name} is in check, and then no pawn may be relocated");
        }
        if bishop_bar(self.t, self.state, role).has(to) {
            return self.drop_place(role, to).unwrap_or_default();
        }
        let target = B::square(pawn);
        if self.state.occupied().has(pawn) {
            return format!("{target} is not empty: {} is there", self.whose(pawn));
        }
        let zone = self.t.relocation[us.index()];
        let mut ranks: Vec<char> = zone
            .squares()
            .map(|i| B::square(i).rank().digit())
            .collect();
        ranks.dedup();
        format!(
            "{name}'s relocated pawn goes to ranks {}, not to {target}",
            list(&ranks, "or")
        )
    }

    fn placement(&self, placement: &Placement) -> String {
        let name = self.name(self.us);
        if !self.t.rules.placement {
            return format!("in {} one piece is dropped at a time", self.game());
        }
        let first = placement::is_first_turn(self.t, self.state, self.us);
        if first && !placement.drops().any(|(role, _)| role == Role::King) {
            return format!("{name}'s first turn must place the king, alone or with other pieces");
        }
        let mut next = *self.state;
        for (role, square) in placement.drops() {
            let after = Explainer {
                state: &next,
                ..*self
            };
            if !square.is_on(B::WIDTH) {
                return format!("{square} is not on the board of {}", self.game());
            }
            let to = B::index(square);
            let why = after.not_in_reserve(role).or_else(|| {
                if next.occupied().has(to) {
                    Some(format!(
                        "{square} is not empty: {} is there",
                        after.whose(to)
                    ))
                } else {
                    after.drop_place(role, to)
                }
            });
            if let Some(why) = why {
                return why;
            }
            next.drop(self.t, role, to);
        }
        self.in_check_after(&next)
    }

    // Checks.

    fn left_in_check(&self, turn: Turn) -> String {
        self.in_check_after(&self.state.play(self.t, turn))
    }

    /// Why a position that the rest of the rules allow to reach is not: the
    /// own king could be taken.
    fn in_check_after(&self, next: &State<B>) -> String {
        let us = self.us;
        let name = self.name(us);
        let Some(king) = next.king(us) else {
            return String::from("this is not allowed");
        };
        let checker = next
            .attackers(self.t, !us, king, next.occupied())
            .squares()
            .next();
        let Some(checker) = checker else {
            return String::from("this is not allowed");
        };
        let attacker = self.whose(checker);
        let square = B::square(king);
        match self.state.king(us) {
            Some(before) if before != king => {
                format!("{attacker} attacks {square}, so the king may not go there")
            }
            None => format!("{attacker} attacks {square}, so the king may not be dropped there"),
            Some(_) if self.state.is_check(self.t, us) => {
                format!("{name} is in check from {attacker}, and this does not meet it")
            }
            Some(_) => format!("{attacker} would then attack {name}'s king on {square}"),
        }
    }
}

fn distance<B: Bitboard>(one: u8, other: u8) -> u8 {
    let (a, b) = (B::square(one), B::square(other));
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index()))
}
