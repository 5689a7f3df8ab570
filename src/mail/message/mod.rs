//! Messages that come in: from bytes to what a person wrote.
//!
//! [`received_message`] reads them. Their text is the plain part, or what the reader of the
//! HTML saw ([`html`]).

pub mod automated;
mod body;
pub mod delivery_report;
pub mod html;
mod markup;
pub mod received_message;
