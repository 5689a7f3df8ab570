//! The matches a text tells: its moves put in order and played.
//!
//! A list may be split by other words, repeated, and go on where it was
//! repeated; one that begins again at 1 and does not repeat the one before is
//! another match. What stands in prose counts only where no list says
//! otherwise.

mod build;
mod event;

pub use build::parsed_games;
use event::Weight;

use crate::notation::diagnostic::Problem;
use crate::notation::diagram::read::LocatedDiagram;
use crate::notation::moves::MoveEntry;
use crate::rules::notation::{Reading, Voice};
use crate::rules::{Position, Record, Variant};

/// A match as a text tells it.
#[derive(Clone, Debug)]
pub struct ParsedGame {
    /// What was played, up to the first move that could not be.
    pub record: Record,
    /// Every turn the text tells, those that could not be played included.
    pub turns: Vec<ParsedMove>,
    /// The diagrams that stand with it.
    pub claims: Vec<DiagramClaim>,
    /// What is wrong with the list as a list, and with diagrams that cannot
    /// be read.
    pub problems: Vec<Problem>,
}

/// A turn as a text tells it.
#[derive(Clone, Debug)]
pub struct ParsedMove {
    /// The move as it stands there.
    pub entry: MoveEntry,
    /// What it was read as, or why it cannot be played; none behind one that
    /// could not be.
    pub reading: Option<Result<Reading, String>>,
    weight: Weight,
}

/// A diagram, and what it may show: the position after the moves before it,
/// or one of a list that begins behind it. With neither it stands alone.
#[derive(Clone, Debug)]
pub struct DiagramClaim {
    /// The diagram.
    pub drawn: LocatedDiagram,
    /// How many half-moves stand before it.
    pub after: Option<usize>,
    /// How many half-moves the list behind it comes to.
    pub before: Option<usize>,
}

impl DiagramClaim {
    /// Which of the positions of a match it shows; none where it shows none
    /// that it may.
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

    /// Whether it can be judged when only so many half-moves could be played.
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
            record: Record::new(variant.start()),
            turns: Vec::new(),
            claims: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// The first turn that could not be played, counted from 0, and why.
    #[must_use]
    pub fn fault(&self) -> Option<(usize, &str)> {
        let at = self.record.steps().len();
        match self.turns.get(at)?.reading.as_ref()? {
            Ok(_) => None,
            Err(reason) => Some((at, reason)),
        }
    }

    /// The positions of what was played, the start first.
    #[must_use]
    pub fn positions(&self) -> Vec<&Position> {
        let plies = 0..=self.record.steps().len();
        plies.filter_map(|ply| self.record.at(ply)).collect()
    }

    fn push(&mut self, entry: MoveEntry, weight: Weight) {
        let is_broken = self.record.steps().len() < self.turns.len();
        let reading = (!is_broken).then(|| {
            let reading = self.read(&entry)?;
            match self.record.play(&reading.ply) {
                Ok(_) => Ok(reading),
                Err(error) => Err(error.to_string()),
            }
        });
        self.turns.push(ParsedMove {
            entry,
            reading,
            weight,
        });
    }

    /// What an entry says in the position at hand.
    ///
    /// # Errors
    ///
    /// Why it can't be played.
    fn read(&self, entry: &MoveEntry) -> Result<Reading, String> {
        let parsed = entry.parsed.as_ref().map_err(ToString::to_string)?;
        // That the game is over comes before what else is wrong.
        if let Some(outcome) = self.record.outcome() {
            return Err(format!("the game is over: {}", outcome.reason));
        }
        let reading = self.record.position().interpret(parsed, Voice::List);
        reading.map_err(|error| error.to_string())
    }

    fn truncate(&mut self, plies: usize) {
        self.turns.truncate(plies);
        while self.record.steps().len() > plies {
            self.record.undo();
        }
    }

    /// Whether an entry says the same as the turn `at`.
    fn says(&self, at: usize, entry: &MoveEntry) -> bool {
        let (Some(position), Some(step)) = (self.record.at(at), self.record.steps().get(at)) else {
            return plain(&self.turns[at].entry) == plain(entry);
        };
        entry.parsed.as_ref().is_ok_and(|parsed| {
            position
                .interpret(parsed, Voice::List)
                .is_ok_and(|reading| reading.ply == step.ply)
        })
    }

    /// Whether nothing of it is worth so much.
    fn is_below(&self, weight: Weight) -> bool {
        self.turns.iter().all(|turn| turn.weight < weight)
    }
}

/// An entry without its mark, to compare where no position tells more.
fn plain(entry: &MoveEntry) -> String {
    match &entry.parsed {
        Ok(parsed) => parsed.as_str().to_lowercase(),
        Err(_) => entry.text.to_lowercase(),
    }
}
