//! What is said of a match: that it is over, and how; whose turn it is; that a mail lies in a folder.

use serde_json::Value;

use crate::commands::play::{DEMO, demo, of};
use crate::support::Sandbox;
use crate::support::terminal::at_terminal;

/// A match after `1. P>e3 n>g5` that Black has resigned.
fn resigned() -> Sandbox {
    let house = demo();
    for words in [
        &["move", "demo", "P>e3"][..],
        &["undo", "demo"],
        &["move", "demo", "P>e3"],
    ] {
        house.parapost(of("anna", words)).any_stderr().run();
    }
    for words in [&["move", "demo", "n>g5"][..], &["resign", "demo", "--yes"]] {
        house.parapost(of("ben", words)).any_stderr().run();
    }
    house
}

fn shown(house: &Sandbox, words: &[&str]) -> String {
    let words = [&["show", "demo"], words].concat();
    let run = house.parapost(of("anna", &words)).any_stdout().run();
    run.stdout
}

fn json(house: &Sandbox, words: &[&str]) -> Value {
    serde_json::from_str(&shown(house, words)).unwrap()
}

#[test]
fn a_finished_match_says_so_in_every_form_and_reads_back() {
    let house = resigned();
    for form in [
        "post", "coords", "unicode", "bbcode", "markdown", "svg", "html",
    ] {
        let text = shown(&house, &["--as", form]);
        assert!(
            text.contains("Black resigns, White wins."),
            "{form}\n{text}"
        );
        assert!(!text.contains("White to move."), "{form}\n{text}");
        let check = house.parapost(["check"]).stdin(text.as_str());
        check
            .stdout_contains("1.  P>e3    n>g5\n")
            .stderr("-: Unachess, 2 half-moves, White to move\n")
            .run();
        // At an earlier position it goes on.
        let text = shown(&house, &["--as", form, "--at", "1"]);
        assert!(!text.contains("resigns"), "{form}\n{text}");
    }
    let svg = shown(&house, &["--as", "svg"]);
    let title =
        "<title>Unachess. Last move: 1... n>g5. Black resigns, White wins. White: pawn on e3.";
    assert!(svg.contains(title), "{svg}");
    for words in [&["--json"][..], &["--as", "json"]] {
        let told = json(&house, words);
        assert_eq!(told["status"], "resignation");
        assert_eq!(told["result"], "1-0");
        assert_eq!(told["ending"], "Black resigns, White wins.");
    }
    let then = json(&house, &["--json", "--at", "1"]);
    assert_eq!(then["status"], "ongoing");
    assert_eq!(then["result"], Value::Null);
    // The text alone tells of no resignation.
    let mate = "Rules: chess\n\n1. f3 e5 2. g4 Qh4#\n";
    let told = house.parapost(["show", "--as", "json"]).stdin(mate);
    let told: Value = serde_json::from_str(&told.any_stdout().run().stdout).unwrap();
    assert_eq!(told["status"], "checkmate");
    assert_eq!(told["result"], "0-1");
    assert_eq!(told["ending"], "Black has won by checkmate.");
}

#[test]
fn a_draw_by_agreement_is_no_game_that_goes_on() {
    let house = demo();
    for (who, words) in [
        ("anna", &["move", "demo", "P>e3"][..]),
        ("ben", &["draw", "offer", "demo"]),
        ("anna", &["draw", "accept", "demo"]),
    ] {
        house.parapost(of(who, words)).any_stderr().run();
    }
    let post = shown(&house, &["--as", "post"]);
    assert!(
        post.ends_with("\nThe game is drawn by agreement.\n"),
        "{post}"
    );
    let told = json(&house, &["--json"]);
    assert_eq!(told["status"], "draw-agreed");
    assert_eq!(told["result"], "1/2-1/2");
}

