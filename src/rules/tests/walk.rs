//! A walk plays what `Position::play` plays, takes back what it played, and cannot be led astray.

use std::collections::HashMap;

use fastrand::Rng;
use parapost_rules::{
    Color, Listing, PieceChange, Ply, Position, Reason, Record, Role, Square, Variant, Walk,
};

use crate::agree::{Taste, random_game, random_ply};
use crate::variants::variants;

/// The number of a ply in a list made anew, a placement added to it.
fn number(walk: &mut Walk, ply: &Ply) -> usize {
    let count = walk.list(Listing::All);
    if let Ply::Placement(placement) = ply {
        return walk.add(placement).expect("a legal placement");
    }
    let mut numbers = 0..count;
    let found = numbers.find(|&at| walk.ply(at) == Some(*ply));
    found.expect("a legal ply is listed")
}

/// Asserts that a walk stands at a position, in all that it tells.
fn assert_at(walk: &Walk, position: &Position) {
    assert_eq!(walk.position(), *position);
    assert_eq!(walk.position().fen(), position.fen());
    assert_eq!(walk.key(), position.key(), "{}", position.fen());
    assert_eq!(walk.turn(), position.turn());
    assert_eq!(walk.halfmoves(), position.halfmoves());
    assert_eq!(walk.is_check(), position.is_check());
    for color in Color::ALL {
        assert_eq!(walk.king(color), position.king(color));
        assert_eq!(walk.reserve(color), position.reserve(color));
    }
    for square in Square::all(9) {
        assert_eq!(walk.get(square), position.get(square));
    }
}

/// A position's pieces, kept by the changes alone.
#[derive(Clone, PartialEq, Debug)]
struct Pieces(HashMap<(Color, Role, Option<Square>), u32>);

impl Pieces {
    fn of(position: &Position) -> Pieces {
        let mut pieces = Pieces(HashMap::new());
        for (square, piece) in position.board().pieces() {
            pieces.0.insert((piece.color, piece.role, Some(square)), 1);
        }
        for color in Color::ALL {
            for role in Role::ALL.into_iter().filter(|role| !role.is_promoted()) {
                let count = u32::from(position.reserve(color).count(role));
                if count > 0 {
                    pieces.0.insert((color, role, None), count);
                }
            }
        }
        pieces
    }

    fn change(&mut self, change: PieceChange) {
        let place = (change.piece.color, change.piece.role, change.square);
        let count = self.0.entry(place).or_insert(0);
        *count = if change.comes {
            *count + 1
        } else {
            count.checked_sub(1).expect("a piece that leaves was there")
        };
        if *count == 0 {
            self.0.remove(&place);
        }
    }
}

#[test]
fn after_any_plies_played_and_taken_back_a_walk_stands_where_play_leads() {
    for (seed, variant) in variants().iter().enumerate() {
        let mut rng = Rng::with_seed(seed as u64);
        let mut walk = Walk::new(&variant.start());
        let mut record = Record::new(variant.start());
        for _ in 0..400 {
            if rng.u8(0..3) == 0 || record.outcome().is_some() || record.steps().len() > 90 {
                assert_eq!(walk.back(), record.undo().is_some());
            } else {
                let ply = random_ply(&mut rng, Taste::Fight, &record);
                let at = number(&mut walk, &ply);
                let mut pieces = Pieces::of(record.position());
                assert!(walk.play_seen(at, |change| pieces.change(change)));
                record.play(&ply).expect("a legal ply");
                assert_eq!(pieces, Pieces::of(record.position()));
            }
            assert_eq!(walk.depth(), record.steps().len());
            assert_at(&walk, record.position());
        }
        while walk.back() {
            record.undo().expect("as many");
        }
        assert_at(&walk, &variant.start());
    }
}

#[test]
fn every_list_has_what_single_plies_have() {
    for (seed, variant) in variants().iter().enumerate() {
        let record = random_game(variant, seed as u64, Taste::Fight, 60);
        for plies in 0..=record.steps().len() {
            let position = record.at(plies).expect("a position");
            let mut walk = Walk::new(position);
            let count = walk.list(Listing::All);
            let listed: Vec<Ply> = (0..count).filter_map(|at| walk.ply(at)).collect();
            assert_eq!(listed, position.single_plies());
            let is_capture = |ply: &&Ply| {
                let after = position.play(ply).expect("a legal ply");
                let enemy = !position.turn();
                let count = |position: &Position| {
                    let pieces = position.board();
                    let of_enemy = pieces.pieces().filter(|(_, piece)| piece.color == enemy);
                    of_enemy.count()
                };
                count(&after) < count(position)
            };
            let captures = walk.list(Listing::Captures);
            let sharp: Vec<Ply> = (0..captures).filter_map(|at| walk.ply(at)).collect();
            for capture in listed.iter().filter(is_capture) {
                assert!(sharp.contains(capture), "{capture:?}");
            }
            for ply in &sharp {
                let promotes = matches!(ply, Ply::Move { promotion, .. } if promotion.is_some());
                assert!(is_capture(&ply) || promotes, "{ply:?}");
            }
            for role in Role::ALL {
                let drops = walk.list(Listing::Drops(role));
                let drops: Vec<Ply> = (0..drops).filter_map(|at| walk.ply(at)).collect();
                let is_drop = |ply: &&Ply| matches!(ply, Ply::Drop { role: of, .. } if *of == role);
                let expected: Vec<Ply> = listed.iter().filter(is_drop).copied().collect();
                assert_eq!(drops, expected);
            }
        }
    }
}

