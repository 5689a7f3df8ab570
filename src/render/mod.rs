//! The output formats of positions and matches.

mod bbcode;
pub mod format;
mod json;
mod markdown;
mod post;
pub mod rules_text;
pub mod view;
