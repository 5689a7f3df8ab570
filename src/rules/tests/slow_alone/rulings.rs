//! The Unachess family and Unashogi: docs/rules.md 1 to 6 and 9.

use super::{after, assert_moves, play, set_up};
use crate::slow::Slow;
use crate::slow::board::Side;

/// docs/rules.md 9: the two examples of source 002, with their slips and without.
#[test]
fn the_examples_of_1994() {
    let slow = after("unachess", &[], "P>e3 n>g5 B>f4");
    assert_moves(&slow, "ng5-e6", "ng5-c6");
    let mut slow = after("unachess", &[], "K>h1 n>f2");
    assert!(slow.in_virtual_check() && !slow.in_check());
    play(&mut slow, "Q>g2 k>d8");
    assert!(slow.in_check() && !slow.in_virtual_check());
    assert_moves(&slow, "Kh1-g1 Qg2xf2", "Qg2-g3 P>e4 O-O");
}

/// docs/rules.md 1.2 to 1.5.
#[test]
fn a_king_in_reserve() {
    let mut slow = after("unachess", &[], "R>a1 r>a8");
    assert_moves(&slow, "Ra1-a7", "Ra1xa8");
    play(&mut slow, "K>h2");
    assert_moves(&slow, "k>b8 ra8-a2", "ra8xa1 k>h1 k>g3 k>b1");

    let mut slow = after("unachess", &[], "R>a1 k>a5");
    play(&mut slow, "P>h2");
    assert!(slow.in_virtual_check() && !slow.in_check());
    play(&mut slow, "ka5-a4");
    assert_moves(&slow, "K>h5 P>b4", "K>a5 K>b3 P>a4 Ra1xa4");
    play(&mut slow, "K>h5");
    assert!(slow.in_check());
    assert_moves(&slow, "ka4-b4 r>a3 n>a2", "ka4-a5 r>b3");
}

/// docs/rules.md 3.1, 3.2 and the options.
#[test]
fn pawns_of_unachess() {
    assert_moves(
        &Slow::start("unachess", &[]),
        "P>e2 P>e3 P>e4 N>e1 N>e8",
        "P>e1 P>e5 P>e7",
    );
    let slow = after("unachess", &[], "P>e3");
    assert_moves(&slow, "p>e7 p>e6 p>e5", "p>e8 p>e4 p>e3 p>e2");
    let slow = after("unachess", &[], "P>e3 p>a7");
    assert_moves(&slow, "Pe3-e4", "Pe3-e5");

    let game = "K>h1 k>h8 P>e2 p>d5 N>a1 pd5-d4 Pe2-e4";
    let mut slow = after("unachess", &[], game);
    assert_moves(&slow, "pd4xe3ep pd4-d3", "pd4xe4 pd4xe3 pd4-e3");
    assert_moves(
        &after("unachess", &["no-castling-no-ep"], game),
        "pd4-d3",
        "pd4xe3ep",
    );
    let mut taken = slow.clone();
    taken.play("pd4xe3ep");
    assert!(
        taken
            .diagram()
            .starts_with(".......k\n........\n........\n........\n........\n....p...\n")
    );
    play(&mut slow, "n>a8 N>h3");
    assert_moves(&slow, "pd4-d3", "pd4xe3ep");
    // 1.5 bars en passant too.
    let slow = after("unachess", &[], "K>h1 n>h8 P>e2 p>d5 N>a1 pd5-d4 Pe2-e4");
    assert_moves(&slow, "pd4-d3", "pd4xe3ep");

    assert_moves(
        &after("unachess", &["no-double-step"], "P>e2 p>e7"),
        "Pe2-e3",
        "Pe2-e4",
    );
    let mut slow = after("unachess", &["pawns-1-4"], "P>e1 p>a8");
    assert_moves(&slow, "P>d1 P>d4 Pe1-e2", "P>d5 P>d8 Pe1-e3");
    play(&mut slow, "Pe1-e2 pa8-a7 P>d2 n>h8");
    assert_moves(&slow, "Pe2-e3 Pd2-d4", "Pe2-e4");
}

/// docs/rules.md 3.3.
#[test]
fn promotion_in_chess_games() {
    let slow = set_up("unachess", "1n5k/P7/8/8/8/8/8/K7", "", Side::First, "");
    assert_moves(
        &slow,
        "Pa7-a8=Q Pa7-a8=N Pa7xb8=R Pa7xb8=B",
        "Pa7-a8 Pa7-a8=K Pa7-a8=P",
    );
    let slow = set_up("unachess", "k7/8/8/8/8/8/p7/7K", "", Side::Second, "");
    assert_moves(&slow, "pa2-a1=q", "pa2-a1=Q pa2-a1");
}

