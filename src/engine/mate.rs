//! The search for forced mates: every ply of the one, every answer of the other, to a few
//! half-moves.
//!
//! The main search spares depth where a ply looks quiet, and so can miss a quiet ply that
//! mates, or find a longer way. This one spares nothing. First it tries checks alone,
//! which are few; then, where there is enough to spend, every ply.

use parapost_rules::game::Stalemate;
use parapost_rules::{Listing, Walk};

use crate::placements;
use crate::search::Search;

/// The longest mate that is looked for, in half-moves.
pub(crate) const LONGEST: u32 = 5;

/// The tree that is searched: where it stands, all plies of one position, and what may be spent.
pub(crate) trait Tree {
    fn walk(&mut self) -> &mut Walk;

    /// Lists the plies of the position. Returns how many there are.
    fn list(&mut self) -> Result<usize, GaveUp>;

    /// Counts a position.
    fn count(&mut self) -> Result<(), GaveUp>;

    /// Returns true if a player without a legal ply loses, in check or not.
    fn is_stalemate_lost(&self) -> bool;
}

/// The search gave up.
#[derive(Debug)]
pub(crate) struct GaveUp;

/// The tree within the nodes of another search.
pub(crate) struct Within<'s, 'a> {
    search: &'s mut Search<'a>,
    /// The count of nodes at which it gives up.
    end: u64,
}

impl Tree for Within<'_, '_> {
    fn walk(&mut self) -> &mut Walk {
        &mut self.search.walk
    }

    /// Lists all plies of the position, those of the root as it has listed them.
    fn list(&mut self) -> Result<usize, GaveUp> {
        let search = &mut *self.search;
        let is_root = search.walk.depth() == 0;
        let count = search.walk.list(Listing::All);
        if search.has_placements {
            return Ok(placements::add(
                &mut search.walk,
                search.evaluator,
                count,
                is_root,
            ));
        }
        Ok(count)
    }

    fn count(&mut self) -> Result<(), GaveUp> {
        if self.search.is_over() || self.search.nodes > self.end {
            return Err(GaveUp);
        }
        Ok(())
    }

    fn is_stalemate_lost(&self) -> bool {
        self.search.stalemate == Stalemate::Loss
    }
}

/// A search for mates.
pub(crate) struct Mates<T> {
    pub(crate) tree: T,
    pub(crate) only_checks: bool,
    /// By half-moves to the end: the answer that refuted the last attack.
    refutations: [usize; LONGEST as usize + 1],
}

impl<'s, 'a> Mates<Within<'s, 'a>> {
    pub(crate) fn new(search: &'s mut Search<'a>, budget: u64, only_checks: bool) -> Self {
        let end = search.nodes.saturating_add(budget);
        Mates::of(Within { search, end }, only_checks)
    }

    /// The shortest mate from the root of at most so many half-moves: the number of its first ply in
    /// the walk's list, and its length. None if there is none, or it gave up.
    pub(crate) fn find(mut self, most: u32) -> Option<(usize, u32)> {
        self.shortest(most.min(LONGEST)).ok().flatten()
    }
}

impl<T: Tree> Mates<T> {
    pub(crate) fn of(tree: T, only_checks: bool) -> Mates<T> {
        Mates {
            tree,
            only_checks,
            refutations: [0; LONGEST as usize + 1],
        }
    }

    /// The shortest mate of at most so many half-moves, as [`Mates::find`] tells it.
    pub(crate) fn shortest(&mut self, most: u32) -> Result<Option<(usize, u32)>, GaveUp> {
        for plies in (1..=most).step_by(2) {
            if let Some(at) = self.attack(plies)? {
                return Ok(Some((at, plies)));
            }
        }
        Ok(None)
    }

    /// The ply that mates in at most so many half-moves, if there is one.
    pub(crate) fn attack(&mut self, plies: u32) -> Result<Option<usize>, GaveUp> {
        let count = self.tree.list()?;
        let mut quiet = Vec::new();
        for at in 0..count {
            self.tree.count()?;
            self.tree.walk().play(at);
            let is_check = self.tree.walk().is_check();
            let is_won = if is_check {
                self.defend(plies - 1)
            } else if plies == 1 && self.tree.is_stalemate_lost() {
                Ok(self.is_lost())
            } else {
                quiet.push(at);
                Ok(false)
            };
            self.tree.walk().back();
            if is_won? {
                return Ok(Some(at));
            }
        }
        if self.only_checks || plies == 1 {
            return Ok(None);
        }
        for at in quiet {
            self.tree.count()?;
            self.tree.walk().play(at);
            let is_won = self.defend(plies - 1);
            self.tree.walk().back();
            if is_won? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Returns true if the player to move has lost already.
    pub(crate) fn is_lost(&mut self) -> bool {
        let position = self.tree.walk().position();
        position
            .outcome()
            .is_some_and(|end| end.winner == Some(!position.turn()))
    }

    /// Returns true if every answer is mated in at most so many half-moves.
    pub(crate) fn defend(&mut self, plies: u32) -> Result<bool, GaveUp> {
        let count = self.tree.list()?;
        if count == 0 {
            return Ok(self.is_lost());
        }
        let walk = self.tree.walk();
        if plies == 0 || walk.is_draw() || walk.recurrence().is_some() {
            return Ok(false);
        }
        let first = self.refutations[plies as usize];
        let others = (0..count).filter(|at| *at != first);
        for at in Some(first)
            .into_iter()
            .filter(|at| *at < count)
            .chain(others)
        {
            self.tree.count()?;
            self.tree.walk().play(at);
            let attack = self.attack(plies - 1);
            self.tree.walk().back();
            if attack?.is_none() {
                self.refutations[plies as usize] = at;
                return Ok(false);
            }
        }
        Ok(true)
    }
}
