//! Advice: it is legal, and at a second look never worse than what the engine would play.

use fastrand::Rng;
use parapost_engine::{Engine, Limits, Score};
use parapost_rules::{Position, Record, Variant, games};

use crate::hints;

/// A game of moves at random, up to so many half-moves.
fn at_random(variant: &Variant, rng: &mut Rng, half_moves: usize) -> Record {
    let mut record = Record::new(variant.start());
    while record.outcome().is_none() && record.steps().len() < half_moves {
        let plies = record.position().single_plies();
        if plies.is_empty() {
            break;
        }
        let ply = plies[rng.usize(0..plies.len())];
        record.play(&ply).expect("a legal ply");
    }
    record
}

/// What a ply is worth to its player, by a look at the position behind it.
fn worth(record: &Record, ply: &parapost_rules::Ply, limits: &Limits) -> Option<i32> {
    let mut next = record.clone();
    next.play(ply).ok()?;
    // What ends the game the engine does not judge.
    next.outcome().is_none().then(|| {
        let mut engine = Engine::new(next.position().variant());
        engine.think(&next, limits).score.for_other().value()
    })
}

#[test]
fn advice_is_never_worse_at_a_second_look_than_the_first_thought() {
    let (limits, mut better, mut rng) = (Limits::nodes(400), 0, Rng::with_seed(54));
    for game in games::ALL {
        let variant = Variant::new(game, &[]).expect("a game");
        let mut engine = Engine::new(&variant);
        for _ in 0..30 {
            let record = at_random(&variant, &mut rng, 30);
            let Some(advice) = engine.advise(&record, &limits) else {
                assert!(record.outcome().is_some(), "{}", game.id);
                continue;
            };
            let ply = advice.thought.ply.expect("a ply");
            assert!(record.position().is_legal(&ply), "{}", game.id);
            let first = engine.think(&record, &limits).ply.expect("a ply");
            let [advised, plain] = [ply, first].map(|ply| worth(&record, &ply, &limits));
            if let (Some(advised), Some(plain)) = (advised, plain) {
                let text = record.position().text(&ply);
                assert!(advised >= plain, "{}: {text}: {advised} < {plain}", game.id);
                better += usize::from(advised > plain);
            }
        }
    }
    assert!(better > 3, "{better}");
}

#[test]
fn a_threat_is_told_if_there_is_one() {
    let chess = Variant::find("chess", &[]).expect("a game");
    let advice = |fen: &str| {
        let start = Position::from_fen(&chess, fen).expect("a position");
        let advice = Engine::new(&chess).advise(&Record::new(start), &Limits::nodes(20_000));
        advice.expect("a move")
    };
    // Black would mate on the first rank; the rook's pawn makes room, or a rook guards.
    let threat = advice("4r1k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1").threat;
    assert!(threat.is_none(), "the rook guards: {threat:?}");
    let threat = advice("4r1k1/5ppp/8/8/8/8/R4PPP/6K1 w - - 0 1").threat;
    let threat = threat.expect("a mate on e1");
    assert_eq!(threat.position.text(&threat.ply), "r-e1");
    assert_eq!(threat.score, Score::Mate(1));
}

/// Of the hints that were judged the first come again.
#[test]
fn the_positions_of_the_hints_that_were_judged_come_again() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hints.csv");
    let judged = std::fs::read_to_string(file).expect("hints");
    assert!(judged.starts_with(hints::HEAD));
    for game in games::ALL {
        let variant = Variant::new(game, &[]).expect("a game");
        let fen = hints::drawn(&variant, 0).position().fen();
        let line = format!("{}0,{fen},", hints::heading(&variant));
        assert!(judged.contains(&line), "{line}");
    }
}
