//! `show --json`: a position, and the match it is of.

use serde::Serialize;

use crate::command::list::listed::ListedMatch;
use crate::render::json::PositionJson;

/// A position.
#[derive(Serialize)]
pub(crate) struct Shown {
    #[serde(flatten)]
    pub(crate) position: PositionJson,
    /// The match as it is now; null for a text.
    #[serde(rename = "match")]
    pub(crate) game: Option<ListedMatch>,
}
