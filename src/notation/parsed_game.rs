//! The games a text tells: its moves put in order and played.
//!
//! A list may be split by other words, repeated, and go on where it was
//! repeated; one that begins again at 1 and does not repeat the one before is
//! another game. Moves in prose count only where no list says otherwise.

pub mod build;
mod claims;
mod item;

use crate::notation::diagnostic::Problem;
use crate::notation::diagram::located::LocatedDiagram;
use crate::notation::follow::{Follower, UnplayableMove};
use crate::notation::moves::MoveEntry;
use crate::rules::notation::Reading;
use crate::rules::{Position, Record, Variant};

/// A game as a text tells it.
#[derive(Clone, Debug)]
pub struct ParsedGame {
    /// What was played, up to the first move that could not be.
    line: Follower<'static>,
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
    pub reading: Option<Result<Reading, UnplayableMove>>,
    context: Context,
}

/// Where a move is said; the later ones overrule the earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Context {
    /// In prose: counts where nothing else tells of that turn.
    Prose,
    /// In a list's line, behind words or before them: counts where no list
    /// says otherwise.
    Remark,
    /// In a list.
    List,
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
    /// Which of the positions of a game it shows; none where it shows none
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
            line: Follower::from(Record::new(variant.start())),
            turns: Vec::new(),
            claims: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// What was played, up to the first move that could not be.
    #[must_use]
    pub fn record(&self) -> &Record {
        self.line.record()
    }

    /// The same, to keep.
    #[must_use]
    pub fn into_record(self) -> Record {
        self.line.into_record()
    }

    /// The first turn that could not be played, counted from 0, and why.
    #[must_use]
    pub fn fault(&self) -> Option<(usize, &UnplayableMove)> {
        let at = self.record().steps().len();
        match self.turns.get(at)?.reading.as_ref()? {
            Ok(_) => None,
            Err(reason) => Some((at, reason)),
        }
    }

    /// The positions of what was played, the start first.
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

    /// Whether a turn of that context or of a later one belongs to it.
    fn has(&self, context: Context) -> bool {
        self.turns.iter().any(|turn| turn.context >= context)
    }
}