#[test]
fn at_a_terminal_a_match_begins_with_what_it_waits_for() {
    let house = demo();
    let at = |who: &str, words: &[&str], columns| {
        let words = [&["show", "demo"], words].concat();
        at_terminal(house.parapost(of(who, &words)), columns, "").text()
    };
    let begins = |text: &str, expected: [&str; 3]| {
        let lines: Vec<&str> = text.lines().take(4).collect();
        assert_eq!(lines[..3], expected, "{text}");
        assert_eq!(lines[3], "", "{text}");
    };
    begins(
        &at("anna", &[], 80),
        [
            "demo: Unachess, against Ben (Black)",
            "Your move since Friday, 20 November 2026, 03:00 UTC",
            "No move has been made.",
        ],
    );
    let plays = ["move", "demo", "P>e3"];
    house.parapost(of("anna", &plays)).any_stderr().run();
    begins(
        &at("anna", &[], 80),
        [
            "demo: Unachess, against Ben (Black)",
            "Ben (Black) is to move since Friday, 20 November 2026, 03:00 UTC",
            "Last move: 1. P>e3. 1 mail is owed.",
        ],
    );
    house.parapost(of("anna", &["send"])).any_stderr().run();
    begins(
        &at("ben", &[], 80),
        [
            "demo: Unachess, against Anna (White)",
            "Your move since Friday, 20 November 2026, 03:00 UTC",
            "Last move: 1. P>e3. 1 mail is unsent in a folder.",
        ],
    );
    // However narrow, it has three lines.
    let narrow = at("eve", &[], 30);
    assert!(
        narrow.starts_with("demo: Unachess, Anna (White) "),
        "{narrow}"
    );
    assert!(
        narrow
            .lines()
            .take(4)
            .all(|line| line.chars().count() <= 30),
        "{narrow}"
    );
    assert_eq!(narrow.lines().nth(3), Some(""), "{narrow}");
    // A form that is named is for posting, and so is a pipe.
    for words in [
        &["--as", "diagram"][..],
        &["--as", "post"],
        &["--json"],
        &["--at", "0"],
    ] {
        let text = at("anna", words, 80);
        assert!(!text.contains("against"), "{text}");
    }
    let piped = shown(&house, &[]);
    assert!(piped.starts_with("- - - -"), "{piped}");
    house
        .parapost(of("ben", &["resign", "demo", "--yes"]))
        .any_stderr()
        .run();
    let over = at("anna", &[], 80);
    assert!(
        over.contains("\nBlack resigns, White wins: 1-0\n"),
        "{over}"
    );
}

