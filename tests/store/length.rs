//! The cost of a change by the length of the log. The bytes are counted each time; for the times
//! `cargo test --features postgres --test main store::length -- --ignored --nocapture` prints a
//! table in Markdown.
//!
//! The lines are notes, so that the list of moves is the same.

use std::cell::Cell;
use std::time::{Duration, Instant};

use parapost::matches::event::{Event, LogEntry};
use parapost::matches::r#match::Match;
use parapost::rules::Color;
use parapost::store::folder::Folder;
#[cfg(feature = "postgres")]
use parapost::store::postgres::store::Postgres;
use parapost::store::store::{Store, Stored, update};

use crate::matches::log::{settings, time};
#[cfg(feature = "postgres")]
use crate::servers::cutting_proxy::{CuttingProxy, Way};
#[cfg(feature = "postgres")]
use crate::servers::postgresql::Postgresql;
use crate::store::memory::Memory;

const LINES: [usize; 2] = [10, 2000];
const CHANGES: usize = 100;

/// Changes enough that the end of a text moves to its parts several times.
const COUNTED: u64 = 50;

fn note(number: usize) -> LogEntry {
    let text = format!("a note of some words to make it long, number {number}");
    LogEntry::new(time(), Event::note(text), Color::White)
}

/// A match whose log has so many lines more than one, as a store has it.
fn made(store: &dyn Store, lines: usize) -> Stored {
    let mut settings = settings("unachess", &[]);
    settings.id = format!("m{lines}").parse().unwrap();
    let mut game = Match::new(settings, time());
    for number in 0..lines {
        game.push(note(number)).unwrap();
    }
    store.create(&game).unwrap();
    store.read(game.id()).unwrap()
}

fn changed(store: &dyn Store, from: Stored) -> Stored {
    let number = from.game.log().len();
    let update = update(store, from, |game| game.push(note(number)));
    update.unwrap().1
}

/// The mean of what `written` counts for a change of a match that is known.
fn bytes_of(store: &dyn Store, known: &mut Stored, written: &dyn Fn(&Match) -> u64) -> u64 {
    let before = written(&known.game);
    let mut bytes = 0;
    for _ in 0..COUNTED {
        *known = changed(store, known.clone());
        bytes = written(&known.game) - before;
    }
    bytes / COUNTED
}

/// Prints the bytes of a change, and the medians of the times that it takes: of a match that is
/// known, and of one that is read for it.
fn measure(name: &str, store: &dyn Store, written: &dyn Fn(&Match) -> u64) {
    for lines in LINES {
        let mut known = made(store, lines);
        let bytes = bytes_of(store, &mut known, written);
        let mut times: [Vec<Duration>; 2] = Default::default();
        for _ in 0..CHANGES {
            let begun = Instant::now();
            known = changed(store, known);
            times[0].push(begun.elapsed());
        }
        for _ in 0..CHANGES {
            let begun = Instant::now();
            known = changed(store, store.read(known.game.id()).unwrap());
            times[1].push(begun.elapsed());
        }
        let [warm, cold] = times.map(|mut times| {
            times.sort();
            times[CHANGES / 2].as_secs_f64() * 1000.0
        });
        println!("| {name} | {lines} | {bytes} | {warm:.2} | {cold:.2} |");
    }
}

/// What a server has written to its own log.
#[cfg(feature = "postgres")]
fn own_log(server: &Postgresql) -> u64 {
    let log = server.sql("club", "select pg_current_wal_insert_lsn() - '0/0'");
    log.trim().parse().unwrap()
}

/// The server wrote the whole text anew for each line.
#[cfg(feature = "postgres")]
#[test]
#[ignore = "needs PostgreSQL"]
fn a_change_in_a_database_costs_as_many_bytes_whatever_the_length_of_the_log() {
    let server = Postgresql::start();
    // Its own work in the background would be counted.
    server.sql("club", "alter system set autovacuum = off");
    server.sql("club", "select pg_reload_conf()");
    server.store();
    let proxy = CuttingProxy::start(server.port);
    let store = Postgres::new(server.settings("club", proxy.port));
    let found = LINES.map(|lines| {
        let mut known = made(&store, lines);
        let (sent, logged) = (proxy.passed(Way::ToServer), own_log(&server));
        let written = |_: &Match| 0;
        bytes_of(&store, &mut known, &written);
        [
            (proxy.passed(Way::ToServer) - sent) as u64,
            own_log(&server) - logged,
        ]
    });
    let [short, long] = found;
    for (short, long) in short.into_iter().zip(long) {
        assert!(2 * long <= 3 * short, "{found:?}");
    }
}

#[test]
#[ignore = "by hand: it measures"]
fn a_change_of_a_long_match_beside_one_of_a_short_one() {
    println!("| store | lines | bytes written | a change, ms | after reading, ms |");
    println!("|---|---|---|---|---|");
    let texts = Cell::new(0);
    let whole = |game: &Match| {
        texts.set(texts.get() + game.to_string().len() as u64);
        texts.get()
    };
    measure("memory", &Memory::default(), &whole);
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = Folder::new(place.path(), Duration::ZERO);
    measure("folder", &folder, &whole);
    #[cfg(feature = "postgres")]
    {
        let server = Postgresql::start();
        server.store();
        let proxy = CuttingProxy::start(server.port);
        let store = Postgres::new(server.settings("club", proxy.port));
        measure("PostgreSQL, to the server", &store, &|_| {
            proxy.passed(Way::ToServer) as u64
        });
        let server = Postgresql::start();
        let log = |_: &Match| own_log(&server);
        measure("PostgreSQL, its own log", &server.store(), &log);
    }
}
