//! Nothing is played or done that its player did not write.

use super::{ben, header, letter, log, mails, receive, referee, session};
use crate::support::Sandbox;

fn anna(body: &str) -> String {
    letter("Anna <anna@example.org>", "Re: hello", body)
}

/// Reads a letter, whatever comes of it. Returns what is printed, with the mails.
fn printed(session: &Sandbox, letter: &str) -> String {
    let test = session.parapost(["receive", "--print"]).stdin(letter);
    test.any_stdout().any_stderr().either().stdout
}

fn body(mail: &str) -> &str {
    mail.split_once("\n\n").unwrap().1
}

/// Ways of quoting a mail without quote marks, and with marks that hide them.
fn quoted(mail: &str, way: usize) -> String {
    let plain: String = mail
        .lines()
        .map(|line| line.strip_prefix("> ").unwrap_or(line).to_owned() + "\n")
        .collect();
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    match way {
        0 => mail.to_owned(),
        1 => plain,
        2 => format!("-----Original Message-----\n\n{plain}"),
        3 => format!("On Friday, the referee <ref@example.org> wrote:\n\n{plain}"),
        4 => format!("Ar 20 Tach 2026, ysgrifennodd ref@example.org:\n\n{plain}"),
        5 => format!("Frobnicator: ref@example.org\nXyzzied: 20.11.2026\n\n{plain}"),
        6 => format!("-----\n{plain}"),
        7 => each(mail, |line| format!("> {line}\n")),
        8 => each(&plain, |line| format!("\t{line}\n")),
        9 => each(&plain, |line| format!("% {line}\n")),
        10 => plain.replace('\n', "\n\n"),
        11 => joined(&plain) + "\n",
        12 => each(&plain, |line| format!("  {line}  \n")),
        _ => plain.replace(' ', "\u{a0}"),
    }
}

/// Went wrong: an opponent's note was played as the player's next move, whatever the
/// player answered, because the program had quoted it.
#[test]
#[ignore = "takes long"]
fn an_opponents_words_are_never_played_for_a_player() {
    for words in [
        "note 1. P>e3 n>g5 2. K>a1",
        "note (=)",
        "note K>a1",
        "note 1. P>e3 n>g5 2. K>a1 (=)",
        "note resign",
        "note offer draw",
    ] {
        for way in 0..14 {
            for talk in ["", "Thanks, I will think about it.\n\n"] {
                let session = referee();
                receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
                let letter = ben(&format!("{words}\n"));
                let run = ["receive", "--print"];
                let output = session
                    .parapost(run)
                    .stdin(letter)
                    .any_stdout()
                    .any_stderr()
                    .either();
                let to_anna = mails(&output.stdout)
                    .into_iter()
                    .find(|mail| header(mail, "To:").contains("anna"))
                    .expect("the words are carried");
                let answer = format!("{talk}{}", quoted(body(&to_anna), way));
                let cites = header(&to_anna, "Message-ID:");
                let letter =
                    anna(&answer).replacen("\n\n", &format!("\nIn-Reply-To: {cites}\n\n"), 1);
                session
                    .parapost(run)
                    .stdin(letter)
                    .any_stdout()
                    .any_stderr()
                    .either();
                let events = log(&session, "m");
                let events = events.iter().filter_map(|line| line.split(' ').nth(1));
                let played = events
                    .filter(|event| ["move", "offer", "resign"].contains(event))
                    .count();
                assert_eq!(played, 2, "{words:?}, {way}, {talk:?}\n{answer}");
            }
        }
    }
}

