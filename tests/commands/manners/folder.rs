//! The games folder: which it is, and what happens where there is none.

use crate::commands::play::{DEMO, demo, of};
use crate::support::{Sandbox, parapost};

const ME: &str = "[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n";

fn home() -> Sandbox {
    Sandbox::new().file("anna.toml", ME)
}

#[test]
fn a_missing_folder_is_an_error_for_commands_that_read_and_named() {
    let home = home();
    for words in [
        &["list"][..],
        &["show", "demo"],
        &["legal", "demo"],
        &["status"],
        &["mail", "list"],
        &["verify", "demo"],
        &["export", "out"],
        &["send"],
        &["undo", "demo"],
        &["move", "demo", "P>e3"],
        &["resign", "demo"],
        &["draw", "offer", "demo"],
        &["note", "demo", "hello"],
    ] {
        let line = [&["--config", "anna.toml", "--games", "here/games"], words].concat();
        home.parapost(line)
            .status(1)
            .stderr_contains("there is no folder of matches here/games; ")
            .run();
        if words == ["list"] {
            // Somebody who has named no folder has no matches.
            home.parapost([&["--config", "anna.toml"], words].concat())
                .stderr_contains("There are no matches yet. ")
                .run();
            let line = ["--config", "anna.toml", "list", "--json"];
            home.parapost(line)
                .stdout("{\"matches\":[],\"damaged\":[]}\n")
                .run();
            let named = home.parapost(["--config", "anna.toml", "list"]);
            named
                .env("PARAPOST_GAMES", "here/games")
                .status(1)
                .stderr_contains("there is no folder of matches here/games; ")
                .run();
            continue;
        }
        home.parapost([&["--config", "anna.toml"], words].concat())
            .status(1)
            .stderr_contains(".local/share/parapost/games; ")
            .run();
    }
    assert!(!home.path("here").exists() && !home.path("out").exists());
}

#[test]
fn commands_that_begin_matches_make_the_folder() {
    let line = |words: &[&'static str]| {
        [&["--config", "anna.toml", "--games", "here/games"], words].concat()
    };
    let first = home();
    first
        .parapost(line(DEMO))
        .stdout("demo\n")
        .any_stderr()
        .run();
    assert!(first.path("here/games/demo.txt").exists());
    let second = home();
    let letter = "From: Eve <eve@example.org>\nMessage-ID: <1@e.test>\n\nhello\n";
    let dry = second
        .parapost(line(&["receive", "--dry-run"]))
        .stdin(letter);
    dry.status(1).any_stdout().any_stderr().run();
    assert!(!second.path("here").exists());
    let receive = second.parapost(line(&["receive"])).stdin(letter);
    receive.status(1).any_stdout().any_stderr().run();
    assert!(second.path("here/games").is_dir());
    second.parapost(line(&["list"])).run();
}

/// A folder of that name in a checkout of something else was taken for the matches.
#[test]
fn a_folder_of_something_else_is_not_taken() {
    let home = home().file("games/pong.py", "import pygame\n");
    let words = ["--config", "anna.toml"];
    home.parapost([&words[..], DEMO].concat())
        .stdout("demo\n")
        .any_stderr()
        .run();
    assert!(home.path(".local/share/parapost/games/demo.txt").exists());
    assert!(!home.path("games/demo.txt").exists());
    for files in [&[][..], &["games/outbox/1.eml"], &["games/.gitkeep"]] {
        let mut home = Sandbox::new().file("anna.toml", ME).dir("games");
        for file in files {
            home = home.file(file, "");
        }
        home.parapost([&words[..], DEMO].concat())
            .stdout("demo\n")
            .any_stderr()
            .run();
        assert!(home.path("games/demo.txt").exists(), "{files:?}");
        home.file("games/pong.py", "import pygame\n")
            .parapost([&words[..], &["list"]].concat())
            .stdout_contains("demo")
            .run();
    }
}

#[test]
fn a_game_for_the_folder_is_wrong_usage_only_where_it_is_typed_and_of_no_use() {
    for words in [
        &["check", "--games", "shogi"][..],
        &["check", "--games=Shogi"],
        &["perft", "1", "--games", "shogi"],
        &["show", "-", "--games", "shogi"],
        &["legal", "--games", "shogi"],
    ] {
        parapost(words.iter().copied())
            .status(2)
            .stderr_contains("did you mean --game shogi?")
            .run();
    }
    let check = |words: &[&'static str]| {
        let check = parapost(words.to_vec()).stdin("1. P>e3\n").any_stdout();
        check.stderr("-: Unachess, 1 half-move, Black to move\n")
    };
    check(&["--games", "shogi", "check"]).run();
    check(&["check", "--games", "elsewhere"]).run();
    check(&["check"]).env("PARAPOST_GAMES", "shogi").run();
    let home = home();
    home.parapost([&["--config", "anna.toml"], DEMO, &["--games", "shogi"]].concat())
        .stdout("demo\n")
        .any_stderr()
        .run();
    home.parapost(["show", "demo", "--games", "shogi"])
        .any_stdout()
        .run();
}

#[test]
fn an_unknown_match_is_told_with_the_folder() {
    let house = demo();
    house
        .parapost(of("anna", &["show", "nosuch"]))
        .status(1)
        .stderr_contains("there is no match nosuch in games; ")
        .run();
}

/// `doctor` was content with a folder that `list` refused.
#[test]
fn doctor_and_list_agree_about_the_folder() {
    let home = home().dir("empty");
    let doctor = |words: &[&str], status: i32| {
        let line = [&["--config", "anna.toml"], words, &["doctor"]].concat();
        home.parapost(line).status(status).any_stdout().run().stdout
    };
    let list = |words: &[&str], status: i32| {
        let line = [&["--config", "anna.toml"], words, &["list"]].concat();
        home.parapost(line).status(status).any_stderr().run().stderr
    };
    // Nobody has named a folder, and there is none.
    let own = ".local/share/parapost/games";
    assert!(doctor(&[], 0).contains(&format!("{own}: it is made with the first match")));
    assert!(list(&[], 0).contains(own));
    let missing = ["--games", "mistyped"];
    let found = doctor(&missing, 1);
    assert!(
        found.contains("wrong  games folder mistyped: there is no such folder; "),
        "{found}"
    );
    assert!(list(&missing, 1).contains("mistyped; "));
    let empty = ["--games", "empty"];
    assert!(doctor(&empty, 0).contains("ok     games folder empty: "));
    list(&empty, 0);
    assert!(!home.path("mistyped").exists());
}

/// A fresh set-up is in order, whichever its folder.
#[test]
fn init_makes_the_folder() {
    for named in [&[][..], &["--games", "there/games"]] {
        let home = Sandbox::new();
        let run = |words: &[&str]| {
            let test = home.parapost([named, words].concat());
            test.any_stdout().any_stderr().run()
        };
        let me = ["--name", "Anna", "--address", "anna@example.org"];
        run(&[&["init", "--no-servers"], &me[..]].concat());
        run(&["list"]);
        let found = run(&["doctor"]).stdout;
        assert!(
            found.contains("games: it can be written and locked\n"),
            "{found}"
        );
        assert!(!found.contains("wrong"), "{found}");
    }
}
