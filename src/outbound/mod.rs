//! Messages made from templates, and the ways by which they leave.

pub mod outgoing_message;
pub mod templates;
pub mod transport;
pub mod transports;
mod values;
pub mod wrap;
