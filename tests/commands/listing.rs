//! The list of many matches, which leaves something behind for the next one.

use std::fs;
use std::thread;
use std::time::Duration;

use super::play::{house, of};
use crate::support::many::{fill, opened};

/// Each was read and replayed by every list.
#[test]
fn a_list_reads_what_has_changed_and_tells_what_the_files_tell() {
    let house = house();
    let games = house.path("games");
    fill(&games, 0..300);
    let list = |who: &str, words: &[&str]| {
        // A folder that is named is not looked at to tell whether it has matches.
        let words = of(who, &[&["--games", "games", "list"], words].concat());
        let run = house.parapost(words).any_stdout().any_stderr();
        run.run().stdout
    };
    // What was changed just now may be changed again.
    thread::sleep(Duration::from_secs(3));
    let [plain, json] = [&[][..], &["--json"]].map(|words| list("anna", words));
    let unread = |who: &str, words: &[&str], expected: &str| {
        let mut told = String::new();
        let count = opened(&games, || told = list(who, words));
        assert!(told == expected, "{told}");
        count
    };
    assert_eq!(unread("anna", &[], &plain), 0);
    assert_eq!(unread("anna", &["--json"], &json), 0);
    // Another user is on turn in other matches.
    let others = list("eve", &[]);
    assert_ne!(others, plain);
    list("anna", &[]);
    // One that has moved on is read, and told as it is.
    house
        .parapost(of("anna", &["move", "x7", "P>e3"]))
        .any_stdout()
        .any_stderr()
        .run();
    let mut told = String::new();
    assert_eq!(opened(&games, || told = list("anna", &[])), 1);
    let line = told.lines().find(|line| line.starts_with("x7 ")).unwrap();
    assert!(line.contains("1 half-move, Black to move"), "{line}");
    // What is damaged there is not believed, and what is missing is made again.
    let memo = games.join(".index/memo");
    let text = fs::read_to_string(&memo).unwrap();
    fs::write(&memo, text.replacen("\"plies\":0", "\"plies\":7", 1)).unwrap();
    assert_eq!(unread("anna", &[], &told), 300);
    fs::remove_dir_all(games.join(".index")).unwrap();
    assert_eq!(unread("anna", &[], &told), 600);
}

/// `parapost` alone is run by whoever has nothing to ask.
#[test]
#[ignore = "takes long"]
fn the_program_alone_reads_few_of_many_matches() {
    let house = house();
    let games = house.path("games");
    fill(&games, 0..300);
    let line = |words: &[&str]| of("anna", &[&["--games", "games"], words].concat());
    let alone = || {
        let mut told = String::new();
        let count = opened(&games, || {
            told = house.parapost(line(&[])).any_stdout().run().stdout;
        });
        (count, told)
    };
    // Without an index all are scanned once, by whatever command is the first.
    house
        .parapost(line(&["list"]))
        .any_stdout()
        .any_stderr()
        .run();
    fs::remove_file(games.join(".index/memo")).unwrap();
    let (count, told) = alone();
    assert!(count <= 256, "{count}");
    assert!(told.starts_with("parapost plays chess"), "{told}");
    thread::sleep(Duration::from_secs(3));
    house
        .parapost(line(&["list"]))
        .any_stdout()
        .any_stderr()
        .run();
    let (count, told) = alone();
    assert_eq!(count, 0);
    assert!(told.contains(" for you:\n"), "{told}");
}

/// A person wrote the result above a log that does not end the match. Went wrong: no list had it.
#[test]
fn a_match_whose_result_only_stands_in_its_header_is_listed() {
    let house = house();
    let games = house.path("games");
    fill(&games, 0..2);
    let list = || {
        let words = of("anna", &["--games", "games", "list"]);
        house.parapost(words).any_stdout().any_stderr()
    };
    list().run();
    let file = games.join("x1.txt");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\nResult: *\n"));
    fs::write(&file, text.replace("\nResult: *\n", "\nResult: 1-0\n")).unwrap();
    let told = list().stderr_contains("x1").status(1).run().stdout;
    assert!(told.starts_with("x0  "), "{told}");
}
