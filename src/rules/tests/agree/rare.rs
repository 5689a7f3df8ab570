//! Situations that random games hardly ever come to: repetitions by choice, perpetual check, placements of four pieces.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use fastrand::Rng;
use parapost_rules::Color::{self, Black, White};
use parapost_rules::{Board, Piece, Ply, Position, Record, Reserve, Role, Setup, Square, Variant};

use super::{number, random_ply, texts};
use crate::agree::Taste;
use crate::slow::Slow;
use crate::variants::variants;

/// The position without its counts.
fn place(position: &Position) -> String {
    let fen = position.fen();
    let end = fen
        .rmatch_indices(' ')
        .nth(1)
        .map_or(fen.len(), |(at, _)| at);
    fen[..end].to_owned()
}

/// Of the legal plies one that leads where the match has been most often; whoever checks, checks on. Drops and captures
/// lead to no position that was there before.
fn repeating(rng: &mut Rng, record: &Record, seen: &BTreeMap<String, usize>, checks: bool) -> Ply {
    let position = record.position();
    let mut best = (0, Vec::new());
    for ply in position.single_plies() {
        if !matches!(ply, Ply::Move { .. }) {
            continue;
        }
        let after = position.play(&ply).expect("a legal ply");
        let been = seen.get(&place(&after)).copied().unwrap_or(0);
        let worth = been + if checks && after.is_check() { 100 } else { 0 };
        if worth > best.0 {
            best = (worth, Vec::new());
        }
        if worth == best.0 {
            best.1.push(ply);
        }
    }
    rng.choice(best.1)
        .unwrap_or_else(|| random_ply(rng, Taste::Fight, record))
}

/// Plays on, first at random, then looking for repetitions, on both sides of the comparison.
fn compare_repetitions(variant: &Variant, rng: &mut Rng, seen_ends: &mut BTreeMap<&str, usize>) {
    let mut fast = Record::new(variant.start());
    let mut slow = Slow::start(variant.game().id, variant.options());
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let opening = rng.usize(8..50);
    for half_move in 0..opening + 60 {
        *seen.entry(place(fast.position())).or_insert(0) += 1;
        let context = || format!("{:?}\n{}", variant.options(), fast.position().fen());
        assert_eq!(fast.status(), slow.status(), "{}", context());
        assert_eq!(fast.claim().is_some(), slow.claimable(), "{}", context());
        *seen_ends.entry(fast.status()).or_insert(0) += 1;
        if fast.claim().is_some() {
            *seen_ends.entry("claim").or_insert(0) += 1;
        }
        if fast.outcome().is_some() {
            return;
        }
        let ply = if half_move < opening {
            random_ply(rng, Taste::Fight, &fast)
        } else {
            let one_in_ten = rng.u8(0..10) == 0;
            let checks = half_move % 2 == opening % 2;
            if one_in_ten {
                random_ply(rng, Taste::Shuffle, &fast)
            } else {
                repeating(rng, &fast, &seen, checks)
            }
        };
        slow.play(&fast.position().long_text(&ply));
        fast.play(&ply).expect("a legal ply");
    }
}

fn repetitions_agree(games: &[&str], matches: usize, ends: &[&str]) {
    for variant in variants().iter().filter(|v| games.contains(&v.game().id)) {
        let mut rng = Rng::with_seed(number("PARAPOST_TEST_SEED", 1996) as u64);
        let mut seen = BTreeMap::new();
        for _ in 0..matches * number("PARAPOST_TEST_SCALE", 1) {
            compare_repetitions(variant, &mut rng, &mut seen);
        }
        let name = format!("{} {:?}", variant.game().id, variant.options());
        println!("{name}: {seen:?}");
        for end in ends {
            assert!(seen.contains_key(end), "no {end} in {name}");
        }
    }
}

#[test]
fn repetitions_of_chess_games_agree() {
    let games = [
        "chess",
        "unachess",
        "unachess2",
        "parachute",
        "newchess",
        "kingchess",
    ];
    repetitions_agree(&games, 6, &["claim", "draw-fivefold"]);
}

