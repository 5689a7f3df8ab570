//! The processor's time that work takes, for the benchmarks.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The time that this thread has had a processor for: others that are busy do not count.
fn spent() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or(0))
}

/// Returns the processor's time that `work` takes on this thread.
pub(crate) fn timed(work: impl FnOnce()) -> Duration {
    let before = spent();
    work();
    spent().saturating_sub(before)
}

/// Returns the median, in milliseconds.
pub(crate) fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1000.0
}