/// docs/rules.md 3.4.
#[test]
fn castling_after_drops() {
    let placed = after("unachess", &[], "K>e1 k>e8 R>h1 r>a8");
    assert_moves(&placed, "O-O", "O-O-O");
    let mut slow = placed.clone();
    slow.play("O-O");
    assert!(slow.diagram().contains("\n.....RK.\n"));
    assert_moves(&slow, "O-O-O", "O-O");
    slow.play("O-O-O");
    assert!(slow.diagram().starts_with("..kr....\n"));
    for there_and_back in ["Ke1-e2 n>h8 Ke2-e1 n>h7", "Rh1-h2 n>h8 Rh2-h1 n>h7"] {
        let mut slow = placed.clone();
        play(&mut slow, there_and_back);
        assert_moves(&slow, "Ke1-d1", "O-O");
        // A rook dropped on the other corner is as good as ever, if the king has not moved.
        play(&mut slow, "R>a1 p>h6");
        assert_eq!(
            slow.moves().contains("O-O-O"),
            there_and_back.starts_with('R')
        );
    }
    // Through, into and out of real attacks, and through virtual ones.
    for (black, legal) in [
        ("r>e8", false),
        ("r>f8", false),
        ("r>g8", false),
        ("r>h8", true),
        ("n>h3", false),
    ] {
        let slow = after("unachess", &[], &format!("K>e1 k>a8 R>h1 {black}"));
        assert_eq!(slow.moves().contains("O-O"), legal, "{black}");
        let slow = after("unachess", &[], &format!("K>e1 p>a7 R>h1 {black}"));
        assert!(slow.moves().contains("O-O"), "{black}");
    }
    // Only b1 attacked: the king does not cross it.
    assert_moves(
        &after("unachess", &[], "K>e1 k>h8 R>a1 r>b8"),
        "O-O-O",
        "O-O",
    );
    assert_moves(
        &after("unachess", &[], "K>e1 k>h8 R>a1 b>b1"),
        "Ra1xb1",
        "O-O-O",
    );
    // The other side's squares are not traditional.
    assert_moves(
        &after("unachess", &[], "K>e8 k>a1 R>h8 n>a7"),
        "Ke8-d8",
        "O-O",
    );
    assert_moves(
        &after("unachess", &["no-castling-no-ep"], "K>e1 k>e8 R>h1 r>a8"),
        "Ke1-d1",
        "O-O",
    );
    assert_moves(
        &after("unachess2", &[], "K>e1 k>e8 R>h1 r>a8"),
        "Ke1-d1",
        "O-O",
    );
}

/// docs/rules.md 3.5, 4.1 and 5.1.
#[test]
fn drops_that_attack() {
    assert_moves(
        &after("unachess", &[], "K>a1 k>e8"),
        "R>e1 N>f6 Q>b5",
        "K>e1",
    );
    assert_moves(
        &after("unachess2", &[], "K>a1 k>e8"),
        "R>d1 N>f5 P>e4",
        "R>e1 N>f6 Q>b5 B>a4",
    );
    // With the own king in reserve too.
    let mut slow = after("unachess2", &[], "R>e1 k>e8");
    assert_moves(&slow, "R>d1 K>a1", "R>e2 K>e7 Q>a8");
    slow.play("K>a1");
    assert!(slow.in_check());
    assert_moves(&slow, "r>e2 ke8-d8 q>e7", "r>d1");
    // The dropped piece alone counts: it may stand beside the king without attacking it.
    assert_moves(
        &after("unachess2", &[], "K>a1 k>e5"),
        "P>e4 N>e4",
        "P>d4 B>d4 R>e4",
    );

    assert_moves(
        &after("parachute", &[], "P>e4"),
        "p>e5 q>a1 k>h1",
        "p>d5 p>f5 k>e5 k>d3 q>e8 n>f6 b>b7",
    );
    let slow = after("parachute", &[], "R>a1 p>a5 K>h1 n>h8");
    assert_moves(&slow, "Ra1xa5 Ra1-a2 B>a4", "R>h2 Q>b4");
    // Even as the only way out of check.
    let rows = "7k/8/8/8/8/8/PP6/K6r";
    let slow = set_up("parachute", rows, "N", Side::First, "");
    assert_eq!(
        slow.moves(),
        ["N>b1", "N>c1", "N>d1", "N>e1", "N>f1", "N>g1"]
            .map(str::to_owned)
            .into()
    );
    assert_eq!(
        set_up("parachute", rows, "Q", Side::First, "").status(),
        "checkmate"
    );
    assert_eq!(
        set_up("unachess2", rows, "Q", Side::First, "").status(),
        "ongoing"
    );
}

