//! Tests of a whole run over a source in memory, which records the settlements.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::command::context::Context;
use crate::command::receive::batch::Batch;
use crate::command::status::Status;
use crate::command::test_session::{self, with_context};
use crate::command::test_source::QueueSource;
use crate::inbound::incoming_message::{self, IncomingMessage};
use crate::mail::sources::source::{MailSource as _, Settlement};
use crate::matches::event::Disposition;
use crate::referee::handler::Handler;
use crate::referee::session::Session;
use crate::store::cache::Cache;

/// Creates a referee's session in a folder, with the match `m` of Anna and Ben.
fn session(folder: &Path) -> Session {
    test_session::session(folder, "ref", "referee", |_, _| {})
}

fn batch(session: &Session, is_dry_run: bool) -> Batch<'_> {
    Batch::new(session, is_dry_run, false)
}

/// Runs a batch over a source, and returns the lines of standard output.
fn run(batch: &mut Batch<'_>, source: &mut QueueSource) -> String {
    let read = |context: &mut Context<'_>| batch.read_all(source, context);
    let (read, [told, _], _) = with_context(&[], read);
    read.unwrap();
    told
}

fn message(from: &str, body: &str) -> String {
    let id = body.replace('>', "-");
    format!("From: {from}@example.org\nSubject: [m]\nMessage-ID: <{id}@{from}>\n\n{body}\n")
}

/// Creates a source, and the settlements it must be told.
fn source() -> (QueueSource, [(u64, Settlement); 4]) {
    let mut source = QueueSource::default();
    source.push(7, &message("anna", "P>e3"));
    source.push(8, &message("mallory", "P>e4"));
    source.push(9, &message("anna", "P>e4"));
    source.push(11, "no message");
    let told = [
        (7, Settlement::Handled),
        (8, Settlement::NotOurs),
        (9, Settlement::Handled),
        (11, Settlement::Handled),
    ];
    (source, told)
}

#[test]
fn a_source_is_told_what_became_of_each_message() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path());
    let mut batch = batch(&session, false);
    let (mut source, told) = source();
    let lines = run(&mut batch, &mut source);
    let words: Vec<_> = lines.lines().map(|line| line.rsplit('\t').next()).collect();
    let expected = ["accepted", "stranger", "not-your-turn", "refused"];
    assert_eq!(words, expected.map(Some));
    assert_eq!(source.settled, told);
    assert_eq!(source.bytes_read(), source.bytes_expected());
}

#[test]
fn a_dry_run_settles_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path());
    let mut batch = batch(&session, true);
    let (mut source, _) = source();
    assert_eq!(run(&mut batch, &mut source).lines().count(), 4);
    assert_eq!(source.settled, []);
}

#[test]
fn a_deferred_message_is_brought_again() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path());
    let mut batch = batch(&session, false);
    let file = folder.path().join("games/m.txt");
    // A damaged file defers the message, and the message comes again.
    fs::write(&file, "Format: nonsense\n").unwrap();
    let mut source = QueueSource::default();
    source.push(1, &message("anna", "P>e3"));
    let lines = run(&mut batch, &mut source);
    assert_eq!(lines.matches("\tdeferred\n").count(), 2, "{lines}");
    assert_eq!(source.settled, [(1, Settlement::Deferred); 2]);
    assert_eq!(batch.status, Status::Later);
}

fn letter(number: usize, body: &str) -> IncomingMessage {
    let letter = format!(
        "From: anna@example.org\nSubject: [m]\nMessage-ID: <{number}@anna.test>\n\n{body}\n"
    );
    incoming_message::read(letter.as_bytes()).unwrap()
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
