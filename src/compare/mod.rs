//! One record of a match against another.

pub mod comparison;
pub mod hash_check;
pub mod record_source;
