//! Diagrams, moves and lists in texts.

mod correct;
mod diagram;
mod list;
mod paste;
mod round_trip;
