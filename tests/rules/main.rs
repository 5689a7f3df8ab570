//! The rules crate. These tests are its own and not the program's, so that they build without it and with its optimiser.

extern crate alloc;

mod agree;
mod by_number;
#[path = "../../src/rules/damage.rs"]
mod damage;
mod fen;
mod invariants;
mod made_up;
mod movetext;
mod ninth_game;
mod perft;
mod slow;
mod slow_alone;
mod variants;

use std::path::{Path, PathBuf};

/// A file of the project, by its path from the root.
fn of_the_project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}
