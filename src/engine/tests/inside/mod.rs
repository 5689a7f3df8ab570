//! The search against a slow one that is plainly right.

use fastrand::Rng;
use parapost_rules::{Listing, Ply, Position, Record, Role, Side, Variant, Walk, games};

use crate::engine::Engine;
use crate::placements;
use crate::search::{INFINITE, Limits, MATE, Ways};
use crate::values::{Evaluator, Values};

/// The plies that are tried, from a list of their own.
fn tried(position: &Position, evaluator: &Evaluator, is_root: bool) -> Vec<Ply> {
    let mut plies = position.single_plies();
    if position.variant().rules().placement {
        let mut walk = Walk::new(position);
        let listed = walk.list(Listing::All);
        let count = placements::add(&mut walk, evaluator, listed, is_root);
        plies.extend((listed..count).filter_map(|at| walk.ply(at)));
    }
    plies
}

/// The value by looking at every line to its end, each position made anew.
fn minimax(position: &Position, evaluator: &Evaluator, depth: i32, ply: i32) -> i32 {
    match position.outcome().map(|end| end.winner) {
        Some(None) => return 0,
        Some(Some(winner)) if winner == position.turn() => return MATE - ply,
        Some(Some(_)) => return ply - MATE,
        None => {}
    }
    if depth == 0 {
        let walk = Walk::new(position);
        return evaluator.value(&walk, evaluator.tally(position), (-INFINITE, INFINITE));
    }
    let values = tried(position, evaluator, ply == 0)
        .into_iter()
        .map(|ply_tried| {
            let after = position.play(&ply_tried).expect("a legal ply");
            -minimax(&after, evaluator, depth - 1, ply + 1)
        });
    values.max().expect("the game goes on")
}

/// A position after so many random plies, and no end.
fn random_position(rng: &mut Rng, variant: &Variant, plies: usize) -> Position {
    'again: loop {
        let mut position = variant.start();
        for _ in 0..plies {
            let list = position.single_plies();
            if list.is_empty() || position.outcome().is_some() {
                continue 'again;
            }
            position = position
                .play(&list[rng.usize(0..list.len())])
                .expect("legal");
        }
        if position.outcome().is_none() && position.halfmoves() < 90 {
            return position;
        }
    }
}

#[test]
fn without_quiescence_the_search_finds_the_value_of_every_line() {
    let ways = Ways {
        quiescence: false,
        varies_depth: false,
    };
    for (game, depth, plies) in [
        ("chess", 3, 30),
        ("shogi", 2, 40),
        ("unachess", 2, 24),
        ("unachess2", 2, 24),
        ("parachute", 2, 24),
        ("unashogi", 2, 36),
        ("newchess", 2, 24),
        ("kingchess", 2, 20),
    ] {
        let variant = Variant::find(game, &[]).expect("a game");
        let mut engine = Engine::new(&variant);
        let evaluator = Evaluator::new(&variant, &Values::of(&variant));
        let mut rng = Rng::with_seed(31);
        for plies in [4, plies, 2 * plies] {
            let position = random_position(&mut rng, &variant, plies);
            for depth in 1..=depth {
                // Its nodes are what the slow search takes seconds for.
                if position.perft(1).pow(depth) > 150_000 {
                    continue;
                }
                let limits = Limits::depth(depth);
                let record = Record::new(position.clone());
                let thought = engine.search(&record, &limits, ways, |_| ());
                let slow = minimax(&position, &evaluator, depth.cast_signed(), 0);
                let about = format!("{game} at depth {depth}: {}", position.fen());
                assert_eq!(thought.score.value(), slow, "{about}");
                let ply = thought.ply.expect("a ply");
                let after = position.play(&ply).expect("a legal ply");
                let best = -minimax(&after, &evaluator, depth.cast_signed() - 1, 1);
                assert_eq!(best, slow, "{about}: {ply:?} is none of the best");
            }
        }
    }
}

