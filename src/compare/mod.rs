//! Comparison of one record of a match with another.

pub mod comparison;
pub mod record_source;
