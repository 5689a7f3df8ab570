//! The worst messages under a limit on memory that no allocation gets past: a mail server's pipe has one, and a process that
//! dies of it would be handed the same message again and again.
#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Output};

use parapost::mail::limits;

use super::session;
use super::shapes::SHAPES;
use crate::support::Sandbox;

/// MiB of address space for `receive` beside what the program takes for a letter of one line.
const ROOM: usize = 50;

/// The same for `check`, which keeps every line of a text with its place.
const ROOM_TO_CHECK: usize = 200;

/// The shapes that take most memory, or did before there were limits. All of them are measured by `cost.rs`.
const DEAREST: [&str; 16] = [
    "one line of moves",
    "one line beyond ASCII",
    "empty lines",
    "short quoted lines",
    "a list",
    "diagrams",
    "messages in messages",
    "empty parts",
    "200 parts of text",
    "ids",
    "addresses",
    "an attachment",
    "breaks",
    "a wide table",
    "line ends in block quotes",
    "marks of type",
];

/// Of these the ones that `check` is given.
const TEXTS: [&str; 5] = [
    "one line of moves",
    "empty lines",
    "short quoted lines",
    "a list",
    "diagrams",
];

/// A run of the program with so many KiB of address space.
fn run(session: &Sandbox, kib: usize, arguments: &[&str]) -> Output {
    Command::new("sh")
        .args([
            "-c",
            &format!("ulimit -v {kib} && ulimit -t 100 && exec \"$0\" \"$@\""),
        ])
        .arg(env!("CARGO_BIN_EXE_parapost"))
        .args(arguments)
        .current_dir(session.folder())
        .env("HOME", session.folder())
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_GAMES", "games")
        .output()
        .expect("a shell starts")
}

/// The least KiB in which a letter of one line can be received, to a MiB.
fn bare(session: &Sandbox) -> usize {
    session.write("mail", "From: ben@example.test\nSubject: [one]\n\nn>g5\n");
    let (mut too_few, mut enough) = (0, 1 << 10);
    while enough - too_few > 1 {
        let middle = usize::midpoint(too_few, enough);
        let run = run(session, middle << 10, &["receive", "--dry-run", "mail"]);
        if run.status.success() {
            enough = middle;
        } else {
            too_few = middle;
        }
    }
    enough << 10
}

/// Runs that, and adds to `faults` if it does not end as the manual says.
fn hold(session: &Sandbox, kib: usize, arguments: &[&str], name: &str, faults: &mut String) {
    let run = run(session, kib, arguments);
    if !matches!(run.status.code(), Some(0 | 1)) {
        let said = String::from_utf8_lossy(&run.stderr);
        let said: String = said.chars().take(300).collect();
        let _ = writeln!(
            faults,
            "{name}: {arguments:?} ended with {}: {said}",
            run.status
        );
    }
}

#[test]
#[ignore = "takes long"]
fn the_worst_messages_are_dealt_with_in_little_memory() {
    let session = session();
    let bare = bare(&session);
    let room = bare + (ROOM << 10);
    println!("bare: {} MiB, allowed: {} MiB", bare >> 10, room >> 10);
    let mut faults = String::new();
    for name in DEAREST {
        let (_, shape) = SHAPES
            .iter()
            .find(|(known, _)| *known == name)
            .expect("a shape");
        let message = shape(1 << 20);
        session.write("mail", &message);
        hold(
            &session,
            room,
            &["receive", "--dry-run", "mail"],
            name,
            &mut faults,
        );
        if TEXTS.contains(&name) {
            let room = bare + (ROOM_TO_CHECK << 10);
            hold(&session, room, &["check", "mail"], name, &mut faults);
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// Went wrong: 10 MiB of line ends took 719 MiB.
#[test]
fn a_text_of_too_many_lines_is_refused_in_little_memory() {
    let session = session();
    let room = bare(&session) + (ROOM_TO_CHECK << 10);
    for (lines, why) in [
        (10 << 20, "this text has more than 1000000 lines"),
        (
            1_000_000,
            "there is no move list and no diagram in this text",
        ),
    ] {
        session.write("text", "\n".repeat(lines));
        for command in [&["check", "text"][..], &["verify", "one", "./text"]] {
            let run = run(&session, room, command);
            let said = String::from_utf8_lossy(&run.stderr);
            assert!(
                run.status.code() == Some(1),
                "{command:?}: {} {said}",
                run.status
            );
            let is_said = said.contains(why) || lines == 1_000_000 && command[0] == "verify";
            assert!(is_said, "{command:?} {lines}: {said}");
        }
    }
}

#[test]
fn the_longest_message_takes_what_it_takes_and_no_more() {
    let session = session();
    // It is held once, and an attachment is decoded beside it.
    let room = bare(&session) + ((limits::MESSAGE >> 10) * 3) + (ROOM << 10);
    let (_, shape) = SHAPES
        .iter()
        .find(|(name, _)| *name == "an attachment")
        .expect("a shape");
    session.write("mail", shape(limits::MESSAGE - 1024));
    let mut faults = String::new();
    hold(
        &session,
        room,
        &["receive", "--dry-run", "mail"],
        "the longest",
        &mut faults,
    );
    assert!(faults.is_empty(), "{faults}");
}

/// The stacks of threads took the memory that the letters needed.
#[test]
#[ignore = "takes long"]
fn a_folder_of_letters_is_dealt_with_in_little_memory() {
    let session = session();
    let bare = bare(&session);
    fs::create_dir(session.folder().join("letters")).expect("a new folder");
    for number in 0..64 {
        let letter = "From: ben@example.test\nSubject: [one]\n\nn>g5\n";
        session.write(format!("letters/{number}.eml"), letter);
    }
    let mut faults = String::new();
    for room in (8..ROOM).step_by(6).chain([2 * ROOM, 4 * ROOM]) {
        let receive = ["receive", "--dry-run", "letters"];
        let name = format!("{room} MiB more");
        hold(&session, bare + (room << 10), &receive, &name, &mut faults);
    }
    assert!(faults.is_empty(), "{faults}");
}

/// All of a mailbox on standard input was held at once.
#[test]
#[ignore = "takes long"]
fn a_mailbox_of_any_length_takes_the_memory_of_its_longest_message() {
    let session = session();
    let (bare, longest) = (bare(&session), 1 << 20);
    let (_, shape) = SHAPES
        .iter()
        .find(|(name, _)| *name == "an attachment")
        .expect("a shape");
    let mut entry = b"From a@b.test Fri Nov 20 03:00:00 2026\n".to_vec();
    entry.extend(shape(longest));
    entry.extend(b"\n");
    session.write("entry", entry);
    // In MiB.
    let (held, entries) = (16, 48);
    let room = bare + (held << 10);
    let script = format!(
        "for i in $(seq {entries}); do cat entry; done | \
         (ulimit -v {room} && exec \"$0\" receive --mbox --dry-run) > lines"
    );
    let status = Command::new("sh")
        .args(["-c", &script])
        .arg(env!("CARGO_BIN_EXE_parapost"))
        .current_dir(session.folder())
        .env("HOME", session.folder())
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_GAMES", "games")
        .status();
    assert!(matches!(
        status.expect("a shell starts").code(),
        Some(0 | 1)
    ));
    assert_eq!(session.read("lines").lines().count(), entries);
}
