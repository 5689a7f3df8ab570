//! Published perft numbers, and numbers computed by other programs.

use super::{assert_perft, set_up};
use crate::slow::Slow;
use crate::slow::board::Side;

#[test]
fn perft_of_unachess() {
    assert_perft(&Slow::start("unachess", &[]), &[344, 116_076]);
}

#[test]
fn perft_of_unachess_with_pawns_from_the_first_rank() {
    assert_perft(&Slow::start("unachess", &["pawns-1-4"]), &[352, 121_564]);
}

#[test]
fn perft_of_unachess_2() {
    assert_perft(&Slow::start("unachess2", &[]), &[344, 112_786]);
}

#[test]
fn perft_of_parachute() {
    assert_perft(&Slow::start("parachute", &[]), &[344, 96_496]);
}

#[test]
fn perft_of_unashogi() {
    assert_perft(&Slow::start("unashogi", &[]), &[612, 369_392]);
}

#[test]
fn perft_of_new_chess() {
    assert_perft(&Slow::start("newchess", &[]), &[622, 386_880]);
}

#[test]
fn perft_of_new_chess_with_rooks_placed() {
    assert_perft(&Slow::start("newchess", &["rooks-placed"]), &[472, 222_780]);
}

#[test]
fn perft_of_chess() {
    assert_perft(&Slow::start("chess", &[]), &[20, 400, 8902]);
}

/// The well-known test positions of chess programs.
#[test]
fn perft_of_chess_positions() {
    let rows = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R";
    assert_perft(
        &set_up("chess", rows, "", Side::First, "a1 e1 h1 a8 e8 h8"),
        &[48, 2039],
    );
    assert_perft(
        &set_up(
            "chess",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8",
            "",
            Side::First,
            "",
        ),
        &[14, 191, 2812],
    );
    let rows = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1";
    assert_perft(
        &set_up("chess", rows, "", Side::First, "a8 e8 h8"),
        &[6, 264, 9467],
    );
}

#[test]
fn perft_of_shogi() {
    assert_perft(&Slow::start("shogi", &[]), &[30, 900, 25_470]);
}

/// Two well-known test positions of shogi programs: a middle game, and the position with the most moves.
#[test]
fn perft_of_shogi_positions() {
    let rows = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL";
    assert_perft(
        &set_up("shogi", rows, "RGgsnppppp", Side::Second, ""),
        &[207, 28_684],
    );
    let rows = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3";
    assert_perft(
        &set_up(
            "shogi",
            rows,
            "RBGSNLPgggnnnppppppppppppppppp",
            Side::First,
            "",
        ),
        &[593, 105_677],
    );
}
