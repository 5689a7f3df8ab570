//! Words for the opponent, and `new` with an address alone.

use crate::commands::play::{house, of, refused};
use crate::support::Sandbox;
use crate::support::terminal::{at_plain_terminal, by_shell};

/// Anna's match `demo`, to which she has invited Ben.
fn begun(house: &Sandbox, more: &[&str]) -> String {
    let line = [
        &["new", "--game", "unachess", "--id", "demo", "--print"],
        more,
        &["Ben <ben@example.org>"],
    ]
    .concat();
    let run = house
        .parapost(of("anna", &line))
        .any_stdout()
        .any_stderr()
        .run();
    run.stdout.replace("\r\n", "\n")
}

#[test]
fn an_address_alone_is_enough_for_a_match() {
    let house = house();
    let mail = begun(&house, &[]);
    assert!(mail.contains("\nTo: Ben <ben@example.org>\n"), "{mail}");
    let file = house.read("games/demo.txt");
    assert!(
        file.contains("\nWhite: Anna <anna@example.org>\nBlack: Ben <ben@example.org>\n"),
        "{file}"
    );
    assert!(!mail.contains("by lot"), "{mail}");

    let house = super::play::house();
    begun(&house, &["--as", "black"]);
    let file = house.read("games/demo.txt");
    assert!(
        file.contains("\nWhite: Ben <ben@example.org>\nBlack: Anna <anna@example.org>\n"),
        "{file}"
    );

    let (mut white, mut black) = (0, 0);
    while white == 0 || black == 0 {
        let house = super::play::house();
        let mail = begun(&house, &["--as", "random"]);
        assert!(mail.contains("was drawn by lot"), "{mail}");
        let is_white = house.read("games/demo.txt").contains("\nWhite: Anna");
        white += usize::from(is_white);
        black += usize::from(!is_white);
        assert!(white + black < 100, "{white} of 100");
    }
}

#[test]
fn what_is_missing_is_asked_for_or_named() {
    let house = house();
    for (line, why) in [
        (
            &["new", "--game", "unachess"][..],
            "whom do you want to play?",
        ),
        (
            &["new", "ben@example.org"],
            "which game? Name it by --game: unachess, ",
        ),
        (
            &["new", "--game", "chess", "anna@example.org"],
            "this is your own address",
        ),
        (
            &["new", "--game", "chess", "--white", "a@b.test"],
            "--black",
        ),
        (
            &[
                "new", "--game", "chess", "--as", "black", "--white", "a@b.test", "--black",
                "c@d.test",
            ],
            "",
        ),
        (
            &[
                "new",
                "--game",
                "chess",
                "--until",
                "2026-11-18",
                "ben@example.org",
            ],
            "this day has passed",
        ),
        (
            &[
                "new",
                "--game",
                "chess",
                "--until",
                "tomorrow",
                "ben@example.org",
            ],
            "write it like 2026-12-01",
        ),
        (
            &["new", "--rematch", "demo", "--game", "chess"],
            "--rematch",
        ),
        (&["move", "demo", "P>e3", "--say"], "at a terminal alone"),
        (&["say", "demo"], "no match 'demo'"),
    ] {
        let status = if line[0] == "say" || line[0] == "move" {
            1
        } else {
            2
        };
        let run = house
            .parapost(of("anna", line))
            .status(status)
            .any_stderr()
            .run();
        let is_said = run.stderr.contains(why) || line[0] == "move" || line[0] == "say";
        assert!(is_said, "{why}: {}", run.stderr);
    }
    let nobody = Sandbox::new().dir("games");
    nobody
        .parapost(["new", "--game", "chess", "ben@example.org"])
        .status(2)
        .stderr_contains("'parapost init' asks for it")
        .run();
    let asked = at_plain_terminal(
        &house.parapost(of("anna", &["new", "--id", "demo", "ben@example.org"])),
        80,
        "nothing\n4\n",
    );
    assert_eq!(asked.status, 0, "{}", asked.text());
    for line in [
        "Which game?",
        "  1  Unachess        Chess on an empty board\n",
        "  4  Unashogi",
    ] {
        assert!(asked.text().contains(line), "{}", asked.text());
    }
    assert!(house.read("games/demo.txt").contains("\nRules: unashogi\n"));
}

