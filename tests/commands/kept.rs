//! The file of a match as people keep it: backups, names put right, folders under version control
//! (docs/files.md).

use std::fs;

use parapost::matches::r#match::Match;

use super::play::of;
use crate::support::Sandbox;

/// Anna's folder at the present time, with a match in which she has sent a mail.
fn anna() -> Sandbox {
    let config = "[mail]\nhtml = false\n[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n";
    let house = Sandbox::new().file("anna.toml", config);
    let new = ["--games", "games", "new", "--game", "chess", "--id", "g7"];
    let players = [
        "--white",
        "Anna <anna@example.org>",
        "--black",
        "Ben <ben@example.org>",
    ];
    let new = of("anna", &[&new[..], &players, &["--invited"]].concat());
    house.parapost(new).stdout("g7\n").any_stderr().run();
    anna_does(&house, &["move", "g7", "N-f3", "--send"]);
    house
}

/// What a command says.
fn anna_does(house: &Sandbox, words: &[&str]) -> String {
    let output = house.parapost(of("anna", words)).command().output();
    let output = output.expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    text(output.stdout) + &text(output.stderr)
}

/// Ben answers with a move, and these words.
fn ben_plays(house: &Sandbox, fields: &str, words: &str) {
    let letter =
        format!("From: ben@example.org\nMessage-ID: <1@ben.test>\n{fields}\nn-f6\n\n{words}");
    let test = house.parapost(of("anna", &["receive", "--deliver"]));
    let test = test.stdin(letter).stdout_contains("accepted");
    test.any_stderr().run();
}

/// After a restored backup, nothing told of the mails that the file lacks.
#[test]
fn a_file_without_the_last_mail_is_named_until_it_is_mended() {
    const WARNING: &str = "the last mail that went out is missing from this file: is it a backup?";
    let house = anna();
    let text = house.read("games/g7.txt");
    anna_does(&house, &["note", "g7", "nothing goes out"]);
    let listed = |house: &Sandbox| anna_does(house, &["list"]).contains("is this file a backup?");
    assert!(!listed(&house));
    ben_plays(&house, "Subject: [g7]\n", "");
    anna_does(&house, &["move", "g7", "N-g1", "--send"]);
    let longer = house.read("games/g7.txt");
    assert!(!listed(&house));
    for evidence in ["outbox", "note"] {
        house.write("games/g7.txt", &text);
        if evidence == "note" {
            fs::rename(house.path("games/outbox"), house.path("mails")).unwrap();
        } else {
            fs::remove_dir_all(house.path(".local/share/parapost/sent")).unwrap();
        }
        assert!(listed(&house), "{evidence}");
        assert!(
            anna_does(&house, &["doctor"]).contains(WARNING),
            "{evidence}"
        );
        for first in [
            &["resign", "g7"][..],
            &["say", "g7", "hello"],
            &["note", "g7", "white is better"],
            &["send", "g7"],
            &["send", "--resend", "g7", "--print"],
        ] {
            house.write("games/g7.txt", &text);
            let said = anna_does(&house, first);
            assert_eq!(
                said.matches(WARNING).count(),
                1,
                "{evidence}: {first:?}: {said}"
            );
        }
        house.write("games/g7.txt", &text);
        let mails = if evidence == "note" {
            "mails"
        } else {
            "games/outbox"
        };
        let mended = anna_does(&house, &["repair", "g7", "--from", mails, "--write"]);
        assert!(mended.contains("rebuilt: 3 half-moves"), "{mended}");
        assert!(!mended.contains("left out"), "{mended}");
        assert!(!listed(&house), "{evidence}");
        // What the program knows of mails that went out comes back with the next one. It knows of one that
        // was printed from the shorter file.
        let _ = fs::remove_dir_all(house.path(".local/share/parapost/sent"));
        house.write("games/g7.txt", &longer);
        anna_does(&house, &["send", "--resend", "g7"]);
        assert!(!listed(&house), "{evidence}");
    }
}

