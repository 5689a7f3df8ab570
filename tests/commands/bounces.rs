//! Delivery reports as real servers make them, and forged ones.

use std::fs;
use std::path::PathBuf;

use crate::commands::submission::{PASSWORD, begin, config, house};
use crate::servers::postfix::{Postfix, Wishes};
use crate::support::Sandbox;
use crate::support::exim::Exim;

/// Takes a message as a mail server's pipe brings it, and sends what is owed. Gives the
/// word, and what people are told.
fn receive(house: &Sandbox, text: &str) -> (String, String) {
    let run = house
        .parapost(["receive", "--deliver", "--send"])
        .stdin(text)
        .any_stdout()
        .any_stderr()
        .run();
    let word = run.stdout.trim_end().rsplit('\t').next().unwrap();
    (word.to_owned(), run.stderr)
}

fn list(house: &Sandbox) -> String {
    house.parapost(["list"]).any_stdout().run().stdout
}

/// The lines of the log with this word.
fn lines(house: &Sandbox, word: &str) -> Vec<String> {
    let text = house.read("games/m.txt");
    let lines = text
        .lines()
        .filter(|line| line.contains(&format!(" {word} ")));
    lines.map(ToOwned::to_owned).collect()
}

/// Sends a move to a mailbox that is not there, and gives the report that comes back.
fn first_report(house: &Sandbox, wait: &dyn Fn(usize) -> Vec<PathBuf>) -> String {
    begin(house, "m", "vanished@example.test");
    house.parapost(["send"]).stderr("m: 1 mail sent\n").run();
    fs::read_to_string(&wait(1)[0]).unwrap()
}

/// The whole way of a report: it marks the mail, which goes once more; the second report
/// and the first one again do nothing; a letter of the player clears the mark.
fn a_report_has_the_mail_sent_once_again(house: &Sandbox, wait: &dyn Fn(usize) -> Vec<PathBuf>) {
    let first = first_report(house, wait);
    let (word, told) = receive(house, &first);
    assert_eq!(word, "undelivered", "{told}\n{first}");
    assert!(
        told.contains("the mail to vanished@example.test has not arrived (5."),
        "{told}"
    );
    let bounced = lines(house, "bounced");
    assert!(
        bounced[0].contains(" bounced Black position msg=<m."),
        "{bounced:?}"
    );
    assert_eq!((bounced.len(), lines(house, "sent").len()), (1, 2));
    assert!(list(house).contains(", a mail reported undelivered"));
    house
        .parapost(["show", "m"])
        .any_stdout()
        .stderr_contains("to vanished@example.test was reported undelivered: 5.")
        .run();
    house
        .parapost(["mail", "list"])
        .stdout_contains("\treported\tposition\tvanished@example.test\t")
        .run();
    let reports = wait(2);
    let second = fs::read_to_string(reports.last().unwrap()).unwrap();
    let id = |text: &str| {
        let (_, rest) = text.split_once("\nMessage-ID: <m.").unwrap();
        rest.lines().next().unwrap().to_owned()
    };
    assert_eq!(id(&first), id(&second));
    let before = house.read("games/m.txt");
    let (word, told) = receive(house, &second);
    assert_eq!(word, "ignored");
    assert!(told.contains("does not count"), "{told}");
    assert_eq!(receive(house, &first).0, "duplicate");
    assert_eq!(house.read("games/m.txt"), before);
    house
        .parapost(["receive"])
        .stdin("From: vanished@example.test\nMessage-ID: <a@x.test>\nSubject: [m]\n\nI am back.\n")
        .stdout("<a@x.test>\tm\tnote\n")
        .any_stderr()
        .run();
    assert!(!list(house).contains("reported"), "{}", list(house));
    house
        .parapost(["verify", "m"])
        .any_stdout()
        .any_stderr()
        .run();
}

#[test]
#[ignore = "needs Exim"]
fn exims_report_marks_the_mail_and_sends_it_once_again() {
    let exim = Exim::start();
    let house = house(&config(exim.port, &exim.ca_file(), PASSWORD));
    a_report_has_the_mail_sent_once_again(&house, &|count| exim.wait_for("white", count));
}

#[test]
#[ignore = "needs Postfix, root"]
fn postfixs_report_marks_the_mail_and_sends_it_once_again() {
    let postfix = Postfix::with(&Wishes {
        main:
            "transport_maps = inline:{ { vanished@example.test = error:5.1.1 the mailbox is gone } }\n\
               smtpd_reject_unlisted_recipient = no"
                .to_owned(),
        ..Wishes::default()
    });
    let house = house(&config(postfix.port, &postfix.ca_file(), PASSWORD));
    a_report_has_the_mail_sent_once_again(&house, &|count| postfix.wait_for("white", count));
}

