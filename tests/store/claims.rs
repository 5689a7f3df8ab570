//! Claims of outgoing mail in a database: short, renewed, and never what rightness rests on.

use std::collections::BTreeMap;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use parapost::match_id::Id;
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::Match;
use parapost::rules::Color;
use parapost::store::store::Store;
use rustix::process::{Pid, Signal, kill_process};

use crate::commands::play;
use crate::matches::log::{ids, settings, time};
use crate::servers::cutting_proxy::CuttingProxy;
use crate::servers::postgresql::Postgresql;
use crate::servers::wait_until;
use crate::support::Sandbox;
use crate::support::lmtp::Server;
use crate::support::mail_server::{Deed, MailServer, Step};

/// The owner of a claim, and in how many seconds it ends.
fn claim(server: &Postgresql, id: &str) -> (String, f64) {
    let row = server.sql(
        "club",
        &format!(
            "select owner, extract(epoch from expires - now()) from match_mail where id = '{id}'"
        ),
    );
    let (owner, left) = row.trim().split_once('|').unwrap();
    (owner.to_owned(), left.parse().unwrap())
}

fn id(name: &str) -> Id {
    name.parse().unwrap()
}

/// A killed worker's mail waited for minutes.
#[test]
#[ignore = "needs PostgreSQL"]
fn a_claim_is_short_and_renewed_while_its_holder_lives_unless_it_was_overtaken() {
    let server = Postgresql::start();
    let store = server.store();
    let mut held = store.sending(&id("held")).unwrap();
    let mut lost = store.sending(&id("lost")).unwrap();
    held.set_text("<a@b.test>\n").unwrap();
    let (owner, left) = claim(&server, "held");
    assert!((20.0..=30.0).contains(&left), "{left}");
    server.sql(
        "club",
        "update match_mail set expires = now() + interval '15 seconds';
         update match_mail set owner = 'another', rev = rev + 1 where id = 'lost'",
    );
    assert!(wait_until(|| claim(&server, "held").1 > 20.0));
    assert_eq!(claim(&server, "held").0, owner);
    let (owner, left) = claim(&server, "lost");
    assert!(owner == "another" && left < 15.0, "{owner} {left}");
    assert!(lost.set_text("").unwrap_err().is_transient());
    held.set_text("").unwrap();
    drop((held, lost));
    // Nobody is its owner any more, so that no renewal on its way brings it back.
    let (owner, left) = claim(&server, "held");
    assert!(owner.is_empty() && left <= 0.0, "{owner} {left}");
    assert_eq!(claim(&server, "lost").0, "another");
}

/// The referee's house with a match in the database that owes each player three mails.
fn house(server: &Postgresql, mails: &MailServer) -> Sandbox {
    let house = play::house();
    let config = house.read("ref.toml") + &server.config("club") + &mails.config(1);
    house.write("ref.toml", config);
    let mut game = Match::new(settings("unachess", &[]), time());
    for _ in 0..3 {
        for side in Color::ALL {
            let mail = NewMail::new("position", side);
            game.owe(time(), mail, &ids()).unwrap();
        }
    }
    server.store().create(&game).unwrap();
    house
}

/// A process that is stopped, and goes on when it is woken.
struct Stopped(Child);

impl Stopped {
    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_sender_that_was_stopped_and_wakes_sends_nothing_more_than_the_mail_under_way() {
    let server = Postgresql::start();
    // The first mail hangs until it is told to go on.
    let (is_first, gate) = (
        AtomicBool::new(true),
        Arc::new((Mutex::new(false), Condvar::new())),
    );
    let (is_first, of_server) = (Arc::new(is_first), Arc::clone(&gate));
    let hangs = Arc::clone(&is_first);
    let mails = MailServer::start(move |step| {
        if matches!(step, Step::Text(_)) && hangs.swap(false, Ordering::SeqCst) {
            let (is_open, opened) = &*of_server;
            let is_open = is_open.lock().unwrap();
            drop(opened.wait_while(is_open, |is_open| !*is_open).unwrap());
        }
        Deed::Take
    });
    let house = house(&server, &mails);
    let sending = |wait: &str| {
        let run = house.parapost(play::of("ref", &["--wait", wait, "send", "demo"]));
        run.any_stderr()
    };
    let mut command = sending("20").command();
    let mut first = Stopped(command.stderr(Stdio::piped()).spawn().unwrap());
    assert!(wait_until(|| !is_first.load(Ordering::SeqCst)));
    first.signal(Signal::STOP);
    sending("0")
        .status(75)
        .stderr_contains("another process")
        .run();
    assert!(claim(&server, "demo").1 <= 30.0);
    // Longer than from one renewal to the next: nobody renews it.
    server.sql(
        "club",
        "update match_mail set expires = now() + interval '10 seconds'",
    );
    let begun = Instant::now();
    assert!(wait_until(|| claim(&server, "demo").1 <= 0.0));
    assert!(begun.elapsed() < Duration::from_secs(12));
    sending("20").run();
    let owed = || server.store().read(&id("demo")).unwrap().game.owed().len();
    assert_eq!((mails.taken().len(), owed()), (6, 0));

    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    first.signal(Signal::CONT);
    let _ = first.0.wait().unwrap();
    let mut times = BTreeMap::new();
    for mail in mails.taken() {
        *times.entry(mail.message_id).or_insert(0) += 1;
    }
    let mut times: Vec<i32> = times.into_values().collect();
    times.sort_unstable();
    assert_eq!(
        times,
        [1, 1, 1, 1, 1, 2],
        "only the mail under way went twice"
    );
    let stored = server.store().read(&id("demo")).unwrap().game;
    let told = stored
        .log()
        .iter()
        .filter(|event| event.event.kind() == "sent");
    assert_eq!((told.count(), stored.owed().len()), (6, 0));
}

/// A match whose mail had met the database away waited for a minute, however soon that was back.
#[test]
#[ignore = "needs PostgreSQL"]
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
