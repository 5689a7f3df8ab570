//! The search for forced mates: every ply of the one, every answer of the other, to a few
//! half-moves.
//!
//! The main search spares depth where a ply looks quiet, and so can miss a quiet ply that
//! mates, or find a longer way. This one spares nothing. First it tries checks alone,
//! which are few; then, where there is enough to spend, every ply.

use parapost_rules::Listing;
use parapost_rules::game::Stalemate;

use crate::placements;
use crate::search::Search;

/// The longest mate that is looked for, in half-moves.
pub(crate) const LONGEST: u32 = 5;

/// A search for mates, within the nodes of another.
pub(crate) struct Mates<'s, 'a> {
    search: &'s mut Search<'a>,
    /// The count of nodes at which it gives up.
    end: u64,
    only_checks: bool,
    /// By half-moves to the end: the answer that refuted the last attack.
    refutations: [usize; LONGEST as usize + 1],
}

/// It gave up.
struct GaveUp;

impl<'s, 'a> Mates<'s, 'a> {
    pub(crate) fn new(search: &'s mut Search<'a>, budget: u64, only_checks: bool) -> Mates<'s, 'a> {
        let end = search.nodes.saturating_add(budget);
        Mates {
            search,
            end,
            only_checks,
            refutations: [0; LONGEST as usize + 1],
        }
    }

    /// The shortest mate from the root of at most so many half-moves: the number of its first ply in
    /// the walk's list, and its length. None if there is none, or it gave up.
    pub(crate) fn find(mut self, most: u32) -> Option<(usize, u32)> {
        for plies in (1..=most.min(LONGEST)).step_by(2) {
            match self.attack(plies) {
                Ok(Some(at)) => return Some((at, plies)),
                Ok(None) => {}
                Err(GaveUp) => return None,
            }
        }
        None
    }

    fn count(&mut self) -> Result<(), GaveUp> {
        if self.search.is_over() || self.search.nodes > self.end {
            return Err(GaveUp);
        }
        Ok(())
    }

    /// All plies of the position, those of the root as it has listed them.
    fn list(&mut self) -> usize {
        let search = &mut *self.search;
        let is_root = search.walk.depth() == 0;
        let count = search.walk.list(Listing::All);
        if search.has_placements {
            return placements::add(&mut search.walk, search.evaluator, count, is_root);
        }
        count
    }

    /// The ply that mates in at most so many half-moves, if there is one.
    fn attack(&mut self, plies: u32) -> Result<Option<usize>, GaveUp> {
        let count = self.list();
        let mut quiet = Vec::new();
        for at in 0..count {
            self.count()?;
            self.search.walk.play(at);
            let is_check = self.search.walk.is_check();
            let is_won = if is_check {
                self.defend(plies - 1)
            } else if plies == 1 && self.search.stalemate == Stalemate::Loss {
                Ok(self.is_lost())
            } else {
                quiet.push(at);
                Ok(false)
            };
            self.search.walk.back();
            if is_won? {
                return Ok(Some(at));
            }
        }
        if self.only_checks || plies == 1 {
            return Ok(None);
        }
        for at in quiet {
            self.count()?;
            self.search.walk.play(at);
            let is_won = self.defend(plies - 1);
            self.search.walk.back();
            if is_won? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Returns true if the player to move has lost already.
    fn is_lost(&self) -> bool {
        let position = self.search.walk.position();
        position
            .outcome()
            .is_some_and(|end| end.winner == Some(!position.turn()))
    }

    /// Returns true if every answer is mated in at most so many half-moves.
    fn defend(&mut self, plies: u32) -> Result<bool, GaveUp> {
        let count = self.list();
        if count == 0 {
            return Ok(self.is_lost());
        }
        if plies == 0 || self.search.walk.is_draw() || self.search.walk.recurrence().is_some() {
            return Ok(false);
        }
        let first = self.refutations[plies as usize];
        let others = (0..count).filter(|at| *at != first);
        for at in Some(first)
            .into_iter()
            .filter(|at| *at < count)
            .chain(others)
        {
            self.count()?;
            self.search.walk.play(at);
            let attack = self.attack(plies - 1);
            self.search.walk.back();
            if attack?.is_none() {
                self.refutations[plies as usize] = at;
                return Ok(false);
            }
        }
        Ok(true)
    }
}
