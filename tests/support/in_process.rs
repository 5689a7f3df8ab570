//! Runs of the program in the process of a test, over a store of the test's own.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use parapost::command;
use parapost::command::context::{Host, Io};
use parapost::matches::mail_id::IdSecret;
use parapost::store::store::Store;

/// What a run came to.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) status: u8,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program with the words of a command, a configuration and a folder of matches.
///
/// # Panics
///
/// If it writes what is not UTF-8.
pub(crate) fn run(
    store: &Arc<dyn Store>,
    config: &Path,
    games: &Path,
    words: &[&str],
    stdin: &str,
) -> Run {
    let mut line: Vec<OsString> = vec!["parapost".into(), "--config".into(), config.into()];
    line.extend(["--games".into(), games.into()]);
    line.extend(words.iter().map(OsString::from));
    let mut stdin = stdin.as_bytes();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let io = Io {
        stdin: &mut stdin,
        stdout: &mut stdout,
        stderr: &mut stderr,
        is_terminal: false,
        is_shown: false,
    };
    let host = Host {
        store: Arc::clone(store),
        secret: IdSecret::from_bytes([7; 32]),
    };
    let status = command::run(line, io, Some(host)).code();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run {
        status,
        stdout: text(stdout),
        stderr: text(stderr),
    }
}
