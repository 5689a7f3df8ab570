//! `docs/engine.md` says what the games of the levels say.

use std::fs;
use std::path::Path;

#[path = "../src/engine/tests/contest.rs"]
#[expect(dead_code, reason = "the engine's own tests play games")]
mod contest;
#[path = "../src/engine/tests/peer.rs"]
mod peer;

use crate::study::example::statistics;

#[test]
fn the_table_of_levels_is_that_of_its_games() {
    let read = |path: &str| {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path)
    };
    let table = contest::table(&read("src/engine/tests/levels.csv"));
    assert!(
        read("docs/engine.md").contains(&table),
        "docs/engine.md has another table than `tests/levels table`:\n{table}"
    );
}
