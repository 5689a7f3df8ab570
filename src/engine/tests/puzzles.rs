//! Each puzzle has one solution, whoever proves it.
//!
//! The samples come from games of the engine against itself at a few nodes after random openings. The
//! slow prover, which knows the rules alone, has to agree with every one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use parapost_engine::{Limits, NoPuzzle, Puzzle, Trial};
use parapost_rules::{Position, Record, Variant, games};

use crate::mates::won_game;
use crate::slow::{Proof, loses, prove};

/// Positions that the slow prover may look at.
const BUDGET: u64 = 400_000_000;
/// Positions that the puzzle's own proof may look at.
const NODES: u64 = 20_000_000;
/// Puzzles of each length, of each game.
const EACH: usize = 2;

/// The first plies that force a win in at most so many half-moves.
fn solutions(position: &Position, plies: u32) -> Vec<String> {
    let mut left = BUDGET;
    let wins = |ply: &parapost_rules::Ply, left: &mut u64| {
        let after = position.play(ply).expect("a legal ply");
        match after.outcome() {
            Some(end) => end.winner == Some(position.turn()),
            None => plies > 1 && loses(&after, plies - 1, left).expect("a bounded proof"),
        }
    };
    let legal = position.legal_plies();
    let won = legal.filter(|ply| wins(ply, &mut left));
    won.map(|ply| position.text(&ply)).collect()
}

/// Asserts that a position is a puzzle, and that the slow prover says so.
fn assert_puzzle(position: &Position, plies: u32) -> Puzzle {
    let about = format!("{}: {}", position.variant().game().id, position.fen());
    let puzzle = Puzzle::of(position, &Limits::nodes(NODES));
    let puzzle = puzzle.unwrap_or_else(|why| panic!("{about}: {why:?}"));
    assert_eq!(puzzle.plies, plies, "{about}");
    assert_eq!(
        prove(position, plies, BUDGET),
        Proof::Mate(plies),
        "{about}"
    );
    let only = position.text(&puzzle.line[0]);
    assert_eq!(solutions(position, plies), [only], "{about}");
    let mut record = Record::new(position.clone());
    for ply in &puzzle.line {
        record
            .play(ply)
            .unwrap_or_else(|why| panic!("{about}: {why}"));
    }
    assert_eq!(record.steps().len(), plies as usize, "{about}");
    assert_eq!(record.status(), "checkmate", "{about}");
    puzzle
}

#[test]
fn short_samples_of_every_game_have_one_solution() {
    let mut seen = BTreeSet::new();
    for (position, plies) in Puzzle::samples().filter(|(_, plies)| *plies <= 3) {
        assert_puzzle(&position, plies);
        seen.insert((position.variant().game().id, plies));
    }
    assert_eq!(seen.len(), 2 * games::ALL.len(), "{seen:?}");
}

#[test]
#[ignore = "takes long"]
fn all_samples_have_one_solution() {
    for (position, plies) in Puzzle::samples() {
        assert_puzzle(&position, plies);
    }
}

/// The solution of each sample is taken, its line answered to the mate, and any other first ply refused.
#[test]
fn attempts_are_judged_by_every_answer() {
    let limits = Limits::nodes(NODES);
    for (start, plies) in Puzzle::samples().filter(|(_, plies)| *plies <= 3) {
        let puzzle = Puzzle::of(&start, &limits).expect("a puzzle");
        let (mut position, mut left) = (start.clone(), plies);
        loop {
            let at = (plies - left) as usize;
            let attempt = Puzzle::attempt(&position, &puzzle.line[at], left, &limits);
            let Ok(Trial::Forced(answer)) = attempt else {
                assert_eq!((attempt, left), (Ok(Trial::Mate), 1), "{}", start.fen());
                break;
            };
            assert_eq!(answer, puzzle.line[at + 1], "{}", start.fen());
            position = position
                .play(&puzzle.line[at])
                .unwrap()
                .play(&answer)
                .unwrap();
            left -= 2;
        }
        let others = start.single_plies().into_iter();
        for ply in others.filter(|ply| *ply != puzzle.line[0]).take(20) {
            let attempt = Puzzle::attempt(&start, &ply, plies, &limits).expect("a bounded proof");
            let Trial::Missed(answer) = attempt else {
                panic!("{}: {}: {attempt:?}", start.fen(), start.text(&ply));
            };
            let after = start.play(&ply).unwrap();
            let Some(answer) = answer else {
                assert!(after.outcome().is_some());
                continue;
            };
            let after = after.play(&answer).expect("a legal answer");
            let is_mated = plies > 1 && prove(&after, plies - 2, BUDGET) != Proof::None;
            assert!(!is_mated, "{}: {}", start.fen(), start.text(&ply));
        }
    }
}

