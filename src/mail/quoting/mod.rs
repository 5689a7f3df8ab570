//! Tells whose words each line of a text is.
//!
//! [`classify`] runs a list of passes over the lines. The other files hold the passes, the
//! patterns that they look for and the types of the result.

pub mod attribution;
mod boilerplate;
pub mod classify;
mod forum_tags;
pub mod habits;
mod header_block;
#[cfg(test)]
pub(crate) mod helpdesk;
pub mod line;
mod our_mail;
pub mod own_words;
mod pgp;
mod quote_marks;
pub mod sent;
pub mod thread;
mod unmarked_quote;
pub mod wrapped_line;
