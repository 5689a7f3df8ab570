//! What is asked of a message before anything is answered or remembered.

use super::{begin, ben, header, letter, log, mails, receive, referee, session};
use crate::support::Sandbox;

/// The referee of the matches `one` and `two`, who believes only what this policy asks.
fn two_matches(policy: &str) -> Sandbox {
    let session = session("ref", "referee");
    begin(&session, "one", "P>e3");
    begin(&session, "two", "P>d3");
    let config = session.read("config.toml") + "\n[policy]\n" + policy;
    session.file("config.toml", config)
}

/// A mail of the match to Ben, as it was printed.
fn position(session: &Sandbox, id: &str) -> String {
    let words = ["send", "--resend", id, "--print"];
    session.parapost(words).any_stdout().run().stdout
}

const TOKEN: &str = "identity = \"token\"\n";
const DKIM: &str = "identity = \"dkim\"\ntrusted = \"mx.example.net\"\n";
const SIGNED: &str = "Authentication-Results: mx.example.net; dkim=pass header.d=example.org\n\
    DKIM-Signature: v=1; d=example.org; h=From:To:Date:Subject; b=x\n\
    Date: Fri, 20 Nov 2026 04:00:00 +0000\n";

/// A letter with a forged From field that named no match was answered with a question,
/// and its Message-ID was remembered, before `token` or `dkim` was asked.
#[test]
fn a_forged_letter_that_names_no_match_leaves_no_trace() {
    for policy in [TOKEN, DKIM] {
        let session = two_matches(policy);
        let before = session.contents();
        for (subject, body) in [
            ("my move", "n>g5\n"),
            ("Re: [one] [two]", "n>g5\n"),
            ("Re: [gone] Unachess: 1. P>e3", "n>g5\n"),
            ("help", "help\n"),
        ] {
            let forged = letter("ben@example.org", subject, body);
            let output = receive(&session, &["--print"], &forged, "-", "stranger").run();
            assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
            assert!(!output.stderr.contains("does not say"), "{}", output.stderr);
        }
        let games = |files: Vec<(std::path::PathBuf, Vec<u8>)>| {
            let mut files = files;
            files.retain(|(name, _)| name.extension().is_some_and(|end| end == "txt"));
            files
        };
        assert_eq!(games(before), games(session.contents()), "{policy}");
    }
}

/// The Message-ID of the forged letter was then a duplicate's.
#[test]
fn a_real_letter_is_read_though_a_forged_one_had_its_id() {
    let session = two_matches(DKIM);
    let real = letter("ben@example.org", "my move", "n>g5\n");
    receive(&session, &[], &real, "-", "stranger").run();
    let real = format!("{SIGNED}{}", real.replace("To: anna@", "To: ref@"));
    receive(&session, &[], &real, "-", "unknown-match").run();
    receive(&session, &[], &real, "one", "duplicate").run();
    let session = two_matches(TOKEN);
    let answer = format!(
        "In-Reply-To: {}\n",
        header(&position(&session, "two"), "Message-ID:")
    );
    let real = letter("ben@example.org", "my move", "n>g5\n");
    receive(&session, &[], &real, "-", "stranger").run();
    receive(&session, &[], &format!("{answer}{real}"), "two", "accepted").run();
}

/// The answer to the question which match was meant cites a mail that another match
/// keeps, and was a stranger's.
#[test]
fn an_answer_to_the_question_shows_who_its_sender_is() {
    let session = two_matches(TOKEN);
    let cites = |id: &str| header(&position(&session, id), "Message-ID:").to_owned();
    let both = format!("References: {} {}\n", cites("one"), cites("two"));
    let unclear = letter("ben@example.org", "my move", "n>g5\n");
    let output = receive(
        &session,
        &["--print"],
        &format!("{both}{unclear}"),
        "-",
        "unknown-match",
    )
    .run();
    let question = header(&mails(&output.stdout)[0], "Message-ID:").to_owned();
    // To nobody else, who may have been told of it.
    let stolen = letter("anna@example.org", "Re: [two]", "n>g5\n");
    let stolen = format!("In-Reply-To: {question}\n{stolen}");
    receive(&session, &[], &stolen, "two", "stranger").run();
    let clear = letter("ben@example.org", "Re: [two]", "n>g5\n\n");
    let clear = format!("In-Reply-To: {question}\n{clear}");
    receive(&session, &[], &clear, "two", "accepted").run();
}

