//! The server is killed, or the client does not hear it.

use std::thread;
use std::time::Instant;

use crate::commands::serve::{REFEREE, club, count, letter};
use crate::support::lmtp::Server;

#[test]
fn a_reply_that_is_lost_causes_no_second_answer() {
    let house = club(1);
    let server = Server::start(&house, &["-v"]);
    let mut client = server.client();
    client.begin(&[REFEREE]);
    let message = letter("anna", "m0", 1, "1. P>e3");
    client.tell(&format!("{}.\r\n", message.replace('\n', "\r\n")));
    // It is gone before the reply.
    drop(client);
    server.wait_for("outcome=accepted");
    for _ in 0..3 {
        let replies = server.client().deliver(&message, &[REFEREE]);
        assert_eq!(replies, ["250 2.0.0 ok"]);
    }
    server.wait_for("kind=receipt outcome=filed");
    server.stop();
    assert_eq!(count(&house, "m0", "move"), 1);
    assert_eq!(count(&house, "m0", "owed"), 2);
    assert_eq!(count(&house, "m0", "sent"), 2);
}

#[test]
#[ignore = "takes long"]
fn a_server_killed_at_any_moment_loses_nothing_and_plays_nothing_twice() {
    const MATCHES: usize = 24;
    let house = club(MATCHES + 1);
    let server = Server::start(&house, &[]);
    let (mut client, start) = (server.client(), Instant::now());
    let last = format!("m{MATCHES}");
    client.deliver(&letter("anna", &last, 1, "1. P>e3"), &[REFEREE]);
    let whole = start.elapsed();
    server.stop();
    let mut words = Vec::new();
    for i in 0..MATCHES {
        let id = format!("m{i}");
        let server = Server::start(&house, &[]);
        let mut client = server.client();
        client.begin(&[REFEREE]);
        let message = letter("anna", &id, 1, "1. P>e3").replace('\n', "\r\n");
        if i % 4 == 0 {
            // In the middle of the message.
            client.tell(&message[..message.len() / 2]);
            server.kill();
            assert_eq!(count(&house, &id, "move"), 0);
        } else {
            client.tell(&format!("{message}.\r\n"));
            // At any moment of the time that it takes, and then some.
            thread::sleep(whole * u32::try_from(i).unwrap() * 2 / 24);
            let heard = if i + 1 == MATCHES {
                client.reply()
            } else {
                String::new()
            };
            server.kill();
            let reply = heard + &client.reply();
            if reply.starts_with("250 ") {
                assert_eq!(count(&house, &id, "move"), 1, "{reply}");
            }
        }
        let server = Server::start(&house, &["-v"]);
        let again = letter("anna", &id, 1, "1. P>e3");
        let reply = server.client().deliver(&again, &[REFEREE]).concat();
        assert!(reply == "250 2.0.0 ok", "{reply}");
        words.push(server.stop());
        assert_eq!(count(&house, &id, "move"), 1);
        assert_eq!(count(&house, &id, "owed"), 2);
    }
    assert!(words[0].contains("outcome=accepted"), "{words:?}");
    assert!(
        words[MATCHES - 1].contains("outcome=duplicate"),
        "{words:?}"
    );
}
