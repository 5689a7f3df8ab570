//! Mail: what comes in, who it is from, what goes out.

mod body;
pub mod conversation;
pub mod evidence;
pub mod finding;
mod flowed;
mod footer;
mod html;
pub mod identity;
pub mod inbox;
pub mod letter;
mod machine;
mod markup;
pub mod mbox;
mod message_id;
pub mod outgoing;
mod quotation;
pub mod request;
pub mod said;
mod survey;
pub mod templates;
pub mod transport;
mod values;
pub mod witness;
pub mod wrap;

pub use letter::Letter;
pub use machine::Machine;
pub use message_id::{MessageId, ParseMessageIdError};
pub use outgoing::Outgoing;
pub use templates::Templates;
