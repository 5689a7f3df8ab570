//! `receive --json` and `fetch --json`: what became of a message.

use serde::Serialize;

/// What became of a message in a match.
#[derive(Serialize)]
pub(crate) struct Received<'a> {
    pub(crate) message_id: &'a str,
    /// The match; null if the message is about none.
    pub(crate) id: Option<&'a str>,
    pub(crate) word: &'static str,
    /// The reason, for people.
    pub(crate) reason: Option<&'a str>,
    /// What can be done about it, for people.
    pub(crate) hint: Option<&'a str>,
    /// The number of the half-move that was played, from 1.
    pub(crate) ply: Option<usize>,
    /// That half-move in canonical form, with its mark.
    #[serde(rename = "move")]
    pub(crate) text: Option<&'a str>,
}
