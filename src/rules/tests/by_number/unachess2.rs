//! Unachess II (docs/rules.md 4).

use parapost_rules::Mark;

use super::scene::{after, fen};

/// 4.1
#[test]
fn a_dropped_piece_may_not_attack_the_enemy_king() {
    after("unachess2", "K>a1 k>e8")
        .legal("R>d1 N>f5 P>e4 K-b1").illegal(
            "R>e1",
            "a dropped piece may not attack the enemy king; the rook on e1 would attack Black's king on e8",
        )
        .illegal(
            "N>f6",
            "a dropped piece may not attack the enemy king; the knight on f6 would attack Black's king on e8",
        )
        .illegal(
            "B>a4",
            "a dropped piece may not attack the enemy king; the bishop on a4 would attack Black's king on e8",
        );
    after("unachess2", "K>a1 k>e5").illegal(
        "P>d4",
        "a dropped piece may not attack the enemy king; the pawn on d4 would attack Black's king on e5",
    );
    // With the own king placed or not, a king included.
    after("unachess2", "R>a1 k>e8")
        .illegal(
            "Q>e1",
            "a dropped piece may not attack the enemy king; the queen on e1 would attack Black's king on e8",
        )
        .illegal(
            "K>e7",
            "a dropped piece may not attack the enemy king; the king on e7 would attack Black's king on e8",
        );
    // A move may.
    after("unachess2", "K>a1 k>e8 R>d1 n>a8").marks("R-e1", Mark::Check);
    // An enemy piece may be attacked.
    after("unachess2", "K>a1 q>e8").legal("R>e1");
}

/// 4.1
#[test]
fn not_even_as_the_only_way_out_of_mate() {
    // Only a bishop on g1 or a knight could close the rank, and the bishop would aim at a7.
    fen("unachess2", "8/k7/8/8/8/8/6PP/r6K[B] w - -")
        .illegal(
            "B>g1",
            "a dropped piece may not attack the enemy king; the bishop on g1 would attack Black's king on a7",
        )
        .legal("B>f1 B>b1");
    fen("unachess2", "8/k7/8/8/8/8/6PP/5r1K[B] w - -").status("checkmate");
    fen("unachess", "8/k7/8/8/8/8/6PP/5r1K[B] w - -").status("ongoing");
}

/// 4.1 [R]
#[test]
fn dropping_the_king_may_uncover_what_others_attack() {
    after("unachess2", "R>e1 k>d8 R-e2 k-e8")
        .marks("K>a1", Mark::Check)
        .illegal(
            "R>e3",
            "a dropped piece may not attack the enemy king; the rook on e3 would attack Black's king on e8",
        );
}

/// 4.1
#[test]
fn castling_and_en_passant_are_always_off() {
    after("unachess2", "K>e1 k>e8 R>h1 r>a8").illegal("O-O", "Unachess II has no castling");
    after("unachess2", "K>h1 k>h8 P>e2 p>d5 N>a1 p-d4 P-e4")
        .illegal("pxe3ep", "Unachess II has no capture en passant");
    after("unachess2 no-double-step", "P>e2 p>e7").illegal(
        "Pe2-e4",
        "Unachess II with no-double-step has no double step of pawns: the pawn on e2 can't go to e4",
    );
    after("unachess2 pawns-1-4", "P>e1 p>e8")
        .legal("P-e2")
        .illegal(
            "P>a5",
            "White's pawns are placed on ranks 1, 2, 3 or 4, not on a5",
        );
}