#[test]
fn words_go_with_a_move_or_by_themselves() {
    let house = house();
    begun(&house, &[]);
    let anna = |line: &[&str]| house.parapost(of("anna", line));
    let run = anna(&[
        "move",
        "demo",
        "P>e3",
        "--say",
        "Your turn!\n\nresign",
        "--print",
    ])
    .any_stdout()
    .run();
    let mail = run.stdout.replace("\r\n", "\n");
    assert!(
        mail.contains("\nAnna writes:\n\n> Your turn!\n>\n> resign\n"),
        "{mail}"
    );
    let run = anna(&["say", "demo", "-", "--print"])
        .stdin("Bcc: x@y.test\n\nn>g5 — überlegt?\n")
        .any_stdout()
        .run();
    let mail = run.stdout.replace("\r\n", "\n");
    assert!(
        mail.contains("\nSubject: [demo] Unachess: Anna - Ben\n"),
        "{mail}"
    );
    let (head, _) = mail.split_once("\n\n").unwrap();
    assert!(!head.contains("Bcc"), "{head}");
    let log = house.read("games/demo.txt");
    assert_eq!(log.matches(" note White \"").count(), 2, "{log}");
    for (words, why) in [
        (
            "a\u{1b}[2Jb",
            "line 1, column 2: the character U+001B cannot be seen",
        ),
        (" ", "there are no words"),
        (
            &"x".repeat(4001),
            "your words have 4001 characters, and a mail carries 4000",
        ),
    ] {
        refused(&house, of("anna", &["say", "demo", words]), 1, why);
    }
    let note = anna(&["note", "demo", "watch h1"]).any_stderr().run();
    assert!(
        note.stderr.contains("it is mailed to nobody"),
        "{}",
        note.stderr
    );
    let log = house.read("games/demo.txt");
    assert!(
        log.trim_end()
            .lines()
            .last()
            .unwrap()
            .contains(" note White \"watch h1\""),
        "{log}"
    );
    anna(&["say", "demo", "hello"]).any_stderr().run();
    refused(
        &house,
        of("anna", &["move", "demo", "P>e4", "--say"]),
        1,
        "it is Black's turn",
    );
    refused(
        &house,
        of("anna", &["say", "demo"]),
        2,
        "at a terminal alone",
    );
}

#[test]
fn words_are_written_in_the_editor_at_a_terminal() {
    let house = house().file("editor", "#!/bin/sh\necho 'Written here.' > \"$2\"\n");
    begun(&house, &[]);
    let test = house
        .parapost(of("anna", &["move", "demo", "P>e3", "--say"]))
        .env("EDITOR", "false")
        .env("VISUAL", "sh ./editor --wait");
    let program = test.command();
    let line = format!(
        "exec '{}' --config anna.toml move demo 'P>e3' --say",
        program.get_program().to_str().unwrap()
    );
    let screen = by_shell(&program, 80, &line, "");
    assert_eq!(screen.status, 0, "{}", screen.text());
    assert!(
        house
            .read("games/demo.txt")
            .contains(" note White \"Written here.\"")
    );
    // An editor that fails plays nothing.
    let test = house
        .parapost(of("anna", &["say", "demo"]))
        .env("EDITOR", "false");
    let program = test.command();
    let line = format!(
        "exec '{}' --config anna.toml say demo",
        program.get_program().to_str().unwrap()
    );
    let screen = by_shell(&program, 80, &line, "");
    assert_eq!(screen.status, 1, "{}", screen.text());
    assert!(
        screen.text().contains("nothing is done"),
        "{}",
        screen.text()
    );
}