#[test]
fn repetitions_of_shogi_games_agree() {
    repetitions_agree(&["shogi"], 10, &["draw-fourfold"]);
    repetitions_agree(&["unashogi"], 12, &["draw-fourfold", "loss-perpetual"]);
}

/// Positions of Kingchess with four pieces in reserve for the player to move, three on a first turn: the board is drawn by lot, so that checks,
/// double checks and first turns come up.
#[test]
fn placements_of_four_pieces_agree() {
    let variant = Variant::find("kingchess", &[]).expect("kingchess");
    let mut rng = Rng::with_seed(number("PARAPOST_TEST_SEED", 1999) as u64);
    let mut met: BTreeMap<&str, usize> = BTreeMap::new();
    let each = 4 * number("PARAPOST_TEST_SCALE", 1);
    let mut left = 4 * each;
    while left > 0 {
        let fen = drawn_by_lot(&variant, &mut rng);
        let Ok(setup) = Setup::from_fen(&variant, &fen) else {
            continue;
        };
        let Ok(position) = Position::from_setup(&variant, &setup) else {
            continue;
        };
        let kind = if position.king(position.turn()).is_none() {
            "first turns"
        } else if position.needs_placement() {
            "met by several pieces"
        } else if position.is_check() {
            "checks"
        } else {
            "quiet positions"
        };
        let so_many = met.entry(kind).or_insert(0);
        if *so_many >= each {
            continue;
        }
        *so_many += 1;
        left -= 1;
        let fast: BTreeSet<String> = position
            .placements()
            .map(|ply| position.long_text(&ply))
            .collect();
        let slow = Slow::from_fen("kingchess", &[], &fen);
        assert_eq!(texts(&position), slow.moves(), "{fen}");
        assert!(fast == slow.placements(), "{fen}");
        let moves = position.single_plies();
        let moves = moves.iter().filter(|ply| matches!(ply, Ply::Move { .. }));
        assert_eq!(
            position.perft(1),
            (moves.count() + fast.len()) as u64,
            "{fen}"
        );
    }
    println!("{met:?}");
}

/// A FEN with four pieces in White's reserve, or three that have the king among them; most of White's half is filled, so
/// that the sets stay few.
fn drawn_by_lot(variant: &Variant, rng: &mut Rng) -> String {
    let mut setup = Setup {
        board: variant.empty_board(),
        reserves: [Reserve::EMPTY; 2],
        ..Setup::start(variant)
    };
    let mut reserve;
    if rng.u8(0..4) == 0 {
        reserve = vec![Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
        rng.shuffle(&mut reserve);
        reserve.truncate(2);
        reserve.push(Role::King);
    } else {
        let mut pieces = vec![
            Role::Queen,
            Role::Rook,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Knight,
        ];
        pieces.extend([Role::Pawn; 8]);
        rng.shuffle(&mut pieces);
        reserve = pieces.split_off(pieces.len() - 4);
        put(rng, &mut setup.board, (White, Role::King), 0..3);
        for role in pieces {
            put(rng, &mut setup.board, (White, role), 1..4);
        }
    }
    put(rng, &mut setup.board, (Black, Role::King), 5..8);
    for role in [
        Role::Queen,
        Role::Rook,
        Role::Rook,
        Role::Bishop,
        Role::Bishop,
        Role::Knight,
    ] {
        put(rng, &mut setup.board, (Black, role), 0..8);
    }
    setup.reserves[0] =
        Reserve::new(reserve.into_iter().map(|role| (role, 1))).expect("few pieces");
    setup.to_fen(variant)
}

/// Puts a piece on an empty square of those ranks, if one is soon found.
fn put(rng: &mut Rng, board: &mut Board, (color, role): (Color, Role), ranks: Range<u8>) {
    for _ in 0..20 {
        let square = Square::new(rng.u8(0..8), rng.u8(ranks.clone())).expect("a square");
        if board.get(square).is_none() {
            board.set(square, Some(Piece { color, role }));
            return;
        }
    }
}
