//! New Chess (docs/rules.md 7).

use parapost_rules::Mark;

use super::scene::{after, fen};

/// 7.1
#[test]
fn pieces_are_dropped_on_the_first_four_ranks() {
    after("newchess", "")
        .legal("N>e4 R>a1 Q>h3")
        .illegal(
            "N>e5",
            "White's knights are dropped on ranks 1, 2, 3 or 4, not on e5",
        )
        .illegal(
            "Q>e6",
            "White's queen is dropped on ranks 1, 2, 3 or 4, not on e6",
        )
        .illegal("N>d7", "d7 is not empty: Black's pawn stands there")
        .illegal("P>e4", "in New Chess no pawn is ever in reserve")
        .play("P-e3")
        .legal("n>e5 r>a8")
        .illegal(
            "n>e4",
            "Black's knights are dropped on ranks 5, 6, 7 or 8, not on e4",
        );
}

/// 7.1 [R]
#[test]
fn or_on_an_own_pawn_wherever_it_stands() {
    after("newchess", "P-e4 p-a6 P-e5 p-a5")
        .legal("N>e5/e3 N>d2/d4 B>h2/a3")
        .illegal("N>a5/a4", "White has no pawn on a5 to put elsewhere")
        .illegal("N>e3/a4", "White has no pawn on e3 to put elsewhere");
    fen("newchess", "4k3/8/8/8/8/8/p7/4K3[n] b - -").legal("n>a2/h7 n>a2/a5 n>e5");
}

/// 7.2
#[test]
fn the_pawn_goes_to_ranks_2_to_4() {
    after("newchess", "")
        .legal("N>d2/c4 N>d2/d3 B>e2/a3 Q>h2/e4")
        .illegal(
            "N>d2/c5",
            "White's relocated pawn goes to ranks 2, 3 or 4, not to c5",
        )
        .illegal(
            "N>d2/c1",
            "White's relocated pawn goes to ranks 2, 3 or 4, not to c1",
        )
        .illegal("N>d2/c2", "c2 is not empty: White's pawn stands there")
        .illegal("N>d2/d2", "d2 is not empty: White's pawn stands there")
        .illegal(
            "N>d2",
            "d2 is not empty: White's own pawn stands there; say where it goes, as in N>d2/a3",
        )
        .play("N>d2/c4")
        .legal("n>d7/d6")
        .illegal(
            "n>d7/d4",
            "Black's relocated pawn goes to ranks 5, 6 or 7, not to d4",
        )
        .illegal(
            "n>d7",
            "d7 is not empty: Black's own pawn stands there; say where it goes, as in n>d7/a5",
        );
}

/// 7.2
#[test]
fn without_a_square_for_the_pawn_the_drop_is_illegal() {
    fen(
        "newchess",
        "4k3/8/8/8/pppppppp/QRRBBNnn/PPPPPPPP/4K3[N] w - -",
    )
    .legal("N>a1")
    .illegal(
        "N>a2",
        "a2 is not empty: White's own pawn stands there; there is no square for it to go to",
    )
    .illegal(
        "N>a2/a5",
        "White's relocated pawn goes to ranks 2, 3 or 4, not to a5",
    );
}

/// 7.2
#[test]
fn no_relocation_in_check() {
    fen("newchess", "4k3/8/8/8/7b/8/6P1/4K3[N] w - -")
        .legal("N>f2 N>g3")
        .illegal(
            "N>g2/g3",
            "White is in check, and then no pawn may be relocated",
        )
        .illegal(
            "N>g2",
            "White is in check, and then no pawn may be relocated",
        )
        .illegal(
            "N>a1",
            "White is in check from Black's bishop on h4, and this does not meet it",
        );
}

/// 7.3
#[test]
fn the_bishops_are_dropped_on_different_colours() {
    let light = |square: &str| {
        format!(
            "White's first bishop was dropped on a light square; the second goes on the other colour, and {square} is light"
        )
    };
    after("newchess", "B>c4 b>c5")
        .legal("B>e3 B>c1 B>f2/f4")
        .illegal("B>d3", &light("d3"))
        .illegal("B>e2/e3", &light("e2"))
        .illegal("B>e2", &light("e2"));
    after("newchess", "P-a3 b>e7/e6 P-a4").illegal(
        "b>d6",
        "Black's first bishop was dropped on a dark square; the second goes on the other colour, and d6 is dark",
    );
}

