//! The placements of several pieces that are tried (Kingchess), of more than 10^15.
//!
//! - In a check along several lines: every way to put one piece on each of them.
//! - On a player's first turn: the king on each square, with each of [`SETS`], on the squares
//!   that the values like best. Behind the root on the few best squares of the king.
//! - On later turns, at the root and on the half-move behind it: each two of the best drops, and each
//!   of the sets.
//!
//! Never tried is anything else: three pieces or more that are no set, a set on other squares
//! than the best, and, further from the root, several pieces where no check asks for them.

use parapost_rules::{Color, PieceChange, Placement, Ply, Position, Role, Square, Walk};

use crate::values::{Evaluator, index};

/// Pieces that are placed together, the king apart.
const SETS: [&[(Role, u8)]; 7] = [
    &[(Role::Pawn, 3)],
    &[(Role::Pawn, 8)],
    &[(Role::Knight, 2), (Role::Bishop, 2)],
    &[(Role::Pawn, 4), (Role::Knight, 2), (Role::Bishop, 2)],
    &[(Role::Rook, 2), (Role::Queen, 1)],
    &[
        (Role::Pawn, 8),
        (Role::Knight, 2),
        (Role::Bishop, 2),
        (Role::Rook, 2),
    ],
    &[
        (Role::Pawn, 8),
        (Role::Knight, 2),
        (Role::Bishop, 2),
        (Role::Rook, 2),
        (Role::Queen, 1),
    ],
];

/// Drops of which each two are tried together.
const BEST: usize = 24;
/// Squares of the king that are tried behind the root.
const KINGS: usize = 4;
/// The most ways to close several lines.
const CLOSINGS: usize = 4_096;

/// Adds the placements that are tried to the walk's list. Returns its length.
pub(crate) fn add(walk: &mut Walk, evaluator: &Evaluator, listed: usize, is_root: bool) -> usize {
    let turn = walk.turn();
    if walk.reserve(turn).total() < 2 {
        return listed;
    }
    let has_king = walk.king(turn).is_some();
    let lines = if has_king {
        walk.open_lines()
    } else {
        Vec::new()
    };
    let mut added = Added {
        count: listed,
        placements: Vec::new(),
    };
    if lines.len() > 1 {
        close(walk, &lines, &mut added);
    }
    if has_king && (!is_root && walk.depth() > 1 || !lines.is_empty()) {
        return added.count;
    }
    let drops = Drops::of(&walk.position(), evaluator);
    if has_king {
        for set in SETS {
            let (placed, chosen) = (Vec::new(), set.iter());
            drops.place(walk, (placed, chosen), &mut added);
        }
        let best: Vec<_> = drops.0.iter().take(BEST).collect();
        for (i, one) in best.iter().enumerate() {
            for other in &best[i + 1..] {
                added.try_one(walk, &[(one.1, one.2), (other.1, other.2)]);
            }
        }
    } else {
        let kings = drops.0.iter().filter(|drop| drop.1 == Role::King);
        let most = if is_root { usize::MAX } else { KINGS };
        for king in kings.take(most) {
            for set in SETS {
                let placed = vec![(Role::King, king.2)];
                drops.place(walk, (placed, set.iter()), &mut added);
            }
        }
    }
    added.count
}

/// What has been added so far.
struct Added {
    count: usize,
    placements: Vec<Placement>,
}

impl Added {
    fn try_one(&mut self, walk: &mut Walk, drops: &[(Role, Square)]) {
        let Some(placement) = Placement::new(drops.iter().copied()) else {
            return;
        };
        if !self.placements.contains(&placement)
            && let Some(at) = walk.add(&placement)
        {
            self.placements.push(placement);
            self.count = at + 1;
        }
    }
}

/// Every way to put one piece on each of the lines.
fn close(walk: &mut Walk, lines: &[Vec<Square>], added: &mut Added) {
    let turn = walk.turn();
    let held: Vec<Role> = Role::ALL
        .into_iter()
        .filter(|role| *role != Role::King && !role.is_promoted() && walk.reserve(turn).has(*role))
        .collect();
    let mut ways: Vec<Vec<(Role, Square)>> = vec![Vec::new()];
    for line in lines {
        let mut longer = Vec::new();
        for way in &ways {
            for (role, to) in held
                .iter()
                .flat_map(|role| line.iter().map(move |to| (role, to)))
            {
                if longer.len() < CLOSINGS {
                    longer.push([way.as_slice(), &[(*role, *to)]].concat());
                }
            }
        }
        ways = longer;
    }
    for way in ways {
        added.try_one(walk, &way);
    }
}

/// The drops that placements consist of, each behind its gain, the best first.
struct Drops(Vec<(i32, Role, Square)>);

impl Drops {
    fn of(position: &Position, evaluator: &Evaluator) -> Drops {
        let turn = position.turn();
        let sign = if turn == Color::White { 1 } else { -1 };
        let gain = |role: Role, to| {
            let change = |square, comes| {
                let piece = role.of(turn);
                evaluator.change(PieceChange {
                    piece,
                    square,
                    comes,
                })
            };
            sign * (change(None, false) + change(Some(to), true))
        };
        let drops = position.placement_drops().into_iter();
        let mut drops: Vec<_> = drops
            .filter_map(|ply| match ply {
                Ply::Drop { role, to } => Some((gain(role, to), role, to)),
                _ => None,
            })
            .collect();
        drops.sort_unstable_by_key(|(gain, role, to)| (-gain, *role, index(*to)));
        Drops(drops)
    }

    /// Tries a set, each piece on the best square that is left to it.
    fn place<'a>(
        &self,
        walk: &mut Walk,
        (mut placed, set): (Vec<(Role, Square)>, impl Iterator<Item = &'a (Role, u8)>),
        added: &mut Added,
    ) {
        let turn = walk.turn();
        let shade = |square: Square| (square.file().index() + square.rank().index()) % 2;
        for &(role, most) in set {
            for _ in 0..most.min(walk.reserve(turn).count(role)) {
                let is_free = |to: Square| {
                    let is_taken = |(other, at): &(Role, Square)| {
                        *at == to
                            || role == Role::Bishop && *other == role && shade(*at) == shade(to)
                    };
                    !placed.iter().any(is_taken)
                };
                let mut fitting = self.0.iter().filter(|drop| drop.1 == role);
                let best = fitting.find(|drop| is_free(drop.2));
                placed.extend(best.map(|drop| (role, drop.2)));
            }
        }
        added.try_one(walk, &placed);
    }
}
