//! Outgoing mail: messages made from templates, and the transports that send
//! them.

pub mod article;
pub mod compose;
pub mod sent_mail;
pub mod taps;
pub(crate) mod template_context;
pub mod templates;
pub mod wrap;
