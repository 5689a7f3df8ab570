//! Rules that the games share: turns, real and virtual check, no capture before the king (docs/rules.md 1.1 to 1.8).

use parapost_rules::Mark;

use super::scene::{after, fen};

/// 1.1
#[test]
fn turns_alternate() {
    after("unachess", "P>e3")
        .illegal(
            "Pe3-e4",
            "the pawn on e3 is White's, and it is Black's turn",
        )
        .illegal("e3e4", "the pawn on e3 is White's, and it is Black's turn")
        .legal("p>e6");
    after("shogi", "").illegal("pc7-c6", "the pawn on c7 is Gote's, and it is Sente's turn");
}

/// 1.2
#[test]
fn a_pinned_piece_attacks_nonetheless() {
    fen("chess", "4k3/8/8/8/4b3/8/8/K3R3 w - -")
        .illegal(
            "K-b1",
            "Black's bishop on e4 attacks b1, so the king may not go there",
        )
        .legal("K-b2 Rxe4");
}

/// 1.3
#[test]
fn virtual_check_binds_nobody() {
    after("unachess", "R>a1 k>a5 P>h2")
        .legal("n>h8 k-a4 k-b5 p>a6")
        .play("k-a4")
        .marks("P-h4", Mark::Virtual)
        .marks("R-b1", Mark::None);
    // One may drop one's king into it, beside the queen.
    after("unachess", "Q>d4")
        .legal("k>d5")
        .marks("k>d5", Mark::None);

    after("unachess", "K>d5").marks("q>d4", Mark::Virtual);
}

/// 1.4
#[test]
fn the_own_king_is_not_left_in_real_check() {
    // A king in reserve needs no protection.
    after("unachess", "K>h2 r>a8 R>a1").legal("r-a2 r-b8");
    // Dropping the king on an attacked square: only where the other king is in reserve.
    after("unachess", "R>a1").legal("k>a8");
    after("unachess", "R>a1 p>h7 K>h1").illegal(
        "k>a8",
        "White's rook on a1 attacks a8, so the king may not be dropped there",
    );
    // Beside the other king never.
    after("unachess", "K>e4").illegal(
        "k>e5",
        "White's king on e4 attacks e5, so the king may not be dropped there",
    );
    // Dropping the king makes virtual check real.
    after("unachess", "R>a1 k>a8 P>h2 p>h7")
        .marks("K>h1", Mark::Check)
        .marks("P-h4", Mark::Virtual);
    // A pinned piece stays in its line.
    fen("chess", "4r1k1/8/8/8/8/8/4N3/4K3 w - -")
        .illegal(
            "N-c3",
            "Black's rook on e8 would then attack White's king on e1",
        )
        .illegal("K-e3", "the king on e1 reaches d1, d2, f1 and f2");
    // A check has to be met, by drops too.
    fen("unachess", "4r1k1/8/8/8/8/8/8/4K3[N] w - -")
        .legal("N>e2 K-d1")
        .illegal(
            "N>d4",
            "White is in check from Black's rook on e8, and this does not meet it",
        )
        .illegal(
            "K-e2",
            "Black's rook on e8 attacks e2, so the king may not go there",
        );
    // While one piece gives check, a piece pinned by another does not meet it.
    fen("chess", "4r1k1/8/8/8/7b/8/5N2/r3K3 w - -").illegal(
        "N-d1",
        "White is in check from Black's rook on a1 and Black's rook on e8, and this does not meet both",
    );
    fen("chess", "6k1/8/8/8/7b/8/5N2/r3K3 w - -").illegal(
        "N-d1",
        "Black's bishop on h4 would then attack White's king on e1",
    );
}

/// 1.5
#[test]
fn nobody_captures_before_the_own_king_is_placed() {
    after("unachess", "R>a1 r>a8")
        .illegal(
            "Rxa8",
            "White's king is still in reserve, so White may not capture",
        )
        .legal("R-a7")
        .play("K>h2")
        .illegal(
            "rxa1",
            "Black's king is still in reserve, so Black may not capture",
        );
    after("unachess", "R>a1 r>a8 K>h2 p>h7").legal("Rxa8");
    after("unashogi", "R>e1 p>e7").illegal(
        "Rxe7",
        "Sente's king is still in reserve, so Sente may not capture",
    );
    // En passant included.
    let double_step = "P>e2 p>d5 N>a1 p-d4 P-e4";
    after("unachess", double_step).illegal(
        "pxe3ep",
        "Black's king is still in reserve, so Black may not capture",
    );
    after("unachess", &format!("K>h1 k>h8 {double_step}")).legal("pxe3ep");
    // There is no duty to place it.
    after("unachess", "N>a1 n>a8 N-b3 n-b6 N-a1 n-a8").legal("N-b3 P>e4");
}

/// 1.6
#[test]
fn mate_is_mate_only_if_no_drop_helps() {
    let mate = fen("unachess", "k7/8/1K6/8/8/8/8/7R[] w - -").play("R-h8");
    mate.clone().status("checkmate").score("1-0");
    assert_eq!(mate.position().mark(), Mark::Mate);
    fen("unachess", "k7/8/1K6/8/8/8/8/7R[n] w - -")
        .play("R-h8")
        .status("ongoing")
        .legal("n>b8 n>e8")
        .illegal(
            "n>a7",
            "Black is in check from White's rook on h8, and this does not meet it",
        );
    // Virtual check mates nobody.
    fen("unachess", "k7/7R/8/8/8/8/8/6R1[K] w - -")
        .play("R-g8")
        .status("ongoing")
        .legal("k-b8");
}

/// 1.7
#[test]
fn stalemate_draws_in_chess_and_loses_in_shogi() {
    for game in ["chess", "unachess", "unachess2", "parachute"] {
        fen(game, "k7/2Q5/8/8/8/8/8/K7 b - -")
            .status("stalemate")
            .score("1/2-1/2");
    }
    fen("kingchess", "k7/2Q5/8/8/8/8/8/K7 b - -").status("stalemate");
    fen("newchess", "k7/2Q5/8/8/8/8/8/K7 b - -").status("stalemate");
    for game in ["shogi", "unashogi"] {
        fen(game, "k8/2G6/9/1N7/9/9/9/9/K8 b - -")
            .status("stalemate")
            .score("1-0");
        fen(game, "k8/9/9/9/9/1n7/9/2g6/K8 w - -").score("0-1");
    }
    // A drop is a move.
    fen("unachess", "k7/2Q5/8/8/8/8/8/K7[n] b - -").status("ongoing");
    fen("shogi", "k8/2G6/9/1N7/9/9/9/9/K8[p] b - -").status("ongoing");
    // Nor is it stalemate while only a virtual check keeps the king in.
    fen("unachess", "k7/2Q5/8/8/8/8/8/8[K] b - -")
        .status("ongoing")
        .legal("k-b8");
}

/// 1.8
#[test]
fn captured_pieces_leave_or_change_sides() {
    let chess = after("unachess", "K>a1 n>h8 R>h1 k>a8 Rxh8");
    assert!(
        chess
            .position()
            .fen()
            .contains("[RBBNNQPPPPPPPPrrbbnqpppppppp]")
    );
    let shogi = fen("shogi", "4k4/9/9/9/4+r4/9/9/4R4/4K4 w - -").play("Rxe5");
    assert!(shogi.position().fen().contains("[R]"));
    shogi.play("k-d9").legal("R>e9 R>a1").play("R>a1");
}
