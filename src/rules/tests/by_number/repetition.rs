//! Positions that are the same as before, and their consequences (docs/rules.md 1.9, 1.10, 1.12).

use parapost_rules::game::{Draws, Kind, Slide};
use parapost_rules::{Game, Mark, Role, Variant, games};

use super::scene::{Scene, after, fen};

const THIRD: &str = "the third occurrence of the position";

/// Plays the moves, which lead back, so often.
fn often(scene: Scene, moves: &str, times: usize) -> Scene {
    scene.play(&format!("{moves} ").repeat(times))
}

/// 1.9
#[test]
fn the_third_occurrence_may_be_claimed_and_the_fifth_draws() {
    let moves = "N-f3 n-f6 N-g1 n-g8";
    let start = after("chess", "");
    often(start.clone(), moves, 1).claim("");
    often(start.clone(), moves, 2)
        .claim(THIRD)
        .status("ongoing");
    often(start.clone(), moves, 3)
        .claim(THIRD)
        .status("ongoing");
    often(start.clone(), moves, 4)
        .status("draw-fivefold")
        .score("1/2-1/2")
        .claim("");
    // The same squares with the other player to move are another position.
    fen("chess", "7k/8/8/8/8/8/8/K5R1 w - -")
        .play("R-g2 k-h7 R-g3 k-h8 R-g1 k-h7 R-g2 k-h8 R-g1")
        .claim("");
}

/// 1.9
#[test]
fn reserves_are_part_of_a_position() {
    let moves = "N-b3 n-b6 N-a1 n-a8";
    let scene = often(after("unachess", "N>a1 n>a8"), moves, 1);
    often(scene.clone(), moves, 1).claim(THIRD);
    often(scene.play("P>e2 p>e7"), moves, 1).claim("");
}

/// 1.9
#[test]
fn initial_double_steps_are_part_of_a_position() {
    // The pawn on e2 came from e1 and has no double step, or was dropped there and has one.
    let moves = "N-b3 n-b6 N-a1 n-a8";
    let walked = after("unachess pawns-1-4", "N>a1 n>a8 P>e1 p>e8 P-e2 p-e7");
    walked.clone().illegal(
        "Pe2-e4",
        "the pawn on e2 was not dropped there, so it has no double step",
    );
    often(walked, moves, 2).claim(THIRD);
    often(after("unachess pawns-1-4", "N>a1 n>a8 P>e2 p>e7"), moves, 2)
        .claim(THIRD)
        .legal("P-e4");
}

/// 1.9
#[test]
fn en_passant_counts_only_where_it_could_be_played() {
    let around = "k-d8 K-d1 k-e8 K-e1";
    // d4 could take en passant the first time: that was another position.
    let could = fen("chess", "4k3/8/8/8/3p4/8/4P3/4K3 w - -").play("P-e4");
    often(could.clone(), around, 2).claim("");
    often(could, around, 3).claim(THIRD);
    // No pawn beside it; one that is pinned; one whose king is in reserve.
    let none = fen("chess", "4k3/8/8/3p4/8/8/4P3/4K3 w - -").play("P-e4");
    often(none, around, 2).claim(THIRD);
    let pinned = fen("chess", "8/8/8/8/k2p3R/8/4P3/4K3 w - -").play("P-e4");
    often(pinned, "k-a5 K-d1 k-a4 K-e1", 2).claim(THIRD);
    let reserved = fen("unachess", "8/8/8/8/3p4/8/4P3/n3K3[k] w - -").play("P-e4");
    often(reserved, "n-b3 K-d1 n-a1 K-e1", 2).claim(THIRD);
}

/// 1.12
#[test]
fn castling_rights_that_a_drop_can_still_create_count() {
    let rook = "R-h2 k-d8 R-h1 k-e8";
    let king = "K-e2 k-d8 K-e1 k-e8";
    for (game, position, moves, lost) in [
        // The rook had its right, and has lost it by moving.
        ("unachess", "4k3/8/8/8/8/8/8/4K2R[] w K -", rook, true),
        ("unachess", "4k3/8/8/8/8/8/8/4K2R[] w - -", rook, false),
        (
            "unachess no-castling-no-ep",
            "4k3/8/8/8/8/8/8/4K2R[] w - -",
            rook,
            false,
        ),
        // A rook in reserve could have joined the unmoved king; a knight could not.
        ("unachess", "4k3/8/8/8/8/8/8/4K2Q[R] w E -", king, true),
        ("unachess", "4k3/8/8/8/8/8/8/4K2Q[N] w - -", king, false),
        // A king in reserve could have joined the unmoved rook.
        ("unachess", "4k3/8/8/8/8/8/8/7R[K] w H -", rook, true),
        ("unachess", "4k3/8/8/8/8/8/8/7R[K] w - -", rook, false),
        ("newchess", "4k3/8/8/8/8/8/8/4K2Q[R] w E -", king, true),
        ("kingchess", "4k3/8/8/8/8/8/8/4K2Q[R] w E -", king, true),
        (
            "kingchess no-castling",
            "4k3/8/8/8/8/8/8/4K2Q[R] w - -",
            king,
            false,
        ),
    ] {
        let start = fen(game, position);
        let claim = if lost { "" } else { THIRD };
        often(start.clone(), moves, 2).claim(claim);
        often(start, moves, 3).claim(THIRD);
    }
    // An unmoved king without any rook has no right to lose.
    let start = fen("unachess", "4k3/8/8/8/8/8/8/4K2Q[R] w E -").play("R>a1 k-d8 R-a2 k-e8");
    often(start, "K-e2 k-d8 K-e1 k-e8", 2).claim(THIRD);
}

