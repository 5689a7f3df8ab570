//! Where matches are kept: a folder with one text file each.
//!
//! ```text
//! Folder ── lock ──> Locked ── push, owe, sent ──> save
//! ```

mod chain;
pub mod folder;
mod lock;
pub mod repair;
pub mod sending;
pub mod state_file;
