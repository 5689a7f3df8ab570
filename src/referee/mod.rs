//! The way of one letter: from its parsed message to the match and the side that it is from,
//! what proves that, what it asks for, the decision about it, and what is saved of that.
//!
//! [`handler::Handler::take`] is the way; whoever has a letter, from a file, a mailbox or a
//! mail server, calls it.

pub(crate) mod count;
pub(crate) mod handler;
pub(crate) mod invitation;
pub(crate) mod lanes;
mod program_mail;
mod question;
mod secrets;
pub(crate) mod session;
pub(crate) mod side_by_side;
pub(crate) mod verdict;
