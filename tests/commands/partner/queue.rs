//! Thinking is a queue apart: nothing between people waits for it.

use std::fs::{self, File};
use std::thread;
use std::time::{Duration, Instant};

use super::{LEVELS, again, anna, answer, begin, begun, club, empty, partners, receive, turns};
use crate::support::Sandbox;
use crate::support::lmtp::Server;

const MATCHES: usize = 50;

/// A house in which the partner is to move in so many matches, at this level, and Anna in
/// `m`. Nobody has thought yet.
fn due(level: u8) -> Sandbox {
    let house = empty(&format!("[partner]\nlevels = [{level}]\nopen = true\n"));
    begin(&house, "m");
    let words = format!("new unachess as black with partner level {level}");
    let letters = (0..MATCHES).map(|number| {
        let letter = super::letter(&format!("e{number}@elsewhere.test"), number, &words);
        format!("From x Fri Nov 20 05:00:00 2026\n{letter}\n")
    });
    house.write("box", letters.collect::<String>());
    house
        .parapost(["receive", "--mbox", "box"])
        .any_stdout()
        .any_stderr()
        .run();
    assert_eq!(partners(&house).len(), MATCHES);
    let config = house
        .read("config.toml")
        .replace("[transport]\nkind = \"print\"\n", "");
    house.write("config.toml", config);
    house
}

/// How many moves the partner has made.
fn made(house: &Sandbox) -> usize {
    let games = partners(house);
    games.iter().map(|game| game.record().steps().len()).sum()
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(2);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The mails of a match that are in the outbox.
fn mailed(house: &Sandbox, id: &str) -> usize {
    let Ok(files) = fs::read_dir(house.path("games/outbox")) else {
        return 0;
    };
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| name.starts_with(&format!("{id}.")))
        .count()
}

/// Fifty moves of the partner are due, and none can be thought about, since somebody else is at
/// it: a move between people is answered all the same, its mails to both go out, and a further
/// match begins. Then the moves come.
#[test]
fn a_move_between_people_waits_for_no_thought() {
    let house = due(1);
    let thinking = File::create(house.path("games/.partner.turns.lock")).unwrap();
    thinking.lock().unwrap();
    let server = Server::start(&house, &[]);
    let mut client = server.client();
    let letter = anna(1, "1. P>e3").replace("hello", "[m] Unachess: x");
    assert_eq!(
        client.deliver(&letter, &["ref@example.org"]),
        ["250 2.0.0 ok"]
    );
    wait_until("both are mailed", || mailed(&house, "m") == 2);
    let words = "new unachess as white with partner level 1";
    let replies = client.deliver(&anna(2, words), &["ref@example.org"]);
    assert_eq!(replies, ["250 2.0.0 ok"]);
    wait_until("the match has begun", || {
        partners(&house).len() == MATCHES + 1
    });
    assert_eq!(made(&house), 0, "somebody else thinks");
    drop(thinking);
    wait_until("all moves are made", || made(&house) == MATCHES);
    let mails = || partners(&house).iter().all(|game| game.owed().is_empty());
    wait_until("all mails are sent", mails);
    server.stop();
    assert_eq!(made(&house), MATCHES);
}

/// The same while it does think: each move is made once, and the letter comes between them.
#[test]
#[ignore = "takes long"]
fn a_move_between_people_is_answered_between_the_partners_moves() {
    let house = due(5);
    let server = Server::start(&house, &[]);
    wait_until("it thinks", || made(&house) > 0);
    let mut client = server.client();
    let letter = anna(1, "1. P>e3").replace("hello", "[m] Unachess: x");
    assert_eq!(
        client.deliver(&letter, &["ref@example.org"]),
        ["250 2.0.0 ok"]
    );
    wait_until("both are mailed", || mailed(&house, "m") == 2);
    let before = made(&house);
    assert!(before < MATCHES, "it had thought to the end before");
    wait_until("all moves are made", || made(&house) == MATCHES);
    server.stop();
}

/// While it thinks it holds nothing: what has gone on meanwhile stays, and the thought is lost.
/// A run that is killed between a thought and its saving leaves the turn due.
#[test]
fn a_thought_that_comes_too_late_or_is_lost_changes_nothing() {
    let house = club(LEVELS);
    let (game, mail) = begun(&house, "white", 1);
    receive(
        &house,
        &answer("anna@example.org", 2, &mail, "P>e3"),
        "\taccepted\n",
    );
    let id = game.id().as_str();
    // The lock of the match is somebody else's, so that the thought cannot be saved.
    let lock = File::create(house.path(format!("games/.{id}.lock"))).unwrap();
    lock.lock().unwrap();
    let mut command = house
        .parapost(["--wait", "60", "partner", "--send"])
        .command();
    let mut child = command.spawn().unwrap();
    let before = house.read(format!("games/{id}.txt"));
    thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "it waits to save");
    child.kill().unwrap();
    child.wait().unwrap();
    drop(lock);
    assert_eq!(house.read(format!("games/{id}.txt")), before);
    // The next run makes the move, once.
    assert_eq!(turns(&house).len(), 1);
    assert_eq!(again(&house, id).record().steps().len(), 2);
    assert!(turns(&house).is_empty());
    // Now she resigns between its thought and the saving.
    let mails = receive(
        &house,
        &answer("anna@example.org", 3, &mail, "2. P>d4"),
        "\taccepted\n",
    );
    assert_eq!(mails.len(), 1);
    let file = format!("games/{id}.txt");
    let before = house.read(&file);
    receive(
        &house,
        &answer("anna@example.org", 4, &mail, "resign match"),
        "\tcommand\n",
    );
    let resigned = house.read(&file);
    house.write(&file, before);
    let lock = File::create(house.path(format!("games/.{id}.lock"))).unwrap();
    lock.lock().unwrap();
    let mut command = house
        .parapost(["--wait", "60", "partner", "--send"])
        .command();
    let mut child = command.spawn().unwrap();
    thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "it waits to save");
    house.write(&file, resigned);
    drop(lock);
    assert!(child.wait().unwrap().success());
    let game = again(&house, id);
    assert!(game.ending().is_some());
    assert_eq!(game.record().steps().len(), 3, "no move after the end");
}
