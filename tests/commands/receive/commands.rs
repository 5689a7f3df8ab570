//! Commands and talk.

use super::{anna, ben, events, header, letter, log, mails, receive, referee};
use crate::support::Sandbox;

#[test]
fn commands_are_done_and_told() {
    for (body, event, told) in [
        ("resign\n", "resign Black", "Ben (Black) resigns."),
        ("I resign.\n", "resign Black", "Ben (Black) resigns."),
        ("offer draw\n", "offer Black", "Ben (Black) offers a draw."),
    ] {
        let session = referee();
        let output = receive(&session, &["--print"], &ben(body), "m", "command").run();
        let mails = mails(&output.stdout);
        assert_eq!(mails.len(), 2, "{}", output.stdout);
        assert_eq!(header(&mails[0], "Subject:"), "[m] Unachess: Anna - Ben");
        assert!(mails[0].contains(told), "{}", mails[0]);
        assert!(events(&session, 2)[0].starts_with(event));

        let session = anna();
        let output = receive(&session, &["--print"], &ben(body), "m", "command").run();
        let mails = super::mails(&output.stdout);
        let [receipt] = mails.as_slice() else {
            panic!("{}", output.stdout);
        };
        assert_eq!(header(receipt, "To:"), "Ben <ben@example.org>");
        assert!(
            receipt.contains("\nReceived, thank you. Ben (Black) "),
            "{receipt}"
        );
        assert!(events(&session, 2)[0].starts_with(event));
    }
}

#[test]
fn the_last_move_is_taken_back_when_both_agree() {
    let session = referee();
    receive(&session, &[], &ben("n>g5\n"), "m", "accepted").run();
    let played = session.read("games/m.txt");
    assert!(played.contains("1.  P>e3    n>g5\n"));
    for (body, why) in [
        ("accept takeback\n", "no proposal by White"),
        ("n>f6\npropose takeback\n", "not"),
    ] {
        receive(
            &session,
            &["--print"],
            &ben(body),
            "m",
            if body.starts_with('n') {
                "not-your-turn"
            } else {
                "refused"
            },
        )
        .stdout_contains(why)
        .run();
    }
    let asked = receive(
        &session,
        &["--print"],
        &ben("Sorry!\n\nI propose a takeback.\n"),
        "m",
        "command",
    )
    .run();
    let asked = mails(&asked.stdout);
    assert_eq!(header(&asked[0], "Subject:"), "[m] Unachess: Anna - Ben");
    for piece in [
        "\nBen (Black) proposes to take the last move back, n>g5.\n",
        "\n> Sorry!\n",
        "\"accept takeback\" takes",
    ] {
        assert!(asked[0].contains(piece), "{piece}\n{}", asked[0]);
    }
    let anna = |body: &str| letter("anna@example.org", "[m]", body);
    // An answer to another position agrees to nothing.
    let stale = anna("accept takeback\n\n> Game m, 1 half-moves made.\n");
    receive(&session, &[], &stale, "m", "refused").run();
    receive(
        &session,
        &["--print"],
        &anna("I accept the takeback.\n"),
        "m",
        "command",
    )
    .run();
    let after = session.read("games/m.txt");
    assert!(
        after.contains("1.  P>e3\n") && !after.contains("n>g5\n\nLog"),
        "{after}"
    );
    let log = log(&session, "m");
    assert!(
        log.iter()
            .any(|line| line.contains("takeback Black propose move=n>g5")),
        "{log:?}"
    );
    assert!(
        log.iter()
            .any(|line| line.contains("takeback White accept move=n>g5")),
        "{log:?}"
    );
    // The same move again is a new one, and ends what was proposed.
    receive(
        &session,
        &[],
        &ben("propose takeback\n\nP>e3, that is\n"),
        "m",
        "command",
    )
    .run();
    receive(&session, &[], &ben("1... n>g5\n"), "m", "accepted").run();
    receive(&session, &[], &anna("accept takeback.\n"), "m", "refused").run();
}

