//! What a person at a terminal is told of messages.

use unicode_width::UnicodeWidthStr as _;

use super::{begin, ben, letter, referee, session};
use crate::support::terminal::at_plain_terminal;
use crate::support::{Sandbox, Test};

/// Ben, who plays Black in the match `m`, in which nothing has been played.
fn player() -> Sandbox {
    let session = session("ben", "player");
    begin(&session, "m", "");
    session
}

fn from_anna(body: &str) -> String {
    letter("Anna <anna@example.org>", "[m]", body)
}

/// What a terminal of so many columns shows of a run.
fn shown(test: Test, columns: u16) -> String {
    at_plain_terminal(&test.env("TERM", "xterm"), columns, "").sent
}

/// What a terminal shows of a letter that is received.
fn received(session: &Sandbox, letter: &str, columns: u16) -> String {
    session.write("letter.eml", letter);
    shown(session.parapost(["receive", "letter.eml"]), columns)
}

/// The lines but commands to copy, none of which is wider than the terminal.
#[track_caller]
fn fits(shown: &str, most: usize) {
    for line in shown
        .lines()
        .filter(|line| !line.starts_with("  parapost "))
    {
        assert!(line.width() <= most, "{line:?} in\n{shown}");
    }
}

#[test]
fn a_person_is_told_who_played_what_the_words_the_board_and_what_to_do() {
    let told = received(&player(), &from_anna("P>e3\n\nGood luck!\n"), 80);
    assert_eq!(
        told,
        "\
m: Anna played 1. P>e3, and writes:

  > Good luck!

m, unachess, 1 half-move
  White  Anna
  Black  Ben   you, to move

8  - - - - - - - -       Black's pieces in reserve:
7  - - - - - - - -
6  - - - - - - - -       rrbbnnqk
5  - - - - - - - -       pppppppp
4  - - - - - - - -
3  - - - - P - - -
2  - - - - - - - -       White's pieces in reserve:
1  - - - - - - - -
   a b c d e f g h       RRBBNNQK
                         PPPPPPP-

White       Black

1.  P>e3

Your move:
  parapost move m 'MOVE' --send

"
    );
}

#[test]
fn a_narrow_terminal_has_the_reserves_below_the_board() {
    let words = "P>e3\n\nI wonder what you will make of this one, which is old. 羽生善治羽生善治羽生善治羽生善治\n";
    let told = received(&player(), &from_anna(words), 40);
    fits(&told, 40);
    assert!(
        told.contains("\n  > I wonder what you will make of this\n  > one,"),
        "{told}"
    );
    let below = "  a b c d e f g h\n\nBlack's pieces in reserve:\n  rr bb nn q k pppppppp\n\nWhite's pieces in reserve:\n  RR BB NN Q K ppppppp\n";
    assert!(
        told.to_lowercase().contains(&below.to_lowercase()),
        "{told}"
    );
}

/// Columns were counted in letters, so that what stands behind a Japanese name was out of
/// line.
#[test]
fn names_of_any_width_are_aligned() {
    for (name, rows) in [
        (
            "羽生善治",
            "  White  羽生善治\n  Black  Ben       you, to move by 2026-11-30T05:00:00Z\n",
        ),
        (
            "Anna",
            "  White  Anna\n  Black  Ben   you, to move by 2026-11-30T05:00:00Z\n",
        ),
    ] {
        let session = session("ben", "player");
        let white = format!("{name} <anna@example.org>");
        let new = [
            "new",
            "--game",
            "unachess",
            "--id",
            "m",
            "--invited",
            "--time",
            "10d",
        ];
        let players = ["--white", &white, "--black", "Ben <ben@example.org>"];
        session.parapost(new).args(players).stdout("m\n").run();
        let told = received(&session, &from_anna("P>e3\n"), 80);
        assert!(told.contains(rows), "{told}");
        assert!(
            told.starts_with(&format!("m: {name} played 1. P>e3.\n")),
            "{told}"
        );
        let session = Sandbox::clone(&session);
        let told = shown(session.parapost(["receive", "letter.eml"]), 40);
        fits(&told, 40);
        assert!(
            told.contains("  Black  Ben\n         you, to move by\n"),
            "{told}"
        );
    }
}

#[test]
fn old_mail_and_that_of_others_is_passed_over() {
    let session = player()
        .file("mail/1.eml", from_anna("P>e3\n"))
        .file(
            "mail/2.eml",
            letter("mallory@example.test", "Hello", "Hello!\n"),
        )
        .file("mail/3.eml", letter("shop@example.test", "Offer", "Buy!\n"));
    let told = shown(session.parapost(["receive", "mail"]), 80);
    assert!(told.starts_with("m: Anna played 1. P>e3.\n"), "{told}");
    assert!(
        told.ends_with(
            "\n2 messages were passed over: 2 are about no match here (--porcelain lists all).\n"
        ),
        "{told}"
    );
    let told = shown(session.parapost(["receive", "mail"]), 80);
    assert_eq!(
        told,
        "3 messages were passed over: 1 was read before, 2 are about no match here\n(--porcelain lists all).\n"
    );
    // A single one that is read again shows where its match stands.
    let told = shown(session.parapost(["receive", "mail/1.eml"]), 80);
    assert!(told.starts_with("m, unachess, 1 half-move\n"), "{told}");
    assert!(
        told.ends_with("\n1 message was passed over: 1 was read before (--porcelain lists all).\n"),
        "{told}"
    );
}

