//! What stands on a terminal of 40 columns: nothing is broken but prose, and that between words.

use parapost::rules::games;

use crate::commands::play::{demo, of};
use crate::support::parapost;
use crate::support::terminal::at_terminal;

const COLUMNS: u16 = 40;

fn sample(game: &str) -> String {
    format!("{}/games/{game}.txt", env!("CARGO_MANIFEST_DIR"))
}

/// The reserves stand below the board, and what is shown is read back as the same match.
#[test]
#[ignore = "takes long"]
fn boards_and_lists_fit() {
    for game in games::ALL {
        let (file, rules) = (sample(game.id), &game.rules);
        let checked = parapost(["check", &file]).any_stdout().any_stderr().run();
        let (checked, found) = (checked.stdout, checked.stderr);
        let diagram = parapost(["show", "--game", game.id, &file]);
        let diagram = diagram.any_stdout().run().stdout;
        for form in ["diagram", "post", "coords", "unicode"] {
            for more in [&[][..], &["--flip", "--mark"]] {
                let words = ["show", "--game", game.id, "--as", form, &file];
                let screen = at_terminal(parapost([&words, more].concat()), COLUMNS, "");
                let text = screen.text();
                assert!(
                    screen.columns() <= COLUMNS.into(),
                    "{form} {more:?}\n{text}"
                );
                let below = format!("\n\n{}'s pieces in reserve:\n  ", rules.players[0]);
                assert_eq!(text.contains(&below), rules.has_reserve(), "{text}");
                let read = ["check", "--game", game.id];
                let read = parapost(read)
                    .stdin(&text)
                    .any_stdout()
                    .stderr_contains(&format!("-: {}, ", game.name))
                    .run()
                    .stdout;
                let expected = if form == "diagram" {
                    &diagram
                } else {
                    &checked
                };
                assert_eq!(read, *expected, "{form} {more:?}\n{text}");
            }
        }
        let screen = at_terminal(parapost(["check", &file]), COLUMNS, "");
        assert!(screen.columns() <= COLUMNS.into(), "{}", screen.text());
        // Where there is room everything stands in its place.
        let wide = at_terminal(parapost(["check", &file]), 80, "").text();
        let words: Vec<&str> = found.split_whitespace().collect();
        let said = wide
            .strip_suffix(&checked)
            .unwrap_or_else(|| panic!("{wide}"));
        assert_eq!(said.split_whitespace().collect::<Vec<_>>(), words);
    }
}

#[test]
fn placements_are_broken_after_commas() {
    let moves = "1. K>e1,Q>d1,R>a1,R>h1,B>c1,B>f1,N>b1,N>g1,P>a2,P>b2,P>c2,P>d2";
    let words = ["legal", "--game", "kingchess", "--placements", "--moves"];
    let moves = format!("{moves} k>e8,q>d8,r>a8,r>h8,b>c8,b>f8,n>b8,n>g8,p>a7,p>b7,p>c7,p>d7");
    let line = || parapost(words).args([moves.as_str()]);
    let plain = line().any_stdout().run().stdout;
    assert!(plain.lines().all(|line| !line.starts_with(' ')));
    for (columns, is_broken) in [(12, true), (200, false)] {
        let screen = at_terminal(line(), columns, "");
        let text = screen.text();
        assert!(screen.columns() <= columns.into(), "{text}");
        assert_eq!(text.contains(",\n  "), is_broken, "{text}");
        assert_eq!(text.replace(",\n  ", ","), plain);
    }
}

/// The words of a screen, wherever its lines are broken.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn prose_is_broken_between_words() {
    let house = demo().file(
        "wrong.txt",
        "1. P>e3 n>g5\n2. P>e9 is my move, and I wonder what you make of it\n",
    );
    for line in [
        &["show", "nosuch"][..],
        &["check", "wrong.txt"],
        &["move", "demo", "P>e9"],
        &["list", "--games", "elsewhere"],
        &["archive", "games"],
        &["rules"],
        &["rules", "unachess"],
        &["verify", "demo"],
    ] {
        let run = |columns| at_terminal(house.parapost(of("anna", line)), columns, "");
        let (narrow, wide) = (run(COLUMNS), run(2000));
        let text = narrow.text();
        assert!(narrow.columns() <= COLUMNS.into(), "{text}");
        assert!(text.lines().count() > 1, "{text}");
        if line[0] != "check" {
            assert_eq!(words(&text), words(&wide.text()));
        }
    }
    let list = at_terminal(house.parapost(of("anna", &["list"])), COLUMNS, "");
    assert!(list.columns() <= COLUMNS.into(), "{}", list.text());
    let letter = "From: Ben <ben@example.org>\nTo: anna@example.org\nMessage-ID: <1@b.test>\nSubject: [demo]\n\n\
                  What a long sentence this is, which nobody would like to read\n\u{4}";
    let told = at_terminal(house.parapost(of("anna", &["receive"])), COLUMNS, letter);
    // What is typed stands there as it was typed.
    let (_, told) = told.sent.split_once("like to read").unwrap();
    for line in told.lines() {
        assert!(line.chars().count() <= COLUMNS.into(), "{told}");
    }
}
