//! How much one person, and all together, can have of the partner.

use super::{
    LEVELS, OPEN, again, anna, answer, begun, club, flat, letter, partners, receive, receive_at,
    turns, turns_at,
};

/// A person has three matches at a time, and is told which.
#[test]
fn a_person_has_three_matches_at_a_time_and_begins_six_a_day() {
    let house = club(LEVELS);
    let mut first_mails = Vec::new();
    for number in 0..3 {
        let (_, mail) = begun(&house, "white", 10 * number);
        // One that waits for its first move is the only one that does.
        let words = "new chess with partner level 1";
        let told = receive(&house, &anna(10 * number + 1, words), "\trefused\n");
        assert!(
            flat(&told[0]).contains("waits for your first move"),
            "{}",
            told[0]
        );
        let first = answer("anna@example.org", 10 * number + 2, &mail, "P>e3");
        receive(&house, &first, "\taccepted\n");
        turns(&house);
        first_mails.push(mail);
    }
    let words = "new chess as white with partner level 1";
    let told = receive(&house, &anna(40, words), "\trefused\n").remove(0);
    let told = flat(&told);
    assert!(
        told.contains("You have 3 matches with it under way"),
        "{told}"
    );
    for game in partners(&house) {
        assert!(told.contains(&format!("[{}]", game.id())), "{told}");
    }
    // What is over makes room.
    let resigned = answer("anna@example.org", 41, &first_mails[0], "resign match");
    receive(&house, &resigned, "\tcommand\n");
    for number in 0..3 {
        let (_, mail) = begun(&house, "white", 50 + 10 * number);
        let declined = answer("anna@example.org", 52 + 10 * number, &mail, "decline");
        receive(&house, &declined, "\tcommand\n");
    }
    let told = receive(&house, &anna(90, words), "\trefused\n").remove(0);
    assert!(flat(&told).contains("please ask again tomorrow"), "{told}");
    let tomorrow = "2026-11-21T06:00:00Z";
    let mails = receive_at(&house, tomorrow, &anna(91, words), "\tcommand\n");
    assert_eq!(mails.len(), 1);
    assert_eq!(partners(&house).len(), 7);
}

/// A flood of invented senders.
#[test]
#[ignore = "takes long"]
fn fifty_matches_of_strangers_begin_in_a_day() {
    let house = club(OPEN);
    let words = "new unachess as white with partner level 1";
    let letters = (0..60).map(|number| {
        let letter = letter(&format!("e{number}@elsewhere.test"), 1, words);
        format!("From x Fri Nov 20 05:00:00 2026\n{letter}\n")
    });
    house.write("box", letters.collect::<String>());
    let run = house.parapost(["receive", "--mbox", "box"]).status(1);
    let output = run.any_stdout().any_stderr().run();
    assert_eq!(output.stdout.matches("\tcommand\n").count(), 50);
    assert_eq!(output.stdout.matches("\tstranger\n").count(), 10);
    assert_eq!(partners(&house).len(), 50);
    // Who plays here is not shut out by them.
    assert_eq!(receive(&house, &anna(2, words), "\tcommand\n").len(), 1);
    let tomorrow = "2026-11-21T06:00:00Z";
    let late = letter("late@elsewhere.test", 1, words);
    receive_at(&house, tomorrow, &late, "\tcommand\n");
}

/// Whoever comes when the hour is used up is answered in the next one.
#[test]
fn beyond_the_time_of_an_hour_moves_wait_for_the_next() {
    let house = club(LEVELS);
    let (game, mail) = begun(&house, "black", 1);
    // The log says how long it thought.
    let text = house.read(format!("games/{}.txt", game.id()));
    let (before, behind) = text.split_once(" thought=").unwrap();
    let rest = &behind[behind.find(' ').unwrap()..];
    let long = format!("{before} thought=600000{rest}");
    house.write(
        format!("games/{}.txt", game.id()),
        crate::support::chained(&long),
    );
    let second = answer("anna@example.org", 2, &mail, "p>e6");
    receive(&house, &second, "\taccepted\n");
    let run = house.parapost(["partner", "--send"]);
    run.stderr_contains("1 turn of the partner waits").run();
    assert_eq!(again(&house, game.id().as_str()).record().steps().len(), 2);
    assert_eq!(turns_at(&house, "2026-11-20T06:00:01Z").len(), 1);
    assert_eq!(again(&house, game.id().as_str()).record().steps().len(), 3);
}

/// What nobody plays on does not fill the place of others for ever.
#[test]
fn a_match_that_is_left_is_given_up_after_months() {
    let house = club(LEVELS);
    let (game, mail) = begun(&house, "white", 1);
    receive(
        &house,
        &answer("anna@example.org", 2, &mail, "P>e3"),
        "\taccepted\n",
    );
    turns(&house);
    assert!(turns_at(&house, "2027-03-19T05:00:00Z").is_empty());
    let mails = turns_at(&house, "2027-03-21T05:00:00Z");
    assert!(mails[0].contains("(Black) resigns."), "{}", mails[0]);
    assert!(again(&house, game.id().as_str()).ending().is_some());
}
