//! The state files and their folder.

pub(crate) mod damage;
pub(crate) mod damage_samples;
mod file;
mod folder;
pub(crate) mod memory;
mod over_both;
#[cfg(feature = "postgres")]
mod postgres;
mod repair;
