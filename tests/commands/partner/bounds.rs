//! How much one person, and all together, can have of the partner.

use parapost::matches::event::Event;
use parapost::matches::r#match::Match;

use super::{
    LEVELS, OPEN, again, anna, answer, begun, club, flat, header, letter, partners, receive,
    receive_at, split, turns, turns_at,
};
use crate::support::Sandbox;

const ANNA: &str = "anna@example.org";

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
    let run = house.parapost(["receive", "--mbox", "box", "--send"]);
    let output = run.status(1).any_stdout().any_stderr().run();
    let (_, mails) = split(&output.stdout);
    assert_eq!(output.stdout.matches("\tcommand\n").count(), 50);
    assert_eq!(output.stdout.matches("\tstranger\n").count(), 10);
    assert_eq!(partners(&house).len(), 50);
    // Who plays here is not shut out by them.
    assert_eq!(receive(&house, &anna(2, words), "\tcommand\n").len(), 1);
    // What is over has caused its mail.
    let declined = mails.iter().map(|mail| {
        let letter = answer(header(mail, "To:"), 2, mail, "decline");
        format!("From x Fri Nov 20 05:00:00 2026\n{letter}\n")
    });
    house.write("box", declined.collect::<String>());
    let run = house.parapost(["receive", "--mbox", "box"]);
    let output = run.any_stdout().any_stderr().run();
    assert_eq!(output.stdout.matches("\tcommand\n").count(), 50);
    let further = letter("further@elsewhere.test", 1, words);
    assert!(receive(&house, &further, "\tstranger\n").is_empty());
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

/// A match that ends does not take its time along.
#[test]
fn the_time_of_an_hour_is_that_of_finished_matches_too() {
    let house = club(LEVELS);
    let (game, mail) = begun(&house, "black", 1);
    let file = format!("games/{}.txt", game.id());
    let text = house.read(&file);
    let (before, behind) = text.split_once(" thought=").unwrap();
    let rest = &behind[behind.find(' ').unwrap()..];
    let long = format!("{before} thought=600000{rest}");
    house.write(file, crate::support::chained(&long));
    let declined = answer(ANNA, 2, &mail, "decline");
    receive(&house, &declined, "\tcommand\n");
    let words = "new chess as black with partner level 1";
    assert!(receive(&house, &anna(3, words), "\tcommand\n").is_empty());
    let run = house.parapost(["partner", "--send"]);
    run.stderr_contains("1 turn of the partner waits").run();
    assert_eq!(turns_at(&house, "2026-11-20T06:00:01Z").len(), 1);
}

/// Begins a match of Anna's as White and plays its first move. Returns its id and the receipt.
fn played(house: &Sandbox, number: usize) -> (String, String) {
    let (game, mail) = begun(house, "white", number);
    let first = answer(ANNA, number + 1, &mail, "P>e3");
    let receipt = receive(house, &first, "\taccepted\n").remove(0);
    turns(house);
    (game.id().to_string(), receipt)
}

/// The id of the match that follows.
fn rematch(game: &Match) -> Option<String> {
    game.log().iter().find_map(|event| match &event.event {
        Event::Rematch(id) => id.clone(),
        _ => None,
    })
}

/// As many as the words for a match begin.
#[test]
fn a_rematch_is_within_the_bounds_of_any_match() {
    let house = club(LEVELS);
    let (over, receipt) = played(&house, 10);
    let resigned = answer(ANNA, 12, &receipt, "resign");
    receive(&house, &resigned, "\tcommand\n");
    let under_way: Vec<_> = [20, 30, 40].map(|at| played(&house, at)).into();
    let told = receive(
        &house,
        &answer(ANNA, 50, &receipt, "rematch"),
        "\trefused\n",
    );
    let told = flat(&told[0]);
    assert!(
        told.contains("You have 3 matches with it under way"),
        "{told}"
    );
    assert_eq!(partners(&house).len(), 4);
    assert_eq!(rematch(&again(&house, &over)), None);
    // Of two that are over one has a rematch, until somebody plays on it.
    let (_, second) = &under_way[0];
    receive(&house, &answer(ANNA, 51, second, "resign"), "\tcommand\n");
    receive(
        &house,
        &answer(ANNA, 52, &receipt, "rematch"),
        "\tcommand\n",
    );
    let told = receive(&house, &answer(ANNA, 53, second, "rematch"), "\trefused\n");
    assert!(
        flat(&told[0]).contains("waits for your first move"),
        "{}",
        told[0]
    );
    // Its first mail has the partner's move.
    let mails = turns(&house);
    assert_eq!(mails.len(), 1);
    let asked = format!("a letter to the referee: rematch of {over}.");
    let first = flat(&mails[0]);
    assert!(first.contains(&asked), "{first}");
    let stands = "The invitation stands until the end of Friday, 27 November 2026";
    assert!(first.contains(stands), "{first}");
    receive(
        &house,
        &answer(ANNA, 54, &mails[0], "decline"),
        "\tcommand\n",
    );
    begun(&house, "white", 60);
    let declined = partners(&house)
        .into_iter()
        .find(Match::is_invitation_open)
        .unwrap();
    assert_eq!(partners(&house).len(), 6);
    // The sixth is the last one of the day.
    turns_at(&house, "2026-11-29T05:00:00Z");
    assert!(again(&house, declined.id().as_str()).ending().is_some());
    let told = receive(&house, &answer(ANNA, 61, second, "rematch"), "\trefused\n");
    assert!(
        flat(&told[0]).contains("please ask again tomorrow"),
        "{}",
        told[0]
    );
}

/// A rematch that nobody plays on lapses, whoever has the first move.
#[test]
fn a_rematch_lapses_as_any_invitation_of_the_partner() {
    for side in ["white", "black"] {
        let house = club(LEVELS);
        let (game, mail) = begun(&house, side, 1);
        let ply = if side == "white" { "P>e3" } else { "p>e6" };
        let first = answer(ANNA, 2, &mail, ply);
        let receipt = receive(&house, &first, "\taccepted\n").remove(0);
        turns(&house);
        receive(&house, &answer(ANNA, 3, &receipt, "resign"), "\tcommand\n");
        receive(&house, &answer(ANNA, 4, &receipt, "rematch"), "\tcommand\n");
        turns(&house);
        let next = rematch(&again(&house, game.id().as_str())).unwrap();
        // Under "address", too, a letter must show that its writer has the mail.
        let blind = anna(5, "decline").replace("hello", &format!("[{next}] hello"));
        receive(&house, &blind, "<5@anna.test>");
        assert!(again(&house, &next).turn().is_some());
        turns_at(&house, "2026-11-29T05:00:00Z");
        assert!(again(&house, &next).ending().unwrap().is_void(), "{side}");
    }
}

/// All mailboxes of a person are one, whatever they were called when a match began.
#[test]
fn a_persons_mailboxes_are_counted_together() {
    let house = club(LEVELS);
    begun(&house, "white", 1);
    let players = [
        "--white",
        "Anna <anna@example.org>, <anna@home.test>",
        "--black",
        "Ben <ben@example.org>",
    ];
    let line = ["new", "--game", "chess", "--id", "n", "--invited"];
    let run = house.parapost(line.iter().chain(&players));
    run.stdout("n\n").run();
    let words = "new chess as white with partner level 1";
    let asked = letter("anna@home.test", 2, words);
    let told = receive(&house, &asked, "\trefused\n");
    assert!(
        flat(&told[0]).contains("waits for your first move"),
        "{}",
        told[0]
    );
    assert_eq!(partners(&house).len(), 1);
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
