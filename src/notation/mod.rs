//! The 1994 format: diagrams, moves and lists, written to the byte and found in noisy
//! text.
//!
//! - [`diagram`]: writes and finds boards and reserves;
//! - [`moves`]: moves in the lines of a text;
//! - [`move_list`]: writes the move list;
//! - [`header`]: the lines that name the game;
//! - [`reader`]: finds all of these in any text, in order;
//! - [`clear_text`]: the text of a move that comes through what programs do to it;
//! - [`follow`]: follows a list of moves along a record, for all commands;
//! - [`parsed_game`]: the games in a text, put in order and played;
//! - [`correction`]: finds the one token that was meant otherwise;
//! - [`verdict`]: the faults of a game, as [`diagnostic`]s;
//! - [`judge`]: the verdict on every game of a text;
//! - [`other_format`]: the formats of other programs, which are not read;
//! - [`divergence`]: where the lists of a text differ from a record;
//! - [`move_number`]: the numbers of moves, and the player of a half-move.

pub mod clear_text;
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
pub mod other_format;
pub mod parsed_game;
pub mod place;
pub mod reader;
pub mod verdict;
mod words;
