//! Whose words each line of a text is.
//!
//! [`classify`] runs a list of passes over the lines, a file each; the other
//! files hold what the passes look for and what the lines come to.

pub mod classify;
pub mod sent;

pub mod glyphs;
pub mod id_line;
pub mod line;

mod boilerplate;
mod forum_tags;
mod indentation;
mod pgp;
mod quote_marks;
mod signature;
mod unmarked_quote;
pub mod wrapped_line;

pub mod attribution;
mod header_block;
mod separator;
