//! The slip of a pen is found: whatever square of a list is written wrong, the
//! right one is among the corrections, and it is proposed if it is the only
//! one.

use std::fmt::Write;

use fastrand::Rng;
use parapost::notation::diagram::Diagram;
use parapost::notation::judge::{self, GameChoice, Judged};
use parapost::notation::reader::pasted;
use parapost::rules::{Record, Square, Variant};

use crate::playing;

/// A list with a token written otherwise, and the diagram of its true end.
fn text(record: &Record, at: usize, token: &str) -> String {
    let mut text = String::new();
    for (ply, step) in record.steps().iter().enumerate() {
        let dots = if ply % 2 == 0 { "." } else { "..." };
        let token = if ply == at { token } else { &step.text };
        let _ = writeln!(text, "{}{dots} {token}", ply / 2 + 1);
    }
    let _ = write!(text, "\n{}", Diagram::of(record.position()));
    text
}

fn judged(variant: &Variant, text: &str) -> Judged {
    let mut judged = judge::judge(&pasted(text), &GameChoice::Given(variant.clone())).unwrap();
    assert_eq!(judged.len(), 1, "{text}");
    judged.remove(0)
}

#[test]
#[ignore = "takes long"]
fn a_wrong_square_is_found_wherever_it_stands() {
    let mut rng = Rng::with_seed(1998);
    let (mut found, mut proposed) = (0, 0);
    for variant in crate::variants::variants() {
        for _ in 0..4 {
            let plies = rng.usize(10..80);
            let record = playing::game(&variant, plies, &mut rng);
            let at = rng.usize(..record.steps().len());
            let right = &record.steps()[at].text;
            let width = variant.rules().width;
            let wrong = Square::new(rng.u8(..width), rng.u8(..width))
                .expect("a square")
                .to_string();
            let Some((before, square)) = right.split_at_checked(right.len() - 2) else {
                continue;
            };
            if square.parse::<Square>().is_err() || square == wrong {
                continue;
            }
            let text = text(&record, at, &format!("{before}{wrong}"));
            let judged = judged(&variant, &text);
            if judged.is_legal() {
                // Another way to the same end.
                continue;
            }
            let corrections = judge::corrections(&judged.game);
            let is_it = |one: &judge::Correction| one.turn == at && one.text == *right;
            assert!(
                corrections.iter().any(is_it),
                "{right}: {corrections:?}\n{text}"
            );
            found += 1;
            if let [_] = corrections.as_slice() {
                let error = &judged.problems[0];
                assert_eq!(error.suggestion.as_ref(), Some(right), "{text}");
                assert_eq!(error.place.line, at + 1, "{text}");
                proposed += 1;
            }
        }
    }
    assert!(
        found > 50 && proposed > 30,
        "{found} found, {proposed} proposed"
    );
}
