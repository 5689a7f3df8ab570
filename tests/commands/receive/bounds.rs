//! The bounds of what letters cause: beyond them nothing is written, and no bound stops a move.

use std::fs::File;
use std::process::{Child, Stdio};

use super::{anna, begin, ben, header, letter, log, mails, receive, referee};
use crate::support::{Sandbox, chained};

/// A session whose policy lets so many letters a day count.
fn bounded(session: Sandbox, answers: usize) -> Sandbox {
    let config = session.read("config.toml") + &format!("\n[policy]\nanswers = {answers}\n");
    session.file("config.toml", config)
}

/// Writes lines into the log of the match `m`, and the chain anew.
fn with_lines(session: &Sandbox, lines: &str) {
    let text = session.read("games/m.txt") + lines;
    session.write("games/m.txt", chained(&text));
}

/// Commands beyond the quota still added lines and rewrote the file.
#[test]
#[ignore = "takes long"]
fn beyond_the_quota_nothing_is_written() {
    for session in [bounded(referee(), 2), bounded(anna(), 2)] {
        receive(&session, &["--print"], &ben("help\n"), "m", "command").run();
        receive(&session, &["--print"], &ben("offer draw\n"), "m", "command").run();
        let before = session.contents();
        for (body, word) in [
            ("show\n", "command"),
            ("n>e3\n", "refused"),
            ("I'd take n>g5 here\n", "confirm"),
            ("n>g5\nresign\n", "refused"),
            ("accept draw\n", "refused"),
            ("propose takeback\n", "refused"),
            ("\n", "refused"),
        ] {
            receive(&session, &["--print"], &ben(body), "m", word)
                .stderr_contains("enough answers")
                .run();
            assert!(session.contents() == before, "{body:?}");
        }
        // Words for the opponent are passed on, and not answered.
        let words = ben("Nice weather here.\n");
        let told = receive(&session, &["--print"], &words, "m", "note").run();
        assert!(!told.stdout.contains("\nTo: Ben"), "{}", told.stdout);
        assert!(log(&session, "m").concat().contains("Nice weather here."));
        // What is not bounded goes on, with its words and mails.
        let played = ben("n>g5\n\nGood luck!\n");
        receive(&session, &[], &played, "m", "accepted").run();
        assert!(log(&session, "m").concat().contains("Good luck!"));
    }
}

/// A letter that names no match and only repeats a move is remembered, or it could be
/// played in another match. That has a bound of its own: the day's letters neither stop
/// it nor are used up by it.
#[test]
fn what_repeats_a_move_is_remembered_beyond_the_quota() {
    let session = bounded(referee(), 1);
    let unnamed = |body: &str| letter("ben@example.org", "my move", body);
    receive(&session, &[], &ben("n>g5\n"), "m", "accepted").run();
    receive(&session, &[], &unnamed("n>g5\n"), "m", "duplicate").run();
    receive(&session, &[], &ben("help\n"), "m", "command").run();
    let count = log(&session, "m").len();
    let again = unnamed("n>g5\n\n\n");
    receive(&session, &[], &again, "m", "duplicate").run();
    assert_eq!(log(&session, "m").len(), count + 1);
    // Another letter beyond the quota leaves nothing, and plays nothing.
    receive(&session, &[], &unnamed("show\n"), "m", "command")
        .stderr_contains("enough answers")
        .run();
    assert_eq!(log(&session, "m").len(), count + 1);
    begin(&session, "n", "P>e3");
    receive(&session, &[], &again, "m", "duplicate").run();
    assert!(!session.read("games/n.txt").contains("n>g5"));
}

/// A forged `offer draw` and `decline draw` in turn sent two mails each, without end.
#[test]
#[ignore = "takes long"]
fn each_side_offers_a_draw_and_proposes_a_takeback_once_a_half_move() {
    let session = referee();
    let anna = |body: &str| letter("anna@example.org", "[m]", body);
    let mut number = 0;
    let mut say = |is_ben: bool, body: &str, word: &str| {
        number += 1;
        let body = format!("{body}\n\n> {number}\n");
        let text = if is_ben { ben(&body) } else { anna(&body) };
        receive(&session, &["--print"], &text, "m", word)
            .run()
            .stdout
    };
    say(true, "offer draw", "command");
    say(false, "decline draw", "command");
    let told = say(true, "offer draw", "refused");
    assert!(
        told.contains("offered already since the last move"),
        "{told}"
    );
    say(false, "offer draw", "command");
    say(true, "decline draw", "command");
    say(false, "offer draw", "refused");
    say(false, "propose takeback", "command");
    say(true, "decline takeback", "command");
    say(false, "propose takeback", "refused");
    // With a move, and after one, it is another half-move.
    say(true, "n>g5 (=)", "accepted");
    say(false, "decline draw", "command");
    say(true, "offer draw", "refused");
    say(false, "offer draw", "command");
    say(true, "accept draw", "command");
}

