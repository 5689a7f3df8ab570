//! Work on several threads.

use std::thread;

/// Runs work on this thread and on others, as many as can be had.
pub(crate) fn on_threads(threads: usize, work: &(impl Fn() + Sync)) {
    thread::scope(|scope| {
        for _ in 1..threads {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Returns true if the system stops this process from taking more memory than that. The stacks
/// of threads would take what the work needs, and leave none to say so.
#[cfg(unix)]
pub(crate) fn has_memory_limit() -> bool {
    use rustix::process::{Resource, getrlimit};
    let mut limits = [Resource::As, Resource::Data].into_iter();
    limits.any(|limited| getrlimit(limited).current.is_some())
}

#[cfg(not(unix))]
pub(crate) fn has_memory_limit() -> bool {
    false
}