/// Random games hardly ever come to it.
#[test]
fn en_passant_is_a_capture() {
    for game in ["chess", "unachess", "newchess", "kingchess"] {
        let variant = Variant::find(game, &[]).expect("a game");
        let reserve = if game == "chess" { "" } else { "[]" };
        let fen = format!("4k3/8/8/3pP3/8/8/8/4K3{reserve} w - d6");
        let position = Position::from_fen(&variant, &fen).expect("a position");
        let mut walk = Walk::new(&position);
        let count = walk.list(Listing::Captures);
        let captures: Vec<Ply> = (0..count).filter_map(|at| walk.ply(at)).collect();
        let [from, to] = ["e5", "d6"].map(|square| square.parse().expect("a square"));
        let taken = Ply::Move {
            from,
            to,
            promotion: None,
        };
        assert_eq!(captures, [taken], "{game}");
    }
}

#[test]
fn numbers_beyond_the_list_and_those_of_another_list_do_no_harm() {
    for (seed, variant) in variants().iter().enumerate() {
        let mut rng = Rng::with_seed(1_000 + seed as u64);
        let mut walk = Walk::new(&variant.start());
        let mut other = Walk::new(&variant.start());
        for _ in 0..300 {
            // Numbers of any list, of none, and of one that another walk has made.
            let at = match rng.u8(0..4) {
                0 => usize::MAX,
                1 => rng.usize(0..1_000),
                2 => walk.list(Listing::Captures),
                _ => rng.usize(0..=other.list(Listing::All)),
            };
            let before = walk.position();
            let ply = walk.ply(at);
            assert_eq!(walk.role(at).is_some(), ply.is_some());
            assert_eq!(walk.play(at), ply.is_some());
            match ply {
                Some(ply) => assert_at(&walk, &before.play(&ply).expect("what is listed is legal")),
                None => assert_at(&walk, &before),
            }
            if rng.u8(0..3) == 0 {
                walk.list(Listing::All);
            }
            other.play(rng.usize(0..1_000));
            if rng.u8(0..6) == 0 {
                walk.back();
            }
        }
    }
}

#[test]
fn keys_are_those_of_what_repetition_compares() {
    for (seed, variant) in variants().iter().enumerate() {
        let mut by_key: HashMap<u64, (String, Position)> = HashMap::new();
        for game in 0..3 {
            let seed = 10 * seed as u64 + game;
            let record = random_game(variant, seed, Taste::Shuffle, 150);
            for plies in 0..=record.steps().len() {
                let position = record.at(plies).expect("a position");
                let entry = by_key.entry(position.key());
                let (_, twin) = entry.or_insert_with(|| (position.fen(), position.clone()));
                // As many occurrences of one in a record as of the other.
                assert_eq!(twin.board(), position.board());
                assert_eq!(twin.turn(), position.turn());
                assert_eq!(twin.single_plies(), position.single_plies());
            }
        }
    }
}

#[test]
fn a_recurrence_is_the_one_that_a_record_counts() {
    let mut ends = HashMap::new();
    for (seed, variant) in variants().iter().enumerate() {
        for game in 0..4 {
            let seed = 100 * seed as u64 + game;
            let record = random_game(variant, seed, Taste::Shuffle, 400);
            let walk = Walk::of_record(&record);
            let times = walk.recurrence().map_or(0, |recurrence| recurrence.times);
            let Some(outcome) = record.outcome() else {
                continue;
            };
            *ends.entry(outcome.reason).or_insert(0) += 1;
            match outcome.reason {
                Reason::Fivefold => assert_eq!(times, 4),
                Reason::Fourfold => assert_eq!(times, 3),
                Reason::Perpetual => {
                    let recurrence = walk.recurrence().expect("a recurrence");
                    assert_eq!((times, recurrence.winner), (3, outcome.winner));
                }
                _ => {}
            }
        }
    }
    assert!(ends.contains_key(&Reason::Fivefold) && ends.contains_key(&Reason::Fourfold));
}