/// After a repair from the outbox, an answer to the mail that was lost was still refused.
#[test]
fn an_answer_to_a_mail_that_was_brought_back_is_played() {
    let house = anna();
    let sent = house.read("games/g7.txt");
    let id = sent
        .lines()
        .rev()
        .find_map(|line| line.split_once(" msg="))
        .expect("a mail")
        .1;
    let id = id.split(' ').next().unwrap().to_owned();
    let begun = sent
        .split_once("move White")
        .unwrap()
        .0
        .rsplit_once('\n')
        .unwrap()
        .0;
    house.write("games/g7.txt", format!("{begun}\n"));
    anna_does(&house, &["repair", "g7", "--write"]);
    let mended = anna_does(
        &house,
        &["repair", "g7", "--from", "games/outbox", "--write"],
    );
    assert!(
        mended.contains(&format!("the mail {id} is put back")),
        "{mended}"
    );
    assert!(!anna_does(&house, &["list"]).contains("backup"));
    ben_plays(&house, &format!("Subject: hello\nIn-Reply-To: {id}\n"), "");
}

/// After a restored backup an answer to the mail that was lost is refused. Once the file was repaired,
/// the same letter was a duplicate, and the question about it still went out.
#[test]
fn a_letter_that_was_refused_before_a_repair_is_read_again() {
    let house = anna();
    ben_plays(&house, "Subject: [g7]\n", "");
    let backup = house.read("games/g7.txt");
    anna_does(&house, &["move", "g7", "N-g1", "--send"]);
    let sent = house.read("games/g7.txt");
    let id = sent.lines().rev().find_map(|line| line.split_once(" msg="));
    let (id, _) = id.expect("a mail").1.split_once(' ').expect("its id");
    house.write("games/g7.txt", backup);
    let letter = format!(
        "From: ben@example.org\nMessage-ID: <2@ben.test>\nSubject: [g7]\nIn-Reply-To: {id}\n\nn-g8\n"
    );
    let receive = |word: &str| {
        let test = house.parapost(of("anna", &["receive", "--deliver"]));
        test.stdin(&letter).stdout_contains(word).any_stderr().run();
    };
    receive("refused");
    let verified = house.parapost(of("anna", &["verify", "g7", "games/outbox"]));
    let verified = verified.status(1).any_stdout();
    verified.stderr_contains("more than this file").run();
    let mend = ["repair", "g7", "--from", "games/outbox", "--write"];
    anna_does(&house, &mend);
    let log = house.read("games/g7.txt");
    assert!(log.contains(" dropped Black answer "), "{log}");
    receive("accepted");
}

/// Ben resigns in answer to a mail that a restored file lacks. The repair that the program names could
/// not be done, since the match was over.
#[test]
fn a_match_that_ended_in_a_restored_file_gets_its_last_moves_back() {
    let house = anna();
    ben_plays(&house, "Subject: [g7]\n", "");
    let backup = house.read("games/g7.txt");
    anna_does(&house, &["move", "g7", "N-g1", "--send"]);
    let sent = house.read("games/g7.txt");
    let id = sent.lines().rev().find_map(|line| line.split_once(" msg="));
    let (id, _) = id.expect("a mail").1.split_once(' ').expect("its id");
    house.write("games/g7.txt", backup);
    let letter = format!(
        "From: ben@example.org\nMessage-ID: <2@ben.test>\nSubject: [g7]\nIn-Reply-To: {id}\n\nresign\n"
    );
    let test = house.parapost(of("anna", &["receive", "--deliver"]));
    let test = test.stdin(letter).stdout_contains("command");
    test.any_stderr().run();
    let mend = ["repair", "g7", "--from", "games/outbox", "--write"];
    let mended = anna_does(&house, &mend);
    assert!(
        mended.contains("rebuilt: 3 half-moves") && mended.contains("1-0 (resignation)"),
        "{mended}"
    );
    for words in [&["list", "--all"][..], &["doctor"]] {
        let said = anna_does(&house, words);
        assert!(!said.contains("backup"), "{said}");
    }
    let verified = anna_does(&house, &["verify", "g7", "games/outbox"]);
    assert!(verified.contains("whole: 3 half-moves"), "{verified}");
}

/// Returns the newest mail of a folder.
fn newest(house: &Sandbox, folder: &str) -> String {
    let mails = fs::read_dir(house.path(folder)).expect("a folder");
    let mails = mails.map(|mail| mail.expect("a mail").path());
    let number = |path: &std::path::PathBuf| {
        let name = path.file_name()?.to_str()?;
        name.split('.').nth(1)?.parse::<u32>().ok()
    };
    let newest = mails.max_by_key(number).expect("a mail");
    newest.display().to_string()
}

