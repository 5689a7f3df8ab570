//! Play drop-chess games by e-mail in the 1994 Unachess format.
//!
//! The modules, in the order that data flows:
//!
//! 1. [`args`]: what was asked for on the command line;
//! 2. [`config`]: who asks, and how mail leaves the house;
//! 3. [`mail`]: messages, coming in as bytes and going out as text;
//! 4. [`text`]: the 1994 format, found in noisy text and written to the byte;
//! 5. [`rules`]: what may be played, a crate of its own;
//! 6. [`store`]: the matches, one text file each, whose log is the record;
//! 7. [`render`]: a position in the forms people post it in;
//! 8. [`command`]: one file a command, which puts the above together;
//! 9. [`error`], [`clock`], [`limits`], [`shell`], `plural` and `files`: what
//!    went wrong, what time it is, how much is taken from outside, commands for
//!    people to paste, numbers with their nouns, and files that are to stay.

pub mod args;
pub mod clock;
pub mod command;
pub mod config;
pub mod error;
mod files;
pub mod limits;
pub mod mail;
mod plural;
pub mod render;
pub mod shell;
pub mod store;
pub mod text;

pub use error::Error;
pub use parapost_rules as rules;
