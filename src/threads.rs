//! Work on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
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

/// Does the work for each item, on this thread and on others, and returns the results in the order
/// of the items.
pub(crate) fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    on_threads(threads.min(items.len()), &|| {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            *lock(&results[at]) = Some(work(item));
        }
    });
    results.into_iter().filter_map(into_inner).collect()
}

/// Takes a lock. What another thread has left behind when it panicked is as good as before: each
/// change here is one step.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns what a lock has guarded.
pub(crate) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
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
