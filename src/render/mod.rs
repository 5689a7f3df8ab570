//! The output formats of positions and matches.

mod bbcode;
pub mod format;
pub mod in_words;
pub(crate) mod json;
pub mod legal;
pub mod lesson;
mod markdown;
pub mod page;
pub mod picture;
pub mod png;
mod post;
pub mod rules_text;
mod shapes;
pub mod site;
pub mod svg;
pub mod view;
