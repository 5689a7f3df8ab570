//! The output formats of positions and matches.

pub mod format;
mod kif;
pub mod lesson;
pub mod page;
mod pgn;
pub mod picture;
mod pieces;
pub mod site;
pub mod text;
pub mod view;
