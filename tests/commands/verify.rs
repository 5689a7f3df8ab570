//! `parapost verify` as it is used (docs/cli.md).

use parapost::matches::action::Action;
use parapost::matches::event::LogEntry;
use parapost::matches::r#match::Match;
use parapost::rules::Color;

use crate::commands::play::{demo, of};
use crate::matches::log::time;
use crate::support::{Sandbox, Test};

const DEMO: &str = include_str!("../../games/demo.txt");
const REPLY: &str = include_str!("../../games/reply.eml");

/// A folder with the sample match, or what has become of it.
pub(crate) fn house(demo: &str) -> Sandbox {
    Sandbox::new()
        .file("games/demo.txt", demo)
        .env("PARAPOST_NOW", "2026-11-20T05:00:00Z")
}

pub(crate) fn verify(house: &Sandbox, other: &[&str]) -> Test {
    house.parapost([&["verify", "demo"], other].concat())
}

/// What is said where the other record differs.
fn differs(other: &str, why: &str) {
    let house = house(DEMO).file("other.txt", other);
    let output = verify(&house, &["./other.txt"])
        .status(1)
        .any_stdout()
        .any_stderr()
        .run();
    assert!(
        output
            .stderr
            .starts_with(&format!("parapost: ./other.txt: {why}")),
        "{}",
        output.stderr
    );
}

fn agrees(other: &str, how: &str) {
    let house = house(DEMO).file("other.txt", other);
    verify(&house, &["./other.txt"])
        .stdout_contains(&format!("\n./other.txt: agrees: {how}\n"))
        .run();
    verify(&house, &["-"])
        .stdin(other)
        .stdout_contains(&format!("\n-: agrees: {how}\n"))
        .run();
}

#[test]
fn a_whole_file_is_told_by_its_moves_hash_and_log() {
    let house = house(DEMO);
    let before = house.contents();
    verify(&house, &[])
        .stdout(
            "demo: whole: 3 half-moves, hash cd76e8f319a4865e\n\
             demo: log of 20 lines, chained; 8 mails called for, none owed\n",
        )
        .run();
    assert_eq!(house.contents(), before);
    let loose: String = DEMO
        .lines()
        .filter(|line| !line.starts_with("Chain: "))
        .map(|line| line.split(" chain=").next().unwrap().to_owned() + "\n")
        .collect();
    house.write("games/demo.txt", loose);
    verify(&house, &[])
        .stdout_contains("not chained before it is written next")
        .run();
}

#[test]
fn a_damaged_file_is_told_by_its_line_and_what_helps() {
    let house = house(&DEMO.replace("2.  B>f4\n", "2.  B>g4\n"));
    verify(&house, &[])
        .status(1)
        .stderr("parapost: games/demo.txt:29: '2.  B>g4' stands here, but the log comes to '2.  B>f4'\n'parapost repair demo' shows what can be rebuilt\n")
        .run();
}

#[test]
fn another_record_that_agrees() {
    agrees(DEMO, "all 3 half-moves; the hash");
    agrees(
        REPLY,
        "the 3 half-moves here, the beginning of its 4 half-moves; the diagram; the hash after 3 half-moves",
    );
    agrees(
        "1. P>e3 n>g5",
        "its 2 half-moves, the beginning of the 3 half-moves here",
    );
    agrees("P>e3\nn>g5\nB>f4\n", "all 3 half-moves");
    agrees(
        "Rules: unachess\n\n1. P>e3 n>g5 2. B>f4\n",
        "all 3 half-moves",
    );
    let (diagram, _) = DEMO.split_once("\nWhite  ").unwrap();
    agrees(diagram.split_once("\n\n").unwrap().1, "the diagram");
    agrees(
        "> Game demo, 3 half-moves made.\n> Hash of the moves: cd76e8f319a4865e\n",
        "the hash after 3 half-moves",
    );
}

#[test]
fn another_record_that_differs() {
    differs(
        "1. P>e3 n>g5\n2. B>g4 n-e6",
        "half-move 3 differs: here 2. B>f4, there 2. B>g4 (line 2)",
    );
    differs(
        "1. P>e3 n>g5 2. B>f4 n-e1",
        "half-move 4, which is not here, cannot be played: there 2... n-e1 (line 1): ",
    );
    differs(
        "Rules: unachess2\n\n1. P>e3 n>g5 2. B>f4",
        "the rules differ: here unachess, there unachess2",
    );
    differs(
        "Options: pawns-1-4\n\n1. P>e3 n>g5 2. B>f4",
        "the options differ: here none, there pawns-1-4",
    );
    // It was compared as if it began at the beginning.
    differs(
        "[FEN \"8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] b - - 0 1\"]\n\n1. P>e3 n>g5 2. B>f4",
        "there the list begins from another position",
    );
    let diagram = &REPLY.replace("> - - - - - B - -", "> - - - - - - - -");
    differs(
        diagram,
        "the diagram in line 6 is of no position here: after 3 half-moves it shows nothing on f4",
    );
    differs(
        &REPLY.replace("cd76e8f319a4865e", "cd76e8f319a4865f"),
        "after 3 half-moves the hash is cd76e8f319a4865e here, cd76e8f319a4865f there, and the moves are the same",
    );
    differs(
        &REPLY.replace("> Game demo", "> Game other"),
        "the ids differ: here demo, there other",
    );
    differs(
        "Hello!\n",
        "there is no list of moves, no diagram and no hash of this match in it",
    );
    let other = include_str!("../../games/kingchess.txt");
    differs(
        other,
        "the ids differ: here demo, there kingchess\nparapost: ./other.txt: the rules differ",
    );
}

