//! The levels' games in `tests/levels.csv`: a hundred of each two, and the first of them come again.

use std::fs;
use std::path::Path;

use parapost_rules::{Variant, games};

use crate::contest::{self, HEAD, pair};
use crate::statistics::Estimate;

/// Games of each two levels.
const GAMES: usize = 100;

fn kept() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/levels.csv");
    fs::read_to_string(file).expect("the games of the levels")
}

/// The points of a match that the first of two players has made, as a share of its games.
fn share(kept: &str, variant: &Variant, names: [&str; 2]) -> Estimate {
    let heading = contest::heading(variant, &pair(variant, names));
    let (points, games) = contest::score(kept, &heading);
    assert!(games >= GAMES, "{heading} {games} games: tests/levels");
    Estimate::share(points, games)
}

/// A hundred games do not tell 92 % from 96: the interval of what they say has to meet that of a step.
#[test]
fn each_level_is_a_step_above_the_one_below_it() {
    let kept = kept();
    for game in games::ALL {
        let variant = Variant::find(game.id, &[]).expect("a game");
        for above in 2..=5 {
            let names = [format!("level{above}"), format!("level{}", above - 1)];
            let share = share(&kept, &variant, [&names[0], &names[1]]);
            let is_step = share.low <= 0.92 && share.high >= 0.65 && share.value > 0.57;
            assert!(is_step, "{}, level {above}: {share:?}", game.id);
        }
    }
}

#[test]
fn who_looks_a_half_move_ahead_beats_the_lowest_level() {
    let kept = kept();
    for game in games::ALL {
        let variant = Variant::find(game.id, &[]).expect("a game");
        let share = share(&kept, &variant, ["level1", "ahead1"]);
        assert!(share.value < 0.5, "{}: {share:?}", game.id);
    }
}

/// Plays the first game of some matches anew.
fn come_again(matches: &[[&str; 2]]) {
    let kept = kept();
    assert!(kept.starts_with(HEAD));
    for game in games::ALL {
        let variant = Variant::find(game.id, &[]).expect("a game");
        for names in matches {
            let line = contest::line(&variant, &mut pair(&variant, *names), 0);
            assert!(kept.lines().any(|kept| kept == line), "{line}");
        }
    }
}

#[test]
fn the_first_game_of_the_lower_levels_comes_again() {
    come_again(&[
        ["level1", "ahead1"],
        ["level2", "level1"],
        ["level3", "level2"],
    ]);
}

#[test]
fn the_first_game_of_the_higher_levels_comes_again() {
    come_again(&[["level4", "level3"], ["level5", "level4"]]);
}