/// Both play with the program, and Anna restores a file that lacks her last move. Went wrong: the list
/// of Ben's program, which has that move, was refused without a word of a backup, his resignation with it,
/// and after the repair his letter was a duplicate.
#[test]
fn a_letter_of_the_other_program_tells_of_a_backup_and_is_read_again() {
    for (words, first, again) in [
        (&["move", "g7", "n-g8", "--send"][..], "refused", "accepted"),
        (&["draw", "offer", "g7", "--send"], "refused", "command"),
        (
            &["takeback", "propose", "g7", "--send"],
            "refused",
            "command",
        ),
        (&["resign", "g7", "--yes", "--send"], "command", "duplicate"),
        (&["say", "g7", "Nice one", "--send"], "note", "duplicate"),
    ] {
        let config = "[mail]\nhtml = false\n[me]\nname = \"Ben\"\naddress = \"ben@example.org\"\n";
        let house = anna().file("ben.toml", config);
        let ben_does = |words: &[&str]| {
            let words = [&["--games", "ben"], words].concat();
            let test = house.parapost(of("ben", &words));
            test.any_stdout().any_stderr().run();
        };
        let players = [
            "--white",
            "Anna <anna@example.org>",
            "--black",
            "Ben <ben@example.org>",
        ];
        let new = ["new", "--game", "chess", "--id", "g7", "--invited"];
        ben_does(&[&new[..], &players].concat());
        let hears = |mail: &str, word: &str| {
            let said = anna_does(&house, &["receive", mail]);
            assert!(said.contains(&format!("\t{word}\n")), "{words:?}: {said}");
            said
        };
        ben_does(&["receive", &newest(&house, "games/outbox")]);
        ben_does(&["move", "g7", "n-f6", "--send"]);
        hears(&newest(&house, "ben/outbox"), "accepted");
        let backup = house.read("games/g7.txt");
        anna_does(&house, &["move", "g7", "N-g1", "--send"]);
        ben_does(&["receive", &newest(&house, "games/outbox")]);
        ben_does(words);
        house.write("games/g7.txt", backup);
        let mail = newest(&house, "ben/outbox");
        let said = hears(&mail, first);
        assert_eq!(
            said.contains("is it a backup"),
            first == "refused",
            "{said}"
        );
        let mend = ["repair", "g7", "--from", "games/outbox", "--write"];
        let mended = anna_does(&house, &mend);
        assert!(mended.contains("rebuilt: 3 half-moves"), "{mended}");
        hears(&mail, again);
        let file = house.read("games/g7.txt");
        for (said, sign) in [
            ("resign", "1-0 (resignation)"),
            ("say", "Nice one"),
            ("move", "n-g8"),
        ] {
            assert_eq!(file.contains(sign), words[0] == said, "{words:?}\n{file}");
        }
    }
}

/// An acceptance of a draw that the lost mail offers was refused for good.
#[test]
fn an_acceptance_of_an_offer_that_the_file_lacks_tells_of_a_backup() {
    let house = anna();
    ben_plays(&house, "Subject: [g7]\n", "");
    let backup = house.read("games/g7.txt");
    anna_does(&house, &["draw", "offer", "g7"]);
    anna_does(&house, &["move", "g7", "N-g1", "--send"]);
    let sent = house.read(newest(&house, "games/outbox"));
    let id = sent
        .lines()
        .find_map(|line| line.strip_prefix("Message-ID: "));
    house.write("games/g7.txt", backup);
    let letter = format!(
        "From: ben@example.org\nMessage-ID: <2@ben.test>\nSubject: [g7]\nIn-Reply-To: {}\n\naccept draw\n",
        id.expect("an id")
    );
    let test = house.parapost(of("anna", &["receive", "--deliver"]));
    let test = test.stdin(letter).stdout_contains("refused");
    test.stderr_contains("is it a backup").run();
}

