//! Matches with the partner of somebody who claims another person's address.

use parapost::matches::event::LogEntry;

use super::{
    LEVELS, OPEN, again, anna, answer, club, flat, letter, only, partners, receive, receive_at,
    turns,
};
use crate::support::Sandbox;

const CARL: &str = "carl@c.test";

fn carl(number: usize, side: &str) -> String {
    letter(
        CARL,
        number,
        &format!("new unachess as {side} with partner level 1"),
    )
}

/// A referee's folder with Anna's match `m`, in which she claims Carl's address.
fn claimed(partner: &str) -> Sandbox {
    let house = club(partner);
    let mut game = again(&house, "m");
    for line in [
        format!("2026-11-20T04:00:00Z address White asked from={CARL}"),
        format!("2026-11-20T04:00:00Z address White added from={CARL} msg=<1@example.org>"),
    ] {
        game.push(line.parse::<LogEntry>().unwrap()).unwrap();
    }
    house.write("games/m.txt", game.to_string());
    house
}

#[test]
fn a_claim_begins_no_match() {
    let house = claimed(LEVELS);
    let run = house.parapost(["receive", "--send", "--deliver"]);
    run.stdin(carl(2, "white")).any_stdout().any_stderr().run();
    assert!(partners(&house).is_empty());
}

#[test]
fn her_matches_with_the_partner_are_not_his() {
    let house = claimed(OPEN);
    for number in 10..13 {
        let asked = anna(number, "new unachess as white with partner level 1");
        let mails = receive(&house, &asked, "\tcommand\n");
        assert!(!flat(&mails[0]).contains(CARL), "{}", mails[0]);
        let begun = answer("anna@example.org", number + 10, &mails[0], "P>e3\n");
        receive(&house, &begun, "\taccepted\n");
        turns(&house);
    }
    for game in partners(&house) {
        assert!(!game.to_string().contains(CARL), "{game}");
    }
    let refused = anna(13, "new unachess as white with partner level 1");
    let mails = receive_any(&house, &refused);
    assert!(
        flat(&mails).contains("3 matches with it under way"),
        "{mails}"
    );
    let mails = receive(&house, &carl(30, "white"), "\tcommand\n");
    assert!(mails[0].contains(CARL), "{}", mails[0]);
    assert_eq!(partners(&house).len(), 4);
}

fn receive_any(house: &Sandbox, letter: &str) -> String {
    let run = house
        .parapost(["receive", "--send", "--deliver"])
        .stdin(letter);
    run.any_stdout().any_stderr().run().stdout
}

#[test]
fn who_answers_no_mail_gets_one_in_thirty_days() {
    let house = club(OPEN);
    let mails = receive(&house, &carl(2, "white"), "\tcommand\n");
    assert_eq!(mails.len(), 1);
    let refused = |now: &str, number: usize| {
        let run = house.parapost(["receive", "--send", "--deliver"]).now(now);
        let run = run.stdin(carl(number, "white")).any_stdout().any_stderr();
        let output = run.run();
        assert!(!output.stdout.contains("\nTo: "), "{}", output.stdout);
    };
    for (number, day) in [(3, "11-21"), (4, "11-28"), (5, "12-05"), (6, "12-19")] {
        refused(&format!("2026-{day}T05:00:00Z"), number);
    }
    receive_at(
        &house,
        "2026-12-21T05:00:00Z",
        &carl(7, "white"),
        "\tcommand\n",
    );
}

#[test]
fn a_letter_without_a_match_is_not_about_one_that_somebody_has_begun_in_its_writers_name() {
    let house = club(OPEN);
    let mails = receive(
        &house,
        &anna(2, "new unachess as white with partner level 1"),
        "\tcommand\n",
    );
    receive(&house, &anna(3, "P>e3\n"), "m\taccepted\n");
    let game = only(&house);
    assert!(game.record().steps().is_empty());
    let moves = answer("anna@example.org", 4, &mails[0], "P>e4\n");
    receive(&house, &moves, "\taccepted\n");
    let game = only(&house);
    assert!(
        game.to_string()
            .contains(" address White proven from=anna@example.org"),
        "{game}"
    );
}
