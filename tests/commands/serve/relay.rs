//! Mail that comes through Dovecot's LMTP proxy.

use std::fs::File;

use crate::commands::serve::{REFEREE, club, count, letter};
use crate::servers::dovecot::Dovecot;
use crate::servers::{free_ports, messages_in, wait_until};
use crate::support::lmtp::{Client, Server};

/// Dovecot delivers to its own users and passes all other mail on to `to`.
fn relay(port: u16, to: u16) -> Dovecot {
    let dovecot = Dovecot::start(&format!(
        "protocols = imap lmtp\nlmtp_proxy = yes\n\
         passdb {{\n driver = passwd-file\n username_filter = !*@*\n args = FOLDER/users\n}}\n\
         passdb {{\n driver = static\n username_filter = *@*\n args = nopassword=y proxy=y host=127.0.0.1 port={to} protocol=lmtp\n}}\n\
         service lmtp {{\n chroot =\n inet_listener lmtp {{\n  address = 127.0.0.1\n  port = {port}\n }}\n}}\n"
    ));
    let is_there = wait_until(|| std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    assert!(is_there, "{}", dovecot.log());
    dovecot
}

#[test]
#[ignore = "needs Dovecot"]
fn each_recipient_behind_a_relay_has_its_reply_in_order() {
    let house = club(1).env("PARAPOST_WAIT", "0");
    let server = Server::start(&house, &[]);
    let [port] = free_ports();
    let dovecot = relay(port, server.port);
    let mut client = Client::to(port);
    let recipients = [REFEREE, "white", "ref+m0@example.org"];
    assert!(
        client
            .ask("MAIL FROM:<anna@example.org>")
            .starts_with("250 ")
    );
    for to in &recipients[..2] {
        let reply = client.ask(&format!("RCPT TO:<{to}>"));
        assert!(reply.starts_with("250 "), "{reply}\n{}", dovecot.log());
    }
    let reply = client.ask("RCPT TO:<nobody@example.org>");
    assert!(reply.starts_with("550 5.1.1 "), "{reply}");
    let reply = client.ask(&format!("RCPT TO:<{}>", recipients[2]));
    assert!(reply.starts_with("250 "), "{reply}");
    assert!(client.ask("DATA").starts_with("354 "));
    let message = letter("anna", "m0", 1, "1. P>e3").replace('\n', "\r\n");
    client.tell(&format!("{message}\r\n.\r\n"));
    let replies = recipients.map(|_| client.reply());
    for (reply, to) in replies.iter().zip(recipients) {
        let is_taken = reply.starts_with(&format!("250 2.0.0 <{to}> "));
        assert!(is_taken, "{replies:?}");
    }
    assert_eq!(count(&house, "m0", "move"), 1);
    assert_eq!(count(&house, "m0", "owed"), 2);
    let copies = messages_in(&dovecot.maildir("white", "INBOX"));
    assert_eq!(copies.len(), 1);

    // What cannot be handled now is put off for those that it is for, and nobody else.
    let lock = File::options()
        .write(true)
        .open(house.path("games/.m0.lock"))
        .unwrap();
    lock.lock().unwrap();
    let answer = letter("ben", "m0", 1, "1... n>g5");
    let replies = client.deliver(&answer, &["white", REFEREE]);
    assert!(replies[0].starts_with("250 2.0.0 "), "{replies:?}");
    assert!(replies[1].starts_with("451 4.3.0 "), "{replies:?}");
    drop(lock);
    // Who sends what is owed may have the match just then.
    let is_taken = || client.deliver(&answer, &[REFEREE])[0].starts_with("250 2.0.0 ");
    assert!(wait_until(is_taken), "{}", dovecot.log());
    assert_eq!(count(&house, "m0", "move"), 2);
    server.stop();
}
