//! The study of `docs/study.md`: games of the program against itself, and what they say.

pub(crate) mod answers;
pub(crate) mod game;
pub(crate) mod games;
pub(crate) mod openings;
pub(crate) mod plot;
pub(crate) mod report;
pub(crate) mod sets;
pub(crate) mod statistics;
pub(crate) mod tables;
pub(crate) mod tallies;
