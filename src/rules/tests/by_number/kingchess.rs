//! Kingchess (docs/rules.md 8).

use std::collections::BTreeSet;

use parapost_rules::{Mark, Placement, Ply};

use super::scene::{after, fen};

/// 8.1
#[test]
fn the_first_turn_places_the_king_with_any_others() {
    let king_first =
        |who: &str| format!("{who}'s first turn must place the king, alone or with other pieces");
    after("kingchess", "")
        .legal("K>a1 K>h4 K>b1,B>b2,P>b3,P>c2,P>f4,P>g4 K>e1,Q>d1,R>a1,R>h1,B>c1,B>f1,N>b1,N>g1")
        .illegal("P>e2", &king_first("White"))
        .illegal("e4", &king_first("White"))
        .illegal("N-f3", &king_first("White"))
        .illegal("P>e2,P>d2", &king_first("White"))
        .illegal(
            "K>a5",
            "White's king is placed on ranks 1, 2, 3 or 4, not on a5",
        )
        .illegal(
            "K>a1,Q>a5",
            "White's queen is placed on ranks 1, 2, 3 or 4, not on a5",
        )
        .illegal("K>a1,Q>a1", "two pieces can't be placed on one square")
        .illegal(
            "K>a1,Q>b1,Q>c1",
            "White has no more than 1 queen in reserve",
        )
        .illegal(
            "K>a1,N>b1,N>c1,N>d1",
            "White has no more than 2 knights in reserve",
        )
        .play("K>e1,R>d1")
        .illegal("n>a8", &king_first("Black"))
        .legal("k>e8 k>c5 k>d8,p>d7")
        .illegal(
            "k>d8",
            "White's rook on d1 attacks d8, so the king may not be dropped there",
        )
        .illegal(
            "k>a4",
            "Black's king is placed on ranks 5, 6, 7 or 8, not on a4",
        );
    after("kingchess", "").count(5_301_704_096_885_440);
}

/// 8.2
#[test]
fn later_turns_move_or_place() {
    let scene = after("kingchess", "K>b1,B>b2,P>b3,P>c2 k>b8,b>b7,p>b6,p>c7");
    scene
        .clone()
        .legal("K-a1 P-c4 N>c3 N>c3,N>d3 Q>h1,P>h2,P>h3")
        .illegal(
            "N>c5",
            "White's knights are placed on ranks 1, 2, 3 or 4, not on c5",
        )
        .illegal("N>b3", "b3 is not empty: White's pawn stands there")
        .illegal("N>c3,Q>b3", "b3 is not empty: White's pawn stands there");
    // A placement is a set: the order does not matter.
    let turned = scene.position().read("N>d3,Q>a4,N>c3");
    let turned = turned.expect("a placement").ply;
    assert_eq!(scene.position().text(&turned), "Q>a4,N>c3,N>d3");
    scene.legal("Q>a4,N>c3,N>d3");
}

/// 8.2 [R]
#[test]
fn a_turn_must_do_something() {
    // Neither a move nor a piece to place: stalemate.
    fen("kingchess", "k7/2Q5/8/8/8/8/8/K7[] b - -").status("stalemate");
    let nothing = Placement::new([]).expect("an empty placement");
    let scene = after("kingchess", "K>e1 k>e8");
    let error = scene
        .position()
        .play(&Ply::Placement(nothing))
        .expect_err("nothing is placed");
    assert_eq!(error.to_string(), "a placement is of two pieces or more");
}

/// 8.3
#[test]
fn pawns_and_bishops_of_a_placement() {
    after("kingchess", "")
        .illegal(
            "K>a1,P>b1",
            "White's pawns are placed on ranks 2, 3 or 4, not on b1",
        )
        .illegal(
            "K>a1,B>b1,B>d1",
            "White's first bishop was placed on a light square; the second goes on the other colour, and d1 is light",
        )
        .legal("K>a1,B>b1,B>c1")
        .play("K>e1 k>e8")
        .illegal(
            "P>a1",
            "White's pawns are placed on ranks 2, 3 or 4, not on a1",
        )
        .play("K-e2")
        .illegal("p>a8", "Black's pawns are placed on ranks 5, 6 or 7, not on a8");
}

/// 8.3 [R]
#[test]
fn the_colour_of_a_bishop_is_remembered_after_its_capture() {
    after("kingchess", "K>h1,B>b3 k>h8,r>b8 K-h2 rxb3").legal("B>c3 B>a1").illegal(
        "B>c2",
        "White's first bishop was placed on a light square; the second goes on the other colour, and c2 is light",
    );
}

/// 8.4
#[test]
fn the_own_king_is_not_left_in_check() {
    after("kingchess", "K>e1,R>d1 k>e8 K-e2")
        .legal("k-e7 n>a8")
        .illegal(
            "k-d8",
            "White's rook on d1 attacks d8, so the king may not go there",
        );
    after("kingchess", "K>a1,R>d1 k>e8 R-e1")
        .legal("n>e5 n>e7,p>e6")
        .illegal(
            "n>a8",
            "Black is in check from White's rook on e1, and this does not meet it",
        );
}