/// The next server takes no mail without a login.
#[test]
#[ignore = "needs Exim, Postfix, root"]
fn a_report_of_a_server_further_on_counts_too() {
    let exim = Exim::start();
    let postfix = Postfix::with(&Wishes {
        main: format!(
            "transport_maps = inline:{{ {{ vanished@example.test = smtp:[127.0.0.1]:{} }} }}\n\
             smtpd_reject_unlisted_recipient = no",
            exim.port
        ),
        ..Wishes::default()
    });
    let house = house(&config(postfix.port, &postfix.ca_file(), PASSWORD));
    let report = first_report(&house, &|count| postfix.wait_for("white", count));
    let (word, told) = receive(&house, &report);
    assert_eq!(word, "undelivered", "{told}\n{report}");
    assert!(told.contains("authenticate first"), "{told}");
}

/// Nobody listens at the next server's port, which Postfix tells of after a second.
#[test]
#[ignore = "needs Postfix, root"]
fn a_report_of_a_delay_changes_nothing() {
    let postfix = Postfix::with(&Wishes {
        main: "transport_maps = inline:{ { vanished@example.test = smtp:[127.0.0.1]:1 } }\n\
               smtpd_reject_unlisted_recipient = no\ndelay_warning_time = 1s"
            .to_owned(),
        ..Wishes::default()
    });
    let house = house(&config(postfix.port, &postfix.ca_file(), PASSWORD));
    let report = first_report(&house, &|count| postfix.wait_for("white", count));
    assert!(report.contains("Action: delayed"), "{report}");
    let before = house.read("games/m.txt");
    assert_eq!(receive(&house, &report).0, "ignored");
    assert_eq!(house.read("games/m.txt"), before);
}

#[test]
#[ignore = "needs Exim"]
fn a_forged_report_gains_nothing() {
    let exim = Exim::start();
    let house = house(&config(exim.port, &exim.ca_file(), PASSWORD));
    let real = first_report(&house, &|count| exim.wait_for("white", count));
    let before = house.read("games/m.txt");
    let forged = |from: &str, to: &str| {
        assert!(real.contains(from), "{from}\n{real}");
        real.replace(from, to)
    };
    for text in [
        // Another recipient, another mail, one of the player's own letters.
        forged("rfc822;vanished@example.test", "rfc822;black@example.test"),
        forged("rfc822;vanished@example.test", "rfc822; white@example.test"),
        forged("<m.", "<n."),
        forged("<m.3.", "<m.4."),
        forged("Action: failed", "Action: delayed"),
        forged("Status: 5", "Status: 2"),
        // A person has sent it.
        forged("Return-path: <>", "Return-path: <vanished@example.test>"),
    ] {
        let (word, told) = receive(&house, &text);
        assert_eq!(word, "ignored", "{told}\n{text}");
        assert_eq!(house.read("games/m.txt"), before, "{text}");
    }
    // Any number of them, under ids of their own, have the mail sent once.
    for number in 0..5 {
        let id = real.find("\nMessage-Id: <").expect("Exim's own id");
        let text = format!("{}{number}{}", &real[..id + 14], &real[id + 14..]);
        let (word, _) = receive(&house, &text);
        assert_eq!(
            word,
            if number == 0 {
                "undelivered"
            } else {
                "ignored"
            }
        );
    }
    assert_eq!(lines(&house, "sent").len(), 2);
    assert_eq!(lines(&house, "bounced").len(), 1);
    // Who has moved has had the mail.
    let letter = |number: &str, text: &str| {
        format!(
            "From: vanished@example.test\nMessage-ID: <{number}@x.test>\nSubject: [m]\n\n{text}\n"
        )
    };
    assert_eq!(receive(&house, &letter("1", "1... n>g5")).0, "accepted");
    house.parapost(["move", "m", "N>f4"]).any_stderr().run();
    house.parapost(["send"]).any_stderr().run();
    let reports = exim.wait_for("white", 3);
    let last = fs::read_to_string(reports.last().unwrap()).unwrap();
    assert_eq!(receive(&house, &letter("2", "2... p>e5")).0, "accepted");
    let (word, told) = receive(&house, &last);
    assert_eq!(word, "ignored", "{told}");
}
