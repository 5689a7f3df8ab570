//! Messages from templates, and the ways they leave by.

pub mod outgoing_message;
pub mod templates;
pub mod transport;
mod values;
pub mod wrap;
