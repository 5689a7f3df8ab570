//! A match as the lists of a site tell it, and a file of the site.

use chrono::{DateTime, Utc};

use crate::match_id::Id;
use crate::rules::{Color, Variant};

/// A match as the lists of a site tell it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The id of the match.
    pub id: Id,
    /// The game and its options.
    pub variant: Variant,
    /// The names as they are shown, the first player's first; empty where there is none.
    pub players: [String; 2],
    /// The event; may be empty.
    pub event: String,
    /// How it ended; none while it goes on.
    pub ended: Option<Ended>,
    /// The time of the last move, or of the end.
    pub last: DateTime<Utc>,
    /// The number of half-moves.
    pub plies: usize,
}

/// How a match ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// None for a draw.
    pub winner: Option<Color>,
    /// A sentence with its full stop.
    pub sentence: String,
}

/// A page of a site, or its feed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// The path below the folder of the site, its parts separated by `/`.
    pub path: String,
    pub text: String,
}
