//! The median of what is measured, for the benchmarks.

/// Returns the median, of an even number of values the greater of the two.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