/// The same holds for one's own commands, or the other side's program would refuse them.
#[test]
fn ones_own_commands_offer_a_draw_once_a_half_move() {
    let session = anna();
    session.parapost(["draw", "offer", "m"]).any_stderr().run();
    receive(&session, &[], &ben("decline draw\n"), "m", "command").run();
    session
        .parapost(["draw", "offer", "m"])
        .stderr_contains("offered already since the last move")
        .status(1)
        .run();
}

/// A clock that once stood at 2099 used the quota up until then.
#[test]
fn a_clock_that_once_stood_wrong_uses_up_no_bound() {
    let session = bounded(referee(), 2);
    let later = session.clone().env("PARAPOST_NOW", "2099-01-01T00:00:00Z");
    receive(&later, &[], &ben("help\n"), "m", "command").run();
    receive(&later, &[], &ben("show\n"), "m", "command").run();
    let output = receive(&session, &["--print"], &ben("show 0\n"), "m", "command").run();
    assert!(mails(&output.stdout).len() == 3, "{}", output.stdout);
    receive(&session, &["--print"], &ben("show 1\n"), "m", "command").run();
    receive(
        &session,
        &["--print"],
        &ben("help me\n\nhelp\n"),
        "m",
        "command",
    )
    .stderr_contains("enough answers")
    .run();
}

/// The quota was read before the lock: 16 processes, `answers = 1`, 9 answers.
#[test]
fn letters_at_the_same_time_are_counted_one_by_one() {
    let session = bounded(referee(), 1).env("PARAPOST_WAIT", "100");
    begin(&session, "n", "P>e3");
    for number in 0..16 {
        let subject = ["[m]", "[n]"][number % 2];
        let body = format!("help\n\n> {number}\n");
        let text = letter("Ben <ben@example.org>", subject, &body);
        session.write(format!("{number}.eml"), text);
    }
    let start = |number: usize| -> Child {
        let test = session.parapost(["receive"]);
        let stdin = File::open(session.path(format!("{number}.eml"))).unwrap();
        let child = test
            .command()
            .stdin(stdin)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        drop(test.any_stdout());
        child.unwrap()
    };
    let children: Vec<Child> = (0..16).map(start).collect();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    let logs = [log(&session, "m"), log(&session, "n")].concat();
    let answers = logs.iter().filter(|line| line.contains(" owed ")).count();
    assert_eq!(answers, 1, "{logs:#?}");
}

/// An opponent could fill the file of a match with words until no move could be written.
#[test]
#[ignore = "takes long"]
fn the_words_of_a_match_are_bounded_and_leave_room_for_moves() {
    let session = referee();
    let words = "x".repeat((1 << 20) - 10);
    with_lines(
        &session,
        &format!("2026-11-19T03:00:00Z note Black {words} msg=<x@ben.test>\n"),
    );
    let count = log(&session, "m").len();
    receive(&session, &[], &ben("Short.\n"), "m", "note").run();
    for body in ["note This is too much.\n", "This is too much, too.\n"] {
        let output = receive(&session, &["--print"], &ben(body), "m", "refused").run();
        let mails = mails(&output.stdout);
        let answer = mails.last().unwrap();
        assert_eq!(header(answer, "To:"), "Ben <ben@example.org>");
        let text = answer.replace('\n', " ");
        assert!(text.contains("Your words are not kept"), "{answer}");
    }
    // The other side has its own room.
    let other = letter("anna@example.org", "[m]", "Well played so far.\n");
    receive(&session, &[], &other, "m", "note").run();
    let played = ben("n>g5\n\nWhat a pity that nobody hears me.\n");
    let output = receive(&session, &["--print"], &played, "m", "accepted").run();
    assert!(
        !log(&session, "m")[count..]
            .concat()
            .contains("nobody hears")
    );
    assert!(!output.stdout.contains("nobody hears"), "{}", output.stdout);
    if let [.., receipt] = mails(&output.stdout).as_slice() {
        let text = receipt.replace('\n', " ");
        assert!(text.contains("Your words are not kept"), "{receipt}");
    }
    receive(&session, &[], &ben("resign\n"), "m", "command").run();
}

