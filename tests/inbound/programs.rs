//! Letters that real mail programs made (tests/mail): what must come of each.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use parapost::inbound::incoming_message;
use parapost::inbound::match_lookup::Lookup;
use parapost::inbound::{intent, talk};
use parapost::mail::quoting::sent::Sent;
use parapost::matches::r#match::Match;
use parapost::notation::header;
use parapost::notation::reader::{self, classify};
use parapost::rules::Color;

use crate::support::Sandbox;

const REFEREE: &str = "[me]\nname = \"Ref\"\naddress = \"ref@example.org\"\nrole = \"referee\"\n[mail]\nhtml = false\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail")
}

/// The letters by name, with what must come of them.
fn index() -> BTreeMap<String, String> {
    let index = fs::read_to_string(folder().join("index.tsv")).unwrap();
    index
        .lines()
        .skip(1)
        .map(|row| {
            let mut columns = row.split('\t').map(ToOwned::to_owned);
            (columns.next().unwrap(), columns.next().unwrap())
        })
        .collect()
}

/// A games folder with the match of the letters, and its referee.
fn sandbox() -> Sandbox {
    Sandbox::new()
        .file("config.toml", REFEREE)
        .file("games/g7.txt", fs::read(folder().join("g7.txt")).unwrap())
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_NOW", "2026-11-20T05:00:00Z")
}

/// What a letter comes to: its word, and the match's log from then on.
fn receive(letter: &[u8]) -> (String, Vec<String>) {
    let sandbox = sandbox().file("letter.eml", letter);
    let before = sandbox.read("games/g7.txt");
    // The exit status follows from the word, which is looked at first.
    let run = sandbox.parapost(["receive", "letter.eml"]);
    let output = run.command().output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let line = stdout.lines().next().expect("a line");
    let word = line.split('\t').nth(2).expect("three columns").to_owned();
    let good = ["accepted", "ignored", "note", "command"].contains(&word.as_str());
    assert_eq!(output.status.code(), Some(i32::from(!good)), "{word}");

    let after = sandbox.read("games/g7.txt");
    let log = |text: &str| -> Vec<String> {
        let (_, log) = text.split_once("\nLog\n").unwrap();
        log.lines().map(ToOwned::to_owned).collect()
    };
    let known = log(&before).len();
    let added = log(&after).split_off(known);
    if added.is_empty() {
        assert_eq!(before, after);
    }
    (word, added)
}

#[test]
#[ignore = "takes long"]
fn every_letter_comes_to_what_it_must() {
    let index = index();
    let mut letters: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| Some(name.strip_suffix(".eml")?.to_owned()))
        .collect();
    letters.sort();
    assert!(letters.len() >= 170, "{}", letters.len());
    assert_eq!(letters, index.keys().cloned().collect::<Vec<_>>());

    for name in letters {
        let letter = fs::read(folder().join(format!("{name}.eml"))).unwrap();
        assert!(!letter.contains(&b'\r'), "{name}: kept with LF");
        let crlf: Vec<u8> = letter
            .iter()
            .flat_map(|byte| match byte {
                b'\n' => vec![b'\r', b'\n'],
                byte => vec![*byte],
            })
            .collect();
        for letter in [&letter, &crlf] {
            let (word, log) = receive(letter);
            let log: Vec<Vec<&str>> = log.iter().map(|line| line.split(' ').collect()).collect();
            let events: Vec<&str> = log.iter().map(|words| words[1]).collect();
            match index[&name].as_str() {
                "move" => {
                    assert_eq!(word, "accepted", "{name}");
                    assert_eq!(log[0][1..4], ["move", "Black", "n>g5"], "{name}");
                    let mut events = events;
                    events.retain(|event| !["note", "offer"].contains(event));
                    assert_eq!(events, ["move", "owed", "owed"], "{name}");
                }
                expected @ ("confirm" | "refused" | "not-your-turn" | "unknown-match") => {
                    assert_eq!(word, expected, "{name}");
                    assert_eq!(events, ["refused", "owed"], "{name}");
                }
                "stranger" => {
                    assert_eq!(word, "stranger", "{name}");
                    assert!(log.is_empty(), "{name}: {log:?}");
                }
                "ignore" => {
                    assert_eq!(word, "ignored", "{name}");
                    assert!(log.is_empty(), "{name}: {log:?}");
                }
                expected @ ("note" | "command") => {
                    assert_eq!(word, expected, "{name}");
                    assert!(!events.contains(&"move"), "{name}: {events:?}");
                }
                other => panic!("{name}: '{other}' is nothing that can come of a letter"),
            }
        }
    }
}

