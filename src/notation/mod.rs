//! The 1994 format: diagrams, moves and lists, written to the byte and found in noisy
//! text.
//!
//! - [`diagram`]: boards and reserves, drawn and found in lines;
//! - [`moves`]: moves in the lines of a text;
//! - [`move_list`]: writes moves, in a list or alone;
//! - [`header`]: the lines that name the game;
//! - [`id_line`]: the line at the foot of a mail that names its match;
//! - [`habits`]: what quoting has to know of all these;
//! - [`reader`]: finds all of these in any text, in order;
//! - [`follow`]: follows lists of moves along a record, for all commands;
//! - [`parsed_match`]: the matches in a text, put in order and played;
//! - [`judge`]: judges every game of a text, and finds the one token that was meant
//!   otherwise;
//! - [`diagnostic`]: a problem in a text, and its place;
//! - [`other_format`]: the formats of other programs, which are not read.

pub mod diagnostic;
pub mod diagram;
pub mod follow;
pub mod habits;
pub mod header;
pub mod id_line;
pub mod judge;
pub mod move_list;
pub mod moves;
pub mod other_format;
pub mod parsed_match;
pub mod reader;
