//! `docs/engine.md` says what the games of the levels say.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[path = "../src/engine/tests/contest.rs"]
#[expect(dead_code, reason = "the engine's own tests play games")]
mod contest;
#[path = "../src/engine/tests/hints.rs"]
#[expect(dead_code, reason = "the engine's example asks for hints")]
mod hints;
#[path = "../src/engine/tests/peer.rs"]
mod peer;
#[path = "../src/engine/tests/tuning.rs"]
#[expect(dead_code, reason = "the engine's own tests play games")]
mod tuning;

use crate::study::example::statistics;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path)
}

#[test]
fn the_table_of_levels_is_that_of_its_games() {
    let table = contest::table(&read("src/engine/tests/levels.csv"));
    assert!(
        read("docs/engine.md").contains(&table),
        "docs/engine.md has another table than `tests/levels table`:\n{table}"
    );
}

#[test]
fn the_table_of_changes_is_that_of_their_games() {
    let table = tuning::table(&read("src/engine/tests/values.csv"));
    assert!(
        read("docs/engine.md").contains(&table),
        "docs/engine.md has another table than `tests/levels tuned`:\n{table}"
    );
}

#[test]
fn the_table_of_hints_is_that_of_their_judgements() {
    let table = hints::table(&read("src/engine/tests/hints.csv"));
    assert!(
        read("docs/engine.md").contains(&table),
        "docs/engine.md has another table than `tests/levels hinted`:\n{table}"
    );
}

/// The opponent's number in the games against Fairy-Stockfish, and what level 5 made of them.
fn table_of_opponents(text: &str) -> String {
    let mut table =
        "| game | Fairy-Stockfish at | score, % | games |\n|---|---|---|---|\n".to_owned();
    let headings: BTreeSet<&str> = text
        .lines()
        .skip(1)
        .map(|line| {
            let (end, _) = line.match_indices(',').nth(3).expect("four fields");
            &line[..=end]
        })
        .collect();
    for heading in headings {
        let fields: Vec<&str> = heading.split(',').collect();
        let [_, game, _, opponent, _] = fields.as_slice() else {
            panic!("{heading}");
        };
        let (_, number) = opponent.split_once(' ').expect("a number");
        let (points, games) = contest::score(text, heading);
        let score = statistics::Estimate::share(points, games);
        let [value, low, high] = [score.value, score.low, score.high].map(|part| 100.0 * part);
        let row = format!("| {game} | {number} | {value:.0} ({low:.0} to {high:.0}) | {games} |\n");
        table += &row;
    }
    table
}

#[test]
fn the_table_of_opponents_is_that_of_its_games() {
    let table = table_of_opponents(&read("src/engine/tests/opponents.csv"));
    assert!(
        read("docs/engine.md").contains(&table),
        "docs/engine.md has another table of opponents:\n{table}"
    );
}
