//! `parapost receive`: who may say what, what is answered, what the lines and
//! exit statuses are (docs/cli.md).

use crate::support::{Sandbox, Test};

const NOW: &str = "2026-11-20T05:00:00Z";

fn config(name: &str, role: &str) -> String {
    format!("[me]\nname = \"{name}\"\naddress = \"{name}@example.org\"\nrole = \"{role}\"\n")
}

/// A folder of that user's, with no match yet.
fn desk(name: &str, role: &str) -> Sandbox {
    Sandbox::new()
        .file("config.toml", config(name, role))
        .dir("games")
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_NOW", NOW)
}

/// Begins a match of Anna (White) and Ben (Black) with those moves made.
fn begin(desk: &Sandbox, id: &str, moves: &str) {
    let mut words = vec![
        "new",
        "--game",
        "unachess",
        "--id",
        id,
        "--invited",
        "--white",
        "Anna <anna@example.org>",
        "--black",
        "Ben <ben@example.org>, <ben@work.test>",
    ];
    if !moves.is_empty() {
        words.extend(["--moves", moves]);
    }
    desk.parapost(words).stdout(format!("{id}\n")).run();
}

/// The referee of the match `m`, in which `1. P>e3` has been played.
fn referee() -> Sandbox {
    let desk = desk("ref", "referee");
    begin(&desk, "m", "P>e3");
    desk
}

/// Anna, who plays White in the match `m`, in which `1. P>e3` has been played.
fn anna() -> Sandbox {
    let desk = desk("anna", "player");
    begin(&desk, "m", "P>e3");
    desk
}

/// A letter of Ben's, with an id of its own made from its text.
fn ben(body: &str) -> String {
    letter("Ben <ben@example.org>", "Re: [m] Unachess: 1. P>e3", body)
}

fn letter(from: &str, subject: &str, body: &str) -> String {
    let hash = body
        .bytes()
        .fold(7_u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte));
    format!(
        "From: {from}\nTo: anna@example.org\nSubject: {subject}\nMessage-ID: <{hash}@ben.test>\n\n{body}"
    )
}

/// The id that `letter` gives to a body.
fn id(body: &str) -> String {
    let letter = ben(body);
    let (_, rest) = letter.split_once("Message-ID: ").unwrap();
    rest.lines().next().unwrap().to_owned()
}

/// Receives a letter, and what its line must say.
fn receive(desk: &Sandbox, options: &[&str], letter: &str, game: &str, word: &str) -> Test {
    let (_, rest) = letter.split_once("Message-ID: ").unwrap();
    let id = rest.lines().next().unwrap();
    let status = match word {
        "accepted" | "duplicate" | "command" | "note" | "ignored" => 0,
        "deferred" => 75,
        _ => 1,
    };
    let words = ["receive"].iter().chain(options);
    desk.parapost(words)
        .stdin(letter)
        .stdout_contains(&format!("{id}\t{game}\t{word}\n"))
        .any_stderr()
        .status(status)
}

fn log(desk: &Sandbox, id: &str) -> Vec<String> {
    let file = desk.read(format!("games/{id}.txt"));
    let (_, log) = file.split_once("\nLog\n").unwrap();
    log.lines().map(ToOwned::to_owned).collect()
}

/// The events of the log from that line on, `WHAT WHO`.
fn events(desk: &Sandbox, from: usize) -> Vec<String> {
    log(desk, "m")[from..]
        .iter()
        .map(|line| {
            line.split(' ')
                .skip(1)
                .take(3)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect()
}

/// The mails that a run printed, each from its `From ` line.
fn mails(stdout: &str) -> Vec<String> {
    let mut mails: Vec<String> = Vec::new();
    for line in stdout.split_inclusive('\n') {
        if line.starts_with("From ") {
            mails.push(String::new());
        }
        if let Some(mail) = mails.last_mut() {
            mail.push_str(line);
        }
    }
    mails
}

fn header<'a>(mail: &'a str, name: &str) -> &'a str {
    let (head, _) = mail.split_once("\n\n").unwrap();
    let line = head.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in\n{head}"))
        .trim()
}

// ---------------------------------------------------------------------------
// Who is answered

