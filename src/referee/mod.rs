//! The way of one letter: from its parsed message to the match and the side that it is from,
//! what proves that, what it asks for, the decision about it, and what is saved of that.
//!
//! `handler` is where it begins, whether it comes from a file, a mailbox or a mail server, and
//! has the stages in their order.

mod addresses;
mod article;
mod candidates;
pub(crate) mod count;
pub(crate) mod handler;
pub(crate) mod lanes;
mod lists;
mod meaning;
mod partner;
mod partner_invitation;
mod program_mail;
mod question;
pub(crate) mod session;
pub(crate) mod side_by_side;
pub(crate) mod thinking;
pub(crate) mod verdict;
