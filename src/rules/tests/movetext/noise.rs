//! Garbage is refused with a reason, and never read as a move that is not legal.

use fastrand::Rng;
use parapost_rules::notation::{MoveText, Voice};
use parapost_rules::{Position, Setup};

use crate::agree::{Taste, random_game};
use crate::damage::{SIGNS, damaged, sign};
use crate::variants::variants;

/// Signs that nothing is made of.
const ODD: &str = "E~♞♙–’“é→±👍\u{1b}\u{7}\u{0}\u{202e}\t\n漢\u{fe0f}";

fn noise(rng: &mut Rng, signs: &str) -> String {
    let length = rng.usize(0..14);
    (0..length)
        .map(|_| {
            if rng.u8(0..60) == 0 {
                rng.char(..)
            } else {
                sign(rng, signs)
            }
        })
        .collect()
}

/// Reads a text that need not mean anything.
fn try_it(position: &Position, text: &str) -> bool {
    for voice in [Voice::List, Voice::Alone] {
        match position.read_with(text, voice) {
            Ok(reading) => {
                assert!(position.is_legal(&reading.ply), "{text:?}");
                assert!(
                    text.contains(['>', '*', '@', '\'', '’', '‘', '`', '´', '›', '＞', '→'])
                        || !matches!(reading.ply, parapost_rules::Ply::Drop { .. })
                        || position.variant().rules().placement,
                    "{text:?} is read as a drop"
                );
                return true;
            }
            Err(error) => {
                let said = error.to_string();
                assert!(!said.is_empty(), "{text:?}");
                assert!(
                    !said.chars().any(char::is_control) && !said.contains('\u{202e}'),
                    "{text:?}: {said:?}"
                );
                assert!(said.len() < 2000, "{text:?}: {said}");
            }
        }
    }
    false
}

#[test]
fn garbage_is_refused() {
    let signs = format!("{SIGNS}{ODD}");
    let mut rng = Rng::with_seed(1995);
    let (mut texts, mut read) = (0, 0);
    for variant in variants() {
        for (seed, taste) in (7..).zip(Taste::ALL) {
            let record = random_game(&variant, seed, taste, 60);
            for at in (0..=record.steps().len()).step_by(15) {
                let position = record.at(at).expect("a position");
                for _ in 0..40 {
                    let text = noise(&mut rng, &signs);
                    read += usize::from(try_it(position, &text));
                    texts += 1;
                }
                let plies = position.single_plies();
                for _ in 0..40 {
                    let Some(ply) = rng.choice(&plies) else { break };
                    let text = damaged(&mut rng, &position.text(ply), &signs);
                    read += usize::from(try_it(position, &text));
                    texts += 1;
                }
            }
        }
    }
    println!("{read} of {texts} texts were read");
    assert!(texts > 10_000 && read > 0 && read < texts / 2);
}

/// Very long texts are no moves, and are not repeated at length.
#[test]
fn long_texts_are_refused() {
    for piece in ["P>e3,", "N", "b", "+", "=", "♞", "(", "!", "x"] {
        let text = piece.repeat(100_000);
        let error = text.parse::<MoveText>().expect_err("no move");
        assert!(error.to_string().chars().count() < 200, "{piece}");
    }
}

/// A damaged FEN is refused with a reason, or is a position.
#[test]
fn damaged_fens_do_no_harm() {
    let signs = "KQRBNPGSLkqrbnpgsl123456789/[]+ -wbEAHeah";
    let mut rng = Rng::with_seed(1999);
    let mut stood = 0;
    for variant in variants() {
        for seed in 0..2 {
            let record = random_game(&variant, seed, Taste::Castle, 40);
            let fen = record.position().fen();
            for _ in 0..300 {
                let text = damaged(&mut rng, &fen, signs);
                let Ok(setup) = Setup::from_fen(&variant, &text) else {
                    continue;
                };
                match Position::from_setup(&variant, &setup) {
                    Err(error) => assert!(!error.to_string().is_empty()),
                    Ok(position) => {
                        stood += 1;
                        let plies = position.single_plies();
                        if !variant.rules().placement {
                            assert_eq!(position.perft(1), plies.len() as u64, "{text}");
                        }
                        for ply in plies.iter().take(10) {
                            let after = position.play(ply).expect("legal");
                            assert!(!position.text(ply).is_empty());
                            assert_eq!(after.turn(), !position.turn());
                        }
                    }
                }
            }
        }
    }
    assert!(stood > 500, "{stood} of them stand");
}
