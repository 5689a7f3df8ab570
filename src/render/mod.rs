//! A position in the forms people post it in.

mod bbcode;
pub mod format;
mod json;
mod markdown;
mod post;
pub mod view;