#[test]
fn a_stranger_who_names_a_match_is_told_of() {
    let told = received(&player(), &letter("eve@example.test", "[m]", "P>e3\n"), 80);
    assert!(told.starts_with("m: a message <"), "{told}");
    assert!(told.contains("(stranger)"), "{told}");
    assert!(!told.contains("White"), "{told}");
}

#[test]
fn what_a_letter_says_can_look_like_nothing_else() {
    let body = "P>e3\n\nm: You have won.\u{1b}[2J\u{9b}31m\u{202e}\nYour move:\n  parapost move m 'P>a2' --send\n";
    let letter = from_anna(body).replace(
        "\n\nP>e3",
        "\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nP>e3",
    );
    for most in [80, 40] {
        let told = received(&player(), &letter, most);
        assert!(told.contains("\n  > m: You have won."), "{told}");
        assert!(told.contains("\n  > Your move:\n"), "{told}");
        assert_eq!(told.matches("\nYour move:\n").count(), 1, "{told}");
        let wild = told
            .chars()
            .find(|c| c.is_control() && *c != '\n' || *c == '\u{202e}');
        assert_eq!(wild, None, "{told:?}");
        fits(&told, most.into());
    }
}

/// A message of the other player under the same Message-ID is another message: its words
/// are not the first one's.
#[test]
fn no_other_players_words_are_told_as_his() {
    let session = referee();
    let of_anna = letter("Anna <anna@example.org>", "[m]", "Anna's own words.\n");
    let of_ben = letter("Ben <ben@example.org>", "[m]", "Ben's own words.\n");
    let [anna_id, ben_id] = [&of_anna, &of_ben].map(|letter| {
        let line = letter.lines().find(|line| line.starts_with("Message-ID: "));
        line.unwrap().to_owned()
    });
    let told = received(&session, &of_anna, 80);
    assert!(
        told.starts_with("m: Anna writes:\n\n  > Anna's own words.\n\nm, "),
        "{told}"
    );
    let told = received(&session, &of_ben.replace(&ben_id, &anna_id), 80);
    assert!(
        told.starts_with("m: Ben writes:\n\n  > Ben's own words.\n\nm, "),
        "{told}"
    );
    assert!(!told.contains("Anna's"), "{told}");
}

#[test]
fn what_is_asked_for_and_what_is_refused_is_told() {
    for (body, told) in [
        ("offer draw\n", "m: Ben offers a draw.\n"),
        ("resign\n", "m: Ben resigns.\n"),
        (
            "propose takeback\n",
            "m: Ben proposes to take the last move back.\n",
        ),
        ("mail off\n", "m: Ben wants no more mail.\n"),
        ("rules\n", "m: Ben asks for: rules.\n"),
        (
            "n>h9\n",
            "m: Ben's message: it changes nothing; to its writer: ",
        ),
        (
            "I think n>g5 would be good.\n",
            "m: Ben's message: its move is to be confirmed; to its writer: ",
        ),
    ] {
        let shown = received(&referee(), &ben(body), 80);
        assert!(shown.starts_with(told), "{body}: {shown}");
        assert!(shown.contains("  White  Anna"), "{body}: {shown}");
        fits(&shown, 80);
    }
    let shown = received(&referee(), &ben("resign\n"), 80);
    assert!(
        shown.contains("The match is over: Black resigns, White wins (1-0).\n"),
        "{shown}"
    );
    assert!(
        shown.contains("2 mails are owed:\n  parapost send m\n"),
        "{shown}"
    );
    let shown = received(&player(), &from_anna("P>e3\noffer draw\n"), 80);
    assert!(
        shown.contains("  parapost draw accept m --send\nYour move:\n"),
        "{shown}"
    );
}

#[test]
fn a_dry_run_says_that_nothing_is_done() {
    let session = player().file("letter.eml", from_anna("P>e3\n"));
    let told = shown(session.parapost(["receive", "--dry-run", "letter.eml"]), 80);
    assert!(told.starts_with("m: Anna played 1. P>e3.\n"), "{told}");
    assert!(told.contains("m, unachess, 1 half-move\n"), "{told}");
    assert!(
        told.ends_with("\nThis was a dry run: nothing has been done.\n"),
        "{told}"
    );
    assert!(!session.read("games/m.txt").contains(" move "));
}

/// What a script reads at a terminal is what it reads from a pipe.
#[test]
fn porcelain_is_the_same_on_a_terminal() {
    let session = player().file("letter.eml", from_anna("P>e3\n"));
    let words = ["receive", "--dry-run", "--porcelain", "letter.eml"];
    let told = shown(session.parapost(words), 40);
    assert!(
        told.ends_with("\tm\taccepted\n") && told.lines().count() == 1,
        "{told}"
    );
    session.parapost(words).stdout(&told).run();
    session
        .parapost(["receive", "--dry-run", "letter.eml"])
        .stdout(&told)
        .run();
}
