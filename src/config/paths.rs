//! Paths and command lines in the configuration.

use std::path::{Path, PathBuf};

/// Resolves a path of the configuration: `~/` is the home folder, and a relative
/// path starts at `base`.
pub(super) fn resolve(base: &Path, path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), etcetera::home_dir()) {
        (Some(rest), Ok(home)) => home.join(rest),
        _ => base.join(path),
    }
}

/// Returns the words that run a command line in the system's shell.
pub(super) fn shell(line: String) -> Vec<String> {
    let words = if cfg!(windows) {
        ["cmd", "/C"]
    } else {
        ["sh", "-c"]
    };
    words
        .into_iter()
        .map(ToOwned::to_owned)
        .chain([line])
        .collect()
}
