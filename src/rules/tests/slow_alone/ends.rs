//! Mate, stalemate and the draws: docs/rules.md 1.6 to 1.12.

use super::{play, set_up};
use crate::slow::Slow;
use crate::slow::board::Side;

/// docs/rules.md 1.6 and 1.7.
#[test]
fn mate_and_stalemate() {
    let mut slow = set_up("unachess", "k7/8/1K6/8/8/8/8/7R", "", Side::First, "");
    let mut with_drop = set_up("unachess", "k7/8/1K6/8/8/8/8/7R", "n", Side::First, "");
    let mut virtual_only = set_up("unachess", "k7/7R/8/8/8/8/8/6R1", "K", Side::First, "");
    slow.play("Rh1-h8");
    assert_eq!(slow.status(), "checkmate");
    with_drop.play("Rh1-h8");
    assert_eq!(with_drop.status(), "ongoing");
    virtual_only.play("Rg1-g8");
    assert!(virtual_only.in_virtual_check());
    assert_eq!(virtual_only.status(), "ongoing");
    for (game, rows, reserves, status) in [
        ("chess", "k7/2Q5/8/8/8/8/8/K7", "", "stalemate"),
        ("unachess", "k7/2Q5/8/8/8/8/8/K7", "", "stalemate"),
        ("unachess", "k7/2Q5/8/8/8/8/8/K7", "n", "ongoing"),
        ("unachess", "k7/2Q5/8/8/8/8/8/8", "K", "ongoing"),
        // b9 is free, then a8 alone is left, then that is attacked too.
        ("shogi", "k8/9/1G7/9/9/9/9/9/K8", "", "ongoing"),
        ("shogi", "k8/2G6/9/9/9/9/9/9/K8", "", "ongoing"),
        ("shogi", "k8/2G6/9/1N7/9/9/9/9/K8", "", "stalemate"),
        ("shogi", "k8/2G6/9/1N7/9/9/9/9/K8", "p", "ongoing"),
        ("shogi", "k8/2+R6/9/9/9/9/9/9/K8", "", "stalemate"),
    ] {
        assert_eq!(
            set_up(game, rows, reserves, Side::Second, "").status(),
            status,
            "{game} {rows} {reserves}"
        );
    }
}

/// docs/rules.md 1.9.
#[test]
fn dead_positions() {
    for (rows, reserves, dead) in [
        ("k7/8/8/8/8/8/8/K7", "", true),
        ("k7/8/8/8/8/8/8/KN6", "", true),
        ("k7/b7/8/8/8/8/8/K7", "", true),
        ("k7/n7/8/8/8/8/8/KN6", "", false),
        ("k7/8/8/8/8/8/8/KNN5", "", false),
        ("k7/8/8/8/8/8/8/K1B1B3", "", true),
        ("k7/8/8/8/8/8/b7/KB6", "", true),
        ("k7/8/8/8/8/8/b7/K1B5", "", false),
        ("k7/8/8/8/8/8/8/KP6", "", false),
        ("k7/8/8/8/8/8/8/K7", "n", false),
    ] {
        let slow = set_up("unachess", rows, reserves, Side::First, "");
        assert_eq!(
            slow.status(),
            if dead { "draw-dead" } else { "ongoing" },
            "{rows} {reserves}"
        );
        assert!(!slow.claimable());
        assert_ne!(slow.perft(1), 0);
    }
}

/// docs/rules.md 1.9: what starts the count of 50 and 75 moves anew, and where it ends.
#[test]
fn fifty_and_seventy_five_moves() {
    let mut slow = set_up("unachess", "k6r/8/8/8/8/8/4P3/K6R", "N", Side::First, "");
    slow.quiet_turns = 99;
    for (played, quiet) in [
        ("Rh1xh8", false),
        ("Pe2-e4", false),
        ("N>b1", false),
        ("Rh1-h2", true),
    ] {
        let mut slow = slow.clone();
        assert!(!slow.claimable());
        slow.play(played);
        assert_eq!(slow.claimable(), quiet, "{played}");
    }
    slow.quiet_turns = 149;
    slow.play("Rh1-h2");
    assert_eq!(slow.status(), "draw-75");
    // Mate on the same move comes first.
    let mut slow = set_up("chess", "k7/8/1K6/8/8/8/8/7R", "", Side::First, "");
    slow.quiet_turns = 149;
    slow.play("Rh1-h8");
    assert_eq!(slow.status(), "checkmate");
}

