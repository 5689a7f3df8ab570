//! Diagrams: written to the byte, read in every form that people and mailers
//! make of them, and refused with the place and the reason.

mod seen;
mod shogi;

use parapost::notation::diagram::Diagram;
use parapost::notation::reader::{self, PartKind};
use parapost::rules::{Position, Setup, Variant};

fn variant(game: &str) -> Variant {
    Variant::find(game, &[]).unwrap()
}

fn position(game: &str, fen: &str) -> Position {
    let variant = variant(game);
    let setup = Setup::from_fen(&variant, fen).unwrap();
    Position::from_setup(&variant, &setup).unwrap()
}

/// The diagrams of a text; of a bad one its place and message.
fn found(game: &str, text: &str) -> Vec<Result<Diagram, String>> {
    let text = reader::read(text, &variant(game));
    text.parts
        .into_iter()
        .filter_map(|part| match part.kind {
            PartKind::Diagram(drawn) => Some(Ok(drawn.diagram)),
            PartKind::BadDiagram(error) => {
                let place = error.place;
                Some(Err(format!("{}:{}: {error}", place.line, place.column)))
            }
            _ => None,
        })
        .collect()
}

/// The text holds one diagram, of that position, with both reserves or none.
#[track_caller]
fn assert_shows(text: &str, position: &Position, reserves: bool) {
    let found = found(position.variant().game().id, text);
    match found.as_slice() {
        [Ok(diagram)] => {
            assert!(diagram.shows(position), "{text}\nis read as\n{diagram}");
            assert_eq!(diagram.reserves().is_some(), reserves, "{text}");
        }
        other => panic!("{text}\nis read as {other:?}"),
    }
}

#[track_caller]
fn assert_refused(game: &str, text: &str, error: &str) {
    let found = found(game, text);
    match found.as_slice() {
        [Err(message)] => assert!(message.starts_with(error), "{text}\n{message}"),
        other => panic!("{text}\nis read as {other:?}"),
    }
}

const POST: &str = "\
- - - - - - - -       Black's pieces in reserve:
- - - - - - - -
- - - - n - - -       rrbbn-qk
- - - - - - - -       pppppppp
- - - - - B - -
- - - - P - - -
- - - - - - - -       White's pieces in reserve:
- - - - - - - -
                      RRB-NNQK
                      PPPPPPP-
";

/// The position of the post's first diagram.
fn post() -> Position {
    let text = "8/8/4n3/8/5B2/4P3/8/8[RRBNNQKPPPPPPPrrbbnqkpppppppp] w - - 0 3";
    position("unachess", text)
}

#[test]
fn every_game_has_its_shape() {
    assert_eq!(Diagram::of(&post()).to_string(), POST);
    let start = |game: &str| Diagram::of(&variant(game).start()).to_string();
    assert_eq!(
        start("chess"),
        "\
r n b q k b n r
p p p p p p p p
- - - - - - - -
- - - - - - - -
- - - - - - - -
- - - - - - - -
P P P P P P P P
R N B Q K B N R
"
    );
    assert_eq!(
        start("newchess"),
        "\
- - - - k - - -       Black's pieces in reserve:
p p p p p p p p
- - - - - - - -       rrbbnnq
- - - - - - - -
- - - - - - - -
- - - - - - - -
P P P P P P P P       White's pieces in reserve:
- - - - K - - -
                      RRBBNNQ
"
    );
    assert_eq!(
        start("unashogi"),
        "\x20- - - - - - - - -       Gote's pieces in reserve:
 - - - - - - - - -
 - - - - - - - - -       rbggssnnllk
 - - - - - - - - -       ppppppppp
 - - - - - - - - -
 - - - - - - - - -
 - - - - - - - - -
 - - - - - - - - -       Sente's pieces in reserve:
 - - - - - - - - -
                         RBGGSSNNLLK
                         PPPPPPPPP
"
    );
}

#[test]
fn shogi_has_a_column_for_marks_and_room_for_more_than_its_slots() {
    let promoted = position("shogi", "5k3/9/9/9/4+R4/9/9/9/4K4[GGGr] w - - 0 1");
    assert_eq!(
        Diagram::of(&promoted).to_string(),
        "\x20- - - - - k - - -       Gote's pieces in reserve:
 - - - - - - - - -
 - - - - - - - - -       r---------
 - - - - - - - - -       ---------
 - - - -+R - - - -
 - - - - - - - - -
 - - - - - - - - -
 - - - - - - - - -       Sente's pieces in reserve:
 - - - - K - - - -
                         --GGG------
                         ---------
"
    );
    assert_shows(&Diagram::of(&promoted).to_string(), &promoted, true);
}
