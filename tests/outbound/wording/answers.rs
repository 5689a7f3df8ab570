//! The answers to a message that is not played, or that asks for something.

use super::{Desk, snapshot};
use crate::support::parapost;

/// The answer to a message of Ben's after those moves: a player's, which a referee's equals but for its sender.
fn answer(moves: &str, body: &str) -> String {
    let desk = Desk::of("anna");
    desk.begin("unachess", moves);
    desk.receive("ben", body)
}

/// The same by a referee.
fn referee_answers(moves: &str, body: &str) -> String {
    let desk = Desk::of("ref");
    desk.begin("unachess", moves);
    desk.receive("ben", body)
}

#[test]
#[ignore = "takes long"]
fn refused() {
    for (name, body) in [
        ("refused-occupied", "n>e3\n"),
        ("refused-pawn-rank", "1... p>e8\n"),
        ("refused-two-moves", "n>g5\nn>f6\n"),
        ("refused-number", "2... n>g5\n"),
        ("refused-other-list", "1. P>e4 n>g5\n"),
        ("refused-move-and-resignation", "n>g5\nresign\n"),
        ("refused-accept-without-offer", "accept draw\n"),
        ("refused-decline-without-offer", "decline draw\n"),
        ("refused-claim", "claim draw\n"),
        ("refused-takeback", "accept takeback\n"),
        ("refused-show", "show 7\n"),
        ("refused-no-move", "\n"),
    ] {
        snapshot(name, &answer("P>e3", body));
    }
    snapshot("refused-by-the-referee", &referee_answers("P>e3", "n>e3\n"));
    snapshot(
        "refused-long-line",
        &answer("P>e3", &format!("1... n>e3 {}\n", "and so on ".repeat(40))),
    );
}

#[test]
fn refused_for_what_is_quoted() {
    let older = "n>g5\n\n> Game m, 0 half-moves made.\n";
    snapshot("refused-older-position", &answer("P>e3", older));
    let later = "n>g5\n\n> Game m, 5 half-moves made.\n";
    snapshot("refused-later-position", &answer("P>e3", later));
    let hash = "n>g5\n\n> Game m, 1 half-moves made.\n> Hash of the moves: 0123456789abcdef\n";
    snapshot("refused-quoted-hash", &answer("P>e3", hash));
}

#[test]
fn refused_for_a_diagram_of_the_sender() {
    let desk = Desk::of("anna");
    desk.begin("unachess", "P>e3");
    let other = parapost(["show", "-"])
        .stdin("1. P>d3 n>g5\n")
        .any_stdout()
        .run();
    let body = format!("n>g5\n\n{}", other.stdout);
    snapshot("refused-diagram", &desk.receive("ben", &body));
}

#[test]
fn refused_unread() {
    let desk = Desk::of("anna");
    desk.begin("unachess", "P>e3");
    let message = format!(
        "From: ben@example.org\nSubject: Re: [m]\nMessage-ID: <1@mail.test>\nMIME-Version: 1.0\n\
         Content-Type: text/html; charset=utf-8\n\n{}n&gt;g5\n",
        "<div>".repeat(3000)
    );
    snapshot("refused-unread", &desk.receive_message(&message));
}

#[test]
fn ambiguous() {
    let moves = "K>e1 k>h8 N>c6 b>d7 P>a2 p>b7 P>h2 p>h7 P>a3";
    snapshot("ambiguous", &answer(moves, "bxc6\n"));
    snapshot(
        "ambiguous-by-the-referee",
        &referee_answers(moves, "bxc6\n"),
    );
}

#[test]
fn confirm() {
    let body = "I'd take n>g5 here\n";
    snapshot("confirm", &answer("P>e3", body));
    snapshot("confirm-by-the-referee", &referee_answers("P>e3", body));
}

#[test]
fn not_your_turn() {
    snapshot("not-your-turn", &answer("P>e3 n>g5", "p>e5\n"));
    snapshot(
        "not-your-turn-by-the-referee",
        &referee_answers("P>e3 n>g5", "p>e5\n"),
    );
}

#[test]
fn over() {
    for (name, who) in [("over", "anna"), ("over-by-the-referee", "ref")] {
        let desk = Desk::of(who);
        desk.begin("unachess", "P>e3");
        desk.receive("ben", "resign\n");
        snapshot(name, &desk.receive("ben", "n>g5\n"));
    }
}