/// A repair from a copy took its moves, and left out its notes and words without a word.
#[test]
fn a_repair_names_the_lines_of_a_copy_that_it_leaves_out() {
    let house = anna();
    let before = house.read("games/g7.txt");
    anna_does(&house, &["note", "g7", "the plan of the copy"]);
    let copy = house.read("games/g7.txt");
    house.write("copy.txt", &copy);
    house.write("games/g7.txt", &before);
    anna_does(&house, &["note", "g7", "my own plan"]);
    let said = anna_does(&house, &["repair", "g7", "--from", "./copy.txt"]);
    assert!(said.contains("not taken from ./copy.txt:"), "{said}");
    assert!(said.contains("the plan of the copy"), "{said}");
    // What is left of a file that was cut or emptied goes on as the copy does.
    // Went wrong: of a log without a move that the list has, the copy's lines were not taken.
    let (begun, _) = copy.split_once(" move White").expect("a move");
    for cut in ["", before.trim_end(), begun] {
        house.write("games/g7.txt", cut.trim_end_matches(|c: char| c != '\n'));
        anna_does(&house, &["repair", "g7", "--from", "./copy.txt", "--write"]);
        assert_eq!(house.read("games/g7.txt"), copy);
    }
}

/// Two copies with the same moves agreed, though one has words and mails that the other lacks.
#[test]
fn of_two_copies_the_log_tells_which_goes_on_longer_and_it_is_taken_whole() {
    let house = anna();
    let shorter = house.read("games/g7.txt");
    anna_does(&house, &["note", "g7", "watch h1"]);
    let longer = house.read("games/g7.txt");
    house.write("copy.txt", &longer);
    let commented = shorter.replace("\nChain:", "\nComment: mine\nChain:");
    house.write("games/g7.txt", &commented);
    let verified = anna_does(&house, &["verify", "g7", "./copy.txt"]);
    assert!(
        verified.contains("its log goes on longer, by 1 line"),
        "{verified}"
    );
    anna_does(&house, &["repair", "g7", "--from", "./copy.txt", "--write"]);
    let taken = longer.replace("\nChain:", "\nComment: mine\nChain:");
    assert_eq!(house.read("games/g7.txt"), taken);
    house.write("games/g7.txt", &shorter);
    anna_does(&house, &["note", "g7", "watch a8"]);
    let verified = anna_does(&house, &["verify", "g7", "./copy.txt"]);
    assert!(verified.contains("the logs part in line"), "{verified}");
    house.write("games/g7.txt", &longer);
    house.write("copy.txt", &shorter);
    let verified = anna_does(&house, &["verify", "g7", "./copy.txt"]);
    assert!(verified.contains("agrees"), "{verified}");
}

#[test]
fn a_name_is_put_right() {
    let house = anna();
    let game = || house.read("games/g7.txt").parse::<Match>().unwrap();
    let moves = game().hash();
    for (of_what, name, line) in [
        (
            "black",
            "Benjamin Weiss",
            "Black: Benjamin Weiss <ben@example.org>\n",
        ),
        (
            "white",
            "Anna Maria",
            "White: Anna Maria <anna@example.org>\n",
        ),
        ("event", "Club cup", "Event: Club cup\n"),
        ("event", "Cup 2", "Event: Cup 2\n"),
    ] {
        anna_does(&house, &["name", "g7", of_what, name]);
        assert!(house.read("games/g7.txt").contains(line), "{line}");
        let whole = anna_does(&house, &["verify", "g7"]);
        assert!(whole.contains("g7: whole: 1 half-move"), "{whole}");
    }
    assert_eq!(game().hash(), moves);
    let before = house.read("games/g7.txt");
    for (words, status) in [
        (["name", "g7", "black", "resign"], 2),
        (["name", "g7", "event", "two\nlines"], 2),
        (["name", "g7", "white", ""], 2),
        (["name", "g7", "green", "Ben"], 2),
        (["name", "g8", "black", "Ben"], 1),
    ] {
        house
            .parapost(of("anna", &words))
            .any_stderr()
            .status(status)
            .run();
    }
    // The same name is no change.
    anna_does(&house, &["name", "g7", "event", "Cup 2"]);
    assert_eq!(house.read("games/g7.txt"), before);
}

/// A match with the program has the program as a player, under its own name.
#[test]
fn the_program_keeps_its_name() {
    let house = anna();
    let play = [
        "--games", "games", "play", "chess", "--id", "p1", "--level", "1",
    ];
    house
        .parapost(of("anna", &play))
        .stdin("P-e4\nquit\n")
        .any_stdout()
        .any_stderr()
        .run();
    let text = house.read("games/p1.txt");
    let side = if text.contains("Black: parapost") {
        "black"
    } else {
        "white"
    };
    let name = ["name", "p1", side, "Somebody"];
    house
        .parapost(of("anna", &name))
        .any_stderr()
        .status(1)
        .run();
    assert_eq!(house.read("games/p1.txt"), text);
}

