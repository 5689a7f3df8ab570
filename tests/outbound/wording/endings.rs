//! The mails that end a match, in each way a match can end.

use super::{Desk, SAMPLES, sample, snapshot, split_last};

/// Chess until nothing is left but the kings and a bishop.
const DEAD: &str = "\
    P-f3 p-c5 P-c3 p-f6 P-e3 p-g5 K-e2 p-f5 P-c4 b-h6 P-b4 pxb4 P-f4 pxf4 Pxf4 bxf4 P-h3 bxd2 \
    Kxd2 n-f6 P-a4 pxa3ep Bxa3 p-a5 Bxe7 qxe7 Rxa5 rxa5 B-d3 k-f8 Bxf5 rxf5 Q-e2 qxe2 Kxe2 \
    p-d6 P-h4 n-e8 N-f3 rxf3 Pxf3 k-g8 N-a3 k-f8 R-e1 n-a6 P-c5 pxc5 R-g1 n-b4 K-e1 k-f7 P-h5 \
    n-f6 N-b1 nxh5 R-g5 k-e7 Rxh5 b-d7 Rxh7 rxh7 K-f2 r-f7 K-e3 rxf3 Kxf3 n-c2 N-a3 nxa3 K-e4 \
    n-b5 K-d5 b-e8 Kxc5 p-b6 Kxb6 n-d4 K-a5 k-d7 K-a6 k-c6 K-a7 b-g6 K-a8 n-b3 K-b8 b-e8 K-a7 \
    k-d7 K-b8 n-a5 K-a7 k-c7 K-a6 k-c6 Kxa5";

/// Chess, 150 half-moves of knights and rooks without a position that comes back five times.
const QUIET: &str = "\
    N-c3 n-f6 N-b1 n-g8 N-a3 n-c6 R-b1 n-h6 N-h3 r-b8 R-a1 r-g8 N-g1 r-a8 R-b1 r-b8 N-h3 r-h8 \
    R-a1 r-g8 N-g1 r-h8 N-b1 n-g8 N-c3 n-h6 R-b1 r-a8 R-a1 n-g8 R-b1 n-f6 R-a1 n-b8 N-h3 n-c6 \
    R-b1 n-g8 R-g1 n-b8 R-a1 n-f6 R-h1 n-g8 R-g1 n-f6 N-b1 n-a6 N-a3 n-b8 N-b1 n-a6 N-c3 r-b8 \
    N-b1 r-a8 R-h1 n-g8 R-g1 n-h6 N-c3 n-b8 R-h1 n-a6 R-g1 n-g8 R-b1 n-f6 R-h1 r-b8 R-g1 r-g8 \
    R-a1 r-a8 R-h1 r-h8 R-g1 n-b8 N-b1 n-g8 R-h1 n-h6 N-c3 n-c6 R-b1 n-g8 R-g1 n-b8 R-a1 n-h6 \
    R-b1 n-g8 R-a1 n-f6 R-h1 n-c6 R-g1 r-g8 R-h1 n-b8 R-g1 n-a6 R-h1 r-h8 N-g1 r-g8 N-h3 n-b8 \
    N-b1 r-h8 N-c3 n-c6 R-g1 r-g8 R-h1 r-h8 N-g1 n-g8 N-h3 n-h6 N-g1 n-b8 N-h3 n-c6 R-b1 n-g8 \
    R-g1 n-b8 R-h1 n-h6 R-g1 n-c6 R-h1 r-g8 R-a1 n-b8 R-b1 n-a6 N-g1 r-h8 R-a1 r-b8 N-b1 r-a8 \
    N-h3 r-b8 N-a3 r-a8 N-g1 n-g8";

/// Chess, stalemate in ten moves.
const STALEMATE: &str = "\
    P-e3 p-a5 Q-h5 r-a6 Qxa5 p-h5 P-h4 ra-h6 Qxc7 p-f6 Qxd7 k-f7 Qxb7 q-d3 Qxb8 q-h7 Qxc8 k-g6 \
    Q-e6";

const TO_AND_FRO: &str = "N-f3 n-f6 N-g1 n-g8 ";

/// The mail of the last of these moves.
fn last_move(name: &str, game: &str, moves: &str) {
    let (before, last) = split_last(moves);
    let is_first = before.split_whitespace().count().is_multiple_of(2);
    let desk = Desk::of(if is_first { "anna" } else { "ben" });
    desk.begin(game, before);
    snapshot(name, &desk.run(&["move", "m", last, "--print"]));
}

#[test]
fn every_game_ends_in_checkmate() {
    for game in SAMPLES {
        last_move(
            &format!("end-checkmate-{game}"),
            game,
            &sample(game).join(" "),
        );
    }
}

#[test]
fn the_rules_end_a_match() {
    let cycles = |times| TO_AND_FRO.repeat(times);
    last_move("end-stalemate", "chess", STALEMATE);
    last_move("end-dead", "chess", DEAD);
    last_move("end-75-moves", "chess", QUIET);
    last_move("end-fifth-occurrence", "chess", &cycles(4));
    let rooks = "R-g2 r-c8 R-h2 r-b8 ".repeat(3);
    last_move("end-fourth-occurrence", "shogi", &rooks);
    let checks = "k-d9 R-d5 k-e9 R-e5 ".repeat(3);
    let perpetual = format!("K>a1 k>e9 R>e5 {checks}");
    last_move("end-perpetual-check", "unashogi", &perpetual);
}

#[test]
fn players_end_a_match() {
    let desk = Desk::of("anna");
    desk.begin("unachess", "P>e3 n>g5");
    snapshot("end-resign", &desk.run(&["resign", "m", "--print"]));

    let desk = Desk::of("ben");
    desk.begin("shogi", "P-c4");
    snapshot("end-resign-gote", &desk.run(&["resign", "m", "--print"]));

    let desk = Desk::of("anna");
    desk.begin("unachess", "P>e3");
    desk.receive("ben", "offer draw\n");
    snapshot(
        "end-agreement",
        &desk.run(&["draw", "accept", "m", "--print"]),
    );
}

#[test]
fn a_draw_is_claimed() {
    let desk = Desk::of("anna");
    desk.begin("chess", &TO_AND_FRO.repeat(2));
    snapshot(
        "end-claim-third-occurrence",
        &desk.run(&["draw", "claim", "m", "--print"]),
    );

    let fifty: Vec<&str> = QUIET.split_whitespace().take(100).collect();
    let desk = Desk::of("anna");
    desk.begin("chess", &fifty.join(" "));
    snapshot(
        "end-claim-50-moves",
        &desk.run(&["draw", "claim", "m", "--print"]),
    );
}
