//! Signals: the end, and a new configuration.

use std::time::{Duration, Instant};

use crate::commands::serve::{REFEREE, club, count, letter};
use crate::support::lmtp::Server;

#[test]
fn a_message_under_way_is_dealt_with_before_the_end() {
    let house = club(1);
    let mut server = Server::start(&house, &[]);
    let (mut idle, mut client) = (server.client(), server.client());
    client.begin(&[REFEREE]);
    let message = letter("anna", "m0", 1, "1. P>e3").replace('\n', "\r\n");
    let (first, rest) = message.split_at(message.len() / 2);
    client.tell(first);
    server.signal("TERM");
    let reply = idle.reply();
    assert!(reply.starts_with("421 4.3.2 "), "{reply}");
    assert_eq!(idle.reply(), "");
    client.tell(&format!("{rest}.\r\n"));
    assert_eq!(client.reply(), "250 2.0.0 ok");
    assert!(client.reply().starts_with("421 4.3.2 "));
    assert!(server.wait().success());
    assert_eq!(count(&house, "m0", "move"), 1);
    // What is owed goes when it runs again.
    let server = Server::start(&house, &["-v"]);
    server.wait_for("kind=receipt outcome=filed");
    server.stop();
    assert_eq!(count(&house, "m0", "sent"), 2);
}

#[test]
#[ignore = "takes long"]
fn a_client_that_never_ends_its_message_delays_the_end_for_half_a_minute() {
    let house = club(1);
    let mut server = Server::start(&house, &[]);
    let mut client = server.client();
    client.begin(&[REFEREE]);
    client.tell("From: anna@example.org\r\n");
    let begun = Instant::now();
    server.signal("TERM");
    assert!(server.wait().success());
    let took = begun.elapsed();
    let about = Duration::from_secs(25)..Duration::from_secs(50);
    assert!(about.contains(&took), "{took:?}");
    assert_eq!(count(&house, "m0", "move"), 0);
}

#[test]
fn a_new_configuration_is_read_and_a_broken_one_is_not_taken() {
    let house = club(1);
    let server = Server::start(&house, &[]);
    let mut client = server.client();
    let config = house.read("config.toml");
    let to = "RCPT TO:<club@example.org>";
    client.ask("MAIL FROM:<>");
    assert!(client.ask(to).starts_with("550 "));
    let wider = config.replace(
        "\"ref@example.org\"",
        "[\"ref@example.org\", \"club@example.org\"]",
    );
    house.write("config.toml", wider);
    server.signal("HUP");
    server.wait_for("the configuration is read again");
    assert!(client.ask(to).starts_with("250 "));
    house.write("config.toml", "[me");
    server.signal("HUP");
    server.wait_for("the configuration stays as it was");
    assert!(client.ask(to).starts_with("250 "));
    server.stop();
}

/// Letters were played in the old store, and the mail was looked for in the new one.
#[cfg(feature = "postgres")]
#[test]
fn the_matches_stay_where_they_are_until_the_next_start() {
    let house = club(1);
    let server = Server::start(&house, &["-v"]);
    let mut client = server.client();
    let config = house.read("config.toml");
    let other = "\n[store]\nkind = \"postgres\"\nhosts = [\"127.0.0.1:1\"]\ndatabase = \"club\"\nuser = \"club\"\ntls = \"none\"\n";
    house.write("config.toml", config + other);
    server.signal("HUP");
    let said = server.wait_for("until 'serve' is started again");
    assert!(said.contains("the matches stay in "), "{said}");
    client.deliver(&letter("anna", "m0", 1, "1. P>e3"), &[REFEREE]);
    server.wait_for("outcome=filed");
    server.stop();
    assert!(house.read("games/m0.txt").contains(" sent "));
}

#[test]
fn templates_are_read_with_the_configuration() {
    let house = club(2).dir("templates");
    let template = |text: &str| house.write("templates/receipt.txt", text);
    let receipts = |id: &str| {
        let outbox = std::fs::read_dir(house.path("games/outbox")).unwrap();
        let mails = outbox.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
        let mails = mails.filter(|mail| mail.contains(&format!("Message-ID: <{id}.")));
        mails.collect::<String>()
    };
    template("First {{ id }}.\n");
    let server = Server::start(&house, &["-v"]);
    let mut client = server.client();
    template("{% if %}");
    server.signal("HUP");
    let said = server.wait_for("the configuration stays as it was");
    assert!(said.contains("receipt.txt:1: "), "{said}");
    client.deliver(&letter("anna", "m0", 1, "1. P>e3"), &[REFEREE]);
    server.wait_for("kind=receipt outcome=filed");
    template("Second {{ id }}.\n");
    server.signal("HUP");
    server.wait_for("the configuration is read again");
    client.deliver(&letter("anna", "m1", 1, "1. P>e3"), &[REFEREE]);
    server.wait_for("match=m1\n");
    server.stop();
    house.parapost(["send"]).any_stderr().run();
    let (first, second) = (receipts("m0"), receipts("m1"));
    assert!(first.contains("First m0."), "{first}");
    assert!(second.contains("Second m1."), "{second}");
    template("{% if %}");
    house
        .parapost(["serve", "--lmtp", "127.0.0.1:0"])
        .status(1)
        .stderr_contains("receipt.txt:1: ")
        .run();
}

/// Another process holds the file, so that the count of the beginning fails.
#[test]
fn what_was_done_is_in_the_file_of_metrics_at_the_end() {
    let house = club(1);
    let lock = std::fs::File::create(house.path(".m.prom.lock")).unwrap();
    lock.lock().unwrap();
    let server = Server::start(&house, &["--metrics", "m.prom"]);
    let mut client = server.client();
    let message = letter("anna", "m0", 1, "1. P>e3");
    assert_eq!(client.deliver(&message, &[REFEREE]), ["250 2.0.0 ok"]);
    drop(lock);
    server.stop();
    let text = house.read("m.prom");
    let line = "parapost_messages_total{outcome=\"accepted\"} 1\n";
    assert!(text.contains(line), "{text}");
}
