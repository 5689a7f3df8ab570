//! Every mail as a whole: each template in each situation, so that a change in its wording is seen.
//!
//! The mails come from the program itself, with a fixed clock and a fixed secret. docs/templates.md says how a change
//! is reviewed.

mod answers;
mod endings;
mod invitations;
mod positions;
mod referee;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Sandbox, parapost};

/// The games, each of which has a sample match in `games/` that ends in checkmate.
const SAMPLES: [&str; 8] = [
    "chess",
    "kingchess",
    "newchess",
    "parachute",
    "shogi",
    "unachess",
    "unachess2",
    "unashogi",
];

/// The moves of the sample match of a game, without marks.
fn sample(game: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("games/{game}.txt"));
    let path = path.to_str().expect("a path in UTF-8");
    let shown = parapost(["show", "--as", "json", path]).any_stdout().run();
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let moves = shown["moves"].as_array().unwrap().iter();
    moves
        .map(|text| text.as_str().unwrap())
        .map(|text| text.split(' ').next().unwrap().to_owned())
        .collect()
}

/// All moves but the last, and the last.
fn split_last(moves: &str) -> (&str, &str) {
    let moves = moves.trim_end();
    moves.rsplit_once(' ').unwrap_or(("", moves))
}

/// Holds mails against the snapshot of that name.
#[track_caller]
fn snapshot(name: &str, mails: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, mails));
}

/// The folder of one user: Anna, who plays White, Ben, who plays Black, or the referee.
struct Desk(Sandbox);

impl Desk {
    fn of(who: &str) -> Desk {
        let (name, role) = match who {
            "anna" => ("Anna", "player"),
            "ben" => ("Ben", "player"),
            _ => ("The Referee", "referee"),
        };
        let config = format!(
            "[me]\nname = \"{name}\"\naddress = \"{who}@example.org\"\nrole = \"{role}\"\n[mail]\nhtml = false\n"
        );
        Desk(
            Sandbox::new()
                .file("config.toml", config)
                .dir("games")
                .secret(".local/share/parapost/secret", [7; 32])
                .env("PARAPOST_CONFIG", "config.toml")
                .env("PARAPOST_NOW", "2026-11-20T03:00:00Z"),
        )
    }

    /// Standard output of a run that does what it is asked for.
    fn run(&self, words: &[&str]) -> String {
        self.0
            .parapost(words.iter().copied())
            .any_stdout()
            .any_stderr()
            .run()
            .stdout
    }

    /// Makes the match `m` with those moves and with more options of `new`.
    fn new_match(&self, game: &str, moves: &str, more: &[&str]) -> String {
        let mut words = vec!["new", "--id", "m", "--game", game];
        if !more.contains(&"--white") {
            words.extend(["--white", "Anna <anna@example.org>"]);
            words.extend(["--black", "Ben <ben@example.org>"]);
        }
        if !moves.trim().is_empty() {
            words.extend(["--moves", moves]);
        }
        words.extend(more);
        self.run(&words)
    }

    /// The match `m` with those moves, and no mail owed.
    fn begin(&self, game: &str, moves: &str) {
        self.new_match(game, moves, &["--invited"]);
    }

    /// The mails that a message of that player's is answered with.
    fn receive(&self, from: &str, body: &str) -> String {
        self.receive_about("Re: [m]", from, body)
    }

    /// The same with another subject.
    fn receive_about(&self, subject: &str, from: &str, body: &str) -> String {
        let hash = body
            .bytes()
            .fold(7_u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte));
        self.receive_message(&format!(
            "From: {from}@example.org\nTo: ref@example.org\nSubject: {subject}\nMessage-ID: <{hash}@mail.test>\n\n{body}"
        ))
    }

    /// The mails that this message is answered with.
    fn receive_message(&self, message: &str) -> String {
        let output = self
            .0
            .parapost(["receive", "--print", "--deliver"])
            .stdin(message)
            .any_stdout()
            .any_stderr()
            .run();
        let (_line, mails) = output.stdout.split_once('\n').expect("a line of its own");
        mails.to_owned()
    }
}

/// A snapshot that no test asks for any more would be read by nobody.
#[test]
fn every_snapshot_is_of_a_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outbound/wording");
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    let mut named = BTreeSet::new();
    let mut stored = BTreeSet::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let source = read(&path);
            let strings = source.split('"').skip(1).step_by(2);
            for name in strings {
                named.insert(name.to_owned());
                named.extend(SAMPLES.map(|game| name.replace("{game}", game)));
            }
        }
    }
    for entry in fs::read_dir(folder.join("snapshots")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        stored.insert(name.strip_suffix(".snap").unwrap_or(&name).to_owned());
    }
    let left: Vec<_> = stored.difference(&named).collect();
    assert!(left.is_empty(), "no test names these: {left:?}");
}
