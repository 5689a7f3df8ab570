//! What surrounds every command: folders, clock, variables, help, a closed pipe.

use crate::commands::play::{DEMO, demo, game, of, refused};
use crate::support::Sandbox;

#[test]
fn the_folder_of_the_matches_is_where_it_is_said_to_be() {
    let house = Sandbox::new();
    house.parapost(DEMO.iter().copied()).stdout("demo\n").run();
    assert!(house.path(".local/share/parapost/games/demo.txt").exists());
    house
        .parapost(["--games", "there"].into_iter().chain(DEMO.iter().copied()))
        .stdout("demo\n")
        .run();
    assert!(house.path("there/demo.txt").exists());
    let house = house.dir("games");
    house.parapost(DEMO.iter().copied()).stdout("demo\n").run();
    assert!(house.path("games/demo.txt").exists());
    let house = house.env("PARAPOST_GAMES", "elsewhere");
    house.parapost(DEMO.iter().copied()).stdout("demo\n").run();
    assert!(house.path("elsewhere/demo.txt").exists());
}

#[test]
fn a_clock_that_cannot_be_read_is_a_mistake_of_usage() {
    for time in [
        "yesterday",
        // Such a year was only found out when the file was to be written, as a
        // fault of the program.
        "9999-12-31T23:30:00-02:00",
        "0000-01-01T00:00:00+02:00",
    ] {
        let house = demo().env("PARAPOST_NOW", time);
        refused(
            &house,
            of("anna", &["move", "demo", "P>e3"]),
            2,
            "PARAPOST_NOW",
        );
    }
}

#[test]
fn a_clock_that_is_set_back_leaves_the_match_whole() {
    let house = demo();
    house
        .parapost(of("anna", &["move", "demo", "P>e3"]))
        .any_stderr()
        .run();
    house
        .parapost(of("anna", &["note", "demo", "yesterday"]))
        .now("1999-12-31T23:59:59Z")
        .any_stderr()
        .run();
    let times: Vec<_> = game(&house).log().iter().map(|event| event.time).collect();
    assert!(times.first() > times.last(), "{times:?}");
    house
        .parapost(["verify", "demo"])
        .stdout_contains("demo: whole: 1 half-move, ")
        .run();
}

/// Mail of a clock that stood before 1970 was a panic.
#[test]
fn a_clock_that_stands_before_its_time_holds_up_no_mail() {
    let house = demo();
    for time in ["1969-12-31T23:59:59Z", "0000-01-01T00:00:00Z"] {
        house
            .parapost(of("anna", &["send", "--resend", "demo", "--print"]))
            .now(time)
            .stdout_contains("\nDate: Thu, 01 Jan 1970 00:00:00 +0000\n")
            .any_stderr()
            .run();
    }
}

/// A variable set to nothing, as a script leaves it, was a mistake of usage.
#[test]
fn a_variable_that_is_set_to_nothing_says_nothing() {
    Sandbox::new()
        .dir("games")
        .env("PARAPOST_GAMES", "")
        .env("PARAPOST_CONFIG", "")
        .env("PARAPOST_WAIT", "")
        .parapost(["list"])
        .run();
}

#[test]
fn every_command_has_help_with_an_example() {
    let help = Sandbox::new()
        .parapost(["--help"])
        .any_stdout()
        .run()
        .stdout;
    let (_, commands) = help.split_once("\nPlay:\n").unwrap();
    let (commands, _) = commands.split_once("\nOptions:\n").unwrap();
    let lines = commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = lines
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.contains(&"forget") && names.len() > 25, "{names:?}");
    for command in names {
        Sandbox::new()
            .parapost([command, "--help"])
            .stdout_contains("Usage: parapost ")
            .stdout_contains(&format!("  parapost {command}"))
            .stdout_contains("Example")
            .run();
    }
}

#[test]
fn a_reader_who_has_seen_enough_ends_the_program_quietly() {
    let test = Sandbox::new().parapost(["perft", "--game", "unachess", "--divide", "1"]);
    let mut child = test
        .command()
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    drop(test.any_stdout());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}
