//! The engine: thinks about a record, and tells what it would play.

use parapost_rules::{Ply, Record, Variant};

use crate::mate::{LONGEST, Mates};
use crate::order::{Candidate, Order, pick};
use crate::search::{INFINITE, Limits, MATE, MATES, Search, Table, Ways};
use crate::values::{Evaluator, Values};

/// Mebibytes of the transposition table, if nobody says otherwise.
const MEMORY: usize = 16;
/// The greatest depth.
const DEPTH: u32 = 100;
/// The depth after which mates are looked for.
const MATES_AFTER: u32 = 2;
/// Positions from which on a quarter may go to that in any position.
const MUCH: u64 = 400_000;
/// The most that go to it.
const MOST_FOR_MATES: u64 = 20_000_000;
/// The value at which a position looks won.
const WON: i32 = 400;
/// How much a seed can move a ply's place in the first order.
const CHANCE: u64 = 48;

/// Plays a game by looking ahead.
///
/// # Examples
///
/// ```
/// use parapost_engine::{Engine, Limits, Score};
/// use parapost_rules::{Position, Record, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let start = Position::from_fen(&chess, "6k1/5ppp/8/8/8/8/8/R5K1 w")?;
/// let thought = Engine::new(&chess).think(&Record::new(start.clone()), &Limits::nodes(1_000));
/// assert_eq!(start.text(&thought.ply.expect("a move")), "R-a8");
/// assert_eq!(thought.score, Score::Mate(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    variant: Variant,
    pub(crate) evaluator: Evaluator,
    table: Table,
    order: Order,
}

/// What the engine thinks of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Thought {
    /// The ply that it would play; none if the game is over.
    pub ply: Option<Ply>,
    /// What it thinks of the position, from the side of the player to move.
    pub score: Score,
    /// The depth of the last iteration that was finished, in half-moves.
    pub depth: u32,
    /// The positions that it has looked at.
    pub nodes: u64,
    /// The line that it expects, its own ply first.
    pub line: Vec<Ply>,
}

/// What a position is worth to the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::exhaustive_enums, reason = "one or the other")]
pub enum Score {
    /// Hundredths of a pawn.
    Pawns(i32),
    /// A mate in so many half-moves: above zero the player to move gives it.
    Mate(i32),
}

impl Thought {
    /// Nothing thought, and a ply by chance.
    pub(crate) fn idle(record: &Record, chance: u64) -> Thought {
        let plies = record.position().single_plies();
        let at = usize::try_from(chance % plies.len().max(1) as u64).unwrap_or(0);
        let any = plies.get(at).copied();
        let ply = any.or_else(|| record.position().legal_plies().next());
        let ply = ply.filter(|_| record.outcome().is_none());
        Thought {
            ply,
            score: Score::Pawns(0),
            depth: 0,
            nodes: 0,
            line: ply.into_iter().collect(),
        }
    }
}

impl Score {
    fn of(value: i32) -> Score {
        if value >= MATES {
            Score::Mate(MATE - value)
        } else if value <= -MATES {
            Score::Mate(-MATE - value)
        } else {
            Score::Pawns(value)
        }
    }

    /// In hundredths of a pawn, the value at which a position is won: beyond it nothing more is
    /// gained or lost.
    pub const WON: i32 = 1_000;

    /// What a position is worth to the player who has just made a half-move, if it is worth this to
    /// the one to move.
    #[must_use]
    pub fn for_other(self) -> Score {
        match self {
            Score::Pawns(value) => Score::Pawns(-value),
            Score::Mate(plies) if plies > 0 => Score::Mate(-plies - 1),
            Score::Mate(plies) => Score::Mate(1 - plies),
        }
    }

    /// It in hundredths of a pawn, at most [`Score::WON`].
    #[must_use]
    pub fn bounded(self) -> i32 {
        self.value().clamp(-Score::WON, Score::WON)
    }

    /// It as one number, in which a mate is more than anything else.
    #[must_use]
    pub fn value(self) -> i32 {
        match self {
            Score::Pawns(value) => value,
            Score::Mate(plies) if plies > 0 => MATE - plies,
            Score::Mate(plies) => -MATE - plies,
        }
    }
}

impl Engine {
    /// An engine for a game, with its own values.
    #[must_use]
    pub fn new(variant: &Variant) -> Engine {
        Engine::with_values(variant, &Values::of(variant))
    }

