//! The input of every output format: a match, or a diagram alone.

use crate::notation::diagram::Diagram;
use crate::rules::Record;

/// A match at its last position, or a diagram without a match.
#[derive(Clone, Debug)]
pub struct View<'r> {
    pub(super) diagram: Diagram,
    pub(super) record: Option<&'r Record>,
}

impl<'r> View<'r> {
    /// Creates a view of a match and its last position.
    #[must_use]
    pub fn of(record: &'r Record) -> View<'r> {
        View {
            diagram: Diagram::of(record.position()),
            record: Some(record),
        }
    }

    /// Creates a view of a diagram alone.
    #[must_use]
    pub fn drawn(diagram: Diagram) -> View<'r> {
        let record = None;
        View { diagram, record }
    }
}
