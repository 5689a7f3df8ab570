//! The values' games in `tests/values.csv`: every change was tried far enough, none is better, and a block comes again.

use std::fs;
use std::path::Path;

use parapost_engine::Values;
use parapost_rules::{Variant, games};

use crate::tuning::{self, HEAD};

fn kept() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/values.csv");
    fs::read_to_string(file).expect("the games of the values")
}

#[test]
fn no_change_of_a_value_is_better() {
    let kept = kept();
    for game in games::ALL {
        let variant = Variant::find(game.id, &[]).expect("a game");
        let values = Values::of(&variant);
        for change in tuning::changes(&values) {
            let heading = tuning::heading(&variant, &values, &change);
            let share = tuning::share(&kept, &heading);
            assert!(
                tuning::is_done(share),
                "{heading} tests/levels tune {}",
                game.id
            );
            assert!(!tuning::is_better(share), "{heading} {share:?}");
        }
    }
}

#[test]
fn a_block_of_games_comes_again() {
    let kept = kept();
    assert!(kept.starts_with(HEAD));
    for game in games::ALL {
        let variant = Variant::find(game.id, &[]).expect("a game");
        let values = Values::of(&variant);
        let change = tuning::changes(&values).swap_remove(0);
        let line = tuning::line(&variant, &values, &change, 0);
        assert!(kept.lines().any(|kept| kept == line), "{line}");
    }
}

#[test]
fn who_knows_things_alike_makes_half_of_the_points() {
    let variant = Variant::find("unachess", &[]).expect("a game");
    let values = Values::of(&variant);
    let same = tuning::Change {
        name: "nothing".to_owned(),
        values,
    };
    let line = tuning::line(&variant, &values, &same, 40);
    assert!(line.ends_with(",nothing,40,20,10"), "{line}");
}
