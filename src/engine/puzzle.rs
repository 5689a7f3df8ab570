//! Puzzles: a forced mate with one solution, which is proven.
//!
//! Here nothing is believed and nothing spared: every ply of the one and every answer of the
//! other is tried, in Kingchess every placement. What would take too long is no puzzle.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parapost_rules::game::Stalemate;
use parapost_rules::{Listing, Ply, Position, Reason, Variant, Walk};

use crate::mate::{GaveUp, LONGEST, Mates, Tree};
use crate::search::Limits;

/// Half-moves without a capture, a pawn move or a drop from which on a draw may be near, which no
/// diagram shows.
const OLD: u32 = 90;

/// Placements of several pieces in one position that are tried.
const MOST_PLACEMENTS: usize = 2_000;

/// Positions of a search between two looks at whether it is to end.
const LOOK: u64 = 1_024;

/// A position in which the player to move forces mate, and by one first ply alone.
///
/// # Examples
///
/// ```
/// use parapost_engine::{Limits, NoPuzzle, Puzzle};
/// use parapost_rules::{Position, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let position = Position::from_fen(&chess, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w")?;
/// let puzzle = Puzzle::of(&position, &Limits::nodes(100_000)).expect("one rook mates");
/// assert_eq!(puzzle.moves(), 1);
/// assert_eq!(position.text(&puzzle.line[0]), "R-a8");
///
/// let two_rooks = Position::from_fen(&chess, "6k1/5ppp/8/8/8/8/5PPP/RR4K1 w")?;
/// let none = Puzzle::of(&two_rooks, &Limits::nodes(100_000));
/// assert_eq!(none, Err(NoPuzzle::Several));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Puzzle {
    /// The half-moves to the mate, against the longest defence: 1, 3 or 5.
    pub plies: u32,
    /// The solution: the only first ply, the longest defence, and so on to the mate.
    pub line: Vec<Ply>,
    /// True if every later ply of the solver in `line`, too, is the only one that mates in time.
    pub is_line_unique: bool,
}

/// Why a position is no puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum NoPuzzle {
    /// No mate is forced in so few half-moves, as far as it was looked for.
    NoMate,
    /// Two first plies at least mate in the same time.
    Several,
    /// There are more legal plies than [`Puzzle::MOST_PLIES`], placements among them.
    TooMany,
    /// The proof would take longer than the limits allow, or was stopped.
    TooLong,
}

/// What comes of a ply of somebody who solves a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(clippy::exhaustive_enums, reason = "one of the three")]
pub enum Trial {
    /// It mates.
    Mate,
    /// Mate is still forced in time; this is the longest defence.
    Forced(Ply),
    /// Mate is not forced in time any more: this answer prevents it. None if the game ends in
    /// another way.
    Missed(Option<Ply>),
}

impl From<GaveUp> for NoPuzzle {
    fn from(_: GaveUp) -> NoPuzzle {
        NoPuzzle::TooLong
    }
}

impl Puzzle {
    /// The most legal plies of a position in which a puzzle is looked for.
    pub const MOST_PLIES: usize = 250;

    /// Proves that a position is a puzzle.
    ///
    /// Mates of one and three half-moves are looked for by every ply. One of five is looked for by
    /// checks alone; that no other first ply mates as soon is tried by every ply again. `limits` are the
    /// positions that may be looked at, and a sign to stop.
    ///
    /// # Errors
    ///
    /// Why it is none.
    pub fn of(position: &Position, limits: &Limits) -> Result<Puzzle, NoPuzzle> {
        if position.outcome().is_some() || position.halfmoves() >= OLD {
            return Err(NoPuzzle::NoMate);
        }
        if position.legal_plies().nth(Puzzle::MOST_PLIES).is_some() {
            return Err(NoPuzzle::TooMany);
        }
        let mut solver = Solver::of(Proof::new(position, limits), false);
        let plies = solver.length()?.ok_or(NoPuzzle::NoMate)?;
        let (first, is_only) = solver.solution(plies)?.ok_or(NoPuzzle::NoMate)?;
        if !is_only {
            return Err(NoPuzzle::Several);
        }
        solver.play_out(first, plies)
    }

    /// The moves to the mate: 1, 2 or 3.
    #[must_use]
    pub fn moves(&self) -> u32 {
        self.plies.div_ceil(2)
    }

    /// Judges a legal ply of somebody who is to force mate in so many half-moves, 1, 3 or 5.
    ///
    /// # Errors
    ///
    /// If the ply is not legal, or it would take longer than the limits allow.
    pub fn attempt(
        position: &Position,
        ply: &Ply,
        plies: u32,
        limits: &Limits,
    ) -> Result<Trial, NoPuzzle> {
        let plies = plies.clamp(1, LONGEST);
        let after = position.play(ply).map_err(|_| NoPuzzle::NoMate)?;
        if let Some(outcome) = after.outcome() {
            return Ok(match outcome.winner {
                Some(winner) if winner == position.turn() => Trial::Mate,
                _ => Trial::Missed(None),
            });
        }
        let mut solver = Solver::of(Proof::new(&after, limits), false);
        let (answer, left) = solver.defence(plies - 1)?.ok_or(NoPuzzle::NoMate)?;
        let answer = solver.tree.walk.ply(answer).ok_or(NoPuzzle::NoMate)?;
        Ok(match left {
            Some(_) => Trial::Forced(answer),
            None => Trial::Missed(Some(answer)),
        })
    }

