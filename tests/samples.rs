//! The sample matches of `games/`: whole records that can be read, checked and shown, one of every game to its end.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use parapost::rules::games;
use parapost::store::Match;

use crate::support::Sandbox;

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("games")
        .join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_game_has_a_finished_sample() {
    for game in games::ALL {
        let text = sample(&format!("{}.txt", game.id));
        let sample = Match::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", game.id));
        assert_eq!(sample.variant().game().id, game.id);
        assert!(
            sample.record().outcome().is_some(),
            "{} is not finished",
            game.id
        );
        assert_eq!(
            sample.to_string(),
            text,
            "{} is not as it would be written",
            game.id
        );
    }
}

#[test]
fn a_sample_is_checked_and_shown_like_any_text() {
    for game in games::ALL {
        let text = sample(&format!("{}.txt", game.id));
        let sandbox = Sandbox::new().file("sample.txt", &text);
        let sample = Match::from_str(&text).expect("a sample");
        let list = parapost::text::movelist::MoveList::of(sample.record()).to_string();
        let diagram = parapost::text::diagram::Diagram::of(sample.record().position()).to_string();
        let shown = format!("{diagram}\n{list}");
        sandbox
            .parapost(["check", "sample.txt"])
            .stdout(&shown)
            .run();
        sandbox
            .parapost(["show", "sample.txt"])
            .stdout(&diagram)
            .run();
        sandbox
            .parapost(["--games", ".", "show", "sample"])
            .status(1)
            .any_stderr()
            .run();
    }
}
