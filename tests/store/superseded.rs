//! A database server that was stopped, has a successor, and wakes without knowing it: it answers
//! reads, and no standby follows it any more.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use parapost::matches::r#match::Match;
use parapost::store::store::Store as _;

use crate::commands::play;
use crate::matches::log::{settings, time};
use crate::servers::postgresql::Postgresql;
use crate::servers::wait_until;
use crate::support::Sandbox;
use crate::support::lmtp::Server;

/// A server that was replaced, and its successor. Both have the tables.
pub(crate) struct Servers {
    pub(crate) old: Postgresql,
    pub(crate) new: Postgresql,
}

impl Servers {
    pub(crate) fn start() -> Servers {
        let servers = Servers {
            old: Postgresql::start(),
            new: Postgresql::start(),
        };
        drop([servers.old.store(), servers.new.store()]);
        servers
    }

    /// Lets no standby follow the old server from now on.
    pub(crate) fn replace(&self) {
        let set = |statement: &str| self.old.sql("club", statement);
        set("alter system set synchronous_standby_names = 'ANY 1 (nobody)'");
        set("select pg_reload_conf()");
        let shown = || set("show synchronous_standby_names").trim() != "";
        assert!(wait_until(shown));
    }

    /// The section of a configuration that names both, the old one first.
    pub(crate) fn section(&self, house: &Sandbox) -> String {
        let [old, new] = [&self.old, &self.new].map(|server| {
            let ca_file = fs::read_to_string(server.ca_file());
            (format!("127.0.0.1:{}", server.port), ca_file.unwrap())
        });
        house.write("both.pem", old.1 + &new.1);
        let section = self.old.config("club");
        let ca_file = self.old.ca_file().display().to_string();
        let both = section.replace(
            &format!("\"{}\"", old.0),
            &format!("\"{}\", \"{}\"", old.0, new.0),
        );
        both.replace(&ca_file, &house.path("both.pem").display().to_string())
    }
}

/// The referee's house. The match `demo` is on the new server alone.
fn scene() -> (Servers, Sandbox) {
    let servers = Servers::start();
    let house = play::house();
    let config = house.read("ref.toml");
    house.write("ref.toml", config.clone() + &servers.new.config("club"));
    let new = house.parapost(play::of("ref", play::DEMO));
    new.any_stderr().stdout("demo\n").run();
    house.write("ref.toml", config + &servers.section(&house));
    (servers, house)
}

fn letter(number: usize, body: &str) -> String {
    format!(
        "From: anna@example.org\nTo: ref@example.org\nSubject: Re: [demo] Unachess\n\
         Message-ID: <{number}@anna.test>\n\n{body}\n"
    )
}

/// A report that a mail of the match has not arrived.
fn report(servers: &Servers) -> String {
    let text = servers.new.text("demo");
    let msg = text.split("msg=").nth(1).unwrap();
    let msg = msg.split_whitespace().next().unwrap().trim_matches('"');
    format!(
        "From: MAILER-DAEMON@mx.test\nTo: ref@example.org\nSubject: Undelivered\n\
         Message-ID: <report@mx.test>\nAuto-Submitted: auto-replied\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n\
         --b\nContent-Type: text/plain\n\nNobody is here.\n\
         --b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\n\
         Final-Recipient: rfc822; anna@example.org\nAction: failed\nStatus: 5.1.1\n\
         --b\nContent-Type: text/rfc822-headers\n\nMessage-ID: {msg}\n--b--\n"
    )
}

