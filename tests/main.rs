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
mod levels;
#[path = "../src/rules/tests/made_up.rs"]
mod made_up;
mod matches;
mod notation;
mod outbound;
mod pictures;
mod playing;
mod quoting;
mod readme;
mod releases;
mod render;
mod samples;
mod servers;
mod setups;
#[path = "../src/rules/tests/slow/mod.rs"]
#[expect(dead_code, reason = "the rules' own tests ask for more")]
mod slow;
#[path = "../src/engine/tests/slow.rs"]
mod slow_mates;
mod store;
mod study;
mod support;
#[path = "../src/rules/tests/variants.rs"]
mod variants;
#[cfg(feature = "postgres")]
#[path = "load/workers.rs"]
mod workers;
