//! `docs/study.md` says what the games in `docs/study/` say.

use std::fs;
use std::path::Path;

#[path = "../src/engine/examples/study/mod.rs"]
#[expect(dead_code, reason = "the engine's own tests play games")]
pub(crate) mod example;

use example::{games, openings, report, sets};

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path)
}

fn lines(name: &str) -> Vec<openings::Line> {
    openings::read(&read(&format!("docs/study/{name}"))).expect("a table of openings")
}

#[test]
fn the_page_is_that_of_its_games() {
    let games = games::read(&read("docs/study/games.csv")).expect("games");
    let page = read("docs/study.md");
    let (queens, replies) = (lines("queens.csv"), lines("replies.csv"));
    let report = report::make(games, &queens, &replies, &page).expect("a report");
    assert_eq!(report.wrong, Vec::<String>::new());
    assert!(
        report.page == page,
        "docs/study.md is not up to date: tests/study report"
    );
    for (name, text) in report.files {
        let kept = read(&format!("docs/study/{name}"));
        assert!(
            kept == text,
            "docs/study/{name} is not up to date: tests/study report"
        );
        assert!(
            page.contains(&format!("(study/{name})")),
            "the page does not show {name}"
        );
    }
}

#[test]
fn each_game_stands_once_and_the_hundredth_is_among_them() {
    let text = read("docs/study/games.csv");
    let lines: std::collections::BTreeSet<&str> = text.lines().collect();
    for line in read("src/engine/tests/study/games.csv").lines() {
        assert!(lines.contains(line), "{line}");
    }
    let games = games::read(&text).expect("games");
    let keys = games
        .iter()
        .map(|game| (game.set.as_str(), game.nodes, game.number));
    let once: std::collections::BTreeSet<_> = keys.collect();
    assert_eq!(once.len(), games.len());
    let sets = sets::all();
    for game in &games {
        assert!(sets.iter().any(|set| set.name == game.set), "{}", game.set);
    }
}

/// The square on the other side of the board from left to right.
fn mirrored(queen: &str) -> String {
    let file = queen.as_bytes()[2];
    format!("Q>{}{}", char::from(b'a' + b'h' - file), &queen[3..])
}

#[test]
fn the_openings_that_are_played_are_those_that_the_search_likes() {
    let mut played: Vec<String> = sets::QUEENS[..2].iter().map(ToString::to_string).collect();
    for line in lines("queens.csv") {
        let is_new = !played.contains(&line.queen) && !played.contains(&mirrored(&line.queen));
        if is_new && played.len() < sets::QUEENS.len() {
            played.push(line.queen);
        }
    }
    assert_eq!(played, sets::QUEENS);
    for (queen, expected) in sets::QUEENS.iter().zip(sets::REPLIES) {
        let replies = lines("replies.csv").into_iter();
        let replies = replies.filter(|line| line.queen == *queen);
        let best: Vec<String> = replies.map(|line| line.reply).take(3).collect();
        assert_eq!(best, expected);
    }
}
