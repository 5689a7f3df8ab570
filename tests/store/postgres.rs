//! What only a database has: outcomes that are unknown, commits that no standby has,
//! claims that end by themselves, and the way from a folder and back.

use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, thread};

use parapost::Error;
use parapost::match_id::Id;
use parapost::matches::event::{Event, LogEntry};
use parapost::matches::r#match::Match;
use parapost::rules::Color;
use parapost::store::attempts::Attempts;
use parapost::store::postgres::server;
use parapost::store::postgres::store::Postgres;
use parapost::store::store::{Change, Store, Stored, update};

use crate::commands::play;
use crate::matches::log::{settings, time};
use crate::servers::cutting_proxy::{CuttingProxy, Way};
use crate::servers::postgresql::Postgresql;
use crate::servers::wait_until;
use crate::support::Sandbox;

fn game() -> Match {
    Match::new(settings("unachess", &[]), time())
}

fn id() -> Id {
    game().id().clone()
}

fn note(text: &str) -> LogEntry {
    LogEntry::new(time(), Event::note(text), Color::White)
}

fn with_note(stored: &Stored, text: &str) -> Arc<Match> {
    let mut game = Match::clone(&stored.game);
    game.push(note(text)).unwrap();
    Arc::new(game)
}

/// The notes of the match, in their order.
fn notes(store: &dyn Store) -> Vec<String> {
    let game = store.read(&id()).unwrap().game;
    let notes = game.log().iter().filter(|event| event.is_note());
    notes
        .filter_map(|event| event.argument().map(ToOwned::to_owned))
        .collect()
}

/// Anna's house with its matches in the database.
fn house(server: &Postgresql) -> Sandbox {
    let house = play::house();
    let config = house.read("anna.toml") + &server.config("club");
    house.write("anna.toml", config);
    let config = house.read("ref.toml") + &server.config("club");
    house.write("ref.toml", config);
    house
}

