//! Unachess and its options (docs/rules.md 3).

use parapost_rules::Mark;

use super::scene::{after, fen};

/// 3.1
#[test]
fn pawns_are_dropped_on_ranks_2_to_4() {
    after("unachess", "")
        .legal("P>a2 P>e3 P>h4 N>e8 K>d5 Q>a1")
        .illegal(
            "P>e1",
            "White's pawns are placed on ranks 2, 3 or 4, not on e1",
        )
        .illegal(
            "P>e5",
            "White's pawns are placed on ranks 2, 3 or 4, not on e5",
        )
        .play("P>e3")
        .legal("p>a7 p>e6 p>h5")
        .illegal(
            "p>e4",
            "Black's pawns are placed on ranks 5, 6 or 7, not on e4",
        )
        .illegal(
            "p>e8",
            "Black's pawns are placed on ranks 5, 6 or 7, not on e8",
        )
        .illegal("n>e3", "e3 is not empty: White's pawn stands there");
}

/// 3.1
#[test]
fn bishops_may_share_a_colour() {
    after("unachess", "B>a1 b>a8").legal("B>c1 B>b1");
}

/// 3.1
#[test]
fn what_is_not_in_reserve_is_not_dropped() {
    after("unachess", "Q>a1 q>a8")
        .illegal("Q>b1", "White has no queen in reserve")
        .illegal("G>b1", "there is no gold in Unachess")
        .illegal("N>b1,N>c1", "in Unachess one piece is dropped at a time")
        .illegal("Q>a1/b1", "Unachess has no relocation of pawns");
    // A move without the sign of a drop is never read as one; the answer shows how to write it.
    after("unachess", "")
        .illegal(
            "Nf3",
            "White has no knight on the board; to drop one write N>f3",
        )
        .illegal(
            "e4",
            "White has no pawn on the board; to drop one write P>e4",
        )
        .illegal(
            "B-b5",
            "White has no bishop on the board; to drop one write B>b5",
        );
}

/// 3.2
#[test]
fn a_pawn_dropped_on_the_second_rank_has_a_double_step() {
    after("unachess", "P>e2 p>e7")
        .legal("P-e4 P-e3")
        .play("P-e4")
        .legal("p-e5");
    after("unachess", "P>e3 p>e6")
        .illegal(
            "Pe3-e5",
            "the pawn on e3 is not on its second rank, so it goes one square only",
        )
        .legal("P-e4");
}

/// 3.2
#[test]
fn en_passant_takes_the_pawn_that_was_dropped() {
    let scene = after("unachess", "K>h1 k>h8 P>e2 p>d5 N>a1 p-d4 P-e4");
    let taken = scene.clone().play("pxe3ep");
    assert!(taken.position().fen().starts_with("7k/8/8/8/8/4p3/8/N6K["));
    scene.play("n>a8 N>h3").illegal(
        "pxe3ep",
        "the pawn on e4 did not come there by a double step on the turn before, so it can't be taken en passant",
    );
    // A pawn dropped on the fourth rank did not pass over anything.
    after("unachess", "K>h1 k>h8 N>a1 p>d5 N>b1 p-d4 P>e4").illegal(
        "pxe3ep",
        "the pawn on e4 did not come there by a double step on the turn before, so it can't be taken en passant",
    );
}

/// 3.3
#[test]
fn pawns_promote_whatever_has_been_captured() {
    fen("unachess", "7k/P7/8/8/8/8/8/K7[QRRBBNN] w - -").legal("P-a8=Q P-a8=R P-a8=B P-a8=N");
}

/// 3.4
#[test]
fn castling_after_drops() {
    after("unachess", "K>e1 k>e8 R>h1 r>a8")
        .legal("O-O")
        .illegal("O-O-O", "to castle there White needs a rook on a1")
        .play("O-O")
        .legal("O-O-O")
        .illegal("O-O", "to castle there Black needs a rook on h8");
    for there_and_back in ["K-e2 n>h8 K-e1 n>h7", "R-h2 n>h8 R-h1 n>h7"] {
        let moved = after("unachess", &format!("K>e1 k>e8 R>h1 r>a8 {there_and_back}"));
        let what = if there_and_back.starts_with('K') {
            "king on e1"
        } else {
            "rook on h1"
        };
        moved.illegal(
            "O-O",
            &format!("White's {what} has moved, so it can't castle"),
        );
    }
    // The order of the drops does not matter.
    after("unachess", "R>a1 k>e8 K>e1 r>h8")
        .legal("O-O-O")
        .play("N>h3")
        .legal("O-O");
    after("unachess", "K>e1 k>a8 R>h1 n>g1")
        .illegal("O-O", "Black's knight on g1 stands between king and rook");
}

