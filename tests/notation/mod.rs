//! Diagrams, moves and lists in texts.

mod correct;
mod diagram;
mod list;
pub(crate) mod paste;
mod round_trip;