fn letter(number: usize, body: &str) -> String {
    format!(
        "From: anna@example.org\nTo: ref@example.org\nSubject: Re: [demo] Unachess\n\
         Message-ID: <{number}@anna.test>\n\n{body}\n"
    )
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_database_is_set_up_by_one_command_and_then_plays() {
    let server = Postgresql::start();
    let house = house(&server);
    let anna = |words: &[&str]| house.parapost(play::of("anna", words)).any_stderr();
    anna(&["list"])
        .status(1)
        .stderr_contains("'parapost store setup' makes them")
        .run();
    anna(&["store", "setup"])
        .stderr_contains("the tables are made")
        .run();
    anna(&["store", "setup"])
        .stderr_contains("are there already")
        .run();
    anna(&[play::DEMO, &["--invited"]].concat())
        .stdout("demo\n")
        .run();
    anna(&["move", "demo", "P>e3"]).any_stdout().run();
    anna(&["list"]).stdout_contains("demo").run();
    assert!(
        house
            .contents()
            .iter()
            .all(|(path, _)| !path.ends_with("demo.txt"))
    );
    // The version of the tables is looked at.
    for (version, said) in [(0, "brings them up to date"), (99, "use a newer parapost")] {
        server.sql(
            "club",
            &format!("update parapost_schema set version = {version}"),
        );
        anna(&["list"]).status(1).stderr_contains(said).run();
    }
    anna(&["store", "setup"])
        .status(1)
        .stderr_contains("use a newer parapost")
        .run();
    server.sql("club", "update parapost_schema set version = 0");
    anna(&["store", "setup"])
        .stderr_contains("the tables are made")
        .run();
    anna(&["show", "demo"]).any_stdout().run();
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_server_that_nobody_vouches_for_gets_no_password() {
    let server = Postgresql::start();
    let house = house(&server);
    let config = house.read("anna.toml");
    let line = format!("ca_file = \"{}\"\n", server.ca_file().display());
    house.write("anna.toml", config.replace(&line, ""));
    house
        .parapost(play::of("anna", &["--wait", "0", "list"]))
        .any_stderr()
        .status(75)
        .stderr_contains("certificate")
        .run();
    // And a wrong password is told as such.
    let config = config.replace("tortoise and hare", "wrong");
    house.write("anna.toml", config);
    house
        .parapost(play::of("anna", &["list"]))
        .any_stderr()
        .status(1)
        .stderr_contains("password authentication failed")
        .run();
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_club_moves_from_a_folder_to_a_database_and_back_byte_for_byte() {
    let server = Postgresql::start();
    let house = house(&server);
    let of_folder = || {
        house
            .parapost(play::of("ben", &["export", "first"]))
            .any_stderr()
    };
    let anna = |words: &[&str]| house.parapost(play::of("anna", words)).any_stderr();
    let whole = house.parapost(play::of("ben", &[play::DEMO, &["--invited"]].concat()));
    whole.stdout("demo\n").run();
    house
        .parapost(play::of("eve", &["list"]))
        .any_stdout()
        .run();
    let demo = house.read("games/demo.txt");
    house.write("games/broken.txt", demo.replace("Anna", "Br\u{e9}a"));
    house.write("games/cut.txt", &demo[..40]);
    house.write("games/readme.txt", "How we play\n");
    of_folder().stderr_contains("3 matches copied").run();
    for name in ["demo.txt", "broken.txt", "cut.txt"] {
        assert_eq!(
            house.read(format!("first/{name}")),
            house.read(format!("games/{name}"))
        );
    }
    anna(&["store", "setup"]).run();
    // What a database cannot keep is named.
    house.write("first/nul.txt", demo.replace("Anna", "An\0na"));
    house.write("first/latin.txt", [demo.as_bytes(), b"\xe9"].concat());
    house.write(
        "first/long.txt",
        format!("{demo}{}", "# long\n".repeat(1 << 18)),
    );
    anna(&["import", "first"])
        .status(1)
        .stderr_contains("3 matches copied")
        .stderr_contains("nul: there is a NUL")
        .stderr_contains("latin: it is not UTF-8")
        .stderr_contains("long: its text is longer than 1 MiB")
        .stderr_contains("3 not copied")
        .run();
    for name in ["nul", "latin", "long"] {
        fs::remove_file(house.path(format!("first/{name}.txt"))).unwrap();
    }
    anna(&["import", "first"])
        .stderr_contains("3 there already")
        .run();
    anna(&["export", "second"])
        .stderr_contains("3 matches copied")
        .run();
    for name in ["demo.txt", "broken.txt", "cut.txt"] {
        assert_eq!(
            house.read(format!("second/{name}")),
            house.read(format!("games/{name}"))
        );
    }
    // A match that differs stays as it is, here and there.
    anna(&["move", "demo", "P>e3"]).any_stdout().run();
    let there = house.read("second/demo.txt");
    for words in [["export", "second"], ["import", "second"]] {
        anna(&words)
            .status(1)
            .stderr_contains("there is another match demo, which stays as it is")
            .run();
    }
    assert_eq!(house.read("second/demo.txt"), there);
    anna(&["show", "demo"]).any_stdout().run();
    what_may_have_gone_is_carried(&server, &house);
}

/// Takes a match of which a mail may have gone from the database to a folder and back.
fn what_may_have_gone_is_carried(server: &Postgresql, house: &Sandbox) {
    let anna = |words: &[&str]| house.parapost(play::of("anna", words)).any_stderr();
    let mail = server.text("demo");
    let msg = mail
        .split("msg=")
        .nth(1)
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap();
    let msg = msg.trim_matches('"').to_owned();
    server.sql(
        "club",
        &format!("insert into match_mail values ('demo', 1, '', now(), '{msg}') on conflict (id) do update set body = excluded.body"),
    );
    anna(&["undo", "demo"])
        .status(1)
        .stderr_contains("may have gone")
        .run();
    anna(&["export", "third"]).run();
    house.write(
        "ben.toml",
        house
            .read("ben.toml")
            .replace("Ben", "Anna")
            .replace("ben@", "anna@"),
    );
    house
        .parapost(play::of("ben", &["--games", "third", "undo", "demo"]))
        .any_stderr()
        .status(1)
        .stderr_contains("may have gone")
        .run();
    // The first run may have ended between the two.
    server.sql("club", "delete from match_mail");
    anna(&["import", "third"])
        .stderr_contains("3 there already")
        .run();
    anna(&["undo", "demo"])
        .status(1)
        .stderr_contains("may have gone")
        .run();
}

/// Whatever byte a connection ends at, the change is there once, and is known to be.
#[test]
#[ignore = "needs PostgreSQL"]
fn a_change_over_a_connection_that_ends_at_any_byte_is_made_once() {
    let server = Postgresql::start();
    let direct = server.store();
    direct.create(&game()).unwrap();
    let proxy = CuttingProxy::start(server.port);
    let mut expected = Vec::new();
    let mut change = |text: String| {
        // A store of its own, as a process of its own has it.
        let store = Postgres::new(server.settings("club", proxy.port));
        let stored = direct.read(&id()).unwrap();
        let change = store.change(&with_note(&stored, &text), &stored.revision);
        expected.push(text);
        assert!(matches!(change, Ok(Change::Done(_))), "{change:?}");
        assert_eq!(notes(&direct), expected);
        // The revision that was returned is that of the row.
        let Ok(Change::Done(revision)) = change else {
            unreachable!()
        };
        assert_eq!(
            revision.as_str(),
            direct.read(&id()).unwrap().revision.as_str()
        );
    };
    let before = Way::ALL.map(|way| proxy.passed(way));
    change("whole".to_owned());
    for (way, before) in Way::ALL.into_iter().zip(before) {
        let bytes = proxy.passed(way) - before;
        for cut in (0..bytes).step_by(bytes.div_ceil(20)) {
            proxy.cut_next(way, cut);
            change(format!("{way:?} {cut}"));
        }
    }
}

/// However long the text is. One that somebody has put in its place is written over.
#[test]
#[ignore = "needs PostgreSQL"]
fn a_change_sends_what_is_new_in_a_text() {
    let server = Postgresql::start();
    server.store();
    let proxy = CuttingProxy::start(server.port);
    let store = Postgres::new(server.settings("club", proxy.port));
    let mut sent = Vec::new();
    for (name, lines) in [("short", 10), ("long", 2000)] {
        let mut settings = settings("unachess", &[]);
        settings.id = name.parse().unwrap();
        settings.event = Some("Zürich 😀 €".to_owned());
        let mut game = Match::new(settings, time());
        for number in 0..lines {
            game.push(note(&format!("naïve 😀 {number}"))).unwrap();
        }
        store.create(&game).unwrap();
        let id = game.id();
        let mut stored = store.read(id).unwrap();
        for word in ["one", "two", "€"] {
            let before = proxy.passed(Way::ToServer);
            let longer = with_note(&stored, word);
            let change = store.change(&longer, &stored.revision).unwrap();
            sent.push((name, proxy.passed(Way::ToServer) - before));
            let Change::Done(revision) = change else {
                panic!("{change:?}");
            };
            let text = store.text(id).unwrap().unwrap();
            assert_eq!(String::from_utf8(text).unwrap(), longer.to_string());
            stored = Stored {
                game: longer,
                revision,
            };
        }
        let other = format!("update match set body = body || 'x' where id = '{name}'");
        server.sql("club", &other);
        let longer = with_note(&stored, "three");
        let change = store.change(&longer, &stored.revision).unwrap();
        assert!(matches!(change, Change::Done(_)), "{change:?}");
        let text = store.text(id).unwrap().unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), longer.to_string());
    }
    let most = |name| {
        sent.iter()
            .filter(|(of, _)| *of == name)
            .map(|(_, bytes)| *bytes)
            .max()
    };
    assert!(
        most("long") < most("short").map(|bytes| bytes * 3 / 2),
        "{sent:?}"
    );
}

/// A commit can be seen before a standby has it. A duplicate told of then would be lost
/// with the server.
#[test]
#[ignore = "needs PostgreSQL"]
fn nothing_is_acknowledged_that_no_standby_has() {
    let server = Postgresql::start();
    let house = house(&server);
    let run = |words: &[&str]| house.parapost(play::of("ref", words)).any_stderr();
    run(&["store", "setup"]).run();
    let new = [play::DEMO, &["--invited"]].concat();
    run(&new).stdout("demo\n").run();
    let receive = || run(&["--wait", "1", "receive"]).stdin(letter(1, "1. P>e3"));
    let stands_by = |names: &str| {
        server.sql(
            "club",
            &format!("alter system set synchronous_standby_names = '{names}'"),
        );
        server.sql("club", "select pg_reload_conf()");
        thread::sleep(Duration::from_millis(300));
    };
    stands_by("ANY 1 (nobody)");
    let end_waits = |how: &str| {
        server.sql(
            "club",
            &format!("select {how}(pid) from pg_stat_activity where wait_event = 'SyncRep'"),
        );
    };
    let deferred = "<1@anna.test>\t-\tdeferred\n";
    receive().stdout(deferred).status(75).run();
    // As after a crash: what waited can be seen now.
    end_waits("pg_terminate_backend");
    let moves = || server.text("demo").matches(" move White ").count();
    let is_seen = wait_until(|| moves() == 1);
    assert!(is_seen, "the commit can be seen");
    receive().stdout(deferred).status(75).run();
    // Nor does a wait that somebody cancels count.
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..40 {
                end_waits("pg_cancel_backend");
                thread::sleep(Duration::from_millis(50));
            }
        });
        receive().stdout(deferred).status(75).run();
    });
    stands_by("");
    end_waits("pg_terminate_backend");
    receive().stdout("<1@anna.test>\tdemo\tduplicate\n").run();
    assert_eq!(moves(), 1);
}

