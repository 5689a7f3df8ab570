//! Kingchess: turns that place several pieces.
//!
//! There are more than 10^15 first turns. None of the questions asked here
//! builds a list: legality looks at one placement, counting is combinatorics,
//! and the stream keeps only where it is.

use alloc::vec::Vec;

use crate::movegen::{barred_bishop_squares, drop_zone};
use crate::piece::{Color, Reserve, Role};
use crate::state::State;
use crate::tables::{Bitboard, Tables};

/// The state after placing those pieces, if it may be done.
pub(crate) fn play<B: Bitboard>(
    t: &Tables<B>,
    state: &State<B>,
    drops: impl Iterator<Item = (Role, u8)>,
) -> Option<State<B>> {
    if !t.rules.placement {
        return None;
    }
    let us = state.turn;
    let mut next = *state;
    next.passed = B::EMPTY;
    for (role, to) in drops {
        // Asked anew for each piece: the first bishop bars the second's colour.
        let zone = drop_zone(t, &next, role);
        // A reserve has a promoted role if it has the role it comes from.
        t.movement(role)?;
        if !next.reserve(us).has(role) || !(zone & next.empty()).has(to) {
            return None;
        }
        next.drop(t, role, to);
    }
    let placed_any = next.occupied() != state.occupied();
    if !placed_any || next.king(us).is_none() || next.is_check(t, us) {
        return None;
    }
    next.pass();
    Some(next)
}

/// The number of legal placements of one piece or more.
pub(crate) fn count<B: Bitboard>(t: &Tables<B>, state: &State<B>) -> u64 {
    let us = state.turn;
    let free = state.empty();
    let total = if let Some(king) = state.king(us) {
        let Some(lines) = open_lines(t, state, king) else {
            return 0;
        };
        closing(t, state, free, &lines) - i128::from(lines.is_empty())
    } else {
        (t.drop_ranks(us, Role::King) & free)
            .squares()
            .filter_map(|square| {
                let lines = open_lines(t, state, square)?;
                Some(closing(t, state, free & !B::bit(square), &lines))
            })
            .sum()
    };
    u64::try_from(total).unwrap_or(u64::MAX)
}

/// The number of sets of reserve pieces, without the king, but with the empty set,
/// can stand on free squares so that something stands on every line: by
/// inclusion and exclusion over the lines that are left open.
fn closing<B: Bitboard>(t: &Tables<B>, state: &State<B>, free: B, lines: &[B]) -> i128 {
    (0..1_u32 << lines.len())
        .map(|open| {
            let left_open = lines.iter().enumerate().filter(|(i, _)| open >> i & 1 == 1);
            let kept = left_open.fold(free, |kept, (_, &line)| kept & !line);
            let sign = if open.count_ones() % 2 == 0 { 1 } else { -1 };
            sign * ways(t, state, kept)
        })
        .sum()
}

/// The number of ways to place any of the reserve pieces but the king on the free
/// squares.
fn ways<B: Bitboard>(t: &Tables<B>, state: &State<B>, free: B) -> i128 {
    let us = state.turn;
    let reserve = state.reserve(us);
    let half = free & t.drop_ranks(us, Role::King);
    let pawns = free & t.drop_ranks(us, Role::Pawn);
    let (light, dark) = (half & t.light, half & !t.light);
    let may = !barred_bishop_squares(t, state, Role::Bishop);
    let (bishop_light, bishop_dark) = (light.meets(may), dark.meets(may));
    let bishops = reserve.count(Role::Bishop);
    let mut total = 0;
    let (pawn_light, pawn_dark) = ((pawns & light).count(), (pawns & dark).count());
    let most = u32::from(reserve.count(Role::Pawn));
    for on_light in 0..=most.min(pawn_light) {
        for on_dark in 0..=(most - on_light).min(pawn_dark) {
            let pawn_ways = choose(pawn_light, on_light) * choose(pawn_dark, on_dark);
            let left_light = light.count() - on_light;
            let left_dark = dark.count() - on_dark;
            let left = left_light + left_dark;
            let mut rest = others(reserve, left);
            let (a, b) = (i128::from(left_light), i128::from(left_dark));
            if bishops > 0 && bishop_light && a > 0 {
                rest += a * others(reserve, left - 1);
            }
            if bishops > 0 && bishop_dark && b > 0 {
                rest += b * others(reserve, left - 1);
            }
            if bishops > 1 && bishop_light && bishop_dark && a > 0 && b > 0 {
                rest += a * b * others(reserve, left - 2);
            }
            total += pawn_ways * rest;
        }
    }
    total
}

