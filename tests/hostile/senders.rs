//! Who is taken for whom.

use super::{CONFIG, FROM, session};
use crate::support::Sandbox;
use std::fmt::Write as _;

/// Letters with those fields, each of which plays a move, come to those words if each comes first.
#[track_caller]
fn words(session: &Sandbox, cases: &[(&str, &str)]) {
    let session = session.clone().dir("mail");
    for (i, (fields, _)) in cases.iter().enumerate() {
        let letter = format!("{}\nSubject: [one]\n\nn>g5\n", fields.trim_end());
        session.write(format!("mail/{}", i + 1), letter);
    }
    let mut faults = String::new();
    for (i, (fields, expected)) in cases.iter().enumerate() {
        let status = i32::from(*expected == "stranger");
        let file = format!("mail/{}", i + 1);
        let run = session
            .parapost(["receive", "--dry-run", &file])
            .any_stdout()
            .any_stderr()
            .status(status);
        let output = run.run();
        if !output.stdout.ends_with(&format!("\t{expected}\n")) {
            let _ = write!(
                faults,
                "{fields}\n  expected {expected}, came {}",
                output.stdout
            );
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn one_clear_address_counts_and_nothing_else() {
    words(
        &session(),
        &[
            (FROM, "accepted"),
            ("From: Mallory <ben@example.test>", "accepted"),
            ("From: BEN+games@EXAMPLE.TEST", "accepted"),
            (
                "From: Ben <ben@example.test>\nSender: mallory@evil.test",
                "accepted",
            ),
            (
                "From: Ben <ben@example.test>\nReply-To: mallory@evil.test",
                "accepted",
            ),
            (
                "From: mallory@evil.test\nSender: Ben <ben@example.test>",
                "stranger",
            ),
            (
                "From: mallory@evil.test\nReply-To: ben@example.test",
                "stranger",
            ),
            (
                "From: mallory@evil.test\nResent-From: ben@example.test",
                "stranger",
            ),
            ("From: ben@example.test, mallory@evil.test", "stranger"),
            ("From: mallory@evil.test, ben@example.test", "stranger"),
            (
                "From: ben@example.test\nFrom: mallory@evil.test",
                "stranger",
            ),
            (
                "From: mallory@evil.test\nFrom: ben@example.test",
                "stranger",
            ),
            ("From: ben@example.test\nFrom: ben@example.test", "stranger"),
            (
                "From: players: ben@example.test, mallory@evil.test;",
                "stranger",
            ),
            ("From: \"ben@example.test\" <mallory@evil.test>", "stranger"),
            ("From: ben@example.test <mallory@evil.test>", "stranger"),
            (
                "From: =?utf-8?q?ben=40example=2Etest?= <mallory@evil.test>",
                "stranger",
            ),
            ("From: mallory@evil.test (ben@example.test)", "stranger"),
            ("From: ben@example.test.evil.test", "stranger"),
            ("From: <@evil.test:ben@example.test>", "stranger"),
            ("From: ben@example.test@evil.test", "stranger"),
            ("From: \"ben@example.test\"@evil.test", "stranger"),
            ("From:", "stranger"),
            ("To: ben@example.test", "stranger"),
        ],
    );
}

#[test]
fn addresses_are_compared_letter_by_letter_and_never_by_look() {
    words(
        &session(),
        &[
            ("From: bеn@example.test", "stranger"),
            ("From: ben@еxample.test", "stranger"),
            ("From: ben@example.teſt", "stranger"),
            ("From: ben@xn--xample-9uf.test", "stranger"),
            ("From: b\u{200b}en@example.test", "stranger"),
            ("From: \u{202e}ben@example.test", "stranger"),
            ("From: ben@example\u{3002}test", "stranger"),
            ("From: ben@ｅxample.test", "stranger"),
        ],
    );
}

#[test]
fn only_the_topmost_word_of_a_trusted_host_counts() {
    let policy = "[policy]\nidentity = \"dkim\"\ntrusted = \"mx.example.net\"\n";
    let session = session().file("config.toml", format!("{CONFIG}{policy}"));
    let signed = "DKIM-Signature: d=example.test; h=from:to:date:subject\nTo: games@example.net\nDate: Fri, 20 Nov 2026 04:00:00 +0000\n";
    let with = |fields: &str| format!("{fields}\n{signed}{FROM}");
    let good = "dkim=pass header.d=example.test";
    let cases = [
        (format!("Authentication-Results: mx.example.net; {good}"), "accepted"),
        (format!("authentication-results: MX.Example.Net 1; {good}"), "accepted"),
        (format!("Authentication-Results: (a; b) mx.example.net (c);\n\t{good}"), "accepted"),
        (format!("Received: by mx\nAuthentication-Results: \"mx.example.net\";\n {good}"), "accepted"),
        (format!("Authentication-Results: mx.example.net; spf=fail; {good}"), "accepted"),
        // Of another host, or from below.
        (format!("Authentication-Results: evil.test; {good}\nAuthentication-Results: mx.example.net; {good}"), "stranger"),
        (format!("Authentication-Results: mx.example.net; dkim=none\nAuthentication-Results: mx.example.net; {good}"), "stranger"),
        (format!("ARC-Authentication-Results: i=1; mx.example.net; {good}"), "stranger"),
        (format!("X-Authentication-Results: mx.example.net; {good}"), "stranger"),
        (format!("Authentication-Results: mx.example.net.evil.test; {good}"), "stranger"),
        (format!("Authentication-Results: evil.test (mx.example.net); {good}"), "stranger"),
        (format!("Authentication-Results: evil.test mx.example.net; {good}"), "stranger"),
        (format!("Authentication-Results: \"mx.example.net;\" x; {good}"), "stranger"),
        (format!("Authentication-Results: mx.example.net\\; {good}"), "stranger"),
        (format!("Authentication-Results: ; {good}"), "stranger"),
        // What is quoted or in brackets is said by nobody.
        ("Authentication-Results: mx.example.net; dkim=fail (dkim=pass header.d=example.test)".to_owned(), "stranger"),
        ("Authentication-Results: mx.example.net; dkim=fail reason=\"x; dkim=pass header.d=example.test\"".to_owned(), "stranger"),
        ("Authentication-Results: mx.example.net; dkim=fail reason=\"\\\"; dkim=pass header.d=example.test\"".to_owned(), "stranger"),
        ("Authentication-Results: mx.example.net; (dkim=pass header.d=example.test".to_owned(), "stranger"),
        // Another domain, two of them, none.
        ("Authentication-Results: mx.example.net; dkim=pass header.d=evil.test header.d=example.test".to_owned(), "stranger"),
        ("Authentication-Results: mx.example.net; dkim=pass header.d=test".to_owned(), "stranger"),
        ("Authentication-Results: mx.example.net; dkim=pass header.d=evilexample.test".to_owned(), "stranger"),
        ("Authentication-Results: mx.example.net; dkim=pass header.d=a.example.test".to_owned(), "stranger"),
        ("Authentication-Results: mx.example.net; dkim=pass".to_owned(), "stranger"),
        ("Authentication-Results: mx.example.net; dkim=passed header.d=example.test".to_owned(), "stranger"),
        ("Authentication-Results: mx.example.net; spf=pass smtp.mailfrom=example.test".to_owned(), "stranger"),
        ("Authentication-Results: mx.example.net; x-dkim=pass header.d=example.test".to_owned(), "stranger"),
        ("Authentication-Results: mx.example.net; none".to_owned(), "stranger"),
    ];
    let cases: Vec<(String, &str)> = cases
        .into_iter()
        .map(|(fields, word)| (with(&fields), word))
        .collect();
    let cases: Vec<(&str, &str)> = cases
        .iter()
        .map(|(fields, word)| (fields.as_str(), *word))
        .collect();
    words(&session, &cases);
}
