//! Mail by people who mean harm.

mod cost;
mod files;
mod growth;
mod headers;
mod hearing;
mod limits;
mod memory;
mod senders;
mod shapes;
mod terminal;

use crate::support::{Output, Sandbox};

/// The From field of a letter of Ben's, who is to move.
const FROM: &str = "From: Ben <ben@example.test>\n";

const CONFIG: &str = "[me]\nname = \"Referee\"\naddress = \"games@example.net\"\nrole = \"referee\"\n[mail]\nhtml = false\n";

/// The referee of the match `one`, of Anna and Ben, in which `1. P>e3` has been played.
fn session() -> Sandbox {
    match_of("Anna", "Ben")
}

/// The same with other names.
fn match_of(white: &str, black: &str) -> Sandbox {
    let session = Sandbox::new()
        .file("config.toml", CONFIG)
        .dir("games")
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_GAMES", "games")
        .env("PARAPOST_NOW", "2026-11-20T05:00:00Z");
    session
        .parapost(["new", "--game", "unachess", "--id", "one", "--invited"])
        .args(["--white", &format!("{white} <anna@example.org>")])
        .args(["--black", &format!("{black} <ben@example.test>")])
        .args(["--moves", "1. P>e3"])
        .stdout("one\n")
        .run();
    session
}

/// Receives letters and answers them on standard output; each must come to that word.
#[track_caller]
fn receive(session: &Sandbox, letter: impl AsRef<[u8]>, word: &str) -> Output {
    let status = match word {
        "accepted" | "duplicate" | "command" | "note" | "ignored" => 0,
        "deferred" => 75,
        _ => 1,
    };
    session
        .parapost(["receive", "--print"])
        .stdin(letter)
        .stdout_contains(&format!("\t{word}\n"))
        .any_stderr()
        .status(status)
        .run()
}
