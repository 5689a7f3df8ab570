//! The pieces in which a database has the text of a match, and the tables of a version that had
//! it in one.

use std::sync::Arc;

use parapost::matches::event::{Event, LogEntry};
use parapost::matches::r#match::Match;
use parapost::rules::Color;
use parapost::store::postgres::server;
use parapost::store::postgres::store::Postgres;
use parapost::store::store::{Change, Store, Stored};

use crate::commands::play;
use crate::matches::log::{settings, time};
use crate::servers::cutting_proxy::{CuttingProxy, Way};
use crate::servers::postgresql::Postgresql;

fn game() -> Match {
    let mut settings = settings("unachess", &[]);
    settings.event = Some("Zürich 😀 €".to_owned());
    Match::new(settings, time())
}

fn with_note(game: &Match, text: &str) -> Arc<Match> {
    let mut game = game.clone();
    let note = LogEntry::new(time(), Event::note(text), Color::White);
    game.push(note).unwrap();
    Arc::new(game)
}

/// Adds a note to a match that is known. The text is then the match's, however it is asked for.
#[track_caller]
fn add(store: &dyn Store, stored: &Stored, text: &str) -> Stored {
    let game = with_note(&stored.game, text);
    let change = store.change(&game, &stored.revision).unwrap();
    let Change::Done(revision) = change else {
        panic!("{change:?}");
    };
    let found = store.text(game.id()).unwrap().unwrap();
    assert_eq!(String::from_utf8(found).unwrap(), game.to_string());
    Stored { game, revision }
}

