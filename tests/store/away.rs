//! A store that cannot be had for a while: no letter waits for it longer than `--wait`.

use std::fs::File;
#[cfg(feature = "postgres")]
use std::net::TcpListener;
use std::path::Path;
#[cfg(feature = "postgres")]
use std::thread;
use std::time::{Duration, Instant};

#[cfg(feature = "postgres")]
use parapost::matches::mail::NewMail;
#[cfg(feature = "postgres")]
use parapost::matches::r#match::Match;
#[cfg(feature = "postgres")]
use parapost::rules::Color;
#[cfg(feature = "postgres")]
use parapost::store::store::Store as _;

use crate::commands::play;
#[cfg(feature = "postgres")]
use crate::matches::log::{ids, settings, time};
#[cfg(feature = "postgres")]
use crate::servers::cutting_proxy::CuttingProxy;
#[cfg(feature = "postgres")]
use crate::servers::postgresql::Postgresql;
#[cfg(feature = "postgres")]
use crate::servers::wait_until;
use crate::support::Sandbox;
#[cfg(feature = "postgres")]
use crate::support::lmtp::Server;

/// A letter of Ben's that names so many matches.
#[cfg(feature = "postgres")]
fn naming(matches: usize) -> String {
    let ids = (0..matches).map(|number| format!("<m{number}.3.x@example.org>"));
    let ids: Vec<String> = ids.collect();
    format!(
        "From: ben@example.org\nTo: anna@example.org\nSubject: Hello\n\
         Message-ID: <{matches}@ben.test>\nReferences: {}\n\nHello!\n",
        ids.join("\n ")
    )
}

/// Has Anna handle a letter that must come again. Returns how long that takes.
fn put_off(house: &Sandbox, wait: u64, letter: &str) -> Duration {
    let wait = wait.to_string();
    let words = play::of("anna", &["--wait", &wait, "receive", "--deliver"]);
    let begun = Instant::now();
    let run = house.parapost(words).stdin(letter).any_stderr();
    run.stdout_contains("\tdeferred\n").status(75).run();
    begun.elapsed()
}

/// It waited once for each match named and once more: 34 seconds for 16, and an ordinary one
/// twice.
#[cfg(feature = "postgres")]
#[test]
fn a_letter_waits_once_for_a_database_that_is_away_however_many_matches_it_names() {
    // The system takes connections, and nobody answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let section = format!(
        "[store]\nkind = \"postgres\"\nhosts = \"127.0.0.1:{port}\"\n\
         database = \"club\"\nuser = \"chess\"\n"
    );
    let house = play::house();
    house.write("anna.toml", house.read("anna.toml") + &section);
    for named in [0, 1, 16] {
        let took = put_off(&house, 2, &naming(named));
        assert!(took < Duration::from_secs(6), "{named} matches: {took:?}");
    }
}

fn held(path: &Path) -> File {
    let mut options = File::options();
    let options = options.write(true).create(true).truncate(false);
    let file = options.open(path).unwrap();
    file.lock().unwrap();
    file
}

/// A note waited for the lock of the counts and then for that of its match.
#[test]
fn a_letter_that_needs_two_locks_waits_once() {
    let house = play::demo();
    let letter = "From: ben@example.org\nTo: anna@example.org\nSubject: Re: [demo] Unachess\n\
                  Message-ID: <1@ben.test>\n\nHow is the weather there?\n";
    let _counts = held(&house.path("games/.answers.count.lock"));
    let _game = held(&house.path("games/.demo.lock"));
    let took = put_off(&house, 5, letter);
    let once = Duration::from_secs(5)..Duration::from_secs(9);
    assert!(once.contains(&took), "{took:?}");
}

/// A match whose mail had met the database away waited for a minute, however soon that was back.
#[cfg(feature = "postgres")]
#[test]
fn mail_goes_within_seconds_once_the_database_is_back() {
    let server = Postgresql::start();
    let proxy = CuttingProxy::start(server.port);
    let house = play::house();
    let direct = house.read("ref.toml") + &server.config("club");
    house.write("ref.toml", &direct);
    let referee = |words: &[&str]| {
        let run = house.parapost(play::of("ref", words));
        run.any_stdout().any_stderr()
    };
    referee(&["store", "setup"]).run();
    let mut game = Match::new(settings("unachess", &[]), time());
    game.owe(time(), NewMail::new("position", Color::White), &ids())
        .unwrap();
    let id = game.id().clone();
    server.store().create(&game).unwrap();
    let [own, other] = [server.port, proxy.port].map(|port| format!("127.0.0.1:{port}"));
    house.write("ref.toml", direct.replace(&own, &other));
    // Somebody else is sending its mail, so that `serve` looks at it again and again.
    let claim = server.store().sending(&id).unwrap();
    let serve = Server::of(&mut referee(&["serve", "--lmtp", "127.0.0.1:0"]).command());
    thread::sleep(Duration::from_secs(2));
    proxy.set_away(true);
    serve.wait_for("postgresql://");
    drop(claim);
    proxy.set_away(false);
    let begun = Instant::now();
    let owed = || server.store().read(&id).unwrap().game.owed().len();
    assert!(wait_until(|| owed() == 0));
    assert!(
        begun.elapsed() < Duration::from_secs(25),
        "{:?}",
        begun.elapsed()
    );
    serve.stop();
}
