//! Plays matches between levels and peers, and appends their results to a file of CSV.
//!
//! ```text
//! cargo run --release -p parapost-engine --example matches -- GAME ONE OTHER GAMES [FILE]
//! ```
//!
//! A player is `level3`, `nodes5000`, `time100` (milliseconds a ply), `peer100` (the plain player
//! of the tests, milliseconds a ply) or `ahead1` (it, so many half-moves deep). Each opening, a
//! few random plies, is played twice, with colours changed. A game that is not over after 300
//! half-moves is a draw. Each game has a seed of its own, counted on from what the file has
//! of these two players, so that a later run adds other games.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::time::Duration;

use fastrand::Rng;
use parapost_engine::{Engine, Level, Limits};
use parapost_rules::{Color, Ply, Record, Variant};

#[path = "../tests/peer.rs"]
mod peer;

use peer::{Bound, Peer};

/// Half-moves after which a game is given up as a draw.
const LONGEST: usize = 300;
/// The head of the file.
const HEAD: &str = "version,game,one,other,seed,one_plays,score_of_one,half_moves,end\n";

/// A player with what it has to think with.
enum Player {
    Level(Box<Engine>, Level),
    Limits(Box<Engine>, Limits),
    Peer(Peer),
}

impl Player {
    fn of(name: &str, variant: &Variant) -> Result<Player, Box<dyn Error>> {
        let digits = name
            .find(|c: char| c.is_ascii_digit())
            .ok_or("a player has a number")?;
        let (kind, number) = name.split_at(digits);
        let number: u32 = number.parse()?;
        let engine = || Box::new(Engine::new(variant));
        let time = Duration::from_millis(number.into());
        Ok(match kind {
            "level" => {
                let level = u8::try_from(number).ok().and_then(Level::new);
                Player::Level(engine(), level.ok_or("levels are 1 to 5")?)
            }
            "nodes" => Player::Limits(engine(), Limits::nodes(number.into())),
            "time" => {
                let time = Some(time);
                Player::Limits(
                    engine(),
                    Limits {
                        time,
                        ..Limits::default()
                    },
                )
            }
            "peer" => Player::Peer(Peer::new(Bound::Time(time))),
            "ahead" => Player::Peer(Peer::new(Bound::Depth(number))),
            _ => return Err(format!("there is no player '{name}'").into()),
        })
    }

    fn choose(&mut self, record: &Record, seed: u64) -> Option<Ply> {
        match self {
            Player::Level(engine, level) => engine.choose(record, *level, seed).ply,
            Player::Limits(engine, limits) => {
                let limits = Limits {
                    seed,
                    ..limits.clone()
                };
                engine.think(record, &limits).ply
            }
            Player::Peer(peer) => peer.choose(record.position(), seed),
        }
    }
}

/// A few random plies, of single pieces.
fn opening(variant: &Variant, seed: u64) -> Record {
    let mut rng = Rng::with_seed(seed);
    loop {
        let mut record = Record::new(variant.start());
        for _ in 0..rng.usize(2..7) {
            let plies = record.position().single_plies();
            if plies.is_empty() || record.outcome().is_some() {
                break;
            }
            record
                .play(&plies[rng.usize(0..plies.len())])
                .expect("a legal ply");
        }
        if record.outcome().is_none() {
            return record;
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, one, other, games, file @ ..] = arguments.as_slice() else {
        return Err("GAME ONE OTHER GAMES [FILE]".into());
    };
    let variant = Variant::find(game, &[])?;
    let mut players = [Player::of(one, &variant)?, Player::of(other, &variant)?];
    let path = file.first().map_or("matches.csv", String::as_str);
    let before = fs::read_to_string(path).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let kind = format!("{version},{game},{one},{other},");
    let played = before
        .lines()
        .filter(|line| line.starts_with(&kind))
        .count() as u64;
    let mut csv = OpenOptions::new().append(true).create(true).open(path)?;
    if before.is_empty() {
        csv.write_all(HEAD.as_bytes())?;
    }
    let (mut points, count) = (0, games.parse::<u64>()?);
    for number in played..played + count {
        let mut record = opening(&variant, number / 2);
        let color = [Color::White, Color::Black][usize::from(number % 2 == 1)];
        while record.outcome().is_none() && record.steps().len() < LONGEST {
            let is_other = record.position().turn() != color;
            let chosen = &mut players[usize::from(is_other)];
            let Some(ply) = chosen.choose(&record, 1 + number) else {
                break;
            };
            record.play(&ply)?;
        }
        let end = record.outcome();
        // In half points.
        let score = match end.and_then(|end| end.winner) {
            None => 1,
            Some(winner) => 2 * u32::from(winner == color),
        };
        points += score;
        let score = ["0", "0.5", "1"][score as usize];
        let (plies, end) = (
            record.steps().len(),
            end.map_or("given up", |end| end.status()),
        );
        writeln!(
            csv,
            "{kind}{number},{},{score},{plies},{end}",
            color.letter()
        )?;
    }
    println!(
        "{game}: {one} {} of {count} against {other}",
        f64::from(points) / 2.0
    );
    Ok(())
}
