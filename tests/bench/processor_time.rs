//! The processors' time that work takes, for the benchmarks.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The time that this thread or process has had processors for: others that are busy do not count.
fn spent(whose: ClockId) -> Duration {
    let time = clock_gettime(whose);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or(0))
}

/// Returns the milliseconds of processors that `work` takes on this thread or in this process.
pub(crate) fn milliseconds(whose: ClockId, work: impl FnOnce()) -> f64 {
    let before = spent(whose);
    work();
    spent(whose).saturating_sub(before).as_secs_f64() * 1000.0
}
