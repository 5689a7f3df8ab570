//! A place in a text.

use serde::Serialize;

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Place {
    /// The number of the line, from 1.
    pub line: usize,
    /// The column of its first character, from 1; a tab is one character.
    pub column: usize,
    /// The width in characters, at least 1.
    #[serde(skip)]
    pub width: usize,
}
