//! The output formats of positions and matches.

pub mod format;
pub mod lesson;
pub mod page;
pub mod picture;
mod pieces;
pub mod png;
pub mod site;
pub mod svg;
pub mod text;
pub mod view;
