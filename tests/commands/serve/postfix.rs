//! A referee behind Postfix.

use std::fs::{self, File};

use lettre::address::Envelope;
use lettre::{SmtpTransport, Transport as _};

use crate::commands::serve::{REFEREE, club, count, letter};
use crate::servers::postfix::{Postfix, Wishes};
use crate::servers::wait_until;
use crate::support::lmtp::Server;

/// Sends a message of white's to these recipients.
fn send(postfix: &Postfix, message: &str, recipients: &[&str]) {
    let recipients = recipients.iter().map(|to| to.parse().unwrap()).collect();
    let sender = "white@example.test".parse().unwrap();
    let envelope = Envelope::new(Some(sender), recipients).unwrap();
    let message = message.replace('\n', "\r\n");
    SmtpTransport::builder_dangerous("127.0.0.1")
        .port(postfix.port)
        .build()
        .send_raw(&envelope, message.as_bytes())
        .unwrap();
}

#[test]
#[ignore = "needs Postfix, root"]
fn postfix_delivers_each_message_once_whatever_happens() {
    let house = club(1).env("PARAPOST_WAIT", "0");
    let server = Server::start(&house, &[]);
    let at = format!("127.0.0.1:{}", server.port);
    let postfix = Postfix::with(&Wishes {
        main: format!(
            "relay_domains = example.org\ntransport_maps = inline:{{{{ example.org = lmtp:inet:{at} }}}}\n"
        ),
        ..Wishes::default()
    });

    // One message for three, of whom one is not known here.
    let recipients = [REFEREE, "ref+m0@example.org", "nobody@example.org"];
    send(&postfix, &letter("anna", "m0", 1, "1. P>e3"), &recipients);
    let [bounce] = &postfix.wait_for("white", 1)[..] else {
        panic!("no bounce");
    };
    let bounce = fs::read_to_string(bounce).unwrap();
    assert!(
        bounce.contains("550 5.1.1 no such recipient here"),
        "{bounce}"
    );
    assert!(bounce.contains("nobody@example.org"), "{bounce}");
    let taken = |number| {
        let log = postfix.log();
        let sent = log
            .lines()
            .filter(|line| line.contains("status=sent (250 2.0.0 "));
        sent.count() == number
    };
    wait_until(|| taken(2));
    assert_eq!(count(&house, "m0", "move"), 1, "{}", postfix.log());
    assert_eq!(count(&house, "m0", "owed"), 2);

    // What cannot be handled now comes again.
    let lock = File::options()
        .write(true)
        .open(house.path("games/.m0.lock"))
        .unwrap();
    lock.lock().unwrap();
    send(&postfix, &letter("ben", "m0", 1, "1... n>g5"), &[REFEREE]);
    wait_until(|| postfix.log().contains("451 4.3.0"));
    assert_eq!(count(&house, "m0", "move"), 1);
    drop(lock);
    wait_until(|| count(&house, "m0", "move") == 2);

    // So does what comes while the server is away.
    server.kill();
    send(&postfix, &letter("anna", "m0", 2, "2. N>d4"), &[REFEREE]);
    wait_until(|| postfix.log().contains("Connection refused"));
    let test = house.parapost(["serve", "--lmtp", &at]).any_stdout();
    let server = Server::of(&mut test.command());
    wait_until(|| count(&house, "m0", "move") == 3);
    wait_until(|| taken(4));
    assert_eq!(postfix.messages("white").len(), 1);
    server.stop();
}