/// Whoever wrote a private mail chose by its subject, or by the foot of a mail of ours, the match
/// that the answer to it resigned.
#[test]
fn an_answer_to_a_private_mail_chooses_no_match_among_several() {
    let session = two_matches("identity = \"address\"\n");
    let mail = position(&session, "two");
    let (_, text) = mail.split_once("\n\n").unwrap();
    let foot = text
        .lines()
        .find(|line| line.starts_with("Game two"))
        .unwrap();
    let quoted: Vec<String> = text.lines().map(|line| format!("> {line}\n")).collect();
    let quoted = quoted.concat();
    let unknown = "In-Reply-To: <friday@private.test>\n";
    let ben = |number: usize, subject: &str, body: &str| {
        let letter = letter("ben@example.org", subject, body);
        letter.replace("Message-ID: <", &format!("{unknown}Message-ID: <{number}."))
    };
    let body = format!("resign\n\n> Friday?\n> {foot}\n");
    let asked = ben(1, "Re: [two] Friday", &body);
    let printed = receive(&session, &["--print"], &asked, "-", "unknown-match").run();
    let question = header(&mails(&printed.stdout)[0], "Message-ID:").to_owned();
    assert!(printed.stdout.contains("whose writer may"), "{printed:?}");
    // The same letter once more is no answer to the question.
    receive(&session, &[], &asked, "one", "duplicate").run();
    // Whoever was asked has chosen, whatever a relay has made of the question's id.
    let chosen = ben(2, "Re: [two] Which game", "n>g5\n");
    receive(&session, &[], &chosen, "two", "accepted").run();
    receive(&session, &[], &chosen, "two", "duplicate").run();
    let again = ben(3, "Re: [one] Friday", "n>g5\n");
    receive(&session, &[], &again, "-", "unknown-match").run();
    let known = again.replace(unknown, &format!("In-Reply-To: {question}\n"));
    let known = known.replace("<3.", "<4.");
    receive(&session, &[], &known, "one", "accepted").run();
    // A mail of ours under another id.
    let anna = letter("anna@example.org", "[two]", "N>f3\n");
    receive(&session, &[], &anna, "two", "accepted").run();
    let old = ben(
        5,
        "Re: [two] Unachess",
        &format!("resign\n\nRef <ref@example.org> wrote:\n{quoted}"),
    );
    receive(&session, &[], &old, "two", "command").run();
    let others = ["new", "--game", "unachess", "--id", "others", "--invited"];
    let players = [
        "--white",
        "C <c@example.org>",
        "--black",
        "D <d@example.org>",
    ];
    let run = session.parapost(others).args(players);
    run.any_stdout().run();
    let named = letter("ben@example.org", "[others]", "resign\n");
    receive(&session, &[], &named, "-", "unknown-match").run();
}

/// A stranger's or the opponent's message under an id that could be foretold made the
/// real move a duplicate, in silence.
#[test]
#[ignore = "takes long"]
fn the_opponents_message_under_a_foretold_id_takes_nothing_away() {
    let real = ben("n>g5\n");
    let id = super::id("n>g5\n");
    for (from, subject, body, game, word) in [
        ("anna@example.org", "[m]", "Hello\n", "m", "note"),
        ("anna@example.org", "[m]", "help\n", "m", "command"),
        ("anna@example.org", "[m]", "N>f3\n", "m", "not-your-turn"),
        ("mallory@example.org", "[m]", "n>g5\n", "m", "stranger"),
        ("mallory@example.org", "hi", "n>g5\n", "-", "stranger"),
    ] {
        let session = referee();
        let other = letter(from, subject, body);
        let first = other.find("Message-ID: ").unwrap();
        let line = other[first..].lines().next().unwrap();
        let other = other.replace(line, &format!("Message-ID: {id}"));
        receive(&session, &[], &other, game, word).run();
        receive(&session, &[], &real, "m", "accepted").run();
        receive(&session, &[], &real, "m", "duplicate").run();
        if word != "stranger" {
            receive(&session, &[], &other, "m", "duplicate").run();
        }
    }
}