/// It was told to be a stranger's, and never came again.
#[test]
#[ignore = "needs PostgreSQL"]
fn no_letter_is_given_up_because_a_server_that_was_replaced_knows_nothing_of_it() {
    let (servers, house) = scene();
    servers.replace();
    let receive = |letter: &str| {
        let words = play::of("ref", &["--wait", "8", "receive", "--deliver"]);
        let run = house.parapost(words).stdin(letter).any_stderr();
        run.stdout_contains("\tdeferred\n").status(75).run();
    };
    receive(&letter(1, "1. P>e3"));
    receive(&report(&servers));
    // A dry run gives nothing up.
    let words = play::of("ref", &["receive", "--dry-run"]);
    let run = house.parapost(words).stdin(letter(1, "1. P>e3"));
    run.any_stderr()
        .stdout_contains("\tstranger\n")
        .status(1)
        .run();
    // Whatever takes a letter in for longer finds the new one.
    let words = play::of("ref", &["--wait", "8", "serve", "--lmtp", "127.0.0.1:0"]);
    let server = Server::of(&mut house.parapost(words).any_stdout().command());
    let mut client = server.client();
    let mut deliver = |letter: &str| client.deliver(letter, &["ref@example.org"]).remove(0);
    let reply = deliver(&letter(1, "1. P>e3"));
    assert!(reply.starts_with("451 "), "{reply}");
    let reply = deliver(&letter(1, "1. P>e3"));
    assert!(reply.starts_with("250 "), "{reply}");
    server.stop();
    let text = servers.new.text("demo");
    assert_eq!(text.matches(" move White ").count(), 1, "{text}");
}

/// A move that the old server has and no standby: it went with that server.
#[test]
#[ignore = "needs PostgreSQL"]
fn no_letter_is_called_a_duplicate_of_a_move_that_was_lost_with_its_server() {
    let (servers, house) = scene();
    let text = servers.new.store().text(&"demo".parse().unwrap()).unwrap();
    let old = servers.old.store();
    assert!(
        old.add_text(&"demo".parse().unwrap(), &text.unwrap())
            .unwrap()
    );
    let receive = |servers: &str| {
        let words = ["--wait", "8", "receive", "--deliver"];
        let run = house.parapost(play::of(servers, &words));
        run.stdin(letter(1, "1. P>e3")).any_stderr()
    };
    receive("ref")
        .stdout("<1@anna.test>\tdemo\taccepted\n")
        .run();
    servers.replace();
    receive("ref")
        .stdout("<1@anna.test>\t-\tdeferred\n")
        .status(75)
        .run();
    drop(servers.old);
    receive("ref")
        .stdout("<1@anna.test>\tdemo\taccepted\n")
        .run();
}

/// Strangers wait together: for one write, and in nobody's way.
#[test]
#[ignore = "needs PostgreSQL"]
fn however_many_strangers_write_there_are_two_writes_a_second() {
    const CLIENTS: usize = 96;
    const EACH: usize = 3;
    let server = Postgresql::start();
    let store = server.store();
    store
        .create(&Match::new(settings("unachess", &[]), time()))
        .unwrap();
    let house = play::house();
    house.write("ref.toml", house.read("ref.toml") + &server.config("club"));
    let words = play::of("ref", &["serve", "--lmtp", "127.0.0.1:0"]);
    let worker = Server::of(&mut house.parapost(words).any_stdout().command());
    let begun = Instant::now();
    thread::scope(|scope| {
        for number in 0..CLIENTS {
            let worker = &worker;
            scope.spawn(move || {
                let mut client = worker.client();
                for count in 0..EACH {
                    let letter = format!(
                        "From: x{number}@y.test\nTo: ref@example.org\nSubject: Hello\n\
                         Message-ID: <{count}.{number}@y.test>\n\nHello!\n"
                    );
                    let reply = client.deliver(&letter, &["ref@example.org"]).remove(0);
                    assert!(reply.starts_with("250 "), "{reply}");
                }
            });
        }
    });
    let took = begun.elapsed();
    worker.stop();
    let written = server.sql("club", "select sum(rev) from match_worker");
    let written: u32 = written.trim().parse().unwrap();
    let most = 2 + u32::try_from(took.as_millis() / 500).unwrap();
    assert!((1..=most).contains(&written), "{written} in {took:?}");
    // Were each to keep its turn while it waits, eight at a time would take 18 seconds.
    assert!(took < Duration::from_secs(12), "{took:?}");
}
