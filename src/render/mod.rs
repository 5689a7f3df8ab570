//! The output formats of positions and matches.

mod bbcode;
pub mod format;
pub mod in_words;
mod json;
mod markdown;
mod post;
pub mod rules_text;
pub mod view;