/// In a second match as well: the ids of one were those of all.
#[test]
fn a_message_of_another_match_takes_nothing_away() {
    let session = session("ref", "referee");
    begin(&session, "one", "P>e3");
    let line = "new --game unachess --id two --invited --moves P>e3";
    session
        .parapost(line.split(' '))
        .args(["--white", "Mallory <mallory@example.org>"])
        .args(["--black", "Carl <carl@example.org>"])
        .any_stdout()
        .run();
    let real = letter("ben@example.org", "[one]", "n>g5\n");
    let other = letter("mallory@example.org", "[two]", "n>g5\n").replace("n>g5", "Hi!");
    receive(&session, &[], &other, "two", "note").run();
    receive(&session, &[], &real, "one", "accepted").run();
}

/// The opponent could make a letter of the player's name another match, by a message
/// under the id of one that the letter cites.
#[test]
fn the_opponents_message_makes_no_letter_name_a_match() {
    let session = session("ref", "referee");
    begin(&session, "one", "P>e3");
    begin(&session, "two", "P>d3");
    let poison = letter("anna@example.org", "[two]", "Hello\n");
    let (_, id) = poison.split_once("Message-ID: ").unwrap();
    let id = id.lines().next().unwrap();
    receive(&session, &[], &poison, "two", "note").run();
    // Cited alone it names none, and beside a mail of ours it changes nothing.
    let mail = position(&session, "one");
    let answer = format!("References: {id} {}\n", header(&mail, "Message-ID:"));
    let fresh = format!(
        "References: {id}\n{}",
        letter("ben@example.org", "hi", "n>f6\n")
    );
    receive(&session, &[], &fresh, "-", "unknown-match").run();
    let answer = answer + &letter("ben@example.org", "hi", "n>g5\n");
    receive(&session, &[], &answer, "one", "accepted").run();
}

/// The same letter, brought again when another match waits, was played there.
#[test]
fn a_letter_that_names_no_match_is_played_in_one_alone() {
    let session = session("ref", "referee");
    begin(&session, "one", "P>e3");
    let mine = letter("ben@example.org", "my move", "n>g5\n");
    receive(&session, &[], &mine, "one", "accepted").run();
    // It repeats the move, and does nothing.
    let again = letter("ben@example.org", "my move", "n>g5\n\n");
    receive(&session, &[], &again, "one", "duplicate").run();
    let lines = log(&session, "one").len();
    begin(&session, "two", "P>e3");
    for _ in 0..2 {
        receive(&session, &[], &mine, "one", "duplicate").run();
        receive(&session, &[], &again, "one", "duplicate").run();
    }
    // In a match that is over, too.
    receive(
        &session,
        &[],
        &letter("ben@example.org", "[one]", "resign\n"),
        "one",
        "command",
    )
    .run();
    receive(&session, &[], &mine, "one", "duplicate").run();
    receive(&session, &[], &again, "one", "duplicate").run();
    assert!(log(&session, "one").len() > lines);
    assert!(!session.read("games/two.txt").contains("n>g5"));
    // A letter that does name a match is that match's.
    let named = mine.replace("my move", "[two]");
    receive(&session, &[], &named, "two", "accepted").run();
}

/// What repeats a move is remembered, but not without end.
#[test]
fn repeated_moves_do_not_fill_the_log() {
    let session = session("ref", "referee");
    begin(&session, "one", "P>e3");
    let mut mbox = String::new();
    for count in 0..70 {
        let body = format!("n>g5\n{}", "\n".repeat(count));
        mbox += "From ben@example.org Fri Nov 20 03:00:00 2026\n";
        mbox += &letter("ben@example.org", "my move", &body);
        mbox.push('\n');
    }
    let session = session.file("mbox", mbox);
    let run = session.parapost(["receive", "mbox"]).any_stdout();
    run.any_stderr().run();
    let lines = log(&session, "one");
    let kept = lines
        .iter()
        .filter(|line| line.contains("refused Black duplicate"));
    assert_eq!(kept.count(), 50);
}

