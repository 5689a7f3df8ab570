//! Several connections to one mail server.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::commands::serve::{REFEREE, club, count, letter};
use crate::servers::wait_until;
use crate::support::Sandbox;
use crate::support::lmtp::Server;
use crate::support::mail_server::{Deed, MailServer, Step};

/// The most that mail may take that nothing holds up.
const SOON: Duration = Duration::from_secs(15);

/// What a mail server does not answer until it is told to.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<State>, Condvar)>);

#[derive(Default)]
struct State {
    is_open: bool,
    waiting: usize,
    most: usize,
}

impl Gate {
    fn pass(&self) {
        let (state, changed) = &*self.0;
        let mut state = state.lock().unwrap();
        state.waiting += 1;
        state.most = state.most.max(state.waiting);
        state = changed.wait_while(state, |state| !state.is_open).unwrap();
        state.waiting -= 1;
    }

    fn open(&self) {
        self.0.0.lock().unwrap().is_open = true;
        self.0.1.notify_all();
    }

    fn waiting(&self) -> usize {
        self.0.0.lock().unwrap().waiting
    }

    /// The most that waited at one time.
    fn most(&self) -> usize {
        self.0.0.lock().unwrap().most
    }
}

/// A house with these matches, whose mail goes to this server.
fn house(matches: usize, server: &MailServer, connections: usize) -> Sandbox {
    let house = club(matches);
    let config = house.read("config.toml") + &server.config(connections);
    house.write("config.toml", config);
    house
}

fn ids(numbers: impl IntoIterator<Item = usize>) -> Vec<String> {
    let ids = numbers.into_iter().map(|number| format!("m{number}"));
    ids.collect()
}

/// White's first move in these matches, which Black and White are told of.
fn play(server: &Server, ids: &[String]) {
    let mut client = server.client();
    for id in ids {
        let message = letter("anna", id, 1, "1. P>e3");
        assert_eq!(client.deliver(&message, &[REFEREE]), ["250 2.0.0 ok"]);
    }
}

