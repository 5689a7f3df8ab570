//! A file changed by hand, cut or made of noise is refused with the line at fault.

use parapost::matches::r#match::Match;

use super::{example, line, refused};
use crate::support::chained;

/// What is changed, into what, on which line of the file (by how it begins)
/// the fault is then, and what is said.
const CHANGES: &[(&str, &str, &str, &str)] = &[
    ("Format: 1", "Format: 2", "Format", "this one knows form 1"),
    (
        "Format: 1",
        "Format: one",
        "Format",
        "no form of a state file",
    ),
    ("Format: 1\n", "", "Format", "no Format line"),
    ("Id: demo", "Id: ../demo", "Id", "no id"),
    (
        "Rules: unachess",
        "Rules: unches",
        "Rules",
        "did you mean 'unachess'?",
    ),
    (
        "Game: Unachess",
        "Game: Chess",
        "Game",
        "Rules are those of Unachess",
    ),
    (
        "Rules: unachess",
        "Rules: chess",
        "Game",
        "Game is 'Unachess'",
    ),
    (
        "Options: no-double-step, ",
        "Options: ",
        "Options",
        "but the match began with",
    ),
    ("Options: no", "Options: on", "Options", "has no option"),
    ("White: Anna", "White: Hanna", "White", "White is"),
    (
        "Black: Björn <ben@",
        "Black: Björn <eve@",
        "Black",
        "Black is",
    ),
    (
        "Black: Björn <ben@example.org>",
        "Black: Björn",
        "Black",
        "no mail address",
    ),
    ("Started: 2026", "Started: 2025", "Started", "Started is"),
    ("Time: 10d", "Time: ten", "Time", "no time for a move"),
    (
        "Result: *",
        "Result: 1-0",
        "Result",
        "is '1-0', but the log comes to '*'",
    ),
    ("Result: *\n", "", "Result", "there is no Result line"),
    (
        "Event: Autumn cup",
        "Event; Autumn cup",
        "Event",
        "no header line",
    ),
    (
        "Time: 10d",
        "Time: 10d\nTime: 9d",
        "Result",
        "Time is said twice",
    ),
    (
        "move White P>e3",
        "move White P>e9",
        "2026-11-20T03:00:00Z move",
        "cannot be played",
    ),
    (
        "move White P>e3",
        "move Black P>e3",
        "2026-11-20T03:00:00Z move",
        "it is White's turn",
    ),
    (
        "move White P>e3",
        "move White P>E3",
        "2026-11-20T03:00:00Z move",
        "is written P>e3",
    ),
    (
        "move White P>e3",
        "Move White P>e3",
        "2026-11-20T03:00:00Z move",
        "is no event",
    ),
    (
        "position msg=<",
        "position x=<",
        "2026-11-20T03:00:00Z owed",
        "there is no msg=",
    ),
    (
        "Z new - unachess",
        "Z old - unachess",
        "2026-11-20T03:00:00Z new",
        "begin with 'new'",
    ),
    (
        "Z note White \"a",
        "Z note White a",
        "2026-11-20T03:00:00Z note",
        "is no key=value",
    ),
];

#[test]
fn a_file_changed_by_hand_is_refused_with_the_line_at_fault() {
    let text = example();
    for (old, new, at, why) in CHANGES {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        let changed = text.replace(old, new);
        // As it is, and by somebody who knows how the log is chained.
        for changed in [&changed, &chained(&changed)] {
            let (number, error) = refused(changed);
            assert_eq!(number, line(&text, at), "{new}: {error}");
            assert!(error.contains(why), "{new}: {error}");
        }
    }
}

#[test]
fn every_changed_line_of_the_diagram_and_the_list_is_found() {
    let text = example();
    let lines: Vec<&str> = text.lines().collect();
    let (first, end) = (line(&text, "To move:") + 2, line(&text, "'>' places") - 1);
    for number in first..end {
        let join = |lines: Vec<&str>| format!("{}\n", lines.join("\n"));
        let mut changed = lines.clone();
        let other = format!("{} x", lines[number - 1]);
        changed[number - 1] = &other;
        let mut missing = lines.clone();
        missing.remove(number - 1);
        let mut added = lines.clone();
        added.insert(number, "something else");
        for (text, near) in [(changed, 0), (missing, 1), (added, 1)] {
            let (found, error) = refused(&join(text));
            assert!(found.abs_diff(number) <= near, "{number}: {error}");
        }
    }
}

