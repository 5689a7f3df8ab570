//! A diagram with its place in a text, and the error for one that cannot be read.

use std::fmt;

use crate::notation::diagram::{Diagram, squares};
use crate::notation::place::Place;
use crate::quoting::line::Author;
use crate::rules::Square;

/// A diagram with its place in a text.
#[derive(Clone, Debug)]
pub struct LocatedDiagram {
    /// The diagram.
    pub diagram: Diagram,
    /// The author of its first line.
    pub author: Author,
    /// The place of its first square.
    pub(super) place: Place,
    /// The place of each square, in the order of [`squares`].
    pub(super) places: Vec<Place>,
}

impl LocatedDiagram {
    /// Returns the place of the diagram: that of its first square.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// Returns the place where a square of the board is drawn.
    #[must_use]
    pub fn place_of(&self, square: Square) -> Option<Place> {
        let at = squares(self.diagram.board().width()).position(|other| other == square)?;
        self.places.get(at).copied()
    }
}

/// The error for a diagram that cannot be read, with its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
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

    /// Returns the place of the fault.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }
}
