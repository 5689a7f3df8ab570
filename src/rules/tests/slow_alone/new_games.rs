//! New Chess and Kingchess: docs/rules.md 7 and 8.

use super::{after, assert_moves, play, set_up};
use crate::slow::Slow;
use crate::slow::board::Side;

/// docs/rules.md 7.1 to 7.5.
#[test]
fn new_chess() {
    let slow = Slow::start("newchess", &[]);
    let legal = "N>d2/c4 N>d2/d3 B>e2/a3 Q>h2/e4 N>e4 R>a1 Pe2-e4 Ke1-d1";
    assert_moves(
        &slow,
        legal,
        "N>d2/d2 N>d2/c5 N>d2/c1 N>d2/c2 N>e5 N>d2 N>d7 P>e4 O-O",
    );
    let slow = after(
        "newchess",
        &[],
        "Pe2-e4 pa7-a6 Pe4-e5 pa6-a5 N>e5/e2 pd7-d5",
    );
    assert_moves(&slow, "Pe2-e4 N>e2/d4 Ne5xf7", "N>e5/d4 Pe2-e5");
    // A double step after the relocation can be taken en passant.
    let mut slow = set_up("newchess", "4k3/8/8/8/2p5/8/P7/4K3", "N", Side::First, "");
    play(&mut slow, "N>a2/d2 ke8-e7 Pd2-d4");
    assert_moves(&slow, "pc4xd3ep", "");
    // Relocation from an advanced rank, for Black too.
    let slow = set_up("newchess", "4k3/8/8/8/8/8/p7/4K3", "n", Side::Second, "");
    assert_moves(&slow, "n>a2/h7 n>a2/a5 n>e5", "n>a2/a8 n>a2/a4 n>e4");
    // Not in check, though it would close the line; a plain drop may.
    let slow = set_up("newchess", "4k3/8/8/8/7b/8/6P1/4K3", "N", Side::First, "");
    assert_moves(&slow, "N>f2 N>g3", "N>g2/g3 N>g2/a2 N>a1");
}

/// docs/rules.md 7.3: the colour counts even after the bishop has been taken, and for relocations.
#[test]
fn bishops_of_new_chess() {
    let slow = after("newchess", &[], "B>c4 pd7-d5 Pa2-a3 pd5xc4");
    assert_moves(&slow, "B>e3 B>f2/f4 B>c1", "B>d3 B>e4 B>e2/e3 B>f1");
    let slow = after("newchess", &[], "B>c4 b>c5");
    assert_moves(&slow, "B>e3", "B>d3");
    let slow = after("newchess", &[], "B>e2/e3 b>e7/e6 Pa2-a3");
    assert_moves(&slow, "b>d7/d6", "b>c7/c6 b>d6");
}

/// docs/rules.md 7.5.
#[test]
fn castling_in_new_chess() {
    assert_moves(&Slow::start("newchess", &["rooks-placed"]), "O-O O-O-O", "");
    let slow = after("newchess", &[], "R>h1 r>a8 Ke1-d1");
    assert_moves(&slow, "O-O-O", "O-O");
    let slow = after("newchess", &[], "R>h1 r>a8");
    assert_moves(&slow, "O-O", "O-O-O");
    let slow = after("newchess", &["rooks-placed"], "Rh1-g1 ke8-d8 Rg1-h1 kd8-e8");
    assert_moves(&slow, "O-O-O", "O-O");
}

/// docs/rules.md 8.1 to 8.3.
#[test]
fn placements_of_kingchess() {
    let mut slow = Slow::start("kingchess", &[]);
    assert_eq!(slow.moves().len(), 32);
    assert_moves(&slow, "K>a1 K>h4", "K>a5 Q>d1 P>e2");
    play(
        &mut slow,
        "K>b1,B>b2,P>b3,P>c2,P>f4,P>g4 k>b8,b>b7,p>b6,p>c7,p>f6,p>g5",
    );
    assert!(slow.diagram().starts_with(
        ".k......\n.bp.....\n.p...p..\n......p.\n.....PP.\n.P......\n.BP.....\n.K......\n"
    ));
    assert_moves(
        &slow,
        "N>c3 Pf4xg5 Pc2-c4 Q>e4 P>e4 B>a4 B>d1",
        "P>e1 N>e5 B>b4 B>c1 Pb3-b5",
    );
    // The number of all sets: a knight anywhere, a pawn off the first rank, or both on different squares.
    let pair = set_up("kingchess", "4k3/8/8/8/8/8/8/4K3", "NP", Side::First, "");
    assert_eq!(pair.placements().len(), 31 + 24 + 24 * 30);
    assert_eq!(pair.perft(1), 5 + 31 + 24 + 24 * 30);
    assert_eq!(pair.moves().len(), 5 + 31 + 24);
    // Two of a kind are one set, and two bishops stand on different colours.
    let knights = set_up("kingchess", "4k3/8/8/8/8/8/8/4K3", "nn", Side::Second, "");
    assert_eq!(knights.placements().len(), 31 + 31 * 30 / 2);
    assert!(
        knights.placements().contains("n>c6,n>d5") && !knights.placements().contains("n>d5,n>c6")
    );
    let bishops = set_up("kingchess", "4k3/8/8/8/8/8/8/4K3", "BB", Side::First, "");
    assert_eq!(bishops.placements().len(), 31 + 15 * 16);
}

/// docs/rules.md 8.1 and 8.4: a first turn is judged as a whole.
#[test]
fn first_turns_of_kingchess() {
    let mut slow = after("kingchess", &[], "K>e1,R>d1");
    assert_moves(&slow, "k>e8 k>c5", "k>d8 k>d5 n>a8");
    slow.play("k>d8,p>d7");
    assert_moves(&slow, "Rd1xd7", "O-O");
    let mut slow = after("kingchess", &[], "K>e1,R>h1 k>e8,r>a8");
    assert_moves(&slow, "O-O", "O-O-O");
    slow.play("O-O");
    assert_moves(&slow, "O-O-O", "");
    let slow = after("kingchess", &["no-castling"], "K>e1,R>h1 k>e8,r>a8");
    assert_moves(&slow, "Ke1-d1", "O-O");
}

/// docs/rules.md 8.4: a double check met by two drops at once.
#[test]
fn double_check_in_kingchess() {
    let rows = "6rk/8/8/8/K7/8/8/B6R";
    for (reserve, status, placements) in [
        ("", "checkmate", 0),
        ("n", "checkmate", 0),
        ("nn", "ongoing", 9),
        ("np", "ongoing", 18),
        ("pp", "ongoing", 9),
        // All squares of the long diagonal are dark, so the other bishop has h5 and h7.
        ("bb", "ongoing", 6),
    ] {
        let slow = set_up("kingchess", rows, reserve, Side::Second, "");
        assert!(slow.in_check() && slow.moves().is_empty());
        assert_eq!(slow.status(), status, "{reserve}");
        assert_eq!(slow.placements().len(), placements, "{reserve}");
        assert_eq!(slow.perft(1), placements as u64, "{reserve}");
    }
}

/// docs/rules.md 8.5 and 2.1.
#[test]
fn en_passant_in_kingchess() {
    let slow = after("kingchess", &[], "K>h1,P>e4 k>h8,p>d7 Pe4-e5 pd7-d5");
    assert_moves(&slow, "Pe5xd6ep", "");
}
