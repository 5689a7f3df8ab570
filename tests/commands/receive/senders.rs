//! Who may say it.

use super::{begin, ben, config, header, letter, mails, receive, referee, session};
use crate::support::Sandbox;

#[test]
fn only_the_player_to_move_plays() {
    let session = referee();
    let before = session.contents();
    for from in [
        "Ben <mallory@example.org>",
        "\"ben@example.org\" <mallory@example.org>",
        "ben@example.org, mallory@example.org",
        "Ben",
        "=?utf-8?q?Ben_=3Cben=40example=2Eorg=3E?=",
    ] {
        let letter = letter(from, "[m]", "n>g5\n");
        let output = receive(&session, &["--print"], &letter, "m", "stranger").run();
        assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
    }
    let nowhere = letter("mallory@example.org", "hello", "n>g5\n");
    receive(&session, &["--print"], &nowhere, "-", "stranger").run();
    let untouched: Vec<_> = session.contents();
    let games = |files: &[(std::path::PathBuf, Vec<u8>)]| {
        let mut games = files.to_vec();
        games.retain(|(name, _)| name.starts_with("games"));
        games
    };
    let changed = games(&untouched);
    let changed: Vec<_> = changed
        .iter()
        .filter(|file| !before.contains(file))
        .collect();
    assert!(
        changed.iter().all(|(name, _)| name.ends_with(".m.lock")),
        "{changed:?}"
    );

    let white = letter("anna@example.org", "[m]", "N>f3\n");
    let output = receive(&session, &["--print"], &white, "m", "not-your-turn").run();
    let mail = &mails(&output.stdout)[0];
    assert!(
        mail.contains("\nIt is Ben's move, so nothing has been played.\n"),
        "{mail}"
    );
    for from in ["BEN@Example.Org", "Somebody Else <ben@work.test>"] {
        let session = referee();
        receive(
            &session,
            &[],
            &letter(from, "[m]", "n>g5\n"),
            "m",
            "accepted",
        )
        .run();
    }
}

#[test]
fn machines_and_our_own_mail_are_passed_over_in_silence() {
    let session = referee();
    let refused = receive(&session, &["--print"], &ben("n>e3\n"), "m", "refused").run();
    let own = mails(&refused.stdout)[0].clone();
    let (_, own) = own.split_once('\n').unwrap();
    let own = own.replace("Auto-Submitted: auto-replied\n", "");
    let before = session.read("games/m.txt");
    receive(&session, &["--print"], &own, "m", "ignored").run();
    for field in [
        "Auto-Submitted: auto-replied",
        "Return-Path: <>",
        "Precedence: bulk",
        "Precedence: list",
        "List-Id: <games.example.test>",
        "Content-Type: multipart/report; boundary=x",
    ] {
        let letter = format!("{field}\n{}", ben("n>g5\n"));
        receive(&session, &["--print"], &letter, "-", "ignored").run();
    }
    assert_eq!(before, session.read("games/m.txt"));
}

#[test]
fn our_own_mail_is_known_by_its_loop_field() {
    let session = referee();
    let before = session.read("games/m.txt");
    let own = format!("X-Loop: ref@example.org\n{}", ben("n>g5\n"));
    receive(&session, &["--print"], &own, "-", "ignored").run();
    assert_eq!(before, session.read("games/m.txt"));
    let other = format!("X-Loop: ben@example.org\n{}", ben("n>g5\n"));
    receive(&session, &[], &other, "m", "accepted").run();
    let list = format!("X-Loop: games@lists.test\n{}", ben("hello\n"));
    receive(&session, &["--print"], &list, "m", "note").run();
}

/// The referee's desk with that policy, and a mail that went to Ben and one
/// that went to Anna.
fn with_policy(policy: &str) -> (Sandbox, String, String) {
    let session = referee();
    let config = session.read("config.toml") + "\n[policy]\n" + policy;
    let output = receive(&session, &["--print"], &ben("hello\n"), "m", "note").run();
    let to_anna = header(&mails(&output.stdout)[0], "Message-ID:").to_owned();
    let output = receive(&session, &["--print"], &ben("help\n"), "m", "command").run();
    let to_ben = header(&mails(&output.stdout)[0], "Message-ID:").to_owned();
    (session.file("config.toml", config), to_ben, to_anna)
}

