//! The partner over a database that several workers share.

use std::collections::BTreeSet;

use parapost::matches::event::LogEntry;
use parapost::matches::r#match::Match;
use parapost::store::store::Store as _;

use super::{config, split};
use crate::servers::postgresql::Postgresql;
use crate::servers::wait_until;
use crate::support::Sandbox;
use crate::support::lmtp::Server;

const MATCHES: usize = 12;

fn game(store: &dyn parapost::store::store::Store, id: &str) -> Match {
    Match::clone(&store.read(&id.parse().unwrap()).unwrap().game)
}

/// Two workers take letters, and either takes the turns: each turn is taken once.
#[test]
#[ignore = "needs PostgreSQL"]
fn two_workers_take_each_turn_once() {
    let database = Postgresql::start();
    let store = database.store();
    let partner = "[partner]\nlevels = [1]\nopen = true\n";
    let config = config(partner).replace("[transport]\nkind = \"print\"\n", "");
    let house = Sandbox::new()
        .dir("games")
        .file("config.toml", config + &database.config("club"))
        .env("PARAPOST_CONFIG", "config.toml");
    let servers = [Server::start(&house, &[]), Server::start(&house, &[])];
    for number in 0..MATCHES {
        let side = ["white", "black"][number % 2];
        let words = format!("new chess as {side} with partner level 1");
        let letter = super::letter(&format!("e{number}@elsewhere.test"), number, &words);
        for server in &servers {
            let replies = server.client().deliver(&letter, &["ref@example.org"]);
            assert_eq!(replies, ["250 2.0.0 ok"]);
        }
    }
    let ids = store.ids().unwrap();
    assert_eq!(ids.len(), MATCHES);
    let partner = "partner@program.invalid".parse().unwrap();
    assert_eq!(store.going_on_of(&partner).unwrap(), ids);
    let other = "e0@elsewhere.test".parse().unwrap();
    assert_eq!(store.going_on_of(&other).unwrap().len(), 1);
    let has_begun = |id: &parapost::match_id::Id| {
        let game = game(&store, id.as_str());
        let is_told = game.owed().is_empty() && game.log().iter().any(LogEntry::is_owed);
        let is_white = game
            .player(parapost::rules::Color::White)
            .name()
            .contains("(program)");
        is_told && game.record().steps().len() == usize::from(is_white)
    };
    assert!(wait_until(|| ids.iter().all(has_begun)));
    for server in servers {
        server.stop();
    }
    for id in &ids {
        let game = game(&store, id.as_str());
        let owed: Vec<_> = game.log().iter().filter(|event| event.is_owed()).collect();
        assert_eq!(owed.len(), 1, "{id}");
    }
    // A timer's runs beside each other: each turn once, and nobody waits for another.
    let answers: BTreeSet<String> = ids.iter().map(ToString::to_string).collect();
    for id in &answers {
        let now = game(&store, id);
        if now.record().steps().is_empty() {
            let person = now.player(now.turn().unwrap()).address().to_string();
            let mail = now.log().iter().find(|event| event.is_owed()).unwrap();
            let msg = mail.message_id("msg").unwrap();
            let letter = super::letter(&person, 100, "P-e4");
            let parent = format!("\nIn-Reply-To: {msg}\n\n");
            let letter = letter.replacen("\n\n", &parent, 1);
            let run = house.parapost(["receive", "--deliver"]).stdin(letter);
            run.stdout_contains("\taccepted\n").any_stderr().run();
        }
    }
    let runs: Vec<_> = (0..4)
        .map(|_| {
            house
                .parapost(["partner", "--send"])
                .command()
                .spawn()
                .unwrap()
        })
        .collect();
    for mut run in runs {
        assert!(run.wait().unwrap().success());
    }
    let left = house.parapost(["partner"]).any_stdout().any_stderr().run();
    assert!(split(&left.stdout).1.is_empty());
    for id in &answers {
        let game = game(&store, id);
        assert!(game.record().steps().len() <= 2);
        let is_persons = game.player(game.turn().unwrap()).name().contains('@');
        assert!(is_persons, "{id}: {game}");
    }
}
