//! Every test of the project, one binary. The folders are named after what they test in `src/`.

mod commands;
mod config;
mod docs;
mod durability;
#[path = "fuzz/harness.rs"]
mod fuzz_harness;
mod fuzzing;
mod hostile;
mod house;
mod inbound;
mod matches;
mod notation;
mod outbound;
mod pictures;
mod quoting;
mod readme;
mod render;
mod rules;
mod samples;
mod servers;
mod setups;
mod store;
mod support;
