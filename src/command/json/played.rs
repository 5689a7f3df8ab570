//! `move --json`: the move that was played, and what came of it.

use serde::Serialize;

use crate::command::list::listed::ListedMatch;

/// A move that was played.
#[derive(Serialize)]
pub(crate) struct Played {
    pub(crate) id: String,
    /// The number of the half-move, from 1.
    pub(crate) ply: usize,
    /// The half-move in canonical form, with its mark.
    #[serde(rename = "move")]
    pub(crate) text: String,
    pub(crate) warnings: Vec<String>,
    /// The match behind the move.
    #[serde(rename = "match")]
    pub(crate) game: ListedMatch,
}
