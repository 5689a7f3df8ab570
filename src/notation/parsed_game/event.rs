//! What a text tells of matches, one thing after another.

use crate::notation::diagram::read::{DiagramError, LocatedDiagram};
use crate::notation::header::{Header, Key};
use crate::notation::moves::{Gap, Manner, MoveEntry, Moves};
use crate::notation::place::Place;
use crate::notation::reader::{Part, PartKind};
use crate::rules::Color;

/// One thing a text tells.
pub(super) enum TextItem<'t> {
    Diagram(&'t LocatedDiagram),
    BadDiagram(&'t DiagramError),
    /// The rest was not read.
    Surplus(Place),
    Move(WeighedMove<'t>),
    /// A number without a move.
    Gap(&'t Gap),
    /// The position that a list begins from.
    Setup(&'t Header),
}

/// A move, and how it is said.
pub(super) struct WeighedMove<'t> {
    pub(super) entry: &'t MoveEntry,
    pub(super) weight: Weight,
    /// Whether its line holds nothing but moves and no number.
    pub(super) is_bare: bool,
    /// Whose move it is, if the line says so.
    pub(super) player: Option<Color>,
    /// Whether it begins its line.
    pub(super) is_first: bool,
    /// Whether its line has no other move.
    pub(super) is_alone: bool,
}

/// What a move's being said is worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Weight {
    /// In prose: counts where nothing else tells of that turn.
    Prose,
    /// In a list's line, behind words or before them: counts where no list
    /// says otherwise.
    Remark,
    /// In a list.
    Firm,
}

pub(super) fn events(parts: &[Part]) -> Vec<TextItem<'_>> {
    let mut events = Vec::new();
    for part in parts {
        match &part.kind {
            PartKind::Diagram(drawn) => events.push(TextItem::Diagram(drawn)),
            PartKind::BadDiagram(error) => events.push(TextItem::BadDiagram(error)),
            PartKind::Moves(moves) => events.extend(said(moves).map(TextItem::Move)),
            PartKind::Surplus(place) => events.push(TextItem::Surplus(*place)),
            PartKind::Gap(gap) => events.push(TextItem::Gap(gap)),
            PartKind::Header(header) if header.key == Key::Setup => {
                events.push(TextItem::Setup(header))
            }
            PartKind::Header(_) | PartKind::Heading => {}
        }
    }
    events
}

fn said(moves: &Moves) -> impl Iterator<Item = WeighedMove<'_>> {
    let mut behind_words = false;
    moves.entries.iter().enumerate().map(move |(at, entry)| {
        behind_words |= entry.is_aside;
        // "1. e4 is a good move" is no list, though it looks like one.
        let goes_on = entry.tail.starts_with(char::is_alphabetic);
        WeighedMove {
            entry,
            weight: match moves.manner {
                Manner::Prose => Weight::Prose,
                Manner::List if behind_words || goes_on => Weight::Remark,
                Manner::List | Manner::Bare | Manner::Named(_) => Weight::Firm,
            },
            is_bare: matches!(moves.manner, Manner::Bare | Manner::Named(_)),
            player: match moves.manner {
                Manner::Named(color) if at == 0 => Some(color),
                _ => None,
            },
            is_first: at == 0,
            is_alone: moves.entries.len() == 1,
        }
    })
}
