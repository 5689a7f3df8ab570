//! The processor's time that work takes, for the benchmarks.

use std::time::{Duration, Instant};

/// The time that this thread has had a processor for, where the system tells: others that are busy do not count.
fn spent() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = told.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Returns the processor's time that `work` takes, or where that is not told, the time.
pub(crate) fn timed(work: impl FnOnce()) -> Duration {
    let (before, start) = (spent(), Instant::now());
    work();
    let elapsed = start.elapsed();
    let ran = spent()
        .zip(before)
        .map(|(after, before)| after.saturating_sub(before));
    match ran {
        // It is counted in ticks, of which a short time may have one too many, or none.
        Some(ran) if !ran.is_zero() => ran.min(elapsed),
        _ => elapsed,
    }
}

/// Returns the median, in milliseconds.
pub(crate) fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1000.0
}
