//! Where letters come from; options; what is no letter.

use super::{ben, id, letter, mails, receive, referee};

#[test]
fn a_dry_run_changes_nothing_and_says_the_same() {
    let session = referee();
    receive(&session, &["--dry-run"], &ben("n>g5\n"), "m", "accepted").run();
    let before = session.contents();
    for (body, word) in [
        ("n>g5\n", "accepted"),
        ("n>e3\n", "refused"),
        ("resign\n", "command"),
    ] {
        let output = receive(&session, &["--dry-run"], &ben(body), "m", word).run();
        assert_eq!(output.stdout.lines().count(), 1);
    }
    assert_eq!(before, session.contents());
    // Of several letters each is taken to have been received.
    let both = session
        .clone()
        .file("a.eml", ben("n>g5\n"))
        .file("b.eml", ben("1... n>g5\n"));
    both.parapost(["receive", "--dry-run", "a.eml", "b.eml"])
        .stdout(format!(
            "{}\tm\taccepted\n{}\tm\tduplicate\n",
            id("n>g5\n"),
            id("1... n>g5\n")
        ))
        .any_stderr()
        .run();
}

#[test]
fn a_mail_server_gets_0_for_everything_that_is_dealt_with() {
    for (body, word) in [
        ("n>g5\n", "accepted"),
        ("n>e3\n", "refused"),
        ("I like n>g5\n", "confirm"),
    ] {
        let session = referee();
        receive(&session, &["--deliver"], &ben(body), "m", word)
            .status(0)
            .run();
    }
    let session = referee();
    let stranger = letter("mallory@example.org", "[m]", "n>g5\n");
    receive(&session, &["--deliver"], &stranger, "m", "stranger")
        .status(0)
        .run();
    let piped = format!(
        "From ben@example.org Fri Nov 20 03:00:00 2026\n{}",
        ben("n>g5\n")
    );
    receive(&session, &["--deliver"], &piped, "m", "accepted").run();
    // Trouble of our own is no reason to lose the letter.
    session
        .parapost(["receive", "--deliver", "--config", "nowhere.toml"])
        .stdin(ben("n>f6\n"))
        .any_stderr()
        .status(75)
        .run();
}

#[test]
fn a_maildir_is_read_as_often_as_one_likes() {
    let session = referee()
        .dir("mail/tmp")
        .file(
            "mail/new/1795146823.b.host",
            letter("anna@example.org", "[m]", "B>f4\n"),
        )
        .file("mail/cur/1795146822.a.host:2,S", ben("n>g5\n"))
        .file("mail/new/1795146824.c.host", "no message at all");
    let before = session.read("mail/new/1795146823.b.host");
    let run = |word: &str| {
        let output = session
            .parapost(["receive", "mail"])
            .any_stdout()
            .any_stderr()
            .status(1)
            .run();
        let words: Vec<_> = output
            .stdout
            .lines()
            .map(|line| line.rsplit('\t').next().unwrap())
            .collect();
        assert_eq!(words, [word, word, "refused"]);
    };
    run("accepted");
    let after = session.read("games/m.txt");
    run("duplicate");
    assert_eq!(after, session.read("games/m.txt"));
    assert_eq!(before, session.read("mail/new/1795146823.b.host"));
    assert!(after.contains("1.  P>e3    n>g5\n2.  B>f4\n"), "{after}");
}

/// A whole message in the text of another was taken for a letter of its own, and its move was played.
#[test]
fn what_a_letter_holds_is_no_letter_where_the_mailbox_says_how_long_it_is() {
    let text = format!(
        "Look what I got:\n\nFrom ben@example.org Fri Nov 20 03:00:00 2026\n{}",
        ben("n>g5\n")
    );
    let stranger = letter("mallory@example.org", "[m]", &text);
    let header = format!("\nContent-Length: {}\n\n", text.len());
    let mbox = format!(
        "From mallory@example.org Fri Nov 20 03:00:00 2026\n{}\nFrom ben@example.org Fri Nov 20 03:00:01 2026\n{}\n",
        stranger.replacen("\n\n", &header, 1),
        ben("n>f6\n")
    );
    let session = referee().file("mbox", mbox);
    let run = session.parapost(["receive", "mbox"]).status(1).any_stderr();
    let lines = run.any_stdout().run().stdout;
    let words: Vec<_> = lines.lines().map(|line| line.rsplit('\t').next()).collect();
    assert_eq!(words, [Some("stranger"), Some("accepted")], "{lines}");
    assert!(session.read("games/m.txt").contains("1.  P>e3    n>f6\n"));
}

