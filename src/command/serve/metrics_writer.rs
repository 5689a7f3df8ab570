//! The thread that writes the file of `--metrics`, so that counting many matches keeps no
//! client waiting.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::command::metrics;
use crate::command::serve::shared::Shared;

/// The time from the end of one writing to the next.
const PERIOD: Duration = Duration::from_secs(15);

/// Writes the file now and then, until nobody is left who could say something.
pub(super) fn run(shared: &Shared, path: &Path, stop: &Receiver<()>) {
    loop {
        // A fault of ours in one match must not end the counting of the others.
        if catch_unwind(AssertUnwindSafe(|| write(shared, path))).is_err() {
            shared.with_context(|context| {
                context
                    .say("parapost: counting the matches made the program panic, which is a bug");
            });
        }
        match stop.recv_timeout(PERIOD) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn write(shared: &Shared, path: &Path) {
    let counts = shared.take_counts();
    // The cache is for the matches that letters are about.
    let store = &shared.session().store;
    if let Err(error) = metrics::add(path, &counts, &**store) {
        shared.put_back(&counts);
        shared.with_context(|context| context.say(format_args!("parapost: {error}")));
    }
}
