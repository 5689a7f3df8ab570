//! What an archive costs: `cargo bench -p parapost --bench archive [MATCHES…]`. Makes folders of so many finished matches,
//! has `parapost archive` write the site anew, and again when nothing has changed, and prints the seconds that passed
//! and those of all processors. The goal is 10,000 matches within a minute.

#[path = "../support/in_process.rs"]
mod in_process;
mod matches;
mod processor_time;

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parapost::store::folder::Folder;
use parapost::store::store::Store;
use rustix::time::ClockId;

use crate::processor_time::milliseconds;

/// The half-moves of a match.
const PLIES: usize = 56;

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let numbers = match numbers.as_slice() {
        [] => &[1000, 10_000],
        given => given,
    };
    let moves = matches::moves(PLIES);
    println!("| matches | anew, s | of processors | nothing changed, s | of processors |");
    println!("|---|---|---|---|---|");
    for number in numbers {
        let place = tempfile::tempdir().expect("a temporary folder");
        let games = place.path().join("games");
        fs::create_dir(&games).unwrap();
        for index in 0..*number {
            let id = format!("m{index}");
            let game = matches::game(&id, index, &moves[index % moves.len()], false);
            fs::write(games.join(format!("{id}.txt")), game.to_string()).unwrap();
        }
        let site = place.path().join("site");
        let archive = |written: usize| {
            let store = Arc::new(Folder::new(&games, Duration::ZERO)) as Arc<dyn Store>;
            let words = ["archive", site.to_str().expect("UTF-8")];
            let begun = Instant::now();
            let spent = milliseconds(ClockId::ProcessCPUTime, || {
                let config = place.path().join("none.toml");
                let run = in_process::run(&store, &config, &games, &words, "");
                let said = format!(", {written} written\n");
                assert!(run.stderr.ends_with(&said), "{}", run.stderr);
            });
            (begun.elapsed().as_secs_f64(), spent / 1000.0)
        };
        let (anew, again) = (archive(*number), archive(0));
        println!(
            "| {number} | {:.1} | {:.1} | {:.1} | {:.1} |",
            anew.0, anew.1, again.0, again.1
        );
    }
}
