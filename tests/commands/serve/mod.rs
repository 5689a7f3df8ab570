//! `parapost serve --lmtp`.

mod claims;
mod connections;
mod crashes;
mod many;
mod postfix;
mod relay;
mod replies;
mod sockets;
mod stopping;
mod tournament;
#[cfg(feature = "postgres")]
mod two_hosts;

use parapost::matches::r#match::Match;

use crate::support::Sandbox;

const REFEREE: &str = "ref@example.org";

/// A referee's house with so many matches, `m0`, `m1` …
fn club(matches: usize) -> Sandbox {
    let house = Sandbox::new()
        .file(
            "config.toml",
            "[me]\nname = \"Ref\"\naddress = \"ref@example.org\"\nrole = \"referee\"\n[mail]\nhtml = false\n",
        )
        .dir("games")
        .env("PARAPOST_CONFIG", "config.toml");
    for i in 0..matches {
        let id = format!("m{i}");
        let line = ["new", "--game", "unachess", "--id", &id, "--invited"];
        let players = [
            "--white",
            "Anna <anna@example.org>",
            "--black",
            "Ben <ben@example.org>",
        ];
        house
            .parapost(line.iter().chain(&players))
            .stdout(id.clone() + "\n")
            .run();
    }
    house
}

fn letter(from: &str, game: &str, number: usize, text: &str) -> String {
    format!(
        "From: {from}@example.org\nTo: {REFEREE}\nSubject: Re: [{game}] Unachess\n\
         Message-ID: <{number}.{game}@{from}.test>\n\n{text}\n"
    )
}

fn game(house: &Sandbox, id: &str) -> Match {
    house.read(format!("games/{id}.txt")).parse().unwrap()
}

/// How many lines of a match's log have this word.
fn count(house: &Sandbox, id: &str, word: &str) -> usize {
    let game = game(house, id);
    let log = game.log().iter();
    log.filter(|event| event.event.kind() == word).count()
}
