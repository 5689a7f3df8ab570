//! Values written with serde are read back as they were.

use std::fmt::Debug;

use parapost_rules::notation::MoveText;
use parapost_rules::{
    Board, Claim, Color, File, Mark, Outcome, Piece, Placement, Ply, Position, Rank, Reason,
    Record, Reserve, Role, Setup, Side, Square, Variant, games,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The value's JSON, and the value read from it.
#[track_caller]
fn round<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).expect("JSON");
    let back: T = serde_json::from_str(&text).expect("the value");
    assert_eq!(back, *value, "{text}");
    text
}

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

#[test]
fn small_values_are_texts() {
    for at in Square::all(9) {
        assert_eq!(round(&at), format!("\"{at}\""));
    }
    for (file, rank) in File::all(9).zip(Rank::all(9)) {
        assert_eq!(round(&file), format!("\"{file}\""));
        assert_eq!(round(&rank), format!("\"{rank}\""));
    }
    assert_eq!(Color::ALL.map(|color| round(&color)), ["\"w\"", "\"b\""]);
    for role in Role::ALL {
        round(&role);
        for color in Color::ALL {
            let piece = Piece { color, role };
            assert_eq!(round(&piece), format!("\"{piece}\""));
        }
    }
    for mark in [Mark::None, Mark::Check, Mark::Mate, Mark::Virtual] {
        assert_eq!(round(&mark), format!("\"{mark}\""));
    }
    let reserve = Reserve::new([(Role::Pawn, 8), (Role::Rook, 2), (Role::King, 1)]);
    assert_eq!(round(&reserve.expect("few pieces")), "\"KRRPPPPPPPP\"");
    let outcome = Outcome {
        winner: Some(Color::Black),
        reason: Reason::Checkmate,
    };
    assert_eq!(round(&outcome), r#"{"winner":"b","reason":"checkmate"}"#);
    assert_eq!(round(&Claim::FiftyMoves), "\"fifty-moves\"");
}

#[test]
fn plies() {
    let (b1, e2, h8) = (square("b1"), square("e2"), square("h8"));
    assert_eq!(
        round(&Ply::Move {
            from: e2,
            to: h8,
            promotion: Some(Role::Dragon)
        }),
        r#"{"move":{"from":"e2","to":"h8","promotion":"+R"}}"#
    );
    assert_eq!(round(&Ply::Castle(Side::King)), r#"{"castle":"king"}"#);
    round(&Ply::Drop {
        role: Role::King,
        to: b1,
    });
    round(&Ply::Relocation {
        role: Role::Queen,
        to: e2,
        pawn: b1,
    });
    let placement = Placement::new([(Role::Pawn, e2), (Role::King, b1)]).expect("two squares");
    assert_eq!(
        round(&Ply::Placement(placement)),
        r#"{"placement":[["K","b1"],["P","e2"]]}"#
    );
}

/// Whatever is read as a move is read as the same move from its `Display`.
#[test]
fn moves_as_they_are_written() {
    let cores = [
        "e4",
        "N>f3",
        "Bxe2",
        "S-c3=+",
        "+R-5e",
        "O-O",
        "K>b1,P>b2",
        "Pe7-e8=Q",
        "bxc6ep",
    ];
    let marks = [
        "", "+", " +", "#", " #", "!+", " !+", "++", " check", " mate", " ch",
    ];
    let tails = ["", "=", " =", "(=)", " (=)", "= (=)", "!?", ";", ". (=)"];
    let mut read = 0;
    for core in cores {
        for mark in marks {
            for tail in tails {
                if let Ok(text) = format!("{core}{mark}{tail}").parse::<MoveText>() {
                    round(&text);
                    read += 1;
                }
            }
        }
    }
    assert!(read > 500, "{read} were moves");
}

/// Games played by lot: every position, its setup and board, and the record.
#[test]
fn games_played_by_lot() {
    for game in games::ALL {
        let names: Vec<&str> = game.options.iter().map(|option| option.name).collect();
        let all_options = names.iter().map(|name| vec![*name]).chain([vec![]]);
        for options in all_options {
            let variant = Variant::new(game, &options).expect("a variant");
            round(&variant);
            let mut record = Record::new(variant.start());
            let mut lot = 7_u64;
            while record.steps().len() < 60 {
                let plies: Vec<Ply> = record.position().legal_plies().take(300).collect();
                lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = usize::try_from(lot >> 40).expect("24 bits") % plies.len().max(1);
                if plies.is_empty() || record.play(&plies[at]).is_err() {
                    break;
                }
                let position = record.position();
                round::<Position>(position);
                round::<Setup>(&position.to_setup());
                round::<Board>(&position.board());
            }
            assert!(
                record.steps().len() > 10,
                "{}: {}",
                game.id,
                record.status()
            );
            round(&record);
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let refuse = |text: &str| {
        serde_json::from_str::<Position>(text)
            .unwrap_err()
            .to_string()
    };
    assert!(refuse(r#"{"game":"ludo"}"#).starts_with("unknown game 'ludo'"));
    assert!(
        refuse(r#"{"game":"chess","fen":"8/8/8/8/8/8/8/8 w"}"#).starts_with("White has no king")
    );
    assert!(serde_json::from_str::<Square>("\"k5\"").is_err());
    assert!(serde_json::from_str::<Reserve>(&format!("\"{}\"", "P".repeat(40))).is_err());
    assert!(serde_json::from_str::<Placement>(r#"[["K","b1"],["P","b1"]]"#).is_err());
    let record = serde_json::from_str::<Record>(r#"{"game":"chess","moves":["P-e4","P-e4"]}"#);
    assert!(record.unwrap_err().to_string().contains("the pawn on e7"));
}
