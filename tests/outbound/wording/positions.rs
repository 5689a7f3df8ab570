//! The mails of a player's own moves and commands.

use super::{Desk, SAMPLES, sample, snapshot};

/// The mail of a move after others, by the player whose turn it is.
fn moved(game: &str, moves: &str, text: &str) -> String {
    let is_first = moves.split_whitespace().count().is_multiple_of(2);
    let desk = Desk::of(if is_first { "anna" } else { "ben" });
    desk.begin(game, moves);
    desk.run(&["move", "m", text, "--print"])
}

#[test]
fn a_move_is_mailed_in_every_game() {
    for game in SAMPLES {
        let moves = sample(game);
        let mail = moved(game, &moves[..11].join(" "), &moves[11]);
        snapshot(&format!("position-{game}"), &mail);
    }
}

#[test]
fn moves_are_told_with_their_marks() {
    snapshot("position-first-move", &moved("unachess", "", "P>e3"));
    snapshot("position-check", &moved("unachess", "K>e1 k>e8", "R>e4"));
    snapshot("position-virtual-check", &moved("unachess", "K>h1", "n>f2"));
    snapshot(
        "position-kingchess-first-placement",
        &moved("kingchess", "", "K>b1,B>b2,P>b3,P>c2,P>f4,P>g4"),
    );
}

#[test]
fn a_deadline_is_told() {
    let desk = Desk::of("anna");
    desk.new_match("unachess", "", &["--invited", "--time", "10d"]);
    snapshot(
        "position-deadline",
        &desk.run(&["move", "m", "P>e3", "--print"]),
    );
    snapshot(
        "position-deadline-draw-offered",
        &desk.run(&["draw", "offer", "m", "--print"]),
    );
}

#[test]
fn options_and_events_are_told() {
    let desk = Desk::of("anna");
    let more = ["--invited", "--option", "pawns-1-4", "--event", "Cup"];
    desk.new_match("unachess", "", &more);
    snapshot(
        "position-options",
        &desk.run(&["move", "m", "P>e3", "--print"]),
    );
}

#[test]
fn a_position_is_sent_again() {
    let desk = Desk::of("anna");
    desk.begin("unachess", "P>e3 n>g5 B>f4");
    snapshot(
        "position-resent",
        &desk.run(&["send", "--resend", "m", "--print"]),
    );
}

#[test]
fn a_draw_that_may_be_claimed_is_told() {
    let moves = "N-f3 n-f6 N-g1 n-g8 N-f3 n-f6 N-g1";
    snapshot("position-claim-possible", &moved("chess", moves, "n-g8"));
}

/// Who is not to move cannot claim it, and is not told to.
#[test]
fn a_draw_that_may_be_claimed_is_told_to_the_player_to_move_alone() {
    let desk = Desk::of("ref");
    desk.begin("chess", &"N-f3 n-f6 N-g1 n-g8 ".repeat(2));
    for (from, is_to_move) in [("anna", true), ("ben", false)] {
        let mail = desk.receive(from, "legal\nN>h9\n");
        assert!(mail.contains("\"offer draw\""), "{mail}");
        let told = mail.contains("You may \"claim draw\"");
        assert_eq!(told, is_to_move, "{mail}");
    }
}

#[test]
fn a_draw_is_offered_and_declined() {
    let desk = Desk::of("anna");
    desk.begin("unachess", "P>e3 n>g5");
    snapshot(
        "position-draw-offered",
        &desk.run(&["draw", "offer", "m", "--print"]),
    );

    let desk = Desk::of("anna");
    desk.begin("unachess", "");
    desk.run(&["move", "m", "P>e3"]);
    snapshot(
        "position-draw-offered-with-a-move",
        &desk.run(&["draw", "offer", "m", "--print"]),
    );

    let desk = Desk::of("anna");
    desk.begin("unachess", "P>e3");
    desk.receive("ben", "offer draw\n");
    snapshot(
        "position-draw-declined",
        &desk.run(&["draw", "decline", "m", "--print"]),
    );
}

#[test]
fn a_move_is_taken_back_or_not() {
    let desk = Desk::of("anna");
    desk.begin("unachess", "P>e3");
    snapshot(
        "position-takeback-proposed",
        &desk.run(&["takeback", "propose", "m", "--print"]),
    );

    for (name, answer) in [
        ("position-takeback-accepted", "accept"),
        ("position-takeback-declined", "decline"),
    ] {
        let desk = Desk::of("anna");
        desk.begin("unachess", "P>e3 n>g5");
        desk.receive("ben", "propose takeback\n");
        snapshot(name, &desk.run(&["takeback", answer, "m", "--print"]));
    }
}