/// What is for people alone is written anew; what a person wrote there is kept.
#[test]
fn a_changed_line_beside_the_diagram_and_the_list_is_a_comment() {
    let text = example();
    let lines: Vec<&str> = text.lines().collect();
    let [move_, signs, log] = ["To move:", "'>' places", "Log"].map(|begin| line(&text, begin));
    for number in std::iter::once(move_).chain(signs..log - 1) {
        let read = |lines: &[&str]| {
            let text = format!("{}\n", lines.join("\n"));
            let game: Match = text
                .parse()
                .unwrap_or_else(|error| panic!("{error}\n{text}"));
            game.to_string()
        };
        let mut changed = lines.clone();
        changed.insert(number, "A zebra: says the person");
        if number != move_ {
            changed.insert(number, "");
        }
        changed.insert(number + 1, "");
        let kept = text.replace("\nChain:", "\nComment: A zebra: says the person\nChain:");
        let changed: Vec<&str> = changed.into_iter().collect();
        assert_eq!(read(&changed), kept);
        assert_eq!(read(&kept.lines().collect::<Vec<_>>()), kept);
        let mut missing = lines.clone();
        missing.remove(number - 1);
        assert_eq!(read(&missing), text, "{number}");
    }
    for row in ["3.  N>c3", "- - - - - - - -"] {
        let text = text.replace("\nLog\n", &format!("\n{row}\n\nLog\n"));
        refused(&text);
    }
}

#[test]
fn a_move_that_was_cut_out_of_the_log_is_missed() {
    let text = example();
    let gone = line(&text, "2026-11-20T03:00:00Z note") - 1;
    let mut lines: Vec<&str> = text.lines().collect();
    assert!(lines.remove(gone - 1).contains("move Black n-e6"));
    let cut = lines.join("\n") + "\n";
    let (number, error) = refused(&cut);
    assert_eq!(number, gone, "the line that follows: {error}");
    assert!(error.contains("one before it is missing"), "{error}");
    // Chained anew, it is the first row of the diagram that is not what the
    // rest comes to.
    let (number, error) = refused(&chained(&cut));
    assert!(number > 12 && number < line(&text, "Log"), "{error}");
}

#[test]
fn a_log_without_its_heading_is_named_where_it_begins() {
    let text = example();
    let begins = line(&text, "2026-11-20T03:00:00Z new");
    let (number, error) = refused(&text.replace("\nLog\n", "\n"));
    assert_eq!(number, begins - 1, "{error}");
    assert!(error.contains("the log begins here"), "{error}");
}

#[test]
fn a_file_that_was_cut_anywhere_is_refused() {
    let text = example();
    // Some editors leave out the last line end.
    let whole = text.trim_end().parse::<Match>().unwrap();
    assert_eq!(whole.to_string(), text);
    for end in (0..text.len() - 1).filter(|end| text.is_char_boundary(*end)) {
        let cut = &text[..end];
        let (number, error) = refused(cut);
        let last = cut.lines().count().max(1);
        assert!(number <= last, "line {number} of {last}: {error}");
    }
}

#[test]
fn noise_is_refused() {
    let mut random = fastrand::Rng::with_seed(1);
    let text = example();
    for _ in 0..300 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..bytes.len());
            bytes[at] = random.u8(..);
        }
        // Whatever comes of it, it is no panic.
        let _ = String::from_utf8_lossy(&bytes).parse::<Match>();
    }
    for text in [
        "",
        "\n",
        "\n\n\n",
        "Log\n",
        "Format: 1\n",
        "Format: 1\n\nLog\n",
        "\u{0}\n",
    ] {
        assert!(text.parse::<Match>().is_err(), "{text:?}");
    }
}
