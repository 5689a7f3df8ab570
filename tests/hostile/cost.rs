//! What the worst messages cost, counted in bytes allocated: a message of twice the length costs twice as much, and none
//! takes more memory than there shall be.

use allocation_counter::measure;
use std::fmt::Write as _;

use super::hearing::{game, hear};
use super::shapes::SHAPES;

/// Bytes allocated in all and held at most while a message is heard, and what became of it.
fn cost(message: &[u8]) -> (u64, u64, String) {
    let game = game();
    let mut word = String::new();
    let counted = measure(|| word = hear(&game, message));
    (counted.bytes_total, counted.bytes_max, word)
}

/// A message of twice the length costs at most so many times as much, in percent. Vectors that double their room make
/// it uneven.
const TWICE: u64 = 230;

/// What every message costs, however short.
const BASE: u64 = 16 << 10;

#[test]
fn work_grows_as_messages_do() {
    // What is built once for all messages.
    cost(b"From: ben@example.test\n\nn>g5\n");
    let mut faults = String::new();
    for (name, shape) in SHAPES {
        let costs = [8, 16, 32].map(|kib| cost(&shape(kib << 10)));
        for pair in costs.windows(2) {
            let [(less, ..), (more, _, word)] = pair else {
                unreachable!("a pair")
            };
            if more * 100 > less * TWICE + BASE * 100 {
                let _ = writeln!(
                    faults,
                    "{name} ({word}): {less} bytes, twice as long {more}"
                );
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
