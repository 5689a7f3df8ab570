//! Matches with the program by mail: the words that begin one, who may say them, and how it goes on.

mod asked;
mod bounds;
mod claims;
mod forged;
mod played;
mod queue;
#[cfg(feature = "postgres")]
mod workers;

use std::fs;

use parapost::matches::event::LogEntry;
use parapost::matches::r#match::Match;

use crate::support::{Sandbox, Test};

pub(crate) const NOW: &str = "2026-11-20T05:00:00Z";

/// The referee's configuration, with these lines of the section `[partner]`.
pub(crate) fn config(partner: &str) -> String {
    format!(
        "[me]\nname = \"Ref\"\naddress = \"ref@example.org\"\nrole = \"referee\"\n[mail]\nhtml = false\n[transport]\nkind = \"print\"\n{partner}"
    )
}

/// A referee's folder, with no match yet.
fn empty(partner: &str) -> Sandbox {
    Sandbox::new()
        .file("config.toml", config(partner))
        .dir("games")
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_NOW", NOW)
}

const LEVELS: &str = "[partner]\nlevels = [1, 2, 3]\n";
const OPEN: &str = "[partner]\nlevels = [1, 2, 3]\nopen = true\n";

/// The same with the match `m` of Anna and Ben, in which Anna is to move.
fn club(partner: &str) -> Sandbox {
    let house = empty(partner);
    begin(&house, "m");
    house
}

fn begin(house: &Sandbox, id: &str) {
    let line = ["new", "--game", "unachess", "--id", id, "--invited"];
    let players = [
        "--white",
        "Anna <anna@example.org>",
        "--black",
        "Ben <ben@example.org>",
    ];
    house
        .parapost(line.iter().chain(&players))
        .stdout(format!("{id}\n"))
        .run();
}

/// A letter with a Message-ID made of this number.
pub(crate) fn letter(from: &str, number: usize, body: &str) -> String {
    format!(
        "From: {from}\nTo: ref@example.org\nSubject: hello\nMessage-ID: <{number}@{}.test>\n\n{body}\n",
        from.split('@').next().unwrap()
    )
}

/// A letter that answers that mail of ours.
pub(crate) fn answer(from: &str, number: usize, mail: &str, body: &str) -> String {
    let parent = format!("\nIn-Reply-To: {}\n\n", header(mail, "Message-ID:"));
    letter(from, number, body).replacen("\n\n", &parent, 1)
}

/// Receives a letter, whose line must end so. Returns the mails that are printed.
#[track_caller]
pub(crate) fn receive(house: &Sandbox, letter: &str, ends: &str) -> Vec<String> {
    receive_at(house, NOW, letter, ends)
}

#[track_caller]
pub(crate) fn receive_at(house: &Sandbox, now: &str, letter: &str, ends: &str) -> Vec<String> {
    let run = house.parapost(["receive", "--send", "--deliver"]).now(now);
    let output = run.stdin(letter).any_stdout().any_stderr().run();
    let (head, mails) = split(&output.stdout);
    assert!(
        head.contains(ends),
        "{ends}\n{}{}",
        output.stdout,
        output.stderr
    );
    mails
}

/// Takes the partner's turns. Returns the mails.
fn turns(house: &Sandbox) -> Vec<String> {
    turns_at(house, NOW)
}

fn turns_at(house: &Sandbox, now: &str) -> Vec<String> {
    let run = house.parapost(["partner", "--send"]).now(now);
    split(&run.any_stdout().run().stdout).1
}

/// Splits what is printed into what stands before the mails and the mails.
pub(crate) fn split(stdout: &str) -> (String, Vec<String>) {
    let (mut head, mut mails) = (String::new(), Vec::<String>::new());
    for line in stdout.split_inclusive('\n') {
        if line.starts_with("From ") {
            mails.push(String::new());
        } else if let Some(mail) = mails.last_mut() {
            mail.push_str(line);
        } else {
            head.push_str(line);
        }
    }
    (head, mails)
}

#[track_caller]
pub(crate) fn header<'a>(mail: &'a str, name: &str) -> &'a str {
    let (head, _) = mail.split_once("\n\n").unwrap();
    let line = head.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in\n{head}"))
        .trim()
}

/// The text of a mail, with one blank between words.
pub(crate) fn flat(mail: &str) -> String {
    mail.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The only match with the partner that is there.
#[track_caller]
fn only(house: &Sandbox) -> Match {
    let mut games = partners(house);
    assert_eq!(games.len(), 1);
    games.remove(0)
}

/// The matches with the partner, by their ids.
fn partners(house: &Sandbox) -> Vec<Match> {
    // A server may be at work there.
    let files = fs::read_dir(house.path("games")).unwrap();
    let paths = files.map(|entry| entry.unwrap().path());
    let texts = paths.filter(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.ends_with(".txt") && !name.starts_with('.')
    });
    let texts = texts.filter_map(|path| fs::read_to_string(path).ok());
    let games = texts.map(|text| text.parse::<Match>().unwrap());
    games
        .filter(|game| {
            let mut players = game.settings().players.iter();
            players.any(|player| player.address().user().starts_with("partner+"))
        })
        .collect()
}

/// Reads a match again.
pub(crate) fn again(house: &Sandbox, id: &str) -> Match {
    let text = house.read(format!("games/{id}.txt"));
    text.parse().unwrap()
}

/// The events of the log that are no mail, `WHAT WHO`.
fn events(game: &Match) -> Vec<String> {
    let log = game.log().iter();
    let events = log.filter(|event| !event.is_of_outgoing_mail());
    let lines = events.map(LogEntry::line);
    lines
        .map(|line| {
            let words: Vec<&str> = line.split(' ').skip(1).take(3).collect();
            words.join(" ").split(" msg=").next().unwrap().to_owned()
        })
        .collect()
}

/// A letter from Eve, who plays no match here.
fn eve(number: usize, body: &str) -> String {
    letter("eve@elsewhere.test", number, body)
}

/// A letter from Anna, who plays White in the match `m`.
fn anna(number: usize, body: &str) -> String {
    letter("anna@example.org", number, body)
}

/// Begins a match of Anna's as this side, and returns it with its first mail.
#[track_caller]
fn begun(house: &Sandbox, side: &str, number: usize) -> (Match, String) {
    let words = format!("new unachess as {side} with partner level 1");
    let mut mails = receive(house, &anna(number, &words), "\tcommand\n");
    mails.extend(turns(house));
    assert_eq!(mails.len(), 1, "{mails:?}");
    let mail = mails.remove(0);
    let games = partners(house);
    let game = games
        .into_iter()
        .find(|game| mail.contains(&format!("[{}]", game.id())));
    (game.unwrap(), mail)
}

/// Runs a command that is refused.
fn refused(house: &Sandbox, words: &[&str], why: &str) -> Test {
    house
        .parapost(words)
        .stderr_contains(why)
        .any_stdout()
        .status(1)
}
