//! Tests of the engine through its public functions.

mod advice;
#[allow(dead_code, reason = "the table is that of docs/engine.md")]
mod contest;
#[allow(dead_code, reason = "the table is that of docs/engine.md")]
mod hints;
mod levels;
mod mates;
mod peer;
mod puzzles;
mod slow;
mod study;
#[allow(dead_code, reason = "the table is that of docs/engine.md")]
mod tuning;
mod uci;
mod values;

use study::example::statistics;
