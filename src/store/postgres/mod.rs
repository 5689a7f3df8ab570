//! A store in `PostgreSQL`, or another database that speaks its protocol: one row a match, and
//! the parts of its log. Together they are the same text as the file.
//!
//! ```text
//! store, with the claim (the lock of outgoing mail, renewed)
//!   └──> swap (where a text stands in the tables) ──> pool (that what was read counts)
//!                                                       └──> connection
//! ```
//!
//! A swap is by revision, and what is looked up by is written in the same transaction.
//! Nothing rests on a lock: a claim only keeps two processes from sending the same mail.
//! An answer that does not come in time leaves it unknown what was done; then the row is
//! read again over another connection. What is found there counts only after a write of
//! this row has been acknowledged, since a commit can be seen before it is replicated. For
//! the same reason, and because a server that was replaced may not know it, no letter is
//! given up for what was read until a write has been acknowledged.

pub mod connection;
mod pool;
mod schema;
pub mod server;
#[allow(
    clippy::module_inception,
    reason = "a module is named after the noun it defines"
)]
pub mod store;
mod swap;