/// The claim of outgoing mail is for speed: nothing rests on it.
#[test]
#[ignore = "needs PostgreSQL"]
fn an_undo_whose_claim_has_ended_takes_nothing_back_that_may_have_gone() {
    let server = Postgresql::start();
    let store = server.store();
    store.create(&game()).unwrap();
    let msg = "<m.3.x@y.test>".parse().unwrap();
    let mut first = Attempts::open(store.sending(&id()).unwrap()).unwrap();
    // Others wait while the claim holds.
    let hurried = Postgres::new(parapost::store::postgres::connection::Settings {
        wait: Duration::ZERO,
        ..server.settings("club", server.port)
    });
    let error = hurried.sending(&id()).err().expect("it is claimed");
    assert!(error.is_transient(), "{error}");
    server.sql("club", "update match_mail set expires = now()");
    let mut second = Attempts::open(hurried.sending(&id()).unwrap()).unwrap();
    second.begin(&msg).unwrap();
    // The first, be it an undo or a sender, can do nothing more.
    let stored = store.read(&id()).unwrap();
    let undone = first.change(&store, &with_note(&stored, "undone"), &stored.revision);
    assert!(undone.is_err_and(|error| error.is_transient()));
    assert!(
        first
            .begin(&msg)
            .is_err_and(|error: Error| error.is_transient())
    );
    assert_eq!(notes(&store), [""; 0]);
    drop(first);
    let change = second.change(&store, &with_note(&stored, "mine"), &stored.revision);
    assert!(matches!(change, Ok(Change::Done(_))), "{change:?}");
    drop(second);
    // The end of a claim lets others in at once, and the text is kept.
    let third = Attempts::open(hurried.sending(&id()).unwrap()).unwrap();
    assert!(third.may_have_gone(&msg));
}

