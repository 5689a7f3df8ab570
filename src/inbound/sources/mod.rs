//! The places that messages come from, one file each.

pub mod eml;
pub mod file;
pub mod imap;
pub mod listing;
pub mod mail_file;
pub mod maildir;
pub mod mh;
pub mod path;
#[cfg(test)]
pub(crate) mod queue;
pub mod stdin;