/// Went wrong: below a copy of a line of ours in the opponent's words, an order of theirs was the
/// player's.
#[test]
fn words_that_begin_like_our_mail_are_nobodys() {
    for order in ["resign", "P>d3"] {
        let session = referee();
        receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
        let words = format!("note It is your move, White.\n\nnote {order}\n");
        let output = receive(&session, &["--print"], &ben(&words), "m", "command").run();
        let mails = mails(&output.stdout);
        let to_anna = mails
            .iter()
            .find(|mail| header(mail, "To:").contains("anna"));
        let to_anna = to_anna.expect("the words are carried");
        let (above, _) = body(to_anna).split_once("To play").expect("our words");
        let answer = format!(
            "Thanks!\n\nIt is your move, White.\n\n{}\n\nI will not do that!\nAnna\n",
            quoted(above, 1).trim_end()
        );
        let cites = header(to_anna, "Message-ID:");
        let letter = anna(&answer).replacen("\n\n", &format!("\nIn-Reply-To: {cites}\n\n"), 1);
        let before = log(&session, "m").len();
        let heard = session.parapost(["receive", "--print"]).stdin(letter);
        heard.any_stdout().any_stderr().either();
        let events = log(&session, "m").split_off(before);
        let done = events.iter().filter_map(|line| line.split(' ').nth(1));
        let done: Vec<&str> = done
            .filter(|event| ["move", "resign"].contains(event))
            .collect();
        assert!(done.is_empty(), "{done:?}\n{answer}");
    }
}

/// Went wrong: "Game m2, 3 half-moves made." in a note made each answer that quoted it
/// ambiguous, or another match's.
#[test]
fn carried_words_name_no_match() {
    // With our own foot, and where the player has cut it off.
    for kept in [7, 100] {
        let session = referee();
        super::begin(&session, "m2", "P>e3 n>g5 N>d4");
        receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
        let words = "note Game m2, 3 half-moves made.\nHash of the moves: 0123456789abcdef\n";
        let output = receive(&session, &["--print"], &ben(words), "m", "command").run();
        let mails = mails(&output.stdout);
        let to_anna = mails
            .iter()
            .find(|mail| header(mail, "To:").contains("anna"));
        let lines = body(to_anna.expect("the words are carried"))
            .lines()
            .take(kept);
        let quoted: String = lines.fold(String::new(), |quoted, line| quoted + "> " + line + "\n");
        assert!(quoted.contains("Game m2"), "{quoted}");
        let answer = anna(&format!("N>d4\n\nThe referee wrote:\n{quoted}"));
        receive(&session, &["--print"], &answer, "m", "accepted").run();
    }
}

/// Went wrong: a note with the id line of its own match switched the id line off.
#[test]
fn an_id_line_of_the_match_that_carries_it_counts() {
    let session = referee();
    super::begin(&session, "m2", "P>e3 n>g5");
    receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
    let words = ben("note Game m, 2 half-moves made.\n");
    receive(&session, &["--print"], &words, "m", "command").run();
    let foot = "> Game m, 2 half-moves made.\n";
    let answer = anna(&format!("N>d4\n\n{foot}"));
    receive(&session, &["--print"], &answer, "m", "accepted").run();
}

/// Went wrong: notes of a move or a command with the player's sign-off blocked the player. The
/// program asked about each letter with that line, and about each answer.
#[test]
fn a_note_never_takes_a_line_from_the_other_player() {
    for (line, word) in [("N>d4", "accepted"), ("resign", "command")] {
        for text in [
            format!("Hi Ben\n\n{line}\n\nAnna\n"),
            format!("{line}\n\nAnna\n"),
            format!("{line}\n-- \nAnna\n"),
            format!("{line}\n"),
        ] {
            let session = referee();
            receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
            for note in [
                line,
                "Anna",
                &format!("2. {line}"),
                "and Anna",
                &format!("{line} Anna"),
            ] {
                let words = ben(&format!("note {note}\n"));
                receive(&session, &["--print"], &words, "m", "command").run();
            }
            receive(&session, &["--print"], &anna(&text), "m", word).run();
        }
    }
}

/// Went wrong: a note that repeats the line above a doubtful move made the program accept the move.
#[test]
fn a_note_never_makes_an_order_of_a_sentence() {
    let above = "I do not think that a player with both rooks and the move should ever";
    for (line, word) in [("N>d4", "confirm"), ("resign.", "refused")] {
        let session = referee();
        receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
        let words = ben(&format!("note {above}\n"));
        receive(&session, &["--print"], &words, "m", "command").run();
        let text = format!("{above}\n{line}\n");
        receive(&session, &["--print"], &anna(&text), "m", word).run();
    }
}

/// Changes each line of a text.
fn each(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(change).collect()
}

