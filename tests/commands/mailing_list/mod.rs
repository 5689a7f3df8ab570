//! A match whose positions are mailed to a mailing list.

mod attack;
mod killed;
mod mlmmj;
mod post;
mod replies;
mod reported;
mod rewritten;
mod wrapped;

use std::fs;
use std::path::PathBuf;

use crate::support::Sandbox;

/// The list.
const LIST: &str = "games@lists.test";

const BEN: &str = "Ben <ben@example.test>";

/// Anna's house, with more in its configuration.
fn house(more: &str) -> Sandbox {
    Sandbox::new()
        .dir("games")
        .file(
            "anna.toml",
            format!("[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n{more}"),
        )
        .env("PARAPOST_CONFIG", "anna.toml")
}

/// The policy under which a letter must answer a mail of ours.
const TOKEN: &str = "[policy]\nidentity = \"token\"\n";

/// Anna's house in which she has invited Ben, and both have made a move: one position is on the
/// list.
fn begun(more: &str) -> Sandbox {
    let house = house(more);
    run(
        &house,
        &[
            "new", "--game", "unachess", "--id", "demo", "--list", LIST, "--send", BEN,
        ],
    );
    played(&house, "P>e3");
    assert_eq!(on_list(&house).len(), 0, "not everybody has agreed");
    let said = given(&house, &answer(&house, "first", "", "n>g5\n"));
    assert!(
        said.contains("<first@ben.test>\tdemo\taccepted\n"),
        "{said}"
    );
    assert_eq!(on_list(&house).len(), 1);
    played(&house, "K>e1");
    assert_eq!(on_list(&house).len(), 2);
    house
}

/// Runs a command that must succeed, and returns what it says.
fn run(house: &Sandbox, arguments: &[&str]) -> String {
    let test = house.parapost(arguments);
    let run = test.any_stdout().any_stderr().run();
    run.stdout + &run.stderr
}

/// Plays a move of Anna's, and sends its mails.
fn played(house: &Sandbox, text: &str) {
    run(house, &["move", "demo", text, "--send"]);
}

/// Gives a house a letter, and sends what follows from it. Returns what it says.
fn given(house: &Sandbox, letter: &str) -> String {
    let test = house.parapost(["receive", "--deliver", "--send"]);
    let run = test.stdin(letter).any_stdout().any_stderr().run();
    run.stdout + &run.stderr
}

/// Ben's letter that answers the last mail to him.
fn answer(house: &Sandbox, id: &str, fields: &str, text: &str) -> String {
    let cited = header(to_ben(house).last().unwrap(), "Message-ID");
    letter(BEN, id, &format!("In-Reply-To: {cited}\n{fields}"), text)
}

/// A letter that cites nothing by itself.
fn letter(from: &str, id: &str, fields: &str, text: &str) -> String {
    format!(
        "From: {from}\nSubject: Re: [demo] Unachess: Anna - Ben\nMessage-ID: <{id}@ben.test>\n{fields}\n{text}"
    )
}

/// All mails of the match that have gone, in their order.
fn mails(house: &Sandbox) -> Vec<String> {
    let Ok(entries) = fs::read_dir(house.path("games/outbox")) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    let line = |path: &PathBuf| -> usize {
        let name = path.file_name().unwrap().to_str().unwrap();
        let mut numbers = name.split('.').filter_map(|part| part.parse().ok());
        numbers.next().unwrap()
    };
    paths.sort_by_key(line);
    let texts = paths.iter().map(fs::read_to_string);
    texts
        .map(|text| text.unwrap().replace("\r\n", "\n"))
        .collect()
}

/// The mails to the list.
fn on_list(house: &Sandbox) -> Vec<String> {
    let mut mails = mails(house);
    mails.retain(|mail| header(mail, "To") == LIST);
    mails
}

/// The mails to Ben. Nobody but Ben and the list has any.
fn to_ben(house: &Sandbox) -> Vec<String> {
    let mut mails = mails(house);
    mails.retain(|mail| header(mail, "To") != LIST);
    for mail in &mails {
        assert_eq!(header(mail, "To"), BEN, "{mail}");
    }
    mails
}

/// The value of a header field, unfolded; empty if there is none.
fn header(mail: &str, name: &str) -> String {
    let (header, _) = mail.split_once("\n\n").unwrap();
    let header = header.replace("\n ", " ");
    let name = format!("{name}: ");
    let mut lines = header.lines();
    let value = lines.find_map(|line| line.strip_prefix(&name));
    value.unwrap_or_default().to_owned()
}

fn log(house: &Sandbox) -> String {
    house.read("games/demo.txt")
}

/// How many half-moves are made.
fn plies(house: &Sandbox) -> usize {
    let log = log(house);
    log.matches(" move White ").count() + log.matches(" move Black ").count()
}
