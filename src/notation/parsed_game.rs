//! The games in a text, with their moves put in order and played.
//!
//! A list may be split by other words, repeated, and continued where it was repeated. A
//! list that begins again at 1 without repeating the previous one is another game.
//! Moves in prose count only where no list contradicts them.

pub mod build;
mod claims;
mod item;

use crate::notation::diagnostic::Problem;
use crate::notation::diagram::located::LocatedDiagram;
use crate::notation::follow::{Follower, UnplayableMove};
use crate::notation::moves::MoveEntry;
use crate::rules::notation::Reading;
use crate::rules::{Position, Record, Variant};

/// A game in a text.
#[derive(Clone, Debug)]
pub struct ParsedGame {
    /// The moves played, up to the first that cannot be played.
    line: Follower<'static>,
    /// Every turn in the text, including those that cannot be played.
    pub turns: Vec<ParsedMove>,
    /// The diagrams that belong to the game.
    pub claims: Vec<DiagramClaim>,
    /// The problems of the list as a list, and of diagrams that cannot be read.
    pub problems: Vec<Problem>,
}

/// A turn in a text.
#[derive(Clone, Debug)]
pub struct ParsedMove {
    /// The move in the text.
    pub entry: MoveEntry,
    /// The reading of the move, or why it cannot be played; none after a move that
    /// cannot be played.
    pub reading: Option<Result<Reading, UnplayableMove>>,
    context: Context,
}

/// The context of a move; later variants overrule earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Context {
    /// In prose: counts only if nothing else tells of that turn.
    Prose,
    /// In a list's line, beside other words: counts only if no list contradicts it.
    Remark,
    /// In a list.
    List,
}

/// A diagram and the positions it may show: the one after the moves before it, or any
/// of a list that begins after it. Without either, it stands alone.
#[derive(Clone, Debug)]
pub struct DiagramClaim {
    /// The diagram.
    pub drawn: LocatedDiagram,
    /// The number of half-moves before it.
    pub after: Option<usize>,
    /// The number of half-moves that the list after it reaches.
    pub before: Option<usize>,
}

impl DiagramClaim {
    /// Returns the index of the position that the diagram shows, or none if it shows
    /// none that it may.
    #[must_use]
    pub fn shown(&self, positions: &[&Position]) -> Option<usize> {
        let shows = |at: usize| {
            let position = positions.get(at)?;
            self.drawn.diagram.shows(position).then_some(at)
        };
        self.after
            .and_then(shows)
            .or_else(|| (0..=self.before?).find_map(shows))
    }

    /// Returns true if the diagram can be judged when only `played` half-moves could be
    /// played.
    #[must_use]
    pub fn is_within(&self, played: usize) -> bool {
        self.after
            .into_iter()
            .chain(self.before)
            .all(|plies| plies <= played)
    }
}

impl ParsedGame {
    fn new(variant: &Variant) -> ParsedGame {
        ParsedGame {
            line: Follower::from(Record::new(variant.start())),
            turns: Vec::new(),
            claims: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Returns the moves played, up to the first that cannot be played.
    #[must_use]
    pub fn record(&self) -> &Record {
        self.line.record()
    }

    /// Converts into the record of the moves played.
    #[must_use]
    pub fn into_record(self) -> Record {
        self.line.into_record()
    }

    /// Returns the first turn that cannot be played, counted from 0, and why.
    #[must_use]
    pub fn fault(&self) -> Option<(usize, &UnplayableMove)> {
        let at = self.record().steps().len();
        match self.turns.get(at)?.reading.as_ref()? {
            Ok(_) => None,
            Err(reason) => Some((at, reason)),
        }
    }

    /// Returns the positions of the moves played, beginning with the start.
    #[must_use]
    pub fn positions(&self) -> Vec<&Position> {
        let plies = 0..=self.record().steps().len();
        plies.filter_map(|ply| self.record().at(ply)).collect()
    }

    fn push(&mut self, entry: MoveEntry, context: Context) {
        self.turns.push(ParsedMove {
            reading: self.line.push(&entry),
            entry,
            context,
        });
    }

    fn truncate(&mut self, plies: usize) {
        self.turns.truncate(plies);
        self.line.truncate(plies);
    }

    /// Returns true if the game has a turn of this context or a later one.
    fn has(&self, context: Context) -> bool {
        self.turns.iter().any(|turn| turn.context >= context)
    }
}
