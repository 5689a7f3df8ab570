//! A diagram at its place in a text, or why it cannot be read.

use std::fmt;

use crate::notation::diagram::{Diagram, squares};
use crate::notation::place::Place;
use crate::quoting::line::Author;
use crate::rules::Square;

/// A diagram as it stands in a text.
#[derive(Clone, Debug)]
pub struct LocatedDiagram {
    /// What it shows.
    pub diagram: Diagram,
    /// Whose words it is in.
    pub author: Author,
    /// Where it begins.
    pub(super) place: Place,
    /// The place of each square, as [`squares`] orders them.
    pub(super) places: Vec<Place>,
}

impl LocatedDiagram {
    /// Where it begins: its first square.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// Where a square of its board is drawn.
    #[must_use]
    pub fn place_of(&self, square: Square) -> Option<Place> {
        let at = squares(self.diagram.board().width()).position(|other| other == square)?;
        self.places.get(at).copied()
    }
}

/// A diagram that cannot be read: where and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiagramError {
    place: Place,
    message: String,
}

impl DiagramError {
    pub(super) fn new(place: Place, message: impl fmt::Display) -> DiagramError {
        DiagramError {
            place,
            message: message.to_string(),
        }
    }

    /// Where.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DiagramError {}