    /// An engine for a game, with values of one's own.
    #[must_use]
    pub fn with_values(variant: &Variant, values: &Values) -> Engine {
        Engine {
            variant: variant.clone(),
            evaluator: Evaluator::new(variant, values),
            table: Table::new(MEMORY),
            order: Order::new(),
        }
    }

    /// Gives the table of positions so many mebibytes (16 otherwise).
    pub fn set_memory(&mut self, mebibytes: usize) {
        self.table = Table::new(mebibytes);
    }

    /// The game that it plays.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Thinks about the end of a record. What it thought before makes no difference.
    ///
    /// The record has to be of its own game: of another it thinks with the wrong values.
    pub fn think(&mut self, record: &Record, limits: &Limits) -> Thought {
        self.think_aloud(record, limits, |_| ())
    }

    /// Thinks, and calls a function with what it has found after each iteration.
    pub fn think_aloud(
        &mut self,
        record: &Record,
        limits: &Limits,
        told: impl FnMut(&Thought),
    ) -> Thought {
        let ways = Ways {
            quiescence: true,
            varies_depth: true,
        };
        self.search(record, limits, ways, told)
    }

    pub(crate) fn search(
        &mut self,
        record: &Record,
        limits: &Limits,
        ways: Ways,
        told: impl FnMut(&Thought),
    ) -> Thought {
        let both = (&mut self.table, &mut self.order);
        let search = Search::new(record, &self.evaluator, both, limits, ways);
        Root::new(search).deepen(record, told)
    }
}

/// A search at its root.
struct Root<'a> {
    search: Search<'a>,
    /// The plies, the best of the last iteration first.
    list: Vec<Candidate>,
    /// What the seed adds to the value of each, by its number in the walk's list.
    bonuses: Vec<i32>,
}

