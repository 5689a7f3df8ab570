//! A player whose turn it is never waits in vain: a move in an odd form is played, or
//! asked about, and a message without one is answered.

use super::{begin, ben, events, header, letter, log, mails, receive, referee, session};

/// Ben's turn in a match of Unachess with both kings and a knight of his on the board.
fn in_play() -> crate::support::Sandbox {
    let session = session("ref", "referee");
    begin(&session, "m", "K>e1 k>e8 P>e4 n>b6 P>d2");
    session
}

/// The signs and words that hid a drop from the reader.
#[test]
#[ignore = "takes long"]
fn a_drop_in_an_odd_form_is_played() {
    for (body, played) in [
        ("p>e5👍\n", "p>e5"),
        ("p>e5‼\n", "p>e5"),
        ("P>e5 👍🏽\n", "p>e5"),
        ("P→e5\n", "p>e5"),
        ("3... p→e5!\n", "p>e5"),
        ("drop pawn e5\n", "p>e5"),
        ("Drop pawn e5.\n", "p>e5"),
        ("put n d4\n", "n>d4"),
        ("place Knight d4\n\nBen\n", "n>d4"),
        ("\u{2068}p>e5\u{2069}\n", "p>e5"),
        ("I thought about it.\n\np>e5±\n\n> 3.  P>d2\n", "p>e5"),
    ] {
        let session = in_play();
        receive(&session, &[], &ben(body), "m", "accepted").run();
        let moved = format!("move Black {played}");
        assert!(
            events(&session, 1).contains(&moved),
            "{body}: {:?}",
            log(&session, "m")
        );
    }
}

/// All of these went on as talk, and nobody answered.
#[test]
#[ignore = "takes long"]
fn a_drop_in_prose_or_without_a_sign_is_asked_about() {
    for (body, forms) in [
        ("I put a Knight on d4 please.\n", &["n>d4"][..]),
        // The knight on b6 goes there, too.
        ("N d5\n", &["n>d5", "n-d5"]),
        ("N d4\n", &["n>d4"]),
        ("3... n d5\n", &["n>d5", "n-d5"]),
        ("pawn e5\n", &["p>e5"]),
        ("Pawn to e5\n", &["p>e5"]),
        ("drop a pawn on e5\n", &["p>e5"]),
        ("Please drop pawn e5\n", &["p>e5"]),
        ("drop pawn e5?\n", &["p>e5"]),
        ("Queen to d6, I'd say.\n", &["q>d6"]),
        ("N→d4 or so\n", &["n>d4"]),
        // A strange sign before a move may be a quote mark.
        ("□p>e5\n", &["p>e5"]),
    ] {
        let session = in_play();
        let output = receive(&session, &["--print"], &ben(body), "m", "confirm").run();
        let mails = mails(&output.stdout);
        assert_eq!(header(&mails[0], "To:"), "Ben <ben@example.org>");
        let (_, choice) = mails[0].rsplit_once("\nquotation:").expect("a choice");
        let shown: Vec<&str> = choice
            .lines()
            .filter_map(|line| line.strip_prefix("    3... "))
            .collect();
        assert_eq!(shown, forms, "{body}");
        let log = log(&session, "m");
        let played = log.iter().filter(|line| line.contains(" move Black"));
        assert_eq!(played.count(), 2, "{body}");
    }
    let arrow = in_play();
    receive(&arrow, &[], &ben("n→d5\n"), "m", "ambiguous").run();
}

#[test]
#[ignore = "takes long"]
fn each_message_without_a_move_is_answered_and_the_later_ones_in_short() {
    for (body, word) in [
        ("Your knight on d4 is strong.\n", "note"),
        ("I shall put my trust in fate.\n", "note"),
        ("Place your bets!\n", "note"),
        ("I drop by tomorrow at 4.\n", "note"),
        ("rules?\n", "note"),
    ] {
        let session = in_play();
        let output = receive(&session, &["--print"], &ben(body), "m", word).run();
        let sent = mails(&output.stdout);
        assert_eq!(sent.len(), 2, "{}", output.stdout);
        assert!(sent[0].contains("Ben writes:"), "{}", sent[0]);
        assert!(
            sent[1].contains("No move was read in your message"),
            "{}",
            sent[1]
        );
        let body_of = |mail: &str| mail.split_once("\n\n").unwrap().1.len();
        let first = body_of(&sent[1]);
        for count in 2..=5 {
            let again = ben(&format!("{body}\nAre you there? {count}\n"));
            let output = receive(&session, &["--print"], &again, "m", word).run();
            let sent = mails(&output.stdout);
            assert_eq!(sent.len(), 2, "{}", output.stdout);
            assert!(
                sent[1].contains("Again no move was read in your message"),
                "{}",
                sent[1]
            );
            assert!(body_of(&sent[1]) + 100 < first, "{}", sent[1]);
        }
    }
}