    /// Some puzzles of every game, from games of the program against itself: the position, and the
    /// half-moves to the mate.
    ///
    /// # Panics
    ///
    /// If a line of the list cannot be read, which a test excludes.
    pub fn samples() -> impl Iterator<Item = (Position, u32)> {
        include_str!("puzzles.tsv").lines().map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [game, plies, fen] = fields[..] else {
                panic!("{line}: three fields");
            };
            let variant = Variant::find(game, &[]).expect("a game");
            let position = Position::from_fen(&variant, fen).expect("a position");
            (position, plies.parse().expect("a number"))
        })
    }
}

/// The whole tree behind a position.
struct Proof {
    walk: Walk,
    nodes: u64,
    most: u64,
    stop: Option<Arc<AtomicBool>>,
    has_placements: bool,
    stalemate: Stalemate,
}

type Solver = Mates<Proof>;

impl Proof {
    fn new(position: &Position, limits: &Limits) -> Proof {
        let rules = position.variant().rules();
        Proof {
            walk: Walk::new(position),
            nodes: 0,
            most: limits.nodes.unwrap_or(u64::MAX),
            stop: limits.stop.clone(),
            has_placements: rules.placement,
            stalemate: rules.stalemate,
        }
    }
}

impl Tree for Proof {
    fn walk(&mut self) -> &mut Walk {
        &mut self.walk
    }

    fn list(&mut self) -> Result<usize, GaveUp> {
        let mut count = self.walk.list(Listing::All);
        if !self.has_placements || self.walk.reserve(self.walk.turn()).total() < 2 {
            return Ok(count);
        }
        let position = self.walk.position();
        for (placed, ply) in position.placements().enumerate() {
            if placed > MOST_PLACEMENTS {
                return Err(GaveUp);
            }
            if let Ply::Placement(placement) = ply {
                self.count()?;
                count = self.walk.add(&placement).map_or(count, |at| at + 1);
            }
        }
        Ok(count)
    }

    fn count(&mut self) -> Result<(), GaveUp> {
        let is_told = || {
            let stop = self.stop.as_ref();
            stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
        };
        if self.nodes >= self.most || self.nodes.is_multiple_of(LOOK) && is_told() {
            return Err(GaveUp);
        }
        self.nodes += 1;
        Ok(())
    }

    fn is_stalemate_lost(&self) -> bool {
        self.stalemate == Stalemate::Loss
    }
}

impl Solver {
    /// The half-moves of the shortest mate that is found.
    fn length(&mut self) -> Result<Option<u32>, GaveUp> {
        if let Some((_, plies)) = self.shortest(LONGEST - 2)? {
            return Ok(Some(plies));
        }
        self.only_checks = true;
        let found = self.attack(LONGEST);
        self.only_checks = false;
        Ok(found?.map(|_| LONGEST))
    }

    /// The first ply that mates in at most so many half-moves, and true if it is the only one.
    fn solution(&mut self, plies: u32) -> Result<Option<(usize, bool)>, GaveUp> {
        let mut first = None;
        for at in 0..self.tree.list()? {
            self.tree.count()?;
            self.tree.walk.play(at);
            let is_won = self.defend(plies - 1);
            self.tree.walk.back();
            if is_won? {
                if let Some(first) = first {
                    return Ok(Some((first, false)));
                }
                first = Some(at);
            }
        }
        Ok(first.map(|first| (first, true)))
    }

    /// The answer that holds out longest, the first of these, and in how many half-moves it is mated;
    /// none of these where it is not in at most `plies - 1`. None if there is no answer.
    fn defence(&mut self, plies: u32) -> Result<Option<(usize, Option<u32>)>, GaveUp> {
        let mut longest = None;
        for at in 0..self.tree.list()? {
            self.tree.count()?;
            self.tree.walk.play(at);
            let found = self.shortest(plies.saturating_sub(1));
            self.tree.walk.back();
            let Some((_, left)) = found? else {
                return Ok(Some((at, None)));
            };
            if longest.is_none_or(|(_, most)| left > most) {
                longest = Some((at, left));
            }
        }
        Ok(longest.map(|(at, left)| (at, Some(left))))
    }

    /// Plays the solution out.
    fn play_out(&mut self, first: usize, plies: u32) -> Result<Puzzle, NoPuzzle> {
        let (mut at, mut left) = (first, plies);
        let (mut line, mut is_line_unique) = (Vec::new(), true);
        loop {
            self.step(at, &mut line)?;
            let Some((answer, then)) = self.defence(left - 1)? else {
                break;
            };
            left = then.ok_or(NoPuzzle::NoMate)?;
            self.step(answer, &mut line)?;
            let (next, is_only) = self.solution(left)?.ok_or(NoPuzzle::NoMate)?;
            is_line_unique &= is_only;
            at = next;
        }
        // Shogi: who has no legal ply loses, but that is no mate.
        let end = self.tree.walk.position().outcome();
        if end.is_none_or(|end| end.reason != Reason::Checkmate) {
            return Err(NoPuzzle::NoMate);
        }
        Ok(Puzzle {
            plies,
            line,
            is_line_unique,
        })
    }

    fn step(&mut self, at: usize, line: &mut Vec<Ply>) -> Result<(), NoPuzzle> {
        // A defence was looked for since the list was made, deeper in the tree.
        line.push(self.tree.walk.ply(at).ok_or(NoPuzzle::NoMate)?);
        self.tree.walk.play(at);
        Ok(())
    }
}
