//! Messages from templates, and the ways they leave by.

pub mod outgoing_message;
pub mod templates;
pub mod transport;
pub(crate) mod values;
pub mod wrap;