/// 7.3 [R]
#[test]
fn the_colour_counts_after_the_bishop_was_captured() {
    after("newchess", "B>c4 p-d5 P-a3 pxc4").legal("B>e3").illegal(
        "B>e4",
        "White's first bishop was dropped on a light square; the second goes on the other colour, and e4 is light",
    );
}

/// 7.3
#[test]
fn a_promoted_bishop_does_not_count() {
    fen("newchess", "7k/P7/8/8/8/8/8/K7[BB] w - -")
        .play("P-a8=B k-g7")
        .legal("B>b2 B>b1");
    // Nor in a position that was only written down.
    fen("newchess", "B6k/8/8/8/8/8/8/K7[BB] w - -").legal("B>b2 B>b1");
    fen("newchess", "B6k/8/8/8/8/8/8/K7[B] w - -").legal("B>b2").illegal(
        "B>b1",
        "White's first bishop was dropped on a light square; the second goes on the other colour, and b1 is light",
    );
}

/// 7.4
#[test]
fn pawns_on_the_second_rank_may_double_step() {
    after("newchess", "").legal("P-e4 P-e3");
    after("newchess", "P-e4 p-a6 P-e5 p-d5").legal("Pxd6ep");
}

/// 7.4 [R]
#[test]
fn a_relocated_pawn_is_as_good_as_new() {
    after("newchess", "P-e4 p-a6 P-e5 p-a5 N>e5/e2 p-d5")
        .legal("P-e4 P-e3")
        .illegal("P-e6", "the pawn on e2 reaches e3 and e4");
    fen("newchess", "4k3/8/8/8/2p5/8/P7/4K3[N] w - -")
        .play("N>a2/d2 k-e7 P-d4")
        .legal("pxd3ep");
}

/// 7.5
#[test]
fn castling_as_in_chess() {
    after("newchess", "R>h1 r>a8")
        .legal("O-O")
        .illegal("O-O-O", "to castle there White needs a rook on a1")
        .play("O-O")
        .legal("O-O-O");
    after("newchess", "R>h1 r>a8 K-d1")
        .play("p-a6 K-e1 p-a5")
        .illegal("O-O", "White's king on e1 has moved, so it can't castle");
}

/// 7.5 [R]
#[test]
fn the_rook_stood_there_or_was_dropped_there() {
    after("newchess rooks-placed", "").legal("O-O O-O-O");
    after("newchess rooks-placed", "R-g1 k-d8 R-h1 k-e8")
        .legal("O-O-O")
        .illegal("O-O", "White's rook on h1 has moved, so it can't castle");
    after("newchess", "R>g1 p-a6 R-h1 p-a5")
        .illegal("O-O", "White's rook on h1 has moved, so it can't castle");
}

/// 7.6
#[test]
fn drops_may_give_check_and_mate() {
    fen("newchess", "8/8/8/8/8/k1K5/8/8[Q] w - -").marks("Q>a1", Mark::Mate);
    fen("newchess", "4k3/8/8/8/8/8/P7/4K3[R] w - -").marks("R>e4", Mark::Check);
    // A drop on a pawn that opens a line, too.
    fen("newchess", "8/8/k7/8/8/8/P7/R3K3[N] w - -").marks("N>a2/b2", Mark::None);
    let out = after("newchess", "N>e4 p-d5 P-a3 pxe4");
    assert!(out.position().fen().contains("[RRBBNQrrbbnnq]"));
}

/// `rooks-placed`
#[test]
fn rooks_on_the_corners() {
    after("newchess rooks-placed", "")
        .count(472)
        .illegal(
            "R>d1",
            "in New Chess with rooks-placed no rook is ever in reserve",
        )
        .legal("R-d1 Q>d1");
}
