//! What an archive costs: `cargo bench -p parapost --bench archive [MATCHES…]`. Makes folders of so many finished matches,
//! has `parapost archive` write the site anew, and again when nothing has changed, and prints the seconds that passed
//! and those of all processors. The goal is 10,000 matches within a minute.

#[path = "../support/in_process.rs"]
mod in_process;
mod matches;

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parapost::store::folder::Folder;
use parapost::store::store::Store;
use rustix::time::{ClockId, clock_gettime};

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
            let (begun, spent) = (Instant::now(), spent());
            let words = ["archive", site.to_str().expect("UTF-8")];
            let run = in_process::run(&store, &place.path().join("none.toml"), &games, &words, "");
            let said = format!(", {written} written\n");
            assert!(run.stderr.ends_with(&said), "{}", run.stderr);
            let spent = self::spent().saturating_sub(spent);
            (begun.elapsed().as_secs_f64(), spent.as_secs_f64())
        };
        let (anew, again) = (archive(*number), archive(0));
        println!(
            "| {number} | {:.1} | {:.1} | {:.1} | {:.1} |",
            anew.0, anew.1, again.0, again.1
        );
    }
}

/// The time that all threads have had processors for.
fn spent() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or(0))
}
