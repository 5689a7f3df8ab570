//! Shogi (docs/rules.md 2.2).

use parapost_rules::Mark;

use super::scene::{after, fen};

/// 2.2
#[test]
fn pieces_go_as_in_shogi() {
    let scene = fen("shogi", "k8/9/9/9/2GSN+R+B2/9/4L4/4P4/K8 w - -");
    for (piece, reach) in [
        ("G", "the gold on c5 reaches b5, b6, c4, c6 and d6"),
        ("S", "the silver on d5 reaches c4, c6, d6, e4 and e6"),
        ("N", "the knight on e5 reaches d7 and f7"),
        ("L", "the lance on e3 reaches e4"),
    ] {
        scene.clone().illegal(&format!("{piece}-i1"), reach);
    }
    scene.clone().illegal(
        "L-e6",
        "Sente's knight on e5 stands in the way of the lance on e3",
    );
    scene.legal("+R-f9 +R-e4 +B-h5 +B-i7");
    fen("shogi", "k8/9/9/9/9/9/9/9/+P+L+N+SK4 w - -")
        .legal("+P-a2 +P-b2 +L-a2 +N-d2 +S-c2")
        .illegal("+P-b3", "the promoted pawn on a1 reaches a2 and b2")
        .illegal(
            "P-a2",
            "Sente has no pawn on the board; the promoted pawn is written +P",
        );
}

/// 2.2
#[test]
fn promotion_is_optional_where_the_piece_can_still_move() {
    fen("shogi", "4k4/9/9/R4S3/2P6/9/9/9/4K4 w - -")
        .legal("R-a7 R-a7=+R S-f7=+S S-f7")
        .illegal(
            "P-c6=+P",
            "Sente's pieces promote when their move begins or ends on ranks 7, 8 or 9, not from c5 to c6",
        )
        .illegal("K-d1=+K", "a king does not promote");
    // Leaving the zone promotes too.
    fen("shogi", "4k4/R8/9/9/9/9/9/9/4K4 w - -").legal("R-a3=+R R-a3");
    fen("shogi", "4k4/9/9/9/9/9/9/r8/4K4 b - -")
        .legal("r-a7=+r")
        .illegal("k-d8=+k", "a king does not promote");
    fen("shogi", "4k4/9/9/9/p8/9/9/9/4K4 b - -").illegal(
        "p-a4=+p",
        "Gote's pieces promote when their move begins or ends on ranks 1, 2 or 3, not from a5 to a4",
    );
    fen("shogi", "4k4/9/+P1G6/9/9/9/9/9/4K4 w - -")
        .illegal("+P-a8=+P", "the promoted pawn on a7 is promoted already")
        .illegal("G-c8=+G", "a gold does not promote");
}

/// 2.2
#[test]
fn promotion_is_forced_where_the_piece_could_never_move_again() {
    fen("shogi", "4k4/P8/1NL6/3N5/9/9/9/9/4K4 w - -")
        .legal("P-a9=+P L-c9=+L L-c8 L-c8=+L N-e8=+N N-a9=+N")
        .illegal(
            "P-a9=",
            "a pawn that reaches a9 must promote: it could never move again",
        )
        .illegal(
            "L-c9=",
            "a lance that reaches c9 must promote: it could never move again",
        )
        .illegal(
            "N-e8=",
            "a knight that reaches e8 must promote: it could never move again",
        );
}

/// 2.2
#[test]
fn no_drop_where_the_piece_could_never_move() {
    fen("shogi", "4k4/9/9/9/9/9/9/9/4K4[PLNpln] w - -")
        .legal("P>a8 L>a8 N>a7 L>a1")
        .illegal("P>a9", "a pawn dropped on a9 could never move")
        .illegal("L>a9", "a lance dropped on a9 could never move")
        .illegal("N>a9", "a knight dropped on a9 could never move")
        .illegal("N>a8", "a knight dropped on a8 could never move")
        .illegal("S>a8", "Sente has no silver in reserve")
        .illegal("K>a8", "in Shogi no king is ever in reserve")
        .illegal("Q>a8", "there is no queen in Shogi")
        .illegal("P>e9", "e9 is not empty: Gote's king stands there")
        .play("K-d1")
        .legal("p>a2 n>a3")
        .illegal("p>a1", "a pawn dropped on a1 could never move")
        .illegal("n>a2", "a knight dropped on a2 could never move");
}

/// 2.2
#[test]
fn no_second_unpromoted_pawn_on_a_file() {
    fen("shogi", "4k4/9/9/9/9/9/P1+P6/9/4K4[P] w - -")
        .legal("P>c5 P>b2")
        .illegal(
            "P>a6",
            "Sente already has an unpromoted pawn on the a-file, and may not drop a second there",
        );
}

/// 2.2
#[test]
fn no_mate_by_a_dropped_pawn() {
    let mate = "3lkl3/9/4G4/9/9/9/9/9/4K4";
    fen("shogi", &format!("{mate}[PG] w - -"))
        .illegal(
            "P>e8",
            "a dropped pawn may not give checkmate, as it would on e8",
        )
        .marks("G>e8", Mark::Mate);
    // A pawn on the board may, and a dropped one may give check.
    fen("shogi", "3lkl3/9/4P4/4G4/9/9/9/9/4K4 w - -").legal("P-e8");
    fen("shogi", "3lkl3/r8/4G4/9/9/9/9/9/4K4[P] w - -").marks("P>e8", Mark::Check);
    // Nor Gote's.
    fen("shogi", "4k4/9/9/9/9/9/4g4/9/3LKL3[p] b - -").illegal(
        "p>e2",
        "a dropped pawn may not give checkmate, as it would on e2",
    );
}

/// 2.2
#[test]
fn captured_pieces_change_sides_unpromoted() {
    after("shogi", "P-c4 p-g6 Bxh8=+B").illegal("b>e5", "Gote has no bishop in reserve");
    let taken = fen("shogi", "4k4/9/9/9/4+p4/4R4/9/9/4K4 w - -").play("Rxe5");
    assert!(taken.position().fen().contains("[P]"));
}
