//! The places that messages come from, one file each.

pub mod files;
pub mod mailbox;
pub mod mbox;
pub mod place;
pub mod source;
