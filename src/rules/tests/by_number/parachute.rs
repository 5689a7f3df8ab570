//! Parachute chess (docs/rules.md 5).

use parapost_rules::Mark;

use super::scene::{after, fen};

fn attacks(piece: &str, victim: &str) -> String {
    format!("a dropped piece may not attack an enemy piece; the {piece} would attack {victim}")
}

/// 5.1
#[test]
fn a_dropped_piece_may_not_attack_any_enemy_piece() {
    after("parachute", "P>e4")
        .legal("p>e5 q>a1 k>h1 n>e5")
        .illegal("p>d5", &attacks("pawn on d5", "White's pawn on e4"))
        .illegal("k>e5", &attacks("king on e5", "White's pawn on e4"))
        .illegal("q>e8", &attacks("queen on e8", "White's pawn on e4"))
        .illegal("n>f6", &attacks("knight on f6", "White's pawn on e4"))
        .illegal("b>b7", &attacks("bishop on b7", "White's pawn on e4"))
        .illegal("r>a4", &attacks("rook on a4", "White's pawn on e4"));
    // A piece behind another one is not attacked.
    after("parachute", "P>e4 p>e5")
        .legal("R>e1")
        .illegal("R>e8", &attacks("rook on e8", "Black's pawn on e5"));
    // A move may attack.
    after("parachute", "P>e4 q>h8 N>a1").legal("q-e8");
}

/// 5.1
#[test]
fn under_no_circumstance() {
    let rows = "7k/8/8/8/8/8/PP6/K6r";
    fen("parachute", &format!("{rows}[N] w - -"))
        .count(6)
        .legal("N>b1 N>g1");
    fen("parachute", &format!("{rows}[Q] w - -")).status("checkmate");
    fen("unachess2", &format!("{rows}[Q] w - -")).status("ongoing");
    // Also where the piece would be pinned, and where the own king is in reserve.
    fen("parachute", "7k/8/8/4r3/8/8/8/4K3[BR] w - -")
        .legal("B>e3")
        .illegal("R>e3", &attacks("rook on e3", "Black's rook on e5"));
    after("parachute", "N>a1 p>e5").illegal("R>e1", &attacks("rook on e1", "Black's pawn on e5"));
}

/// 5.1
#[test]
fn dropping_the_king_may_uncover_what_others_attack() {
    after("parachute", "R>e1 k>d8 R-e2 k-e8")
        .marks("K>a1", Mark::Check)
        .illegal("K>e7", &attacks("king on e7", "Black's king on e8"));
}

/// 5.1
#[test]
fn the_options_are_those_of_unachess_ii() {
    after("parachute no-double-step", "P>e2 p>e7").illegal(
        "Pe2-e4",
        "Parachute chess with no-double-step has no double step of pawns: the pawn on e2 can't go to e4",
    );
    after("parachute pawns-1-4", "").legal("P>e1");
    after("parachute", "K>e1 k>e8 R>h1 p>a7").illegal("O-O", "Parachute chess has no castling");
}