/// 1.12
#[test]
fn a_second_rook_in_reserve_keeps_the_right_of_an_unmoved_king() {
    // The rook on h1 loses its right by moving; the king keeps the one that the rook in reserve can create.
    let start = fen("unachess", "4k3/8/8/8/8/8/8/4K2R[R] w KE -");
    let rook = "R-h2 k-d8 R-h1 k-e8";
    often(start.clone(), rook, 2).claim("");
    often(start.clone(), rook, 3).claim(THIRD);
    start.clone().legal("O-O");
    often(start.clone(), rook, 1)
        .illegal("O-O", "White's rook on h1 has moved, so it can't castle");
    often(start.clone(), rook, 1)
        .play("R>a1 k-d8")
        .legal("O-O-O");
    // The king's move loses both: from then on the position is another.
    let king = "K-e2 k-d8 K-e1 k-e8";
    let after_rook = often(start, rook, 1);
    often(after_rook.clone(), king, 2).claim("");
    often(after_rook, king, 3).claim(THIRD);
    // A moved king has no right that a second rook could create.
    let moved = fen("unachess", "4k3/8/8/8/8/8/8/4K2R[R] w - -");
    often(moved.clone(), rook, 2).claim(THIRD);
    often(moved, king, 2).claim(THIRD);
}

/// 1.9
#[test]
fn the_colour_of_a_bishop_dropped_is_remembered() {
    // One bishop in reserve, the other gone from a light or from a dark square: the drops differ.
    after("newchess", "B>c4 p-d5 P-a3 pxc4")
        .legal("B>e3")
        .illegal(
            "B>e4",
            "White's first bishop was dropped on a light square; the second goes on the other colour, and e4 is light",
        );
}

/// 1.12
#[test]
fn a_claim_is_judged_before_the_claimant_moves() {
    let moves = "N-f3 n-f6 N-g1 n-g8";
    let scene = often(after("chess", ""), moves, 1);
    // The next move would make the third occurrence; it has to be made first.
    scene.clone().play("N-f3 n-f6 N-g1").claim("");
    scene.play(moves).claim(THIRD);
}

/// 1.10
#[test]
fn the_fourth_occurrence_draws_in_shogi() {
    let moves = "R-g2 r-c8 R-h2 r-b8";
    let start = after("shogi", "");
    often(start.clone(), moves, 2).status("ongoing").claim("");
    often(start, moves, 3)
        .status("draw-fourfold")
        .score("1/2-1/2");
    let reserve = after("unashogi", "G>a1 g>a9");
    often(reserve, "G-a2 g-a8 G-a1 g-a9", 3).status("draw-fourfold");
}

/// 1.10
#[test]
fn perpetual_check_loses() {
    let start = fen("shogi", "4k4/9/9/9/4R4/9/9/9/K8 b - -");
    let checks = "k-d9 R-d5 k-e9 R-e5";
    often(start.clone(), checks, 2).status("ongoing");
    often(start.clone(), checks, 3)
        .status("loss-perpetual")
        .score("0-1");
    // One quiet move among them, and it is a draw.
    often(start.clone(), checks, 2)
        .play("k-d9 R-f5 k-e9 R-e5")
        .status("draw-fourfold");
    // The quiet move before the first of the four does not count.
    let later = fen("shogi", "4k4/9/9/9/5R3/9/9/9/K8 w - -").play("R-e5");
    often(later, checks, 3).status("loss-perpetual");
    // Gote's checks lose as well.
    let gote = fen("shogi", "k8/9/9/9/4r4/9/9/9/4K4 w - -");
    often(gote, "K-d1 r-d5 K-e1 r-e5", 3)
        .status("loss-perpetual")
        .score("1-0");
    // The fourth occurrence may come on the move of the one who is checked.
    let evaded = fen("shogi", "3k5/9/9/9/4R4/9/9/9/K8 w - -");
    often(evaded, "R-d5 k-e9 R-e5 k-d9", 3)
        .status("loss-perpetual")
        .score("0-1");
    // Virtual checks are no checks.
    let aimed = fen("unashogi", "4k4/9/9/9/4R4/9/9/9/9[K] b - -");
    often(aimed, checks, 3).status("draw-fourfold");
}

/// 1.10 [R]
#[test]
fn where_both_gave_check_all_the_time_it_is_a_draw() {
    // Kings that leap two squares step out of check and uncover one, all four of them in turn; kings of shogi cannot.
    const LEAPING: &[Kind] = &[
        Kind {
            role: Role::King,
            steps: &[(0, 2), (0, -2)],
            slides: &[],
        },
        Kind {
            role: Role::Rook,
            steps: &[],
            slides: &[Slide::Orthogonal],
        },
        Kind {
            role: Role::Bishop,
            steps: &[],
            slides: &[Slide::Diagonal],
        },
    ];
    let game = Game {
        id: "leaping",
        rules: games::CHESS_RULES
            .with_kinds(LEAPING)
            .with_start("8/8/8/4b3/R7/8/RK1k4/4b3")
            .with_castling(false)
            .with_draws(Draws::Shogi),
        ..games::CHESS.clone()
    };
    let variant = Variant::new(&game, &[]).expect("a game without options");
    let start = Scene::of(&variant);
    let mut scene = start.clone();
    for text in ["K-b4", "k-d4", "K-b2", "k-d2"] {
        scene = scene.marks(text, Mark::Check).play(text);
    }
    often(start, "K-b4 k-d4 K-b2 k-d2", 3)
        .status("draw-fourfold")
        .score("1/2-1/2");
}

/// 1.10
#[test]
fn shogi_has_no_count_of_moves_and_no_claim() {
    fen("shogi", "4k4/9/9/9/9/9/9/9/4K4 w - - 400 300")
        .status("ongoing")
        .claim("");
}
