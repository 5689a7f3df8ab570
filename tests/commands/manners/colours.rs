//! Colours where they are wanted, and nowhere else.

use crate::commands::play::{demo, of};
use crate::support::parapost;
use crate::support::terminal::{at_plain_terminal, at_terminal, without_colours};

const WRONG: &str = "1. P>e9 n>g5\n";

#[test]
fn a_terminal_gets_colours_for_diagnostics_board_and_list() {
    let house = demo().file("wrong.txt", WRONG);
    for (words, status) in [
        (&["list"][..], 0),
        (&["show", "demo"], 0),
        (&["show", "--as", "unicode", "demo"], 0),
        (&["check", "wrong.txt"], 1),
        (&["show", "nosuch"], 1),
        (&["--help"], 0),
        (&["frobnicate"], 2),
    ] {
        let run = || house.parapost(of("anna", words));
        let screen = at_terminal(run(), 80, "");
        assert!(screen.is_painted(), "{words:?}: {}", screen.sent);
        assert_eq!(screen.status, status, "{words:?}");
        for (key, value) in [("NO_COLOR", "1"), ("CLICOLOR", "0"), ("TERM", "dumb")] {
            let run = run()
                .env("NO_COLOR", "")
                .env("TERM", "xterm")
                .env(key, value);
            let screen = at_plain_terminal(&run, 80, "");
            assert!(!screen.is_painted(), "{words:?} {key}: {}", screen.sent);
        }
        let never = run().args(["--color", "never"]);
        assert!(!at_terminal(never, 80, "").is_painted(), "{words:?}");
    }
}

#[test]
fn what_is_no_terminal_gets_colours_only_by_force() {
    let house = demo().file("wrong.txt", WRONG);
    for (words, status) in [
        (&["show", "demo"][..], 0),
        (&["check", "wrong.txt"], 1),
        (&["show", "nosuch"], 1),
    ] {
        let run = || {
            let run = house.parapost(of("anna", words)).env("NO_COLOR", "");
            let run = run.env("TERM", "xterm").status(status);
            run.any_stdout().any_stderr()
        };
        let plain = run().run();
        let plain = plain.stdout + &plain.stderr;
        assert!(!plain.contains('\u{1b}'), "{plain}");
        for forced in [
            run().env("CLICOLOR_FORCE", "1"),
            run().args(["--color=always"]).env("NO_COLOR", "1"),
        ] {
            let forced = forced.run();
            let forced = forced.stdout + &forced.stderr;
            assert!(forced.contains('\u{1b}'), "{forced}");
            assert_eq!(without_colours(&forced), plain);
        }
    }
}

/// The colours of a board stand around the letters, so that nothing moves.
#[test]
#[ignore = "takes long"]
fn a_board_in_colours_is_the_board() {
    for game in ["unachess", "shogi", "kingchess"] {
        let list = std::fs::read(format!("games/{game}.txt")).unwrap();
        for form in ["diagram", "post", "coords", "unicode"] {
            for more in [&[][..], &["--flip"], &["--mark"]] {
                let words = ["show", "--game", game, "--as", form, "--at", "0"];
                let run = || {
                    let run = parapost([&words, more].concat()).stdin(&list);
                    run.any_stdout().any_stderr()
                };
                let plain = run().run().stdout;
                let painted = run().args(["--color", "always"]).run().stdout;
                assert_ne!(painted, plain, "{game} {form}");
                assert_eq!(without_colours(&painted), plain, "{game} {form}");
            }
        }
        for form in ["fen", "json", "markdown", "bbcode", "svg"] {
            let words = ["show", "--game", game, "--as", form, "--color=always", "-"];
            let run = parapost(words).stdin(&list).any_stderr();
            assert!(!run.any_stdout().run().stdout.contains('\u{1b}'), "{form}");
        }
    }
}

#[test]
fn a_file_gets_no_colours() {
    let house = demo();
    house
        .parapost(["show", "--color", "always", "-o", "out.txt", "demo"])
        .run();
    assert!(!house.read("out.txt").contains('\u{1b}'));
}

/// What stands in a text that is judged stays harmless in colours, too.
#[test]
fn colours_let_no_escape_of_a_text_through() {
    let evil = "1. P>e9\u{1b}[2J\u{9b}31m\u{202e}\u{7} n>g5\n";
    let name = "a\u{1b}]0;x\u{7}.txt";
    let house = demo().file(name, evil);
    let run = house
        .parapost(["check", "--color=always", &format!("./{name}")])
        .status(1);
    let told = run.any_stderr().run().stderr;
    let text = without_colours(&told);
    let is_wild = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    assert!(!text.contains(is_wild), "{text:?}");
    let run = house.parapost(["list", "--color=always", "--\u{1b}[2J"]);
    let told = run.status(2).any_stderr().run().stderr;
    assert!(!told.contains('\u{1b}'), "{told:?}");
}
