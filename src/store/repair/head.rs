//! What stands above a log: a second telling of the moves.

use crate::notation::diagram::Diagram;
use crate::notation::divergence::{self, FollowedList};
use crate::notation::moves::Manner;
use crate::notation::reader::{self, PartKind};
use crate::rules::{Record, Variant};

/// The moves and the diagram above a log.
pub(super) struct Head {
    pub(super) told: FollowedList,
    pub(super) diagram: Option<Diagram>,
}

impl Head {
    pub(super) fn read(body: &str, variant: &Variant) -> Head {
        let text = reader::read(body, variant);
        let start = Record::new(variant.start());
        let mut diagrams = text.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Diagram(drawn) => Some(drawn.diagram.clone()),
            _ => None,
        });
        Head {
            diagram: diagrams.next_back(),
            told: divergence::follow(&start, &text, |manner| manner != Manner::Prose),
        }
    }

    /// Whether its diagram is of the position that moves lead to.
    pub(super) fn shows(&self, record: &Record) -> bool {
        let diagram = self.diagram.as_ref();
        diagram.is_some_and(|diagram| diagram.shows(record.position()))
    }

    pub(super) fn says_nothing(&self) -> bool {
        self.told.reach.is_none() && self.diagram.is_none()
    }
}
