//! Positions, variants and records are compared by what they are.

use std::collections::HashSet;

use parapost_rules::notation::MoveText;
use parapost_rules::{Board, File, Rank, Record, Reserve, Role, Square, Variant};

fn played(variant: &Variant, moves: &[&str]) -> Record {
    let mut record = Record::new(variant.start());
    for text in moves {
        record.play_text(text).expect("legal");
    }
    record
}

#[test]
fn two_ways_to_one_position() {
    let chess = Variant::find("chess", &[]).expect("chess");
    let one = played(&chess, &["N-f3", "n-f6", "N-c3", "n-c6"]);
    let other = played(&chess, &["N-c3", "n-c6", "N-f3", "n-f6"]);
    assert_eq!(one.position(), other.position());
    assert_ne!(one, other);
    assert_eq!(one.until(0), other.until(0));
    // The same board, but later.
    let later = played(&chess, &["N-f3", "n-f6", "N-g1", "n-g8"]);
    assert_ne!(*later.position(), chess.start());
    let positions = [
        one.position(),
        other.position(),
        later.position(),
        later.start(),
    ];
    assert_eq!(positions.into_iter().collect::<HashSet<_>>().len(), 3);
    let records = [one.clone(), one.until(9), other];
    assert_eq!(records.into_iter().collect::<HashSet<_>>().len(), 2);
}

#[test]
fn rights_tell_positions_apart() {
    let chess = Variant::find("chess", &[]).expect("chess");
    let opening = ["P-e4", "p-e5", "N-f3", "n-f6", "B-e2", "b-e7"];
    let there_and_back = ["K-f1", "k-f8", "K-e1", "k-e8"];
    let knights = ["N-g1", "n-g8", "N-f3", "n-f6"];
    let moved = played(&chess, &[&opening[..], &there_and_back].concat());
    let unmoved = played(&chess, &[&opening[..], &knights].concat());
    let board = |record: &Record| record.position().board();
    assert_eq!(board(&moved), board(&unmoved));
    assert_ne!(moved.position(), unmoved.position());
}

#[test]
fn variants() {
    let unachess = |options: &[&str]| Variant::find("unachess", options).expect("a variant");
    assert_eq!(unachess(&[]), unachess(&[]));
    assert_eq!(
        unachess(&["no-double-step", "pawns-1-4"]),
        unachess(&["pawns-1-4", "no-double-step"])
    );
    assert_ne!(unachess(&[]), unachess(&["pawns-1-4"]));
    assert_ne!(unachess(&[]).start(), unachess(&["pawns-1-4"]).start());
}

#[test]
fn nothing_is_built_that_cannot_be() {
    assert_eq!((File::new(9), Rank::new(9)), (None, None));
    assert_eq!((Square::new(9, 0), Square::new(0, 9)), (None, None));
    assert_eq!(Board::empty(10), None);
    assert_eq!(Reserve::new([(Role::Pawn, 32)]), None);
    assert_eq!(Reserve::EMPTY.without(Role::Pawn), None);
    assert_eq!(
        Board::from_fen("8/8").expect_err("rows of 8").to_string(),
        "the row '8' does not have 2 squares"
    );
}

#[test]
fn a_square_is_shown_by_its_name() {
    let square = Square::new(4, 3).expect("on the board");
    assert_eq!(format!("{square} {square:?}"), "e4 e4");
}

#[test]
fn every_square_has_a_constant() {
    let corners = [Square::A1, Square::A9, Square::I1, Square::I9];
    assert_eq!(corners.map(|at| at.to_string()), ["a1", "a9", "i1", "i9"]);
    let near = [Square::E4, Square::H8, Square::I8, Square::H9];
    assert_eq!(near.map(|at| at.is_on(8)), [true, true, false, false]);
    assert_eq!("g7".parse(), Ok(Square::G7));
}

#[test]
fn a_board_is_shown_as_a_diagram() {
    let fen = "4k4/9/4+P4/9/9/9/9/9/4K3+b";
    let board = Board::from_fen(fen).expect("a board");
    let shown = "\
9 . . . . k . . . .
8 . . . . . . . . .
7 . . . .+P . . . .
6 . . . . . . . . .
5 . . . . . . . . .
4 . . . . . . . . .
3 . . . . . . . . .
2 . . . . . . . . .
1 . . . . K . . .+b
  a b c d e f g h i";
    assert_eq!(board.to_string(), shown);
    assert_eq!(board.fen(), fen);
}

/// A text that is no move, one that is not legal, and one after the end.
#[test]
fn a_record_plays_texts() {
    let chess = Variant::find("chess", &[]).expect("chess");
    let mut record = Record::new(chess.start());
    for text in ["f3", "e5", "g4", "Qh4#"] {
        record.play_text(text).expect("a legal move");
    }
    let before = record.clone();
    let error = record.play_text("e4").expect_err("it is over");
    assert_eq!(error.to_string(), "the game is over: checkmate");
    record.undo();
    for (text, why) in [
        ("Hello", "'Hello' is not a move"),
        ("p-e5", "Black's own pawn stands on e5"),
        (
            "q-a5",
            "Black's pawn on c7 stands in the way of the queen on d8",
        ),
    ] {
        let error = record.play_text(text).expect_err("not legal");
        assert!(error.to_string().starts_with(why), "{error}");
    }
    record.play_text("q-h4").expect("mate");
    assert_eq!(record, before);
}

/// A file before the target makes a capture, a rank nothing.
#[test]
fn a_pawn_has_no_rank_before_its_target() {
    assert!("dxe4".parse::<MoveText>().is_ok());
    for text in ["3e4", "3-e4", "3xe4"] {
        assert!(text.parse::<MoveText>().is_err(), "{text}");
    }
}