#[test]
fn the_seed_chooses_among_what_is_hardly_worse_than_the_best() {
    let ways = Ways {
        quiescence: false,
        varies_depth: false,
    };
    let mut others = 0;
    for game in ["unachess", "parachute", "unashogi", "newchess"] {
        let variant = Variant::find(game, &[]).expect("a game");
        let mut engine = Engine::new(&variant);
        let evaluator = Evaluator::new(&variant, &Values::of(&variant));
        let position = random_position(&mut Rng::with_seed(8), &variant, 14);
        let record = Record::new(position.clone());
        let value = |ply: &Ply| {
            let after = position.play(ply).expect("a legal ply");
            -minimax(&after, &evaluator, 0, 1)
        };
        let plies = position.single_plies();
        let best = plies.iter().map(value).max().expect("a ply");
        for seed in 1..40 {
            let mut limits = Limits {
                seed,
                variety: 30,
                ..Limits::depth(1)
            };
            let thought = engine.search(&record, &limits, ways, |_| ());
            let chosen = value(&thought.ply.expect("a ply"));
            assert_eq!(thought.score.value(), chosen, "{game}");
            assert!(
                (best - 30..=best).contains(&chosen),
                "{game}: {chosen} of {best}"
            );
            others += usize::from(chosen < best);
            limits.variety = 0;
            let thought = engine.search(&record, &limits, ways, |_| ());
            assert_eq!(thought.score.value(), best, "{game}");
        }
    }
    assert!(others > 40, "{others}");
}

#[test]
fn it_chooses_among_the_plies_it_is_told() {
    let variant = Variant::find("unachess", &[]).expect("a game");
    let record = Record::new(variant.start());
    let is_pawn = |ply: &Ply| {
        matches!(
            ply,
            Ply::Drop {
                role: Role::Pawn,
                ..
            }
        )
    };
    let mut only = record.position().single_plies();
    only.retain(is_pawn);
    let mut limits = Limits {
        only,
        ..Limits::nodes(3_000)
    };
    let mut engine = Engine::new(&variant);
    let thought = engine.think(&record, &limits);
    assert!(thought.ply.as_ref().is_some_and(is_pawn), "{thought:?}");
    assert_eq!(thought.line.first(), thought.ply.as_ref());
    // What is not legal is none to choose from.
    limits.only = vec![Ply::Castle(Side::King)];
    let thought = engine.think(&record, &limits);
    assert_eq!(thought, engine.think(&record, &Limits::nodes(3_000)));
}

/// What is kept from ply to ply is what is counted from nothing.
#[test]
fn the_tally_that_is_kept_is_that_of_the_position() {
    let mut rng = Rng::with_seed(5);
    for game in games::ALL {
        let variant = Variant::new(game, &[]).expect("a game");
        let evaluator = Evaluator::new(&variant, &Values::of(&variant));
        let mut walk = Walk::new(&variant.start());
        let mut tally = evaluator.tally(&variant.start());
        for _ in 0..120 {
            let listed = walk.list(Listing::All);
            let count = placements::add(&mut walk, &evaluator, listed, true);
            if count == 0 {
                break;
            }
            let at = rng.usize(0..count);
            walk.play_seen(at, |change| evaluator.count(&mut tally, change));
            assert_eq!(tally, evaluator.tally(&walk.position()), "{}", game.id);
        }
    }
}

#[test]
fn at_the_root_of_kingchess_a_hundred_placements_and_more_are_tried() {
    let variant = Variant::find("kingchess", &[]).expect("a game");
    let evaluator = Evaluator::new(&variant, &Values::of(&variant));
    let mut position = variant.start();
    for text in ["K>b1,B>b2,P>b3,P>c2", "k>g8,p>g7,p>f7"] {
        let plies = tried(&position, &evaluator, true);
        let singles = position.single_plies();
        assert!(plies.len() >= singles.len() + 100, "{}", plies.len());
        assert!(singles.iter().all(|single| plies.contains(single)));
        assert!(plies.iter().all(|ply| position.is_legal(ply)));
        let ply = position.read(text).expect("a placement").ply;
        position = position.play(&ply).expect("a legal ply");
    }
}

#[test]
fn every_way_to_close_a_double_check_is_tried() {
    let variant = Variant::find("kingchess", &[]).expect("a game");
    let evaluator = Evaluator::new(&variant, &Values::of(&variant));
    let fen = "r6k/8/8/4b3/8/8/3n2pp/K7[QRBNPrbnpppp] w - - 0 9";
    let position = Position::from_fen(&variant, fen).expect("a position");
    assert!(position.needs_placement());
    let tried = tried(&position, &evaluator, false);
    let is_smallest = |ply: &Ply| matches!(ply, Ply::Placement(placed) if placed.len() == 2);
    let answers: Vec<Ply> = position.placements().filter(is_smallest).collect();
    assert!(answers.len() > 20);
    for answer in &answers {
        assert!(tried.contains(answer), "{}", position.text(answer));
    }
}
