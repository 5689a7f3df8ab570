//! The 1994 format: diagrams, moves and lists, written to the byte and found
//! in noisy text.
//!
//! - [`lines`]: a text as lines that keep their place, told apart by who wrote
//!   them: the writer, somebody quoted, a signature.

pub mod lines;

pub use lines::{Line, Origin};