/// docs/rules.md 2.2 and 6.
#[test]
fn drops_of_shogi() {
    let slow = after("unashogi", &[], "P>e2 p>e8");
    assert_moves(
        &slow,
        "P>d8 L>d8 N>d7 S>d9 K>e9",
        "P>e3 P>d9 L>d9 N>d8 N>d9",
    );
    let slow = after("unashogi", &[], "P>e2");
    assert_moves(&slow, "p>e8 p>d2 l>d2 n>d3", "p>d1 l>d1 n>d2");
    // A promoted pawn does not count for nifu.
    let slow = after("unashogi", &[], "P>e7 p>a8 Pe7-e8=+P pa8-a7");
    assert_moves(&slow, "P>e3 +Pe8-d8 +Pe8-e9 +Pe8-e7", "+Pe8-d7 Pe8-e9");
}

/// docs/rules.md 2.2 and the options of 6.
#[test]
fn promotion_in_shogi_games() {
    let game = "R>a5 p>i5 P>e8 pi5-i4";
    let free = after("unashogi", &[], game);
    assert_moves(
        &free,
        "Ra5-a9=+R Ra5-a9 Ra5-a7=+R Pe8-e9=+P",
        "Ra5-a6=+R Pe8-e9",
    );
    let mut own = after("unashogi", &["promote-own-king"], game);
    assert_moves(&own, "Ra5-a9", "Ra5-a9=+R Pe8-e9=+P Pe8-e9");
    play(&mut own, "K>e1 pi4-i3");
    assert_moves(&own, "Ra5-a9=+R Pe8-e9=+P", "Pe8-e9");
    own.play("Ra5-b5");
    assert_moves(&own, "pi3-i2", "pi3-i2=+p");
    let mut enemy = after(
        "unashogi",
        &["promote-enemy-king"],
        &format!("{game} K>e1 pi4-i3"),
    );
    assert_moves(&enemy, "Ra5-a9", "Ra5-a9=+R Pe8-e9=+P Pe8-e9");
    enemy.play("Ra5-b5");
    assert_moves(&enemy, "pi3-i2=+p", "");
    let mut both = after(
        "unashogi",
        &["promote-both-kings"],
        &format!("{game} K>e1 pi4-i3"),
    );
    assert_moves(&both, "Ra5-a9", "Ra5-a9=+R Pe8-e9=+P Pe8-e9");
    play(&mut both, "Ra5-b5 k>i9");
    assert_moves(&both, "Rb5-b9=+R Pe8-e9=+P", "Pe8-e9");

    // The king and the gold have no other side; leaving the zone promotes as well.
    let slow = set_up("shogi", "4k4/R8/9/6K1G/9/9/9/9/9", "", Side::First, "");
    assert_moves(&slow, "Ra8-a4=+R Kg6-g7 Gi6-i7", "Kg6-g7=+K Gi6-i7=+G");
}

/// docs/rules.md 1.8.
#[test]
fn captured_pieces() {
    let mut slow = after("unashogi", &[], "K>e1 p>c5 R>a5 k>i9 P>h7 p>a8 Ph7-h8=+P");
    assert!(slow.in_check());
    slow.play("ki9xh8");
    assert!(
        slow.diagram()
            .ends_with("\nBGGSSNNLLPPPPPPPP\nrbggssnnllpppppppp\nw\n"),
        "{}",
        slow.diagram()
    );
    slow.play("Ra5xc5");
    assert!(
        slow.diagram()
            .ends_with("\nBGGSSNNLLPPPPPPPPP\nrbggssnnllpppppppp\nb\n"),
        "{}",
        slow.diagram()
    );
    let slow = after("unachess", &[], "K>e1 p>c5 R>a5 k>h8 Ra5xc5");
    assert!(
        slow.diagram()
            .ends_with("\nRBBNNQPPPPPPPP\nrrbbnnqppppppp\nb\n"),
        "{}",
        slow.diagram()
    );
}

/// docs/rules.md 2.2 and 6: a pawn dropped may not give mate, but only real mate counts.
#[test]
fn pawn_drop_mate() {
    let rows = "3lkl3/9/4G4/9/p8/9/9/9/4K4";
    for game in ["shogi", "unashogi"] {
        assert_moves(&set_up(game, rows, "PR", Side::First, ""), "P>e6", "P>e8");
        // With a rook that takes the pawn it is no mate.
        let defended = rows.replace("3lkl3/9", "3lkl3/r8");
        assert_moves(&set_up(game, &defended, "P", Side::First, ""), "P>e8", "");
    }
    let in_reserve = rows.replace("4K4", "9");
    let mut slow = set_up("unashogi", &in_reserve, "KP", Side::First, "");
    play(&mut slow, "P>e8 pa5-a4");
    assert_eq!(slow.status(), "ongoing");
    assert_moves(&slow, "K>e1", "Pe8xe9=+P Pe8xe9");
    slow.play("K>e1");
    assert_eq!(slow.status(), "checkmate");
}
