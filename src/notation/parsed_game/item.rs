//! The items of a text that tell about games, in order.

use crate::notation::diagram::located::{DiagramError, LocatedDiagram};
use crate::notation::header::{Header, Key};
use crate::notation::moves::{Gap, Manner, MoveEntry, Moves};
use crate::notation::parsed_game::Context;
use crate::notation::place::Place;
use crate::notation::reader::{Part, PartKind};
use crate::rules::Color;

/// An item of a text that tells about a game.
pub(super) enum Item<'t> {
    Diagram(&'t LocatedDiagram),
    BadDiagram(&'t DiagramError),
    /// The place from which the rest was not read.
    Surplus(Place),
    Move(MoveInContext<'t>),
    /// A number without a move.
    Gap(&'t Gap),
    /// The starting position of a list.
    Setup(&'t Header),
}

/// A move and its context in its line.
pub(super) struct MoveInContext<'t> {
    pub(super) entry: &'t MoveEntry,
    pub(super) context: Context,
    /// True if its line holds nothing but moves without numbers.
    pub(super) is_bare: bool,
    /// The player of the move, if the line names one.
    pub(super) player: Option<Color>,
    /// True if it is the first move of its line.
    pub(super) is_first: bool,
    /// True if its line has no other move.
    pub(super) is_alone: bool,
}

impl Item<'_> {
    /// Returns true if a numbered list begins with it at 1.
    pub(super) fn is_beginning(&self) -> bool {
        matches!(self, Item::Move(told) if told.context == Context::List && told.entry.is_first())
    }
}

/// Returns the items in the parts of a text, in order.
pub(super) fn items(parts: &[Part]) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    for part in parts {
        match &part.kind {
            PartKind::Diagram(drawn) => items.push(Item::Diagram(drawn)),
            PartKind::BadDiagram(error) => items.push(Item::BadDiagram(error)),
            PartKind::Moves(moves) => items.extend(in_context(moves).map(Item::Move)),
            PartKind::Surplus(place) => items.push(Item::Surplus(*place)),
            PartKind::Gap(gap) => items.push(Item::Gap(gap)),
            PartKind::Header(header) if header.key == Key::Setup => items.push(Item::Setup(header)),
            PartKind::Header(_) | PartKind::Heading => {}
        }
    }
    items
}

fn in_context(moves: &Moves) -> impl Iterator<Item = MoveInContext<'_>> {
    let mut behind_words = false;
    moves.entries.iter().enumerate().map(move |(at, entry)| {
        behind_words |= entry.is_aside;
        // "1. e4 is a good move" is no list, though it looks like one.
        let goes_on = entry.tail.starts_with(char::is_alphabetic);
        MoveInContext {
            entry,
            context: match moves.manner {
                Manner::Prose => Context::Prose,
                Manner::List if behind_words || goes_on => Context::Remark,
                Manner::List | Manner::Bare | Manner::Named(_) => Context::List,
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