/// A restored backup lacks what the outbox has. Went wrong: that agreed.
#[test]
fn a_file_or_a_mail_of_ours_that_goes_on_longer_differs() {
    let mut longer: Match = DEMO.parse().unwrap();
    let last = LogEntry::new(time(), Action::play("n-e6"), Color::Black);
    longer.push(last).unwrap();
    differs(
        &longer.to_string(),
        "it has 1 half-move more than this file; 'parapost repair demo",
    );
    // Ben's own mail has his next move, and one of ours has it only if it was received.
    let ours = REPLY.replace(
        "From: Ben <ben@example.test>",
        "From: Referee <games@example.net>",
    );
    differs(&ours, "it has 1 half-move more than this file");
}

#[test]
fn another_record_that_is_damaged_is_told_by_its_line() {
    let house = house(DEMO).file("other.txt", DEMO.replace("2.  B>f4\n", "2.  B>g4\n"));
    verify(&house, &["./other.txt"])
        .any_stdout()
        .status(1)
        .stderr(
            "parapost: ./other.txt:29: '2.  B>g4' stands here, but the log comes to '2.  B>f4'\n",
        )
        .run();
}

#[test]
fn of_a_mailbox_the_mails_of_the_match_are_compared() {
    let mbox = |mails: &[&str]| {
        let entry = |mail: &&str| format!("From ben Fri Nov 20 03:00:00 2026\n{mail}\n");
        mails.iter().map(entry).collect::<String>()
    };
    let stranger = "From: eve@example.test\nSubject: chess\nMessage-ID: <x@y.test>\n\n1. e4 e5\n";
    let wrong = REPLY
        .replace("b2.4e1a", "b3")
        .replace("P>e3    n>g5", "P>e3    n>g6");
    let house = house(DEMO).file("good.mbox", mbox(&[stranger, REPLY]));
    verify(&house, &["good.mbox"])
        .stdout_contains("\n<b2.4e1a@mail.example.test>: agrees: ")
        .run();
    house.write("both.mbox", mbox(&[REPLY, &wrong, stranger]));
    verify(&house, &["both.mbox"])
        .stdout_contains("\n<b2.4e1a@mail.example.test>: agrees: ")
        .stderr("parapost: <b3@mail.example.test>: half-move 2 differs: here 1... n>g5, there 1... n>g6 (line 19)\n")
        .status(1)
        .run();
    house.write("none.mbox", mbox(&[stranger, stranger]));
    verify(&house, &["none.mbox"])
        .any_stdout()
        .stderr("parapost: there is no mail about the match demo in it\n")
        .status(1)
        .run();
}

#[test]
fn a_result_that_is_not_here_yet_is_told() {
    let house = house(DEMO).file(
        "anna.toml",
        "[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n",
    );
    house.write("before.txt", DEMO);
    house
        .parapost(["--config", "anna.toml", "resign", "demo"])
        .any_stderr()
        .run();
    verify(&house, &["before.txt"])
        .stdout_contains("the result 0-1 (resignation) is not there yet\n")
        .run();
}

/// The mails of before a take-back were told apart from the record for good.
#[test]
fn a_mail_of_before_a_takeback_agrees_with_what_was_then() {
    let house = demo();
    let run = |arguments: &[&str]| {
        house
            .parapost(of("anna", arguments))
            .any_stdout()
            .any_stderr()
            .run()
            .stdout
    };
    house.write("before.eml", run(&["move", "demo", "P>e3", "--print"]));
    run(&["takeback", "propose", "demo", "--send"]);
    house.write(
        "accept.eml",
        "From: Ben <ben@example.org>\nSubject: [demo]\nMessage-ID: <a@example.org>\n\naccept takeback\n",
    );
    run(&["receive", "--send", "accept.eml"]);
    house.write("after.eml", run(&["move", "demo", "P>d3", "--print"]));
    verify(&house, &["after.eml"])
        .stdout_contains(
            "after.eml: agrees: all 1 half-move; the diagram; the hash after 1 half-move\n",
        )
        .run();
    verify(&house, &["before.eml"])
        .stdout_contains("the hash after 1 half-move; all that before a move was taken back here\n")
        .run();
    house.write(
        "other.eml",
        house.read("before.eml").replace("P>e3", "P>f3"),
    );
    verify(&house, &["other.eml"])
        .any_stdout()
        .stderr_contains("half-move 1 differs: here 1. P>d3, there 1. P>f3")
        .status(1)
        .run();
}
