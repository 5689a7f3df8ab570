//! The 1994 format: diagrams, moves and lists, written to the byte and found
//! in noisy text.
//!
//! - [`diagram`]: board and reserves, written and found;
//! - [`moves`]: moves in the lines of a text;
//! - [`move_list`]: the list as it is written;
//! - [`header`]: the lines that say which game is played;
//! - [`reader`]: all of that in any text, in order;
//! - [`follow`]: a list of moves followed along a record, for all who do that;
//! - [`parsed_game`]: the games that a text tells, put in order and played;
//! - [`correction`]: the one token that was meant otherwise;
//! - [`verdict`]: what is wrong with a game, as [`diagnostic`]s;
//! - [`judge`]: the verdict on every game of a text;
//! - [`divergence`]: where the lists of a text differ from a record;
//! - [`move_number`]: the numbers of moves, and counts of half-moves.

pub mod correction;
pub mod diagnostic;
pub mod diagram;
pub mod divergence;
pub mod follow;
pub mod header;
pub mod judge;
pub mod move_list;
pub mod move_number;
pub mod moves;
pub mod parsed_game;
pub mod place;
pub mod reader;
pub mod verdict;
mod words;
