//! Nothing is played or done that its player did not write.

use super::{ben, header, letter, log, mails, receive, referee};

fn anna(body: &str) -> String {
    letter("Anna <anna@example.org>", "Re: hello", body)
}

fn body(mail: &str) -> &str {
    mail.split_once("\n\n").unwrap().1
}

/// Ways of quoting a mail without quote marks, and with marks that hide them.
fn quoted(mail: &str, way: usize) -> String {
    let plain: String = mail
        .lines()
        .map(|line| line.strip_prefix("> ").unwrap_or(line).to_owned() + "\n")
        .collect();
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    match way {
        0 => mail.to_owned(),
        1 => plain,
        2 => format!("-----Original Message-----\n\n{plain}"),
        3 => format!("On Friday, the referee <ref@example.org> wrote:\n\n{plain}"),
        4 => format!("Ar 20 Tach 2026, ysgrifennodd ref@example.org:\n\n{plain}"),
        5 => format!("Frobnicator: ref@example.org\nXyzzied: 20.11.2026\n\n{plain}"),
        6 => format!("-----\n{plain}"),
        7 => each(mail, |line| format!("> {line}\n")),
        8 => each(&plain, |line| format!("\t{line}\n")),
        9 => each(&plain, |line| format!("% {line}\n")),
        10 => plain.replace('\n', "\n\n"),
        11 => joined(&plain) + "\n",
        12 => each(&plain, |line| format!("  {line}  \n")),
        _ => plain.replace(' ', "\u{a0}"),
    }
}

/// Went wrong: an opponent's note was played as the player's next move, whatever the
/// player answered, because the program had quoted it.
#[test]
fn an_opponents_words_are_never_played_for_a_player() {
    for words in [
        "note 1. P>e3 n>g5 2. K>a1",
        "note (=)",
        "note K>a1",
        "note 1. P>e3 n>g5 2. K>a1 (=)",
        "note resign",
        "note offer draw",
    ] {
        for way in 0..14 {
            for talk in ["", "Thanks, I will think about it.\n\n"] {
                let session = referee();
                receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
                let letter = ben(&format!("{words}\n"));
                let run = ["receive", "--print"];
                let output = session
                    .parapost(run)
                    .stdin(letter)
                    .any_stdout()
                    .any_stderr()
                    .either();
                let to_anna = mails(&output.stdout)
                    .into_iter()
                    .find(|mail| header(mail, "To:").contains("anna"))
                    .expect("the words are carried");
                let answer = format!("{talk}{}", quoted(body(&to_anna), way));
                let cites = header(&to_anna, "Message-ID:");
                let letter =
                    anna(&answer).replacen("\n\n", &format!("\nIn-Reply-To: {cites}\n\n"), 1);
                session
                    .parapost(run)
                    .stdin(letter)
                    .any_stdout()
                    .any_stderr()
                    .either();
                let events = log(&session, "m");
                let events = events.iter().filter_map(|line| line.split(' ').nth(1));
                let played = events
                    .filter(|event| ["move", "offer", "resign"].contains(event))
                    .count();
                assert_eq!(played, 2, "{words:?}, {way}, {talk:?}\n{answer}");
            }
        }
    }
}

/// Went wrong: "Game m2, 3 half-moves made." in a note made each answer that quoted it
/// ambiguous, or another match's.
#[test]
fn carried_words_name_no_match() {
    // With our own foot, and where the player has cut it off.
    for kept in [7, 100] {
        let session = referee();
        super::begin(&session, "m2", "P>e3 n>g5 N>d4");
        receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
        let words = "note Game m2, 3 half-moves made.\nHash of the moves: 0123456789abcdef\n";
        let output = receive(&session, &["--print"], &ben(words), "m", "command").run();
        let mails = mails(&output.stdout);
        let to_anna = mails
            .iter()
            .find(|mail| header(mail, "To:").contains("anna"));
        let lines = body(to_anna.expect("the words are carried"))
            .lines()
            .take(kept);
        let quoted: String = lines.fold(String::new(), |quoted, line| quoted + "> " + line + "\n");
        assert!(quoted.contains("Game m2"), "{quoted}");
        let answer = anna(&format!("N>d4\n\nThe referee wrote:\n{quoted}"));
        receive(&session, &["--print"], &answer, "m", "accepted").run();
    }
}

/// Went wrong: a note with the id line of its own match switched the id line off.
#[test]
fn an_id_line_of_the_match_that_carries_it_counts() {
    let session = referee();
    super::begin(&session, "m2", "P>e3 n>g5");
    receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
    let words = ben("note Game m, 2 half-moves made.\n");
    receive(&session, &["--print"], &words, "m", "command").run();
    let foot = "> Game m, 2 half-moves made.\n";
    let answer = anna(&format!("N>d4\n\n{foot}"));
    receive(&session, &["--print"], &answer, "m", "accepted").run();
}

/// Went wrong: a note of a move or a command with the player's sign-off made the player's
/// own line above that sign-off vanish, and nobody said so.
#[test]
fn a_line_above_a_copied_sign_off_is_asked_about() {
    for (line, word) in [("N>d4", "confirm"), ("resign", "refused")] {
        let session = referee();
        receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
        let words = ben(&format!("note {line} Anna\n"));
        receive(&session, &["--print"], &words, "m", "command").run();
        for text in [
            format!("Hi Ben\n\n{line}\n\nAnna\n"),
            format!("{line}\n-- \nAnna\n"),
        ] {
            let answer = anna(&text);
            let output = receive(&session, &["--print"], &answer, "m", word).run();
            assert!(
                output.stdout.contains(&format!("    {line}\n")),
                "{}",
                output.stdout
            );
        }
        let word = if line == "resign" {
            "command"
        } else {
            "accepted"
        };
        receive(
            &session,
            &["--print"],
            &anna(&format!("{line}\n")),
            "m",
            word,
        )
        .run();
    }
}

/// Changes each line of a text.
fn each(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(change).collect()
}
