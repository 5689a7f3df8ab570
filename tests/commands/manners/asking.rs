//! What is asked of, and said to, the person at the keyboard.

use crate::commands::play::{demo, game, of, refused};
use crate::support::parapost;
use crate::support::terminal::at_terminal;

/// At a terminal, `check` and `show` stood still without a word.
#[test]
fn a_command_that_reads_the_keyboard_says_so() {
    for command in ["check", "show"] {
        let screen = at_terminal(parapost([command]), 80, "1. P>e3 n>g5\n\u{4}");
        let text = screen.text();
        assert!(
            text.contains("Type or paste a text (Ctrl-C stops this"),
            "{text}"
        );
        assert_eq!(screen.status, 0, "{text}");
    }
    parapost(["check"])
        .stdin("1. P>e3\n")
        .any_stdout()
        .stderr("-: Unachess, 1 half-move, Black to move\n")
        .run();
    let house = demo();
    let letter = "From: eve@example.org\n\nhello\n\u{4}";
    let text = at_terminal(house.parapost(of("ref", &["receive"])), 80, letter).text();
    assert!(
        text.contains("Type or paste a message; Ctrl-D ends it"),
        "{text}"
    );
}

#[test]
fn who_resigns_at_a_terminal_is_asked() {
    let house = demo();
    let resign = |more: &[&str], typed: &str| {
        let words = [&["resign", "demo"], more].concat();
        at_terminal(house.parapost(of("anna", &words)), 80, typed)
    };
    for typed in ["n\n", "\n", "\u{4}"] {
        let screen = resign(&[], typed);
        let text = screen.text();
        assert!(
            text.contains("demo: resign as White against Ben, after 0 half-moves? [y/n]"),
            "{text}"
        );
        assert!(text.contains("nobody has resigned"), "{text}");
        assert_eq!(screen.status, 1);
        assert!(game(&house).turn().is_some());
    }
    assert_eq!(resign(&[], "y\n").status, 0);
    assert!(game(&house).turn().is_none());
    // Who cannot resign is not asked.
    let again = resign(&[], "y\n");
    assert!(!again.text().contains("[y/n]"), "{}", again.text());
    assert_eq!(again.status, 1);
    house
        .parapost(of("anna", &["undo", "demo"]))
        .any_stderr()
        .run();
    let screen = resign(&["--yes"], "");
    assert!(!screen.text().contains("[y/n]"), "{}", screen.text());
    assert!(game(&house).turn().is_none());
}

#[test]
fn a_resignation_is_taken_back_while_its_mail_is_here() {
    let house = demo();
    let run = |who: &str, words: &[&str]| {
        house
            .parapost(of(who, words))
            .any_stdout()
            .any_stderr()
            .run();
    };
    refused(
        &house,
        of("anna", &["undo", "demo"]),
        1,
        "nothing has been played",
    );
    run("anna", &["move", "demo", "P>e3", "--send"]);
    run("anna", &["resign", "demo"]);
    refused(
        &house,
        of("ben", &["undo", "demo"]),
        1,
        "the last move was White's",
    );
    house
        .parapost(of("anna", &["undo", "demo"]))
        .stderr("demo: the resignation is taken back\n")
        .run();
    assert!(game(&house).turn().is_some() && game(&house).owed().is_empty());
    assert_eq!(game(&house).record().steps().len(), 1);
    let text = house.read("games/demo.txt");
    assert!(text.contains(" undo White resign"), "{text}");
    run("anna", &["verify", "demo"]);
    // The match goes on as if nothing had been.
    run("ben", &["move", "demo", "n>g5", "--send"]);
    run("anna", &["resign", "demo", "--send"]);
    refused(&house, of("anna", &["undo", "demo"]), 1, "has gone or come");
}

/// A letter that came meanwhile was answered as one to a match that is over.
#[test]
fn a_resignation_that_a_letter_has_met_stays() {
    let house = demo();
    let run = |words: &[&str]| {
        house
            .parapost(of("anna", words))
            .any_stdout()
            .any_stderr()
            .run();
    };
    run(&["move", "demo", "P>e3", "--send"]);
    run(&["resign", "demo"]);
    let letter = "From: Ben <ben@example.org>\nTo: anna@example.org\nSubject: [demo]\nMessage-ID: <1@b.test>\n\nn>g5\n";
    let receive = house.parapost(of("anna", &["receive"])).stdin(letter);
    receive.status(1).any_stderr().stdout_contains("over").run();
    refused(&house, of("anna", &["undo", "demo"]), 1, "has gone or come");
}

#[test]
fn a_misspelt_game_at_the_question_is_answered_with_the_near_one() {
    let house = crate::commands::play::house();
    let line = of("anna", &["new", "--id", "g", "Ben <ben@example.org>"]);
    let screen = at_terminal(house.parapost(line), 80, "kingches\n99\nkingchess\n");
    let text = screen.text();
    assert!(text.contains("did you mean 'kingchess'?"), "{text}");
    assert!(text.contains("no game has that number or name"), "{text}");
    assert_eq!(screen.status, 0, "{text}");
}
