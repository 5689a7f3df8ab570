//! IMAP (RFC 3501), as far as `fetch` needs it.
//!
//! What a server says is hostile data: lines, literals, lists and the time that an
//! answer takes have limits, and nothing in an answer can end the program.

pub mod connection;
pub mod error;
pub mod folder;
pub mod response;
pub mod wire;
