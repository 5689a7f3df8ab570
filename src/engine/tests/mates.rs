//! Forced mates are found, whoever proves them.
//!
//! The folder `mates` has a file for each game, of positions in which the player to move forces a win in
//! at most five half-moves: half-moves, FEN. They come from games of the engine against itself at a few
//! nodes after random openings, with less in reserve where that is much; the slow prover chose them,
//! not the engine.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use parapost_engine::{Engine, Limits, Score};
use parapost_rules::{Position, Record, Reserve, Role, Variant, games};

use crate::slow::{Proof, prove};

/// The most half-moves of a mate.
const PLIES: u32 = 5;
/// The most legal plies of a position.
const MOST_PLIES: u64 = 150;
/// Positions that the prover may look at.
const BUDGET: u64 = 40_000_000;
/// Positions of each game.
const EACH: usize = 60;
/// Positions that the engine may look at.
const NODES: u64 = 3_000_000;

struct Mate {
    game: String,
    plies: u32,
    fen: String,
}

/// The mates of all games, as `mates` has them.
fn mates() -> Vec<Mate> {
    let of_game = |id: &str| -> Vec<Mate> {
        let text = fs::read_to_string(file(id)).expect("a file for each game");
        let of_line = |line: &str| {
            let (plies, fen) = line.split_once('\t').expect("two fields");
            Mate {
                game: id.to_owned(),
                plies: plies.parse().expect("a number"),
                fen: fen.to_owned(),
            }
        };
        text.lines().map(of_line).collect()
    };
    games::ALL
        .iter()
        .flat_map(|game| of_game(game.id))
        .collect()
}

fn file(game: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mates");
    folder.join(format!("{game}.tsv"))
}

fn position(mate: &Mate) -> Position {
    let variant = Variant::find(&mate.game, &[]).expect("a game");
    Position::from_fen(&variant, &mate.fen).expect("a position")
}

/// Asserts that the engine finds the mate, as short as it is.
fn assert_found(mate: &Mate) {
    let position = position(mate);
    let mut engine = Engine::new(position.variant());
    let thought = engine.think(&Record::new(position.clone()), &Limits::nodes(NODES));
    let about = format!("{}: {}: {thought:?}", mate.game, mate.fen);
    let Score::Mate(plies) = thought.score else {
        panic!("not found: {about}");
    };
    assert_eq!(plies, mate.plies.cast_signed(), "{about}");
    // And the ply that it plays is one that keeps it.
    let after = position
        .play(&thought.ply.expect("a ply"))
        .expect("a legal ply");
    let is_kept = after
        .outcome()
        .is_some_and(|end| end.winner == Some(position.turn()));
    assert!(is_kept || mate.plies > 1, "{about}");
}

fn some_of_each(count: usize) -> impl Iterator<Item = Mate> {
    let mut seen: BTreeMap<(String, u32), usize> = BTreeMap::new();
    mates().into_iter().filter(move |mate| {
        let seen = seen.entry((mate.game.clone(), mate.plies)).or_insert(0);
        *seen += 1;
        *seen <= count
    })
}

#[test]
fn the_shortest_mates_are_proven_again() {
    for mate in some_of_each(2).filter(|mate| mate.plies <= 3) {
        let proof = prove(&position(&mate), PLIES, BUDGET);
        assert_eq!(
            proof,
            Proof::Mate(mate.plies),
            "{}: {}",
            mate.game,
            mate.fen
        );
    }
}

#[test]
fn all_mates_of_the_list_are_found() {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for mate in mates() {
        assert_found(&mate);
        *count.entry(mate.game).or_insert(0) += 1;
    }
    assert_eq!(count.len(), games::ALL.len());
    assert!(count.values().all(|&count| count >= EACH), "{count:?}");
}

#[test]
#[ignore = "takes long"]
fn all_mates_of_the_list_are_proven_again() {
    for mate in mates() {
        let proof = prove(&position(&mate), PLIES, BUDGET);
        assert_eq!(
            proof,
            Proof::Mate(mate.plies),
            "{}: {}",
            mate.game,
            mate.fen
        );
    }
}

/// A game of the engine against itself that one side has won; none if it went otherwise.
pub(crate) fn won_game(variant: &Variant, rng: &mut Rng) -> Option<Record> {
    let mut engine = Engine::new(variant);
    engine.set_memory(1);
    let mut record = Record::new(variant.start());
    for _ in 0..rng.usize(2..14) {
        let plies = record.position().single_plies();
        if record.outcome().is_some() || plies.is_empty() {
            return None;
        }
        let ply = plies[rng.usize(0..plies.len())];
        record.play(&ply).expect("a legal ply");
    }
    while record.outcome().is_none() && record.steps().len() < 250 {
        let limits = Limits {
            seed: rng.u64(1..),
            ..Limits::nodes(rng.u64(200..1_000))
        };
        let Some(ply) = engine.think(&record, &limits).ply else {
            break;
        };
        record.play(&ply).expect("a legal ply");
    }
    let is_won = record.outcome().is_some_and(|end| end.winner.is_some());
    is_won.then_some(record)
}

/// Positions of a game near its end, in which there is something to prove.
fn ends(variant: &Variant, rng: &mut Rng) -> Vec<Position> {
    let Some(record) = won_game(variant, rng) else {
        return Vec::new();
    };
    let last = record.steps().len();
    let late = (last.saturating_sub(12)..last).filter_map(|plies| record.at(plies));
    // Near the hundredth half-move a draw can be claimed before the mate.
    let late = late.filter(|position| position.halfmoves() < 80);
    let few = late.filter_map(|position| with_few_plies(position, rng));
    few.collect()
}

/// The position, or one with less in reserve, that has few enough plies.
fn with_few_plies(position: &Position, rng: &mut Rng) -> Option<Position> {
    let mut few = position.clone();
    for _ in 0..4 {
        if few.perft(1) <= MOST_PLIES {
            return Some(few);
        }
        let mut setup = few.to_setup();
        setup.reserves = setup.reserves.map(|reserve| {
            let held = Role::ALL.into_iter().filter(|role| !role.is_promoted());
            let kept = held.map(|role| match reserve.count(role) {
                count if role == Role::King => (role, count),
                count => (role, rng.u8(0..=count.min(2))),
            });
            Reserve::new(kept).unwrap_or_default()
        });
        few = Position::from_setup(few.variant(), &setup).ok()?;
    }
    None
}

#[test]
#[ignore = "by hand: it makes the files that are not there, in some minutes each: --release"]
fn the_lists_of_mates_are_made() {
    for game in games::ALL.iter().filter(|game| !file(game.id).exists()) {
        let variant = Variant::new(game, &[]).expect("a game");
        let mut rng = Rng::with_seed(31);
        // As many of each length, so that the longest are not crowded out.
        let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        while found.values().map(Vec::len).sum::<usize>() < EACH {
            for position in ends(&variant, &mut rng) {
                if let Proof::Mate(plies) = prove(&position, PLIES, 300_000) {
                    let of_length = found.entry(plies).or_default();
                    let fen = position.fen();
                    if of_length.len() < EACH / 3 && !of_length.contains(&fen) {
                        of_length.push(fen);
                    }
                }
            }
        }
        let mut text = String::new();
        for (plies, fens) in &found {
            for fen in fens {
                writeln!(text, "{plies}\t{fen}").expect("a string takes all");
            }
        }
        fs::write(file(game.id), text).expect("a file that can be written");
    }
}