#[test]
fn a_new_folder_says_what_is_of_one_machine() {
    let house = anna();
    let ignored = house.read("games/.gitignore");
    for name in fs::read_dir(house.path("games")).unwrap() {
        let name = name.unwrap().file_name().into_string().unwrap();
        let is_kept = ["g7.txt", "outbox", ".gitignore"].contains(&name.as_str());
        let is_ignored = ignored
            .lines()
            .any(|pattern| match pattern.split_once('*') {
                None => pattern.trim_end_matches('/') == name,
                Some((begin, end)) => {
                    name.starts_with(begin) && end.split('*').all(|part| name.contains(part))
                }
            });
        assert_eq!(is_ignored, !is_kept, "{name}");
    }
}

/// Blanks at the ends of its lines, which a reader takes off, made comments of the words at each change.
#[test]
fn the_words_of_a_letter_are_no_comments_and_go_with_their_writer() {
    let house = anna();
    let words = "My secret phone is 0151-777 \u{200b}\n\n\u{a0}x\u{a0}\n\ny \n\nLog\n\nFormat: 1\n";
    ben_plays(&house, "Subject: [g7]\n", words);
    for note in [
        "one",
        "two",
        "1. P-e4 p-e5\n| tab |\n1 ７六歩(77)\nGame: shogi",
    ] {
        anna_does(&house, &["note", "g7", note]);
        let text = house.read("games/g7.txt");
        assert!(text.contains("0151") && !text.contains("Comment"), "{text}");
        let checked = anna_does(&house, &["check", "games/g7.txt"]);
        assert!(
            checked.ends_with("games/g7.txt: Chess, 2 half-moves, White to move\n"),
            "{checked}"
        );
    }
    let text = house
        .read("games/g7.txt")
        .replace("|   My secret", "|   Our secret");
    house.write("games/g7.txt", text);
    anna_does(&house, &["name", "g7", "black", "Benjamin"]);
    assert!(
        house
            .read("games/g7.txt")
            .contains("Comment: |   Our secret phone")
    );
    anna_does(&house, &["note", "g7", "Ben owes me a beer"]);
    anna_does(&house, &["resign", "g7"]);
    anna_does(&house, &["forget", "ben@example.org", "--yes"]);
    let text = house.read("games/g7.txt");
    assert!(!text.contains("0151") && !text.contains("Ben "), "{text}");
}

/// A line above the log went without a word where the file was whole and mails brought a move back.
#[test]
fn a_repair_of_a_whole_file_keeps_a_persons_paragraph() {
    let house = anna();
    let older = house.read("games/g7.txt");
    ben_plays(&house, "Subject: [g7]\n", "");
    anna_does(&house, &["move", "g7", "N-g1", "--send"]);
    house.write(
        "games/g7.txt",
        older.replace("\nBelow is", "\nI plan h4 next\n\nBelow is"),
    );
    anna_does(
        &house,
        &["repair", "g7", "--from", "games/outbox", "--write"],
    );
    assert!(
        house
            .read("games/g7.txt")
            .contains("\nComment: I plan h4 next\n")
    );
}

/// The words above the log have been a second list.
#[test]
fn a_file_with_moves_in_its_words_is_checked_and_shown_as_its_match() {
    let house = anna();
    anna_does(
        &house,
        &["note", "g7", "1. P-e4 p-e5\n2. N-c3 n-c6\nor 3. B-c4"],
    );
    let checked = anna_does(&house, &["check", "games/g7.txt"]);
    assert!(
        checked.ends_with("games/g7.txt: Chess, 1 half-move, Black to move\n"),
        "{checked}"
    );
    let shown = anna_does(&house, &["show", "--as", "fen", "games/g7.txt"]);
    assert!(shown.contains(" b KQkq - 1 1\n"), "{shown}");
}

/// It may be a match of which nothing is left, so it holds up what names no match.
#[test]
fn an_empty_file_says_what_to_do_with_it() {
    let house = anna();
    house.write("games/ideas.txt", "\n");
    let said = anna_does(&house, &["list"]);
    let advice =
        "games/ideas.txt:1: this file is empty; if no match was in it, move it away or delete it";
    assert!(said.contains(advice), "{said}");
}