/// 3.4
#[test]
fn nobody_castles_through_real_attacks() {
    for (black, why) in [
        ("r>e8", "White is in check, and nobody castles out of check"),
        (
            "r>f8",
            "castling would take the king across f1, which Black's rook on f8 attacks",
        ),
        (
            "r>g8",
            "castling would take the king to g1, which Black's rook on g8 attacks",
        ),
        (
            "n>h3",
            "castling would take the king to g1, which Black's knight on h3 attacks",
        ),
    ] {
        after("unachess", &format!("K>e1 k>a8 R>h1 {black}")).illegal("O-O", why);
        // While Black's king is in reserve nothing is really attacked.
        after("unachess", &format!("K>e1 p>a7 R>h1 {black}")).legal("O-O");
    }
    after("unachess", "K>e1 k>a8 R>h1 r>h8").legal("O-O");
    after("unachess", "K>e1 k>h8 R>a1 r>b8").legal("O-O-O");
}

/// 3.4 [R]
#[test]
fn being_dropped_on_the_traditional_square_counts_as_being_there() {
    after("unachess", "K>e1 k>d8 R>a1 r>h8")
        .legal("O-O-O")
        .play("N>h3")
        .illegal("o-o", "to castle there Black needs a king on e8");
    // The other side's squares are not traditional.
    after("unachess", "K>e8 k>a1 R>h8 n>a7")
        .illegal("O-O", "to castle there White needs a king on e1");
}

/// 3.5
#[test]
fn a_drop_may_give_check_and_mate() {
    after("unachess", "K>a1 k>e8")
        .marks("R>e1", Mark::Check)
        .marks("P>e2", Mark::None);
    fen("unachess", "7k/6pp/8/8/8/8/8/K7[R] w - -").marks("R>e8", Mark::Mate);
    fen("unachess", "8/8/8/6nk/4Q1rr/4B3/6P1/K7[P] w - -")
        .play("P>g3")
        .status("ongoing");
    // A pawn's too.
    fen("unachess", "8/8/8/6rk/6rr/8/5N2/K5R1[P] w - -").legal("P>g3");
    fen("unachess", "8/8/8/8/7p/5K1k/7p/5N2[P] w - -")
        .legal("P>g2")
        .marks("P>g2", Mark::Mate);
}

/// `no-castling-no-ep`
#[test]
fn neither_castling_nor_en_passant() {
    after("unachess no-castling-no-ep", "K>e1 k>e8 R>h1 r>a8")
        .illegal("O-O", "Unachess with no-castling-no-ep has no castling")
        .illegal("O-O-O", "Unachess with no-castling-no-ep has no castling");
    after(
        "unachess no-castling-no-ep",
        "K>h1 k>h8 P>e2 p>d5 N>a1 p-d4 P-e4",
    )
    .illegal(
        "pxe3ep",
        "Unachess with no-castling-no-ep has no capture en passant",
    )
    .legal("p-d3");
}

/// `no-double-step`
#[test]
fn no_double_step() {
    after("unachess no-double-step", "P>e2 p>e7").legal("P-e3").illegal(
        "Pe2-e4",
        "Unachess with no-double-step has no double step of pawns: the pawn on e2 can't go to e4",
    );
    // Of several options the one that matters is named.
    after(
        "unachess no-castling-no-ep no-double-step pawns-1-4",
        "K>e1 k>e8 R>h1 p>e7",
    )
    .illegal("O-O", "Unachess with no-castling-no-ep has no castling")
    .play("N>a1")
    .illegal(
        "pe7-e5",
        "Unachess with no-double-step has no double step of pawns: the pawn on e7 can't go to e5",
    );
}

/// `pawns-1-4`
#[test]
fn pawns_from_the_first_rank() {
    after("unachess pawns-1-4", "")
        .legal("P>e1 P>e4")
        .illegal(
            "P>e5",
            "White's pawns are placed on ranks 1, 2, 3 or 4, not on e5",
        )
        .play("P>e1")
        .legal("p>e8 p>e5")
        .illegal(
            "p>e4",
            "Black's pawns are placed on ranks 5, 6, 7 or 8, not on e4",
        );
}

/// `pawns-1-4` [R]
#[test]
fn a_pawn_from_the_first_rank_never_has_a_double_step() {
    after("unachess pawns-1-4", "P>e1 p>e8")
        .illegal(
            "Pe1-e3",
            "the pawn on e1 is not on its second rank, so it goes one square only",
        )
        .play("P-e2 p-e7")
        .illegal(
            "Pe2-e4",
            "the pawn on e2 was not dropped there, so it has no double step",
        )
        .play("P-e3")
        .illegal(
            "pe7-e5",
            "the pawn on e7 was not dropped there, so it has no double step",
        );
    // Nor does one dropped beside it lose its own.
    after("unachess pawns-1-4", "P>e1 p>e8 P-e2 p-e7 P>d2 p>d7").legal("P-d4");
}