/// Distributed engines know serializable transactions alone, and ask for another try where
/// `PostgreSQL` by default says that nothing was found.
#[test]
#[ignore = "needs PostgreSQL"]
fn many_threads_add_to_one_match_each_once() {
    let server = Postgresql::start();
    for isolation in ["read committed", "serializable"] {
        server.sql(
            "club",
            &format!("alter database club set default_transaction_isolation = '{isolation}'"),
        );
        let store = server.store();
        store.create(&game()).unwrap();
        add_by_many_threads(&store);
        server.sql("club", "delete from match");
        server.sql("club", "delete from match_address");
    }
}

fn add_by_many_threads(store: &Postgres) {
    const THREADS: usize = 8;
    const EACH: usize = 10;
    thread::scope(|scope| {
        for number in 0..THREADS {
            scope.spawn(move || {
                for count in 0..EACH {
                    let from = store.read(&id()).unwrap();
                    let text = format!("{number} {count}");
                    let add = |game: &mut Match| game.push(note(&text)).map_err(Error::refused);
                    let ((), stored) = update(store, from.clone(), add).unwrap();
                    // A stale swap is refused.
                    let stale = store.change(&with_note(&from, "stale"), &from.revision);
                    assert!(matches!(stale, Ok(Change::Conflict(_))), "{stale:?}");
                    assert!(stored.game.log().len() > from.game.log().len());
                }
            });
        }
    });
    let notes = notes(store);
    assert_eq!(notes.len(), THREADS * EACH);
    for number in 0..THREADS {
        let own = notes
            .iter()
            .filter(|note| note.starts_with(&format!("{number} ")));
        let expected = (0..EACH).map(|count| format!("{number} {count}"));
        assert!(own.cloned().eq(expected), "{notes:?}");
    }
}

