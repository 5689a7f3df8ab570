//! Who is answered, and with what.

use super::{anna, begin, ben, events, header, id, letter, mails, receive, referee, session};
use crate::support::board;

#[test]
fn a_referee_tells_the_opponent_and_thanks_the_mover() {
    let session = referee();
    let body = "n>g5\n\nGood luck!\n";
    let output = receive(&session, &["--print"], &ben(body), "m", "accepted")
        .stderr("")
        .run();
    let mails = mails(&output.stdout);
    let [position, receipt] = mails.as_slice() else {
        panic!("{}", output.stdout);
    };
    assert_eq!(header(position, "To:"), "Anna <anna@example.org>");
    assert_eq!(header(position, "Subject:"), "[m] Unachess: Anna - Ben");
    assert!(
        position.contains("\nBen writes:\n\n> Good luck!\n"),
        "{position}"
    );
    assert!(position.contains("1.  P>e3    n>g5\n"), "{position}");
    assert!(
        position.contains("\nGame m, 2 half-moves made, hash "),
        "{position}"
    );
    assert_eq!(header(receipt, "To:"), "Ben <ben@example.org>");
    assert_eq!(header(receipt, "In-Reply-To:"), id(body));
    assert_eq!(header(receipt, "Auto-Submitted:"), "auto-replied");
    assert!(receipt.contains("\nReceived, thank you."), "{receipt}");
    assert_eq!(
        events(&session, 2),
        [
            "move Black n>g5",
            "note Black \"Good",
            "owed White position",
            "owed Black receipt",
            "sent White position",
            "sent Black receipt",
        ]
    );
}

#[test]
fn a_player_mails_nothing_for_an_accepted_move() {
    let session = anna();
    let output = receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
    assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
    assert_eq!(events(&session, 2), ["move Black n>g5"]);
    session.parapost(["send", "m", "--print"]).run();
}

#[test]
fn without_send_and_print_the_answer_stays_owed() {
    let session = referee();
    let output = receive(&session, &[], &ben("n>g5\n"), "m", "accepted").run();
    assert_eq!(output.stdout.lines().count(), 1);
    assert_eq!(
        events(&session, 2),
        [
            "move Black n>g5",
            "owed White position",
            "owed Black receipt"
        ]
    );
    let sent = session.parapost(["send", "--print"]).any_stdout().run();
    assert_eq!(mails(&sent.stdout).len(), 2, "{}", sent.stdout);
}

#[test]
#[ignore = "takes long"]
fn what_is_not_played_is_answered_with_the_reason_and_the_position() {
    for (body, word, pieces) in [
        (
            "n>e3\n",
            "refused",
            &[
                "    n>e3\n",
                "White's pawn stands there",
                "Legal moves of the knight: n>d2,",
            ][..],
        ),
        (
            "1... p>e8\n",
            "refused",
            &[
                "    1... p>e8\n",
                "ranks 5, 6 or 7",
                "Legal moves of the pawn: p>d7,",
            ],
        ),
        (
            "n>g5\nn>f6\n",
            "refused",
            &["    n>g5\n    n>f6\n", "two different moves"],
        ),
        (
            "2... n>g5\n",
            "refused",
            &["    2... n>g5\n", "the next move, which is 1..."],
        ),
        (
            "1. P>e4 n>g5\n",
            "refused",
            &["    1. P>e4 n>g5\n", "1. P>e3"],
        ),
        (
            "I'd take n>g5 here\n",
            "confirm",
            &["    I'd take n>g5 here\n", "\n    1... n>g5\n"],
        ),
        (
            "accept draw\n",
            "refused",
            &["    accept draw\n", "no offer of a draw by White"],
        ),
        (
            "n>g5\nresign\n",
            "refused",
            &["    n>g5\n    resign\n", "can't be played together"],
        ),
        (
            "claim draw\n",
            "refused",
            &["    claim draw\n", "three times"],
        ),
        (
            "show 7\n",
            "refused",
            &["    show 7\n", "Only 1 half-move has been made."],
        ),
        ("\n", "refused", &["There is no move in your message."]),
    ] {
        for session in [referee(), anna()] {
            let before = session.read("games/m.txt");
            let output = receive(&session, &["--print"], &ben(body), "m", word).run();
            let mails = mails(&output.stdout);
            let [mail] = mails.as_slice() else {
                panic!("{body:?}\n{}", output.stdout);
            };
            assert_eq!(header(mail, "To:"), "Ben <ben@example.org>");
            assert_eq!(header(mail, "In-Reply-To:"), id(body));
            assert_eq!(header(mail, "References:"), id(body));
            assert_eq!(header(mail, "Auto-Submitted:"), "auto-replied");
            for piece in pieces.iter().chain(&[
                "\n- - - - P - - -\n",
                "\n1.  P>e3\n",
                "reply with your move on a line of its own",
                "\nGame m, 1 half-move made, hash ",
            ]) {
                assert!(
                    mail.contains(piece),
                    "{body:?}: {piece:?} is not in\n{mail}"
                );
            }
            assert_eq!(board(&session.read("games/m.txt")), board(&before));
            let events = events(&session, 2);
            assert_eq!(events[0], format!("refused Black {word}"));
            assert_eq!(events[1..], ["owed Black answer", "sent Black answer"]);
        }
    }
}

#[test]
fn a_small_b_that_can_be_two_pieces_is_shown() {
    let session = session("ref", "referee");
    begin(
        &session,
        "m",
        "K>e1 k>h8 N>c6 b>d7 P>a2 p>b7 P>h2 p>h7 P>a3",
    );
    let output = receive(&session, &["--print"], &ben("bxc6\n"), "m", "ambiguous").run();
    for piece in ["    bxc6\n", "    5... Bxc6\n    5... pbxc6\n"] {
        assert!(output.stdout.contains(piece), "{}", output.stdout);
    }
}

#[test]
fn an_answer_goes_to_the_address_that_was_written_from() {
    let session = referee();
    let letter = letter("ben@work.test", "[m]", "n>e3\n");
    let output = receive(&session, &["--print"], &letter, "m", "refused").run();
    assert_eq!(
        header(&mails(&output.stdout)[0], "To:"),
        "Ben <ben@work.test>"
    );
}

#[test]
fn an_answer_that_could_not_be_sent_goes_when_the_letter_comes_again() {
    let closed =
        "\n[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = 1\ntls = \"none\"\n";
    let session = referee();
    let config = session.read("config.toml");
    let session = session.file("config.toml", config + closed);
    for word in ["accepted", "duplicate"] {
        receive(&session, &["--send"], &ben("n>g5\n"), "m", word)
            .stderr_contains("127.0.0.1")
            .stderr_contains("still owed")
            .status(75)
            .run();
    }
    receive(
        &session,
        &["--send", "--deliver"],
        &ben("n>g5\n"),
        "m",
        "duplicate",
    )
    .status(75)
    .run();
    let output = receive(&session, &["--print"], &ben("n>g5\n"), "m", "duplicate").run();
    assert_eq!(mails(&output.stdout).len(), 2, "{}", output.stdout);
    let output = receive(&session, &["--print"], &ben("n>g5\n"), "m", "duplicate").run();
    assert_eq!(output.stdout.lines().count(), 1);
}