#[test]
fn what_is_no_puzzle_is_refused_with_its_reason() {
    let limits = Limits::nodes(1_000_000);
    for (game, fen, why) in [
        // Two rooks mate, each alone.
        ("chess", "6k1/5ppp/8/8/8/8/5PPP/RR4K1 w", NoPuzzle::Several),
        // In two, by either rook first.
        ("chess", "7k/8/8/8/8/R7/1R6/6K1 w", NoPuzzle::Several),
        ("chess", "6k1/5pp1/8/8/8/8/5PPP/R5K1 w", NoPuzzle::NoMate),
        // It is over.
        ("chess", "R5k1/5ppp/8/8/8/8/5PPP/6K1 b", NoPuzzle::NoMate),
        // The rook would mate, but a draw may be claimed soon, and no diagram shows that.
        (
            "chess",
            "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 95 90",
            NoPuzzle::NoMate,
        ),
        (
            "unachess",
            "8/8/8/8/8/8/8/8[RRBBNNQKPPPPPPPPrrbbnnqkpppppppp] w",
            NoPuzzle::TooMany,
        ),
    ] {
        let variant = Variant::find(game, &[]).expect("a game");
        let position = Position::from_fen(&variant, fen).expect("a position");
        assert_eq!(Puzzle::of(&position, &limits), Err(why), "{fen}");
    }
}

#[test]
fn a_proof_ends_with_its_nodes() {
    let (position, _) = Puzzle::samples()
        .max_by_key(|(_, plies)| *plies)
        .expect("one");
    let none = Puzzle::of(&position, &Limits::nodes(1_000));
    assert_eq!(none, Err(NoPuzzle::TooLong));
}

/// The position as the first of a game.
fn as_first(position: &Position) -> String {
    let mut setup = position.to_setup();
    (setup.number, setup.halfmoves) = (1, 0);
    let first = Position::from_setup(position.variant(), &setup);
    first.expect("a position").fen()
}

#[test]
#[ignore = "by hand: it makes the list of samples, in some minutes: --release"]
fn the_samples_are_made() {
    let mut text = String::new();
    for game in games::ALL {
        let variant = Variant::new(game, &[]).expect("a game");
        let mut rng = Rng::with_seed(1995);
        let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        while found.values().map(Vec::len).sum::<usize>() < 3 * EACH {
            let Some(record) = won_game(&variant, &mut rng) else {
                continue;
            };
            let last = record.steps().len();
            let late = (last.saturating_sub(12)..last).filter_map(|plies| record.at(plies));
            // One of each game.
            let puzzle = late.into_iter().find_map(|position| {
                let puzzle = Puzzle::of(position, &Limits::nodes(NODES / 4)).ok()?;
                let is_wanted = found.get(&puzzle.plies).is_none_or(|few| few.len() < EACH);
                let proof = prove(position, puzzle.plies, BUDGET);
                (is_wanted && proof != Proof::TooLong).then(|| (puzzle.plies, as_first(position)))
            });
            if let Some((plies, fen)) = puzzle {
                found.entry(plies).or_default().push(fen);
            }
        }
        for (plies, fens) in &found {
            for fen in fens {
                writeln!(text, "{}\t{plies}\t{fen}", game.id).expect("a string takes all");
            }
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles.tsv");
    fs::write(file, text).expect("a file that can be written");
}