#[test]
fn mail_in_a_folder_is_nowhere_called_sent() {
    let house = crate::commands::play::house();
    let words = [DEMO, &["--send"]].concat();
    let began = house
        .parapost(of("anna", &words))
        .any_stdout()
        .any_stderr()
        .run();
    let lies = "the mail lies in games/outbox/demo.";
    let set_up = ".eml; no mail server is set up (parapost init)\n";
    assert!(
        began.stderr.contains(lies) && began.stderr.ends_with(set_up),
        "{}",
        began.stderr
    );
    let plays = ["move", "demo", "P>e3", "--send", "--json"];
    let played = house
        .parapost(of("anna", &plays))
        .any_stdout()
        .any_stderr()
        .run();
    assert!(played.stderr.contains(lies), "{}", played.stderr);
    let path = played.stderr.split("lies in ").nth(1).unwrap();
    let (path, _) = path.split_once(';').unwrap();
    assert!(house.read(path).contains("P>e3"), "{path}");
    let list = house
        .parapost(of("anna", &["list"]))
        .any_stdout()
        .run()
        .stdout;
    assert!(
        list.ends_with("Black to move, 2 mails unsent in a folder\n"),
        "{list}"
    );
    let list = house
        .parapost(of("anna", &["list", "--json"]))
        .any_stdout()
        .run()
        .stdout;
    let told: Value = serde_json::from_str(&list).unwrap();
    assert_eq!(told["matches"][0]["filed"], 2);
    assert_eq!(told["matches"][0]["owed"], 0);
    let log = house.read("games/demo.txt");
    assert_eq!(log.matches(" sent Black ").count(), 2, "{log}");
    assert_eq!(log.matches(" by=folder").count(), 2, "{log}");
    for said in [&began.stderr, &played.stderr, &list] {
        assert!(!said.contains(" sent"), "{said}");
    }
    // Whoever reads that folder may have taken it.
    house
        .parapost(of("anna", &["undo", "demo"]))
        .status(1)
        .stderr_contains(
            "lies in a folder, from where it may have been taken\n'parapost takeback propose demo'",
        )
        .run();
    // A letter of Ben's shows that they have come.
    let letter = "From: ben@example.org\nSubject: [demo]\nMessage-ID: <1@b.test>\n\nn>g5\n";
    let taken = house.parapost(of("anna", &["receive"])).stdin(letter);
    taken.any_stdout().any_stderr().run();
    let list = house
        .parapost(of("anna", &["list"]))
        .any_stdout()
        .run()
        .stdout;
    assert!(list.ends_with("White to move (you)\n"), "{list}");
    // In a folder that somebody has named, somebody sees to it.
    let config = house.read("anna.toml") + "[transport]\nkind = \"folder\"\npath = \"out\"\n";
    let house = house.file("anna.toml", config);
    let plays = ["move", "demo", "B>f4", "--send"];
    let played = house.parapost(of("anna", &plays)).any_stderr().run().stderr;
    assert!(
        played.contains("the mail lies in ") && played.ends_with(".eml\n"),
        "{played}"
    );
}

#[test]
fn at_a_terminal_a_match_has_edges_and_its_moves_and_its_opponent_is_never_nameless() {
    let house = resigned();
    let screen = at_terminal(house.parapost(of("anna", &["show", "demo"])), 80, "").text();
    for line in ["8  - - - -", "   a b c d e f g h", "1.  P>e3    n>g5\n"] {
        assert!(screen.contains(line), "{screen}");
    }
    let new = [
        "new",
        "--id",
        "nn",
        "--game",
        "chess",
        "--as",
        "black",
        "carl@example.org",
    ];
    let screen = at_terminal(house.parapost(of("anna", &new)), 80, "").text();
    for line in [
        "nn: Chess; you play Black against carl@example.org.\n",
        "The first move comes by mail, which this reads:\n  parapost fetch --send\n",
    ] {
        assert!(screen.contains(line), "{screen}");
    }
    assert!(screen.contains("NAME <carl@example.org>"), "{screen}");
    let screen = at_terminal(house.parapost(of("anna", &["show", "nn"])), 80, "").text();
    assert!(
        screen.contains("against carl@example.org (White)\n"),
        "{screen}"
    );
    // What is for others has no address.
    for form in ["post", "pgn"] {
        let text = house
            .parapost(of("anna", &["show", "nn", "--as", form]))
            .any_stdout()
            .run()
            .stdout;
        assert!(!text.contains('@'), "{text}");
    }
    let screen = at_terminal(house.parapost(of("anna", &["mail", "list"])), 80, "").text();
    let told = "nn: the mail 2 (invitation) to carl@example.org is owed since Friday, 20";
    assert!(screen.contains(told), "{screen}");
}

#[test]
fn in_chess_an_ordinary_move_is_not_remarked_on() {
    let house = crate::commands::play::house();
    for (id, game, text, is_remarked_on) in [
        ("c", "chess", "Nf3", false),
        ("u", "unachess", "N@f3", true),
    ] {
        let new = ["new", "--id", id, "--game", game, "ben@example.org"];
        house
            .parapost(of("anna", &new))
            .any_stdout()
            .any_stderr()
            .run();
        let run = house
            .parapost(of("anna", &["move", id, text]))
            .any_stderr()
            .run();
        assert_eq!(
            run.stderr.contains("warning"),
            is_remarked_on,
            "{}",
            run.stderr
        );
    }
}
