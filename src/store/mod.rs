//! The stores of matches: a folder with one text file per match, or another
//! [`store::Store`].
//!
//! ```text
//! Store ── read ──> Stored ── update: change a copy, compare and swap ──> Stored
//! ```

pub mod attempts;
pub(crate) mod body;
pub mod cache;
pub mod errand;
pub mod folder;
mod index;
pub(crate) mod lock;
pub mod place;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod repair;
pub mod state_file;
#[allow(
    clippy::module_inception,
    reason = "a module is named after the noun it defines"
)]
pub mod store;