/// A link of our HTML, with that text.
fn link(label: &str) -> String {
    let label = label.replace('>', "&gt;");
    format!(
        "<a href=\"mailto:ref@example.org?subject=%5Bm%5D%20n%3Ef6&amp;body=n%3Ef6%0D%0AGame%20m%2C%201%20half%2Dmove%20made%2E%0D%0AAnswer%20code%3A%20abcde4ghne4klmno\">{label}</a>"
    )
}

fn html(body: &str) -> String {
    let head = "Content-Type: text/html\n\n";
    ben(body).replacen("\n\n", &format!("\nMIME-Version: 1.0\n{head}"), 1)
}

/// Went wrong: the text of a link in our own mail, quoted back, was played.
#[test]
fn a_player_who_writes_into_our_html_is_played_or_answered() {
    let board = "<table class=\"x_parapost\"><tr><td><img alt=\"White: king on e1. Black: nothing.\">OWN</td></tr></table>";
    let links = format!(
        "<table><tr><td><b>Drop</b></td><td>{}</td></tr></table>",
        link("n>f6")
    );
    for (body, word) in [
        // Written above, between and below the blocks.
        (format!("<p>n&gt;g5</p>{board}{links}"), "accepted"),
        // In a letter that cites nothing, whose words stand below is asked.
        (format!("{board}<p>n&gt;g5</p>{links}"), "confirm"),
        (format!("{board}{links}<p>n&gt;g5</p>"), "confirm"),
        (format!("{board}n&gt;g5{links}"), "confirm"),
        // Nothing is written, or into a cell of ours.
        (format!("{board}{links}"), "refused"),
        (
            format!("{}{links}", board.replace("OWN", "n&gt;g5")),
            "refused",
        ),
        (format!("<p>I think about it.</p>{board}{links}"), "note"),
        (format!("<p>I think about it.</p>{}", link("n>f6")), "note"),
    ] {
        let session = referee();
        let output = receive(
            &session,
            &["--print"],
            &html(&body.replace("OWN", "")),
            "m",
            word,
        )
        .run();
        let to_ben = mails(&output.stdout);
        let to_ben = to_ben
            .iter()
            .find(|mail| header(mail, "To:").contains("ben"));
        let answer = to_ben.expect("an answer");
        if word == "refused" {
            assert!(
                answer.contains("There is no move in your message"),
                "{answer}"
            );
        } else if word == "note" {
            assert!(
                answer.contains("No move was read in your message"),
                "{answer}"
            );
        }
        let played = log(&session, "m")
            .iter()
            .any(|line| line.contains(" move Black n>g5"));
        assert_eq!(played, word == "accepted", "{body}");
    }
}

/// The texts of our links are no moves, wherever they stand and however they are joined.
#[test]
fn the_texts_of_our_links_are_never_played() {
    for text in [
        "Knight on c6\nto b4\ntakes d4\n",
        "Knight on c6 to b4\n",
        "Knight on c6: to b4\n",
        "to e5\n",
        "takes d4\n",
        "to e4, becomes a queen\n",
        "Knight takes d4\n",
        "Pawn on e6\n\nto e5\n",
        "Pawn on e6: to\ne5\n",
        "Knight on c6: to b4, to e5, takes\nd4\nPawn on e6: to\ne5\n",
        "castle on the king's side\ncastle on the queen's side\n",
        "Place a pawn on …\n",
        "Place a pawn on ...\nPlace a knight on ...\n",
        "p>\n",
    ] {
        let session = session("ref", "referee");
        super::begin(&session, "m", "K>e1 k>e8 P>d4 n>c6 P>a2 p>e6 N>g1");
        let run = session.parapost(["receive", "--print"]).stdin(ben(text));
        run.any_stdout().any_stderr().either();
        let log = log(&session, "m");
        let is_move = |line: &&String| line.split(' ').nth(1) == Some("move");
        assert_eq!(log.iter().filter(is_move).count(), 7, "{text}: {log:?}");
    }
}