/// The fifth letter that is not understood in a position has its answer, too; each explanation is
/// long once, and the last answer of a day says that it is the last.
#[test]
fn each_misunderstood_letter_is_answered_until_the_last_answer_that_says_so() {
    let config = super::config("ref", "referee") + "[policy]\nanswers = 9\n";
    let session = session("ref", "referee").file("config.toml", config);
    begin(&session, "m", "K>e1 k>e8 P>e4 n>b6 P>d2");
    let letters = [
        ("n>z9\n", "refused", "the position is as it was", ""),
        ("nxe3\n", "refused", "", "the position is as it was"),
        ("N d5\n", "confirm", "may be talk", "\"yes\""),
        (
            "I would play p>e5 now.\n",
            "confirm",
            "\"yes\"",
            "may be talk",
        ),
        ("n→d5\n", "ambiguous", "nothing is guessed", ""),
        ("n→d7\n", "ambiguous", "", "nothing is guessed"),
        ("p>e4\n", "refused", "", "the position is as it was"),
        (
            "Hello?\n",
            "note",
            "A move is written on a line of its own",
            "Again",
        ),
        (
            "Hello, hello?\n",
            "note",
            "the last answer to you for today",
            "is written on",
        ),
    ];
    for (body, word, has, has_not) in letters {
        let output = receive(&session, &["--print"], &ben(body), "m", word).run();
        let sent = mails(&output.stdout);
        let mut sent = sent
            .iter()
            .filter(|mail| header(mail, "To:").contains("ben@"));
        let answer = sent
            .next()
            .unwrap_or_else(|| panic!("{body} has an answer"));
        assert!(sent.next().is_none(), "{body}");
        assert!(answer.contains(has), "{body}{answer}");
        assert!(
            has_not.is_empty() || !answer.contains(has_not),
            "{body}{answer}"
        );
        let is_last = answer.contains("the last answer to you");
        assert_eq!(is_last, body == letters[8].0, "{body}{answer}");
    }
    let before = log(&session, "m");
    let beyond = receive(&session, &["--print"], &ben("n>z8\n"), "m", "refused").run();
    assert!(mails(&beyond.stdout).is_empty(), "{}", beyond.stdout);
    assert_eq!(log(&session, "m"), before);
}

/// The answers count against the bound, and are never answered by another program.
#[test]
fn the_answer_to_talk_is_bounded_and_starts_no_loop() {
    let session = referee();
    let talk = ben("What a nice day.\n");
    let output = receive(&session, &["--print"], &talk, "m", "note").run();
    let sent = mails(&output.stdout);
    assert_eq!(header(&sent[1], "Auto-Submitted:"), "auto-replied");
    // Ben's own program gets the answer, and says nothing.
    let (_, mail) = sent[1].split_once('\n').unwrap();
    let other = super::session("ben", "player");
    begin(&other, "m", "P>e3");
    let output = other
        .parapost(["receive", "--print"])
        .stdin(mail)
        .any_stdout()
        .any_stderr()
        .run();
    assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
    assert!(output.stdout.ends_with("\tignored\n"), "{}", output.stdout);
}

