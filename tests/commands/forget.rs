//! `parapost forget` and `parapost export --person`: what a club does for somebody who asks.

use std::time::Duration;

use parapost::store::folder::Folder;

use crate::commands::play::{house, of};
use crate::support::Sandbox;

const NAME: &str = "Anna Rosenthal";
const ADDRESS: &str = "anna.r@home.test";

/// Hears a letter of a player's about a match.
#[track_caller]
fn hear(house: &Sandbox, id: &str, from: &str, number: usize, body: &str, word: &str) {
    let letter = format!(
        "From: {from}\nTo: ref@example.org\nSubject: Re: [{id}] Unachess\n\
         Message-ID: <{number}.{from}>\n\n{body}\n"
    );
    house
        .parapost(of("ref", &["receive"]))
        .stdin(letter)
        .stdout_contains(&format!("\t{word}\n"))
        .any_stderr()
        .status(i32::from(word == "refused"))
        .run();
}

/// A referee's match in which Anna has said a lot.
fn club(id: &str) -> Sandbox {
    let house = house();
    begin(&house, id);
    house
}

fn begin(house: &Sandbox, id: &str) {
    let white = format!("{NAME} <{ADDRESS}>, <anna@work.test>");
    let words = ["new", "--id", id, "--game", "unachess", "--white", &white];
    let more = [
        "--black",
        "Ben <ben@example.org>",
        "--event",
        "Anna Rosenthal's cup",
    ];
    house
        .parapost(of("ref", &[&words[..], &more].concat()))
        .any_stdout()
        .any_stderr()
        .run();
    hear(
        house,
        id,
        ADDRESS,
        1,
        "P>e3\n\nMy secret plan, says Anna Rosenthal.",
        "accepted",
    );
    hear(
        house,
        id,
        "ben@example.org",
        2,
        "n>g5\n\nDear Anna Rosenthal (ANNA.R@home.test), hello!",
        "accepted",
    );
    hear(
        house,
        id,
        "anna@work.test",
        3,
        "note the second plan",
        "command",
    );
}

fn end(house: &Sandbox, id: &str) {
    hear(house, id, ADDRESS, 4, "resign", "command");
}

/// What would tell who the player was, in small letters.
const TRACES: [&str; 6] = [
    "rosenthal",
    "anna.r",
    "work.test",
    "home.test",
    "secret plan",
    "second plan",
];

