//! Play drop-chess games by e-mail in the 1994 Unachess format.
//!
//! A message passes through these stages:
//!
//! ```text
//! message -> lines with authors -> match -> sender -> intent -> decision -> save -> mails
//! ```
//!
//! Whatever it came from, it is given to `referee::handler`, and passes once through these stages
//! there.
//!
//! The modules, each above those it uses. A test holds the order, and that no
//! module imports itself by way of others (`tests/house.rs`):
//!
//! 1. [`command`]: the commands, each a file with its arguments and its words for people;
//! 2. `referee`: the way of one letter through these stages;
//! 3. [`inbound`]: the requests in messages that come in;
//! 4. [`outbound`]: messages from templates;
//! 5. [`store`]: the stores of matches, by default a text file each;
//! 6. [`config`]: the user, the senders to believe, the look of mail and its transport;
//! 7. [`mod@matches`]: a match, its events, and the decision about a message;
//! 8. [`render`]: the output formats of positions;
//! 9. [`notation`]: diagrams, moves and lists, parsed from classified lines and
//!    written to the byte;
//! 10. [`mail`]: mail without any game, a crate of its own: messages, whose words each line of
//!     a text is, the protocols of mail, the sources of messages and the transports;
//! 11. [`engine`]: a player that looks ahead, a crate of its own;
//! 12. [`rules`]: the rules of the games, a crate of its own.
//!
//! Every module may use these leaves: [`clock`], [`limits`], [`log`], [`paint`], [`shell`],
//! [`match_id`], `suggest`, `printable` and `threads`.
//!
//! `docs/contributing.md` tells, file by file, how to add a game, a mail program's habit, a source, a transport, a store, an
//! output form, a command or an event.

// Nobody outside this program calls its functions: most of these attributes would be noise.
// Where a value that is dropped is a mistake that one may make, the attribute stands.
#![allow(clippy::must_use_candidate)]

pub mod clock;
pub mod command;
pub mod config;
pub mod inbound;
pub mod limits;
pub mod log;
pub mod match_id;
pub mod matches;
pub mod notation;
pub mod outbound;
pub mod paint;
mod printable;
mod referee;
pub mod render;
pub mod shell;
pub mod store;
mod suggest;
mod threads;

pub use parapost_engine as engine;
pub use parapost_mail as mail;
pub use parapost_mail::Error;
pub use parapost_rules as rules;
