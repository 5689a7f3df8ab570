//! The words that begin a match, and what answers them.

use parapost::rules::Color;

use super::{
    LEVELS, OPEN, again, anna, answer, begin, begun, club, empty, eve, events, header, only,
    partners, receive, refused, split, turns,
};

/// What a person reads first.
#[test]
fn a_letter_begins_a_match_and_its_first_mail_tells_everything() {
    let house = club(LEVELS);
    let asked = anna(1, "new Unachess as White with partner level 2");
    let mails = receive(&house, &asked, "\tcommand\n");
    let game = only(&house);
    let [mail] = mails.as_slice() else {
        panic!("{mails:?}");
    };
    assert_eq!(header(mail, "To:"), "Anna <anna@example.org>");
    assert_eq!(header(mail, "In-Reply-To:"), "<1@anna.test>");
    let subject = format!(
        "[{}] Unachess: Anna - parapost level 2 (program)",
        game.id()
    );
    assert_eq!(header(mail, "Subject:"), subject);
    let text = mail.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "between you, the player of White, and parapost level 2 (program).",
        "asked for this by a letter to the referee: new unachess as white with partner level 2.",
        "Your opponent is a program",
        "The invitation stands until the end of Friday, 27 November 2026",
        "It is your move, White.",
        "If you do not want to play, reply with \"decline\" alone on a line",
    ] {
        assert!(text.contains(words), "{words}\n{mail}");
    }
    assert!(!mail.contains("invalid"), "{mail}");
    assert_eq!(game.turn(), Some(Color::White));
    assert!(turns(&house).is_empty(), "it is not the partner's turn");
    // The same letter comes again.
    assert!(receive(&house, &asked, "\tduplicate\n").is_empty());
    assert_eq!(partners(&house).len(), 1);
    house
        .parapost(["list"])
        .stdout_contains("Anna - parapost level 2 (program)")
        .run();
    refused(&house, &["play", game.id().as_str()], "plays here by mail").run();
}

#[test]
fn as_black_the_first_mail_has_the_partners_first_move() {
    let house = club(LEVELS);
    let asked = anna(1, "Hi!\n\nnew unachess as black with partner level 1");
    assert!(receive(&house, &asked, "\tcommand\n").is_empty());
    let mails = turns(&house);
    let [mail] = mails.as_slice() else {
        panic!("{mails:?}");
    };
    let game = only(&house);
    assert_eq!(game.record().steps().len(), 1);
    let first = format!("\n1.  {}", game.record().steps()[0]);
    let text = mail.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(mail.contains(&first), "{mail}");
    assert!(text.contains("What else your letter says was not read."));
    assert!(text.contains("reply with \"decline\" alone"), "{mail}");
    assert!(turns(&house).is_empty());
    // Nobody has lost.
    receive(
        &house,
        &answer("anna@example.org", 2, mail, "decline"),
        "\tcommand\n",
    );
    assert!(
        again(&house, game.id().as_str())
            .ending()
            .unwrap()
            .is_void()
    );
}

/// The side is drawn where none is said, and the same letter has the same side.
#[test]
fn without_a_side_the_colours_are_drawn() {
    let sides = (0..12).map(|number| {
        let house = club(LEVELS);
        receive(
            &house,
            &anna(number, "new chess with partner level 1"),
            "\tcommand\n",
        );
        let game = only(&house);
        assert_eq!(game.variant().game().id, "chess");
        game.player(Color::White).name() == "Anna"
    });
    let whites = sides.filter(|is_white| *is_white).count();
    assert!((1..12).contains(&whites), "{whites}");
}

#[test]
fn what_cannot_begin_is_answered_in_a_match_of_the_writer() {
    for (section, words, why) in [
        (
            "",
            "new chess with partner level 1",
            "No program plays here as a partner.",
        ),
        (
            "[partner]\nlevels = []\n",
            "new chess with partner level 1",
            "begins no more matches here",
        ),
        (
            LEVELS,
            "new chess with partner level 4",
            "Here it plays at level 1, 2 or 3.",
        ),
        (
            LEVELS,
            "new chess with partner level 0",
            "Here it plays at level 1, 2 or 3.",
        ),
        (
            LEVELS,
            "new unaches with partner level 1",
            "did you mean 'unachess'?",
        ),
        (
            LEVELS,
            "new checkers with partner level 1",
            "not one of the games",
        ),
        (
            LEVELS,
            "new unachess, x with partner level 1",
            "no option 'x'",
        ),
        (
            LEVELS,
            "new chess as red with partner level 1",
            "'red' is no side",
        ),
    ] {
        let house = club(section);
        let before = again(&house, "m");
        let mails = receive(&house, &anna(1, words), "\tm\trefused\n");
        let [mail] = mails.as_slice() else {
            panic!("{words}: {mails:?}");
        };
        let text = mail.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(why), "{words}: {mail}");
        assert!(text.contains("No such match begins, and nothing has been played here."));
        assert_eq!(header(mail, "To:"), "Anna <anna@example.org>");
        assert_eq!(again(&house, "m").hash(), before.hash());
        assert!(partners(&house).is_empty(), "{words}");
        assert!(receive(&house, &anna(1, words), "\tduplicate\n").is_empty());
    }
}

