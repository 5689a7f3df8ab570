//! `--json`: the examples of the manual, the keys, and whatever a message or a name holds.

use std::path::Path;
use std::process::Command;

use serde_json::{Deserializer, Value, json};

use super::play::house;
use crate::readme::blocks_of;
use crate::support::Sandbox;

/// Ben's desk as in the manual: the match k7f3qd, and a letter of Anna's.
fn desk() -> Sandbox {
    let desk = house().env("PARAPOST_CONFIG", "ben.toml").file(
        "anna.eml",
        "From: Anna <anna@example.org>\nTo: ben@example.org\nSubject: [k7f3qd]\n\
             Message-ID: <1.anna@example.org>\n\nP>e3\n\nGood luck!\n",
    );
    desk.parapost(["new", "--game", "unachess", "--id", "k7f3qd", "--invited"])
        .args(["--white", "Anna <anna@example.org>"])
        .args(["--black", "Ben <ben@example.org>", "--time", "10d"])
        .stdout("k7f3qd\n")
        .run();
    desk
}

fn values(text: &str) -> Vec<Value> {
    let values = Deserializer::from_str(text).into_iter();
    values.map(|value| value.expect(text)).collect()
}

fn run(desk: &Sandbox, words: &[&str]) -> Value {
    let run = desk.parapost(words).any_stdout().any_stderr().either();
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    values(&run.stdout).remove(0)
}

#[test]
fn the_examples_of_the_manual_are_what_the_program_writes() {
    let page = include_str!("../../docs/cli.md");
    let (_, page) = page.split_once("\n## JSON\n").expect("a section");
    let (page, _) = page.split_once("\n## Guarantees\n").expect("a next one");
    let blocks = blocks_of(page);
    let desk = desk();
    let mut count = 0;
    for pair in blocks.chunks(2) {
        let [command, expected] = pair else {
            panic!("a command without what it writes")
        };
        let folder = Path::new(env!("CARGO_BIN_EXE_parapost")).parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        let any = desk.parapost(["list"]);
        let mut shell = Command::new("sh");
        shell.args(["-c", &command.text]).current_dir(desk.folder());
        shell.env_clear().envs(
            any.command()
                .get_envs()
                .filter_map(|(key, value)| Some((key, value?))),
        );
        let output = shell
            .env("PATH", format!("{}:{path}", folder.display()))
            .output()
            .unwrap();
        drop(any.any_stdout());
        let written = String::from_utf8(output.stdout).unwrap();
        let (written_values, mut expected_values) = (values(&written), values(&expected.text));
        for (expected, written) in expected_values.iter_mut().zip(&written_values) {
            // A diagram has no room on a line of the manual.
            if expected["diagram"] == "…" {
                expected["diagram"] = written["diagram"].clone();
            }
        }
        assert_eq!(written_values, expected_values, "{}{written}", command.text);
        count += 1;
    }
    assert_eq!(count, 5);
}

/// The paths of all keys of a value, sorted; those of the elements of a list once.
fn keys(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![(String::new(), value)];
    while let Some((path, value)) = left.pop() {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    found.push(format!("{path}{key}"));
                    left.push((format!("{path}{key}."), value));
                }
            }
            Value::Array(list) => left.extend(list.iter().map(|value| (path.clone(), value))),
            _ => {}
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The keys of a match in a list.
const MATCH: &str = "addresses addresses.black addresses.white black deadline fen filed game id lapsed last_move missing_mail news options overdue \
    owed plies reported result turn undelivered until white yours";

/// A key that goes, or a new one that is not in the manual, is a fault.
#[test]
fn keys_are_stable_and_in_the_manual() {
    let desk = desk();
    let within = |path: &str, keys: &str| -> String {
        let keys = keys.split(' ').map(|key| format!("{path}.{key}"));
        keys.collect::<Vec<_>>().join(" ")
    };
    let chess = ["legal", "--json", "--game", "chess"];
    for (words, expected) in [
        (
            &["receive", "--json", "anna.eml"][..],
            "hint id message_id move ply reason word".to_owned(),
        ),
        (
            &["move", "--json", "k7f3qd", "n>g5"],
            format!("id match {} move ply warnings", within("match", MATCH)),
        ),
        (
            &chess,
            "fen game moves moves.castling moves.drop moves.from moves.pawn moves.placement \
             moves.promotion moves.text moves.to options placement_needed ply status turn"
                .to_owned(),
        ),
        (
            &["show", "--json", "k7f3qd"],
            format!(
                "board diagram ending fen game match {} moves options ply reserves reserves.black \
                 reserves.white result status turn",
                within("match", MATCH)
            ),
        ),
        (
            &["list", "--json"],
            format!("damaged matches {}", within("matches", MATCH)),
        ),
    ] {
        let value = run(&desk, words);
        assert_eq!(keys(&value).join(" "), expected, "{words:?}");
        let page = include_str!("../../docs/cli.md");
        for key in keys(&value) {
            let last = key.rsplit('.').next().unwrap();
            assert!(page.contains(&format!("`{last}`")), "{key} in docs/cli.md");
        }
    }
    // What has no match behind it.
    let value = run(&desk, &["show", "--json", "anna.eml"]);
    assert_eq!(value["match"], Value::Null);
    assert_eq!(value["ply"], 1);
}

