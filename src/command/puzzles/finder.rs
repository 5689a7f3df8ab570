//! Finds the puzzles of matches.

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::command::puzzles::memory::{FoundPuzzle, Memory, Searched};
use crate::engine::{Limits, NoPuzzle, Puzzle};
use crate::matches::action::Ending;
use crate::matches::hash::hex;
use crate::matches::r#match::Match;
use crate::render::puzzle::{PuzzleOrigin, PuzzleView};
use crate::render::site;
use crate::rules::{Color, Position};

/// The positions that are looked at to prove one puzzle, if nobody says otherwise.
pub(crate) const NODES: u64 = 5_000_000;

/// Finds the puzzles of one match after the other.
pub(super) struct Finder {
    /// The positions that one proof may look at.
    pub(super) nodes: u64,
    pub(super) memory: Memory,
    /// The names of the puzzles so far: a position is one puzzle, however often it was played.
    pub(super) names: BTreeSet<String>,
    /// The finished matches so far, those of them that were searched now, and the positions that
    /// would have taken longer.
    pub(super) matches: usize,
    pub(super) searched: usize,
    pub(super) too_long: usize,
}

impl Finder {
    /// Creates one that knows the puzzles with these names.
    pub(super) fn new(nodes: u64, memory: Memory, names: BTreeSet<String>) -> Finder {
        Finder {
            nodes,
            memory,
            names,
            matches: 0,
            searched: 0,
            too_long: 0,
        }
    }

    /// Returns the puzzles of a match whose positions were not met before. One that goes on has
    /// none: a program would play for one of its players.
    pub(super) fn take(&mut self, game: &Match) -> Result<Vec<PuzzleView>, Error> {
        let is_void = game.ending().is_some_and(Ending::is_void);
        if game.turn().is_some() || is_void {
            return Ok(Vec::new());
        }
        self.matches += 1;
        let known = self.memory.find(game.id(), &game.hash(), self.nodes);
        let views = known.and_then(|known| Self::views(game, &known.puzzles));
        let mut views = if let Some(views) = views {
            self.memory.keep(game.id().as_str());
            views
        } else {
            let searched = search(game, self.nodes);
            let views = Self::views(game, &searched.puzzles).unwrap_or_default();
            self.searched += 1;
            self.memory.add(searched)?;
            views
        };
        self.too_long += self.memory.too_long(game.id());
        views.retain(|view| self.names.insert(view.name.clone()));
        Ok(views)
    }

    /// Returns what is told of the puzzles of a match. None if one of them is not of this match.
    fn views(game: &Match, found: &[FoundPuzzle]) -> Option<Vec<PuzzleView>> {
        let views = found.iter().map(|found| {
            let position = as_first(game.record().at(found.ply)?)?;
            let mut line = Vec::new();
            let mut at = position.clone();
            for text in &found.line {
                let ply = at.read(text).ok()?.ply;
                at = at.play(&ply).ok()?;
                line.push(ply);
            }
            let is_mate = at
                .outcome()
                .is_some_and(|end| end.winner == Some(position.turn()));
            let played = game.record().steps().get(found.ply);
            is_mate.then(|| PuzzleView {
                name: name(&position),
                plies: u32::try_from(line.len()).unwrap_or(u32::MAX),
                position,
                line,
                is_line_unique: found.is_line_unique,
                origin: PuzzleOrigin {
                    id: game.id().clone(),
                    ply: found.ply,
                    players: Color::ALL.map(|color| site::public(game.player(color).given_name())),
                    played: played.map(ToString::to_string),
                },
            })
        });
        views.collect()
    }
}

/// Searches the positions of a match. Behind a puzzle the half-moves of its solution are passed
/// over: they are the same combination.
fn search(game: &Match, nodes: u64) -> Searched {
    let record = game.record();
    let mut searched = Searched::of(game.id(), game.hash(), nodes);
    let mut ply = 0;
    while let Some(position) = record.at(ply) {
        match Puzzle::of(position, &Limits::nodes(nodes)) {
            Ok(puzzle) => {
                let mut at = position.clone();
                let mut line = Vec::new();
                for step in &puzzle.line {
                    line.push(at.text(step));
                    at = at.play(step).unwrap_or(at);
                }
                searched.puzzles.push(FoundPuzzle {
                    ply,
                    line,
                    is_line_unique: puzzle.is_line_unique,
                });
                ply += puzzle.line.len();
            }
            Err(NoPuzzle::TooLong) => searched.too_long += 1,
            Err(_) => {}
        }
        ply += 1;
    }
    searched
}

/// The position as the first of a game, as a puzzle shows it.
pub(super) fn as_first(position: &Position) -> Option<Position> {
    let mut setup = position.to_setup();
    (setup.number, setup.halfmoves) = (1, 0);
    Position::from_setup(position.variant(), &setup).ok()
}

/// Letters and digits that stand for a position of a game.
pub(super) fn name(position: &Position) -> String {
    let variant = position.variant();
    let options = variant.options().join(" ");
    let text = format!("{}\n{options}\n{}", variant.game().id, position.fen());
    hex(&Sha256::digest(text)[..5])
}
