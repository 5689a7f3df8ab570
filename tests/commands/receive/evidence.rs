//! Letters that answer another record of the match than the one here.

use super::{anna, answer, begin, ben, events, letter, mails, receive, referee, session};
use crate::support::{Sandbox, board};

/// What the referee mailed after those moves, quoted.
fn quoted(moves: &str, options: &[&str]) -> String {
    let other = session("ref", "referee");
    let words = ["new", "--game", "unachess", "--id", "m", "--moves", moves];
    let players = ["--white", "anna@example.org", "--black", "ben@example.org"];
    let options = options.iter().flat_map(|option| ["--option", option]);
    let words = words.into_iter().chain(players).chain(options);
    other.parapost(words).any_stdout().any_stderr().run();
    other
        .parapost(["send", "m", "--print"])
        .any_stdout()
        .any_stderr()
        .run();
    let resend = ["send", "--resend", "m", "--print"];
    let mail = other.parapost(resend).any_stdout().run().stdout;
    let (_, body) = mail.split_once("\n\n").unwrap();
    assert!(body.contains(" made, hash "), "{body}");
    format!("> {}\n", body.trim_end().replace('\n', "\n> "))
}

/// The same with the foot that mails of earlier versions have.
fn earlier(quoted: &str) -> String {
    let (head, hash) = quoted.split_once(" made, hash ").unwrap();
    let hash = hash.trim_end().trim_end_matches('.');
    format!("{head} made.\n> Hash of the moves: {hash}\n")
}

fn refused(session: &Sandbox, body: &str, why: &str) {
    let before = board(&session.read("games/m.txt"));
    let output = receive(session, &["--print"], &ben(body), "m", "refused").run();
    assert_eq!(board(&session.read("games/m.txt")), before);
    let mail = mails(&output.stdout).concat().replace('\n', " ");
    assert!(mail.contains(why), "{mail}");
    assert!(output.stderr.contains(why), "{}", output.stderr);
    assert_eq!(events(session, 2)[0], "refused Black refused");
}

#[test]
fn the_same_record_is_answered() {
    for body in ["n>g5\n\n", "1... n>g5\n\n", "offer draw\n\n"] {
        let body = format!("{body}{}", quoted("1. P>e3", &[]));
        let session = referee();
        let word = if body.starts_with("offer") {
            "command"
        } else {
            "accepted"
        };
        receive(&session, &[], &ben(&body), "m", word).run();
    }
}

/// Went wrong: a move that somebody else had added to a copy of our list was played as
/// filled in by the player who quoted it.
#[test]
fn only_into_the_mail_that_is_answered_a_move_is_filled() {
    let session = referee();
    let resend = ["send", "--resend", "m", "--print"];
    let mail = session.parapost(resend).any_stdout().run().stdout;
    let (_, body) = mail.split_once("\n\n").unwrap();
    let filled = body.replace("1.  P>e3", "1.  P>e3    n>g5");
    assert_ne!(body, filled);
    let quoted = |text: &str| format!("> {}\n", text.trim_end().replace('\n', "\n> "));
    let whole = quoted(&filled);
    receive(
        &session,
        &["--dry-run"],
        &answer(&mail, &whole),
        "m",
        "accepted",
    )
    .run();
    let other = format!("> Hello Ben!\n{whole}");
    for letter in [ben(&whole), answer(&mail, &other)] {
        receive(&session, &["--dry-run"], &letter, "m", "confirm")
            .any_stderr()
            .run();
    }
}

/// Where a program had wrapped or filled the foot of our mail, neither its hash
/// nor, once both were one line, its count of half-moves was seen: the move
/// was played.
#[test]
#[ignore = "takes long"]
fn another_record_is_refused_where_its_foot_is_wrapped_or_filled() {
    let now = earlier(&quoted("1. P>d3", &[]));
    let counted = "> Game m, 1 half-move made.\n> Hash of the moves: ";
    assert!(now.contains(counted), "{now}");
    // Older mails say "1 half-moves made."
    for noun in ["half-move", "half-moves"] {
        let other = now.replace("half-move made", &format!("{noun} made"));
        let foot = format!("{noun} made.\n> Hash of the moves: ");
        for wrapped in [
            "made. Hash of the moves: ",
            "\n> made. Hash of the\n> moves: ",
            "made.\n> Hash of the moves:\n> ",
            "made.\n> Hash of the moves:\n",
        ] {
            let wrapped = format!("{noun} {wrapped}").replace(" \n", "\n");
            let body = format!("n>g5\n\n{}", other.replace(&foot, &wrapped));
            refused(&referee(), &body, "The two records part at 1. P>e3");
        }
    }
    // One that counts on from a later position.
    let later = earlier(&quoted("1. P>e3 n>g5 2. B>f4", &[]));
    let foot = "half-moves made.\n> Hash of the moves: ";
    let body = later.replace(foot, "half-moves made. Hash of the moves: ");
    refused(
        &referee(),
        &format!("n>g5\n\n{body}"),
        "only 1 is known here",
    );
}

/// The same for the foot in one line, which a program may wrap anywhere.
#[test]
#[ignore = "takes long"]
fn another_record_is_refused_wherever_its_foot_is_wrapped() {
    let other = quoted("1. P>d3", &[]);
    let (_, foot) = other.rsplit_once("> Game ").unwrap();
    let blanks = foot.match_indices(' ').count();
    assert_eq!(blanks, 5, "{foot}");
    for at in 0..blanks {
        for end in ["\n> ", "\n", "\n>\n> "] {
            let mut words = foot.split(' ');
            let mut wrapped = words.next().unwrap().to_owned();
            for (i, word) in words.enumerate() {
                wrapped += if i == at { end } else { " " };
                wrapped += word;
            }
            let body = format!("n>g5\n\n{}", other.replace(foot, &wrapped));
            refused(&referee(), &body, "The two records part at 1. P>e3");
        }
    }
    // Where its hash is damaged, its count of half-moves still says what it answers.
    let later = quoted("1. P>e3 n>g5 2. B>f4", &[]);
    for damage in ["hash 0", "hash x", "hash"] {
        let (head, hash) = later.split_once("hash ").unwrap();
        let body = format!("n>g5\n\n{head}{damage} {}", &hash[1..]);
        refused(&referee(), &body, "only 1 is known here");
    }
}

