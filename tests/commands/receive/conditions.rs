//! The program tells nobody what a player will do if the other one does something.

use super::{anna, ben, header, letter, log, mails, receive, referee};

/// The mails that a letter of Ben's to the referee causes: Anna's, and the answer to Ben.
fn heard(body: &str, word: &str) -> (String, String) {
    let session = referee();
    let output = receive(&session, &["--print"], &ben(body), "m", word)
        .any_stderr()
        .run();
    let [mut to_anna, mut to_ben] = [String::new(), String::new()];
    for mail in mails(&output.stdout) {
        if header(&mail, "To:").contains("anna") {
            to_anna += &mail;
        } else {
            // Mails wrap lines.
            to_ben += &mail
                .replace("=\n", "")
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
        }
    }
    let log = log(&session, "m");
    let words = log.iter().filter(|line| line.contains(" note "));
    let words: Vec<&str> = words.map(String::as_str).collect();
    let carried = to_anna.clone() + &words.join("\n");
    for piece in ["B>f4", "b>f4", "Bf4", "n-e6", "Ne6", "f4 falls"] {
        assert!(!carried.contains(piece), "{carried}");
    }
    (to_anna, to_ben)
}

#[test]
fn nothing_of_a_condition_is_carried_to_anybody() {
    for condition in [
        "if B>f4 then 2... n-e6",
        "If B>f4\nthen n-e6 and all is well",
        "Wenn B>f4 kommt, dann n-e6.",
        "If White should play what all the books in my shelf recommend,\nB>f4, I go on with the knight to e6 and\nhope that f4 falls.",
        "(If Bf4, Ne6.)",
        "And if B>f4\n- n-e6\n- or b>f4",
        "If you play\nB>f4\nI answer n-e6",
        "If QxN, then B>f4 is met by n-e6",
        "I go n-e6 if you B>f4 there",
        "My plan is 2... n-e6 at any rate.",
        "On B>f4: n-e6.",
        "If White should play what all the books in my shelf recommend,\nnote: B>f4 loses to n-e6",
    ] {
        for body in [
            format!("n>g5\n{condition}\n\nGood luck!\n"),
            format!("Good luck!\n\nn>g5\n\n{condition}\n"),
            format!("n>g5\n\n{condition}\nnote Good luck!\n"),
        ] {
            let (to_anna, to_ben) = heard(&body, "accepted");
            assert!(
                to_anna.contains("\n1.  P>e3    n>g5\n"),
                "{body}: {to_anna}"
            );
            assert!(to_anna.contains("\n> Good luck!\n"), "{body}: {to_anna}");
            assert!(to_ben.contains("were not passed on"), "{body}: {to_ben}");
        }
    }
}

#[test]
fn a_note_carries_a_condition() {
    let session = referee();
    let letter = ben("n>g5\n\nnote if B>f4 then 2... n-e6\n");
    let output = receive(&session, &["--print"], &letter, "m", "accepted").run();
    let mails = mails(&output.stdout);
    assert!(
        mails[0].contains("\n> if B>f4 then 2... n-e6\n"),
        "{}",
        mails[0]
    );
    assert!(!mails[1].contains("passed on"), "{}", mails[1]);
}

#[test]
fn orders_in_a_condition_are_asked_about() {
    let (to_anna, to_ben) = heard("If B>f4\nresign\n", "confirm");
    assert_eq!(to_anna, "");
    assert!(to_ben.contains("were not passed on"), "{to_ben}");
    let (to_anna, to_ben) = heard("If B>f4\nn>g5\n", "confirm");
    assert_eq!(to_anna, "");
    assert!(to_ben.contains(" 1... n>g5 "), "{to_ben}");
    // Above the condition and after its end the words are Ben's.
    let (_, to_ben) = heard("offer draw\nif B>f4\n", "command");
    assert!(to_ben.contains("were not passed on"), "{to_ben}");
    let (_, to_ben) = heard("if B>f4 I think\n\noffer draw\n", "command");
    assert!(to_ben.contains("were not passed on"), "{to_ben}");
}

/// Letters when it is not the writer's turn, or that say nothing else.
#[test]
fn who_writes_a_condition_alone_is_told() {
    let session = referee();
    let words = "If n>g5 then 2. B>f4\n";
    receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
    let output = receive(&session, &["--print"], &ben(words), "m", "refused")
        .any_stderr()
        .run();
    let [to_ben] = mails(&output.stdout).try_into().expect("one mail");
    assert!(header(&to_ben, "To:").contains("ben"), "{to_ben}");
    let text = to_ben.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("Your lines from \"If n>g5 then 2. B>f4\" to the next empty line"),
        "{to_ben}"
    );
    let log = log(&session, "m");
    let is_told = |line: &String| line.contains(" owed Black answer ");
    let others: Vec<&String> = log.iter().filter(|line| !is_told(line)).collect();
    assert!(
        others.iter().all(|line| !line.contains("B>f4")),
        "{others:?}"
    );
}

/// Anna's own program keeps no words of the condition either, and tells Ben.
#[test]
fn a_player_s_program_keeps_no_condition() {
    let session = anna();
    let letter = letter(
        "Ben <ben@example.org>",
        "Re: hello",
        "n>g5\nif B>f4 then n-e6\n",
    );
    let output = receive(&session, &["--print"], &letter, "m", "accepted").run();
    let log = log(&session, "m").join("\n");
    assert!(!log.contains(" note Black"), "{log}");
    let mails = mails(&output.stdout);
    assert!(mails[0].contains("were not passed"), "{}", mails[0]);
}
