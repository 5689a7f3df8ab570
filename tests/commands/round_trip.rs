//! `parapost doctor --round-trip`: a mail to oneself, by a real server to another.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::commands::submission::begin;
use crate::servers::dovecot::Dovecot;
use crate::servers::postfix::Postfix;
use crate::support::exim::{address, password};
use crate::support::{Output, Sandbox};

/// White's house, whose mail goes out by the one server and is read on the other.
fn house(dovecot: &Dovecot, postfix: &Postfix) -> Sandbox {
    let server = |port: u16, ca_file: PathBuf, way: &str| {
        format!(
            "host = \"localhost\"\nport = {port}\nca_file = \"{}\"\ntls = \"{way}\"\n\
             user = \"white\"\npassword_file = \"password\"\n",
            ca_file.display()
        )
    };
    let config = format!(
        "[me]\nname = \"White\"\naddress = \"{}\"\n[transport]\nkind = \"smtp\"\n[smtp]\n{}[imap]\n{}",
        address("white"),
        server(postfix.port, postfix.ca_file(), "starttls"),
        server(dovecot.tls_port, dovecot.ca_file(), "tls"),
    );
    Sandbox::new()
        .dir("games")
        .file("config.toml", config)
        .secret("password", password("white") + "\n")
        .env("PARAPOST_CONFIG", "config.toml")
}

/// Runs the round trip, whose mail is carried to a folder as soon as the first server has it.
/// Returns what was said, and the mail.
fn round_trip(
    house: &Sandbox,
    servers: (&Dovecot, &Postfix),
    folder: &'static str,
    status: i32,
) -> (Output, String) {
    let (dovecot, postfix) = servers;
    let count = postfix.messages("white").len();
    thread::scope(|scope| {
        let carried = scope.spawn(move || {
            let mails = postfix.wait_for("white", count + 1);
            let mail = fs::read_to_string(mails.last().unwrap()).unwrap();
            thread::sleep(Duration::from_secs(2));
            // As some servers do, which number all mail themselves.
            let carried = mail.replacen("Message-ID: <Round-Trip.", "X-Original-ID: <", 1);
            assert!(carried != mail, "{mail}");
            dovecot.deliver("white", folder, "", &carried);
            mail
        });
        let run = house.parapost(["doctor", "--round-trip=60"]).status(status);
        let run = run.any_stdout().any_stderr().run();
        (run, carried.join().unwrap())
    })
}

#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn a_mail_to_oneself_is_seen_to_come() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let house = house(&dovecot, &postfix);
    dovecot.deliver("white", "INBOX", "", "Subject: other\n\nOther mail.\n");
    let before = house.contents();
    let (run, mail) = round_trip(&house, (&dovecot, &postfix), "INBOX", 0);
    let line = run.stdout.lines().find(|line| line.contains("round trip"));
    let line = line.unwrap_or_else(|| panic!("{}", run.stdout));
    assert!(
        line.starts_with("ok     round trip: a mail to white@example.test was in 'INBOX' after "),
        "{line}"
    );
    // The server has given it another id.
    let told = "note   Message-IDs: your mail server replaces the Message-IDs of your mails";
    assert!(run.stdout.contains(told), "{}", run.stdout);
    let (_, seconds) = line.split_once(" after ").unwrap();
    let seconds: u64 = seconds.split(' ').next().unwrap().parse().unwrap();
    assert!((2..60).contains(&seconds), "{line}");
    assert!(run.stderr.contains("60 seconds at most"), "{}", run.stderr);
    assert!(mail.contains("\nAuto-Submitted: auto-generated"), "{mail}");
    // Nothing is changed: both mails are there, unseen, and here there is nothing new.
    assert_eq!(dovecot.names("white", "INBOX").len(), 2);
    assert_eq!(house.contents(), before);
    let said = dovecot.said("white", true).to_uppercase();
    for word in [" SELECT", " STORE", " COPY", " MOVE", " APPEND", "EXPUNGE"] {
        assert!(!said.contains(word), "{said}");
    }
}

/// The mail is nobody's letter, neither in the mailbox nor by hand.
#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn the_mail_of_a_round_trip_is_no_letter() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let house = house(&dovecot, &postfix);
    begin(&house, "m", &address("black"));
    house.parapost(["fetch"]).any_stderr().run();
    let (_, mail) = round_trip(&house, (&dovecot, &postfix), "INBOX", 0);
    let before = house.read("games/m.txt");
    house.parapost(["fetch", "--send"]).run();
    // Nor is it one where all mail since a day is read, or by hand.
    house
        .parapost(["fetch", "--send", "--since", "2020-01-01"])
        .run();
    house
        .parapost(["receive", "--send", "-"])
        .stdin(&mail)
        .stdout_contains("\t-\tignored\n")
        .any_stderr()
        .run();
    assert_eq!(house.read("games/m.txt"), before);
    assert_eq!(postfix.messages("white").len(), 1);
    assert!(postfix.messages("black").is_empty());
    let said = dovecot.said("white", true);
    assert!(!said.contains("BODY.PEEK[]"), "it was downloaded: {said}");
}

#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn a_mail_that_does_not_come_or_comes_as_junk_is_told_of() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let house = house(&dovecot, &postfix);
    dovecot.make("white", "Junk");
    let (run, _) = round_trip(&house, (&dovecot, &postfix), "Junk", 1);
    let found = "seconds, but to 'Junk', the folder of unwanted mail; move it (";
    assert!(run.stdout.contains(found), "{}", run.stdout);
    let run = house.parapost(["doctor", "--round-trip=2"]).status(1);
    let run = run.any_stderr().any_stdout().run();
    let missing = "was sent, and has not come within 2 seconds; look for it (";
    assert!(run.stdout.contains(missing), "{}", run.stdout);
}

#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn without_servers_or_where_one_is_wrong_nothing_is_sent() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let house = house(&dovecot, &postfix);
    let trip = |words: &[&str]| {
        let run = house.parapost(["doctor", "--round-trip"]).status(1);
        let run = run.args(words.iter().copied());
        run.any_stdout().any_stderr().run().stdout
    };
    house.write(
        "alone.toml",
        "[me]\nname = \"A\"\naddress = \"a@example.org\"\n",
    );
    let list = trip(&["--config", "alone.toml"]);
    assert!(
        list.contains("wrong  round trip: there is no mailbox"),
        "{list}"
    );
    house.write("password", "guesswork\n");
    let list = trip(&[]);
    assert!(!list.contains("round trip"), "{list}");
    assert!(postfix.messages("white").is_empty());
    for seconds in ["0", "soon"] {
        let line = format!("--round-trip={seconds}");
        let run = house.parapost(["doctor", &line]).status(2);
        run.stderr_contains("invalid value").run();
    }
}
