//! Commands and talk.

use super::{anna, ben, events, header, letter, log, mails, receive, referee};

#[test]
fn commands_are_done_and_told() {
    for (body, event, told) in [
        (
            "resign\n",
            "resign Black",
            "[m] Unachess: 1-0 (resignation)",
        ),
        (
            "I resign.\n",
            "resign Black",
            "[m] Unachess: 1-0 (resignation)",
        ),
        ("offer draw\n", "offer Black", "[m] Unachess: draw offered"),
    ] {
        let desk = referee();
        let output = receive(&desk, &["--print"], &ben(body), "m", "command").run();
        let mails = mails(&output.stdout);
        assert_eq!(mails.len(), 2, "{}", output.stdout);
        assert_eq!(header(&mails[0], "Subject:"), told);
        assert!(events(&desk, 2)[0].starts_with(event));

        let desk = anna();
        let output = receive(&desk, &["--print"], &ben(body), "m", "command").run();
        assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
        assert!(events(&desk, 2)[0].starts_with(event));
    }
}

#[test]
fn a_draw_is_offered_with_a_move_and_answered() {
    for (answer, event) in [
        ("accept draw\n", "accept White"),
        ("decline draw\n", "decline White"),
    ] {
        let desk = referee();
        let output = receive(
            &desk,
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
        receive(&desk, &["--print"], &letter, "m", "command").run();
        let events = events(&desk, 2);
        assert!(
            events.iter().any(|line| line.starts_with(event)),
            "{events:?}"
        );
    }
    // It lapses at the opponent's next move.
    let desk = referee();
    receive(&desk, &[], &ben("n>g5 (=)\n"), "m", "accepted").run();
    receive(
        &desk,
        &[],
        &letter("anna@example.org", "[m]", "B>f4\n"),
        "m",
        "accepted",
    )
    .run();
    receive(
        &desk,
        &[],
        &letter("anna@example.org", "[m]", "accept draw\n"),
        "m",
        "refused",
    )
    .run();
}

#[test]
fn show_and_help_are_answered_by_either_role() {
    for desk in [referee(), anna()] {
        let output = receive(&desk, &["--print"], &ben("help\n"), "m", "command").run();
        assert!(
            output.stdout.contains("\n  \"offer draw\","),
            "{}",
            output.stdout
        );
        let output = receive(&desk, &["--print"], &ben("show\n"), "m", "command").run();
        assert!(output.stdout.contains("\n1.  P>e3\n"), "{}", output.stdout);
        let output = receive(&desk, &["--print"], &ben("show 0\n"), "m", "command").run();
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
    let desk = referee();
    let output = receive(&desk, &["--print"], &ben(body), "m", "note").run();
    let mails = mails(&output.stdout);
    let [mail] = mails.as_slice() else {
        panic!("{}", output.stdout);
    };
    assert_eq!(header(mail, "To:"), "Anna <anna@example.org>");
    assert!(
        mail.contains("Ben writes:\n\n> Nice weather here.\n> From me to you: {{ 7 * 7 }}\n\n"),
        "{mail}"
    );
    let desk = anna();
    let output = receive(&desk, &["--print"], &ben(body), "m", "note").run();
    assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
    assert!(log(&desk, "m")[2].contains("note Black \"Nice weather here.\\nFrom me"));
}

#[test]
fn when_the_match_is_over_only_talk_goes_on() {
    let desk = referee();
    receive(&desk, &[], &ben("resign\n"), "m", "command").run();
    let output = receive(&desk, &["--print"], &ben("n>g5\n"), "m", "over").run();
    let mails = mails(&output.stdout);
    assert!(
        mails.last().unwrap().contains("the match is over"),
        "{}",
        output.stdout
    );
    receive(&desk, &[], &ben("offer draw\n"), "m", "over").run();
    receive(&desk, &[], &ben("Thanks for the game\n"), "m", "note").run();
    receive(&desk, &[], &ben("show\n"), "m", "command").run();
}

#[test]
fn html_alone_is_read_and_too_much_of_it_is_refused_clearly() {
    let html = |body: &str| {
        ben(body).replace(
            "\n\n",
            "\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n",
        )
    };
    let desk = referee();
    let tangled = html(&format!("{}n&gt;g5\n", "<div>".repeat(3000)));
    let output = receive(&desk, &["--print"], &tangled, "m", "refused").run();
    assert!(output.stdout.contains("as HTML only"), "{}", output.stdout);
    let plain = html("<p>n&gt;g5</p><blockquote>1. P&gt;e3</blockquote>\n");
    receive(&desk, &["--print"], &plain, "m", "accepted").run();
}
