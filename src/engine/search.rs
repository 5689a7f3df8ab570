//! The search: iterative deepening, principal variations, alpha and beta; the limits within
//! which it thinks; and the transposition table, what it has found out about positions, by
//! their keys.
//!
//! Every legal ply is tried at every node (of the placements of Kingchess those of
//! [`crate::placements`]). What is spared is depth: quiet plies late in the order are
//! tried less deep, and in full where they turn out well; a player who would stand well
//! even without a turn is believed after a shallower look. The quiescence at the end
//! tries captures and promotions, all answers to a check, and the drop of a king that
//! makes a virtual check a real one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parapost_rules::game::Stalemate;
use parapost_rules::{Listing, Ply, Position, Record, Role, Walk};

use crate::order::{Candidate, DEEPEST, Order, code, pick};
use crate::placements;
use crate::values::{Evaluator, Tally};

/// The value of having mated; less for each half-move that it takes.
pub(crate) const MATE: i32 = 30_000;
/// Values beyond this are mates.
pub(crate) const MATES: i32 = MATE - 1_000;
/// Beyond any value.
pub(crate) const INFINITE: i32 = 32_000;

/// Nodes between two looks at the clock and the flag.
const LOOK: u64 = 1_024;
/// Captures behind one another that the quiescence tries.
const QUIET_PLIES: i32 = 24;
/// Answers to checks behind one another that it tries.
const CHECKED_PLIES: i32 = 4;

/// What the search does beside looking at every ply; all of it but in tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways {
    pub(crate) quiescence: bool,
    /// Less depth for what is late or stands well, more for checks.
    pub(crate) varies_depth: bool,
}

