//! The 1994 format: diagrams, moves and lists, written to the byte and found in noisy
//! text.
//!
//! - [`diagram`]: boards and reserves, drawn and found in lines;
//! - [`moves`]: moves in the lines of a text;
//! - [`move_list`]: writes moves, in a list or alone, and follows lists along a record;
//! - [`header`]: the lines that name the game, and the one at the foot of a mail that names
//!   its match;
//! - [`reader`]: tells whose words the lines of a text are, and finds all of these in it, in
//!   order;
//! - [`parsed_match`]: the matches in a text, put in order and played;
//! - [`positions`]: positions in a text for a command, as FEN, diagrams and lists of pieces;
//! - [`judge`]: judges every game of a text, and finds the one token that was meant
//!   otherwise;
//! - [`kif`]: lists of shogi in Japanese signs, as programs and pages have them;
//! - [`diagnostic`]: a problem in a text, and its place.

pub mod diagnostic;
pub mod diagram;
pub mod header;
pub mod judge;
pub mod kif;
pub mod move_list;
pub mod moves;
pub mod parsed_match;
mod pgn;
pub mod positions;
pub mod reader;
mod restored;
pub mod results;
mod voice;