fn parts(server: &Postgresql) -> usize {
    let count = server.sql("club", "select count(*) from match_part");
    count.trim().parse().unwrap()
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_text_is_put_together_from_its_parts_however_it_is_read() {
    let server = Postgresql::start();
    let store = server.store();
    store.create(&game()).unwrap();
    let first = store.read(game().id()).unwrap();
    let mut stored = first.clone();
    for number in 0..40 {
        // Some are longer than a part, in characters of several bytes.
        let length = [40, 400, 4000][number % 3];
        stored = add(&store, &stored, &format!("{number} {}", "€".repeat(length)));
    }
    assert!(parts(&server) > 10, "{}", parts(&server));
    let is_same = |game: &Match| game.to_string() == stored.game.to_string();
    let id = game().id().clone();
    assert!(is_same(&store.read(&id).unwrap().game));
    assert!(is_same(&store.find(&id).unwrap().unwrap().game));
    assert!(is_same(&store.renewed(first).unwrap().game));
    let survey = store.survey().unwrap();
    assert!(survey.damaged.is_empty() && is_same(&survey.matches[0].game));
    let address = game().player(Color::White).address().clone();
    assert!(is_same(
        &store.by_address(&address).unwrap().matches[0].game
    ));
    let mut shown = 0;
    store
        .show(std::slice::from_ref(&id), &mut |_, game| {
            shown += usize::from(is_same(game.unwrap()));
        })
        .unwrap();
    assert_eq!(shown, 1);
    // It is read and gone on with by another process.
    let other = server.store();
    add(&other, &other.read(&id).unwrap(), "by another");

    // A text that is put in its place has no parts.
    let before = store.text(&id).unwrap();
    let rebuilt = with_note(&game(), "rebuilt");
    let kept = store.restore(&rebuilt, before.as_deref()).unwrap();
    assert!(kept.unwrap().ends_with(".damaged-1"));
    assert_eq!(store.text(&id).unwrap(), Some(rebuilt.to_string().into()));
    assert_eq!(parts(&server), 0);
    let kept = server.sql("club", "select body from match_kept");
    assert_eq!(kept.trim_end().as_bytes(), before.unwrap().trim_ascii_end());

    // Nor has a match that somebody removes and makes anew.
    let mut stored = store.read(&id).unwrap();
    for number in 0..3 {
        stored = add(&store, &stored, &format!("{number} {}", "x".repeat(1000)));
    }
    assert!(parts(&server) > 0);
    server.sql("club", "delete from match");
    server.sql("club", "delete from match_address");
    store.create(&game()).unwrap();
    assert_eq!(store.text(&id).unwrap(), Some(game().to_string().into()));
}

/// Such a text is another one, which the next change replaces as a whole.
#[test]
#[ignore = "needs PostgreSQL"]
fn a_text_that_somebody_has_changed_anywhere_is_not_added_to() {
    let server = Postgresql::start();
    let store = server.store();
    store.create(&game()).unwrap();
    let mut stored = store.read(game().id()).unwrap();
    for edit in [
        "update match set above = above || 'x'",
        "update match set above = 'x' || above, body = substr(body, 2)",
        "update match set body = body || 'x'",
        "update match set tail = tail || 'x'",
        "update match_part set body = body || 'x' where number = 2",
        "delete from match_part where number = 1",
    ] {
        for number in 0..4 {
            stored = add(&store, &stored, &format!("{number} {}", "x".repeat(1000)));
        }
        assert!(parts(&server) > 1, "{edit}");
        server.sql("club", edit);
        assert_ne!(
            store.text(game().id()).unwrap(),
            Some(stored.game.to_string().into()),
            "{edit}"
        );
        stored = add(&store, &stored, edit);
        assert_eq!(parts(&server), 0, "{edit}");
    }
}

/// The tables of version 2 had the whole text in `body`.
#[test]
#[ignore = "needs PostgreSQL"]
fn tables_of_the_version_before_are_brought_up_to_date_with_what_is_in_them() {
    let server = Postgresql::start();
    let house = play::house();
    house.write(
        "anna.toml",
        house.read("anna.toml") + &server.config("club"),
    );
    let anna = |words: &[&str]| house.parapost(play::of("anna", words)).any_stderr();
    let mut long = game();
    for number in 0..200 {
        long = Match::clone(&with_note(&long, &format!("naïve 😀 {number}")));
    }
    server.store().create(&long).unwrap();
    let broken = "no match at all";
    let broken_id = "broken".parse().unwrap();
    assert!(
        server
            .store()
            .add_text(&broken_id, broken.as_bytes())
            .unwrap()
    );
    server.sql(
        "club",
        "update match set body = above || body;
         alter table match drop column above, drop column tail;
         drop table match_part;
         update parapost_schema set version = 2",
    );
    let rows = "select id, rev, body, is_open, owes, damaged from match order by id";
    let before = server.sql("club", rows);
    let refused = anna(&["list"]).status(1).any_stdout().run();
    assert!(
        refused.stderr.contains("the tables are of version 2"),
        "{}",
        refused.stderr
    );
    for said in ["the tables are made", "are there already"] {
        anna(&["store", "setup"]).stderr_contains(said).run();
    }
    assert_eq!(server.sql("club", rows), before);
    let proxy = CuttingProxy::start(server.port);
    let store = Postgres::new(server.settings("club", proxy.port));
    assert!(!server::set_up(server.settings("club", proxy.port)).unwrap());
    let text = |id| String::from_utf8(store.text(id).unwrap().unwrap()).unwrap();
    assert_eq!(text(&broken_id), broken);
    assert_eq!(text(long.id()), long.to_string());
    // The first change puts it in pieces.
    let mut sent = Vec::new();
    let mut stored = store.read(long.id()).unwrap();
    for word in ["one", "two"] {
        let before = proxy.passed(Way::ToServer);
        stored = add(&store, &stored, word);
        sent.push(proxy.passed(Way::ToServer) - before);
    }
    assert!(sent[0] > long.to_string().len(), "{sent:?}");
    assert!(sent[1] < long.to_string().len() / 4, "{sent:?}");
    // Of a version that is broken off, what was not made is made.
    server.sql(
        "club",
        "drop table match_part; update parapost_schema set version = 2",
    );
    anna(&["store", "setup"]).stderr_contains("are made").run();
    assert_eq!(text(long.id()), stored.game.to_string());
}
