//! Tests of the promises of the crate through its public functions. The package holds all that they read.

extern crate alloc;

mod agree;
mod by_number;
mod damage;
mod documented;
mod errors;
mod fen;
mod foreign;
mod invariants;
mod made_up;
mod movetext;
mod ninth_game;
mod perft;
mod refused_tables;
#[cfg(feature = "serde")]
mod serialize;
mod slow;
mod slow_alone;
mod values;
mod variants;
mod walk;

use std::path::{Path, PathBuf};

/// A file of the package, by its path from the root.
fn of_the_package(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
