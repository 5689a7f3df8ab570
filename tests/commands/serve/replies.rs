//! What a client is told of a message.

use std::fs::File;
use std::net::TcpListener;

use parapost::mail::limits::MESSAGE;

use crate::commands::serve::{REFEREE, club, count, letter};
use crate::support::lmtp::Server;

#[test]
fn each_recipient_has_a_reply_and_the_message_is_handled_once() {
    let house = club(1);
    let server = Server::start(&house, &[]);
    let mut client = server.client();
    assert!(client.ask("MAIL FROM:<>").starts_with("250 "));
    let reply = client.ask("RCPT TO:<anna@example.org>");
    assert!(reply.starts_with("550 5.1.1 "), "{reply}");
    assert!(client.ask("RSET").starts_with("250 "));
    let recipients = [REFEREE, "ref+m0@example.org", "REF@Example.org"];
    let message = letter("anna", "m0", 1, "1. P>e3");
    let replies = client.deliver(&message, &recipients);
    assert_eq!(replies, ["250 2.0.0 ok"; 3]);
    // A retry for one of them, over another connection.
    let replies = server.client().deliver(&message, &recipients[1..2]);
    assert_eq!(replies, ["250 2.0.0 ok"]);
    assert_eq!(count(&house, "m0", "move"), 1);
    assert_eq!(count(&house, "m0", "owed"), 2);
    server.stop();
}

#[test]
fn what_is_dealt_with_for_good_is_taken_whatever_it_is() {
    let house = club(1);
    let server = Server::start(&house, &["-v"]);
    let mut client = server.client();
    let machine = "From: daemon@x.test\nAuto-Submitted: auto-replied\nSubject: away\n\nx\n";
    for (message, word) in [
        (letter("eve", "m0", 1, "1. P>e3"), "stranger"),
        (letter("anna", "m0", 2, "1. P>z9"), "refused"),
        (letter("ben", "m0", 3, "1. P>e3"), "not-your-turn"),
        (machine.to_owned(), "ignored"),
        ("no field here".to_owned(), "stranger"),
        (String::new(), "stranger"),
    ] {
        let replies = client.deliver(&message, &[REFEREE]);
        // A stranger must not learn who plays, and whose turn it is.
        assert_eq!(replies, ["250 2.0.0 ok"], "{message}");
        server.wait_for(&format!("outcome={word}"));
    }
}

#[test]
fn a_message_without_an_id_is_known_when_it_comes_again() {
    let house = club(1);
    let server = Server::start(&house, &[]);
    let message = "From: anna@example.org\nDate: Fri, 20 Nov 2026 03:00:00 +0000\n\
                   Subject: Re: [m0] Unachess\n\n1. P>e3\n";
    let again = format!("Received: from x by y\n{message}");
    let mut client = server.client();
    assert_eq!(client.deliver(message, &[REFEREE]), ["250 2.0.0 ok"]);
    assert_eq!(client.deliver(&again, &[REFEREE]), ["250 2.0.0 ok"]);
    assert_eq!(count(&house, "m0", "owed"), 2);
}

#[test]
fn a_message_beyond_a_limit_is_refused_with_the_limit() {
    let house = club(1);
    let server = Server::start(&house, &[]);
    let mut client = server.client();
    let reply = client.ask(&format!("MAIL FROM:<> SIZE={}", MESSAGE + 1));
    assert!(reply.starts_with("552 5.3.4 "), "{reply}");
    let line = format!("{}\n", "x".repeat(998));
    let long = letter("anna", "m0", 1, &line.repeat(MESSAGE / line.len() + 1));
    let replies = client.deliver(&long, &[REFEREE, REFEREE]);
    assert_eq!(replies, ["552 5.3.4 the message is longer than 32 MiB"; 2]);
    let fields = "X: y\n".repeat(2000) + &letter("anna", "m0", 1, "1. P>e3");
    assert_eq!(
        client.deliver(&fields, &[REFEREE]),
        ["552 5.3.4 a header of it has more than 1000 fields"]
    );
    let letter = letter("anna", "m0", 1, "1. P>e3");
    assert_eq!(client.deliver(&letter, &[REFEREE]), ["250 2.0.0 ok"]);
}

#[test]
fn trouble_of_ours_puts_a_message_off() {
    let house = club(2).env("PARAPOST_WAIT", "1");
    let server = Server::start(&house, &[]);
    let mut client = server.client();
    let lock = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(house.path("games/.m0.lock"))
        .unwrap();
    lock.lock().unwrap();
    let message = letter("anna", "m0", 1, "1. P>e3");
    let later = "451 4.3.0 not now; try again later";
    assert_eq!(client.deliver(&message, &[REFEREE, REFEREE]), [later; 2]);
    // It holds up no other match.
    let other = letter("anna", "m1", 1, "1. P>e3");
    assert_eq!(client.deliver(&other, &[REFEREE]), ["250 2.0.0 ok"]);
    drop(lock);
    assert_eq!(client.deliver(&message, &[REFEREE]), ["250 2.0.0 ok"]);
    let whole = house.read("games/m0.txt");
    house.write("games/m0.txt", &whole[..whole.len() / 2]);
    let answer = letter("ben", "m0", 1, "1... n>g5");
    assert_eq!(client.deliver(&answer, &[REFEREE]), [later]);
    house.write("games/m0.txt", whole);
    assert_eq!(client.deliver(&answer, &[REFEREE]), ["250 2.0.0 ok"]);
}