/// docs/rules.md 1.9 and 1.12.
#[test]
fn repetition_in_chess_games() {
    let mut slow = Slow::start("chess", &[]);
    for occurrence in 2..=5 {
        play(&mut slow, "Ng1-f3 ng8-f6 Nf3-g1 nf6-g8");
        assert_eq!(slow.claimable(), occurrence == 3 || occurrence == 4);
        assert_eq!(
            slow.status(),
            if occurrence == 5 {
                "draw-fivefold"
            } else {
                "ongoing"
            }
        );
    }
    // The first of three like positions had a castling right, or could get one by a drop.
    let kings = "Ke1-e2 ke8-e7 Ke2-e1 ke7-e8";
    for (rows, reserves, moves, same) in [
        (
            "4k3/8/8/8/8/8/8/4K2R",
            "",
            "Rh1-h2 ke8-e7 Rh2-h1 ke7-e8",
            false,
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R",
            "",
            "Rh1-h2 ke8-e7 Rh2-h1 ke7-e8 Rh1-h2 ke8-e7 Rh2-h1 ke7-e8",
            true,
        ),
        ("4k3/8/8/8/8/8/8/4K3", "R", kings, false),
        ("4k3/8/8/8/8/8/8/4K3", "N", kings, true),
        (
            "4k3/8/8/8/8/8/8/7R",
            "K",
            "Rh1-h2 ke8-e7 Rh2-h1 ke7-e8",
            false,
        ),
    ] {
        let mut slow = set_up("unachess", rows, reserves, Side::First, "e1 h1");
        play(&mut slow, moves);
        play(&mut slow, moves);
        assert_eq!(slow.claimable(), same, "{rows} {reserves} {moves}");
    }
    // En passant counts only where it could be played.
    for (rows, same) in [
        ("4k3/8/8/8/3p4/8/4P3/4K3", false),
        ("4k3/8/8/3p4/8/8/4P3/4K3", true),
    ] {
        let mut slow = set_up("chess", rows, "", Side::First, "");
        slow.play("Pe2-e4");
        play(
            &mut slow,
            "ke8-e7 Ke1-d2 ke7-e8 Kd2-e1 ke8-e7 Ke1-d2 ke7-e8 Kd2-e1",
        );
        assert_eq!(slow.claimable(), same, "{rows}");
    }
}

/// docs/rules.md 1.10.
#[test]
fn repetition_in_shogi_games() {
    let mut slow = Slow::start("shogi", &[]);
    for occurrence in 2..=4 {
        play(&mut slow, "Rh2-g2 rb8-c8 Rg2-h2 rc8-b8");
        assert_eq!(
            slow.status(),
            if occurrence == 4 {
                "draw-fourfold"
            } else {
                "ongoing"
            }
        );
        assert!(!slow.claimable());
    }
    let rows = "4k4/9/9/9/4R4/9/9/9/K8";
    let mut slow = set_up("shogi", rows, "", Side::Second, "");
    for occurrence in 2..=4 {
        play(&mut slow, "ke9-d9 Re5-d5 kd9-e9 Rd5-e5");
        assert_eq!(
            slow.status(),
            if occurrence == 4 {
                "loss-perpetual"
            } else {
                "ongoing"
            }
        );
    }
    // One quiet move among them, and it is a draw.
    let mut slow = set_up("shogi", rows, "", Side::Second, "");
    play(
        &mut slow,
        "ke9-d9 Re5-d5 kd9-e9 Rd5-e5 ke9-d9 Re5-d5 kd9-e9 Rd5-e5 ke9-d9 Re5-f5 kd9-e9 Rf5-e5",
    );
    assert_eq!(slow.status(), "draw-fourfold");
    // Checks in virtual check only are no real checks.
    let mut slow = set_up("unashogi", "4k4/9/9/9/4R4/9/9/9/9", "K", Side::Second, "");
    for _ in 2..=4 {
        play(&mut slow, "ke9-d9 Re5-d5 kd9-e9 Rd5-e5");
    }
    assert_eq!(slow.status(), "draw-fourfold");
}