#[test]
fn each_kind_of_move_has_its_parts() {
    let desk = desk();
    let legal = |game: &str, fen: &str, more: &[&str]| -> Vec<Value> {
        let words = [&["legal", "--json", "--game", game, "--fen", fen], more].concat();
        run(&desk, &words)["moves"].as_array().unwrap().clone()
    };
    let find = |moves: &[Value], text: &str| -> Value {
        let found = moves.iter().find(|one| one["text"] == text);
        found
            .unwrap_or_else(|| panic!("{text} in {moves:?}"))
            .clone()
    };
    let none = json!({"from": null, "to": null, "drop": null, "promotion": null, "castling": null, "pawn": null,
        "placement": null});
    let with = |text: &str, parts: Value| {
        let mut expected = none.clone();
        expected["text"] = text.into();
        for (key, value) in parts.as_object().unwrap() {
            expected[key] = value.clone();
        }
        expected
    };
    let moves = legal("chess", "4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1", &[]);
    assert_eq!(
        find(&moves, "P-a8=N"),
        with(
            "P-a8=N",
            json!({"from": "a7", "to": "a8", "promotion": "N"})
        )
    );
    assert_eq!(
        find(&moves, "O-O-O"),
        with("O-O-O", json!({"castling": "queen"}))
    );
    let lines = desk
        .parapost([
            "legal",
            "--game",
            "chess",
            "--fen",
            "4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1",
        ])
        .any_stdout()
        .run()
        .stdout;
    let texts: Vec<&str> = moves
        .iter()
        .map(|one| one["text"].as_str().unwrap())
        .collect();
    assert_eq!(lines.lines().collect::<Vec<_>>(), texts);
    let drops = run(
        &desk,
        &["legal", "--json", "--game", "unachess", "--moves", "P>e3"],
    );
    let drops = drops["moves"].as_array().unwrap();
    assert_eq!(
        find(drops, "n>g5"),
        with("n>g5", json!({"drop": "n", "to": "g5"}))
    );
    // More placements than anybody can wait for come one by one.
    let test = desk.parapost(["legal", "--json", "--game", "kingchess", "--placements"]);
    let mut child = test
        .command()
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut head = [0; 4096];
    std::io::Read::read_exact(&mut child.stdout.take().unwrap(), &mut head).unwrap();
    child.wait().unwrap();
    drop(test.any_stdout());
    let head = String::from_utf8_lossy(&head).into_owned();
    assert!(head.contains("\"placement\":[{\"drop\":\""), "{head}");
}

const EVIL: &str = "\u{1b}[2J\u{9b}31m\u{202e}\u{7}\\\"\u{1f}";

#[test]
fn whatever_a_message_holds_the_output_is_json() {
    let desk = desk();
    let letters: [Vec<u8>; 6] = [
        format!("From: anna@example.org\nSubject: [k7f3qd] {EVIL}\nMessage-ID: <{EVIL}@x>\n\nP>z9 {EVIL}\n").into(),
        format!("From: anna@example.org\nSubject: [k7f3qd]\nMessage-ID: <2@x>\n\nI think P>e3 {EVIL} is it.\n").into(),
        b"From: \xff\xfe\"a\\\" <anna@example.org>\nSubject: [k7f3qd] \xe4\xf6\nMessage-ID: <\xff@x>\n\nP>z9\xff\n".to_vec(),
        b"From: =?utf-8?B?Ig==?= <eve@x.test>\nSubject: [k7f3qd]\nMessage-ID: <\"3\\\"@x>\n\nhello\n".to_vec(),
        b"no message".to_vec(),
        Vec::new(),
    ];
    for letter in letters {
        desk.write("letter.eml", &letter);
        let run = desk
            .parapost(["receive", "--json", "letter.eml"])
            .any_stdout()
            .either();
        let object = values(&run.stdout).remove(0);
        assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
        assert!(
            object["word"].is_string() && object["message_id"].is_string(),
            "{object}"
        );
        let wild = run
            .stdout
            .chars()
            .find(|c| c.is_control() && *c != '\n' || *c == '\u{202e}');
        assert_eq!(wild, None, "{:?}", run.stdout);
    }
    let name = "羽生善治 O'Neil {x}";
    let white = format!("{name} <q@example.org>");
    desk.parapost([
        "new",
        "--game",
        "chess",
        "--id",
        "q",
        "--invited",
        "--white",
        &white,
    ])
    .args(["--black", "Ben <ben@example.org>"])
    .any_stderr()
    .any_stdout()
    .either();
    for words in [&["list", "--json"][..], &["show", "--json", "k7f3qd"]] {
        run(&desk, words);
    }
}

#[test]
fn json_and_mail_do_not_share_a_stream() {
    let desk = desk();
    desk.write(
        "print.toml",
        desk.read("ben.toml") + "[transport]\nkind = \"print\"\n",
    );
    for words in [
        &["receive", "--json", "--print", "anna.eml"][..],
        &["receive", "--json", "--porcelain", "anna.eml"],
        &["move", "--json", "--print", "k7f3qd", "P>e3"],
        &[
            "--config",
            "print.toml",
            "receive",
            "--json",
            "--send",
            "anna.eml",
        ],
        &[
            "--config",
            "print.toml",
            "move",
            "--json",
            "--send",
            "k7f3qd",
            "P>e3",
        ],
        &["show", "--json", "--flip", "k7f3qd"],
        &["show", "--json", "--as", "fen", "k7f3qd"],
        &["show", "--json", "--size", "100", "k7f3qd"],
    ] {
        desk.parapost(words).status(2).any_stderr().run();
    }
    assert!(!desk.read("games/k7f3qd.txt").contains(" move "));
}

/// Reasons stand in the object, and nowhere else.
#[test]
fn nothing_of_a_message_is_on_standard_error() {
    let desk = desk();
    desk.write("refused.eml", desk.read("anna.eml").replace("P>e3", "P>e9"));
    let output = desk
        .parapost(["receive", "--json", "refused.eml", "anna.eml"])
        .any_stdout()
        .status(1)
        .run();
    let objects = values(&output.stdout);
    assert_eq!(objects.len(), 2);
    assert!(objects[0]["reason"].is_string(), "{}", objects[0]);
}
