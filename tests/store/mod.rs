//! The state files and their folder.

pub(crate) mod damage;
pub(crate) mod damage_samples;
mod file;
mod folder;
mod index;
pub(crate) mod memory;
mod over_both;
mod repair;
