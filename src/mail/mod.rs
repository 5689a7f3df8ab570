//! Mail without any game: the protocols of mail, the sources of messages, and the transports
//! that send them. Nothing here knows a match.

pub mod imap;
pub mod lmtp;
pub mod outgoing_message;
pub mod providers;
#[cfg(test)]
pub(crate) mod recording;
pub mod secret;
pub mod settings;
pub mod smtp;
pub mod sources;
pub mod srv;
pub mod transport;
pub mod trust;