/// The number of ways to place queen, rooks and knights on so many squares.
fn others(reserve: Reserve, squares: u32) -> i128 {
    let count = |role| u32::from(reserve.count(role));
    let mut total = 0;
    for queens in 0..=count(Role::Queen).min(squares) {
        let left = squares - queens;
        for rooks in 0..=count(Role::Rook).min(left) {
            let left = left - rooks;
            for knights in 0..=count(Role::Knight).min(left) {
                total += choose(squares, queens)
                    * choose(squares - queens, rooks)
                    * choose(left, knights);
            }
        }
    }
    total
}

/// The number of sets of `k` among `n`.
fn choose(n: u32, k: u32) -> i128 {
    (0..k).fold(1, |product, i| {
        product * i128::from(n - i) / i128::from(i + 1)
    })
}

/// The lines along which a king of the player to move on that square would be in check, each
/// the free squares between; none if something gives check that cannot be shut out.
pub(crate) fn open_lines<B: Bitboard>(t: &Tables<B>, state: &State<B>, king: u8) -> Option<Vec<B>> {
    const MOST: usize = 8;
    let mut lines = Vec::new();
    if state.king(!state.turn).is_none() {
        return Some(lines);
    }
    let checkers = state.attackers(t, !state.turn, king, state.occupied());
    for checker in checkers.squares() {
        let between = between(t, king, checker)?;
        if between.is_empty() || lines.len() == MOST {
            return None;
        }
        lines.push(between);
    }
    Some(lines)
}

/// The squares between two squares of one line; none if they share no line.
pub(crate) fn between<B: Bitboard>(t: &Tables<B>, one: u8, other: u8) -> Option<B> {
    let goal = B::bit(other);
    t.lines(one).iter().find_map(|line| {
        if line.upper.meets(goal) {
            Some(line.upper & goal.below())
        } else if line.lower.meets(goal) {
            Some(line.lower & !(goal | goal.below()))
        } else {
            None
        }
    })
}

/// Every legal placement of one piece or more, sorted by text.
///
/// A placement comes before those that add pieces to it, and each level tries
/// its drops by text: so the whole stream is sorted though it is never held.
pub(crate) struct Placements<'a, B> {
    t: &'a Tables<B>,
    state: &'a State<B>,
    /// Every single drop, by letter and square name.
    drops: Vec<(Role, u8)>,
    /// Indices into `drops`: the placement at hand, in the order it is written.
    chosen: Vec<usize>,
    /// The index to try next.
    next: usize,
}

