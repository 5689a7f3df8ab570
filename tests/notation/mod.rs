//! Diagrams, moves and lists in texts.

mod correct;
mod diagram;
mod kif;
mod list;
mod mangled;
mod nothing_dropped;
pub(crate) mod paste;
mod pgn;
mod positions;
mod programs;
mod round_trip;