/// Quoted words, a subject and other people's words begin nothing.
#[test]
fn only_the_writers_own_line_counts() {
    for body in [
        "> new chess with partner level 1",
        "On Friday, the referee wrote:\n> new chess with partner level 1\n\nthank you",
        "I might ask for a new chess with partner level 1",
        "new chess with partner level 1\nnew chess with partner level 2",
    ] {
        let house = club(OPEN);
        let run = house.parapost(["receive", "--deliver"]);
        run.stdin(anna(1, body)).any_stdout().any_stderr().run();
        assert!(partners(&house).is_empty(), "{body}");
    }
    let house = club(OPEN);
    let subject = "new chess with partner level 1";
    let letter = anna(1, "1. P>e3").replace("Subject: hello", &format!("Subject: {subject}"));
    receive(&house, &letter, "\tm\taccepted\n");
    assert!(partners(&house).is_empty());
}

/// As before, whoever plays no match here hears nothing.
#[test]
fn a_stranger_is_a_stranger_unless_the_partner_is_open_to_all() {
    let words = "new chess as white with partner level 1";
    let house = club(LEVELS);
    assert!(receive(&house, &eve(1, words), "\tstranger\n").is_empty());
    assert!(partners(&house).is_empty());
    let house = empty(OPEN);
    let mails = receive(&house, &eve(1, words), "\tcommand\n");
    assert_eq!(header(&mails[0], "To:"), "eve@elsewhere.test");
    let game = only(&house);
    let subject = format!("[{}] Chess: White - parapost level 1 (program)", game.id());
    assert_eq!(header(&mails[0], "Subject:"), subject);
    // Nothing that is wrong is told to whoever is unknown.
    let house = empty(OPEN);
    for words in [
        "new chess with partner level 9",
        "new x with partner level 1",
    ] {
        assert!(receive(&house, &eve(2, words), "\tstranger\n").is_empty());
    }
    assert!(partners(&house).is_empty());
}

#[test]
fn a_dry_run_begins_nothing() {
    let house = club(LEVELS);
    let before = house.read("games/m.txt");
    let run = house.parapost(["receive", "--dry-run"]);
    let run = run.stdin(anna(1, "new chess with partner level 1"));
    run.stdout_contains("\tcommand\n").any_stderr().run();
    assert!(partners(&house).is_empty());
    assert_eq!(house.read("games/m.txt"), before);
}

#[test]
fn help_tells_of_the_partner_where_there_is_one() {
    for (section, tells) in [(LEVELS, true), ("", false)] {
        let house = club(section);
        let mails = receive(&house, &anna(1, "help"), "\tm\tcommand\n");
        let text = mails[0].split_whitespace().collect::<Vec<_>>().join(" ");
        let words = "\"new unachess with partner level 1\" begins a match against a program";
        assert_eq!(text.contains(words), tells, "{}", mails[0]);
    }
}

/// The program plays in nobody's name but its own, and never against itself.
#[test]
fn a_person_can_neither_invite_the_program_nor_have_two_of_it_play() {
    let house = club(LEVELS);
    let program = "X <partner+1@program.invalid>";
    let why = "this is the address of the program";
    for words in [
        ["--white", program, "--black", "Anna <anna@example.org>"],
        [
            "--white",
            program,
            "--black",
            "Y <partner+2@program.invalid>",
        ],
    ] {
        let line = [&["new", "--game", "chess"][..], &words].concat();
        let run = house.parapost(line).status(2);
        run.stderr_contains(why).run();
    }
    let words = "new chess with partner level 1";
    let house = club(OPEN);
    for from in ["partner+2@program.invalid", "level-1@program.invalid"] {
        let letter = super::letter(from, 7, words);
        assert!(receive(&house, &letter, "\tstranger\n").is_empty());
    }
    assert!(partners(&house).is_empty());
}

