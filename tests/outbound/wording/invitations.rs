//! The mail that begins a match.

use parapost::rules::games;

use super::{Desk, SAMPLES, snapshot};

#[test]
fn a_player_invites_to_every_game() {
    for game in SAMPLES {
        let mail = Desk::of("anna").new_match(game, "", &["--print"]);
        snapshot(&format!("invitation-{game}"), &mail);
    }
}

/// Each option alone, one mail after the other.
#[test]
fn every_option_is_told() {
    let mut mails = String::new();
    for game in games::ALL {
        for option in game.options {
            let more = ["--option", option.name, "--print"];
            mails += &Desk::of("anna").new_match(game.id, "", &more);
        }
    }
    snapshot("invitation-options", &mails);
}

#[test]
fn the_terms_of_a_match_are_told() {
    let terms = |days| {
        let more = ["--time", days, "--event", "Club championship", "--print"];
        Desk::of("anna").new_match("unachess", "", &more)
    };
    snapshot("invitation-ten-days", &terms("10d"));
    snapshot("invitation-one-day", &terms("1d"));
}

#[test]
fn black_can_invite() {
    let mail = Desk::of("ben").new_match("unachess", "", &["--print"]);
    snapshot("invitation-to-white", &mail);
}

#[test]
fn a_referee_invites_both() {
    let more = ["--time", "10d", "--event", "Cup", "--print"];
    let mails = Desk::of("ref").new_match("unachess", "", &more);
    snapshot("invitation-by-the-referee", &mails);
}

#[test]
fn a_running_match_is_taken_over() {
    for (name, moves) in [
        ("invitation-one-half-move", "P>e3"),
        ("invitation-two-half-moves", "P>e3 n>g5"),
    ] {
        let mail = Desk::of("anna").new_match("unachess", moves, &["--print"]);
        snapshot(name, &mail);
    }
}

#[test]
fn names_need_not_be_ascii() {
    let players = [
        "--white",
        "Änne Weiß, geb. O'Neil <anna@example.org>",
        "--black",
        "山田 <ben@example.org>",
        "--print",
    ];
    let mail = Desk::of("anna").new_match("shogi", "", &players);
    snapshot("invitation-names", &mail);
}
