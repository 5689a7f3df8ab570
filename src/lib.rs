//! Play drop-chess games by e-mail in the 1994 Unachess format.
//!
//! A message takes one way through the program:
//!
//! ```text
//! message -> sender -> match -> lines with authors -> intent -> decision -> save -> mails
//! ```
//!
//! The rooms, each above those it uses; a test holds the order and that no
//! module imports itself by way of others (`tests/house.rs`):
//!
//! 1. [`command`]: one file a command; puts the rooms below together;
//! 2. [`args`]: the command line;
//! 3. [`compare`]: one record of a match against another;
//! 4. [`inbound`]: where messages come from and what they ask;
//! 5. [`outbound`]: messages from templates, and the ways they leave by;
//! 6. [`store`]: where matches are kept, by default a text file each;
//! 7. [`config`]: who plays, whom to believe, and how mail is sent;
//! 8. [`matches`]: a match, its events, and the decision on a message;
//! 9. [`render`]: a position in the forms people post it in;
//! 10. [`notation`]: diagrams, moves and lists found in classified lines, and
//!     written to the byte;
//! 11. [`quoting`]: whose words each line of a text is;
//! 12. [`rules`]: what may be played, a crate of its own.
//!
//! Leaves that every room may use: [`error`], [`clock`], [`limits`], [`shell`],
//! [`match_id`], [`message_id`], `suggest`, `plural` and `files`.

pub mod args;
pub mod clock;
pub mod command;
pub mod compare;
pub mod config;
pub mod error;
mod files;
pub mod inbound;
pub mod limits;
pub mod match_id;
pub mod matches;
pub mod message_id;
pub mod notation;
pub mod outbound;
mod plural;
pub mod quoting;
pub mod render;
pub mod shell;
pub mod store;
mod suggest;

pub use error::Error;
pub use parapost_rules as rules;