#[test]
fn rules_and_legal_are_commands_by_mail() {
    for (word, piece) in [
        ("rules", "\nUnachess (unachess)\n"),
        ("legal", "\nknight: n-a4, n-"),
    ] {
        let session = in_play();
        let output = receive(
            &session,
            &["--print"],
            &ben(&format!("{word}\n")),
            "m",
            "command",
        )
        .run();
        let sent = mails(&output.stdout);
        assert_eq!(sent.len(), 1, "{}", output.stdout);
        let mail = &sent[0];
        assert!(mail.contains(piece), "{mail}");
        // Whoever pastes the mail has the list checked, and none of these moves.
        session
            .parapost(["check"])
            .stdin(mail)
            .stdout_contains("1.  K>e1    k>e8\n2.  P>e4    n>b6\n3.  P>d2\n")
            .stderr("-: Unachess, 5 half-moves, Black to move\n")
            .run();
        assert!(events(&session, 1).contains(&format!("asked Black {word}")));
        // The log keeps no copy of the answer.
        assert!(log(&session, "m").iter().all(|line| line.len() < 300));
        // Whose turn it is does not matter.
        let anna = letter("anna@example.org", "[m]", &format!("{word}.\n"));
        receive(&session, &[], &anna, "m", "command").run();
    }
    // A move beside the word is played.
    let session = in_play();
    receive(&session, &[], &ben("n>d4\n\nlegal\n"), "m", "accepted").run();
}

/// The help in our mails has each of these, so that each told of the other that it is of a copy
/// of that help; and whoever is not to move got no answer.
#[test]
fn two_orders_on_two_lines_are_no_copy_of_our_help() {
    for body in [
        "accept draw\naccept draw\n",
        "decline draw\naccept draw\n",
        "accept draw\n\nAnna\n\naccept draw\n",
    ] {
        let session = session("ref", "referee");
        begin(&session, "m", "K>e1 k>e8 P>e4 n>b6");
        let moved = letter("anna@example.org", "[m]", "P>d2\n");
        let output = receive(&session, &["--print"], &moved, "m", "accepted").run();
        let sent = mails(&output.stdout);
        let to_anna = |mail: &&String| header(mail, "To:").contains("anna@");
        let receipt = sent.iter().find(to_anna).expect("a receipt");
        let parent = header(receipt, "Message-ID:");
        let order = letter("anna@example.org", "Re: [m]", body);
        let order = order.replacen("\n\n", &format!("\nIn-Reply-To: {parent}\n\n"), 1);
        let output = receive(&session, &["--print"], &order, "m", "refused").run();
        let sent = mails(&output.stdout);
        assert_eq!(sent.len(), 1, "{body}{}", output.stdout);
        assert!(to_anna(&&sent[0]), "{}", sent[0]);
    }
}

/// Went wrong: with a gateway's lines at the top, all of a letter in answer to the writer's own one
/// was taken for a quotation that repeats a move, and nobody was told.
#[test]
fn a_letter_that_looks_quoted_as_a_whole_is_answered() {
    let session = session("ref", "referee");
    begin(&session, "m", "");
    let first = letter("Anna <anna@example.org>", "[m]", "N>e1\n");
    let output = receive(&session, &["--print"], &first, "m", "accepted").run();
    let mails = mails(&output.stdout);
    let receipt = mails
        .iter()
        .find(|mail| header(mail, "To:").contains("anna"));
    let (_, text) = receipt.expect("a receipt").split_once("\n\n").unwrap();
    let own = header(&first, "Message-ID:");
    for order in ["resign", "2.R>f8", "2. R>f8"] {
        let body = format!(
            "Warning: from outside\nSender: anna@example.org\n--------------------\n\n{order}\n\nOn 20 Nov 2026 03:00, Ref <ref@example.org> sent:\n\n{text}"
        );
        let second = letter("Anna <anna@example.org>", "Re: Friday", &body);
        let second = second.replacen("\n\n", &format!("\nIn-Reply-To: {own}\n\n"), 1);
        let output = receive(&session, &["--print"], &second, "m", "refused").run();
        assert!(output.stdout.contains("\nTo: Anna"), "{}", output.stdout);
    }
}

/// It is not Ben's turn. Nobody was told of such a letter.
#[test]
fn a_letter_out_of_turn_that_is_encrypted_is_answered() {
    let session = in_play();
    receive(&session, &[], &ben("p>e5\n"), "m", "accepted").run();
    let body = "-----BEGIN PGP MESSAGE-----\n\nhQEMA0123\n=abcd\n-----END PGP MESSAGE-----\n";
    let letter = ben(body).replacen("Message-ID: <", "Message-ID: <second.", 1);
    receive(&session, &[], &letter, "m", "refused").run();
    let log = log(&session, "m").join("\n");
    assert!(log.contains("its text is encrypted"), "{log}");
}
