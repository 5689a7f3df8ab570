//! Ends that come by themselves, and their order (docs/rules.md 1.9, 1.12, 1.13).

use super::scene::{Scene, after, fen};

/// Plays so many half-moves in which the kings walk in circles of eight and of seven squares, so that no position comes
/// back before 112 of them.
fn quiet(mut scene: Scene, half_moves: usize) -> Scene {
    let white = [
        "K-a2", "K-a3", "K-b3", "K-c3", "K-c2", "K-c1", "K-b1", "K-a1",
    ];
    let black = ["k-g8", "k-f8", "k-f7", "k-g6", "k-h6", "k-h7", "k-h8"];
    for half_move in 0..half_moves {
        let turn = half_move / 2;
        let text = if half_move % 2 == 0 {
            white[turn % white.len()]
        } else {
            black[turn % black.len()]
        };
        scene = scene.play(text);
    }
    scene
}

/// 1.9
#[test]
fn dead_positions() {
    for (position, dead) in [
        ("k7/8/8/8/8/8/8/K7", true),
        ("k7/8/8/8/8/8/8/KN6", true),
        ("k7/b7/8/8/8/8/8/K7", true),
        ("k7/n7/8/8/8/8/8/KN6", false),
        ("k7/8/8/8/8/8/8/KNN5", false),
        ("k7/8/8/8/8/8/b7/KB6", true),
        ("k1b5/8/8/8/8/8/b7/KB6", true),
        ("k7/8/8/8/8/8/b7/K1B5", false),
        ("k7/8/8/8/8/8/P7/K7", false),
        ("k7/8/8/8/8/8/8/KR6", false),
    ] {
        for game in [
            "chess",
            "unachess",
            "unachess2",
            "parachute",
            "kingchess",
            "newchess",
        ] {
            let scene = fen(game, &format!("{position} w - -"));
            scene.status(if dead { "draw-dead" } else { "ongoing" });
        }
    }
    fen("unachess", "k7/8/8/8/8/8/8/K7[n] w - -").status("ongoing");
    fen("unachess", "8/8/8/8/8/8/8/K7[k] w - -").status("ongoing");
    fen("shogi", "4k4/9/9/9/9/9/9/9/4K4 w - -").status("ongoing");
}

/// 1.9 [R]
#[test]
fn a_drop_starts_the_count_of_moves_anew() {
    let start = "6qk/8/8/8/8/8/P7/K5Q1";
    let scene = fen("unachess", &format!("{start}[N] w - - 99 60"));
    scene.clone().claim("");
    scene
        .clone()
        .play("Q-f1")
        .claim("50 moves without a pawn move, a capture or a drop");
    scene.clone().play("N>e4").claim("");
    scene.clone().play("P-a3").claim("");
    scene.play("Qxg8").claim("");
    fen("newchess", &format!("{start}[N] w - - 99 60"))
        .play("N>a2/b2")
        .claim("");
    fen("kingchess", &format!("{start}[NN] w - - 99 60"))
        .play("N>a3,N>b1")
        .claim("");
}

/// 1.9
#[test]
fn fifty_moves_may_be_claimed_and_seventy_five_draw() {
    let start = fen("unachess", "7k/8/8/8/8/8/8/K2R4[] w - - 0 1");
    let fifty = quiet(start.clone(), 99);
    fifty.clone().claim("");
    let fifty = quiet(start.clone(), 100);
    fifty
        .status("ongoing")
        .claim("50 moves without a pawn move, a capture or a drop");
    quiet(start.clone(), 149).status("ongoing");
    quiet(start, 150)
        .status("draw-75")
        .score("1/2-1/2")
        .claim("");
}

/// 1.9
#[test]
fn castling_is_a_move_like_others_in_the_count_of_75() {
    for (game, castles) in [
        ("chess", "4k3/p7/8/8/8/8/P7/4K2R w K -"),
        ("unachess", "4k3/p7/8/8/8/8/P7/4K2R[] w K -"),
        ("kingchess", "4k3/p7/8/8/8/8/P7/4K2R[] w K -"),
    ] {
        let at = |count: u32| fen(game, &format!("{castles} {count} 100"));
        at(148)
            .play("O-O")
            .status("ongoing")
            .play("k-d8")
            .status("draw-75");
        at(149).play("O-O").status("draw-75").score("1/2-1/2");
        at(99)
            .play("O-O")
            .claim("50 moves without a pawn move, a capture or a drop");
    }
    // Mate by castling comes first.
    fen("chess", "4rkr1/4p1p1/4P1P1/8/8/8/8/4K2R w K - 149 100")
        .play("O-O")
        .status("checkmate");
}

/// 1.12
#[test]
fn several_ends_at_once() {
    // Mate on the move that makes it 75.
    fen("chess", "k7/8/1K6/8/8/8/8/7R w - - 149 100")
        .play("R-h8")
        .status("checkmate")
        .score("1-0");
    // Stalemate before 75 moves.
    fen("chess", "k7/8/8/2Q5/8/8/8/K7 w - - 149 100")
        .play("Q-c7")
        .status("stalemate");
    // Stalemate before a dead position, and that before 75 moves.
    fen("chess", "k7/2B5/1p6/K7/8/8/8/8 w - - 149 100")
        .play("Kxb6")
        .status("stalemate");
    fen("chess", "k7/8/8/1p6/K7/8/8/8 w - - 149 100")
        .play("Kxb5")
        .status("draw-dead");
    // A dead position before 75 moves.
    fen("chess", "k7/8/8/8/8/8/8/K7 w - - 150 100").status("draw-dead");
    // The fifth occurrence before 75 moves.
    let to_and_fro = "N-f3 n-f6 N-g1 n-g8 ".repeat(4);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 134 100";
    fen("chess", start)
        .play(&to_and_fro)
        .status("draw-fivefold");
    let later = start.replace("134", "135");
    let earlier = to_and_fro
        .trim_end()
        .strip_suffix(" n-g8")
        .expect("the last move");
    fen("chess", &later).play(earlier).status("draw-75");
}

/// 1.13
#[test]
fn after_the_end_no_move_is_legal() {
    fen("unachess", "k7/8/8/8/8/8/8/KN6[] w - -")
        .over("K-a2", "the game is over: too little material for any mate");
    let five = "N-f3 n-f6 N-g1 n-g8 ".repeat(4);
    after("chess", &five).over(
        "P-e4",
        "the game is over: the fifth occurrence of the position",
    );
    fen("chess", "7k/8/8/8/8/8/8/K5R1 w - - 150 100").over(
        "R-g2",
        "the game is over: 75 moves without a pawn move, a capture or a drop",
    );
    fen("chess", "k6R/8/1K6/8/8/8/8/8 b - -")
        .status("checkmate")
        .illegal(
            "k-a7",
            "White's king on b6 attacks a7, so the king may not go there",
        );
}
