//! `parapost receive`: who may say what, what is answered, what the lines and
//! exit statuses are (docs/cli.md).

mod again;
mod amplification;
mod answers;
mod asked_once;
mod border;
mod bounds;
mod claims;
mod commands;
mod conditions;
mod earlier;
mod edited;
mod evidence;
mod id_again;
mod invitations;
mod invited;
mod looks;
mod mail_off;
mod matches;
mod never_in_vain;
mod output;
mod own_orders;
mod people;
mod programs;
mod progress;
mod redirected;
mod referee;
mod senders;
mod settled;
mod sources;
mod splitting;
mod stale;
mod taps;
mod tokens;
mod whose;
mod with_html;
mod yes;

use crate::support::{Sandbox, Test};

const NOW: &str = "2026-11-20T05:00:00Z";

fn config(name: &str, role: &str) -> String {
    format!(
        "[me]\nname = \"{name}\"\naddress = \"{name}@example.org\"\nrole = \"{role}\"\n[mail]\nhtml = false\n"
    )
}

/// A folder of that user's, with no match yet.
fn session(name: &str, role: &str) -> Sandbox {
    Sandbox::new()
        .file("config.toml", config(name, role))
        .dir("games")
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_NOW", NOW)
}

/// Begins a match of Anna (White) and Ben (Black) with those moves made.
fn begin(session: &Sandbox, id: &str, moves: &str) {
    let mut words = vec![
        "new",
        "--game",
        "unachess",
        "--id",
        id,
        "--invited",
        "--white",
        "Anna <anna@example.org>",
        "--black",
        "Ben <ben@example.org>, <ben@work.test>",
    ];
    if !moves.is_empty() {
        words.extend(["--moves", moves]);
    }
    session.parapost(words).stdout(format!("{id}\n")).run();
}

/// The referee of the match `m`, in which `1. P>e3` has been played.
fn referee() -> Sandbox {
    let session = session("ref", "referee");
    begin(&session, "m", "P>e3");
    session
}

/// Anna, who plays White in the match `m`, in which `1. P>e3` has been played.
fn anna() -> Sandbox {
    let session = session("anna", "player");
    begin(&session, "m", "P>e3");
    session
}

/// A letter of Ben's, with an id of its own made from its text.
fn ben(body: &str) -> String {
    letter("Ben <ben@example.org>", "Re: [m] Unachess: 1. P>e3", body)
}

fn letter(from: &str, subject: &str, body: &str) -> String {
    let hash = body
        .bytes()
        .fold(7_u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte));
    format!(
        "From: {from}\nTo: anna@example.org\nSubject: {subject}\nMessage-ID: <{hash}@ben.test>\n\n{body}"
    )
}

/// A letter of Ben's that answers that mail of ours.
fn answer(mail: &str, body: &str) -> String {
    let parent = header(mail, "Message-ID:");
    ben(body).replacen("\n\n", &format!("\nIn-Reply-To: {parent}\n\n"), 1)
}

/// The id that `letter` gives to a body.
fn id(body: &str) -> String {
    let letter = ben(body);
    let (_, rest) = letter.split_once("Message-ID: ").unwrap();
    rest.lines().next().unwrap().to_owned()
}

/// Receives a letter, and what its line must say.
fn receive(session: &Sandbox, options: &[&str], letter: &str, game: &str, word: &str) -> Test {
    let (_, rest) = letter.split_once("Message-ID: ").unwrap();
    let id = rest.lines().next().unwrap();
    let status = match word {
        "accepted" | "duplicate" | "command" | "note" | "invitation" | "ignored" => 0,
        "deferred" => 75,
        _ => 1,
    };
    let words = ["receive"].iter().chain(options);
    session
        .parapost(words)
        .stdin(letter)
        .stdout_contains(&format!("{id}\t{game}\t{word}\n"))
        .any_stderr()
        .status(status)
}

fn log(session: &Sandbox, id: &str) -> Vec<String> {
    let file = session.read(format!("games/{id}.txt"));
    let (_, log) = file.split_once("\nLog\n").unwrap();
    log.lines().map(ToOwned::to_owned).collect()
}

/// The events of the log from that line on, `WHAT WHO`.
fn events(session: &Sandbox, from: usize) -> Vec<String> {
    log(session, "m")[from..]
        .iter()
        .map(|line| {
            line.split(' ')
                .skip(1)
                .take(3)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect()
}

/// What Anna's program prints for a command.
fn prints(session: &Sandbox, words: &[&str]) -> String {
    session
        .parapost(words)
        .any_stdout()
        .any_stderr()
        .run()
        .stdout
}

/// The mails that a run printed, each from its `From ` line.
fn mails(stdout: &str) -> Vec<String> {
    let mut mails: Vec<String> = Vec::new();
    for line in stdout.split_inclusive('\n') {
        if line.starts_with("From ") {
            mails.push(String::new());
        }
        if let Some(mail) = mails.last_mut() {
            mail.push_str(line);
        }
    }
    mails
}

fn header<'a>(mail: &'a str, name: &str) -> &'a str {
    let (head, _) = mail.split_once("\n\n").unwrap();
    let line = head.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in\n{head}"))
        .trim()
}
