//! The mails of a referee: the position to one player, the receipt to the other.

use std::os::unix::fs::PermissionsExt as _;

use super::{Desk, snapshot};

/// The mails of a message of Ben's after those moves.
fn ben_writes(moves: &str, body: &str) -> String {
    let desk = Desk::of("ref");
    desk.begin("unachess", moves);
    desk.receive("ben", body)
}

#[test]
fn a_move_is_told_to_both() {
    snapshot("referee-move", &ben_writes("P>e3", "n>g5\n"));
    snapshot(
        "referee-move-with-words",
        &ben_writes("P>e3", "n>g5\n\nGood luck, Änne!\nFrom Ben\n"),
    );
    snapshot("referee-check", &ben_writes("K>e1 k>e8 P>a2", "r>e4\n"));
    snapshot("referee-virtual-check", &ben_writes("K>h1", "n>f2\n"));
    snapshot("referee-warnings", &ben_writes("P>e3", "1... n>g5 +\n"));
    snapshot("referee-checkmate", &ben_writes("K>h1 k>h3 P>a2", "q>g2\n"));
}

#[test]
fn the_time_for_a_move_is_told_to_both() {
    let desk = Desk::of("ref");
    let more = ["--invited", "--time", "10d", "--event", "Cup"];
    desk.new_match("unachess", "P>e3", &more);
    snapshot("referee-deadline", &desk.receive("ben", "n>g5\n"));
}

#[test]
fn a_shogi_player_is_called_by_his_side() {
    let desk = Desk::of("ref");
    desk.begin("shogi", "P-c4");
    snapshot("referee-shogi", &desk.receive("ben", "p-f6\n"));
}

#[test]
fn draws_are_told_to_both() {
    snapshot("referee-draw-offered", &ben_writes("P>e3", "offer draw\n"));
    snapshot(
        "referee-draw-offered-with-a-move",
        &ben_writes("P>e3", "n>g5\n\noffer draw\n"),
    );
    for (name, answer) in [
        ("referee-draw-accepted", "accept draw\n"),
        ("referee-draw-declined", "decline draw\n"),
    ] {
        let desk = Desk::of("ref");
        desk.begin("unachess", "P>e3");
        desk.receive("ben", "n>g5\noffer draw\n");
        snapshot(name, &desk.receive("anna", answer));
    }
    let desk = Desk::of("ref");
    desk.begin("chess", &"N-f3 n-f6 N-g1 n-g8 ".repeat(2));
    snapshot(
        "referee-draw-claimed",
        &desk.receive("anna", "claim draw\n"),
    );
}

#[test]
fn a_resignation_is_told_to_both() {
    snapshot("referee-resigned", &ben_writes("P>e3", "resign\n"));
    snapshot(
        "referee-resigned-with-words",
        &ben_writes("P>e3", "I resign.\n\nThanks for the game!\n"),
    );
}

#[test]
fn takebacks_are_told_to_both() {
    let desk = Desk::of("ref");
    desk.begin("unachess", "P>e3 n>g5");
    let proposed = desk.receive("ben", "Sorry!\n\npropose takeback\n");
    snapshot("referee-takeback-proposed", &proposed);
    snapshot(
        "referee-takeback-accepted",
        &desk.receive("anna", "accept takeback\n"),
    );

    let desk = Desk::of("ref");
    desk.begin("unachess", "P>e3 n>g5");
    desk.receive("ben", "propose takeback\n");
    snapshot(
        "referee-takeback-declined",
        &desk.receive("anna", "decline takeback\n"),
    );
}

#[test]
fn words_are_passed_on() {
    snapshot("referee-talk", &ben_writes("P>e3", "Nice weather here.\n"));
    snapshot(
        "referee-note",
        &ben_writes("P>e3", "note n>g5 would be silly\n"),
    );
    let desk = Desk::of("ref");
    desk.begin("unachess", "P>e3");
    desk.receive("ben", "resign\n");
    snapshot(
        "referee-talk-after-the-end",
        &desk.receive("ben", "Thanks!\n"),
    );
}

#[test]
fn that_a_mail_did_not_arrive_is_told_to_the_other() {
    let desk = Desk::of("ref");
    desk.begin("unachess", "");
    // Knows no Ben, and keeps what it takes.
    desk.0.write(
        "bin/sendmail",
        "#!/bin/sh\ncase \"$*\" in *ben@*) echo no such user >&2; exit 67; esac\ncat > last\n",
    );
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(desk.0.path("bin/sendmail"), mode).unwrap();
    let config = desk.0.read("config.toml");
    let way = "[transport]\nkind = \"sendmail\"\npath = \"bin/sendmail\"\n";
    desk.0.write("config.toml", config + way);
    let letter = "From: Anna <anna@example.org>\nSubject: [m]\nMessage-ID: <1@anna.test>\n\nP>e3\n";
    let run = desk.0.parapost(["receive", "--send"]).stdin(letter);
    run.status(1).any_stdout().any_stderr().run();
    snapshot("referee-undelivered", &desk.0.read("last"));
}
