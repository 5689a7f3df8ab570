//! Errors name what caused them.

use std::error::Error as _;

use parapost_rules::{Game, RulesError, Variant, VariantError, games};

#[test]
fn a_start_that_is_no_board_tells_why() {
    let mut rules = games::CHESS.rules.clone();
    rules.start = "8/8";
    let game = Game {
        rules,
        ..games::CHESS.clone()
    };
    let error = Variant::new(&game, &[]).expect_err("no board");
    let why = error.source().expect("a cause").to_string();
    assert_eq!(why, "the board has 2 rows instead of 8");
    let VariantError::Rules(error @ RulesError::Start(_)) = error else {
        panic!("{error:?}");
    };
    assert_eq!(error.source().expect("a cause").to_string(), why);
}
