//! The examples of the sources (docs/rules.md 9).

use parapost_rules::Mark;

use super::scene::after;

#[test]
fn the_first_diagram_of_source_002() {
    after("unachess", "P>e3 n>g5 B>f4")
        .illegal(
            "n-c6",
            "the knight on g5 reaches e4, e6, f3, f7, h3 and h7; to drop one write n>c6",
        )
        .illegal(
            "ng5-c6",
            "the knight on g5 reaches e4, e6, f3, f7, h3 and h7",
        )
        .legal("n-e6");
}

#[test]
fn the_second_example_of_source_002() {
    after("unachess", "K>h1 n>g2").illegal("Q>g2", "g2 is not empty: Black's knight stands there");
    after("unachess", "K>h1")
        .marks("n>f2", Mark::Virtual)
        .play("n>f2")
        .legal("Q>g2")
        .play("Q>g2")
        .marks("k>d8", Mark::Check);
}

#[test]
fn the_opening_of_source_004() {
    let scene = after(
        "kingchess",
        "K>b1,B>b2,P>b3,P>c2,P>f4,P>g4 k>b8,b>b7,p>b6,p>c7,p>f6,p>g5",
    );
    assert!(
        scene
            .position()
            .fen()
            .starts_with("1k6/1bp5/1p3p2/6p1/5PP1/1P6/1BP5/1K6[")
    );
}
