//! Tables that ask for what the crate does not do are refused: none is played by other rules than it says.

use parapost_rules::game::{Captured, DropAttack, Kind, PawnRule, Promotion, Slide};
use parapost_rules::games::{CHESS_RULES, KINGCHESS, NEWCHESS, SHOGI_RULES, UNACHESS};
use parapost_rules::{Game, Position, Role, Rules, RulesError, Variant, VariantError, games};

use crate::made_up::{KING, leaper, slider};

fn variant(rules: &Rules) -> Result<Variant, VariantError> {
    let game = Game {
        id: "made-up",
        rules: rules.clone(),
        ..games::CHESS.clone()
    };
    Variant::new(&game, &[])
}

#[track_caller]
fn refused(rules: &Rules, expected: &RulesError, why: &str) {
    let error = variant(rules).expect_err(why);
    assert_eq!(error, VariantError::Rules(expected.clone()), "{why}");
    assert_eq!(error.to_string(), why);
}

#[test]
fn boards_of_other_sizes() {
    for width in [0, 7, 10] {
        let why = format!("a board is 8 or 9 squares wide, not {width}");
        refused(
            &CHESS_RULES.with_width(width),
            &RulesError::Width(width),
            &why,
        );
    }
}

/// Crazyhouse: a captured queen that was a pawn goes to the hand as a pawn.
#[test]
fn captured_pieces_that_were_pawns() {
    let pieces: &[(Role, u8)] = &[
        (Role::Queen, 1),
        (Role::Rook, 2),
        (Role::Bishop, 2),
        (Role::Knight, 2),
    ];
    let mut drop_ranks = [(1, 8); Role::COUNT];
    drop_ranks[Role::Pawn.index()] = (2, 7);
    let crazyhouse = CHESS_RULES
        .with_slots([pieces, &[(Role::Pawn, 8)]])
        .with_drop_ranks(drop_ranks);
    variant(&crazyhouse).expect("drops as in crazyhouse");
    refused(
        &crazyhouse.with_captured(Captured::ChangesSides),
        &RulesError::Together("pieces that change sides", "promotion on the last rank"),
        "pieces that change sides can't be combined with promotion on the last rank",
    );
}

#[test]
fn pieces_that_the_table_lacks() {
    const NO_DRAGON: &[Kind] = &[
        slider(Role::Rook, &[Slide::Orthogonal]),
        leaper(Role::King, KING),
    ];
    let bare = SHOGI_RULES
        .with_kinds(NO_DRAGON)
        .with_slots([&[(Role::Rook, 1)], &[]])
        .with_start("4k4/9/9/9/9/9/9/9/4K4");
    let lacking = |role| RulesError::NoKind(role);
    let why = "the table has no entry for the promoted rook";
    refused(&bare, &lacking(Role::Dragon), why);
    let chess = CHESS_RULES.with_start("4k3/8/8/8/8/8/8/4K2G");
    refused(
        &chess,
        &lacking(Role::Gold),
        "the table has no entry for the gold",
    );
    let chess = CHESS_RULES.with_slots([&[(Role::Lance, 1)], &[]]);
    refused(
        &chess,
        &lacking(Role::Lance),
        "the table has no entry for the lance",
    );
    let chess = CHESS_RULES.with_promotion(Promotion::LastRank(&[Role::Gold]));
    refused(
        &chess,
        &lacking(Role::Gold),
        "the table has no entry for the gold",
    );
}

#[test]
fn pieces_that_move_as_no_generator_knows() {
    const TWICE: &[Kind] = &[leaper(Role::King, KING), leaper(Role::King, KING)];
    const RUNNING_KING: &[Kind] = &[slider(Role::King, &[Slide::Orthogonal])];
    const FAR: &[Kind] = &[leaper(Role::King, &[(0, i8::MIN)])];
    const NOWHERE: &[Kind] = &[leaper(Role::King, &[(0, 0), (1, 0)])];
    const SIDEWAYS: &[Kind] = &[
        leaper(Role::Pawn, &[(1, 0), (-1, 0)]),
        leaper(Role::King, KING),
        slider(Role::Queen, &[Slide::Diagonal]),
    ];
    const STUCK: &[Kind] = &[leaper(Role::Gold, &[(0, 1)]), leaper(Role::King, KING)];
    let bare = CHESS_RULES
        .with_start("4k3/8/8/8/8/8/8/4K3")
        .with_promotion(Promotion::LastRank(&[Role::Queen]));
    let two = "the table has two entries for the king";
    refused(
        &bare.clone().with_kinds(TWICE),
        &RulesError::TwoKinds(Role::King),
        two,
    );
    for kinds in [RUNNING_KING, FAR, NOWHERE] {
        let why = "a king can't move like that";
        refused(
            &bare.clone().with_kinds(kinds),
            &RulesError::Steps(Role::King),
            why,
        );
    }
    let why = "a pawn can't move like that";
    refused(
        &bare.clone().with_kinds(SIDEWAYS),
        &RulesError::Steps(Role::Pawn),
        why,
    );
    let why = "a gold can come to a square that it could never leave";
    refused(
        &bare.with_kinds(STUCK),
        &RulesError::Stranded(Role::Gold),
        why,
    );
}

