//! A store that cannot be had for a while: no letter waits for it longer than `--wait`.

use std::fs::File;
#[cfg(feature = "postgres")]
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::commands::play;
use crate::support::Sandbox;

/// A letter of Ben's that names so many matches.
#[cfg(feature = "postgres")]
fn naming(matches: usize) -> String {
    let ids = (0..matches).map(|number| format!("<m{number}.3.x@example.org>"));
    let ids: Vec<String> = ids.collect();
    format!(
        "From: ben@example.org\nTo: anna@example.org\nSubject: Hello\n\
         Message-ID: <{matches}@ben.test>\nReferences: {}\n\nHello!\n",
        ids.join("\n ")
    )
}

/// Has Anna handle a letter that must come again. Returns how long that takes.
fn put_off(house: &Sandbox, wait: u64, letter: &str) -> Duration {
    let wait = wait.to_string();
    let words = play::of("anna", &["--wait", &wait, "receive", "--deliver"]);
    let begun = Instant::now();
    let run = house.parapost(words).stdin(letter).any_stderr();
    run.stdout_contains("\tdeferred\n").status(75).run();
    begun.elapsed()
}

/// It waited once for each match named and once more: 34 seconds for 16, and an ordinary one
/// twice.
#[cfg(feature = "postgres")]
#[test]
#[ignore = "takes long"]
fn a_letter_waits_once_for_a_database_that_is_away_however_many_matches_it_names() {
    // The system takes connections, and nobody answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let section = format!(
        "[store]\nkind = \"postgres\"\nhosts = \"127.0.0.1:{port}\"\n\
         database = \"club\"\nuser = \"chess\"\n"
    );
    let house = play::house();
    house.write("anna.toml", house.read("anna.toml") + &section);
    for named in [0, 1, 16] {
        let took = put_off(&house, 2, &naming(named));
        assert!(took < Duration::from_secs(6), "{named} matches: {took:?}");
    }
}

fn held(path: &Path) -> File {
    let mut options = File::options();
    let options = options.write(true).create(true).truncate(false);
    let file = options.open(path).unwrap();
    file.lock().unwrap();
    file
}

/// A note waited for the lock of the counts and then for that of its match.
#[test]
#[ignore = "takes long"]
fn a_letter_that_needs_two_locks_waits_once() {
    let house = play::demo();
    let letter = "From: ben@example.org\nTo: anna@example.org\nSubject: Re: [demo] Unachess\n\
                  Message-ID: <1@ben.test>\n\nHow is the weather there?\n";
    let _counts = held(&house.path("games/.answers.count.lock"));
    let _game = held(&house.path("games/.demo.lock"));
    let took = put_off(&house, 5, letter);
    let once = Duration::from_secs(5)..Duration::from_secs(9);
    assert!(once.contains(&took), "{took:?}");
}