pub(crate) struct Search<'a> {
    pub(crate) walk: Walk,
    pub(crate) evaluator: &'a Evaluator,
    pub(crate) table: &'a mut Table,
    pub(crate) order: &'a mut Order,
    pub(crate) limits: &'a Limits,
    pub(crate) ways: Ways,
    pub(crate) started: Instant,
    pub(crate) nodes: u64,
    pub(crate) is_stopped: bool,
    pub(crate) tally: Tally,
    pub(crate) has_placements: bool,
    pub(crate) stalemate: Stalemate,
    /// The depth of the iteration.
    pub(crate) root_depth: i32,
    /// Lists that are not in use.
    spare: Vec<Vec<Candidate>>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        record: &Record,
        evaluator: &'a Evaluator,
        (table, order): (&'a mut Table, &'a mut Order),
        limits: &'a Limits,
        ways: Ways,
    ) -> Search<'a> {
        table.begin();
        order.clear();
        Search {
            walk: Walk::of_record(record),
            evaluator,
            table,
            order,
            limits,
            ways,
            started: Instant::now(),
            nodes: 0,
            is_stopped: false,
            tally: evaluator.tally(record.position()),
            has_placements: record.position().variant().rules().placement,
            stalemate: record.position().variant().rules().stalemate,
            root_depth: 1,
            spare: Vec::new(),
        }
    }

    /// Counts a node. Returns true if the search is to end.
    pub(crate) fn is_over(&mut self) -> bool {
        if self.is_stopped {
            return true;
        }
        if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            self.is_stopped = true;
        }
        if self.nodes.is_multiple_of(LOOK) {
            let time = self.limits.time;
            let is_late = time.is_some_and(|most| self.started.elapsed() >= most);
            self.is_stopped |= is_late || self.limits.is_stopped();
        }
        self.nodes += 1;
        self.is_stopped
    }

    /// Plays the candidate; [`Search::back`] takes it back with the tally that this returns.
    pub(crate) fn play(&mut self, at: u32) -> Tally {
        let before = self.tally;
        let (tally, evaluator) = (&mut self.tally, self.evaluator);
        self.walk
            .play_seen(at as usize, |change| evaluator.count(tally, change));
        before
    }

    pub(crate) fn back(&mut self, before: Tally) {
        self.walk.back();
        self.tally = before;
    }

    /// Lists all plies of the position, ranked.
    pub(crate) fn candidates(&mut self, ply: usize, known: u32) -> Vec<Candidate> {
        let mut count = self.walk.list(Listing::All);
        if self.has_placements {
            count = placements::add(&mut self.walk, self.evaluator, count, ply == 0);
        }
        self.ranked(count, (ply, known))
    }

    fn ranked(&mut self, count: usize, about: (usize, u32)) -> Vec<Candidate> {
        let mut list = self.spare.pop().unwrap_or_default();
        list.clear();
        let rank = |at| self.order.candidate(&self.walk, self.evaluator, at, about);
        list.extend((0..count).filter_map(rank));
        list
    }

    /// The value of a position that stood before or is drawn by its count or material;
    /// none if play goes on.
    fn settled(&mut self, ply: usize, is_check: bool) -> Option<i32> {
        if let Some(recurrence) = self.walk.recurrence() {
            return Some(match recurrence.winner {
                None => 0,
                Some(winner) if winner == self.walk.turn() => MATES - 1,
                Some(_) => 1 - MATES,
            });
        }
        if !self.walk.is_draw() {
            return None;
        }
        // A mate comes before any draw.
        if is_check
            && self
                .walk
                .position()
                .outcome()
                .is_some_and(|end| end.winner.is_some())
        {
            return Some(self.ended(ply));
        }
        Some(0)
    }

    /// The value of a position without a legal ply.
    fn ended(&self, ply: usize) -> i32 {
        let position = self.walk.position();
        match position.outcome().map(|outcome| outcome.winner) {
            Some(Some(winner)) => {
                let value = MATE - i32::try_from(ply).unwrap_or(0);
                if winner == position.turn() {
                    value
                } else {
                    -value
                }
            }
            // The selection has no placement, but there is one: nobody knows.
            None => self.static_value(-INFINITE, INFINITE),
            Some(None) => 0,
        }
    }

    fn static_value(&self, alpha: i32, beta: i32) -> i32 {
        self.evaluator.value(&self.walk, self.tally, (alpha, beta))
    }

    /// The value of the position to the player to move, at most `beta` and at least
    /// `alpha` where it matters.
    pub(crate) fn node(
        &mut self,
        mut depth: i32,
        (mut alpha, mut beta): (i32, i32),
        ply: usize,
        may_pass: bool,
    ) -> i32 {
        let is_check = self.walk.is_check();
        if is_check && self.ways.varies_depth && ply < 2 * self.root_depth.unsigned_abs() as usize {
            depth += 1;
        }
        if depth <= 0 || ply + 1 >= DEEPEST {
            return self.quiet((alpha, beta), ply, 0);
        }
        if self.is_over() {
            return 0;
        }
        if let Some(value) = self.settled(ply, is_check) {
            return value;
        }
        // A mate that is found already is nearer than any from here.
        let near = i32::try_from(ply).unwrap_or(0);
        alpha = alpha.max(near - MATE);
        beta = beta.min(MATE - near - 1);
        if alpha >= beta {
            return alpha;
        }
        let is_main = beta - alpha > 1;
        let key = self.walk.key();
        let mut known = 0;
        if let Some(entry) = self.table.get(key) {
            known = entry.code;
            let is_deep = if self.ways.varies_depth {
                i32::from(entry.depth) >= depth
            } else {
                i32::from(entry.depth) == depth
            };
            let value = from_table(i32::from(entry.value), ply);
            let is_enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if is_deep && is_enough && !is_main {
                return value;
            }
        }
        if !is_main
            && !is_check
            && self.ways.varies_depth
            && beta > -MATES
            && beta < MATES
            && let Some(value) = self.stands_well(depth, beta, ply, may_pass)
        {
            return value;
        }
        self.children(depth, (alpha, beta), ply, (known, is_check))
    }

    /// A value of at least `beta`, if the player to move stands so well that a look at all
    /// plies can be spared.
    fn stands_well(&mut self, depth: i32, beta: i32, ply: usize, may_pass: bool) -> Option<i32> {
        let value = self.static_value(beta - 1, beta);
        // Further above the bound than what a ply or two mostly change.
        if depth <= 3 && value - 110 * depth >= beta {
            return Some(value);
        }
        let officers = self.tally.officers[self.walk.turn().index()];
        if !may_pass || depth < 2 || value < beta || officers == 0 || !self.walk.pass() {
            return None;
        }
        let less = 3 + depth / 4 + ((value - beta) / 200).min(2);
        let value = -self.node(depth - less, (-beta, 1 - beta), ply + 1, false);
        self.walk.back();
        // A mate behind a pass is none.
        (value >= beta && !self.is_stopped).then_some(value.min(MATES - 1))
    }

    fn children(
        &mut self,
        depth: i32,
        (mut alpha, beta): (i32, i32),
        ply: usize,
        (known, is_check): (u32, bool),
    ) -> i32 {
        let mut list = self.candidates(ply, known);
        if list.is_empty() {
            self.spare.push(list);
            return self.ended(ply);
        }
        let (first_alpha, turn) = (alpha, self.walk.turn());
        let (mut best, mut best_code) = (-INFINITE, 0);
        for i in 0..list.len() {
            pick(&mut list, i);
            let candidate = list[i];
            let before = self.play(candidate.at);
            let less = if self.ways.varies_depth && candidate.is_quiet && !is_check {
                reduction(depth, i)
            } else {
                0
            };
            let value = self.child(depth, (alpha, beta), ply, (i, less));
            self.back(before);
            if self.is_stopped {
                self.spare.push(list);
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    (alpha, best_code) = (value, candidate.code);
                }
            }
            if alpha >= beta {
                if candidate.is_quiet {
                    self.order
                        .reward(turn, (ply, depth), &candidate, &list[..i]);
                }
                break;
            }
        }
        self.spare.push(list);
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let value = to_table(best, ply);
        self.table
            .put(self.walk.key(), (best_code, value, depth, bound));
        best
    }

    /// The value of a ply that has been played, the `i`th of its list: with no window first,
    /// and less deep, if it is not expected to be the best.
    pub(crate) fn child(
        &mut self,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
        (i, less): (usize, i32),
    ) -> i32 {
        if i == 0 {
            return -self.node(depth - 1, (-beta, -alpha), ply + 1, true);
        }
        let mut value = alpha + 1;
        if less > 0 {
            value = -self.node(depth - 1 - less, (-alpha - 1, -alpha), ply + 1, true);
        }
        if value > alpha {
            value = -self.node(depth - 1, (-alpha - 1, -alpha), ply + 1, true);
        }
        if value > alpha && value < beta {
            value = -self.node(depth - 1, (-beta, -alpha), ply + 1, true);
        }
        value
    }

    /// The value when nothing is left hanging.
    fn quiet(&mut self, (mut alpha, beta): (i32, i32), ply: usize, far: i32) -> i32 {
        if self.is_over() {
            return 0;
        }
        let is_check = self.walk.is_check();
        if let Some(value) = self.settled(ply, is_check) {
            return value;
        }
        if !self.ways.quiescence {
            return self.plain_leaf(ply);
        }
        if is_check && far < CHECKED_PLIES && ply + 1 < DEEPEST {
            return self.answers((alpha, beta), ply, far);
        }
        let stand = self.static_value(alpha, beta);
        let mut best = stand;
        alpha = alpha.max(stand);
        if alpha >= beta || far >= QUIET_PLIES || ply + 1 >= DEEPEST {
            return best;
        }
        if far == 0 && self.may_uncover() {
            let count = self.walk.list(Listing::Drops(Role::King));
            let list = self.ranked(count, (ply, 0));
            best = self.quiet_children(list, (alpha, beta), (ply, far), best);
            alpha = alpha.max(best);
            if self.is_stopped || alpha >= beta {
                return best;
            }
        }
        let count = self.walk.list(Listing::Captures);
        let mut list = self.ranked(count, (ply, 0));
        // What loses more than it takes is not quiet, but no gain either. En passant, which is rare
        // where a line ends, is left to the plies before: docs/study.md is played so.
        let walk = &self.walk;
        list.retain(|candidate| candidate.rank >= 0 && !is_en_passant(walk, candidate.at));
        self.quiet_children(list, (alpha, beta), (ply, far), best)
    }

    /// Returns true if the drop of the own king would make a virtual check real.
    fn may_uncover(&self) -> bool {
        let turn = self.walk.turn();
        self.walk.king(turn).is_none() && self.walk.is_aimed_at(!turn)
    }

    /// The value of a position in check, after every answer.
    fn answers(&mut self, bounds: (i32, i32), ply: usize, far: i32) -> i32 {
        let list = self.candidates(ply, 0);
        if list.is_empty() {
            self.spare.push(list);
            return self.ended(ply);
        }
        self.quiet_children(list, bounds, (ply, far), -INFINITE)
    }

    fn quiet_children(
        &mut self,
        mut list: Vec<Candidate>,
        (mut alpha, beta): (i32, i32),
        (ply, far): (usize, i32),
        mut best: i32,
    ) -> i32 {
        for i in 0..list.len() {
            pick(&mut list, i);
            let before = self.play(list[i].at);
            let value = -self.quiet((-beta, -alpha), ply + 1, far + 1);
            self.back(before);
            if self.is_stopped {
                break;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.spare.push(list);
        best
    }

    /// The value of a leaf without quiescence: that of the position, or of its end.
    fn plain_leaf(&mut self, ply: usize) -> i32 {
        let count = self.walk.list(Listing::All);
        if count == 0 {
            return self.ended(ply);
        }
        self.static_value(-INFINITE, INFINITE)
    }

    /// The first plies of the line that the table knows from here.
    pub(crate) fn line(&self, root: &Position, first: Ply) -> Vec<Ply> {
        let mut line = vec![first];
        let mut seen = vec![root.key()];
        let mut position = root.play(&first).ok();
        while let Some(at) = position {
            if seen.contains(&at.key()) || line.len() >= 24 {
                break;
            }
            seen.push(at.key());
            let known = self.table.get(at.key()).map_or(0, |entry| entry.code);
            let mut plies = at.single_plies().into_iter();
            let next = plies.find(|ply| known != 0 && code(ply) == known);
            position = next.and_then(|ply| at.play(&ply).ok());
            line.extend(next);
        }
        line
    }
}

/// Returns true if a capture that is listed takes nothing where it goes.
fn is_en_passant(walk: &Walk, at: u32) -> bool {
    match walk.ply(at as usize) {
        Some(Ply::Move { to, promotion, .. }) => promotion.is_none() && walk.get(to).is_none(),
        _ => false,
    }
}

/// By how much less deep the `i`th ply is tried.
fn reduction(depth: i32, i: usize) -> i32 {
    if depth < 2 || i < 3 {
        return 0;
    }
    let late = i32::try_from(i.ilog2()).unwrap_or(0);
    let deep = i32::try_from(depth.unsigned_abs().ilog2()).unwrap_or(0);
    (late * (deep + 1) + 2) / 4
}

/// Mates are so many half-moves from the position in the table, and from the root here.
fn to_table(value: i32, ply: usize) -> i32 {
    let ply = i32::try_from(ply).unwrap_or(0);
    match value {
        MATES.. => value + ply,
        _ if value <= -MATES => value - ply,
        _ => value,
    }
}

fn from_table(value: i32, ply: usize) -> i32 {
    let ply = i32::try_from(ply).unwrap_or(0);
    match value {
        MATES.. => value - ply,
        _ if value <= -MATES => value + ply,
        _ => value,
    }
}

/// How long the engine thinks: the first limit that is reached ends it. Without any it
/// thinks to the greatest depth.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use parapost_engine::Limits;
///
/// let limits = Limits::nodes(10_000);
/// assert_eq!(limits.nodes, Some(10_000));
/// let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
/// assert_eq!(limits.nodes, None);
/// ```
#[derive(Clone, Default, Debug)]
#[allow(clippy::exhaustive_structs, reason = "made with `..Limits::default()`")]
pub struct Limits {
    /// Positions looked at. The same number gives the same answer on every machine.
    pub nodes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
    /// Half-moves; checks and captures are followed further.
    pub depth: Option<u32>,
    /// Ends the thinking at once when it becomes true.
    pub stop: Option<Arc<AtomicBool>>,
    /// Chooses among plies that are equally good at first sight: another seed, another game.
    /// Zero chooses nothing.
    pub seed: u64,
    /// Hundredths of a pawn: the seed may choose a ply that the search finds worse than the best by
    /// as much as this.
    pub variety: u16,
    /// The plies to choose from; all if none of them is one that the engine tries.
    pub only: Vec<Ply>,
}

impl Limits {
    /// So many positions.
    #[must_use]
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// So many half-moves.
    #[must_use]
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// Whether [`Limits::stop`] is true.
    pub(crate) fn is_stopped(&self) -> bool {
        let stop = self.stop.as_ref();
        stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// What a value says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    /// It is at most this.
    Upper,
    /// It is at least this.
    Lower,
    /// It is this.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    key: u64,
    /// The best ply, as [`crate::order::code`] has it; 0 if none is known.
    code: u32,
    value: i16,
    depth: i8,
    bound: Bound,
    /// The search that wrote it.
    age: u8,
}

/// Two places for each key: one for the deepest, one for the last.
pub(crate) struct Table {
    places: Vec<[Entry; 2]>,
    age: u8,
}

const NOTHING: Entry = Entry {
    key: 0,
    code: 0,
    value: 0,
    depth: -1,
    bound: Bound::Upper,
    age: 0,
};

impl Table {
    /// A table of at most so many mebibytes, and at least of some kilobytes.
    pub(crate) fn new(mebibytes: usize) -> Table {
        let wanted = mebibytes.saturating_mul(1 << 20) / size_of::<[Entry; 2]>();
        // A power of two, so that the lowest bits of a key are its place.
        let count = match wanted.checked_ilog2() {
            Some(bits) => 1 << bits.max(10),
            None => 1 << 10,
        };
        Table {
            places: vec![[NOTHING; 2]; count],
            age: 1,
        }
    }

    /// Forgets what earlier searches found: the same search then finds the same.
    fn begin(&mut self) {
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            self.places.fill([NOTHING; 2]);
            self.age = 1;
        }
    }

    fn place(&self, key: u64) -> usize {
        // The table is never empty and its size a power of two.
        usize::try_from(key & (self.places.len() as u64 - 1)).unwrap_or(0)
    }

    fn get(&self, key: u64) -> Option<Entry> {
        let both = &self.places[self.place(key)];
        both.iter()
            .find(|entry| entry.key == key && entry.age == self.age)
            .copied()
    }

    fn put(&mut self, key: u64, found: (u32, i32, i32, Bound)) {
        let (mut code, value, depth, bound) = found;
        let place = self.place(key);
        let (age, both) = (self.age, &mut self.places[place]);
        let known = both.iter().position(|old| old.key == key && old.age == age);
        let depth = i8::try_from(depth).unwrap_or(i8::MAX);
        let at = known.unwrap_or_else(|| {
            let deepest = &both[0];
            usize::from(deepest.age == age && deepest.depth > depth)
        });
        if known.is_some() && code == 0 {
            code = both[at].code;
        }
        both[at] = Entry {
            key,
            code,
            value: i16::try_from(value).unwrap_or(0),
            depth,
            bound,
            age,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_until_the_next_search_begins() {
        let mut table = Table::new(0);
        assert_eq!(table.get(7), None);
        table.put(7, (1, -300, 5, Bound::Lower));
        table.put(7 + (1 << 40), (2, 20, 3, Bound::Exact));
        let found = table.get(7).expect("the deeper one");
        assert_eq!((found.code, found.value, found.depth), (1, -300, 5));
        assert_eq!(table.get(7 + (1 << 40)).map(|entry| entry.code), Some(2));
        // A ply that is known stays where a later search has none.
        table.put(7, (0, 10, 6, Bound::Upper));
        assert_eq!(
            table.get(7).map(|entry| (entry.code, entry.depth)),
            Some((1, 6))
        );
        for _ in 0..300 {
            table.begin();
            assert_eq!(table.get(7), None);
        }
    }
}