#[test]
fn the_letters_are_of_many_makers_and_kinds() {
    let index = fs::read_to_string(folder().join("index.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = index
        .lines()
        .skip(1)
        .map(|row| row.split('\t').collect())
        .collect();
    let made: Vec<&Vec<&str>> = rows.iter().filter(|row| row[2] != "by hand").collect();
    // Those that came first have the numbers below 40.
    let number = |row: &[&str]| {
        row[0]
            .split('-')
            .next()
            .unwrap()
            .parse::<usize>()
            .unwrap_or(0)
    };
    let ours = made.iter().filter(|row| number(row) >= 40).count();
    assert!(ours >= 60, "{ours}");
    let programs: BTreeSet<&str> = made
        .iter()
        .map(|row| row[2].split(|c: char| c.is_ascii_digit()).next().unwrap())
        .collect();
    assert!(programs.len() >= 12, "{programs:?}");
    for row in &rows {
        assert_eq!(row.len(), 4, "{row:?}");
        assert!(row.iter().all(|column| !column.is_empty()), "{row:?}");
        // Whatever was made has its version.
        assert!(
            row[2] == "by hand" || row[2].contains(|c: char| c.is_ascii_digit()),
            "{row:?}"
        );
    }
    let all = |row: &[&str]| {
        let letter = fs::read(folder().join(format!("{}.eml", row[0]))).unwrap();
        incoming_message::read(&letter).unwrap();
        String::from_utf8_lossy(&letter).to_ascii_lowercase()
    };
    for kind in [
        "content-type: multipart/related",
        "content-type: text/html",
        "base64",
        "quoted-printable",
        "format=flowed",
    ] {
        let count = rows.iter().filter(|row| all(row).contains(kind)).count();
        assert!(count >= 4, "{kind}: {count}");
    }
}

/// Reads whatever it is, all the way to what it says.
fn read(bytes: &[u8], game: &Match) {
    let Ok(letter) = incoming_message::read(bytes) else {
        return;
    };
    let lines = classify(&letter.text, &Sent::nothing());
    let _ = Lookup::new(&letter, &lines, std::slice::from_ref(game), &[]).find();
    let text = reader::read_lines(lines, game.variant());
    let id_lines = header::id_lines(&text.lines);
    for side in Color::ALL {
        let _ = intent::read(game, side, &text, &id_lines, None, false, false);
    }
    let _ = talk::of(&text, &id_lines, &[]);
}

#[test]
#[ignore = "takes long"]
fn no_damage_to_a_letter_stops_the_reader() {
    let game = fs::read_to_string(folder().join("g7.txt")).unwrap();
    let game: Match = game.parse().unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    for name in index().keys() {
        let letter = fs::read(folder().join(format!("{name}.eml"))).unwrap();
        for end in (0..letter.len()).step_by(1 + letter.len() / 50) {
            read(&letter[..end], &game);
        }
        for _ in 0..30 {
            let mut letter = letter.clone();
            for _ in 0..random.usize(1..20) {
                let at = random.usize(..letter.len());
                match random.u8(..4) {
                    0 => letter[at] = random.u8(..),
                    1 => drop(letter.remove(at)),
                    2 => letter.insert(at, b"\n\r>:-=<\"; \0\xff"[random.usize(..12)]),
                    _ => {
                        let from = random.usize(..=at);
                        let piece = letter[from..at].to_vec();
                        letter.splice(at..at, piece);
                    }
                }
            }
            read(&letter, &game);
        }
    }
}