impl<'a> Root<'a> {
    fn new(mut search: Search<'a>) -> Root<'a> {
        let mut list = search.candidates(0, 0);
        let Limits { seed, variety, .. } = *search.limits;
        let only = &search.limits.only;
        let may_play = |one: &Candidate| {
            let ply = search.walk.ply(one.at as usize);
            ply.is_some_and(|ply| only.contains(&ply))
        };
        if list.iter().any(may_play) {
            list.retain(may_play);
        }
        let count = list.iter().map(|candidate| candidate.at as usize + 1).max();
        let mut bonuses = vec![0; count.unwrap_or(0)];
        let mut chance = seed;
        for candidate in &mut list {
            if seed > 0 {
                // Xorshift: the same on every machine.
                chance ^= chance << 13;
                chance ^= chance >> 7;
                chance ^= chance << 17;
                candidate.rank += i32::try_from(chance % CHANCE).unwrap_or(0);
                let bonus = (chance >> 32) % (u64::from(variety) + 1);
                bonuses[candidate.at as usize] = i32::try_from(bonus).unwrap_or(0);
            }
        }
        for at in 0..list.len() {
            pick(&mut list, at);
        }
        Root {
            search,
            list,
            bonuses,
        }
    }

    fn deepen(mut self, record: &Record, mut told: impl FnMut(&Thought)) -> Thought {
        let mut thought = Thought {
            ply: None,
            score: Score::Pawns(0),
            depth: 0,
            nodes: 0,
            line: Vec::new(),
        };
        if record.outcome().is_some() {
            return thought;
        }
        // Whatever ends the thinking, there is a ply.
        let first = self.list.first().map(|first| first.at as usize);
        let first = first.and_then(|at| self.search.walk.ply(at));
        thought.ply = first.or_else(|| record.position().legal_plies().next());
        thought.line.extend(thought.ply);
        let deepest = self.search.limits.depth.unwrap_or(DEPTH).clamp(1, DEPTH);
        let mut value = 0;
        for depth in 1..=deepest {
            let iteration = i32::try_from(depth).unwrap_or(1);
            self.search.root_depth = iteration;
            let Some((found, at)) = self.iterate(iteration, value) else {
                break;
            };
            let Some(ply) = self.search.walk.ply(at) else {
                break;
            };
            value = found;
            thought.ply = Some(ply);
            thought.score = Score::of(if value.abs() < MATES {
                value - self.bonuses[at]
            } else {
                value
            });
            thought.nodes = self.search.nodes;
            if self.search.is_stopped {
                // The line is that of the last whole iteration, which may have had another ply.
                if thought.line.first() != Some(&ply) {
                    thought.line = vec![ply];
                }
                break;
            }
            thought.depth = depth;
            thought.line = self.search.line(record.position(), ply);
            told(&thought);
            if self.is_enough(iteration, value) {
                break;
            }
            if depth == MATES_AFTER
                && let Some((ply, plies)) = self.mate(value)
            {
                thought.ply = Some(ply);
                thought.score = Score::Mate(plies);
                thought.line = vec![ply];
                thought.nodes = self.search.nodes;
                told(&thought);
                break;
            }
        }
        thought.nodes = self.search.nodes;
        thought
    }

    /// Returns true if nothing is won by another iteration.
    fn is_enough(&self, depth: i32, value: i32) -> bool {
        let limits = self.search.limits;
        // One that takes longer than all before would not end in time.
        let out_of_time = limits
            .time
            .is_some_and(|time| self.search.started.elapsed() > time / 10 * 6);
        let is_clocked = limits.time.is_some() || limits.nodes.is_some();
        let is_forced = is_clocked && self.list.len() == 1;
        // A mate as near as this depth sees is the nearest.
        let is_mate = value.abs() >= MATES && MATE - value.abs() <= depth;
        out_of_time || is_forced || is_mate
    }

    /// Looks for a forced mate of a few half-moves that the iterations may miss or find longer: by
    /// checks alone, and, where much can be spent or the position looks won, by every ply. It
    /// spends at most a quarter of what the limits give.
    fn mate(&mut self, value: i32) -> Option<(Ply, i32)> {
        if !self.search.ways.varies_depth || !self.search.limits.only.is_empty() {
            return None;
        }
        let limits = self.search.limits;
        let by_nodes = limits.nodes.unwrap_or(u64::MAX);
        let by_time = limits.time.map_or(u64::MAX, |time| {
            u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
        });
        let given = by_nodes.min(by_time);
        let mut found = Mates::new(&mut self.search, given / 16, true).find(LONGEST);
        // A longer way with checks alone may be there beside a shorter one.
        let shorter = found.map_or(LONGEST, |(_, plies)| plies.saturating_sub(2));
        let can_spend = given >= MUCH || value >= WON || found.is_some();
        if can_spend && shorter > 0 {
            let all = Mates::new(&mut self.search, (given / 4).min(MOST_FOR_MATES), false);
            found = all.find(shorter).or(found);
        }
        let (at, plies) = found?;
        Some((self.search.walk.ply(at)?, plies.cast_signed()))
    }

    /// Looks at all plies to a depth, within a window about the last value. Returns the number of the
    /// best with its value; none if it was stopped before it knew any.
    fn iterate(&mut self, depth: i32, last: i32) -> Option<(i32, usize)> {
        let mut margin = 40;
        let is_narrow = depth > 3 && last.abs() < MATES && self.search.ways.varies_depth;
        let (mut low, mut high) = if is_narrow {
            (last - margin, last + margin)
        } else {
            (-INFINITE, INFINITE)
        };
        loop {
            let found = self.all(depth, low, high);
            let (value, at) = found?;
            if self.search.is_stopped || value > low && value < high {
                return Some((value, at));
            }
            margin *= 4;
            if value <= low {
                low = if margin > 1_000 {
                    -INFINITE
                } else {
                    last - margin
                };
            } else {
                high = if margin > 1_000 {
                    INFINITE
                } else {
                    last + margin
                };
            }
        }
    }

    /// Looks at all plies within a window. The best comes first in the list.
    fn all(&mut self, depth: i32, mut alpha: i32, beta: i32) -> Option<(i32, usize)> {
        let mut best: Option<(i32, usize)> = None;
        for i in 0..self.list.len() {
            let candidate = self.list[i];
            let before = self.search.play(candidate.at);
            let less = if self.search.ways.varies_depth && candidate.is_quiet && i > 8 && depth > 2
            {
                1 + i32::from(i > 60 && depth > 3)
            } else {
                0
            };
            // The window of a ply that has a bonus lies that much lower.
            let bonus = self.bonuses[candidate.at as usize];
            let window = (alpha - bonus, beta - bonus);
            let mut value = self.search.child(depth, window, 0, (i, less));
            if value.abs() < MATES {
                value = (value + bonus).min(MATES - 1);
            }
            self.search.back(before);
            if self.search.is_stopped {
                break;
            }
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, candidate.at as usize));
                // What is no better than the bound says nothing of the order.
                if value > alpha || i == 0 {
                    self.list[..=i].rotate_right(1);
                }
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