#[test]
fn a_player_is_forgotten_and_the_moves_stay() {
    let house = club("demo");
    let line = ["forget", ADDRESS, "--yes"];
    let before = house.read("games/demo.txt");
    house
        .parapost(of("ref", &line))
        .status(1)
        .stderr_contains("demo: the player resigns first")
        .run();
    assert_eq!(house.read("games/demo.txt"), before);
    end(&house, "demo");
    let before = house.read("games/demo.txt");
    house
        .parapost(of("ref", &line[..2]))
        .stderr("This would change 1 match, for good: demo\nSay --yes to do it.\n")
        .run();
    assert_eq!(house.read("games/demo.txt"), before);
    house
        .parapost(of("ref", &line))
        .stderr("Player 1 in 1 match\n")
        .run();
    let after = house.read("games/demo.txt");
    for trace in TRACES {
        let found = after.to_lowercase().contains(trace);
        assert!(!found, "{trace}:\n{after}");
    }
    let kept = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .map(|line| line.split(" chain=").next().unwrap());
        let lines = lines.filter(|line| {
            let words = [" move ", " resign ", "Result: ", "1.  "];
            words.iter().any(|word| line.contains(word)) && !line.contains("owed")
        });
        lines
            .map(|line| line.split(" msg=").next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(kept(&after), kept(&before));
    assert!(after.contains("\nWhite: Player 1 <player-1@forgotten.invalid>\n"));
    assert!(after.contains("\nBlack: Ben <ben@example.org>\n"));
    assert!(
        after.contains("Dear Player 1 (Player 1), hello!"),
        "{after}"
    );
    assert!(after.contains(" forgotten White \"Player 1\" chain="));
    house
        .parapost(of("ref", &["verify", "demo"]))
        .stdout_contains("demo: whole: 2 half-moves")
        .run();
    // The end is still mailed to the opponent, and nothing to the player.
    house
        .parapost(of("ref", &["send"]))
        .any_stdout()
        .any_stderr()
        .run();
    for (path, mail) in house.contents() {
        if path.starts_with("games/outbox") {
            let mail = String::from_utf8(mail).unwrap();
            assert!(mail.contains("\nTo: Ben <ben@example.org>\n"), "{mail}");
            assert!(
                !mail.contains("Rosenthal") && !mail.contains("secret"),
                "{mail}"
            );
        }
    }
    house
        .parapost(of("ref", &line))
        .status(1)
        .stderr("There is no match of this player.\n")
        .run();
}

#[test]
fn matches_of_others_are_searched_and_no_mail_is_owed_to_the_player() {
    let house = club("demo");
    let words = ["new", "--id", "other", "--game", "unachess", "--white"];
    let more = [
        "Ben <ben@example.org>",
        "--black",
        "Carl <carl@example.org>",
    ];
    let begun = house.parapost(of("ref", &[&words[..], &more].concat()));
    begun.any_stdout().any_stderr().run();
    let body = "note I lost to ANNA  ROSENTHAL (Anna.R+club@Home.test, anna@work.test)";
    hear(&house, "other", "ben@example.org", 7, body, "command");
    let spare = "games/.other.txt.tmp";
    assert!(house.path(spare).exists());
    // As after a further change.
    house.write(spare, house.read("games/other.txt"));
    assert!(house.path("games/.demo.txt.tmp").exists());
    end(&house, "demo");
    assert!(!house.path("games/.demo.txt.tmp").exists());
    house
        .parapost(of("ref", &["forget", ADDRESS, "--yes"]))
        .stderr("Player 1 in others' words in 1 match\nPlayer 1 in 1 match\n")
        .run();
    let other = house.read("games/other.txt");
    // A file that was replaced is kept while a match goes on, but not with such words.
    assert!(!house.path(spare).exists());
    for trace in TRACES {
        assert!(!other.to_lowercase().contains(trace), "{trace}:\n{other}");
    }
    assert!(
        other.contains("I lost to Player 1 (Player 1, Player 1)"),
        "{other}"
    );
    house
        .parapost(of("ref", &["verify", "other"]))
        .stdout_contains("other: whole")
        .run();
    hear(
        &house,
        "demo",
        "ben@example.org",
        8,
        "note thank you",
        "command",
    );
    let resend = house.parapost(of("ref", &["send", "--resend", "demo"]));
    resend.any_stdout().any_stderr().run();
    let demo = house.read("games/demo.txt");
    let (_, after) = demo.split_once(" forgotten ").unwrap();
    assert!(!after.contains(" owed White "), "{after}");
}

#[test]
fn players_who_are_forgotten_have_numbers_of_their_own() {
    let house = club("one");
    begin(&house, "two");
    end(&house, "one");
    end(&house, "two");
    house
        .parapost(of("ref", &["forget", "anna@work.test", "--yes"]))
        .stderr("Player 1 in 2 matches\n")
        .run();
    house
        .parapost(of("ref", &["forget", "ben@example.org", "--yes"]))
        .stderr("Player 2 in 2 matches\n")
        .run();
    for id in ["one", "two"] {
        let text = house.read(format!("games/{id}.txt"));
        assert!(text.contains("\nWhite: Player 1 <"), "{text}");
        assert!(text.contains("\nBlack: Player 2 <"), "{text}");
        house
            .parapost(of("ref", &["verify", id]))
            .any_stdout()
            .run();
    }
    begin(&house, "three");
    end(&house, "three");
    house
        .parapost(of("ref", &["forget", "anna@work.test", "--yes"]))
        .stderr("Player 3 in 1 match\n")
        .run();
}

#[test]
fn a_person_gets_what_is_kept_and_nothing_of_others() {
    let house = club("demo");
    house
        .parapost(of("ref", &["export", "--person", ADDRESS, "mine"]))
        .stderr("1 match written to mine\n")
        .run();
    #[cfg(unix)]
    for (path, mode) in [("mine", 0o700), ("mine/demo.txt", 0o600)] {
        use std::os::unix::fs::PermissionsExt as _;
        let found = std::fs::metadata(house.path(path)).unwrap().permissions();
        assert_eq!(found.mode() & 0o777, mode, "{path}");
    }
    let mine = house.read("mine/demo.txt");
    for own in [
        "White: Anna Rosenthal <anna.r@home.test>, <anna@work.test>\nBlack: Ben\n",
        "\n1.  P>e3    n>g5\n",
        " move White P>e3 ",
        "the second plan",
    ] {
        assert!(mine.contains(own), "{own}:\n{mine}");
    }
    let text = house.read("games/demo.txt");
    let tokens = text.lines().filter(|line| line.contains(" owed "));
    let tokens: Vec<&str> = tokens
        .filter_map(|line| line.split_once("msg=")?.1.split(' ').next())
        .collect();
    assert!(tokens.len() > 2);
    for foreign in ["ben@example.org", "hello!"].iter().chain(&tokens) {
        assert!(!mine.contains(foreign), "{foreign}:\n{mine}");
    }
    house
        .parapost(of(
            "ref",
            &["export", "--person", "eve@example.org", "hers"],
        ))
        .status(1)
        .stderr("There is no match of this person.\n")
        .run();
}

/// After a break the player is still found, and all is done again.
#[test]
fn the_matches_of_others_are_cleared_before_the_player_is_gone() {
    let house = club("demo");
    let words = ["new", "--id", "other", "--game", "unachess", "--white"];
    let more = [
        "Ben <ben@example.org>",
        "--black",
        "Carl <carl@example.org>",
    ];
    let begun = house.parapost(of("ref", &[&words[..], &more].concat()));
    begun.any_stdout().any_stderr().run();
    let body = "note I lost to Anna Rosenthal";
    hear(&house, "other", "ben@example.org", 7, body, "command");
    end(&house, "demo");
    let before = house.read("games/demo.txt");
    let folder = Folder::new(house.path("games"), Duration::ZERO);
    let held = folder.lock(&"other".parse().unwrap()).unwrap();
    let forget = || house.parapost(of("ref", &["forget", ADDRESS, "--yes"]));
    let broken = forget().env("PARAPOST_WAIT", "0").status(75);
    broken.any_stderr().run();
    assert_eq!(house.read("games/demo.txt"), before);
    drop(held);
    forget()
        .stderr("Player 1 in others' words in 1 match\nPlayer 1 in 1 match\n")
        .run();
}
