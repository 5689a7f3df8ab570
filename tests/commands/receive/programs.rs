//! Two players' programs that read each other's mail.

use super::{anna, begin, header, letter, prints, receive, session};
use crate::support::Sandbox;

#[test]
#[ignore = "takes long"]
fn one_player_s_program_reads_the_other_s_mail() {
    let anna = session("anna", "player");
    let ben = session("ben", "player");
    for session in [&anna, &ben] {
        begin(session, "m", "");
    }
    let pass = |from: &Sandbox, to: &Sandbox, words: &[&str], word: &str| {
        let mail = prints(from, words);
        let output = receive(to, &["--print"], &mail, "m", word).run();
        assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
        receive(to, &["--print"], &mail, "m", "duplicate").run();
    };
    pass(&anna, &ben, &["move", "m", "P>e3", "--print"], "accepted");
    pass(&ben, &anna, &["move", "m", "n>g5", "--print"], "accepted");
    pass(
        &anna,
        &ben,
        &["move", "m", "B>f4 (=)", "--print"],
        "accepted",
    );
    pass(&ben, &anna, &["draw", "decline", "m", "--print"], "command");
    pass(&ben, &anna, &["move", "m", "n-e6", "--print"], "accepted");
    pass(&anna, &ben, &["move", "m", "K>e1", "--print"], "accepted");
    pass(&ben, &anna, &["draw", "offer", "m", "--print"], "command");
    // Sent once more it is the position that is known already.
    let mail = prints(&anna, &["send", "--resend", "m", "--print"]);
    receive(&ben, &[], &mail, "m", "duplicate").run();
    pass(
        &ben,
        &anna,
        &["takeback", "propose", "m", "--print"],
        "command",
    );
    pass(
        &anna,
        &ben,
        &["takeback", "decline", "m", "--print"],
        "command",
    );
    pass(
        &anna,
        &ben,
        &["takeback", "propose", "m", "--print"],
        "command",
    );
    pass(
        &ben,
        &anna,
        &["takeback", "accept", "m", "--print"],
        "command",
    );
    pass(&anna, &ben, &["move", "m", "K>e2", "--print"], "accepted");
    pass(&ben, &anna, &["draw", "offer", "m", "--print"], "command");
    pass(&anna, &ben, &["draw", "accept", "m", "--print"], "command");

    let told = |session: &Sandbox| {
        let file = session.read("games/m.txt");
        let (head, _) = file.split_once("\nLog\n").unwrap();
        let (_, board) = head.split_once("Result:").unwrap();
        let lines = board.lines().filter(|line| !line.starts_with("Chain: "));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(told(&anna), told(&ben));
    assert!(
        told(&anna).starts_with(" 1/2-1/2 (agreement)"),
        "{}",
        told(&anna)
    );
}

#[test]
fn resigning_is_understood_by_the_other_program() {
    let (anna, ben) = (anna(), session("ben", "player"));
    begin(&ben, "m", "P>e3");
    let mail = prints(&ben, &["resign", "m", "--print"]);
    receive(&anna, &[], &mail, "m", "command").run();
    assert!(
        anna.read("games/m.txt")
            .contains("\nResult: 1-0 (resignation)\n")
    );
}

#[test]
#[ignore = "takes long"]
fn an_answer_that_quotes_our_mail_is_understood() {
    let anna = session("anna", "player");
    begin(&anna, "m", "");
    let mail = prints(&anna, &["move", "m", "P>e3", "--print"]);
    let (head, body) = mail.split_once("\n\n").unwrap();
    let parent = header(&mail, "Message-ID:");
    assert!(head.contains("Subject: [m] Unachess: Anna - Ben"));
    for mark in ["> ", ">", "| ", "\t", ": ", "BB> "] {
        let quote = |text: &str| -> String {
            text.lines()
                .map(|line| format!("{mark}{line}").trim_end().to_owned() + "\n")
                .collect()
        };
        let filled = body.replace("1.  P>e3\n", "1.  P>e3    n>g5\n");
        for (i, body) in [
            format!("n>g5\n\nOn Friday, Anna wrote:\n{}", quote(body)),
            format!("Anna wrote:\n\n{}\n1... n>g5\n", quote(body)),
            format!("Anna wrote:\n\n{}", quote(&filled)),
        ]
        .iter()
        .enumerate()
        {
            let letter = format!(
                "From: ben@example.org\nIn-Reply-To: {parent}\nSubject: AW: hello\nMessage-ID: <{i}@ben.test>\n\n{body}"
            );
            receive(&anna, &["--dry-run"], &letter, "m", "accepted")
                .stderr("")
                .run();
        }
        let idle = format!(
            "From: ben@example.org\nIn-Reply-To: {parent}\nMessage-ID: <idle@ben.test>\n\nI'll think.\n\n{}",
            quote(body)
        );
        receive(&anna, &["--dry-run"], &idle, "m", "note")
            .stderr("")
            .run();
    }
}

#[test]
#[ignore = "takes long"]
fn a_mail_quoted_without_marks_is_not_taken_for_the_sender_s_words() {
    let anna = session("anna", "player");
    begin(&anna, "m", "");
    let mail = prints(&anna, &["move", "m", "P>e3", "--print"]);
    let (_, body) = mail.split_once("\n\n").unwrap();
    let filled = body.replace("1.  P>e3\n", "1.  P>e3    n>g5\n");
    // What we answer to a move in prose has the move on a line of its own.
    let prose = letter("ben@example.org", "[m]", "I like n>g5\n");
    let question = receive(&anna, &["--print"], &prose, "m", "confirm")
        .run()
        .stdout;
    let (_, asked) = question.split_once("\n\n").unwrap();
    assert!(asked.contains("\n    1... n>g5\n"), "{asked}");
    for head in [
        "-----Original Message-----\nFrom: Anna",
        "________________________________\nFrom: Anna <anna@example.org>\nSent: Friday\nSubject: [m]",
        "On Friday, Anna <anna@example.org> wrote:",
        "Am 20.11.26 um 03:00 schrieb Anna:",
    ] {
        for (parent, body, word) in [
            (&mail, format!("n>g5\n\n{head}\n\n{body}"), "accepted"),
            (&mail, format!("{head}\n\n{filled}"), "accepted"),
            (&mail, format!("{head}\n\n{body}\nn>g5\n"), "accepted"),
            (&mail, format!("Thanks!\n\n{head}\n\n{body}"), "note"),
            (&question, format!("Thanks!\n\n{head}\n\n{asked}"), "note"),
            (&question, format!("{head}\n\n{asked}"), "refused"),
        ] {
            let letter = super::answer(parent, &body);
            receive(&anna, &["--dry-run"], &letter, "m", word).run();
        }
    }
}

/// The same texts as in the test of `check`, which did not judge the move.
#[test]
fn a_move_above_the_original_message_is_played() {
    for head in [
        "-----Original Message-----",
        "-----Original Message-----\nFrom: Anna <anna@example.org>\nSent: Friday\nTo: Ben\nSubject: [m]",
        "From: Anna <anna@example.org>\nSent: Friday\nTo: Ben\nSubject: [m]",
        "On Friday, Anna wrote:",
    ] {
        let body = format!("n>d5\n\n{head}\n\nWhite       Black\n\n1.  P>e3\n");
        let anna = super::anna();
        receive(&anna, &[], &super::ben(&body), "m", "accepted").run();
        assert!(
            anna.read("games/m.txt").contains(" move Black n>d5"),
            "{head}"
        );
    }
}