#[track_caller]
fn comes_soon(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < SOON, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Mail to Ben hangs in each match, which held up all that came behind the first.
#[test]
fn a_recipient_who_takes_long_holds_one_connection_and_no_mail_of_others() {
    let gate = Gate::default();
    let of_server = gate.clone();
    let server = MailServer::start(move |step| {
        if matches!(step, Step::Recipient("ben@example.org")) {
            of_server.pass();
        }
        Deed::Take
    });
    let house = house(12, &server, 2);
    let serve = Server::start(&house, &[]);
    let ids = ids(0..12);
    play(&serve, &ids);
    let anna = || {
        let taken = server.taken();
        let games: BTreeSet<String> = taken.into_iter().map(|mail| mail.game).collect();
        games
    };
    comes_soon("Anna is told of every move", || {
        anna().len() == ids.len() - 1
    });
    assert_eq!((gate.waiting(), gate.most()), (1, 1));
    gate.open();
    assert!(wait_until(|| server.taken().len() == 2 * ids.len()));
    assert_eq!(gate.most(), 1);
    serve.stop();
    assert!(ids.iter().all(|id| count(&house, id, "sent") == 2));
}

#[test]
#[ignore = "takes long"]
fn a_server_that_takes_no_second_connection_has_all_mail_over_the_first() {
    let refused = Arc::new(AtomicUsize::new(0));
    let of_server = Arc::clone(&refused);
    let server = MailServer::start(move |step| match step {
        Step::Greeting(others) if others > 0 => {
            of_server.fetch_add(1, Ordering::SeqCst);
            Deed::Say("421 4.7.0 too many connections")
        }
        Step::Text(_) => {
            thread::sleep(Duration::from_millis(100));
            Deed::Take
        }
        _ => Deed::Take,
    });
    let house = house(20, &server, 2);
    let serve = Server::start(&house, &[]);
    play(&serve, &ids(0..20));
    comes_soon("all mail goes", || server.taken().len() == 40);
    assert!(refused.load(Ordering::SeqCst) > 0, "a second one was tried");
    let said = serve.stop();
    assert!(
        said.contains("mail goes over one connection until"),
        "{said}"
    );
    assert!(!said.contains("still owed"), "{said}");
}

#[test]
fn two_connections_send_at_the_same_time_by_default_and_one_if_that_is_configured() {
    for connections in [2, 1] {
        let gate = Gate::default();
        let of_server = gate.clone();
        let server = MailServer::start(move |step| {
            if matches!(step, Step::Text(_)) {
                of_server.pass();
            }
            Deed::Take
        });
        let house = house(3, &server, 1);
        if connections == 2 {
            let config = house.read("config.toml").replace("connections = 1\n", "");
            house.write("config.toml", config);
        }
        let serve = Server::start(&house, &[]);
        play(&serve, &ids(0..3));
        assert!(wait_until(|| gate.waiting() == connections));
        gate.open();
        assert!(wait_until(|| server.taken().len() == 6));
        serve.stop();
        assert_eq!((gate.most(), server.most()), (connections, connections));
    }
}

/// The order was that of the ids, and a letter put its match back to it.
#[test]
fn mail_goes_in_the_order_in_which_it_was_called_for() {
    let gate = Gate::default();
    let of_server = gate.clone();
    let server = MailServer::start(move |step| {
        if matches!(step, Step::Text(_)) {
            of_server.pass();
        }
        Deed::Take
    });
    let house = house(6, &server, 1);
    let serve = Server::start(&house, &[]);
    play(&serve, &ids([5]));
    assert!(wait_until(|| gate.waiting() == 1));
    play(&serve, &ids([3, 4, 0, 2, 1]));
    // A further letter in a match that waits.
    let mut client = serve.client();
    let message = letter("ben", "m4", 2, "1... n>g5");
    assert_eq!(client.deliver(&message, &[REFEREE]), ["250 2.0.0 ok"]);
    gate.open();
    assert!(wait_until(|| server.taken().len() == 14));
    let mut games = server.games();
    games.dedup();
    assert_eq!(games, ids([5, 3, 4, 0, 2, 1]));
    serve.stop();
}

/// Any word of trouble paused the mail of all matches for a minute, and longer each time.
#[test]
#[ignore = "takes long"]
fn a_connection_that_ends_or_is_refused_now_and_then_pauses_nothing() {
    let number = Arc::new(AtomicUsize::new(0));
    let server = MailServer::start(move |step| {
        let number = match step {
            Step::Greeting(_) | Step::Recipient(_) => number.fetch_add(1, Ordering::SeqCst),
            Step::Text(_) => return Deed::Take,
        };
        match (step, number % 7) {
            (Step::Recipient(_), 2) => Deed::Cut,
            (Step::Greeting(_), 3) | (Step::Recipient(_), 5) => Deed::Say("421 4.3.2 busy"),
            _ => Deed::Take,
        }
    });
    let house = house(20, &server, 2);
    let serve = Server::start(&house, &[]);
    play(&serve, &ids(0..20));
    let some = || server.taken().len() >= 36;
    comes_soon("nearly all mail goes at once", some);
    // One that was cut off twice goes with the next look.
    assert!(wait_until(|| server.taken().len() == 40));
    serve.stop();
}

/// It paused for a minute and longer, whatever the trouble was.
#[test]
#[ignore = "takes long"]
fn a_server_that_is_away_is_soon_asked_again_and_one_that_refuses_for_good_is_not() {
    for (words, most) in [("421 4.3.2 busy", usize::MAX), ("554 5.7.1 no", 2)] {
        let asked = Arc::new(AtomicUsize::new(0));
        let is_away = Arc::new(AtomicBool::new(true));
        let of_server = (Arc::clone(&asked), Arc::clone(&is_away));
        let server = MailServer::start(move |step| match step {
            Step::Greeting(_) if of_server.1.load(Ordering::SeqCst) => {
                of_server.0.fetch_add(1, Ordering::SeqCst);
                Deed::Say(words)
            }
            _ => Deed::Take,
        });
        let house = house(2, &server, 2);
        let serve = Server::start(&house, &[]);
        play(&serve, &ids(0..2));
        serve.wait_for(&words[..3]);
        thread::sleep(Duration::from_secs(3));
        let times = asked.load(Ordering::SeqCst);
        is_away.store(false, Ordering::SeqCst);
        if most == usize::MAX {
            assert!(times > 2, "{times}");
            comes_soon("all mail goes", || server.taken().len() == 4);
        } else {
            assert!(times <= most, "{times}");
            assert_eq!(server.taken().len(), 0);
        }
        serve.stop();
    }
}
