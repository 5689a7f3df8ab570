//! Plays matches between levels and plain players until a file of CSV has so many games of two of them.
//!
//! ```text
//! cargo run --release -p parapost-engine --example matches -- GAME ONE OTHER GAMES FILE
//! ```
//!
//! Players are named as in `Player::of`. A run that was stopped goes on where it was. `matches table FILE` prints the table of
//! `docs/engine.md` instead. `matches tune GAME FILE` plays changes of a game's values against the values as they are
//! (`tests/tuning.rs`), and `matches tuned FILE` prints what came of it. `matches hints GAME COUNT FILE` judges hints
//! (`tests/hints.rs`), and `matches hinted FILE` prints their table.

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};

use parapost_engine::Values;
use parapost_rules::Variant;

#[path = "../tests/contest.rs"]
mod contest;
#[path = "../tests/hints.rs"]
mod hints;
#[path = "../tests/peer.rs"]
mod peer;
#[path = "study/statistics.rs"]
#[allow(dead_code, reason = "a study asks for more")]
mod statistics;
#[path = "../tests/tuning.rs"]
mod tuning;

use contest::Player;
use statistics::Estimate;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["table", path] => print!("{}", contest::table(&fs::read_to_string(path)?)),
        ["tuned", path] => print!("{}", tuning::table(&fs::read_to_string(path)?)),
        ["hinted", path] => print!("{}", hints::table(&fs::read_to_string(path)?)),
        ["hints", game, count, path] => hint(&Variant::find(game, &[])?, count.parse()?, path)?,
        ["tune", game, path] => tune(&Variant::find(game, &[])?, path)?,
        [game, one, other, games, path] => {
            play(
                &Variant::find(game, &[])?,
                [one, other],
                games.parse()?,
                path,
            )?;
        }
        _ => return Err("GAME ONE OTHER GAMES FILE".into()),
    }
    Ok(())
}

/// A file of lines as it is, made with its head if it is not there, and the end of it to write at.
fn open(path: &str, head: &str) -> io::Result<(String, File)> {
    let played = fs::read_to_string(path).unwrap_or_default();
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    if played.is_empty() {
        file.write_all(head.as_bytes())?;
    }
    Ok((played, file))
}

/// Plays the games that are missing of two players.
fn play(variant: &Variant, names: [&str; 2], games: u64, path: &str) -> Result<(), Box<dyn Error>> {
    let [one, other] = names;
    let mut players = [Player::of(one, variant)?, Player::of(other, variant)?];
    let heading = contest::heading(variant, &players);
    let (played, mut file) = open(path, contest::HEAD)?;
    let (_, count) = contest::score(&played, &heading);
    for number in count as u64..games {
        // One write, so that two runs can share a file.
        let line = contest::line(variant, &mut players, number) + "\n";
        file.write_all(line.as_bytes())?;
    }
    let (points, count) = contest::score(&fs::read_to_string(path)?, &heading);
    let game = variant.game().id;
    println!(
        "{game}: {one} against {other}, {}",
        shown(Estimate::share(points, count))
    );
    Ok(())
}

/// Asks for the hints of a game that are missing.
fn hint(variant: &Variant, count: u64, path: &str) -> Result<(), Box<dyn Error>> {
    let (text, mut file) = open(path, hints::HEAD)?;
    for number in hints::verdict(&text, variant).hints as u64..count {
        let line = hints::line(variant, number) + "\n";
        file.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// Plays each change of a game's values until it is plain whether it is better.
fn tune(variant: &Variant, path: &str) -> Result<(), Box<dyn Error>> {
    let values = Values::of(variant);
    let (mut text, mut file) = open(path, tuning::HEAD)?;
    for change in tuning::changes(&values) {
        let heading = tuning::heading(variant, &values, &change);
        let mut share = tuning::share(&text, &heading);
        while !tuning::is_done(share) {
            let line = tuning::line(variant, &values, &change, share.games as u64) + "\n";
            file.write_all(line.as_bytes())?;
            text += &line;
            share = tuning::share(&text, &heading);
        }
        let verdict = if tuning::is_better(share) {
            ", better"
        } else {
            ""
        };
        let game = variant.game().id;
        println!("{game}: {} {}{verdict}", change.name, shown(share));
    }
    Ok(())
}

/// A score as people read it.
fn shown(score: Estimate) -> String {
    let [value, low, high] = [score.value, score.low, score.high].map(|part| 100.0 * part);
    format!("{value:.1} % ({low:.1} to {high:.1}) of {}", score.games)
}
