//! Many connections at once.

use std::thread;

use crate::commands::serve::{REFEREE, club, count, game, letter};
use crate::support::lmtp::Server;

const MATCHES: usize = 10;
const CONNECTIONS: usize = 50;

#[test]
#[ignore = "takes long"]
fn many_connections_lose_nothing_and_play_nothing_twice() {
    let house = club(MATCHES);
    let server = Server::start(&house, &["-v"]);
    // Two thirds of them bring the very same letters.
    let words: Vec<String> = thread::scope(|scope| {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|number| {
                let server = &server;
                scope.spawn(move || {
                    let mut client = server.client();
                    let mut words = Vec::new();
                    for i in 0..MATCHES {
                        let id = format!("m{}", (number + i) % MATCHES);
                        let message = if number % 3 == 0 {
                            let text = format!("Words of {number}, and nothing to play.");
                            letter("anna", &id, 1000 + number, &text)
                        } else {
                            letter("anna", &id, 1, "1. P>e3")
                        };
                        words.extend(client.deliver(&message, &[REFEREE]));
                    }
                    words
                })
            })
            .collect();
        clients
            .into_iter()
            .flat_map(|client| client.join().unwrap())
            .collect()
    });
    assert_eq!(words.len(), CONNECTIONS * MATCHES);
    for word in &words {
        assert!(word.starts_with("250 2.0.0 "), "{word}");
    }
    let peak = server.peak();
    assert!(peak < 120 << 10, "{peak} KiB");
    let said = server.stop();
    assert_eq!(said.matches("outcome=accepted").count(), MATCHES);
    for i in 0..MATCHES {
        let id = format!("m{i}");
        assert_eq!(count(&house, &id, "move"), 1);
        let game = game(&house, &id);
        let mut ids: Vec<String> = game
            .log()
            .iter()
            .filter(|event| !event.is_of_outgoing_mail())
            .filter_map(|event| event.message_id("msg"))
            .map(|id| id.to_string())
            .collect();
        let all = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), all, "a letter is noted twice");
    }
}

#[test]
fn large_messages_wait_for_each_other_and_memory_stays_flat() {
    let house = club(1);
    let server = Server::start(&house, &[]);
    let line = format!("{}\n", "x".repeat(998));
    let before = server.peak();
    let large = line.repeat((16 << 20) / line.len());
    thread::scope(|scope| {
        for number in 0..8 {
            let (server, large) = (&server, &large);
            scope.spawn(move || {
                let message = letter("eve", "m0", number, large);
                let replies = server.client().deliver(&message, &[REFEREE]);
                assert_eq!(replies, ["250 2.0.0 ok"]);
            });
        }
    });
    let more = server.peak() - before;
    // Two at a time, each at most three times its length.
    assert!(more < 110 << 10, "{more} KiB");
    server.stop();
}
