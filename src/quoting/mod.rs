//! Tells whose words each line of a text is.
//!
//! [`classify`] runs a list of passes over the lines, one file each. The other files
//! hold the patterns that the passes look for and the types of the result.

pub mod classify;
pub mod doubt;
pub mod sent;
pub mod thread;

pub mod glyphs;
pub mod id_line;
pub mod line;
#[doc(hidden)]
pub mod tokens;

mod boilerplate;
mod broken_head;
mod carried_quote;
mod forum_tags;
mod indentation;
pub mod mail_text;
mod our_mail;
mod pgp;
mod quote_marks;
mod rule;
mod sent_words;
mod signature;
mod strange_marks;
mod structure;
mod unmarked_quote;
mod words;
pub mod wrapped_line;

pub mod attribution;
mod header_block;
mod separator;
