//! Where something stands in a text.

use serde::Serialize;

/// Where something stands in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Place {
    /// The number of the line, from 1.
    pub line: usize,
    /// The column of its first character, from 1; a tab is one character.
    pub column: usize,
    /// How many characters it is wide, 1 at least.
    #[serde(skip)]
    pub width: usize,
}
