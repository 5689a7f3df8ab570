//! The server's side of LMTP (RFC 2033), by which a mail server delivers messages.
//!
//! Bytes go in, and replies and messages come out; [`protocol::Protocol`] reads no clock
//! and no socket. LMTP is SMTP with `LHLO`, and with a reply for each recipient after the
//! message.

mod body;
mod command;
pub mod protocol;