/// An answer code, and the links that have it, go to nobody else.
#[test]
fn no_part_of_a_link_is_carried() {
    let target = link("n>f6");
    let target = target.split('"').nth(1).unwrap().replace("&amp;", "&");
    for quoted in [
        format!("n>f6 <{target}>"),
        format!("> n>f6 <{target}>"),
        format!("n>f6 <{}\n{}>", &target[..90], &target[90..]),
        format!("n>f6[1]\n\n[1] {target}"),
        "   1. mailto:ref@example.org?subject=[m] n>f6&body=n>f6\nGame m, 1 half-move made.\nAnswer code: abcde4ghne4klmno\n".to_owned(),
    ] {
        let session = referee();
        let letter = ben(&format!("What a nice day.\n\n{quoted}\n"));
        let output = receive(&session, &["--print"], &letter, "m", "note").run();
        assert!(output.stdout.contains("What a nice day."), "{}", output.stdout);
        // The header has the link of List-Unsubscribe.
        let (_, body) = output.stdout.split_once("\n\n").unwrap();
        for part in ["mailto", "abcde4", "klmno"] {
            assert!(!body.contains(part), "{part}: {body}");
        }
    }
}

/// What else stands in a letter made the line that says who wrote what follows a part of a link or
/// of a board of ours, so that it was left out, and his words were the player's.
#[test]
#[ignore = "takes long"]
fn no_line_that_says_who_writes_is_a_part_of_our_html() {
    let on = "On Fri, 20 Nov 2026, Ben <ben@example.org> wrote:";
    let german = "Am Freitag, 20. Nov 2026 um 10:00 schrieb Ben White:";
    let link = "mailto:a@b.test?body=x";
    let board = "King on e1, pawns on d2 and e4.\n";
    let form = "Answer code: m,2,abcdefghabcdefgh";
    for order in ["resign", "accept draw", "2. K>a1", "offer draw", "mail off"] {
        for quoted in [
            format!("{on}\n{link}\n{order}\n"),
            format!("{on}\n[1]\n{order}\n\n[1] {link}\n"),
            format!("{on}\n\n{order}\n\n[1] {link}\n[1]"),
            format!("On Fri, Ben [1] <ben@example.org> wrote:\n\n{order}\n\n[1] {link}\n"),
            format!("On Fri, {link} <ben@example.org> wrote:\n\n{order}\n"),
            format!("{link} schrieb am Freitag:\n\n{order}\n"),
            format!("{link} {link} schrieb am Freitag:\n\n{order}\n"),
            format!("{link} {link} <ben@example.org> wrote:\n\n{order}\n"),
            format!("{link}\n<ben@example.org> wrote:\nanswer code\n{order}\n"),
            format!("{link}\nanswer code <ben@example.org> wrote:\n{order}\n"),
            format!("Am Freitag schrieb White: king:\non e1, pawns on d2 and e4.\n{order}\n"),
            format!("White:\nking on h3, pawn on e4; in reserve: queen.\n{order}\n"),
            format!("White: board:\nking on h3, pawn on e4; in reserve: queen.\n{order}\n"),
            format!(
                "Den 20.11.2026 03:00, skreiv White: king:\non e1, pawns on d2 and e4.\n{order}\n"
            ),
            format!("20 Nov 2026 White: king on e1, pawns on d2, e4\n{order}\n"),
            format!("From: White: king on e1, pawns on d2, e4\n{order}\n"),
            format!("-------- White: king on e1, pawns on d2, e4 --------\n{order}\n"),
            format!("Ben says White: king:\non e1, pawns on d2 and e4.\n{order}\n"),
            format!("{order} {form} Ben <ben@example.org> writes:\n> Are you free?\n"),
            format!("{order}<br>Ben <ben@example.org> writes:\n> The answer code is 12.\n"),
            format!("{order}%0ABen <ben@example.org> writes:\n> The answer code is 12.\n"),
            format!("{order}<br>Ben <ben@example.org> writes:\n{form}\n"),
            format!("{form}:\n{order}\n"),
            format!("{order}\n\nSent by: Jane Doe\n\n11/20/2026 03:00 PM\n\nTo\n\nAnna\n"),
            format!("{order}\n\nSent by: a@b.test\n\n11/20/2026 03:00 PM\n\nTo\n\nAnna\n"),
            format!("*White: king on e1, pawns on d2, e4*\n\n{order}\n"),
            format!("> White: king on e1, pawns on d2, e4\n\n{order}\n"),
            format!("{order}\n\nPlease respond to a@b.test\n\n11/20/2026 03:00 PM\n\nTo\n\nAnna\n"),
            format!(
                "{order}\nPlease respond to \"Ben\" <a@b.test>\n11/20/2026 03:00 PM\n\nTo: Anna\n"
            ),
            format!("{order}\nTo: Anna\nSubject: Ben writes:\n\nAre you free?\n"),
            format!("{order}\nWhite: king on e1, pawns on d2, e4\n11/20/2026 03:00 PM\n"),
            format!("{order}!\n\nOn Fri, {order} <ben@example.org> wrote:\n> Are you free?\n"),
            format!("{german}\n{board}\n{order}\n"),
            format!("Place a pawn:\n+ + +\n{order}\n"),
            format!("Knight on c3:\nto d5\nto e4\n{order}\n"),
            format!("> <br>{order}<br><br>answer code\n"),
            format!("> <br>{order}<br><br>\n\nMy answer code?\n"),
        ] {
            // A greeting by a name alone, and no greeting, in letters to Ben and to nobody.
            let greeting = format!("{order},\n\nSure!\n\n");
            let cited = "In-Reply-To: <fri@ben.test>\n";
            for (own, cited) in [
                (&*greeting, cited),
                ("Sure!\n\n", cited),
                ("Sure!\n\n", ""),
                ("", cited),
            ] {
                let session = referee();
                receive(&session, &[], &ben("n>g5\n\noffer draw\n"), "m", "accepted").run();
                let letter = anna(&format!("{own}{quoted}"));
                let letter = letter.replacen("\n\n", &format!("\n{cited}\n"), 1);
                let output = session
                    .parapost(["receive", "--dry-run"])
                    .stdin(&letter)
                    .either();
                let word = output.stdout.trim_end().rsplit('\t').next().unwrap();
                assert!(
                    !["accepted", "command"].contains(&word),
                    "{word}: {own}{quoted}"
                );
            }
        }
    }
}

