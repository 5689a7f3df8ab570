//! Chess (docs/rules.md 2.1).

use super::scene::{after, fen};

/// 2.1
#[test]
fn pieces_go_as_in_chess() {
    after("chess", "")
        .count(20)
        .legal("P-e3 P-e4 N-f3 N-a3")
        .illegal("N-d2", "White's own pawn stands on d2")
        .illegal("Ng1-g3", "the knight on g1 reaches f3 and h3")
        .illegal(
            "N-d4",
            "the knight on b1 reaches a3 and c3; the knight on g1 reaches f3 and h3",
        )
        .illegal(
            "Ra1-a3",
            "White's pawn on a2 stands in the way of the rook on a1",
        )
        .illegal("Q-e3", "the queen on d1 has nowhere to go")
        .illegal("P-e5", "the pawn on e2 reaches e3 and e4")
        .illegal("Pe2xd3", "there is nothing to capture on d3")
        .illegal("P-e6", "the pawn on e2 reaches e3 and e4")
        .illegal("N>e4", "Chess has no drops")
        .illegal("G-e4", "there is no gold in Chess")
        .illegal(
            "R-i5",
            "there is no square i5 in Chess; they are named a1 to h8",
        )
        .illegal("R-7f", "in Chess squares are named a1 to h8");
}

/// 2.1
#[test]
fn pawns_of_chess() {
    fen("chess", "4k3/8/8/8/8/n3p3/PP2P3/4K3 w - -")
        .legal("P-b4 Pxa3 P-b3")
        .illegal(
            "P-e4",
            "Black's pawn on e3 stands in the way of the pawn on e2",
        )
        .illegal(
            "P-e3",
            "Black's pawn on e3 stands in the way of the pawn on e2",
        )
        .illegal(
            "P-a4",
            "Black's knight on a3 stands in the way of the pawn on a2",
        );
    fen("chess", "4k3/8/8/8/4p3/8/4P3/4K3 w - -").illegal(
        "P-e4",
        "Black's pawn on e4 stands in the way of the pawn on e2",
    );
    fen("chess", "4k3/8/8/8/8/4P3/8/4K3 w - -").illegal(
        "P-e5",
        "the pawn on e3 is not on its second rank, so it goes one square only",
    );
}

/// 2.1
#[test]
fn en_passant() {
    let scene = after("chess", "P-e4 n-f6 P-e5 p-d5")
        .legal("Pxd6ep")
        .illegal("Pxf6ep", "Pxf6ep is no capture en passant");
    // Only on the very next turn.
    scene.clone().play("P-a3 p-a6").illegal(
        "Pxd6ep",
        "the pawn on d5 did not come there by a double step on the turn before, so it can't be taken en passant",
    );
    // Nor if the pawn came by single steps.
    after("chess", "P-e4 p-d6 P-e5 n-f6 P-a3 p-d5").illegal(
        "exd6",
        "the pawn on d5 did not come there by a double step on the turn before, so it can't be taken en passant",
    );
    // Nor if it opens a line to the king.
    fen("chess", "7k/8/8/K2pP2r/8/8/8/8 w - d6").illegal(
        "Pxd6ep",
        "Black's rook on h5 would then attack White's king on a5",
    );
}

/// 2.1
#[test]
fn promotion() {
    fen("chess", "1n5k/P7/8/8/8/8/7p/K7 w - -")
        .legal("P-a8=Q P-a8=R P-a8=B P-a8=N Pxb8=Q")
        .illegal(
            "P-a8",
            "the pawn must become another piece: P-a8=Q, P-a8=R, P-a8=B or P-a8=N",
        )
        .illegal(
            "P-a8=K",
            "a pawn that reaches a8 becomes a queen, rook, bishop or knight",
        )
        .illegal("K-b2=Q", "a king does not promote")
        .play("K-b2")
        .legal("p-h1=q");
    fen("chess", "7k/8/P7/8/8/8/8/K7 w - -")
        .illegal("P-a7=Q", "a pawn promotes on the last rank, not on a7");
}

/// 2.1
#[test]
fn castling() {
    let home = "r3k2r/8/8/8/8/8/8/R3K2R w";
    fen("chess", &format!("{home} KQkq -"))
        .legal("O-O O-O-O")
        .play("K-e2 r-h7")
        .illegal("O-O", "to castle there White needs a king on e1")
        .play("K-e1")
        .illegal("o-o", "to castle there Black needs a rook on h8")
        .legal("O-O-O")
        .play("r-h8")
        .illegal("O-O", "White's king on e1 has moved, so it can't castle")
        .play("R-b1")
        .illegal("o-o", "Black's rook on h8 has moved, so it can't castle");
    fen("chess", &format!("{home} Qkq -"))
        .illegal("O-O", "White's rook on h1 has moved, so it can't castle");
    after("chess", "").illegal("O-O", "White's bishop on f1 stands between king and rook");
    for (position, why) in [
        (
            "4r3/2k5/8/8/8/8/8/R3K2R w KQ -",
            "White is in check, and nobody castles out of check",
        ),
        (
            "5r2/1k6/8/8/8/8/8/R3K2R w KQ -",
            "castling would take the king across f1, which Black's rook on f8 attacks",
        ),
        (
            "6r1/1k6/8/8/8/8/8/R3K2R w KQ -",
            "castling would take the king to g1, which Black's rook on g8 attacks",
        ),
    ] {
        fen("chess", position).illegal("O-O", why);
    }
    // The rook may be attacked, and cross an attacked square.
    fen("chess", "1r5k/8/8/8/8/8/7r/R3K3 w Q -").legal("O-O-O");
}

/// 2.1
#[test]
fn where_two_pawns_could_capture_nothing_is_there_to_capture() {
    fen("chess", "4k3/8/8/8/8/P1P5/8/4K3 w - -")
        .illegal("Pxb4ep", "there is nothing to capture on b4")
        .illegal("Pxb4", "there is nothing to capture on b4");
    fen("chess", "4k3/8/8/8/pPp5/8/8/4K3 b - -").illegal(
        "pxb3ep",
        "the pawn on b4 did not come there by a double step on the turn before, so it can't be taken en passant",
    );
    // One that could not capture there in any case is left out.
    fen("chess", "4k3/8/8/P7/8/2P5/8/4K3 w - -")
        .illegal("Pxb4ep", "there is nothing to capture on b4");
}