#[test]
fn a_perpetual_check_is_lost_by_who_gives_it_in_shogi_alone() {
    for (game, fen, plies, winner) in [
        (
            "shogi",
            "4k4/9/9/9/9/9/9/9/4K3R w",
            ["R-i9", "k-e8", "R-i8", "k-e9"],
            Some(Color::Black),
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/4K2R w",
            ["R-h8", "k-e7", "R-h7", "k-e8"],
            None,
        ),
    ] {
        let variant = Variant::find(game, &[]).expect("a game");
        let start = Position::from_fen(&variant, fen).expect("a position");
        let mut walk = Walk::new(&start);
        let mut times = Vec::new();
        for text in plies.iter().cycle().take(13) {
            let ply = walk.position().read(text).expect("a legal move").ply;
            let at = number(&mut walk, &ply);
            assert!(walk.play(at));
            if let Some(recurrence) = walk.recurrence() {
                assert_eq!(recurrence.winner, winner, "{game}");
                times.push(recurrence.times);
            }
        }
        assert_eq!(times, [1, 1, 1, 1, 2, 2, 2, 2, 3], "{game}");
    }
}

#[test]
fn nobody_passes_in_check_and_nothing_recurs_over_a_pass() {
    let chess = Variant::find("chess", &[]).expect("a game");
    let check = Position::from_fen(&chess, "4k3/8/8/8/8/8/4R3/4K3 b").expect("a position");
    assert!(!Walk::new(&check).pass());
    let mut walk = Walk::new(&chess.start());
    let key = walk.key();
    assert!(walk.pass() && walk.key() != key && walk.pass());
    assert_eq!(walk.key(), key);
    assert_eq!(walk.recurrence(), None);
    assert!(walk.back() && walk.back() && !walk.back());
    assert_at(&walk, &chess.start());
}

#[test]
fn lines_that_a_placement_must_close_are_told() {
    let kingchess = Variant::find("kingchess", &[]).expect("a game");
    let fen = "r6k/8/8/4b3/8/8/3n2pp/K7[QRRBNNPPPPrbnpppp] w - - 0 9";
    let position = Position::from_fen(&kingchess, fen).expect("a position");
    assert!(position.needs_placement());
    let mut lines = Walk::new(&position).open_lines();
    for line in &mut lines {
        line.sort_unstable();
    }
    lines.sort_unstable();
    let named = |names: &[&str]| -> Vec<Square> {
        names
            .iter()
            .map(|name| name.parse().expect("a square"))
            .collect()
    };
    assert_eq!(
        lines,
        [
            named(&["a2", "a3", "a4", "a5", "a6", "a7"]),
            named(&["b2", "c3", "d4"])
        ]
    );
    assert!(Walk::new(&kingchess.start()).open_lines().is_empty());
}

/// Rights that count make another key; those that nobody can use do not, nor do the counts of moves.
#[test]
fn keys_tell_rights_that_count_from_those_that_do_not() {
    for (game, one, other, same) in [
        (
            "chess",
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            false,
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "4k3/8/8/8/8/8/8/R3K3 w Q - 9 30",
            true,
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/R3K3 b - - 0 1",
            false,
        ),
        (
            "chess",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3",
            "4k3/8/8/8/3pP3/8/8/4K3 b - -",
            false,
        ),
        (
            "chess",
            "4k3/8/8/8/4P3/8/8/4K3 b - e3",
            "4k3/8/8/8/4P3/8/8/4K3 b - -",
            true,
        ),
        (
            "unachess",
            "4k3/8/8/8/8/8/8/4K3[R] w E",
            "4k3/8/8/8/8/8/8/4K3[R] w -",
            false,
        ),
        (
            "unachess",
            "4k3/8/8/8/8/8/8/4K3[N] w E",
            "4k3/8/8/8/8/8/8/4K3[N] w -",
            true,
        ),
        (
            "unachess",
            "4k3/8/8/8/8/8/8/4K3[NN] w",
            "4k3/8/8/8/8/8/8/4K3[Nn] w",
            false,
        ),
        (
            "shogi",
            "4k4/9/9/9/9/9/9/9/4K4[PP] w",
            "4k4/9/9/9/9/9/9/9/4K4[P] w",
            false,
        ),
    ] {
        let variant = Variant::find(game, &[]).expect("a game");
        let key = |fen: &str| Position::from_fen(&variant, fen).map(|position| position.key());
        let (one, other) = (
            key(one).expect("a position"),
            key(other).expect("a position"),
        );
        assert_eq!(one == other, same, "{game}: {one:x} {other:x}");
    }
}