/// Went wrong: where a mail of ours came back wrapped and without marks, a move that had been taken
/// back since was taken for the reader's own.
#[test]
fn a_move_that_was_taken_back_is_no_answer_to_another() {
    let session = session("ref", "referee");
    super::begin(&session, "m", "K>c4 k>c7");
    let print = ["receive", "--print"];
    let run = |letter: &str| {
        let test = session.parapost(print).stdin(letter);
        test.any_stdout().any_stderr().either().stdout
    };
    run(&anna("B>g7\n"));
    let proposed = run(&anna("propose takeback\n"));
    let mails = mails(&proposed);
    let to_ben = mails
        .iter()
        .find(|mail| header(mail, "To:").contains("ben"));
    let to_ben = to_ben.expect("a mail to Ben").clone();
    run(&ben("accept takeback\n"));
    run(&anna("Q>d1\n"));
    let from = log(&session, "m").len();
    let id = header(&to_ben, "Message-ID:");
    for width in [30, 36, 45, 60, 72] {
        let lines = body(&to_ben)
            .lines()
            .flat_map(|line| textwrap::wrap(line, width));
        let lines: Vec<_> = lines.collect();
        let text = lines.join(" \n") + " \n";
        let letter = ben(&text).replacen("\n\n", &format!("\nIn-Reply-To: {id}\n\n"), 1);
        run(&letter);
        let log = log(&session, "m");
        let is_move = |line: &&String| line.split(' ').nth(1) == Some("move");
        let moves = log[from..].iter().filter(is_move);
        assert_eq!(moves.count(), 0, "{width}: {log:?}");
    }
}

