//! Tests of the slow rules by themselves: published and independently computed perft numbers, and the rulings of
//! `docs/rules.md` one by one, each as a short game.

mod ends;
mod new_games;
mod perft;
mod rulings;

use crate::slow::Slow;
use crate::slow::board::Side;
use crate::slow::games::Rules;

/// The start of a game after some moves.
fn after(game: &str, options: &[&str], moves: &str) -> Slow {
    let mut slow = Slow::start(game, options);
    play(&mut slow, moves);
    slow
}

fn play(slow: &mut Slow, moves: &str) {
    moves.split_whitespace().for_each(|text| slow.play(text));
}

/// A position of a game without options; see `Slow::set_up`.
fn set_up(game: &str, rows: &str, reserves: &str, turn: Side, unmoved: &str) -> Slow {
    Slow::set_up(Rules::named(game, &[]), rows, reserves, turn, unmoved)
}

#[track_caller]
fn assert_perft(slow: &Slow, expected: &[u64]) {
    for (depth, &expected) in (1..).zip(expected) {
        assert_eq!(
            slow.perft(depth),
            expected,
            "perft({depth}) of\n{}",
            slow.diagram()
        );
    }
}

/// Of the given moves these are legal, and those are not.
#[track_caller]
fn assert_moves(slow: &Slow, legal: &str, illegal: &str) {
    let moves = slow.moves();
    for text in legal.split_whitespace() {
        assert!(
            moves.contains(text),
            "{text} should be legal in\n{}\n{moves:?}",
            slow.diagram()
        );
    }
    for text in illegal.split_whitespace() {
        assert!(
            !moves.contains(text),
            "{text} should be illegal in\n{}",
            slow.diagram()
        );
    }
}

/// Random matches of every game: no mover leaves the own king in real check, shogi keeps all its pieces, chess never gets
/// more, and what the listing of moves says of mate agrees with the status.
#[test]
fn random_matches() {
    let mut random = fastrand::Rng::with_seed(1994);
    for (game, pieces) in [
        ("chess", 32),
        ("shogi", 40),
        ("unachess", 32),
        ("unachess2", 32),
        ("parachute", 32),
        ("unashogi", 40),
        ("newchess", 32),
        ("kingchess", 32),
    ] {
        let mut slow = Slow::start(game, &[]);
        let mut before = pieces;
        for _ in 0..80 {
            let moves = slow.moves();
            let Some(played) = random.choice(&moves) else {
                break;
            };
            slow.play(played);
            let mut seen_from_behind = slow.position;
            seen_from_behind.turn = seen_from_behind.turn.other();
            assert!(
                !seen_from_behind.in_check(),
                "{played} in {game} left\n{}",
                slow.diagram()
            );
            let mut squares = slow.diagram();
            squares.truncate(squares.len() - 2);
            let now = squares.chars().filter(char::is_ascii_alphabetic).count();
            let is_capture = played.contains('x');
            let expected = if slow.position.rules.is_shogi() {
                pieces
            } else {
                before - usize::from(is_capture)
            };
            assert_eq!(
                now,
                expected,
                "{played} in {game} led to\n{}",
                slow.diagram()
            );
            before = now;
            let has_moves = !slow.moves().is_empty();
            assert!(has_moves || slow.status() != "ongoing" || game == "kingchess");
            assert!(!has_moves || !["checkmate", "stalemate"].contains(&slow.status()));
        }
    }
}