#[test]
fn help_and_show() {
    snapshot("help", &answer("P>e3", "help\n"));
    snapshot("help-by-the-referee", &referee_answers("P>e3", "help\n"));
    snapshot("show", &answer("P>e3", "show\n"));
    for (name, body) in [
        ("show-0", "show 0\n"),
        ("show-1", "show 1\n"),
        ("show-2", "show 2\n"),
    ] {
        snapshot(name, &answer("P>e3 n>g5 B>f4", body));
    }
    snapshot("note", &answer("P>e3", "note resign\n"));
}

#[test]
fn rules_and_legal_moves() {
    snapshot("rules", &answer("P>e3", "rules\n"));
    snapshot("legal", &answer("P>e3", "legal\n"));
    snapshot("legal-not-your-turn", &answer("P>e3 n>g5", "legal\n"));
    for (name, game) in [
        ("rules-newchess", "newchess"),
        ("legal-kingchess", "kingchess"),
    ] {
        let desk = Desk::of("anna");
        desk.begin(game, "");
        let (word, _) = name.split_once('-').unwrap();
        snapshot(name, &desk.receive("ben", &format!("{word}\n")));
    }
    let desk = Desk::of("anna");
    desk.begin("unachess", "P>e3");
    desk.receive("ben", "resign\n");
    snapshot("legal-over", &desk.receive("ben", "legal\n"));
}

/// The words went on, and their writer waited in vain.
#[test]
fn no_move() {
    snapshot("no-move", &answer("P>e3", "I like this game.\n"));
}

/// What a player's own program says to the commands of the other player.
#[test]
fn receipts_of_a_player() {
    snapshot("receipt-resigned", &answer("P>e3", "resign\n"));
    snapshot("receipt-draw-offered", &answer("P>e3", "offer draw\n"));
    snapshot(
        "receipt-takeback-proposed",
        &answer("P>e3 n>g5", "propose takeback\n"),
    );
}

/// Sent to the player's own address, not to the one that it asks about.
#[test]
fn unknown_address() {
    let desk = Desk::of("ref");
    desk.begin("unachess", "P>e3");
    desk.run(&["send", "--print", "--resend", "m"]);
    let shown = desk.run(&["show", "m", "--answer"]);
    let (_, answer) = shown.split_once("\n\n").unwrap();
    let tap = answer.replace("MOVE", "n>g5");
    let mail = desk.receive_about("[m] n>g5", "ben.phone", &tap);
    snapshot("unknown-address", &mail);
    snapshot(
        "address-added",
        &desk.receive("ben", "add address ben.phone@example.org\n"),
    );
}

#[test]
fn which_game() {
    let desk = Desk::of("anna");
    for (id, game, moves) in [
        ("one", "unachess", "P>e3"),
        ("two", "shogi", "P-c4"),
        ("three", "chess", "P-e4 p-e5"),
        ("four", "chess", "P-e4"),
    ] {
        desk.run(&[
            "new",
            "--invited",
            "--id",
            id,
            "--game",
            game,
            "--white",
            "Anna <anna@example.org>",
            "--black",
            "Ben <ben@example.org>",
            "--moves",
            moves,
        ]);
    }
    desk.receive_about("Re: [four]", "ben", "resign\n");
    let mail = desk.receive_about("My move", "ben", "n>g5\n");
    snapshot("which-game", &mail);
    let mail = desk.receive_about("Re: [five]", "ben", "p>g5\n");
    snapshot("which-game-unknown-id", &mail);
    let body = "n>g5\n\n> Game one, 1 half-moves made.\n";
    let mail = desk.receive_about("Re: [two]", "ben", body);
    snapshot("which-game-two-named", &mail);
}

#[test]
fn wishes_about_mail() {
    for (name, body) in [
        ("mail-off", "mail off\n"),
        ("mail-on", "mail on\n"),
        ("mail-html-off", "mail html off\n"),
        ("mail-html-on", "mail html on\n"),
    ] {
        snapshot(name, &answer("P>e3", body));
    }
    let unsubscribed = referee_answers("P>e3", "mail off\n");
    snapshot("mail-off-by-the-referee", &unsubscribed);
}
