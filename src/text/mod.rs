//! The 1994 format: diagrams, moves and lists, written to the byte and found
//! in noisy text.
//!
//! - [`lines`]: a text as lines that keep their place, told apart by who wrote
//!   them: the writer, somebody quoted, a signature;
//! - [`diagram`]: board and reserves, written and found;
//! - [`moves`]: moves in the lines of a text;
//! - [`movelist`]: the list as it is written;
//! - [`header`]: the lines that say which game is played;
//! - [`reader`]: all of that in any text, in order;
//! - [`course`]: the matches that a text tells, put in order and played;
//! - [`correct`]: the one token that was meant otherwise;
//! - [`verdict`]: what is wrong with a match, as [`diagnostic`]s;
//! - [`judge`]: the verdict on every match of a text;
//! - [`parting`]: where a list and a record part.

pub mod correct;
pub mod course;
pub mod diagnostic;
pub mod diagram;
pub mod header;
pub mod judge;
pub mod lines;
pub mod movelist;
pub mod moves;
pub mod parting;
mod place;
pub mod reader;
pub mod verdict;
mod words;

pub use diagram::{Diagram, DiagramError, Drawn, Look, Script};
pub use lines::{Line, Origin};
pub use movelist::MoveList;
pub use moves::{Entry, Manner, Moves, Number};
pub use place::Place;
pub use reader::{Part, Text, What, read};
