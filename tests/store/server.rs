//! What a database server, its roles and its databases are set to.

use std::sync::Arc;

use parapost::match_id::Id;
use parapost::matches::event::{Event, LogEntry};
use parapost::matches::r#match::Match;
use parapost::rules::Color;
use parapost::store::postgres::server;
use parapost::store::postgres::store::Postgres;
use parapost::store::store::{Change, Store};

use crate::commands::play;
use crate::durability::shim::Fault;
use crate::matches::log::{settings, time};
use crate::servers::cutting_proxy::{CuttingProxy, HELD};
use crate::servers::postgresql::{Postgresql, USER};
use crate::servers::wait_until;
use crate::support::Sandbox;

/// Anna's house with its matches in that database.
fn house(server: &Postgresql, database: &str) -> Sandbox {
    let house = play::house();
    let config = house.read("anna.toml") + &server.config(database);
    house.write("anna.toml", config);
    house
}

/// Runs a command of Anna's that ends so. Returns all that it says.
#[track_caller]
fn anna(house: &Sandbox, words: &[&str], status: i32) -> String {
    let run = house.parapost(play::of("anna", words)).status(status);
    let run = run.any_stdout().any_stderr().run();
    run.stdout + &run.stderr
}

/// Sets something of the server, and waits until that is so.
fn set(server: &Postgresql, setting: &str, value: &str) {
    server.sql("club", &format!("alter system set {setting} = '{value}'"));
    server.sql("club", "select pg_reload_conf()");
    let show = format!("show {setting}");
    assert!(wait_until(|| server.sql("club", &show).trim() == value));
}

/// A role whose commits wait for nothing would have moves acknowledged that a crash takes
/// back, or that no standby has.
#[test]
#[ignore = "needs PostgreSQL"]
fn each_commit_waits_for_the_disk_and_a_standby_whatever_the_role_is_set_to() {
    let server = Postgresql::start();
    let game = Match::new(settings("unachess", &[]), time());
    server.store().create(&game).unwrap();
    server.sql(
        "club",
        "create table seen (word text);
         create function see() returns trigger language plpgsql as $$ begin
           insert into seen values (current_setting('synchronous_commit')); return new;
         end $$;
         create trigger sees before update on match for each row execute function see()",
    );
    for (word, used) in [
        ("off", "on"),
        ("local", "on"),
        ("remote_write", "on"),
        ("on", "on"),
        ("remote_apply", "remote_apply"),
    ] {
        for whose in [format!("role {USER}"), "database club".to_owned()] {
            server.sql(
                "club",
                &format!("alter {whose} set synchronous_commit = {word}"),
            );
            let store = Postgres::new(server.settings("club", server.port));
            let stored = store.read(game.id()).unwrap();
            let mut next = Match::clone(&stored.game);
            let note = LogEntry::new(time(), Event::note(word), Color::White);
            next.push(note).unwrap();
            let change = store.change(&Arc::new(next), &stored.revision);
            assert!(matches!(change, Ok(Change::Done(_))), "{change:?}");
            let seen = server.sql("club", "delete from seen returning word");
            assert_eq!(seen.trim(), used, "{whose} {word}");
            server.sql("club", &format!("alter {whose} reset synchronous_commit"));
        }
    }
}

