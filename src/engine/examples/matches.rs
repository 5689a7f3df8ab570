//! Plays matches between levels and plain players until a file of CSV has so many games of two of them.
//!
//! ```text
//! cargo run --release -p parapost-engine --example matches -- GAME ONE OTHER GAMES FILE
//! ```
//!
//! Players are named as in `Player::of`. A run that was stopped goes on where it was. `matches table FILE` prints the table of
//! `docs/engine.md` instead.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;

use parapost_rules::Variant;

#[path = "../tests/contest.rs"]
mod contest;
#[path = "../tests/peer.rs"]
mod peer;
#[path = "study/statistics.rs"]
#[allow(dead_code, reason = "a study asks for more")]
mod statistics;

use contest::Player;
use statistics::Estimate;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, path] = arguments.as_slice()
        && word == "table"
    {
        print!("{}", contest::table(&fs::read_to_string(path)?));
        return Ok(());
    }
    let [game, one, other, games, path] = arguments.as_slice() else {
        return Err("GAME ONE OTHER GAMES FILE".into());
    };
    let variant = Variant::find(game, &[])?;
    let mut players = [Player::of(one, &variant)?, Player::of(other, &variant)?];
    let heading = contest::heading(&variant, &players);
    let played = fs::read_to_string(path).unwrap_or_default();
    let (_, count) = contest::score(&played, &heading);
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    if played.is_empty() {
        file.write_all(contest::HEAD.as_bytes())?;
    }
    for number in count as u64..games.parse()? {
        // One write, so that two runs can share a file.
        let line = contest::line(&variant, &mut players, number) + "\n";
        file.write_all(line.as_bytes())?;
    }
    let (points, count) = contest::score(&fs::read_to_string(path)?, &heading);
    let score = Estimate::share(points, count);
    println!(
        "{game}: {one} against {other}, {points} of {count}: {:.0} % ({:.0} to {:.0})",
        100.0 * score.value,
        100.0 * score.low,
        100.0 * score.high
    );
    Ok(())
}