#[test]
fn an_mbox_is_read_and_what_was_printed_can_be() {
    let mbox = format!(
        "From ben@example.org Fri Nov 20 03:00:00 2026\n{}\nFrom anna@example.org Fri Nov 20 03:00:01 2026\n{}\n",
        ben("n>g5\n"),
        letter("anna@example.org", "[m]", "B>f4\n")
    );
    let session = referee().file("mbox", mbox);
    let output = session
        .parapost(["receive", "mbox", "--print"])
        .any_stdout()
        .run();
    let (lines, printed) = output.stdout.split_once("From ").unwrap();
    assert_eq!(lines.matches("\taccepted\n").count(), 2);
    // Our own mail, come back.
    let session = session.file(
        "printed",
        format!("From {printed}").replace("Auto-Submitted: auto-replied\n", ""),
    );
    let output = session
        .parapost(["receive", "printed"])
        .any_stdout()
        .any_stderr()
        .run();
    assert_eq!(
        output.stdout.matches("\tm\tignored\n").count(),
        4,
        "{}",
        output.stdout
    );
}

#[test]
fn what_is_no_letter_is_refused_without_harm() {
    let session = referee();
    let before = session.read("games/m.txt");
    let mut noise = Vec::with_capacity(10 << 20);
    let mut state = 1_u64;
    while noise.len() < 10 << 20 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        noise.extend_from_slice(&state.to_be_bytes());
    }
    for (input, word) in [
        (Vec::new(), "refused"),
        (b"\n\n".to_vec(), "refused"),
        (vec![0; 1000], "refused"),
        (b"\x7fELF\x02\x01\x01\0\0\0".to_vec(), "refused"),
    ] {
        let output = session
            .parapost(["receive"])
            .stdin(input)
            .any_stdout()
            .any_stderr()
            .status(1)
            .run();
        assert!(
            output.stdout.ends_with(&format!("\t-\t{word}\n")),
            "{}",
            output.stdout
        );
        assert!(output.stderr.contains("header"), "{}", output.stderr);
    }
    let output = session
        .parapost(["receive"])
        .stdin(noise)
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
    for missing in ["nowhere.eml", "games"] {
        session
            .parapost(["receive", missing])
            .stderr_contains(missing)
            .status(1)
            .run();
    }
    assert_eq!(before, session.read("games/m.txt"));
}

#[test]
fn nothing_in_a_letter_steers_a_terminal_or_makes_a_header() {
    let session = referee();
    let letter = "From: ben@example.org\nSubject: [m] =?utf-8?q?=1B[2J=0D=0ABcc:_x@y.test?=\n\
                  Message-ID: <a\u{1b}[2Jb@ben.test>\nMIME-Version: 1.0\n\
                  Content-Type: text/plain; charset=utf-8\n\n\
                  1... n>e3 \u{1b}[31m\u{202e}red\r\nBcc: victim@example.org\n\n1... n>e3, \u{1b}]0;x\u{7}\n";
    let output = session
        .parapost(["receive", "--print"])
        .stdin(letter)
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    for text in [&output.stdout, &output.stderr] {
        let steers = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
        assert!(!text.contains(steers), "{text:?}");
    }
    let mail = &mails(&output.stdout)[0];
    let (head, _) = mail.split_once("\n\n").unwrap();
    assert!(!head.contains("Bcc"), "{head}");
}

#[test]
fn one_bad_source_does_not_stop_the_others() {
    let session = referee().file("good.eml", ben("n>g5\n"));
    session
        .parapost(["receive", "missing.eml", "good.eml"])
        .stdout(format!("{}\tm\taccepted\n", id("n>g5\n")))
        .stderr_contains("missing.eml")
        .status(1)
        .run();
}

#[test]
fn a_warning_is_told_to_the_mover_and_on_stderr() {
    let session = referee();
    let output = receive(&session, &["--print"], &ben("n>g5 +\n"), "m", "accepted")
        .stderr_contains("warning")
        .run();
    let receipt = &mails(&output.stdout)[1];
    assert!(receipt.contains("\nRemark: "), "{receipt}");
}