#[test]
#[ignore = "needs PostgreSQL"]
fn doctor_says_what_a_server_may_lose() {
    let server = Postgresql::start_safe();
    let house = house(&server, "club");
    let said = anna(&house, &["doctor"], 1);
    assert!(said.contains("wrong  database club: "), "{said}");
    assert!(said.contains("'parapost store setup' makes them"), "{said}");
    anna(&house, &["store", "setup"], 0);
    let fine = "ok     database club: it can be reached, and keeps what it acknowledges\n";
    let said = anna(&house, &["doctor"], 0);
    assert!(said.contains(fine), "{said}");

    set(&server, "full_page_writes", "off");
    let said = anna(&house, &["doctor"], 1);
    assert!(
        said.contains("wrong  database club: full_page_writes is off: "),
        "{said}"
    );
    assert!(!said.contains("fsync is off"), "{said}");
    // What the matches are is told all the same.
    assert!(said.contains("matches: there is none yet"), "{said}");
    set(&server, "full_page_writes", "on");

    // One of two hosts is all that has what is acknowledged.
    let one = format!("\"127.0.0.1:{}\"", server.port);
    let config = house.read("anna.toml");
    let two = config.replace(&one, &format!("{one}, {one}"));
    house.write("anna.toml", two);
    let said = anna(&house, &["doctor"], 1);
    assert!(
        said.contains("synchronous_standby_names is empty"),
        "{said}"
    );
    set(&server, "synchronous_standby_names", "ANY 1 (nobody)");
    let said = anna(&house, &["doctor"], 1);
    let missing = "waits for standbys (ANY 1 (nobody)), and too few are connected";
    assert!(said.contains(missing), "{said}");
    // One that is connected counts, whoever asks.
    set(&server, "synchronous_standby_names", "ANY 1 (standby)");
    let standby = server.standby("standby");
    let says = || {
        let run = house.parapost(play::of("anna", &["doctor"]));
        run.command().output().unwrap().stdout
    };
    assert!(wait_until(|| String::from_utf8(says())
        .unwrap()
        .contains(fine)));
    // Enough are connected for a commit, or one too few, but not all that are named.
    for (names, missing) in [
        ("ANY 1 (standby, nobody)", "not connected (nobody)"),
        ("2 (standby, nobody)", "too few are connected"),
    ] {
        set(&server, "synchronous_standby_names", names);
        let said = anna(&house, &["doctor"], 1);
        assert!(said.contains(missing), "{said}");
    }
    drop(standby);
    house.write("anna.toml", config);
    set(&server, "synchronous_standby_names", "");

    server.sql("club", "update parapost_schema set version = 0");
    let said = anna(&house, &["doctor"], 1);
    assert!(
        said.contains("'parapost store setup' brings them up to date"),
        "{said}"
    );
    drop(server);
    let said = anna(&house, &["--wait", "0", "doctor"], 1);
    assert!(said.contains("wrong  database club: "), "{said}");
}

#[test]
#[ignore = "needs PostgreSQL"]
fn doctor_says_that_a_server_does_not_wait_for_its_disk() {
    let server = Postgresql::start();
    let house = house(&server, "club");
    anna(&house, &["store", "setup"], 0);
    let said = anna(&house, &["doctor"], 1);
    assert!(
        said.contains("wrong  database club: fsync is off: "),
        "{said}"
    );
}