/// 8.4
#[test]
fn a_double_check_is_met_by_two_pieces_at_once() {
    let rows = "6rk/8/8/8/K7/8/8/B6R";
    let both = "Black is in check from White's bishop on a1 and White's rook on h1, and this does not meet both";
    for (reserve, placements) in [("nn", 9), ("np", 18), ("pp", 9), ("bb", 6)] {
        let scene = fen("kingchess", &format!("{rows}[{reserve}] b - -"));
        assert!(scene.position().needs_placement());
        assert!(scene.position().single_plies().is_empty());
        assert_eq!(scene.position().mark(), Mark::Check);
        scene.status("ongoing").count(placements);
    }
    fen("kingchess", &format!("{rows}[nn] b - -"))
        .legal("n>e5,n>h6 n>g7,n>h7")
        .illegal(
            "n>e5",
            &format!("{both}; several pieces placed in one turn can"),
        )
        .illegal(
            "n>e5,n>f6",
            &format!("{both}; several pieces placed in one turn can"),
        )
        .illegal(
            "r-g7",
            &format!("{both}; several pieces placed in one turn can"),
        );
    for reserve in ["", "n", "q"] {
        let scene = fen("kingchess", &format!("{rows}[{reserve}] b - -"));
        assert!(!scene.position().needs_placement());
        assert_eq!(scene.position().mark(), Mark::Mate);
        scene.status("checkmate").score("1-0").illegal("r-g7", both);
    }
}

/// 8.4
#[test]
fn the_legal_plies_hold_the_placements() {
    for (position, single) in [
        ("6rk/8/8/8/K7/8/8/B6R[nn] b - -", 0),
        ("7k/6pp/8/8/8/8/8/K7[RN] w - -", 64),
        ("8/8/8/8/8/k7/8/8[KRP] w - -", 31),
    ] {
        let scene = fen("kingchess", position);
        let position = scene.position();
        let plies: Vec<Ply> = position.legal_plies().collect();
        let set: BTreeSet<Ply> = plies.iter().copied().collect();
        assert_eq!(set.len(), plies.len(), "a ply twice");
        assert!(plies.iter().all(|ply| position.is_legal(ply)));
        assert_eq!(plies.len() as u64, position.perft(1));
        let is_single = |ply: &&Ply| !matches!(ply, Ply::Placement(_));
        let singles: Vec<Ply> = plies.iter().filter(is_single).copied().collect();
        assert_eq!(singles, position.single_plies());
        assert!(plies.len() > single);
        let placed: Vec<String> = position
            .placements()
            .map(|ply| position.text(&ply))
            .collect();
        assert!(placed.is_sorted(), "{placed:?}");
    }
    // Of more than 10^15 first turns the first come at once.
    let start = after("kingchess", "");
    assert_eq!(start.position().legal_plies().take(1000).count(), 1000);
}

/// 8.4
#[test]
fn placements_end_where_nothing_more_can_meet_a_check() {
    // Fifteen pieces in reserve, and none of them can be placed on the line of the check: it lies in the other half.
    let reserve = "QRRBBNNPPPPPPPP";
    let far = fen(
        "kingchess",
        &format!("4r2k/8/4K3/8/8/8/8/8[{reserve}] w - -"),
    );
    assert_eq!(far.position().placements().next(), None);
    let moves = far.position().single_plies().len() as u64;
    far.count(moves);
    // A pawn can't be placed on the first rank, where the rook's check could be met.
    let first = fen("kingchess", "7k/8/8/8/8/8/8/K1r5[PPPPPPPP] w - -");
    assert_eq!(first.position().placements().next(), None);
    // Of two checks one can be met.
    let two = fen(
        "kingchess",
        &format!("4r2k/8/8/4K2r/8/8/8/8[{reserve}] w - -"),
    );
    assert_eq!(two.position().placements().next(), None);
    // Every placement meets the check, and some piece that does is among the later ones.
    let met = fen("kingchess", "7k/8/8/8/8/8/8/K2r4[QNP] w - -");
    let placed: Vec<String> = met
        .position()
        .placements()
        .map(|ply| met.position().text(&ply))
        .collect();
    assert_eq!(placed.len() as u64 + 2, met.position().perft(1));
    assert!(
        placed.contains(&String::from("Q>h4,N>b1,P>h2")),
        "{placed:?}"
    );
    assert!(
        placed
            .iter()
            .all(|text| text.contains("b1") || text.contains("c1"))
    );
}

/// 8.5
#[test]
fn placements_may_give_check_and_mate() {
    after("kingchess", "K>a1 k>e8")
        .marks("R>e1", Mark::Check)
        .marks("R>e1,N>d4", Mark::Check);
    fen("kingchess", "7k/6pp/8/8/8/8/8/K7[RR] w - -").marks("R>a2,R>e1", Mark::None);
    fen("kingchess", "8/8/8/8/8/k1K5/8/8[Q] w - -").marks("Q>a1", Mark::Mate);
}

/// 8.5
#[test]
fn pawns_as_in_chess() {
    after("kingchess", "K>h1,P>e2 k>h8,p>d5 K-h2 p-d4")
        .play("P-e4")
        .legal("pxe3ep");
    after("kingchess", "K>h1,P>e3 k>h8").illegal(
        "P-e5",
        "the pawn on e3 is not on its second rank, so it goes one square only",
    );
    fen("kingchess", "7k/P7/8/8/8/8/8/K7 w - -").legal("P-a8=Q P-a8=N");
}

/// 8.6 [R]
#[test]
fn castling_takes_pieces_that_were_placed_there() {
    after("kingchess", "K>e1,R>h1 k>e8,r>a8")
        .legal("O-O")
        .illegal("O-O-O", "to castle there White needs a rook on a1")
        .play("O-O")
        .legal("O-O-O");
    after("kingchess", "K>e1 k>e8 R>a1")
        .play("n>a8")
        .legal("O-O-O");
}

/// `no-castling`
#[test]
fn castling_can_be_switched_off() {
    after("kingchess no-castling", "K>e1,R>h1 k>e8,r>a8")
        .illegal("O-O", "Kingchess with no-castling has no castling")
        .legal("K-d1 R-g1");
}
