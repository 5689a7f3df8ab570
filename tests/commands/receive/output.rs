//! Standard output that nobody reads, or that takes nothing.

use std::fs::File;
use std::process::{Output, Stdio};

use super::{begin, ben, letter, log, referee, session};
use crate::support::Sandbox;

/// Runs a command whose standard output has lost its reader before the first
/// word.
fn unheard(session: &Sandbox, words: &[&str]) -> Output {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let test = session.parapost(words.iter().copied()).any_stdout();
    let child = test.command().stdin(Stdio::null()).stdout(writer).output();
    drop(test);
    child.unwrap()
}

#[track_caller]
fn ended(output: &Output, status: i32, said: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{stderr}");
    assert!(stderr.contains(said), "{stderr}");
}

/// A letter that was put off was told to a mail server as delivered, if nobody
/// read standard output: it was lost.
#[test]
fn a_letter_that_is_put_off_is_not_called_done_where_nobody_listens() {
    let session = referee().file("one.eml", ben("n>g5\n"));
    let before = log(&session, "m");
    let lock = File::create(session.path("games/.m.lock")).unwrap();
    lock.lock().unwrap();
    for words in [
        &["--wait", "0", "receive", "--deliver", "--send", "one.eml"][..],
        &["--wait", "0", "receive", "one.eml"],
    ] {
        ended(&unheard(&session, words), 75, "held this lock");
    }
    drop(lock);
    assert_eq!(log(&session, "m"), before);
}

/// Without a reader of standard output, everything behind the first letter
/// was left unread, and a refusal was called done.
#[test]
fn a_batch_is_dealt_with_to_its_end_where_nobody_listens() {
    let session = referee()
        .file("mail/1", ben("n>h9\n"))
        .file("mail/2", ben("n>g5\n"))
        .file("mail/3", ben("Hello!\n"));
    ended(&unheard(&session, &["receive", "mail"]), 1, "refused: ");
    let log = log(&session, "m").join("\n");
    assert!(log.contains(" move Black n>g5 "), "{log}");
    assert!(log.contains(" note Black Hello! "), "{log}");
    // What is printed for nobody is still owed.
    let output = unheard(&session, &["receive", "--print", "mail"]);
    ended(&output, 75, "still owed");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("before the mail was written"), "{said}");
}

/// An invitation was left unsent, and nothing was said of it, if nobody read
/// the id of the match.
#[test]
fn an_invitation_goes_out_where_nobody_reads_the_id() {
    let session = referee();
    let new = "new --send --id other --game chess --white a@b.test --black c@d.test";
    let words: Vec<&str> = new.split(' ').collect();
    ended(
        &unheard(&session, &words),
        0,
        "are invited; 2 mails lie in games/outbox",
    );
}

/// A difference was called agreement if nobody read what was said before it.
#[test]
fn a_difference_is_one_where_nobody_listens() {
    let session = referee().file("list.txt", "1. P>e4\n");
    let output = unheard(&session, &["verify", "m", "list.txt"]);
    ended(&output, 1, "half-move 1 differs");
}

/// Help that could not be written was called done.
#[test]
fn help_that_cannot_be_written_is_not_done() {
    let session = Sandbox::new();
    for words in [&["--help"][..], &["move", "--help"], &["--version"]] {
        let test = session.parapost(words.iter().copied()).any_stdout();
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = test.command().stdout(full).output().unwrap();
        drop(test);
        ended(&output, 75, "standard output: ");
        ended(&unheard(&session, words), 0, "");
    }
}

/// A letter that names no match is asked about. Where that has to wait, an answer in one of
/// the matches must not be read before it.
#[test]
fn a_letter_behind_one_that_is_put_off_waits_in_every_match_that_it_may_be_about() {
    let session = session("ref", "referee");
    for id in ["a", "b"] {
        begin(&session, id, "P>e3");
    }
    let from = "Ben <ben@example.org>";
    let session = session
        .file("mail/1", letter(from, "my move", "n>g5\n"))
        .file("mail/2", letter(from, "Re: [b] Unachess", "n>f5\n"));
    let lock = File::create(session.path("games/.a.lock")).unwrap();
    lock.lock().unwrap();
    let run = session.parapost(["--wait", "0", "receive", "mail"]);
    let run = run.any_stdout().any_stderr().status(75).run();
    assert_eq!(
        run.stdout.matches("\tdeferred\n").count(),
        2,
        "{}",
        run.stdout
    );
    drop(lock);
    let run = session.parapost(["receive", "mail"]);
    let run = run.any_stdout().any_stderr().either();
    assert!(run.stdout.contains("\tb\taccepted\n"), "{}", run.stdout);
}