/// A table that is made anew would be empty without a word: a letter that is looked up in it
/// is a stranger's.
#[test]
#[ignore = "needs PostgreSQL"]
fn a_table_that_has_gone_is_named_and_not_made_again() {
    let server = Postgresql::start();
    let house = house(&server, "club");
    anna(&house, &["store", "setup"], 0);
    for table in [
        "match",
        "match_address",
        "match_mail",
        "match_kept",
        "match_worker",
        "match_part",
    ] {
        server.sql("club", &format!("alter table {table} rename to elsewhere"));
        for words in [&["list"][..], &["store", "setup"], &["doctor"]] {
            let said = anna(&house, words, 1);
            assert!(said.contains("a table is missing: "), "{said}");
            assert!(said.contains(&format!("\"{table}\"")), "{said}");
        }
        server.sql("club", &format!("alter table elsewhere rename to {table}"));
    }
    anna(&house, &["list"], 0);
    // A setup that was broken off goes on.
    server.sql("club", "delete from parapost_schema; drop table match_kept");
    assert!(anna(&house, &["store", "setup"], 0).contains("the tables are made"));
    anna(&house, &["list"], 0);
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_database_that_lacks_letters_is_refused() {
    let server = Postgresql::start();
    server.sql(
        "postgres",
        "create database latin encoding 'LATIN1' template template0",
    );
    let house = house(&server, "latin");
    let said = anna(&house, &["store", "setup"], 1);
    assert!(said.contains("the encoding LATIN1"), "{said}");
    let said = anna(&house, &["doctor"], 1);
    assert!(said.contains("its encoding is LATIN1"), "{said}");
    // Nor is one with tables let pass.
    let house = self::house(&server, "club");
    anna(&house, &["store", "setup"], 0);
    server.sql(
        "postgres",
        "update pg_database set encoding = pg_char_to_encoding('LATIN1') where datname = 'club'",
    );
    let said = anna(&house, &["store", "setup"], 1);
    assert!(said.contains("the encoding LATIN1"), "{said}");
}

/// Not every engine knows the settings that are asked for.
#[test]
#[ignore = "needs PostgreSQL"]
fn a_server_that_tells_no_settings_is_set_up() {
    let server = Postgresql::start();
    let raises = "language plpgsql as $$ begin
                    raise 'no such function' using errcode = 'undefined_function';
                  end $$";
    server.sql(
        "club",
        &format!(
            "create schema own;
             create function own.current_setting(text) returns text {raises};
             create function own.current_setting(text, boolean) returns text {raises};
             alter database club set search_path = own, pg_catalog"
        ),
    );
    let house = house(&server, "club");
    assert!(anna(&house, &["store", "setup"], 0).contains("the tables are made"));
    anna(&house, &["list"], 0);
}

/// The order of a language passes over hyphens.
#[test]
#[ignore = "needs PostgreSQL"]
fn matches_are_in_the_order_of_their_ids_whatever_the_language_of_the_database() {
    let server = Postgresql::start();
    server.sql(
        "postgres",
        "create database language template template0 encoding 'UTF8' locale 'C'
         locale_provider icu icu_locale 'en-US-u-ka-shifted'",
    );
    let settings = server.settings("language", server.port);
    server::set_up(settings.clone()).unwrap();
    let store = Postgres::new(settings);
    let demo = play::demo().read("games/demo.txt");
    let ids = ["a-c", "a-d", "ab", "abc"];
    let ids = ids.map(|id| id.parse::<Id>().unwrap());
    for id in &ids {
        let text = demo.replace("demo", id.as_str());
        assert!(store.add_text(id, text.as_bytes()).unwrap());
    }
    let in_language = server.sql("language", "select id from match order by id");
    assert_ne!(in_language.lines().next(), Some("a-c"));
    let survey = store.survey().unwrap();
    let found = survey.matches.iter().map(|stored| stored.game.id());
    let found = found.chain(survey.damaged.iter().map(|(id, _)| id));
    assert!(found.eq(&ids), "{survey:?}");
}

/// What a server says last before it ends a connection is no refusal: what was asked for
/// may be done.
#[test]
#[ignore = "needs PostgreSQL"]
fn a_connection_that_the_server_ends_is_made_again() {
    let server = Postgresql::start();
    let direct = server.store();
    let limit = HELD / 3;
    server.sql(
        "club",
        &format!(
            "alter role {USER} set idle_in_transaction_session_timeout = '{}ms'",
            limit.as_millis()
        ),
    );
    let proxy = CuttingProxy::start(server.port);
    // The first transaction is ended while the server waits for what the proxy holds.
    proxy.slow_next();
    let store = Postgres::new(server.settings("club", proxy.port));
    let demo = play::demo().read("games/demo.txt");
    let id: Id = "demo".parse().unwrap();
    assert!(store.add_text(&id, demo.as_bytes()).unwrap());
    let log = server.log();
    assert!(log.contains("due to idle-in-transaction timeout"), "{log}");
    assert_eq!(direct.ids().unwrap(), [id]);
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_host_whose_name_is_never_found_holds_nobody_up() {
    let section = "[store]\nkind = \"postgres\"\nhosts = \"db.example.test\"\n\
                   database = \"club\"\nuser = \"chess\"\n";
    let house = play::house();
    house.write("anna.toml", house.read("anna.toml") + section);
    let words = play::of("anna", &["--wait", "0", "list"]);
    let mut command = house.parapost(words).command();
    Fault::Names.prepare(&mut command, &house.path("trace"));
    // Its alarm would end it otherwise.
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(75), "{said}");
    assert!(said.contains("no answer within 2 seconds"), "{said}");
}