/// With the database away, each of them held a place for so long.
#[cfg(feature = "postgres")]
#[test]
fn a_letter_that_names_sixteen_matches_waits_once() {
    // The system takes connections, and nobody answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let section = format!(
        "[store]\nkind = \"postgres\"\nhosts = \"127.0.0.1:{port}\"\n\
         database = \"club\"\nuser = \"chess\"\n"
    );
    let house = club(0).env("PARAPOST_WAIT", "2");
    house.write("config.toml", house.read("config.toml") + &section);
    let server = Server::start(&house, &[]);
    let ids = (0..16).map(|number| format!("<m{number}.3.x@example.org>"));
    let ids = ids.collect::<Vec<_>>().join("\n ");
    let subject = "\nSubject: ";
    let references = format!("\nReferences: {ids}{subject}");
    let letter = letter("anna", "m0", 1, "1. P>e3").replacen(subject, &references, 1);
    let begun = std::time::Instant::now();
    let replies = server.client().deliver(&letter, &[REFEREE]);
    assert_eq!(replies, ["451 4.3.0 not now; try again later"]);
    let took = begun.elapsed();
    assert!(took < std::time::Duration::from_secs(8), "{took:?}");
}

/// Nothing names the match but the address of its player.
#[test]
fn a_file_that_is_copied_in_is_found_with_the_next_letter() {
    let house = club(2);
    let server = Server::start(&house, &[]);
    let mut client = server.client();
    let letter = |number| letter("carl", "x", number, "1. P>e3").replace("[x] ", "");
    assert_eq!(client.deliver(&letter(1), &[REFEREE]), ["250 2.0.0 ok"]);
    let elsewhere = club(0);
    let line = ["new", "--game", "unachess", "--id", "new", "--invited"];
    let players = ["--white", "carl@example.org", "--black", "ben@example.org"];
    let run = elsewhere.parapost(line.iter().chain(&players));
    run.stdout("new\n").run();
    house.write("games/new.txt", elsewhere.read("games/new.txt"));
    assert_eq!(client.deliver(&letter(2), &[REFEREE]), ["250 2.0.0 ok"]);
    assert_eq!(count(&house, "new", "move"), 1);
}

#[test]
fn what_other_processes_do_is_seen() {
    let house = club(1);
    let server = Server::start(&house, &[]);
    let mut client = server.client();
    let answer = letter("ben", "m0", 1, "1... n>g5");
    let replies = client.deliver(&answer, &[REFEREE]);
    assert_eq!(replies, ["250 2.0.0 ok"]);
    house
        .parapost(["receive"])
        .stdin(letter("anna", "m0", 1, "1. P>e3"))
        .any_stdout()
        .run();
    let answer = letter("ben", "m0", 2, "1... n>g5");
    assert_eq!(client.deliver(&answer, &[REFEREE]), ["250 2.0.0 ok"]);
    // A match that was not there when the server started.
    let line = ["new", "--game", "unachess", "--id", "new", "--invited"];
    let players = ["--white", "anna@example.org", "--black", "ben@example.org"];
    house
        .parapost(line.iter().chain(&players))
        .any_stdout()
        .run();
    let message = letter("anna", "new", 1, "1. P>e3");
    assert_eq!(client.deliver(&message, &[REFEREE]), ["250 2.0.0 ok"]);
}

#[test]
fn a_mail_server_that_says_nothing_delays_no_reply() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let house = club(1);
    let config = house.read("config.toml");
    let smtp = format!(
        "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\n"
    );
    house.write("config.toml", config + &smtp);
    let server = Server::start(&house, &[]);
    let mut client = server.client();
    let message = letter("anna", "m0", 1, "1. P>e3");
    assert_eq!(client.deliver(&message, &[REFEREE]), ["250 2.0.0 ok"]);
    let (held, _) = silent.accept().unwrap();
    // The sender waits for a greeting.
    let answer = letter("ben", "m0", 1, "1... n>g5");
    assert_eq!(client.deliver(&answer, &[REFEREE]), ["250 2.0.0 ok"]);
    assert_eq!(count(&house, "m0", "owed"), 4);
    assert_eq!(count(&house, "m0", "sent"), 0);
    drop(held);
    server.kill();
}

#[test]
fn a_client_that_says_nothing_is_let_go() {
    let house = club(1);
    let server = Server::start(&house, &["--idle", "1"]);
    let mut client = server.client();
    let mut other = server.client();
    other.begin(&[REFEREE]);
    other.tell("From: anna@example.org\r\n");
    assert!(client.reply().starts_with("421 4.4.2 "));
    assert_eq!(client.reply(), "");
    assert!(other.reply().starts_with("421 4.4.2 "));
    assert_eq!(count(&house, "m0", "move"), 0);
}