#[test]
fn another_record_is_refused_with_the_half_move_where_they_part() {
    let other = quoted("1. P>d3", &[]);
    let why = "The two records part at 1. P>e3, where yours has 1. P>d3.";
    for own in ["n>g5\n\n", "1... n>g5\n\n", "I like n>g5\n\n", "resign\n\n"] {
        refused(&referee(), &format!("{own}{other}"), why);
    }
    // A question is answered, and talk is talk.
    receive(
        &referee(),
        &[],
        &ben(&format!("show\n\n{other}")),
        "m",
        "command",
    )
    .run();
    receive(
        &referee(),
        &[],
        &ben(&format!("Hello!\n\n{other}")),
        "m",
        "note",
    )
    .run();
}

#[test]
fn a_hash_alone_is_held_against_the_record() {
    let other = quoted("1. P>d3", &[]);
    let (_, foot) = other.split_once("> Game m,").unwrap();
    let body = format!("n>g5\n\n> Game m,{foot}");
    refused(
        &referee(),
        &body,
        "does not show where the two records part",
    );
    // Other options, the same moves.
    let other = quoted("1. P>e3", &["no-double-step"]);
    refused(
        &referee(),
        &format!("n>g5\n\n{other}"),
        "it is the game or its options that differ",
    );
    // What is no hash any more, or the foot of another match, says nothing.
    let good = quoted("1. P>e3", &[]);
    let (board, hash) = good.split_once(" hash ").unwrap();
    let body = format!("n>g5\n\n{board} hash {}", &hash[1..]);
    receive(&referee(), &[], &ben(&body), "m", "accepted").run();
}

#[test]
fn a_player_s_program_counts_its_own_move() {
    let mail = |moves: &str| {
        let ben = session("ben", "player");
        begin(&ben, "m", moves);
        let words = ["move", "m", "n>g5", "--print"];
        ben.parapost(words).any_stdout().run().stdout
    };
    receive(&anna(), &[], &mail("P>e3"), "m", "accepted").run();
    let good = mail("P>e3");
    let (head, hash) = good.split_once(" hash ").unwrap();
    let other = format!("{head} hash {}.\n", "0".repeat(16));
    assert_eq!(hash.len(), 18, "{hash}");
    receive(&anna(), &[], &other, "m", "refused")
        .stderr_contains("Your message answers another record")
        .run();
    let body = mail("P>d3");
    let (_, body) = body.split_once("\n\n").unwrap();
    let session = anna();
    let letter = letter("ben@example.org", "[m]", body);
    receive(&session, &[], &letter, "m", "refused").run();
}

/// A reply to a mail that showed an earlier position was taken for one to another record of the match: the mail had the
/// hash of all moves at its foot, and the count of those shown.
#[test]
fn an_earlier_position_goes_out_with_its_own_hash() {
    let house = Sandbox::new()
        .file("games/demo.txt", include_str!("../../../games/demo.txt"))
        .env("PARAPOST_NOW", "2026-11-20T05:00:00Z")
        .file(
            "config.toml",
            "[me]\nname = \"Referee\"\naddress = \"games@example.net\"\nrole = \"referee\"\n[mail]\nhtml = false\n",
        );
    let ask = "From: ben@example.test\nSubject: [demo]\nMessage-ID: <ask@b.test>\n\nshow 2\n";
    let receive = |letter: &str, word: &str| {
        house
            .parapost(["--config", "config.toml", "receive", "--print"])
            .stdin(letter)
            .stdout_contains(&format!("\tdemo\t{word}\n"))
            .any_stderr()
            .run()
            .stdout
    };
    let answer = receive(ask, "command");
    let (_, body) = answer.split_once("\n\n").unwrap();
    assert!(
        body.contains("Game demo, 2 half-moves made, hash "),
        "{body}"
    );
    let quoted = body.trim_end().replace('\n', "\n> ");
    let reply = format!(
        "From: ben@example.test\nSubject: [demo]\nMessage-ID: <r@b.test>\n\n2... n-e6\n\n> {quoted}\n"
    );
    receive(&reply, "accepted");
}

/// A move that one of our mails asks about, or a wrong line of the letter that
/// it answers, was held against the record as a move of the mail's own.
#[test]
fn what_a_mail_of_ours_asks_about_is_not_its_record() {
    for (body, word) in [
        ("I think n>g5 is good\n", "confirm"),
        ("1. P>d3 n>g5\n", "refused"),
    ] {
        let session = referee();
        let output = receive(&session, &["--print"], &ben(body), "m", word).run();
        let mail = &mails(&output.stdout)[0];
        assert!(mail.contains("n>g5"), "{mail}");
        receive(&session, &[], &ben("n>f6\n"), "m", "accepted").run();
        session.write("mail", mail);
        session.parapost(["verify", "m", "./mail"])
            .stdout_contains(": agrees: its 1 half-move, the beginning of the 2 half-moves here; the diagram; the hash after 1 half-move\n")
            .run();
        std::fs::remove_file(session.path("games/m.txt")).unwrap();
        session
            .parapost(["repair", "m", "--from", "mail"])
            .any_stdout()
            .stderr_contains("proves 1 half-move; ")
            .status(1)
            .run();
    }
}
