//! A match and its events.

pub(crate) mod log;