#[test]
fn pawns_that_promote_in_the_other_way() {
    let why = "pawns of chess promote on the last rank, and other pawns in a zone";
    let chess = CHESS_RULES.with_promotion(SHOGI_RULES.promotion);
    refused(&chess, &RulesError::PawnPromotion, why);
    let chess = CHESS_RULES.with_promotion(Promotion::LastRank(&[]));
    refused(&chess, &RulesError::PawnPromotion, why);
    let shogi = SHOGI_RULES.with_promotion(CHESS_RULES.promotion);
    refused(&shogi, &RulesError::PawnPromotion, why);
    for role in [Role::King, Role::Pawn] {
        let choices: &[Role] = if role == Role::King {
            &[Role::King]
        } else {
            &[Role::Pawn]
        };
        let chess = CHESS_RULES.with_promotion(Promotion::LastRank(choices));
        let why = format!("a pawn can't become a {role}");
        refused(&chess, &RulesError::PromotionTo(role), &why);
    }
}

#[test]
fn reserves() {
    let why = "a pawn can come to a square that it could never leave";
    let mut drop_ranks = SHOGI_RULES.drop_ranks;
    drop_ranks[Role::Pawn.index()] = (1, 9);
    let shogi = SHOGI_RULES.with_drop_ranks(drop_ranks);
    refused(&shogi, &RulesError::Stranded(Role::Pawn), why);
    let why = "the reserve has no one place for a rook";
    let twice = CHESS_RULES.with_slots([&[(Role::Rook, 1), (Role::Rook, 1)], &[]]);
    refused(&twice, &RulesError::Reserve(Role::Rook), why);
    let pawns_alone = SHOGI_RULES.with_slots([&[], &[(Role::Pawn, 9)]]);
    let why = "the reserve has no one place for a lance";
    refused(&pawns_alone, &RulesError::Reserve(Role::Lance), why);
}

#[test]
fn kings() {
    for (start, name) in [
        ("4k3/8/8/8/8/8/8/8", "White"),
        ("8/8/8/8/8/8/8/4K3", "Black"),
        ("4k3/8/8/8/8/8/8/3KK3", "White"),
    ] {
        let why = format!("{name} must have one king");
        refused(
            &CHESS_RULES.with_start(start),
            &RulesError::Kings(name),
            &why,
        );
    }
    refused(
        &UNACHESS.rules.clone().with_king_before_capture(false),
        &RulesError::Together("kings in reserve", "captures before the king is placed"),
        "kings in reserve can't be combined with captures before the king is placed",
    );
}

#[test]
fn rules_that_do_not_go_together() {
    let (newchess, kingchess) = (&NEWCHESS.rules, &KINGCHESS.rules);
    let relocation = "the relocation of pawns";
    let several = "several drops in a turn";
    let bishops: &[(Role, u8)] = &[(Role::Bishop, 3)];
    let golds: &[(Role, u8)] = &[(Role::King, 1), (Role::Tokin, 1)];
    let crowd: &[(Role, u8)] = &[(Role::King, 1), (Role::Queen, 9)];
    let mut apart = kingchess.drop_ranks;
    apart[Role::Queen.index()] = (1, 2);
    for (rules, one, other) in [
        (
            CHESS_RULES.with_one_pawn_a_file(true),
            "one pawn a file",
            "pawns that leave their file",
        ),
        (
            CHESS_RULES.with_pawn_drop_mate(false),
            "no mate by a dropped pawn",
            "pawns with several steps",
        ),
        (
            newchess.clone().with_slots([bishops, &[]]),
            "bishops on different colours",
            "more than two bishops",
        ),
        (
            newchess.clone().with_drop_attack(DropAttack::Nothing),
            relocation,
            "other rules of drops",
        ),
        (
            newchess.clone().with_relocation(Some((2, 8))),
            relocation,
            "the last rank",
        ),
        (
            newchess
                .clone()
                .with_slots([&[(Role::Pawn, 1)], &[]])
                .with_drop_ranks([(2, 4); Role::COUNT]),
            relocation,
            "drops of kings or pawns",
        ),
        (
            kingchess.clone().with_drop_attack(DropAttack::NotTheKing),
            several,
            "other rules of drops",
        ),
        (
            kingchess.clone().with_bishops_differ(false),
            several,
            "other rules of drops",
        ),
        (
            kingchess.clone().with_drop_ranks(apart),
            several,
            "pieces that chess does not have, or ranks of their own",
        ),
        (
            kingchess.clone().with_slots([crowd, &[(Role::Pawn, 8)]]),
            several,
            "more than sixteen pieces in reserve",
        ),
    ] {
        let why = format!("{one} can't be combined with {other}");
        refused(&rules, &RulesError::Together(one, other), &why);
    }
    let why = "the table has no entry for the promoted pawn";
    let rules = kingchess.clone().with_slots([golds, &[]]);
    refused(&rules, &RulesError::NoKind(Role::Tokin), why);
}

/// A knight that also runs, or a bishop that promotes, can mate: a draw by lack of material is for those of chess.
#[test]
fn pieces_of_one_s_own_can_mate() {
    const AMAZON: &[Kind] = &[
        Kind {
            role: Role::Knight,
            steps: &[(1, 2), (2, 1), (-1, 2), (-2, 1)],
            slides: &[Slide::Orthogonal, Slide::Diagonal],
        },
        leaper(Role::King, KING),
    ];
    let fen = "4k3/8/8/8/8/8/8/N3K3 w";
    let chess = variant(&CHESS_RULES).expect("chess");
    let is_over = |variant| Position::from_fen(variant, fen).map(|it| it.outcome().is_some());
    assert_eq!(is_over(&chess), Ok(true));
    let amazon = CHESS_RULES
        .with_kinds(AMAZON)
        .with_start("n3k3/8/8/8/8/8/8/N3K3");
    let amazon = amazon.with_pawn(PawnRule::Shogi).with_castling(false);
    let amazon = variant(&amazon).expect("a game");
    assert_eq!(is_over(&amazon), Ok(false));
}
