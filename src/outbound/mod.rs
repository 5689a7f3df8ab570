//! Messages made from templates, and the ways by which they leave.

pub mod outgoing_message;
pub(crate) mod template_context;
pub mod templates;
pub mod transport;
pub mod transports;
pub mod wrap;
