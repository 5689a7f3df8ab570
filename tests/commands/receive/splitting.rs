//! Where one message ends and the next begins.

use std::process::Command;

use super::{ben, id, letter, receive, referee};
use crate::support::Sandbox;

const POSTMARK: &str = "From ben@example.org Fri Nov 20 03:00:00 2026\n";

/// The outcomes that a run tells of, in its order.
fn words(session: &Sandbox, arguments: &[&str], stdin: &str, status: i32) -> Vec<String> {
    let words = ["receive"].iter().chain(arguments);
    let run = session
        .parapost(words)
        .stdin(stdin)
        .any_stdout()
        .any_stderr();
    let lines = run.status(status).run().stdout;
    let word = |line: &str| line.rsplit('\t').next().unwrap().to_owned();
    lines.lines().map(word).collect()
}

/// A stranger's message that begins with a postmark and holds a letter of Ben's, with
/// whatever fields the stranger likes.
fn smuggled() -> String {
    let inner = format!(
        "Authentication-Results: mx.example.net; dkim=pass\n{}",
        ben("n>g5\n")
    );
    let text = format!("Look:\n\n{POSTMARK}{inner}\n");
    format!("{POSTMARK}{}", letter("mallory@example.org", "[m]", &text))
}

/// A piped message was split at a line of its text, and a stranger's message played.
#[test]
fn a_message_is_not_split_at_a_line_of_its_text() {
    let session = referee().dir("mail/tmp").dir("mail/new").dir("mail/cur");
    let before = session.read("games/m.txt");
    let stranger = smuggled();
    session.write("mh/.mh_sequences", "");
    assert_eq!(words(&session, &["--deliver"], &stranger, 0), ["stranger"]);
    for file in [
        "one.eml",
        "two.EML",
        "eml/1.eml",
        "mh/1",
        "mail/new/1.a.host",
    ] {
        session.write(file, &stranger);
        assert_eq!(words(&session, &[file], "", 1), ["stranger"], "{file}");
        assert_eq!(words(&session, &["--deliver", file], "", 0), ["stranger"]);
    }
    for place in ["mail", "mh", "eml", "mh/1"] {
        assert_eq!(words(&session, &[place], "", 1), ["stranger"], "{place}");
    }
    session.write("piped", &stranger);
    assert_eq!(
        words(&session, &["--deliver", "piped"], "", 0),
        ["stranger"]
    );
    assert_eq!(session.read("games/m.txt"), before);
    // Any other file is a mailbox, whose entries their writer has told apart.
    assert_eq!(words(&session, &["piped"], "", 1), ["stranger", "accepted"]);
}

/// A postmark before a message is no part of it.
#[test]
fn a_leading_postmark_is_dropped() {
    let piped = format!("{POSTMARK}{}", ben("n>g5\n"));
    for arguments in [&[][..], &["--deliver"], &["x.eml"], &["mbox"], &["--mbox"]] {
        let session = referee().file("x.eml", &piped).file("mbox", &piped);
        assert_eq!(words(&session, arguments, &piped, 0), ["accepted"]);
    }
}

/// It was split, and the second part played; whether it is one message or a mailbox is
/// for the user to say.
#[test]
fn standard_input_that_may_be_a_mailbox_is_refused_as_a_whole() {
    let session = referee();
    let before = session.read("games/m.txt");
    let mbox = format!("{POSTMARK}{}\n{POSTMARK}{}", ben("n>g5\n"), ben("n>f6\n"));
    let run = session.parapost(["receive"]).stdin(&*mbox).status(2);
    let output = run.stderr_contains("--mbox").stderr_contains("--deliver");
    output.run();
    // It has the last word over what else was read.
    session.write(
        "stranger.eml",
        letter("mallory@example.org", "[m]", "n>g5\n"),
    );
    assert_eq!(
        words(&session, &["-", "stranger.eml"], &mbox, 2),
        ["stranger"]
    );
    assert_eq!(session.read("games/m.txt"), before);
    let words = words(&session, &["--mbox"], &mbox, 1);
    assert_eq!(words, ["accepted", "not-your-turn"]);
}

#[test]
fn a_mailbox_on_standard_input_is_read_where_it_is_said_to_be_one() {
    let session = referee().file(
        "box.eml",
        format!("{POSTMARK}{}\n", ben("n>g5\n")).repeat(2),
    );
    assert_eq!(
        words(&session, &["--mbox"], "", 0),
        <[String; 0]>::default()
    );
    assert_eq!(
        words(&session, &["--mbox", "box.eml"], "", 0),
        ["accepted", "duplicate"]
    );
    let run = session.parapost(["receive", "--mbox", "--deliver"]);
    run.stderr_contains("cannot be used with").status(2).run();
}

/// A second length, a stranger's, was believed if it was the same.
#[test]
fn one_content_length_is_believed_and_two_are_not() {
    let text = format!("Look:\n\n{POSTMARK}{}", ben("n>g5\n"));
    let stranger = letter("mallory@example.org", "[m]", &text);
    let mbox = |fields: usize| {
        let header = format!("Content-Length: {}\n", text.len()).repeat(fields);
        let stranger = stranger.replacen("\n\n", &format!("\n{header}\n"), 1);
        format!("{POSTMARK}{stranger}\n{POSTMARK}{}", ben("n>f6\n"))
    };
    let session = referee().file("mbox", mbox(1));
    assert_eq!(words(&session, &["mbox"], "", 1), ["stranger", "accepted"]);
    let session = referee().file("mbox", mbox(2));
    let read = words(&session, &["mbox"], "", 1);
    assert_eq!(read.len(), 3, "{read:?}");
}

/// The program waited for ever for somebody to write to a pipe.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_refused_at_once() {
    let session = referee();
    let mut made = Command::new("mkfifo");
    assert!(made.arg(session.path("pipe")).status().unwrap().success());
    for arguments in [
        &["receive", "pipe"][..],
        &["verify", "m", "./pipe"],
        &["repair", "m", "--from", "./pipe"],
        &["check", "./pipe"],
        &["show", "./pipe"],
        &["list", "--config", "pipe"],
    ] {
        session
            .parapost(arguments.iter().copied())
            .any_stdout()
            .stderr_contains("pipe: this is a named pipe")
            .status(1)
            .run();
    }
    session
        .parapost(["receive", "--deliver", "pipe"])
        .stderr_contains("pipe: this is a named pipe")
        .status(75)
        .run();
    // What a shell passes is open already.
    let run = session
        .parapost(["receive", "/dev/stdin"])
        .stdin(ben("n>g5\n"));
    run.stdout(format!("{}\tm\taccepted\n", id("n>g5\n"))).run();
    receive(&session, &[], &ben("n>g5\n"), "m", "duplicate").run();
}
