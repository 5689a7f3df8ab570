//! The order in which plies are tried: a good one early spares most of the others.

use parapost_rules::{Color, Ply, Role, Side, Walk};

use crate::values::{Evaluator, index};

/// Half-moves that the killers are kept for.
pub(crate) const DEEPEST: usize = 128;

/// From here on a ply is a good capture, or better.
const GOOD: i32 = 1 << 24;
/// That of the table is tried first.
const KNOWN: i32 = 1 << 28;

/// A ply of a list, as the search has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Its number in the walk's list.
    pub(crate) at: u32,
    /// The higher, the earlier.
    pub(crate) rank: i32,
    /// It as a number, [`code`].
    pub(crate) code: u32,
    /// Its place in the history; none for what the history does not count.
    pub(crate) place: Option<u16>,
    /// True if it takes nothing and does not promote.
    pub(crate) is_quiet: bool,
}

/// A ply as a number above zero, the same for the same ply. Placements of several pieces
/// can share one.
pub(crate) fn code(ply: &Ply) -> u32 {
    let square = |square| u32::try_from(index(square)).unwrap_or(0);
    let role = |role: Role| u32::try_from(role.index() + 1).unwrap_or(0);
    match *ply {
        Ply::Move {
            from,
            to,
            promotion,
        } => 1 << 29 | square(from) | square(to) << 7 | promotion.map_or(0, role) << 14,
        Ply::Castle(Side::King) => 2 << 29,
        Ply::Castle(Side::Queen) => 2 << 29 | 1,
        Ply::Drop { role: of, to } => 3 << 29 | role(of) << 14 | square(to) << 7,
        Ply::Relocation { role: of, to, pawn } => {
            4 << 29 | role(of) << 14 | square(to) << 7 | square(pawn)
        }
        Ply::Placement(placement) => {
            let mixed = placement.drops().fold(0_u32, |mixed, (of, to)| {
                (mixed ^ (role(of) << 7 | square(to))).wrapping_mul(0x9E37_79B1)
            });
            5 << 29 | mixed >> 3
        }
    }
}

/// What earlier cuts say of quiet plies.
pub(crate) struct Order {
    /// By half-move of the search: the last two that cut.
    killers: Vec<[u32; 2]>,
    /// By colour and place.
    history: [Vec<i32>; 2],
}

/// Places of the history: each role to each square, moved or dropped.
const PLACES: usize = 2 * Role::COUNT * 81;
/// The history's bound: above it all is halved.
const MOST: i32 = 1 << 14;

impl Order {
    pub(crate) fn new() -> Order {
        Order {
            killers: vec![[0; 2]; DEEPEST],
            history: [vec![0; PLACES], vec![0; PLACES]],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.killers.fill([0; 2]);
        for history in &mut self.history {
            history.fill(0);
        }
    }

    /// Notes a quiet ply that cut, and those tried in vain before it.
    pub(crate) fn reward(
        &mut self,
        color: Color,
        (ply, depth): (usize, i32),
        best: &Candidate,
        before: &[Candidate],
    ) {
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != best.code
        {
            *killers = [best.code, killers[0]];
        }
        let gain = (depth * depth).min(400);
        let history = &mut self.history[color.index()];
        let mut is_full = false;
        let mut add = |candidate: &Candidate, gain: i32| {
            if let Some(place) = candidate.place {
                let value = &mut history[usize::from(place)];
                *value = (*value + gain).max(-MOST);
                is_full |= *value > MOST;
            }
        };
        add(best, gain);
        // Of hundreds of drops the first are those that were thought good.
        for candidate in before.iter().take(24).filter(|tried| tried.is_quiet) {
            add(candidate, -gain / 4);
        }
        if is_full {
            for value in history.iter_mut() {
                *value /= 2;
            }
        }
    }

    /// Ranks the ply of that number.
    pub(crate) fn candidate(
        &self,
        walk: &Walk,
        evaluator: &Evaluator,
        at: usize,
        (ply, known): (usize, u32),
    ) -> Option<Candidate> {
        let listed = walk.ply(at)?;
        let turn = walk.turn();
        let sign = if turn == Color::White { 1 } else { -1 };
        let (mut gain, mut victim) = (0, None);
        walk.changes(at, |change| {
            gain += sign * evaluator.change(change);
            if change.piece.color != turn {
                victim = Some(change.piece.role);
            }
        });
        let role = walk.role(at);
        let promotes = matches!(listed, Ply::Move { promotion, .. } if promotion.is_some());
        let is_quiet = victim.is_none() && !promotes;
        let code = code(&listed);
        let mut place = None;
        if let (Some(role), Some(to)) = (role, listed.target()) {
            let is_drop = !matches!(listed, Ply::Move { .. });
            let places = (usize::from(is_drop) * Role::COUNT + role.index()) * 81 + index(to);
            place = u16::try_from(places).ok();
        }
        let rank = if code == known {
            KNOWN
        } else if is_quiet {
            let killers = self.killers.get(ply).copied().unwrap_or_default();
            let killer = match killers.iter().position(|killer| *killer == code) {
                Some(first) => MOST * (3 - i32::try_from(first).unwrap_or(0)),
                None => 0,
            };
            let history = place.map_or(0, |at| self.history[turn.index()][usize::from(at)]);
            killer + history + 4 * gain
        } else {
            let loss = Order::risk(walk, evaluator, &listed, role);
            let taken = victim.map_or(0, |role| evaluator.victim(role));
            if gain >= loss {
                GOOD + 16 * gain + taken - loss / 16
            } else {
                16 * (gain - loss)
            }
        };
        Some(Candidate {
            at: u32::try_from(at).ok()?,
            rank,
            code,
            place,
            is_quiet,
        })
    }

    /// What the mover loses if it is taken where it goes.
    fn risk(walk: &Walk, evaluator: &Evaluator, ply: &Ply, role: Option<Role>) -> i32 {
        let (Some(role), Some(to)) = (role, ply.target()) else {
            return 0;
        };
        let goes = match ply {
            Ply::Move { promotion, .. } => promotion.unwrap_or(role),
            _ => role,
        };
        // Whatever defends it: the generator keeps the king from a defended square.
        if role != Role::King && walk.attackers(!walk.turn(), to) > 0 {
            evaluator.victim(goes)
        } else {
            0
        }
    }
}

/// Candidates that are looked for one by one; the others are sorted when their turn comes.
const PICKED: usize = 6;

/// Brings the best of the candidates from `at` on to that place.
#[inline]
pub(crate) fn pick(candidates: &mut [Candidate], at: usize) {
    if at > PICKED {
        return;
    }
    if at == PICKED {
        candidates[at..].sort_unstable_by_key(|candidate| (-candidate.rank, candidate.at));
        return;
    }
    let rest = candidates[at..].iter().enumerate();
    let best = rest.max_by_key(|(_, candidate)| (candidate.rank, u32::MAX - candidate.at));
    if let Some((behind, _)) = best {
        candidates.swap(at, at + behind);
    }
}
