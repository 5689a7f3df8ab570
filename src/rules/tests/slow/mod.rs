//! The rules once more: slow, on plain arrays, written from `docs/rules.md` alone and without sight of the rules crate,
//! so that the two can be held against each other. Every move is made on a copy, and the copy is looked at.
//!
//! Moves are strings in a long form: as in the format, but with the whole origin square (`Ng1-f3`, `pd4xe3ep`,
//! `Pe7xd8=Q`, `+Rb2xb9`) and without marks.

mod attack;
pub(crate) mod board;
mod ends;
pub(crate) mod games;
mod moves;
mod placements;
pub(crate) mod position;
mod setup;

use std::collections::BTreeSet;

use ends::Occurrence;
use games::Rules;
use position::{Move, Position};

/// A position of any of the games with all that the rules remember of the match before it.
#[derive(Clone)]
pub(crate) struct Slow {
    pub(crate) position: Position,
    /// Every position of the match, the present one last.
    history: Vec<Occurrence>,
    /// Turns of either player since the last pawn move, capture or drop (docs/rules.md 1.9).
    pub(crate) quiet_turns: u32,
}

impl Slow {
    /// The start of a game, by the names that the command line uses. Panics on unknown names and combinations.
    pub(crate) fn start(game: &str, options: &[&str]) -> Slow {
        Slow::at(&Position::start(Rules::named(game, options)))
    }

    fn at(position: &Position) -> Slow {
        Slow {
            position: *position,
            history: vec![Occurrence::of(position)],
            quiet_turns: 0,
        }
    }

    /// All legal moves; in Kingchess the board moves and the single drops. Automatic draws do not empty it: `status`
    /// tells whether the match goes on.
    pub(crate) fn moves(&self) -> BTreeSet<String> {
        self.position
            .legal_moves()
            .iter()
            .map(|played| self.position.text(played))
            .collect()
    }

    /// All legal placements of Kingchess (docs/rules.md 8.1, 8.2), single drops included; empty in the other games. To be
    /// called with few pieces in reserve only.
    pub(crate) fn placements(&self) -> BTreeSet<String> {
        let placements = self.position.legal_placements().into_iter();
        placements
            .map(|drops| self.position.text(&Move::Placement(drops)))
            .collect()
    }

    /// Plays one of `moves` or `placements`; panics on any other text.
    pub(crate) fn play(&mut self, text: &str) {
        let legal = self
            .position
            .legal_moves()
            .into_iter()
            .find(|played| self.position.text(played) == text);
        let played = legal
            .or_else(|| self.position.read_placement(text))
            .unwrap_or_else(|| panic!("{text} is not legal in\n{}", self.diagram()));
        self.quiet_turns = if ends::is_irreversible(&self.position, &played) {
            0
        } else {
            self.quiet_turns + 1
        };
        self.position = self.position.after(&played);
        self.history.push(Occurrence::of(&self.position));
    }

    /// The side to move is in real check (docs/rules.md 1.2).
    pub(crate) fn in_check(&self) -> bool {
        self.position.in_check()
    }

    /// The side to move is in virtual check (docs/rules.md 1.3).
    pub(crate) fn in_virtual_check(&self) -> bool {
        attack::in_virtual_check(&self.position.board, self.position.turn)
    }

    /// `ongoing`, `checkmate`, `stalemate`, `draw-fivefold`, `draw-75`, `draw-dead`, `draw-fourfold` or `loss-perpetual`
    /// (docs/rules.md 1.6 to 1.12).
    pub(crate) fn status(&self) -> &'static str {
        self.end()
    }

    /// The player to move may claim a draw (docs/rules.md 1.9); never once the match has ended.
    pub(crate) fn claimable(&self) -> bool {
        self.may_claim()
    }

    /// The number of sequences of `depth` legal turns, which no draw cuts (docs/rules.md 1.12). A Kingchess placement
    /// counts once a set.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

    /// Rows from the top, the first and the second player's reserve, `w` or `b`; see `Position::diagram`.
    pub(crate) fn diagram(&self) -> String {
        self.position.diagram()
    }
}

fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut turns = position.legal_moves();
    let placements = position
        .legal_placements()
        .into_iter()
        .filter(|drops| drops.len() > 1);
    turns.extend(placements.map(Move::Placement));
    if depth == 1 {
        return turns.len() as u64;
    }
    turns
        .iter()
        .map(|played| perft(&position.after(played), depth - 1))
        .sum()
}
