//! Tests of the engine through its public functions.

mod mates;
mod puzzles;
mod slow;
mod study;
mod uci;
