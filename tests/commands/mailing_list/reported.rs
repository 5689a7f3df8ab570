//! Delivery reports about what was mailed to a list.

use super::{LIST, begun, header, log, mails, on_list, played, run};
use crate::support::Sandbox;

/// A server's report about a mail: it has not reached this address.
fn report(id: &str, mail: &str, address: &str) -> String {
    format!(
        "Return-Path: <>\nFrom: Mail Delivery System <mailer-daemon@mx.test>\nTo: anna@example.org\n\
         Subject: Undelivered Mail\nMessage-ID: <{id}@mx.test>\nAuto-Submitted: auto-replied\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n\
         --b\nContent-Type: text/plain\n\nYour mail was not taken.\n\
         --b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\n\
         Final-Recipient: rfc822; {address}\nAction: failed\nStatus: 5.7.1\n\
         Diagnostic-Code: smtp; 550 5.7.1 only members may post\n\n\
         --b\nContent-Type: text/rfc822-headers\n\nMessage-ID: {mail}\n\n--b--\n"
    )
}

fn word(house: &Sandbox, letter: &str) -> (String, String) {
    let run = house.parapost(["receive", "--deliver", "--send"]);
    let run = run.stdin(letter).any_stdout().any_stderr().run();
    let word = run.stdout.trim_end().rsplit('\t').next().unwrap();
    (word.to_owned(), run.stderr)
}

#[test]
fn a_report_about_a_mail_to_the_list_is_shown() {
    let anna = begun("");
    let ids: Vec<String> = on_list(&anna)
        .iter()
        .map(|mail| header(mail, "Message-ID"))
        .collect();
    let sent = mails(&anna).len();
    // One about an earlier mail, or that did not go to the list, tells nothing of the list.
    for (mail, address) in [(&ids[0], LIST), (&ids[1], "kim@example.net")] {
        let before = log(&anna);
        let (word, said) = word(&anna, &report("other", mail, address));
        assert_eq!(word, "ignored", "{said}");
        assert_eq!(log(&anna), before);
    }
    let first = report("1", &ids[1], LIST);
    let (fate, said) = word(&anna, &first);
    assert_eq!(fate, "undelivered", "{said}");
    let told = "the mail to the list games@lists.test has not arrived (5.7.1 smtp; 550 5.7.1 only members may post)";
    assert!(said.contains(told), "{said}");
    let before = log(&anna);
    assert!(
        before.contains(&format!(" news - reported article={} ", ids[1])),
        "{before}"
    );
    assert_eq!(word(&anna, &first).0, "duplicate");
    // Whoever reads the list can forge another.
    assert_eq!(word(&anna, &report("2", &ids[1], LIST)).0, "ignored");
    assert_eq!((log(&anna), mails(&anna).len()), (before, sent));
    let said = run(&anna, &["list"]);
    assert!(said.contains(", an article reported undelivered"), "{said}");
    let said = run(&anna, &["mail", "list"]);
    assert!(
        said.contains("\treported\tarticle\tgames@lists.test\t"),
        "{said}"
    );
    let json = run(&anna, &["list", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let json = &json["matches"][0];
    assert_eq!(
        (&json["reported"], &json["news"]["reported"]),
        (&1.into(), &1.into())
    );
    run(&anna, &["verify", "demo"]);
    // The next position goes to the list as ever, and the mark with it.
    let said = super::given(&anna, &super::answer(&anna, "second", "", "k>e8\n"));
    assert!(said.contains("\tdemo\taccepted\n"), "{said}");
    assert_eq!(on_list(&anna).len(), 3);
    assert_eq!(header(&on_list(&anna)[2], "References"), ids.join(" "));
    let said = run(&anna, &["list"]);
    assert!(!said.contains("reported"), "{said}");
    played(&anna, "P>d3");
    run(&anna, &["verify", "demo"]);
}
