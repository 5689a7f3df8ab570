//! The transports of mail, one file each.

pub mod folder;
pub mod print;
#[cfg(test)]
pub(crate) mod recording;
pub mod sendmail;
pub mod smtp;