#[test]
fn a_referee_tells_the_opponent_and_thanks_the_mover() {
    let desk = referee();
    let body = "n>g5\n\nGood luck!\n";
    let output = receive(&desk, &["--print"], &ben(body), "m", "accepted")
        .stderr("")
        .run();
    let mails = mails(&output.stdout);
    let [position, receipt] = mails.as_slice() else {
        panic!("{}", output.stdout);
    };
    assert_eq!(header(position, "To:"), "Anna <anna@example.org>");
    assert_eq!(header(position, "Subject:"), "[m] Unachess: 1... n>g5");
    assert!(
        position.contains("\nBen writes:\n\n> Good luck!\n"),
        "{position}"
    );
    assert!(position.contains("1.  P>e3    n>g5\n"), "{position}");
    assert!(
        position.contains("\nGame m, 2 half-moves made.\n"),
        "{position}"
    );
    assert_eq!(header(receipt, "To:"), "Ben <ben@example.org>");
    assert_eq!(header(receipt, "In-Reply-To:"), id(body));
    assert_eq!(header(receipt, "Auto-Submitted:"), "auto-replied");
    assert!(receipt.contains("\nReceived, thank you."), "{receipt}");
    assert_eq!(
        events(&desk, 2),
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
    let desk = anna();
    let output = receive(&desk, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
    assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
    assert_eq!(events(&desk, 2), ["move Black n>g5"]);
    desk.parapost(["send", "m", "--print"]).run();
}

#[test]
fn without_send_and_print_the_answer_stays_owed() {
    let desk = referee();
    let output = receive(&desk, &[], &ben("n>g5\n"), "m", "accepted").run();
    assert_eq!(output.stdout.lines().count(), 1);
    assert_eq!(
        events(&desk, 2),
        [
            "move Black n>g5",
            "owed White position",
            "owed Black receipt"
        ]
    );
    let sent = desk.parapost(["send", "--print"]).any_stdout().run();
    assert_eq!(mails(&sent.stdout).len(), 2, "{}", sent.stdout);
}

#[test]
fn what_is_not_played_is_answered_with_the_reason_and_the_position() {
    for (body, word, pieces) in [
        (
            "n>e3\n",
            "refused",
            &[
                "    n>e3\n",
                "White's pawn on e3",
                "Legal moves of the knight: n>a1,",
            ][..],
        ),
        (
            "1... p>e8\n",
            "refused",
            &[
                "    1... p>e8\n",
                "ranks 5, 6 or 7",
                "Legal moves of the pawn: p>a5,",
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
            &["    show 7\n", "Only 1 half-moves"],
        ),
        ("\n", "refused", &["There is no move in your message."]),
    ] {
        for desk in [referee(), anna()] {
            let before = desk.read("games/m.txt");
            let output = receive(&desk, &["--print"], &ben(body), "m", word).run();
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
                "\nGame m, 1 half-moves made.\n",
            ]) {
                assert!(
                    mail.contains(piece),
                    "{body:?}: {piece:?} is not in\n{mail}"
                );
            }
            let (board, _) = before.split_once("\nLog\n").unwrap();
            assert!(desk.read("games/m.txt").starts_with(board));
            let events = events(&desk, 2);
            assert_eq!(events[0], format!("refused Black {word}"));
            assert_eq!(events[1..], ["owed Black answer", "sent Black answer"]);
        }
    }
}

#[test]
fn a_small_b_that_can_be_two_pieces_is_shown() {
    let desk = desk("ref", "referee");
    begin(&desk, "m", "K>e1 k>h8 N>c6 b>d7 P>a2 p>b7 P>h2 p>h7 P>a3");
    let output = receive(&desk, &["--print"], &ben("bxc6\n"), "m", "ambiguous").run();
    for piece in ["    bxc6\n", "    5... Bxc6\n    5... pbxc6\n"] {
        assert!(output.stdout.contains(piece), "{}", output.stdout);
    }
}

#[test]
fn an_answer_goes_to_the_address_that_was_written_from() {
    let desk = referee();
    let letter = letter("ben@work.test", "[m]", "n>e3\n");
    let output = receive(&desk, &["--print"], &letter, "m", "refused").run();
    assert_eq!(
        header(&mails(&output.stdout)[0], "To:"),
        "Ben <ben@work.test>"
    );
}

// ---------------------------------------------------------------------------
// Who may say it

#[test]
fn only_the_player_to_move_plays() {
    let desk = referee();
    let before = desk.contents();
    for from in [
        "Ben <mallory@example.org>",
        "\"ben@example.org\" <mallory@example.org>",
        "ben@example.org, mallory@example.org",
        "Ben",
        "=?utf-8?q?Ben_=3Cben=40example=2Eorg=3E?=",
    ] {
        let letter = letter(from, "[m]", "n>g5\n");
        let output = receive(&desk, &["--print"], &letter, "m", "stranger").run();
        assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
    }
    let nowhere = letter("mallory@example.org", "hello", "n>g5\n");
    receive(&desk, &["--print"], &nowhere, "-", "stranger").run();
    let untouched: Vec<_> = desk.contents();
    let games = |files: &[(std::path::PathBuf, Vec<u8>)]| {
        let mut games = files.to_vec();
        games.retain(|(name, _)| name.starts_with("games"));
        games
    };
    let changed = games(&untouched);
    let changed: Vec<_> = changed
        .iter()
        .filter(|file| !before.contains(file))
        .collect();
    assert!(
        changed.iter().all(|(name, _)| name.ends_with(".m.lock")),
        "{changed:?}"
    );

    let white = letter("anna@example.org", "[m]", "N>f3\n");
    let output = receive(&desk, &["--print"], &white, "m", "not-your-turn").run();
    let mail = &mails(&output.stdout)[0];
    assert!(
        mail.contains("\nIt is Ben's move, so nothing has been played.\n"),
        "{mail}"
    );
    for from in ["BEN@Example.Org", "Somebody Else <ben@work.test>"] {
        let desk = referee();
        receive(&desk, &[], &letter(from, "[m]", "n>g5\n"), "m", "accepted").run();
    }
}

#[test]
fn machines_and_our_own_mail_are_passed_over_in_silence() {
    let desk = referee();
    let refused = receive(&desk, &["--print"], &ben("n>e3\n"), "m", "refused").run();
    let own = mails(&refused.stdout)[0].clone();
    let (_, own) = own.split_once('\n').unwrap();
    let own = own.replace("Auto-Submitted: auto-replied\n", "");
    let before = desk.read("games/m.txt");
    receive(&desk, &["--print"], &own, "m", "ignored").run();
    for field in [
        "Auto-Submitted: auto-replied",
        "Return-Path: <>",
        "Precedence: bulk",
        "Precedence: list",
        "List-Id: <games.example.test>",
        "Content-Type: multipart/report; boundary=x",
    ] {
        let letter = format!("{field}\n{}", ben("n>g5\n"));
        receive(&desk, &["--print"], &letter, "-", "ignored").run();
    }
    assert_eq!(before, desk.read("games/m.txt"));
}

// ---------------------------------------------------------------------------
// The same again

#[test]
fn the_same_letter_again_changes_nothing() {
    for (body, word) in [
        ("n>g5\n", "accepted"),
        ("n>e3\n", "refused"),
        ("I like n>g5\n", "confirm"),
        ("help\n", "command"),
        ("resign\n", "command"),
        ("Hello!\n", "note"),
    ] {
        let desk = referee();
        receive(&desk, &["--print"], &ben(body), "m", word).run();
        let after = desk.read("games/m.txt");
        let output = receive(&desk, &["--print"], &ben(body), "m", "duplicate").run();
        assert_eq!(output.stdout.lines().count(), 1, "{body}");
        assert_eq!(after, desk.read("games/m.txt"), "{body}");
    }
}

#[test]
fn the_same_move_in_another_letter_changes_nothing() {
    let desk = referee();
    receive(&desk, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
    let after = desk.read("games/m.txt");
    for body in [
        "n>g5\n\n",
        "1... n>g5\n",
        "N>g5 !\n",
        "> 1.  P>e3    n>g5\n>\n> Game m, 1 half-moves made.\n",
    ] {
        let output = receive(&desk, &["--print"], &ben(body), "m", "duplicate").run();
        assert_eq!(output.stdout.lines().count(), 1, "{body}");
    }
    assert_eq!(after, desk.read("games/m.txt"));
    receive(&desk, &[], &ben("n>f6\n"), "m", "not-your-turn").run();
}

#[test]
fn a_letter_without_an_id_is_known_again() {
    let desk = referee();
    let letter = "From: ben@example.org\nSubject: [m]\n\nn>g5\n";
    let mut outputs = Vec::new();
    for _ in 0..2 {
        let run = desk.parapost(["receive"]).stdin(letter).any_stdout();
        outputs.push(run.run().stdout);
    }
    assert!(
        outputs[0].ends_with("@derived.invalid>\tm\taccepted\n"),
        "{outputs:?}"
    );
    assert_eq!(outputs[1], outputs[0].replace("accepted", "duplicate"));
}

// ---------------------------------------------------------------------------
// Which match

#[test]
fn a_player_of_several_games_is_asked_which_one() {
    let desk = desk("ref", "referee");
    begin(&desk, "one", "P>e3");
    begin(&desk, "two", "P>d3");
    let letter = letter("ben@example.org", "my move", "n>g5\n");
    let output = receive(&desk, &["--print"], &letter, "-", "unknown-match").run();
    let mails = mails(&output.stdout);
    let [mail] = mails.as_slice() else {
        panic!("{}", output.stdout);
    };
    assert_eq!(
        header(mail, "Subject:"),
        "Which game is your message about?"
    );
    assert!(
        mail.contains("\n  [one] Unachess: Anna - Ben, your move\n"),
        "{mail}"
    );
    assert!(
        mail.contains("\n  [two] Unachess: Anna - Ben, your move\n"),
        "{mail}"
    );
    receive(&desk, &["--print"], &letter, "one", "duplicate").run();

    // The question itself names neither, and must not be taken to.
    let question = header(mail, "Message-ID:");
    let again = format!(
        "From: ben@example.org\nIn-Reply-To: {question}\nReferences: {} {question}\n\
         Subject: Re: Which game is your message about?\nMessage-ID: <again@ben.test>\n\nn>g5\n",
        header(mail, "In-Reply-To:")
    );
    receive(&desk, &[], &again, "-", "unknown-match").run();
    let clear = again
        .replace("Re: Which", "Re: [two] Which")
        .replace("<again", "<clear");
    receive(&desk, &[], &clear, "two", "accepted").run();
}

#[test]
fn ids_that_disagree_are_asked_about() {
    let desk = desk("ref", "referee");
    begin(&desk, "one", "P>e3");
    begin(&desk, "two", "P>d3");
    let body = "n>g5\n\n> Game one, 1 half-moves made.\n";
    let letter = letter("ben@example.org", "[two] Unachess: 1. P>d3", body);
    receive(&desk, &[], &letter, "-", "unknown-match").run();
    for id in ["one", "two"] {
        assert!(!desk.read(format!("games/{id}.txt")).contains("n>g5"));
    }
}

#[test]
fn an_id_from_a_letter_is_never_a_path() {
    let desk = referee();
    let before = desk.contents();
    for subject in ["[../m]", "[/etc/passwd]", "[m.txt]", "[..]"] {
        let letter = letter(
            "mallory@example.org",
            subject,
            "n>g5\n\n> Game ../m, 1 half-moves made.\n",
        );
        receive(&desk, &[], &letter, "-", "stranger").run();
    }
    let names = |files: Vec<(std::path::PathBuf, Vec<u8>)>| -> Vec<std::path::PathBuf> {
        files.into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names(before), names(desk.contents()));
}

#[test]
fn a_damaged_match_that_may_be_meant_puts_the_letter_off() {
    let desk = referee();
    let whole = desk.read("games/m.txt");
    let desk = desk.file("games/m.txt", &whole[..whole.len() / 2]);
    let before = desk.read("games/m.txt");
    receive(&desk, &[], &ben("n>g5\n"), "-", "deferred")
        .stderr_contains("games/m.txt:")
        .run();
    receive(&desk, &["--deliver"], &ben("n>g5\n"), "-", "deferred").run();
    assert_eq!(before, desk.read("games/m.txt"));
    let desk = desk.file("games/m.txt", whole);
    receive(&desk, &[], &ben("n>g5\n"), "m", "accepted").run();
}

// ---------------------------------------------------------------------------
// Commands, talk

#[test]
fn commands_are_done_and_told() {
    for (body, event, told) in [
        (
            "resign\n",
            "resign Black",
            "[m] Unachess: 1-0 (resignation)",
        ),
        (
            "I resign.\n",
            "resign Black",
            "[m] Unachess: 1-0 (resignation)",
        ),
        ("offer draw\n", "offer Black", "[m] Unachess: draw offered"),
    ] {
        let desk = referee();
        let output = receive(&desk, &["--print"], &ben(body), "m", "command").run();
        let mails = mails(&output.stdout);
        assert_eq!(mails.len(), 2, "{}", output.stdout);
        assert_eq!(header(&mails[0], "Subject:"), told);
        assert!(events(&desk, 2)[0].starts_with(event));

        let desk = anna();
        let output = receive(&desk, &["--print"], &ben(body), "m", "command").run();
        assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
        assert!(events(&desk, 2)[0].starts_with(event));
    }
}

#[test]
fn a_draw_is_offered_with_a_move_and_answered() {
    for (answer, event) in [
        ("accept draw\n", "accept White"),
        ("decline draw\n", "decline White"),
    ] {
        let desk = referee();
        let output = receive(
            &desk,
            &["--print"],
            &ben("n>g5\n\noffer draw\n"),
            "m",
            "accepted",
        )
        .run();
        assert!(
            output
                .stdout
                .contains("has played 1... n>g5 and offers a draw."),
            "{}",
            output.stdout
        );
        let letter = letter("anna@example.org", "[m]", answer);
        receive(&desk, &["--print"], &letter, "m", "command").run();
        let events = events(&desk, 2);
        assert!(
            events.iter().any(|line| line.starts_with(event)),
            "{events:?}"
        );
    }
    // It lapses at the opponent's next move.
    let desk = referee();
    receive(&desk, &[], &ben("n>g5 (=)\n"), "m", "accepted").run();
    receive(
        &desk,
        &[],
        &letter("anna@example.org", "[m]", "B>f4\n"),
        "m",
        "accepted",
    )
    .run();
    receive(
        &desk,
        &[],
        &letter("anna@example.org", "[m]", "accept draw\n"),
        "m",
        "refused",
    )
    .run();
}

#[test]
fn show_and_help_are_answered_by_either_role() {
    for desk in [referee(), anna()] {
        let output = receive(&desk, &["--print"], &ben("help\n"), "m", "command").run();
        assert!(
            output.stdout.contains("\n  \"offer draw\","),
            "{}",
            output.stdout
        );
        let output = receive(&desk, &["--print"], &ben("show\n"), "m", "command").run();
        assert!(output.stdout.contains("\n1.  P>e3\n"), "{}", output.stdout);
        let output = receive(&desk, &["--print"], &ben("show 0\n"), "m", "command").run();
        assert!(
            output
                .stdout
                .contains("Below is the position after 0 half-moves."),
            "{}",
            output.stdout
        );
        assert!(!output.stdout.contains("\n1.  P>e3\n"), "{}", output.stdout);
    }
}

#[test]
fn talk_is_carried_to_the_other_player() {
    let body = "Nice weather here.\nFrom me to you: {{ 7 * 7 }}\n\n> 1.  P>e3\n-- \nBen\n";
    let desk = referee();
    let output = receive(&desk, &["--print"], &ben(body), "m", "note").run();
    let mails = mails(&output.stdout);
    let [mail] = mails.as_slice() else {
        panic!("{}", output.stdout);
    };
    assert_eq!(header(mail, "To:"), "Anna <anna@example.org>");
    assert!(
        mail.contains("Ben writes:\n\n> Nice weather here.\n> From me to you: {{ 7 * 7 }}\n\n"),
        "{mail}"
    );
    let desk = anna();
    let output = receive(&desk, &["--print"], &ben(body), "m", "note").run();
    assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
    assert!(log(&desk, "m")[2].contains("note Black \"Nice weather here.\\nFrom me"));
}

#[test]
fn when_the_match_is_over_only_talk_goes_on() {
    let desk = referee();
    receive(&desk, &[], &ben("resign\n"), "m", "command").run();
    let output = receive(&desk, &["--print"], &ben("n>g5\n"), "m", "over").run();
    let mails = mails(&output.stdout);
    assert!(
        mails.last().unwrap().contains("the match is over"),
        "{}",
        output.stdout
    );
    receive(&desk, &[], &ben("offer draw\n"), "m", "over").run();
    receive(&desk, &[], &ben("Thanks for the game\n"), "m", "note").run();
    receive(&desk, &[], &ben("show\n"), "m", "command").run();
}

#[test]
fn a_letter_of_html_alone_is_refused_clearly() {
    let desk = referee();
    let letter = ben("<p>n&gt;g5</p>\n").replace(
        "\n\n",
        "\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n",
    );
    let output = receive(&desk, &["--print"], &letter, "m", "refused").run();
    assert!(output.stdout.contains("as HTML only"), "{}", output.stdout);
}

// ---------------------------------------------------------------------------
// Two programs

/// What Anna's program prints for a command.
fn prints(desk: &Sandbox, words: &[&str]) -> String {
    desk.parapost(words).any_stdout().any_stderr().run().stdout
}

#[test]
fn one_player_s_program_reads_the_other_s_mail() {
    let anna = desk("anna", "player");
    let ben = desk("ben", "player");
    for desk in [&anna, &ben] {
        begin(desk, "m", "");
    }
    let pass = |from: &Sandbox, to: &Sandbox, words: &[&str], word: &str| {
        let mail = prints(from, words);
        let output = receive(to, &["--print"], &mail, "m", word).run();
        assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
        receive(to, &["--print"], &mail, "m", "duplicate").run();
    };
    pass(&anna, &ben, &["move", "m", "P>e3", "--print"], "accepted");
    pass(&ben, &anna, &["move", "m", "n>g5", "--print"], "accepted");
    pass(
        &anna,
        &ben,
        &["move", "m", "B>f4 (=)", "--print"],
        "accepted",
    );
    pass(&ben, &anna, &["draw", "decline", "m", "--print"], "command");
    pass(&ben, &anna, &["move", "m", "n-e6", "--print"], "accepted");
    pass(&anna, &ben, &["move", "m", "K>e1", "--print"], "accepted");
    pass(&ben, &anna, &["draw", "offer", "m", "--print"], "command");
    // Sent once more it is the position that is known already.
    let mail = prints(&anna, &["send", "--resend", "m", "--print"]);
    receive(&ben, &[], &mail, "m", "duplicate").run();
    pass(&anna, &ben, &["draw", "accept", "m", "--print"], "command");

    let told = |desk: &Sandbox| {
        let file = desk.read("games/m.txt");
        let (head, _) = file.split_once("\nLog\n").unwrap();
        let (_, board) = head.split_once("Result:").unwrap();
        board.to_owned()
    };
    assert_eq!(told(&anna), told(&ben));
    assert!(
        told(&anna).starts_with(" 1/2-1/2 (agreement)"),
        "{}",
        told(&anna)
    );
}

#[test]
fn resigning_is_understood_by_the_other_program() {
    let (anna, ben) = (anna(), desk("ben", "player"));
    begin(&ben, "m", "P>e3");
    let mail = prints(&ben, &["resign", "m", "--print"]);
    receive(&anna, &[], &mail, "m", "command").run();
    assert!(
        anna.read("games/m.txt")
            .contains("\nResult: 1-0 (resignation)\n")
    );
}

#[test]
fn an_answer_that_quotes_our_mail_is_understood() {
    let anna = desk("anna", "player");
    begin(&anna, "m", "");
    let mail = prints(&anna, &["move", "m", "P>e3", "--print"]);
    let (head, body) = mail.split_once("\n\n").unwrap();
    let parent = header(&mail, "Message-ID:");
    assert!(head.contains("Subject: [m] Unachess: 1. P>e3"));
    for mark in ["> ", ">", "| ", "\t", ": ", "BB> "] {
        let quote = |text: &str| -> String {
            text.lines()
                .map(|line| format!("{mark}{line}").trim_end().to_owned() + "\n")
                .collect()
        };
        let filled = body.replace("1.  P>e3\n", "1.  P>e3    n>g5\n");
        for (i, body) in [
            format!("n>g5\n\nOn Friday, Anna wrote:\n{}", quote(body)),
            format!("Anna wrote:\n\n{}\n1... n>g5\n", quote(body)),
            format!("Anna wrote:\n\n{}", quote(&filled)),
        ]
        .iter()
        .enumerate()
        {
            let letter = format!(
                "From: ben@example.org\nIn-Reply-To: {parent}\nSubject: AW: hello\nMessage-ID: <{i}@ben.test>\n\n{body}"
            );
            receive(&anna, &["--dry-run"], &letter, "m", "accepted")
                .stderr("")
                .run();
        }
        let idle = format!(
            "From: ben@example.org\nIn-Reply-To: {parent}\nMessage-ID: <idle@ben.test>\n\nI'll think.\n\n{}",
            quote(body)
        );
        receive(&anna, &["--dry-run"], &idle, "m", "note")
            .stderr("")
            .run();
    }
}

// ---------------------------------------------------------------------------
// Sources, options

#[test]
fn a_dry_run_changes_nothing_and_says_the_same() {
    let desk = referee();
    receive(&desk, &["--dry-run"], &ben("n>g5\n"), "m", "accepted").run();
    let before = desk.contents();
    for (body, word) in [
        ("n>g5\n", "accepted"),
        ("n>e3\n", "refused"),
        ("resign\n", "command"),
    ] {
        let output = receive(&desk, &["--dry-run"], &ben(body), "m", word).run();
        assert_eq!(output.stdout.lines().count(), 1);
    }
    assert_eq!(before, desk.contents());
    // Of several letters each is taken to have been received.
    let both = desk
        .clone()
        .file("a.eml", ben("n>g5\n"))
        .file("b.eml", ben("1... n>g5\n"));
    both.parapost(["receive", "--dry-run", "a.eml", "b.eml"])
        .stdout(format!(
            "{}\tm\taccepted\n{}\tm\tduplicate\n",
            id("n>g5\n"),
            id("1... n>g5\n")
        ))
        .any_stderr()
        .run();
}

#[test]
fn a_mail_server_gets_0_for_everything_that_is_dealt_with() {
    for (body, word) in [
        ("n>g5\n", "accepted"),
        ("n>e3\n", "refused"),
        ("I like n>g5\n", "confirm"),
    ] {
        let desk = referee();
        receive(&desk, &["--deliver"], &ben(body), "m", word)
            .status(0)
            .run();
    }
    let desk = referee();
    let stranger = letter("mallory@example.org", "[m]", "n>g5\n");
    receive(&desk, &["--deliver"], &stranger, "m", "stranger")
        .status(0)
        .run();
    let piped = format!(
        "From ben@example.org Fri Nov 20 03:00:00 2026\n{}",
        ben("n>g5\n")
    );
    receive(&desk, &["--deliver"], &piped, "m", "accepted").run();
    // Trouble of our own is no reason to lose the letter.
    desk.parapost(["receive", "--deliver", "--config", "nowhere.toml"])
        .stdin(ben("n>f6\n"))
        .any_stderr()
        .status(75)
        .run();
}

#[test]
fn a_maildir_is_read_as_often_as_one_likes() {
    let desk = referee()
        .dir("mail/tmp")
        .file(
            "mail/new/1795146823.b.host",
            letter("anna@example.org", "[m]", "B>f4\n"),
        )
        .file("mail/cur/1795146822.a.host:2,S", ben("n>g5\n"))
        .file("mail/new/1795146824.c.host", "no message at all");
    let before = desk.read("mail/new/1795146823.b.host");
    let run = |word: &str| {
        let output = desk
            .parapost(["receive", "mail"])
            .any_stdout()
            .any_stderr()
            .status(1)
            .run();
        let words: Vec<_> = output
            .stdout
            .lines()
            .map(|line| line.rsplit('\t').next().unwrap())
            .collect();
        assert_eq!(words, [word, word, "refused"]);
    };
    run("accepted");
    let after = desk.read("games/m.txt");
    run("duplicate");
    assert_eq!(after, desk.read("games/m.txt"));
    assert_eq!(before, desk.read("mail/new/1795146823.b.host"));
    assert!(after.contains("1.  P>e3    n>g5\n2.  B>f4\n"), "{after}");
}

#[test]
fn an_mbox_is_read_and_what_was_printed_can_be() {
    let mbox = format!(
        "From ben@example.org Fri Nov 20 03:00:00 2026\n{}\nFrom anna@example.org Fri Nov 20 03:00:01 2026\n{}\n",
        ben("n>g5\n"),
        letter("anna@example.org", "[m]", "B>f4\n")
    );
    let desk = referee().file("mbox", mbox);
    let output = desk
        .parapost(["receive", "mbox", "--print"])
        .any_stdout()
        .run();
    let (lines, printed) = output.stdout.split_once("From ").unwrap();
    assert_eq!(lines.matches("\taccepted\n").count(), 2);
    // Our own mail, come back.
    let desk = desk.file(
        "printed",
        format!("From {printed}").replace("Auto-Submitted: auto-replied\n", ""),
    );
    let output = desk
        .parapost(["receive", "printed"])
        .any_stdout()
        .any_stderr()
        .run();
    assert_eq!(
        output.stdout.matches("\tm\tignored\n").count(),
        4,
        "{}",
        output.stdout
    );
}

#[test]
fn what_is_no_letter_is_refused_without_harm() {
    let desk = referee();
    let before = desk.read("games/m.txt");
    let mut noise = Vec::with_capacity(10 << 20);
    let mut state = 1_u64;
    while noise.len() < 10 << 20 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        noise.extend_from_slice(&state.to_be_bytes());
    }
    for (input, word) in [
        (Vec::new(), "refused"),
        (b"\n\n".to_vec(), "refused"),
        (vec![0; 1000], "refused"),
        (b"\x7fELF\x02\x01\x01\0\0\0".to_vec(), "refused"),
    ] {
        let output = desk
            .parapost(["receive"])
            .stdin(input)
            .any_stdout()
            .any_stderr()
            .status(1)
            .run();
        assert!(
            output.stdout.ends_with(&format!("\t-\t{word}\n")),
            "{}",
            output.stdout
        );
        assert!(output.stderr.contains("header"), "{}", output.stderr);
    }
    let output = desk
        .parapost(["receive"])
        .stdin(noise)
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
    for missing in ["nowhere.eml", "games"] {
        desk.parapost(["receive", missing])
            .stderr_contains(missing)
            .status(1)
            .run();
    }
    assert_eq!(before, desk.read("games/m.txt"));
}

#[test]
fn nothing_in_a_letter_steers_a_terminal_or_makes_a_header() {
    let desk = referee();
    let letter = "From: ben@example.org\nSubject: [m] =?utf-8?q?=1B[2J=0D=0ABcc:_x@y.test?=\n\
                  Message-ID: <a\u{1b}[2Jb@ben.test>\nMIME-Version: 1.0\n\
                  Content-Type: text/plain; charset=utf-8\n\n\
                  1... n>e3 \u{1b}[31m\u{202e}red\r\nBcc: victim@example.org\n\n1... n>e3, \u{1b}]0;x\u{7}\n";
    let output = desk
        .parapost(["receive", "--print"])
        .stdin(letter)
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    for text in [&output.stdout, &output.stderr] {
        let steers = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
        assert!(!text.contains(steers), "{text:?}");
    }
    let mail = &mails(&output.stdout)[0];
    let (head, _) = mail.split_once("\n\n").unwrap();
    assert!(!head.contains("Bcc"), "{head}");
}

#[test]
fn one_bad_source_does_not_stop_the_others() {
    let desk = referee().file("good.eml", ben("n>g5\n"));
    desk.parapost(["receive", "missing.eml", "good.eml"])
        .stdout(format!("{}\tm\taccepted\n", id("n>g5\n")))
        .stderr_contains("missing.eml")
        .status(1)
        .run();
}

#[test]
fn a_warning_is_told_to_the_mover_and_on_stderr() {
    let desk = referee();
    let output = receive(&desk, &["--print"], &ben("n>g5 +\n"), "m", "accepted")
        .stderr_contains("warning")
        .run();
    let receipt = &mails(&output.stdout)[1];
    assert!(receipt.contains("\nNote: "), "{receipt}");
}