/// Letters that begin matches are not handled beside those that may be about them.
#[test]
fn a_run_of_many_letters_begins_a_match_in_its_place() {
    let house = club(LEVELS);
    for number in 0..4 {
        begin(&house, &format!("n{number}"));
    }
    let mut mbox = String::new();
    for number in 0..16 {
        let body = if number == 11 {
            "new chess as white with partner level 1".to_owned()
        } else {
            "show".to_owned()
        };
        let subject = format!("Subject: [n{}] Unachess: x", number % 4);
        let letter = anna(number, &body).replace("Subject: hello", &subject);
        mbox.extend(["From x Fri Nov 20 05:00:00 2026\n", &letter, "\n"]);
    }
    let house = house.file("box", mbox);
    let run = house.parapost(["receive", "box"]).any_stderr().either();
    assert_eq!(
        split(&run.stdout).0.matches("\tcommand\n").count(),
        16,
        "{}",
        run.stdout
    );
    assert_eq!(only(&house).variant().game().id, "chess");
}

#[test]
fn the_log_has_the_words_and_the_mark_of_the_program() {
    let house = club(LEVELS);
    let (game, _) = begun(&house, "black", 1);
    let text = house.read(format!("games/{}.txt", game.id()));
    assert!(text.contains("\nWhite: parapost level 1 (program) <partner+1@program.invalid>\n"));
    let events = events(&game);
    assert!(events[1].starts_with("asked Black \"new"), "{events:?}");
    assert!(events[2].starts_with("move White"), "{events:?}");
    assert!(text.contains(" thought="), "{text}");
    let id = game.id().as_str();
    house
        .parapost(["verify", id])
        .any_stdout()
        .any_stderr()
        .run();
}

/// The move would be lost, and whoever plays by the clock with it.
#[test]
fn a_letter_that_answers_a_match_and_says_more_is_answered_there_and_begins_nothing() {
    let house = club(LEVELS);
    let both = anna(1, "P>e3\n\nnew unachess with partner level 1");
    let both = both.replace("Subject: hello", "Subject: [m] hello");
    let mails = receive(&house, &both, "m\t");
    assert!(partners(&house).is_empty());
    assert_eq!(again(&house, "m").record().steps().len(), 0);
    let [mail] = mails.as_slice() else {
        panic!("{mails:?}");
    };
    assert!(
        super::flat(mail).contains("Your letter is about this match, too."),
        "{mail}"
    );
}

#[test]
fn a_letter_that_names_a_match_and_only_closes_as_letters_do_begins_one() {
    let house = club(LEVELS);
    let asked = anna(
        1,
        "new unachess with partner level 1\n\nBest regards,\nAnna",
    );
    let asked = asked.replace("Subject: hello", "Subject: [m] hello");
    receive(&house, &asked, "\tcommand\n");
    assert_eq!(partners(&house).len(), 1);
    assert_eq!(again(&house, "m").record().steps().len(), 0);
}

#[test]
fn two_wishes_of_one_letter_are_refused_to_its_writer_alone() {
    let house = club(LEVELS);
    let both = anna(
        1,
        "new unachess with partner level 1\nnew shogi with partner level 2",
    );
    let mails = receive(&house, &both, "m\t");
    assert!(partners(&house).is_empty());
    let [mail] = mails.as_slice() else {
        panic!("{mails:?}");
    };
    assert!(header(mail, "To:").contains("anna"));
    assert!(super::flat(mail).contains("a letter of its own"), "{mail}");
}

#[test]
fn a_letter_of_who_is_forgotten_does_not_begin_the_match_again() {
    let house = empty(OPEN);
    let asked = eve(1, "new unachess as white with partner level 1");
    let mails = receive(&house, &asked, "\tcommand\n");
    let declined = answer("eve@elsewhere.test", 2, &mails[0], "decline");
    receive(&house, &declined, "\tcommand\n");
    let forget = ["forget", "--yes", "eve@elsewhere.test"];
    house.parapost(forget).any_stdout().any_stderr().run();
    assert!(receive(&house, &asked, "\t").is_empty());
    let texts = house.parapost(["list", "--all"]).any_stdout().run().stdout;
    assert!(!texts.contains("eve@"), "{texts}");
    assert_eq!(partners(&house).len(), 1);
}

#[test]
fn nobody_forgets_the_partner() {
    let house = club(LEVELS);
    house
        .parapost(["forget", "--yes", "partner+1@program.invalid"])
        .stderr_contains("nobody's address")
        .status(2)
        .run();
}