/// Somebody who plays against himself sent a message that was the other side's when it
/// came again.
#[test]
fn a_letter_of_both_players_is_played_once() {
    let session = session("ref", "referee");
    let line =
        "new --game unachess --id solo --invited --white anna@example.org --black anna@example.org";
    session.parapost(line.split(' ')).any_stdout().run();
    let first = letter("anna@example.org", "[solo]", "P>e3\n");
    receive(&session, &[], &first, "solo", "accepted").run();
    receive(&session, &[], &first, "solo", "duplicate").run();
}

/// A letter of somebody who may play in a damaged match was a stranger's, if it named
/// one that is not.
#[test]
fn a_letter_that_may_be_of_a_damaged_match_is_no_strangers() {
    let session = session("ref", "referee");
    begin(&session, "one", "P>e3");
    let line = "new --game unachess --id two --invited --moves P>e3";
    session
        .parapost(line.split(' '))
        .args(["--white", "Dora <dora@example.org>"])
        .args(["--black", "Carl <carl@example.org>"])
        .any_stdout()
        .run();
    let whole = session.read("games/two.txt");
    let session = session.file("games/two.txt", whole.replace("Result: *\n", ""));
    for subject in ["hello", "[one] my move", "[two]", "[one] [two]", "[gone]"] {
        let letter = letter("carl@example.org", subject, "n>g5\n");
        receive(&session, &[], &letter, "-", "deferred")
            .stderr_contains("games/two.txt:")
            .run();
    }
    // What was dealt with before is known still, and what names its match is played.
    let mine = letter("ben@example.org", "[one]", "n>g5\n");
    receive(&session, &[], &mine, "one", "accepted").run();
    let unnamed = mine.replace("[one]", "hi");
    receive(&session, &[], &unnamed, "one", "duplicate").run();
    let session = session.file("games/two.txt", whole);
    let letter = letter("carl@example.org", "hello", "n>g5\n");
    receive(&session, &[], &letter, "two", "accepted").run();
}

/// Two players at sub-addresses of one mailbox played for each other.
#[test]
fn sub_addresses_of_one_mailbox_are_two_players() {
    let session = session("ref", "referee");
    let run = session
        .parapost(["new", "--game", "unachess", "--id", "m", "--invited"])
        .args(["--white", "Anna <chess+anna@example.org>"])
        .args(["--black", "Ben <chess+ben@example.org>, <ben@work.test>"])
        .stdout("m\n");
    run.stderr_contains("one mailbox").run();
    let write = |from: &str, body: &str| letter(from, "[m]", body);
    for from in ["chess@example.org", "chess+carl@example.org"] {
        receive(&session, &[], &write(from, "P>e3\n"), "m", "stranger").run();
    }
    let theirs = write("chess+ben@example.org", "P>e3\n");
    receive(&session, &[], &theirs, "m", "not-your-turn").run();
    let mine = write("Chess+Anna@Example.org", "P>e3\n");
    receive(&session, &[], &mine, "m", "accepted").run();
    // A mailbox of one player's alone is that player's, whatever stands behind the +.
    let mine = write("ben+phone@work.test", "n>g5\n");
    receive(&session, &[], &mine, "m", "accepted").run();
}

/// Each of the two took the other's mail for its own.
#[test]
fn programs_at_sub_addresses_of_one_mailbox_hear_each_other() {
    let config =
        |name: &str| format!("[me]\nname = \"{name}\"\naddress = \"chess+{name}@example.org\"\n");
    let line = "new --game unachess --id m --invited --white chess+anna@example.org --black chess+ben@example.org";
    let [anna, ben] = ["anna", "ben"].map(|name| {
        let session = session(name, "player").file("config.toml", config(name));
        session
            .parapost(line.split(' '))
            .any_stdout()
            .any_stderr()
            .run();
        session
    });
    let mail = anna.parapost(["move", "m", "P>e3", "--print"]).any_stdout();
    let mail = mail.any_stderr().run().stdout;
    receive(&ben, &[], &mail, "m", "accepted").run();
    // Its own mail, come back, is known still.
    receive(&anna, &[], &mail, "m", "ignored").run();
}
