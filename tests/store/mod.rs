//! The state files and their folder.

pub(crate) mod damage;
mod file;
mod folder;
mod memory;
mod over_both;
mod repair;
