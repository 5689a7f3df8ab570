//! Tests of messages of one run while a match changes beneath them.

use std::fs;

use super::*;
use crate::command::test_session;

fn letter(number: usize, body: &str) -> IncomingMessage {
    let letter = format!(
        "From: anna@example.org\nSubject: [m]\nMessage-ID: <{number}@anna.test>\n\n{body}\n"
    );
    IncomingMessage::parse(letter.as_bytes()).unwrap()
}

/// Somebody puts the file right between two letters: the second one was played, and the
/// first one came too late.
#[test]
fn a_letter_waits_for_one_of_a_match_that_could_not_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let session = test_session::session(folder.path(), "ref", "referee", |_, _| {});
    let path = folder.path().join("games/m.txt");
    let handler = || {
        let cache = Arc::new(Cache::new(&*session.store, false));
        Handler::over(&session, cache, false)
    };
    let letters = [letter(1, "1. P>e3"), letter(2, "1. P>e4")];
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, "Format: nonsense\n").unwrap();
    let mut run = handler();
    run.handle(&letters[0], false).err().unwrap();
    fs::write(&path, &whole).unwrap();
    let error = run.handle(&letters[1], false).err().unwrap();
    assert!(error.is_transient(), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
    let mut next = handler();
    let words = letters.map(|letter| next.handle(&letter, false).unwrap().word);
    let expected = [Disposition::Accepted, Disposition::Refused];
    assert_eq!(words, expected);
}
