//! The list of matches at a terminal.

use crate::commands::play::{house, of};
use crate::support::Sandbox;
use crate::support::terminal::at_terminal;

const LONG: &str = "Maximiliane Wilhelmine von Hohenlohe-Waldenburg <anna@example.org>";

/// Two matches: of somebody with a long name, and of somebody with a Japanese one.
fn matches() -> Sandbox {
    let house = house();
    for (id, white, black) in [
        ("k7f3qd", LONG, "Ben <ben@example.org>"),
        (
            "meijin",
            "Anna <anna@example.org>",
            "羽生善治 <habu@example.org>",
        ),
        ("x", "Anna <anna@example.org>", "Ben <ben@example.org>"),
    ] {
        house
            .parapost(["new", "--game", "unachess", "--id", id, "--time", "10d"])
            .args(["--white", white, "--black", black])
            .any_stdout()
            .any_stderr()
            .run();
    }
    house
}

#[test]
fn a_list_for_people_has_a_heading_and_fits_the_terminal() {
    let house = matches();
    for columns in [200, 80, 40] {
        let screen = at_terminal(house.parapost(of("anna", &["list"])), columns, "");
        let text = screen.text();
        assert!(screen.columns() <= columns.into(), "{columns}:\n{text}");
        assert_eq!(text.contains("ID      GAME"), columns > 40, "{text}");
        for part in ["k7f3qd", "羽生善治", "White to move", "unachess"] {
            assert!(text.contains(part), "{part}:\n{text}");
        }
    }
}

#[test]
fn wide_letters_do_not_move_the_columns() {
    let house = matches();
    let screen = at_terminal(house.parapost(of("anna", &["list"])), 200, "");
    let text = screen.text();
    let place = |line: &str| {
        use unicode_width::UnicodeWidthStr as _;
        let (before, _) = line.split_once("0 half-moves").expect("a standing");
        before.width()
    };
    let places: Vec<usize> = text.lines().skip(1).map(place).collect();
    assert_eq!(places.len(), 3, "{text}");
    assert!(places.iter().all(|at| *at == places[0]), "{text}");
}

#[test]
fn an_empty_list_says_to_people_what_to_do() {
    let house = house();
    let screen = at_terminal(house.parapost(of("anna", &["list"])), 80, "");
    assert_eq!(screen.status, 0);
    let text = screen.text();
    assert!(
        text.contains("parapost list --all") && text.contains("games"),
        "{text}"
    );
    let screen = at_terminal(house.parapost(of("anna", &["list", "--all"])), 80, "");
    let text = screen.text();
    assert!(text.contains("parapost new"), "{text}");
    // Programs get nothing.
    house.parapost(of("anna", &["list"])).run();
}

/// A pipe gets what it has always got.
#[test]
fn a_list_for_programs_has_no_heading_and_is_not_cut() {
    let house = matches();
    let list = house
        .parapost(of("anna", &["list"]))
        .any_stdout()
        .run()
        .stdout;
    assert_eq!(list.lines().count(), 3);
    assert!(list.starts_with(
        "k7f3qd  unachess  Maximiliane Wilhelmine von Hohenlohe-Waldenburg - Ben  0 half-moves, White to move"
    ), "{list}");
}