#[test]
fn a_takeback_is_declined_by_a_word_or_by_a_move() {
    for decline in ["decline takeback\n", "1... n>f6\n"] {
        let session = referee();
        let propose = letter("anna@example.org", "[m]", "propose takeback\n");
        receive(&session, &[], &propose, "m", "command").run();
        receive(
            &session,
            &[],
            &propose.replace("Message-ID: <", "Message-ID: <x"),
            "m",
            "refused",
        )
        .run();
        let word = if decline.starts_with('d') {
            "command"
        } else {
            "accepted"
        };
        receive(&session, &[], &ben(decline), "m", word).run();
        receive(&session, &[], &ben("accept takeback\n"), "m", "refused").run();
    }
}

#[test]
fn a_note_is_passed_on_whatever_is_in_it() {
    let session = referee();
    let body = "note n>g5 would be silly\nnote: resign\n";
    let output = receive(&session, &["--print"], &ben(body), "m", "command").run();
    let mails = mails(&output.stdout);
    assert_eq!(mails.len(), 2, "{}", output.stdout);
    assert!(
        mails[0].contains("\n> n>g5 would be silly\n> resign\n"),
        "{}",
        mails[0]
    );
    assert!(mails[1].contains("Your note is kept"), "{}", mails[1]);
    assert_eq!(header(&mails[1], "To:"), "Ben <ben@example.org>");
    // It does not come in the way of a move.
    receive(
        &session,
        &[],
        &ben("n>g5\nnote n>f6 was bad\n"),
        "m",
        "accepted",
    )
    .run();
}

#[test]
fn nobody_is_answered_without_end() {
    let session = referee();
    let config = session.read("config.toml") + "\n[policy]\nanswers = 2\n";
    let session = session.file("config.toml", config);
    let ask = |session: &Sandbox, number: usize, answers: usize| {
        let body = format!("help\n\n> {number}\n");
        let output = receive(session, &["--print"], &ben(&body), "m", "command").run();
        assert_eq!(
            mails(&output.stdout).len(),
            answers,
            "{number}: {}",
            output.stdout
        );
        assert_eq!(
            output.stderr.contains("enough answers"),
            answers == 0,
            "{}",
            output.stderr
        );
    };
    ask(&session, 1, 1);
    ask(&session, 2, 1);
    ask(&session, 3, 0);
    // What changes the match goes on, and tomorrow is another day.
    let output = receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
    assert_eq!(mails(&output.stdout).len(), 2, "{}", output.stdout);
    let session = session.env("PARAPOST_NOW", "2026-11-21T05:00:01Z");
    ask(&session, 4, 1);
}

#[test]
fn a_draw_is_offered_with_a_move_and_answered() {
    for (answer, event) in [
        ("accept draw\n", "accept White"),
        ("decline draw\n", "decline White"),
    ] {
        let session = referee();
        let output = receive(
            &session,
            &["--print"],
            &ben("n>g5\n\noffer draw\n"),
            "m",
            "accepted",
        )
        .run();
        assert!(
            output
                .stdout
                .contains("has played 1... n>g5 and offers a draw."),
            "{}",
            output.stdout
        );
        let letter = letter("anna@example.org", "[m]", answer);
        receive(&session, &["--print"], &letter, "m", "command").run();
        let events = events(&session, 2);
        assert!(
            events.iter().any(|line| line.starts_with(event)),
            "{events:?}"
        );
    }
    // It lapses at the opponent's next move.
    let session = referee();
    receive(&session, &[], &ben("n>g5 (=)\n"), "m", "accepted").run();
    receive(
        &session,
        &[],
        &letter("anna@example.org", "[m]", "B>f4\n"),
        "m",
        "accepted",
    )
    .run();
    receive(
        &session,
        &[],
        &letter("anna@example.org", "[m]", "accept draw\n"),
        "m",
        "refused",
    )
    .run();
}

