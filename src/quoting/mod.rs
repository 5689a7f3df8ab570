//! Whose words each line of a text is.

pub(crate) mod attribution;
pub mod boilerplate;
mod forum_tags;
pub mod glyphs;
pub mod id_line;
mod indentation;
pub mod line;
mod quote_marks;
pub mod unmarked_quote;
mod wrapped_line;
