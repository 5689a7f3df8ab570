//! A time limit for what has none of its own, such as asking for an address.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The longest time that a check takes.
pub(crate) const LIMIT: Duration = Duration::from_secs(10);

/// Does some work, and returns none if it takes longer than [`LIMIT`]. It then goes on
/// behind our back until its own limits or the process end.
pub(crate) fn within<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let _ = sender.send(work());
    });
    receiver.recv_timeout(LIMIT).ok()
}
