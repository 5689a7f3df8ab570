//! Outgoing mail: messages made from templates, and the transports that send
//! them.

mod blocks;
mod html_part;
pub mod outgoing_message;
pub mod page_part;
pub mod sent_mail;
pub mod taps;
pub(crate) mod template_context;
pub mod templates;
pub mod transport;
pub mod transports;
pub mod wrap;