#[test]
fn show_and_help_are_answered_by_either_role() {
    for session in [referee(), anna()] {
        let output = receive(&session, &["--print"], &ben("help\n"), "m", "command").run();
        assert!(
            output.stdout.contains("\n  \"offer draw\","),
            "{}",
            output.stdout
        );
        let output = receive(&session, &["--print"], &ben("show\n"), "m", "command").run();
        assert!(output.stdout.contains("\n1.  P>e3\n"), "{}", output.stdout);
        let output = receive(&session, &["--print"], &ben("show 0\n"), "m", "command").run();
        assert!(
            output
                .stdout
                .contains("Below is the position after 0 half-moves."),
            "{}",
            output.stdout
        );
        assert!(!output.stdout.contains("\n1.  P>e3\n"), "{}", output.stdout);
    }
}

#[test]
fn talk_is_carried_to_the_other_player() {
    let body = "Nice weather here.\nFrom me to you: {{ 7 * 7 }}\n\n> 1.  P>e3\n-- \nBen\n";
    let session = referee();
    let output = receive(&session, &["--print"], &ben(body), "m", "note").run();
    let mails = mails(&output.stdout);
    let [mail, told] = mails.as_slice() else {
        panic!("{}", output.stdout);
    };
    assert_eq!(header(mail, "To:"), "Anna <anna@example.org>");
    assert_eq!(header(told, "To:"), "Ben <ben@example.org>");
    assert!(
        told.contains("No move was read in your message, and it is your turn"),
        "{told}"
    );
    assert!(
        mail.contains("Ben writes:\n\n> Nice weather here.\n> From me to you: {{ 7 * 7 }}\n\n"),
        "{mail}"
    );
    let session = anna();
    let output = receive(&session, &["--print"], &ben(body), "m", "note").run();
    let sent = super::mails(&output.stdout);
    assert_eq!(sent.len(), 1, "{}", output.stdout);
    assert!(
        sent[0].contains("No move was read in your message"),
        "{}",
        sent[0]
    );
    // Under further letters at this half-move, the writer is told in short.
    let output = receive(
        &session,
        &["--print"],
        &ben("And how are you?\n"),
        "m",
        "note",
    )
    .run();
    let sent = super::mails(&output.stdout);
    assert_eq!(sent.len(), 1, "{}", output.stdout);
    assert!(sent[0].contains("Again no move was read"), "{}", sent[0]);
    assert!(log(&session, "m")[2].contains("note Black \"Nice weather here.\\nFrom me"));
}

#[test]
fn when_the_match_is_over_only_talk_goes_on() {
    let session = referee();
    receive(&session, &[], &ben("resign\n"), "m", "command").run();
    let output = receive(&session, &["--print"], &ben("n>g5\n"), "m", "over").run();
    let mails = mails(&output.stdout);
    assert!(
        mails.last().unwrap().contains("the match is over"),
        "{}",
        output.stdout
    );
    receive(&session, &[], &ben("offer draw\n"), "m", "over").run();
    receive(&session, &[], &ben("Thanks for the game\n"), "m", "note").run();
    receive(&session, &[], &ben("show\n"), "m", "command").run();
}

#[test]
fn html_alone_is_read_and_too_much_of_it_is_refused_clearly() {
    let html = |body: &str| {
        ben(body).replace(
            "\n\n",
            "\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n",
        )
    };
    let session = referee();
    let tangled = html(&format!("{}n&gt;g5\n", "<div>".repeat(3000)));
    let output = receive(&session, &["--print"], &tangled, "m", "refused").run();
    let why = "has not been read: its HTML has elements more than 200 deep\nin each other.";
    assert!(output.stdout.contains(why), "{}", output.stdout);
    let plain = html("<p>n&gt;g5</p><blockquote>1. P&gt;e3</blockquote>\n");
    receive(&session, &["--print"], &plain, "m", "accepted").run();
}
