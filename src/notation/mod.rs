//! The 1994 format: diagrams, moves and lists, written to the byte and found
//! in noisy text.
//!
//! - [`diagram`]: board and reserves, written and found;
//! - [`moves`]: moves in the lines of a text;
//! - [`move_list`]: the list as it is written;
//! - [`header`]: the lines that say which game is played;
//! - [`reader`]: all of that in any text, in order;
//! - [`parsed_game`]: the matches that a text tells, put in order and played;
//! - [`correction`]: the one token that was meant otherwise;
//! - [`verdict`]: what is wrong with a match, as [`diagnostic`]s;
//! - [`judge`]: the verdict on every match of a text;
//! - [`divergence`]: where a list and a record part.

pub mod correction;
pub mod diagnostic;
pub mod diagram;
pub mod divergence;
pub mod header;
pub mod judge;
pub mod move_list;
pub mod moves;
pub mod parsed_game;
pub mod place;
pub mod reader;
pub mod verdict;
mod words;
