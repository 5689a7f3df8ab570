//! What the games of a set come to.

use std::collections::{BTreeMap, BTreeSet};

use parapost_rules::Color;

use super::game::Game;
use super::statistics::{Estimate, number, quartiles};

/// What the games of a set at the same number of nodes come to, each counted once.
pub(crate) struct Tally {
    pub(crate) games: usize,
    /// Games that came twice, and are not counted again.
    pub(crate) duplicates: usize,
    /// White's wins, draws, and Black's wins.
    pub(crate) results: [usize; 3],
    /// White's share of the points.
    pub(crate) score: Estimate,
    pub(crate) draws: Estimate,
    /// Games that were given up for their length.
    pub(crate) given_up: usize,
    pub(crate) length: Estimate,
    pub(crate) quartiles: [usize; 3],
    /// How often the lead changes hands in a game.
    pub(crate) changes: Estimate,
    /// Games in which it does more than once.
    pub(crate) changes_twice: Estimate,
    /// Of the games with a lead and a winner, those that whoever had it first won.
    pub(crate) first_lead_wins: Estimate,
}

impl Tally {
    pub(crate) fn of<'a>(games: impl Iterator<Item = &'a Game>) -> Tally {
        let (mut seen, mut once, mut duplicates) = (BTreeSet::new(), Vec::new(), 0);
        for game in games {
            if seen.insert(game.hash.as_str()) {
                once.push(game);
            } else {
                duplicates += 1;
            }
        }
        let count = |is_so: &dyn Fn(&Game) -> bool| once.iter().filter(|game| is_so(game)).count();
        let games = once.len();
        let share = |count: usize, of: usize| Estimate::share(number(count), of);
        let white = count(&|game| game.winner == Some(Color::White));
        let draws = count(&|game| game.winner.is_none());
        let lengths: Vec<usize> = once.iter().map(|game| game.half_moves).collect();
        let changes: Vec<f64> = once
            .iter()
            .map(|game| number(game.leads.len().saturating_sub(1)))
            .collect();
        let is_led = |game: &Game| game.winner.is_some() && !game.leads.is_empty();
        let won = |game: &Game| is_led(game) && game.leads.first() == game.winner.as_ref();
        Tally {
            games,
            duplicates,
            results: [white, draws, games - white - draws],
            score: Estimate::share(number(white) + number(draws) / 2.0, games),
            draws: share(draws, games),
            given_up: count(&|game| game.ending == "given-up"),
            length: Estimate::mean(&lengths.iter().map(|&one| number(one)).collect::<Vec<_>>()),
            quartiles: quartiles(&lengths),
            changes: Estimate::mean(&changes),
            changes_twice: share(count(&|game| game.leads.len() > 2), games),
            first_lead_wins: share(count(&won), count(&is_led)),
        }
    }
}

/// The tallies of all sets, by name and nodes.
pub(crate) struct Tallies {
    all: BTreeMap<(String, u64), Tally>,
    none: Tally,
}

impl Tallies {
    pub(crate) fn of(games: &[Game]) -> Tallies {
        let mut sorted: BTreeMap<(String, u64), Vec<&Game>> = BTreeMap::new();
        for game in games {
            let place = sorted.entry((game.set.clone(), game.nodes)).or_default();
            place.push(game);
        }
        let tally = |(key, games): (_, Vec<&Game>)| (key, Tally::of(games.into_iter()));
        Tallies {
            all: sorted.into_iter().map(tally).collect(),
            none: Tally::of(std::iter::empty()),
        }
    }

    /// That of a set at so many nodes; one of no games if there are none.
    pub(crate) fn get(&self, name: &str, nodes: u64) -> &Tally {
        let found = self.all.get(&(name.to_owned(), nodes));
        found.unwrap_or(&self.none)
    }
}
