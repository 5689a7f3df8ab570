//! Mail for programs that answer it: messages, whose words each line of a reply is, the places
//! that messages come from and the ways by which they leave.
//!
//! The modules, each above those it uses:
//!
//! 1. [`message`]: from the bytes of a message to its text; [`sources`]: the places that
//!    messages come from, files, mbox, Maildir, MH, IMAP; [`lmtp`], by which a mail server
//!    brings them; [`smtp`], by which they leave; [`nntp`], by which articles do, and newsgroups
//!    are read;
//! 2. [`quoting`]: whose words each line of a text is, given what was sent; [`imap`], the
//!    protocol; [`transport`]: the ways by which messages leave, but for SMTP and NNTP;
//! 3. [`providers`]: the servers of large ones, and those that a domain names;
//! 4. [`wire`]: connections to servers, their certificates, and their bytes, with bounds for
//!    each answer;
//! 5. [`settings`] of servers;
//! 6. [`server_text`]: what servers say, without secrets;
//! 7. [`secret`]: passwords and tokens.
//!
//! All may use [`message_id`], [`limits`], [`error`], [`files`] and [`Pattern`].
//!
//! # Whose words are these?
//!
//! ```
//! use parapost_mail::quoting::classify;
//! use parapost_mail::quoting::habits::Habits;
//! use parapost_mail::quoting::line::Author;
//! use parapost_mail::quoting::sent::Sent;
//!
//! let sent = Sent::nothing().ours("Your order has left.\nWas everything to your liking?");
//! let reply = "It was!\n\nYour order has left. Was everything\nto your liking?\n";
//! let lines = classify(reply, &sent, &Habits::NONE);
//! assert_eq!((lines[0].author, lines[0].text), (Author::Own, "It was!"));
//! assert_eq!(lines[2].author, Author::Program);
//! assert_eq!(lines[3].author, Author::Program);
//! ```
//!
//! The README has the whole way, from the bytes of a reply.

#![deny(missing_docs)]

mod child;
pub mod error;
pub mod files;
pub mod imap;
pub mod limits;
pub mod lmtp;
pub mod message;
pub mod message_id;
pub mod nntp;
pub mod providers;
pub mod quoting;
pub mod secret;
pub mod server_text;
pub mod settings;
pub mod smtp;
pub mod sources;
pub mod transport;
pub mod wire;

use std::ops::Deref;
use std::sync::OnceLock;

use regex::Regex;

pub use error::Error;

/// A regular expression that stands in a program, compiled when it is first used.
///
/// # Examples
///
/// ```
/// use parapost_mail::Pattern;
///
/// static YEAR: Pattern = Pattern::new(r"^\d{4}$");
/// assert!(YEAR.is_match("2026"));
/// ```
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    compiled: OnceLock<Regex>,
}

impl Pattern {
    /// Creates a pattern, which must be well-formed.
    #[must_use]
    pub const fn new(source: &'static str) -> Pattern {
        Pattern {
            source,
            compiled: OnceLock::new(),
        }
    }
}

impl Deref for Pattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        let compile = || Regex::new(self.source).expect("the pattern is well-formed");
        self.compiled.get_or_init(compile)
    }
}

#[doc = include_str!("README.md")]
#[cfg(doctest)]
struct Readme;
