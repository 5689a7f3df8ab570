//! The cost of a change by the length of the log: `cargo test --features postgres --test main store::length -- --ignored --nocapture`.
//!
//! The lines are notes, so that the list of moves is the same. Prints a table in Markdown.

use std::time::{Duration, Instant};

use parapost::matches::event::{Event, LogEntry};
use parapost::matches::r#match::Match;
use parapost::rules::Color;
use parapost::store::folder::Folder;
#[cfg(feature = "postgres")]
use parapost::store::postgres::store::Postgres;
use parapost::store::store::Store;
use parapost::store::update::update;

use crate::matches::log::{settings, time};
#[cfg(feature = "postgres")]
use crate::servers::cutting_proxy::{CuttingProxy, Way};
#[cfg(feature = "postgres")]
use crate::servers::postgresql::Postgresql;
use crate::store::memory::Memory;

const LINES: [usize; 2] = [10, 2000];
const CHANGES: usize = 100;

fn note(number: usize) -> LogEntry {
    let text = format!("a note of some words to make it long, number {number}");
    LogEntry::new(time(), Event::note(text), Color::White)
}

/// The medians of the times that a change takes: of a match that is known, and of one that
/// is read for it; and what `written` counts for one of the former.
fn measure(name: &str, store: &dyn Store, written: &dyn Fn(&Match) -> u64) {
    for lines in LINES {
        let mut settings = settings("unachess", &[]);
        settings.id = format!("m{lines}").parse().unwrap();
        let mut game = Match::new(settings, time());
        for number in 0..lines {
            game.push(note(number)).unwrap();
        }
        store.create(&game).unwrap();
        let mut known = store.read(game.id()).unwrap();
        let mut number = 0;
        let mut change = |from| {
            number += 1;
            update(store, from, |game| game.push(note(number)))
                .unwrap()
                .1
        };
        // The first one is written as a whole.
        known = change(known);
        let before = written(&known.game);
        known = change(known);
        let bytes = written(&known.game) - before;
        let length = known.game.log().len();
        let mut times: [Vec<Duration>; 2] = Default::default();
        for _ in 0..CHANGES {
            let begun = Instant::now();
            known = change(known);
            times[0].push(begun.elapsed());
        }
        for _ in 0..CHANGES {
            let begun = Instant::now();
            known = change(store.read(game.id()).unwrap());
            times[1].push(begun.elapsed());
        }
        let [warm, cold] = times.map(|mut times| {
            times.sort();
            times[CHANGES / 2].as_secs_f64() * 1000.0
        });
        println!("| {name} | {lines} | {bytes} | {warm:.2} | {cold:.2} |");
        assert_eq!(known.game.log().len(), length + 2 * CHANGES);
    }
}

#[test]
#[ignore = "it measures"]
fn a_change_of_a_long_match_beside_one_of_a_short_one() {
    println!("| store | lines | bytes written | a change, ms | with the reading, ms |");
    println!("|---|---|---|---|---|");
    let texts = std::cell::Cell::new(0);
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
        let log = |_: &Match| {
            let log = server.sql("club", "select pg_current_wal_insert_lsn() - '0/0'");
            log.trim().parse().unwrap()
        };
        measure("PostgreSQL, its own log", &server.store(), &log);
    }
}
