//! The program in a folder of its own, for the benchmarks.

use std::path::Path;
use std::process::Command;

/// Returns the program in a folder that has its configuration, and its matches in `games`.
pub(crate) fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parapost"));
    command
        .current_dir(folder)
        .env("HOME", folder)
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_GAMES", "games");
    command
}
