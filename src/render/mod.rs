//! The output formats of positions and matches.

pub mod escape;
pub mod format;
pub mod in_words;
pub(crate) mod json;
pub mod lesson;
pub mod page;
pub mod picture;
mod pieces;
pub mod png;
mod post;
pub mod site;
pub mod svg;
pub mod view;
