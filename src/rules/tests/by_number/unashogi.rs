//! Unashogi and its options (docs/rules.md 6).

use parapost_rules::{Mark, Variant};

use super::scene::{after, fen};

/// 2.2
#[test]
fn everything_of_shogi_stays() {
    after("unashogi", "P>e2 p>e8")
        .legal("P>d8 L>d8 N>d7 S>d9 K>e9")
        .illegal(
            "P>e3",
            "Sente already has an unpromoted pawn on the e-file, and may not drop a second there",
        )
        .illegal("P>d9", "a pawn dropped on d9 could never move")
        .illegal("N>d8", "a knight dropped on d8 could never move");
    let taken = after("unashogi", "K>e1 p>c5 R>a5 k>i9 Rxc5");
    assert!(
        taken
            .position()
            .fen()
            .contains("[BGGSSNNLLPPPPPPPPPPrbggssnnllpppppppp]")
    );
}

/// 1.5
#[test]
fn no_capture_before_the_king_is_placed() {
    after("unashogi", "R>a5 p>a7").illegal(
        "Rxa7",
        "Sente's king is still in reserve, so Sente may not capture",
    );
}

/// 2.2
#[test]
fn only_real_mate_by_a_dropped_pawn_is_barred() {
    let rows = "3lkl3/9/4G4/9/p8/9/9/9";
    fen("unashogi", &format!("{rows}/4K4[P] w - -")).illegal(
        "P>e8",
        "a dropped pawn may not give checkmate, as it would on e8",
    );
    // With the own king in reserve it is no mate; the king makes it one afterwards.
    fen("unashogi", &format!("{rows}/9[KP] w - -"))
        .marks("P>e8", Mark::Virtual)
        .play("P>e8 p-a4")
        .marks("K>e1", Mark::Mate);
}

const GAME: &str = "R>a5 p>i5 P>e8 p-i4";

/// `promote-own-king`
#[test]
fn no_promotion_before_the_own_king_is_placed() {
    after("unashogi", GAME).legal("R-a9=+R R-a9 P-e9=+P");
    after("unashogi promote-own-king", GAME)
        .legal("R-a9")
        .illegal(
            "R-a9=+R",
            "Sente's king is still in reserve, so Sente may not promote",
        )
        .play("K>e1 p-i3")
        .legal("R-a9=+R P-e9=+P")
        .play("R-b5")
        .illegal(
            "p-i2=+p",
            "Gote's king is still in reserve, so Gote may not promote",
        )
        .legal("p-i2");
}

/// `promote-enemy-king`
#[test]
fn no_promotion_before_the_enemy_king_is_placed() {
    after("unashogi promote-enemy-king", &format!("{GAME} K>e1 p-i3"))
        .legal("R-a9")
        .illegal(
            "R-a9=+R",
            "Gote's king is still in reserve, so Sente may not promote",
        )
        .play("R-b5")
        .legal("p-i2=+p");
}

/// `promote-both-kings`
#[test]
fn no_promotion_before_both_kings_are_placed() {
    after("unashogi promote-both-kings", GAME)
        .illegal(
            "R-a9=+R",
            "Sente's king is still in reserve, so Sente may not promote",
        )
        .play("K>e1 p-i3")
        .illegal(
            "R-a9=+R",
            "Gote's king is still in reserve, so Sente may not promote",
        )
        .play("R-b5")
        .illegal(
            "p-i2=+p",
            "Gote's king is still in reserve, so Gote may not promote",
        )
        .play("k>i9")
        .legal("R-b9=+R P-e9=+P");
}

/// `promote-both-kings` [R]
#[test]
fn a_move_that_would_have_to_promote_is_illegal_while_promotion_is_barred() {
    let why = |piece: &str, to: &str| {
        format!(
            "Sente's king is still in reserve, so Sente may not promote, and a {piece} on {to} could never move again without promoting"
        )
    };
    for option in ["promote-own-king", "promote-both-kings"] {
        after(&format!("unashogi {option}"), GAME)
            .illegal("P-e9", &why("pawn", "e9"))
            .illegal("P-e9=+P", &why("pawn", "e9"));
        after(&format!("unashogi {option}"), "L>b5 p>i5 N>e6 p-i4")
            .legal("L-b8")
            .illegal("L-b9", &why("lance", "b9"))
            .illegal("N-d8", &why("knight", "d8"));
    }
}

/// `promote-both-kings` [R]
#[test]
fn at_most_one_option_is_chosen() {
    let error = Variant::find("unashogi", &["promote-own-king", "promote-both-kings"])
        .expect_err("two of them");
    assert_eq!(
        error.to_string(),
        "the options 'promote-own-king' and 'promote-both-kings' exclude each other"
    );
}

/// `promote-own-king`
#[test]
fn a_barred_promotion_is_not_taken_for_a_drop() {
    let scene = fen(
        "unashogi promote-own-king",
        "9/9/9/9/7l1/9/9/9/K8[kl] b - -",
    );
    for text in ["l-h2=+l", "l-h2=+", "lh2=+l"] {
        scene.clone().illegal(
            text,
            "Gote's king is still in reserve, so Gote may not promote",
        );
    }
    scene.legal("l-h2 l>h2");
}