#[test]
fn a_token_shows_that_the_sender_has_our_mail() {
    let (session, to_ben, to_anna) = with_policy("identity = \"token\"\n");
    let before = session.read("games/m.txt");
    // The reason is told once.
    let mut is_told = false;
    for field in [
        String::new(),
        format!("In-Reply-To: {to_anna}\n"),
        "References: <m.1.00000000000000000000@example.org>\n".to_owned(),
        format!("X-References: {to_ben}\n"),
    ] {
        let forged = format!("{field}{}", ben("n>g5\n"));
        let output = receive(&session, &["--print"], &forged, "m", "stranger").run();
        assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
        let tells = output.stderr.contains("does not answer a mail");
        assert_ne!(tells, is_told, "{}", output.stderr);
        is_told = true;
    }
    assert_eq!(before, session.read("games/m.txt"));
    // A token is nobody else's either.
    let stranger = letter("mallory@example.org", "[m]", "n>g5\n");
    let stranger = format!("In-Reply-To: {to_ben}\n{stranger}");
    receive(&session, &[], &stranger, "m", "stranger").run();
    let good = format!("References: <x@y.test> {to_ben}\n{}", ben("n>g5\n"));
    receive(&session, &[], &good, "m", "accepted").run();
}

#[test]
fn a_trusted_host_s_word_on_a_signature_is_taken() {
    let policy = "identity = \"dkim\"\ntrusted = \"mx.example.net\"\n";
    let (session, to_ben, _) = with_policy(policy);
    let pass = "dkim=pass header.d=example.org";
    for fields in [
        String::new(),
        format!("In-Reply-To: {to_ben}\n"),
        format!("Authentication-Results: evil.test; {pass}\n"),
        format!(
            "Authentication-Results: evil.test; {pass}\nAuthentication-Results: mx.example.net; {pass}\n"
        ),
        "Authentication-Results: mx.example.net; dkim=fail header.d=example.org\n".to_owned(),
        "Authentication-Results: mx.example.net; dkim=pass header.d=evil.test\n".to_owned(),
    ] {
        let forged = format!("{fields}{}", ben("n>g5\n"));
        receive(&session, &["--print"], &forged, "m", "stranger").run();
    }
    let good = format!(
        "Authentication-Results: mx.example.net;\n\t{pass}\n\
         DKIM-Signature: v=1; d=example.org; h=From:To:Date:Subject; b=x\n\
         Date: Fri, 20 Nov 2026 04:00:00 +0000\n{}",
        ben("n>g5\n").replace("To: anna@", "To: ref@")
    );
    receive(&session, &[], &good, "m", "accepted").run();
}

/// Went wrong: under `dkim`, where no server had checked the letters, each was told of, and nobody
/// could see later that a player had written in vain.
#[test]
fn letters_that_prove_nothing_are_told_of_once_a_day_and_listed() {
    let config =
        config("ref", "referee") + "[policy]\nidentity = \"dkim\"\ntrusted = \"mx.test\"\n";
    let session = session("ref", "referee").file("config.toml", config);
    begin(&session, "m", "P>e3");
    let why = "m: stranger: no mail server has checked its signature";
    let receive = |body: &str, now: &str| {
        let run = session.parapost(["receive"]).env("PARAPOST_NOW", now);
        let output = run.stdin(ben(body)).any_stdout().any_stderr().either();
        assert!(
            output.stdout.ends_with("\tm\tstranger\n"),
            "{}",
            output.stdout
        );
        output.stderr.contains(why)
    };
    let list = |now: &str| {
        let run = session.parapost(["list"]).env("PARAPOST_NOW", now);
        run.any_stdout().any_stderr().run().stderr
    };
    assert!(receive("n>g5\n", "2026-11-20T05:00:00Z"));
    assert!(!list("2026-11-20T06:00:00Z").contains("did not count"));
    assert!(!receive("n>g6\n", "2026-11-20T07:00:00Z"));
    assert!(receive("n>g4\n", "2026-11-21T01:00:00Z"));
    let told = "parapost: m: 3 letters from the address of Black did not count (2026-11-20 to 2026-11-21); the last one: no mail server has checked its signature";
    let listed = list("2026-11-21T02:00:00Z");
    assert!(listed.contains(told), "{listed}");
    // Nobody else's letter counts as the player's.
    let other = letter("Carl <carl@example.org>", "Re: [m]", "n>g5\n");
    session
        .parapost(["receive"])
        .stdin(other)
        .any_stdout()
        .any_stderr()
        .either();
    assert!(list("2026-11-21T02:00:00Z").contains(told));
    assert!(!list("2026-11-29T02:00:00Z").contains("did not count"));
}
