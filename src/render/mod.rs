//! The output formats of positions and matches.

mod bbcode;
pub mod format;
mod json;
pub mod lesson;
mod markdown;
mod post;
pub mod rules_text;
pub mod view;
