//! The sample matches of `games/`: whole records that can be read, checked and shown, one of every game to its end.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use parapost::matches::r#match::Match;
use parapost::rules::{Record, games};

use crate::support::Sandbox;

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("games")
        .join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_game_has_a_finished_sample() {
    for game in games::ALL {
        let text = sample(&format!("{}.txt", game.id));
        let sample = Match::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", game.id));
        assert_eq!(sample.variant().game().id, game.id);
        assert!(
            sample.record().outcome().is_some(),
            "{} is not finished",
            game.id
        );
        assert_eq!(
            sample.to_string(),
            text,
            "{} is not as it would be written",
            game.id
        );
    }
}

/// The diagram of where a record stands, and its list.
fn shown(record: &Record) -> (String, String) {
    let diagram = parapost::notation::diagram::Diagram::of(record.position());
    let list = parapost::notation::move_list::MoveList::of(record);
    (diagram.to_string(), list.to_string())
}

/// What `check` says that it found in a text with a record: `stated` is what the text says of its result.
fn found(record: &Record, file: &str, stated: &str) -> String {
    let variant = record.position().variant();
    let plies = record.steps().len();
    let end = match record.outcome() {
        Some(outcome) => format!("over by {}", outcome.reason),
        None => format!("{} to move", variant.player(record.position().turn())),
    };
    let name = variant.game().name;
    format!("{file}: {name}, {plies} half-moves, {stated}{end}\n")
}

#[test]
#[ignore = "takes long"]
fn a_sample_is_checked_and_shown_like_any_text() {
    for game in games::ALL {
        let text = sample(&format!("{}.txt", game.id));
        let sandbox = Sandbox::new().file("sample.txt", &text);
        let sample = Match::from_str(&text).expect("a sample");
        let (diagram, list) = shown(sample.record());
        let outcome = sample.record().outcome().expect("a finished match");
        let stated = format!("{} stated, ", outcome.score());
        sandbox
            .parapost(["check", "sample.txt"])
            .stdout(format!("{diagram}\n{list}"))
            .stderr(found(sample.record(), "sample.txt", &stated))
            .run();
        sandbox
            .parapost(["show", "sample.txt"])
            .stdout(&diagram)
            .run();
        sandbox
            .parapost(["--games", ".", "show", "sample"])
            .status(1)
            .any_stderr()
            .run();
    }
}

/// Black's castling was passed over where White had castled before: without
/// numbers it was taken for White's, said once more.
#[test]
fn the_moves_of_a_sample_are_read_without_numbers() {
    for game in games::ALL {
        let text = sample(&format!("{}.txt", game.id));
        let record = Match::from_str(&text).expect("a sample");
        let record = record.record();
        let (diagram, list) = shown(record);
        let moves: Vec<&str> = record
            .steps()
            .iter()
            .map(|step| step.text.as_str())
            .collect();
        let rows: Vec<String> = moves.chunks(2).map(|row| row.join(" ")).collect();
        for text in [moves.join(" "), moves.join("\n"), rows.join("\n")] {
            Sandbox::new()
                .parapost(["check", "--game", game.id])
                .stdin(text)
                .stdout(format!("{diagram}\n{list}"))
                .stderr(found(record, "-", ""))
                .run();
        }
    }
}

/// The list in the command that an invitation to a running match has is cut
/// into lines where they are full: it was read as another list, and our own mail
/// refused by `check`, told apart from the record by `verify`, and in Kingchess
/// of no use to `repair`.
#[test]
#[ignore = "takes long"]
fn an_invitation_to_a_running_match_agrees_with_it() {
    for game in games::ALL {
        let text = sample(&format!("{}.txt", game.id));
        let record = Match::from_str(&text).expect("a sample");
        let moves = parapost::notation::move_list::line(record.record(), 0);
        let sandbox = Sandbox::new()
            .file(
                "config.toml",
                "[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n",
            )
            .env("PARAPOST_CONFIG", "config.toml")
            .env("PARAPOST_NOW", "2026-11-20T05:00:00Z");
        let new = [
            "--games",
            "games",
            "new",
            "--id",
            "taken",
            "--game",
            game.id,
            "--print",
            "--white",
            "Anna <anna@example.org>",
            "--black",
            "Ben <ben@example.test>",
            "--moves",
            &moves,
        ];
        let mail = sandbox.parapost(new).any_stdout().any_stderr().run().stdout;
        sandbox.write("mail.eml", mail);
        sandbox
            .parapost(["--games", "games", "verify", "taken", "mail.eml"])
            .stdout_contains("mail.eml: agrees: all ")
            .run();
        sandbox
            .parapost(["check", "mail.eml", "--game", game.id])
            .any_stdout()
            .stderr(found(record.record(), "mail.eml", ""))
            .run();
        fs::remove_file(sandbox.path("games/taken.txt")).expect("the match was made");
        sandbox
            .parapost(["--games", "games", "repair", "taken", "--from", "mail.eml"])
            .stdout_contains("1 of 1 messages or texts prove ")
            .run();
    }
}
