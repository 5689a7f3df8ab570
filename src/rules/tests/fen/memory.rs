//! The field of a FEN for earlier drops: nothing is lost by writing a position and reading it back.

use std::hash::{DefaultHasher, Hash, Hasher};

use parapost_rules::{Ply, Position, Record, Role, Setup, Variant};

use super::read;
use crate::agree::{Taste, random_game};
use crate::variants::variants;

/// A position is what its FEN says: it equals the one read back, has the same legal moves and the same hash, and so do the
/// positions that both lead to.
#[test]
fn positions_are_rebuilt_from_their_fen() {
    let (mut compared, mut remembered) = (0, 0);
    for variant in variants() {
        for (seed, taste) in (0..).zip(Taste::ALL) {
            let record = random_game(&variant, seed, taste, 90);
            for ply in (0..=record.steps().len()).step_by(3) {
                let position = record.at(ply).expect("a position");
                let fen = position.fen();
                let mut rebuilt = rebuilt(&variant, &fen);
                assert_eq!(rebuilt.fen(), fen);
                assert_eq!(rebuilt.to_setup(), position.to_setup());
                assert_eq!(rebuilt.number() as usize, ply / 2 + 1);
                for later in ply.. {
                    let Some(position) = record.at(later).filter(|_| later < ply + 12) else {
                        break;
                    };
                    assert_eq!(moves(&rebuilt), moves(position), "{fen}");
                    assert_eq!(rebuilt, *position, "{fen}");
                    assert_eq!(hash(&rebuilt), hash(position), "{fen}");
                    if let Some(step) = record.steps().get(later) {
                        rebuilt = rebuilt.play(&step.ply).expect("a legal move");
                    }
                }
                compared += 1;
                remembered += usize::from(has_memory(&fen));
            }
        }
    }
    assert!(compared > 1500, "{compared} positions compared");
    assert!(remembered > 50, "{remembered} FENs with what is remembered");
}

fn rebuilt(variant: &Variant, fen: &str) -> Position {
    let setup = Setup::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    Position::from_setup(variant, &setup).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn hash(position: &Position) -> u64 {
    let mut hasher = DefaultHasher::new();
    position.hash(&mut hasher);
    hasher.finish()
}

/// Returns true if a FEN has a field for what is remembered of earlier drops.
fn has_memory(fen: &str) -> bool {
    fen.split(' ').count() == 7
}

fn moves(position: &Position) -> Vec<Ply> {
    let mut moves = position.single_plies();
    moves.sort_unstable();
    moves
}

/// The colours of bishops and the pawns without a double step stand in a FEN where the board does not suggest them.
#[test]
fn what_is_remembered_stands_in_a_field_of_its_own() {
    for (game, options, moves, field) in [
        // The bishop on the board is the one that was dropped.
        ("newchess", &[][..], "B>e4 p-d5", None),
        // It was captured.
        ("newchess", &[], "B>c4 p-d5 P-a3 pxc4", Some("B-light")),
        ("newchess", &[], "P-h3 b>d5 P-c4 p-h6 Pxd5", Some("b-light")),
        ("newchess", &[], "P-h3 b>e5 P-d4 p-h6 Pxe5", Some("b-dark")),
        (
            "newchess",
            &[],
            "B>c4 b>e5 P-d4 p-d5 Pxe5 pxc4",
            Some("B-light,b-dark"),
        ),
        // With no bishop left it tells nothing.
        ("newchess", &[], "B>c4 p-d5 B>d4 pxc4", None),
        ("unachess", &["pawns-1-4"], "P>e2 p>d8", None),
        ("unachess", &["pawns-1-4"], "P>e1 p>d8 P-e2", Some("e2")),
        (
            "unachess",
            &["pawns-1-4"],
            "P>e1 p>d8 P-e2 p-d7",
            Some("d7,e2"),
        ),
        (
            "unachess",
            &["pawns-1-4"],
            "P>e1 p>d8 P-e2 p-d7 P-e3",
            Some("d7"),
        ),
        (
            "unachess",
            &["pawns-1-4", "no-double-step"],
            "P>e1 p>d8 P-e2 p-d7",
            None,
        ),
    ] {
        let variant = Variant::find(game, options).expect("a game");
        let mut record = Record::new(variant.start());
        for text in moves.split_whitespace() {
            let reading = record
                .position()
                .read(text)
                .unwrap_or_else(|error| panic!("{game} {text}: {error}"));
            record.play(&reading.ply).expect("a legal move");
        }
        let fen = record.position().fen();
        let found = fen.split(' ').nth(6);
        let sorted = |field: &str| {
            let mut items: Vec<String> = field.split(',').map(str::to_owned).collect();
            items.sort();
            items
        };
        assert_eq!(found.map(sorted), field.map(sorted), "{fen}");
        assert_eq!(rebuilt(&variant, &fen), *record.position(), "{fen}");
    }
}

/// A FEN without what is remembered is read as before, and one with it however its items are ordered.
#[test]
fn what_is_remembered_may_be_left_out() {
    let board = "4k3/8/8/8/8/8/P7/4K3[BBb] w - - 0 9";
    let plain = read("newchess", board).expect("a position");
    assert_eq!(read("newchess", &format!("{board} -")), Ok(plain.clone()));
    let drop = |text: &str| Ply::Drop {
        role: Role::Bishop,
        to: text.parse().expect("a square"),
    };
    assert!(plain.is_legal(&drop("d1")) && plain.is_legal(&drop("c1")));
    let dark = read("newchess", &format!("{board} b-light,B-dark")).expect("a position");
    assert!(dark.is_legal(&drop("d1")) && !dark.is_legal(&drop("c1")));
    // The one on the board is a pawn promoted, and nothing was dropped.
    let promoted = "4k3/8/8/8/8/8/8/2B1K3[B] w - - 0 9";
    assert!(
        !read("newchess", promoted)
            .expect("it")
            .is_legal(&drop("e3"))
    );
    let none = read("newchess", &format!("{promoted} B-none")).expect("a position");
    assert!(none.is_legal(&drop("e3")));
    assert_eq!(none.fen(), format!("{promoted} B-none"));
    for (game, fen, why) in [
        (
            "newchess",
            "4k3/8/8/8/8/8/8/4K3[B] w - - 0 9 B-red",
            "'B-red' is neither a bishop's colour, as in B-dark, nor a pawn's square",
        ),
        (
            "newchess",
            "4k3/8/8/8/8/8/P7/4K3[B] w - - 0 9 a2",
            "no pawn on a2 can have lost its double step",
        ),
        (
            "unachess",
            "4k3/8/8/8/8/8/P7/4K3[B] w - - 0 9 B-dark",
            "Unachess does not ask where bishops were dropped",
        ),
        (
            "unachess",
            "4k3/8/8/8/8/P7/8/4K3[] w - - 0 9 a3",
            "no pawn on a3 can have lost its double step",
        ),
        (
            "unachess",
            "4k3/8/8/8/8/8/P7/4K3[] w - - 0 9 i9",
            "no pawn on i9 can have lost its double step",
        ),
        (
            "unachess",
            "4k3/8/8/8/8/8/P7/4K3[] w - - 0 9 a2 a2",
            "'a2' is one field too many",
        ),
    ] {
        assert_eq!(read(game, fen).expect_err(fen), why, "{fen}");
    }
}
