//! Mail: what comes in, who it is from, what goes out.

mod flowed;
pub mod letter;
mod machine;
mod message_id;

pub use letter::Letter;
pub use machine::Machine;
pub use message_id::{MessageId, ParseMessageIdError};
