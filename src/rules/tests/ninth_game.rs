//! Games that nobody plays, made up of nothing but a table entry: what the eight games are, others can be.

use std::collections::BTreeMap;

use parapost_rules::game::{Captured, Draws, Kind, Kings, PawnRule, Promotion, Slide};
use parapost_rules::{Game, Position, Record, Role, Setup, Variant, games};

use crate::agree::{Taste, random_game};
use crate::made_up::{CAMEL, KING, caravan, leaper, slider};

/// Chess on eight files in which captured pieces change sides and everything promotes in shogi's way.
fn turncoats() -> Game {
    const KINDS: &[Kind] = &[
        leaper(Role::Pawn, &[(0, 1)]),
        leaper(Role::Lance, &[(0, 2), (0, -2)]),
        Kind {
            role: Role::PromotedLance,
            steps: &[(0, 2), (2, 0), (0, -2), (-2, 0)],
            slides: &[Slide::Forward],
        },
        leaper(Role::Tokin, KING),
        slider(Role::Rook, &[Slide::Orthogonal]),
        Kind {
            role: Role::Dragon,
            steps: CAMEL,
            slides: &[Slide::Orthogonal],
        },
        leaper(Role::King, KING),
    ];
    let mut drop_ranks = [(1, 8); Role::COUNT];
    drop_ranks[Role::Pawn.index()] = (1, 7);
    Game {
        id: "turncoats",
        name: "Turncoats",
        credit: "made up for a test",
        text: "",
        options: &[],
        rules: games::CHESS_RULES
            .with_kinds(KINDS)
            .with_start("8/8/8/8/8/8/8/8")
            .with_slots([
                &[(Role::Rook, 2), (Role::Lance, 3), (Role::King, 1)],
                &[(Role::Pawn, 4)],
            ])
            .with_reserve_at_start(true)
            .with_drop_ranks(drop_ranks)
            .with_one_pawn_a_file(true)
            .with_pawn_drop_mate(false)
            .with_king_before_capture(true)
            .with_captured(Captured::ChangesSides)
            .with_promotion(Promotion::Zone {
                ranks: 2,
                after: Kings::Both,
            })
            .with_pawn(PawnRule::Shogi)
            .with_castling(false)
            .with_draws(Draws::Shogi),
    }
}

/// Plays a game through and looks at every position from all sides.
fn look_through(record: &Record, met: &mut BTreeMap<String, usize>) {
    let variant = record.position().variant();
    let mut count = |what: &str| *met.entry(what.to_owned()).or_insert(0) += 1;
    for (at, step) in record.steps().iter().enumerate() {
        let position = record.at(at).expect("a position");
        let plies = position.single_plies();
        assert_eq!(position.perft(1), plies.len() as u64, "{}", position.fen());
        // A FEN is refused where the player who has just moved stands in check: no legal move led there.
        let fen = position.fen();
        let setup = Setup::from_fen(variant, &fen).expect("a FEN");
        let rebuilt = Position::from_setup(variant, &setup);
        let rebuilt = rebuilt.unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(rebuilt.fen(), fen);
        for ply in plies.iter().step_by(5) {
            let text = position.text(ply);
            let reading = position.read(&text);
            let reading = reading.unwrap_or_else(|error| panic!("{text}: {error}; {fen}"));
            assert_eq!(reading.ply, *ply, "{text}: {fen}");
            assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
            let after = position.play(ply).expect("a legal ply");
            let setup = after.to_setup();
            Position::from_setup(variant, &setup)
                .unwrap_or_else(|error| panic!("{text} in {fen}: {error}"));
        }
        for (sign, what) in [
            ("x", "captures"),
            (">", "drops"),
            ("=", "promotions"),
            ("ep", "en passant"),
            ("S", "camels"),
        ] {
            if step.text.to_uppercase().contains(&sign.to_uppercase()) {
                count(what);
            }
        }
    }
    count(record.status());
}

fn play(game: &Game, matches: u64) -> BTreeMap<String, usize> {
    let variant = Variant::new(game, &[]).expect("no options");
    let mut met = BTreeMap::new();
    for seed in 0..matches {
        for taste in Taste::ALL {
            look_through(&random_game(&variant, seed, taste, 150), &mut met);
        }
    }
    println!("{}: {met:?}", game.name);
    met
}

#[test]
fn a_game_on_nine_files_with_a_new_leaper() {
    let game = caravan();
    let variant = Variant::new(&game, &[]).expect("no options");
    let start = variant.start();
    assert_eq!(
        start.fen(),
        "r3k3r/9/ppppppppp/9/9/9/PPPPPPPPP/9/R3K3R[SSBBQPPPssbbqppp] w - - 0 1"
    );
    let text = |ply| start.text(&ply);
    let moves: Vec<String> = start.single_plies().into_iter().map(text).collect();
    let board_moves = moves.iter().filter(|text| !text.contains('>')).count();
    // Nine pawns that go one square; the king to five; each rook to three along its rank and one up its file.
    assert_eq!(board_moves, 9 + 5 + 4 + 4);
    // Camels, bishops and the queen on any of the 45 squares of five ranks but the 12 that are taken; pawns on ranks 1 to 3.
    assert_eq!(moves.len() - board_moves, 33 * 3 + 15);
    let met = play(&game, 6);
    for what in ["captures", "drops", "promotions", "camels", "checkmate"] {
        assert!(met.contains_key(what), "no {what}: {met:?}");
    }
    let error = start.read("S>e6").expect_err("too far");
    assert_eq!(
        error.to_string(),
        "North's silvers are dropped on ranks 1, 2, 3, 4 or 5, not on e6"
    );
}

#[test]
fn a_game_of_turncoats() {
    let met = play(&turncoats(), 6);
    for what in ["captures", "drops", "promotions", "checkmate"] {
        assert!(met.contains_key(what), "no {what}: {met:?}");
    }
}