impl<'a, B: Bitboard> Placements<'a, B> {
    pub(crate) fn new(t: &'a Tables<B>, state: &'a State<B>) -> Placements<'a, B> {
        let us = state.turn;
        let mut drops = Vec::new();
        for &role in t.droppable.iter().filter(|_| t.rules.placement) {
            if !state.reserve(us).has(role) {
                continue;
            }
            let squares = drop_zone(t, state, role) & state.empty();
            drops.extend(squares.squares().map(|to| (role, to)));
        }
        drops.sort_unstable_by_key(|&(role, to)| (role.letter(), B::square(to)));
        Placements {
            t,
            state,
            drops,
            chosen: Vec::new(),
            next: 0,
        }
    }

    /// Every single drop that may be part of one, by letter and square name.
    pub(crate) fn drops(&self) -> &[(Role, u8)] {
        &self.drops
    }

    /// Returns true if a drop is written after the last one chosen.
    fn is_later(&self, place: usize) -> bool {
        self.chosen.last().is_none_or(|&last| {
            let (role, last_role) = (self.drops[place].0, self.drops[last].0);
            role > last_role || (role == last_role && place > last)
        })
    }

    /// The lines along which the king is in check behind the pieces chosen;
    /// none if there is a check that no piece shuts out.
    fn open_lines(&self) -> Option<Vec<B>> {
        let placed = |&place: &usize| self.drops[place];
        let first = || self.chosen.first().map(|first| placed(first).1);
        let king = self.state.king(self.state.turn).or_else(first)?;
        let mut lines = open_lines(self.t, self.state, king)?;
        lines.retain(|line| !self.chosen.iter().any(|at| line.has(placed(at).1)));
        Some(lines)
    }

    /// Returns true if later drops can join those chosen so that something stands on
    /// each of the lines.
    fn can_close(&mut self, open: &[B]) -> bool {
        let later = (0..self.drops.len()).filter(|&place| self.is_later(place));
        let later: Vec<usize> = later.collect();
        self.can_close_with(open, &later)
    }

    fn can_close_with(&mut self, open: &[B], later: &[usize]) -> bool {
        let Some((line, rest)) = open.split_first() else {
            return true;
        };
        later.iter().any(|&place| {
            if !line.has(self.drops[place].1) || !self.fits(place) {
                return false;
            }
            self.chosen.push(place);
            let closes = self.can_close_with(rest, later);
            self.chosen.pop();
            closes
        })
    }

    /// Returns true if the drop may join those chosen, checks apart.
    fn fits(&self, place: usize) -> bool {
        let (role, to) = self.drops[place];
        let us = self.state.turn;
        if self.chosen.is_empty() && self.state.king(us).is_none() {
            return role == Role::King;
        }
        let mut same = 0;
        for &earlier in &self.chosen {
            let (other, square) = self.drops[earlier];
            if square == to {
                return false;
            }
            if other == role {
                same += 1;
                let alike = self.t.light.has(square) == self.t.light.has(to);
                if role == Role::Bishop && self.t.rules.bishops_differ && alike {
                    return false;
                }
            }
        }
        same < self.state.reserve(us).count(role)
    }
}

impl<B: Bitboard> Iterator for Placements<'_, B> {
    type Item = Vec<(Role, u8)>;

    fn next(&mut self) -> Option<Vec<(Role, u8)>> {
        loop {
            if self.next == self.drops.len() {
                self.next = self.chosen.pop()? + 1;
                continue;
            }
            let place = self.next;
            self.next += 1;
            if !self.is_later(place) || !self.fits(place) {
                continue;
            }
            self.chosen.push(place);
            self.next = 0;
            match self.open_lines() {
                Some(open) if open.is_empty() => {
                    return Some(self.chosen.iter().map(|&i| self.drops[i]).collect());
                }
                // Goes on only where more pieces can shut what is open: else
                // a stream with little in it would search without end.
                Some(open) if self.can_close(&open) => {}
                _ => {
                    self.chosen.pop();
                    self.next = place + 1;
                }
            }
        }
    }
}

/// Returns true if any placement is legal.
pub(crate) fn any<B: Bitboard>(t: &Tables<B>, state: &State<B>) -> bool {
    t.rules.placement && !state.reserve(state.turn).is_empty() && count(t, state) > 0
}

/// Returns true if the player's first turn, which places the king, is still to come.
pub(crate) fn is_first_turn<B: Bitboard>(t: &Tables<B>, state: &State<B>, color: Color) -> bool {
    t.rules.placement && state.reserve(color).has(Role::King)
}
