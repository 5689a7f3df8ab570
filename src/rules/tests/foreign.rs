//! Moves written for other programs, and read from them.

use parapost_rules::notation::{ReadError, Voice};
use parapost_rules::{Ply, Position, Variant};

use crate::agree::{Taste, random_game};
use crate::variants::variants;

fn position(game: &str, fen: &str) -> Position {
    let variant = Variant::find(game, &[]).expect("a game");
    Position::from_fen(&variant, fen).expect("a position")
}

/// The forms that a ply has: SAN, UCI, USI.
fn forms(position: &Position, ply: &Ply) -> [Option<String>; 3] {
    [position.san(ply), position.uci(ply), position.usi(ply)]
}

#[test]
fn what_is_written_for_a_program_is_read_as_the_same_move() {
    let mut read = [0; 3];
    for variant in variants() {
        for (seed, taste) in (0..).zip(Taste::ALL) {
            let record = random_game(&variant, seed, taste, 60);
            for at in (0..record.steps().len()).step_by(7) {
                let position = record.at(at).expect("a position");
                for ply in position.single_plies() {
                    let forms = forms(position, &ply);
                    for (count, form) in read.iter_mut().zip(&forms) {
                        let Some(form) = form else { continue };
                        let reading = position.read_with(form, Voice::Program);
                        let reading = reading.unwrap_or_else(|error| {
                            panic!("{form} in {}: {error}", position.fen())
                        });
                        assert_eq!(reading.ply, ply, "{form} in {}", position.fen());
                        *count += 1;
                    }
                    let is_written = !matches!(ply, Ply::Relocation { .. } | Ply::Placement(_));
                    assert_eq!(forms[1].is_some(), is_written, "{ply:?}");
                }
            }
        }
    }
    assert!(read.into_iter().all(|count| count > 10_000), "{read:?}");
}

/// Each ply as other programs write it, told from those that could be mistaken for it.
#[test]
fn forms_of_other_programs() {
    for (game, fen, text, expected) in [
        (
            "chess",
            "4k3/8/8/8/8/8/8/R3K2R w KQ",
            "O-O-O",
            ["O-O-O", "e1c1", ""],
        ),
        (
            "chess",
            "4k3/1P6/8/8/8/8/8/4K3 w",
            "P-b8=Q",
            ["b8=Q+", "b7b8q", ""],
        ),
        (
            "chess",
            "k7/2P5/1K6/8/8/8/8/8 w",
            "P-c8=R",
            ["c8=R#", "c7c8r", ""],
        ),
        (
            "chess",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6",
            "Pxd6ep",
            ["exd6", "e5d6", ""],
        ),
        (
            "chess",
            "4k3/1p3b2/2N5/3b4/8/8/8/4K3 b",
            "pxc6",
            ["bxc6", "b7c6", ""],
        ),
        (
            "chess",
            "4k3/1p3b2/2N5/3b4/8/8/8/4K3 b",
            "bxc6",
            ["Bxc6", "d5c6", ""],
        ),
        (
            "chess",
            "4k3/8/8/N7/8/8/8/N3K3 w",
            "N1-b3",
            ["N1b3", "a1b3", ""],
        ),
        (
            "chess",
            "4k3/8/8/8/1Q5Q/8/8/4K2Q w",
            "Qh4-e4",
            ["Qh4e4+", "h4e4", ""],
        ),
        (
            "unachess",
            "4k3/8/8/8/8/8/8/4K3[Pp] w",
            "P>e4",
            ["P@e4", "P@e4", ""],
        ),
        (
            "shogi",
            "4k4/9/9/4P4/9/9/9/9/4K4 w",
            "P-e7=+P",
            ["", "e6e7+", "5d5c+"],
        ),
        (
            "shogi",
            "4k4/9/9/4P4/9/9/9/9/4K4 w",
            "P-e7",
            ["", "e6e7", "5d5c"],
        ),
        (
            "shogi",
            "4k4/9/9/9/9/9/9/9/4K4[P] w",
            "P>e5",
            ["", "P@e5", "P*5e"],
        ),
        (
            "newchess",
            "4k3/8/8/8/8/8/4P3/4K3[N] w",
            "N>e2/e3",
            ["", "", ""],
        ),
    ] {
        let position = position(game, fen);
        let ply = position.read(text).expect("a legal move").ply;
        let forms = forms(&position, &ply).map(Option::unwrap_or_default);
        assert_eq!(forms, expected, "{text} in {fen}");
    }
}

/// Shogi: the `+` of a program promotes, though it could be a check.
#[test]
fn a_plus_of_a_program_promotes() {
    let position = position("shogi", "3k5/9/9/3S5/9/9/9/9/4K4 w");
    let ply = position
        .read_with("6d6c+", Voice::Program)
        .expect("a move")
        .ply;
    assert_eq!(position.text(&ply), "S-d7=+S");
    let error = position
        .read_with("5i5h+", Voice::Program)
        .expect_err("a king");
    assert!(matches!(error, ReadError::Illegal(_)), "{error:?}");
    assert_eq!(error.to_string(), "a king does not promote");
}