/// One's own notes are bounded, too, or the file could come to be too long.
#[test]
fn ones_own_notes_are_bounded() {
    let session = anna();
    let words = "x".repeat((1 << 20) - 10);
    with_lines(
        &session,
        &format!("2026-11-19T03:00:00Z note White {words}\n"),
    );
    session.parapost(["note", "m", "short"]).any_stderr().run();
    session
        .parapost(["note", "m", "too much"])
        .stderr_contains("keeps 1 MiB of one person's words")
        .status(1)
        .run();
}

/// A letter that was refused in silence looks as if it had been lost.
#[test]
fn the_last_answer_of_a_day_says_that_it_is_the_last() {
    let session = bounded(referee(), 2);
    let last = |body: &str, word: &str| {
        let output = receive(&session, &["--print"], &ben(body), "m", word).run();
        let mails = mails(&output.stdout).concat().replace('\n', " ");
        mails
            .matches("This is the last answer to you for today")
            .count()
    };
    assert_eq!(last("n>z9\n", "refused"), 0);
    assert_eq!(last("offer draw\n", "command"), 1);
    // What is carried out beyond it has no such words.
    assert_eq!(last("mail off\n", "command"), 0);
    assert_eq!(last("n>g5\n", "accepted"), 0);
    // Words alone get no answer, but the last.
    let session = bounded(referee(), 1);
    receive(&session, &[], &ben("n>g5\n"), "m", "accepted").run();
    let output = receive(&session, &["--print"], &ben("Hello.\n"), "m", "note").run();
    let last = "To: Ben <ben@example.org>";
    assert_eq!(output.stdout.matches("This is the last answer").count(), 1);
    assert!(output.stdout.contains(last), "{}", output.stdout);
}

/// `mail off` had no bound, and with words each one was a note to the opponent.
#[test]
fn mail_off_is_carried_out_beyond_the_bound_and_told_to_nobody_else() {
    let session = bounded(referee(), 1);
    receive(&session, &[], &ben("help\n"), "m", "command").run();
    let off = ben("mail off\n\nFarewell!\n");
    let output = receive(&session, &["--print"], &off, "m", "command").run();
    assert!(
        output.stdout.contains("You get no more mail"),
        "{}",
        output.stdout
    );
    assert!(!output.stdout.contains("anna@"), "{}", output.stdout);
    assert!(!log(&session, "m").concat().contains("Farewell"));
}

/// Begins a match of Anna and somebody with that address.
fn begin_against(session: &Sandbox, id: &str, black: &str) {
    let begun = ["new", "--game", "unachess", "--id", id, "--invited"];
    let begun = session
        .parapost(begun)
        .args(["--white", "Anna <anna@example.org>"]);
    begun
        .args(["--black", black])
        .stdout(format!("{id}\n"))
        .run();
}

/// One player's notes used up what a third could send to the same recipient, in silence.
#[test]
fn the_notes_of_one_player_leave_room_for_those_of_a_third() {
    let session = bounded(referee(), 4);
    begin_against(&session, "n", "third@example.org");
    let note = |from: &str, id: &str, number: usize, word: &str| {
        let text = letter(from, &format!("[{id}]"), &format!("note hello {number}\n"));
        receive(&session, &["--print"], &text, id, word)
            .run()
            .stdout
    };
    for number in 1..=2 {
        note("ben@example.org", "m", number, "command");
    }
    let told = note("ben@example.org", "m", 3, "refused").replace('\n', " ");
    assert!(
        told.contains("as many notes within a day as one gets"),
        "{told}"
    );
    assert!(note("third@example.org", "n", 1, "command").contains("hello 1"));
}

/// However many opponents a player has, their notes together are bounded, but for the first
/// of each.
#[test]
#[ignore = "takes long"]
fn the_notes_of_several_opponents_to_one_player_are_counted_together() {
    let session = bounded(referee(), 4);
    let writers = ["one", "two", "three", "four"];
    for id in writers {
        begin_against(&session, id, &format!("{id}@example.org"));
    }
    let notes = |id: &str| {
        let write = |number: usize| {
            let from = format!("{id}@example.org");
            let text = letter(&from, &format!("[{id}]"), &format!("note hello {number}\n"));
            let run = session.parapost(["receive"]).stdin(text);
            let run = run.any_stdout().any_stderr().either();
            run.stdout.ends_with("\tcommand\n")
        };
        (0..3).filter(|number| write(*number)).count()
    };
    assert_eq!(writers.map(notes), [2, 2, 1, 1]);
}