/// Somebody quoted our mail below the head of it, and wrote below its foot: a second head above it, of
/// that person by name alone, was passed over, so that the move was the player's.
#[test]
fn a_move_below_our_mail_in_the_message_of_another_is_asked_about() {
    for (name, is_played) in [
        ("\"accept takeback\"", false),
        ("Carl", false),
        ("Ref <ref@example.org>", true),
    ] {
        let session = session("ref", "referee");
        super::begin(&session, "m", "K>c4 k>c7");
        let run = |letter: &str| printed(&session, letter);
        let received = run(&ben("note Hello\n"));
        let carried = mails(&received);
        let to_anna = carried
            .iter()
            .find(|mail| header(mail, "To:").contains("anna"));
        let to_anna = to_anna.expect("a mail to Anna");
        let (id, text) = (header(to_anna, "Message-ID:"), body(to_anna).trim_end());
        let answer = format!(
            "------------ Original Message -----------\nFrom: {name}\n\
             Date: Friday, November 20th 2026 at 3:00 am\nSubject: hello\n\
             To: A. <anna@example.org>\n\n*From:* <ref@example.org>\n{text}\nQ>d1\n"
        );
        let letter = anna(&answer).replacen("\n\n", &format!("\nIn-Reply-To: {id}\n\n"), 1);
        run(&letter);
        let log = log(&session, "m");
        let last = log.iter().rfind(|line| line.contains(" White "));
        let moves = log
            .iter()
            .filter(|line| line.split(' ').nth(1) == Some("move"));
        assert_eq!(moves.count() == 3, is_played, "{name}: {last:?}");
    }
}

/// Went wrong: a copy of our mail without marks, in which a program had changed Ben's links, carried out
/// for Anna what stood between them.
#[test]
fn an_order_in_an_unmarked_copy_is_asked_about_whatever_became_of_the_words_beside_it() {
    for (order, done) in [("resign", "resign White"), ("Q>d1", "move White Q>d1")] {
        let session = session("ref", "referee");
        super::begin(&session, "m", "K>c4 k>c7");
        let run = |letter: &str| printed(&session, letter);
        let is_done = || log(&session, "m").iter().any(|line| line.contains(done));
        let note = format!(
            "note see http://x.test/abc\nnote\nnote {order}\nnote\nnote http://y.test/abc is good\n"
        );
        let received = run(&ben(&note));
        let carried = mails(&received);
        let to_anna = |mails: Vec<String>| {
            let mut mails = mails.into_iter();
            let mail = mails.find(|mail| header(mail, "To:").contains("anna"));
            mail.expect("a mail to Anna")
        };
        let mail = to_anna(carried);
        let copy = body(&mail)
            .replace("\n> ", "\n")
            .replace("http://", "https://links.test/?url=http%3A%2F%2F");
        assert!(copy.contains(&format!("\n{order}\n")), "{copy}");
        let cites = |mail: &str, letter: &str| {
            let id = header(mail, "Message-ID:");
            letter.replacen("\n\n", &format!("\nIn-Reply-To: {id}\n\n"), 1)
        };
        let received = run(&cites(&mail, &anna(&format!("Thanks!\n\n{copy}"))));
        assert!(!is_done(), "{received}");
        let asked = mails(&received);
        let question = to_anna(asked);
        assert!(body(&question).contains(order), "{question}");
        run(&cites(&question, &anna(&format!("{order}\n"))));
        assert!(is_done(), "{question}");
    }
}

/// Went wrong: it was passed over as one that comes twice, with all its words.
#[test]
fn a_letter_on_turn_that_only_repeats_a_move_is_answered() {
    let session = session("ref", "referee");
    super::begin(&session, "m", "K>c4 k>c7");
    let run = |letter: &str| printed(&session, letter);
    let received = run(&ben("note Hello\n"));
    let carried = mails(&received);
    let to_anna = carried
        .iter()
        .find(|mail| header(mail, "To:").contains("anna"));
    let id = header(to_anna.expect("a mail to Anna"), "Message-ID:");
    let letter = anna("1. K>c4\n\nDear Ben, I am away until Friday.\n");
    let received = run(&letter.replacen("\n\n", &format!("\nIn-Reply-To: {id}\n\n"), 1));
    let answered = mails(&received);
    let told = |name: &str, words: &str| {
        let is_it =
            |mail: &String| header(mail, "To:").contains(name) && body(mail).contains(words);
        assert!(answered.iter().any(is_it), "{words}: {received}");
    };
    told("ben", "I am away until Friday");
    told(
        "anna",
        "No move was read in your message, and it is your turn",
    );
}
