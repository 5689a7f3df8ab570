//! One record of a match against another.

pub mod comparison;
pub mod record_source;