#[test]
#[ignore = "needs PostgreSQL"]
fn matches_are_found_by_address_and_by_what_they_owe() {
    let server = Postgresql::start();
    let store = server.store();
    store.create(&game()).unwrap();
    let found = |address: &str| {
        store
            .by_address(&address.parse().unwrap())
            .unwrap()
            .matches
            .len()
    };
    let player = game().player(Color::White).address().clone();
    assert_eq!(found(player.as_ref()), 1);
    let sub = format!("{}+x@{}", player.user().to_uppercase(), player.domain());
    assert_eq!(found(&sub), 1);
    assert_eq!(found("eve@example.org"), 0);
    assert_eq!(store.owing().unwrap(), []);
    // Added twice, the tables stay as they are.
    assert!(!server::set_up(server.settings("club", server.port)).unwrap());
    let stored = store.read(&id()).unwrap();
    let renewed = store.renewed(stored.clone()).unwrap();
    assert!(
        Arc::ptr_eq(&stored.game, &renewed.game),
        "it is not read again"
    );
    let next = with_note(&stored, "x");
    store.change(&next, &stored.revision).unwrap();
    assert_eq!(
        store.renewed(stored).unwrap().game.log().len(),
        next.log().len()
    );
    assert_eq!(store.survey().unwrap().matches.len(), 1);
}

/// A worker is stopped or killed while it sends: the others waited for its claim.
#[test]
#[ignore = "needs PostgreSQL"]
fn a_claim_that_nobody_gives_up_holds_up_the_mail_of_no_other_match() {
    let server = Postgresql::start();
    let house = house(&server);
    let anna = |words: &[&str]| {
        let run = house.parapost(play::of("anna", words));
        run.any_stdout().any_stderr()
    };
    anna(&["store", "setup"]).run();
    anna(play::DEMO).run();
    let mut line = play::DEMO.to_vec();
    line[4] = "other";
    anna(&line).run();
    let claim = server.store().sending(&id_of("demo")).unwrap();
    let mut sender = anna(&["--wait", "60", "send"]).command().spawn().unwrap();
    let is_sent = |id: &str| {
        let game = server.store().read(&id_of(id)).unwrap().game;
        game.owed().is_empty()
    };
    let begun = Instant::now();
    assert!(wait_until(|| is_sent("other")));
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert!(!is_sent("demo"));
    drop(claim);
    assert!(sender.wait().unwrap().success());
    assert!(is_sent("demo"));
}

fn id_of(name: &str) -> Id {
    name.parse().unwrap()
}
