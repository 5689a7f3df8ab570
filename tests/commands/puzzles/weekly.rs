//! The puzzle of the week, by mail to whoever asked for it.

use mail_parser::{MessageParser, PartType};
use parapost::matches::event::LogEntry;
use parapost::matches::r#match::Match;

use super::{PLAYERS, cut};
use crate::commands::partner::{
    NOW, again, answer, config, flat, header, letter, receive, receive_at, split,
};
#[cfg(feature = "postgres")]
use crate::servers::postgresql::Postgresql;
use crate::support::Sandbox;

/// Weeks after that of the letters, on any of their days.
const WEEKS: [&str; 3] = [
    "2026-11-20T06:00:00Z",
    "2026-11-29T23:59:59Z",
    "2026-11-30T00:00:00Z",
];

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";

/// A referee's folder.
fn folder(more: &str) -> Sandbox {
    Sandbox::new()
        .file("config.toml", config(more))
        .dir("games")
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_NOW", NOW)
}

/// Begins a match of Anna and Ben, in which Anna is to move. Returns the mails to both.
fn begin(house: &Sandbox, id: &str) -> [String; 2] {
    let line = ["new", "--print", "--game", "unachess", "--id", id];
    let white = format!("Anna Rosenthal <{ANNA}>");
    let players = ["--white", &white, "--black", BEN];
    let run = house.parapost(line.iter().chain(&players)).any_stderr();
    let (_, mails) = split(&run.any_stdout().run().stdout);
    let to = |address: &str| {
        let mut mails = mails.iter();
        let mail = mails.find(|mail| header(mail, "To:").contains(address));
        mail.unwrap().clone()
    };
    [ANNA, BEN].map(to)
}

/// Mails the puzzle of the week. Returns the mails.
#[track_caller]
fn weekly(house: &Sandbox, now: &str) -> Vec<String> {
    let run = house.parapost(["puzzles", "weekly", "--send"]).now(now);
    split(&run.any_stdout().any_stderr().run().stdout).1
}

/// The folder with the match `m`, in which Anna has asked for puzzles.
fn asked(more: &str) -> Sandbox {
    let house = folder(more);
    let [mail, _] = begin(&house, "m");
    let words = answer(ANNA, 1, &mail, "puzzles weekly");
    let mails = receive(&house, &words, "\tcommand\n");
    assert_eq!(mails.len(), 1);
    assert!(flat(&mails[0]).contains("You get the puzzle of each week"));
    house
}

/// The names of the puzzles that the log of a match owes.
fn puzzles(game: &Match) -> Vec<String> {
    let owed = game.log().iter().filter(|event| event.is_owed());
    let names = owed.filter_map(|event| event.get("puzzle"));
    names.map(str::to_owned).collect()
}

#[test]
fn whoever_asked_gets_one_in_each_week() {
    let house = asked("");
    for (at, now) in WEEKS.into_iter().enumerate() {
        let mails = weekly(&house, now);
        assert_eq!(mails.len(), 1, "{now}");
        let mail = &mails[0];
        assert!(header(mail, "To:").ends_with(&format!("<{ANNA}>")));
        let week = ["2026-W47", "2026-W48", "2026-W49"][at];
        assert_eq!(
            header(mail, "Subject:"),
            format!("The puzzle of the week {week}")
        );
        assert_eq!(header(mail, "Auto-Submitted:"), "auto-generated");
        assert!(header(mail, "List-Unsubscribe:").is_empty(), "folded");
        assert!(mail.contains("?subject=%5Bm%5D%20puzzles%2Doff-"), "{mail}");
        let (text, attached) = mail.split_once("filename=\"solution.txt\"").unwrap();
        assert!(text.contains("FEN: ") && text.contains("to move, mate in"));
        assert!(!text.contains("Every other first move"));
        assert!(flat(attached).contains("Every other first move was tried"));
        assert!(weekly(&house, now).is_empty(), "once a week");
    }
    let mut names = puzzles(&again(&house, "m"));
    names.sort();
    names.dedup();
    assert_eq!(names.len(), WEEKS.len(), "none twice");
}

/// A mail of a referee whose mails have HTML, with its HTML, if it has some, and its picture.
fn parts(mail: &str) -> (String, Option<String>, Option<Vec<u8>>) {
    let mail = MessageParser::default().parse(mail.as_bytes()).unwrap();
    let text = mail.body_text(0).unwrap().into_owned();
    let mut parts = mail.parts.iter();
    let html = parts.find_map(|part| match &part.body {
        PartType::Html(html) => Some(html.to_string()),
        _ => None,
    });
    let mut parts = mail.parts.iter();
    let picture = parts.find_map(|part| match &part.body {
        PartType::InlineBinary(png) | PartType::Binary(png) => Some(png.to_vec()),
        _ => None,
    });
    (text, html, picture)
}

#[test]
fn the_board_is_shown_in_html_and_the_solution_only_attached() {
    let house = asked("");
    let with_html = config("").replace("[mail]\nhtml = false\n", "");
    house.write("config.toml", &with_html);
    let mut pictures = Vec::new();
    for now in WEEKS {
        let mail = weekly(&house, now).pop().unwrap();
        let (text, html, picture) = parts(&mail);
        let (html, picture) = (html.unwrap(), picture.unwrap());
        let attached = mail.split_once("filename=\"solution.txt\"").unwrap().1;
        let solution = flat(attached);
        let (first, _) = solution.split_once(" Every other first move").unwrap();
        let (_, first) = first.rsplit_once("1. ").unwrap_or(("", first));
        let first = first.split(' ').find(|word| word.contains(['>', '-', 'x']));
        let first = first.unwrap().to_owned();
        // What the text says stands there, too.
        let (above, said) = text.split_once(" to move, mate in ").unwrap();
        let side = above.split_whitespace().next_back().unwrap();
        let (moves, said) = said.split_once('.').unwrap();
        assert!(
            html.contains(&format!(">{side} to move, mate in {moves}.</h1>")),
            "{html}"
        );
        let fen = said.split_once("FEN: ").unwrap().1.lines().next().unwrap();
        let fen = fen.trim().replace('/', "&#x2f;");
        assert!(html.contains(&format!("<code>{fen}</code>")), "{html}");
        // Neither the solution, nor anything from elsewhere, nor a word of the match of its reader.
        let escaped = first.replace('>', "&gt;");
        for none in [
            first.as_str(),
            &escaped,
            "//",
            "href",
            "<script",
            "url(",
            "Match m",
            "hash",
        ] {
            assert!(!html.contains(none), "{none}: {html}");
        }
        assert!(html.contains("src=\"cid:board-") && html.contains("The solution is attached."));
        // The board is that of the puzzle, as who is to move sees it.
        assert!(
            html.contains(&format!("The board is seen from {side}&#x27;s side.")),
            "{html}"
        );
        assert!(picture.starts_with(b"\x89PNG") && !pictures.contains(&picture));
        pictures.push(picture);
        assert!(text.contains("The solution is attached.") && !text.contains(&first));
    }
    // Whoever wants no HTML gets none here, either.
    let house = asked("");
    house.write("config.toml", &with_html);
    let wish = answer(ANNA, 4, &weekly_parent(&house), "mail html off");
    receive(&house, &wish, "\tcommand\n");
    let mail = weekly(&house, WEEKS[0]).pop().unwrap();
    let (text, html, picture) = parts(&mail);
    assert!(
        html.is_none() && picture.is_none() && text.contains("FEN: "),
        "{mail}"
    );
}

/// The puzzle of a match has no names, which would stay in the log of another one.
#[test]
fn a_finished_match_comes_before_those_of_the_program() {
    let house = asked("");
    house.write("games/n.txt", cut("n", PLAYERS, true));
    let report = house.parapost(["puzzles", "--json"]).any_stderr();
    let report = report.any_stdout().run().stdout;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let first = report["puzzles"][0]["name"].as_str().unwrap();
    let mails = weekly(&house, WEEKS[0]);
    let game = again(&house, "m");
    assert_eq!(puzzles(&game), [first]);
    let fen = report["puzzles"][0]["fen"].as_str().unwrap();
    assert!(flat(&mails[0]).contains(&flat(fen)), "{}", mails[0]);
    for name in ["Ben -", "Anna -", "secret.test"] {
        assert!(!mails[0].contains(name) && !game.to_string().contains(name));
    }
}

#[test]
fn whoever_leaves_gets_none() {
    let house = asked("");
    let mails = weekly(&house, WEEKS[0]);
    receive_at(
        &house,
        WEEKS[0],
        &answer(ANNA, 2, &mails[0], "puzzles off"),
        "\tcommand\n",
    );
    assert!(weekly(&house, WEEKS[1]).is_empty());
    // Whoever has the mail asks again.
    let back = answer(ANNA, 3, &mails[0], "puzzles weekly");
    receive_at(&house, WEEKS[1], &back, "\tcommand\n");
    let mails = weekly(&house, WEEKS[1]);
    assert_eq!(mails.len(), 1);
    // By the link in the mail, whose code is the proof; the match goes on.
    let link = mails[0].split("?subject=").nth(1).unwrap();
    let subject = link.split('>').next().unwrap().trim();
    let subject = subject
        .replace("%5B", "[")
        .replace("%5D", "]")
        .replace("%20", " ")
        .replace("%2D", "-");
    assert!(subject.starts_with("[m] puzzles-off-"), "{subject}");
    let off = letter(ANNA, 4, "").replace("Subject: hello", &format!("Subject: {subject}"));
    receive_at(&house, WEEKS[1], &off, "\tcommand\n");
    assert!(weekly(&house, WEEKS[2]).is_empty());
    assert!(again(&house, "m").takes_mail(parapost::rules::Color::White));
}

#[test]
fn a_letter_in_somebody_elses_name_asks_for_nothing() {
    let house = folder("");
    let [to_anna, to_ben] = begin(&house, "m");
    for (number, letter, ends) in [
        (1, letter(ANNA, 1, "puzzles weekly"), "\trefused\n"),
        // Who plays against her has no mail of hers.
        (2, answer(ANNA, 2, &to_ben, "puzzles weekly"), "\trefused\n"),
        (
            3,
            letter("eve@elsewhere.test", 3, "puzzles weekly"),
            "\tstranger\n",
        ),
        (4, letter(ANNA, 4, "P>e3\npuzzles weekly"), "\taccepted\n"),
    ] {
        let run = house.parapost(["receive"]).stdin(&letter);
        let heard = run.any_stderr().any_stdout().either().stdout;
        assert!(heard.contains(ends.trim_end()), "{number}: {heard}");
        assert!(weekly(&house, WEEKS[0]).is_empty(), "{number}");
    }
    // What she quotes is not hers.
    let quoted = answer(ANNA, 5, &to_anna, "Hello!\n\n> puzzles weekly");
    house
        .parapost(["receive"])
        .stdin(quoted)
        .any_stdout()
        .any_stderr()
        .either();
    assert!(weekly(&house, WEEKS[0]).is_empty());
    let log = again(&house, "m");
    let wishes = log.log().iter().map(LogEntry::line);
    assert_eq!(
        wishes.filter(|line| line.contains(" mail White")).count(),
        0
    );
    // The answer to the refusal has the proof.
    let run = house.parapost(["receive", "--send"]).any_stderr();
    let run = run.stdin(letter(ANNA, 6, "puzzles weekly")).any_stdout();
    let (_, mails) = split(&run.either().stdout);
    let mail = mails.last().unwrap();
    assert!(
        flat(mail).contains("only in an answer to a mail of this match"),
        "{mail}"
    );
    receive(
        &house,
        &answer(ANNA, 7, mail, "puzzles weekly"),
        "\tcommand\n",
    );
    assert_eq!(weekly(&house, WEEKS[0]).len(), 1);
}

/// Between the log and the mail server anything may end the program.
#[test]
fn a_mail_that_was_owed_goes_out_once_and_under_its_id() {
    let house = asked("");
    let run = house.parapost(["puzzles", "weekly"]).now(WEEKS[0]);
    run.stderr_contains("1 mail owed").run();
    let game = again(&house, "m");
    let owed = game.log().last().unwrap();
    assert!(owed.is_owed());
    assert!(
        weekly(&house, WEEKS[0]).is_empty(),
        "owed once, and not lost"
    );
    let run = house.parapost(["send"]).now(WEEKS[0]).any_stderr();
    let sent = run.any_stdout().run().stdout;
    assert_eq!(header(&sent, "Message-ID:"), owed.get("msg").unwrap());
    assert!(weekly(&house, WEEKS[0]).is_empty());
    assert_eq!(puzzles(&again(&house, "m")).len(), 1);
}

/// A solution may be a legal move of the match that keeps the puzzle.
#[test]
fn an_answer_to_a_puzzle_plays_nothing() {
    let house = asked("");
    let [to_anna, _] = begin(&house, "n");
    let mails = weekly(&house, WEEKS[0]);
    for (number, body) in [
        (2, "P>e3"),
        (3, "1. P>e3"),
        (4, "resign"),
        (5, "I have it!"),
        (6, "note well"),
    ] {
        let before = again(&house, "m");
        let run = house.parapost(["receive", "--send"]).now(WEEKS[0]);
        let run = run.stdin(answer(ANNA, number, &mails[0], body));
        let output = run.any_stdout().any_stderr().either();
        assert!(
            output.stdout.contains("\trefused\n"),
            "{body}: {}",
            output.stdout
        );
        let after = again(&house, "m");
        assert_eq!(after.hash(), before.hash(), "{body}");
        let (_, mails) = split(&output.stdout);
        assert!(mails.iter().all(|mail| header(mail, "To:").contains(ANNA)));
    }
    let moved = answer(ANNA, 7, &to_anna, "P>e3");
    receive_at(&house, WEEKS[0], &moved, "\taccepted\n");
}

/// Some programs answer without the id, and the only match is at hand.
#[test]
fn an_answer_that_names_the_puzzle_in_its_subject_alone_plays_nothing() {
    let house = asked("");
    weekly(&house, WEEKS[0]);
    let before = again(&house, "m");
    for (number, subject) in [
        (2, "Re: The puzzle of the week 2026-W47"),
        (3, "AW: Re: The puzzle of the week 2026-W47"),
        (4, "Re: [m] The puzzle of the week 2026-W47"),
    ] {
        let words = letter(ANNA, number, "P>e3");
        let words = words.replace("Subject: hello", &format!("Subject: {subject}"));
        let mails = receive_at(&house, WEEKS[0], &words, "\trefused\n");
        assert!(flat(&mails[0]).contains("Your message answers a puzzle"));
        assert_eq!(again(&house, "m").hash(), before.hash(), "{subject}");
    }
}

#[test]
fn a_mailbox_gets_one_however_many_matches_it_asked_in() {
    let house = asked("");
    let [mail, _] = begin(&house, "n");
    receive(
        &house,
        &answer(ANNA, 2, &mail, "puzzles weekly"),
        "\tcommand\n",
    );
    assert_eq!(weekly(&house, WEEKS[0]).len(), 1);
    assert!(weekly(&house, WEEKS[0]).is_empty());
    receive(
        &house,
        &answer(ANNA, 3, &mail, "puzzles off"),
        "\tcommand\n",
    );
    assert!(weekly(&house, WEEKS[1]).is_empty());
}

#[test]
fn mail_off_wins() {
    let house = asked("");
    let mails = weekly(&house, WEEKS[0]);
    let off = answer(ANNA, 2, &mails[0], "mail off");
    receive_at(&house, WEEKS[0], &off, "\tcommand\n");
    assert!(weekly(&house, WEEKS[1]).is_empty());
}

#[test]
fn the_wish_outlives_the_match_and_is_forgotten_with_its_player() {
    let house = asked("");
    let [to_anna, _] = begin(&house, "n");
    let resigns = answer(ANNA, 2, &to_anna, "resign match");
    receive(&house, &resigns, "\tcommand\n");
    let mails = weekly(&house, WEEKS[0]);
    let resigns = answer(ANNA, 3, &weekly_parent(&house), "resign match");
    receive_at(&house, WEEKS[0], &resigns, "\tcommand\n");
    assert!(again(&house, "m").turn().is_none());
    assert_eq!(mails.len(), 1);
    let mails = weekly(&house, WEEKS[1]);
    assert_eq!(mails.len(), 1, "the match is over");
    let run = house.parapost(["forget", ANNA, "--yes"]).now(WEEKS[1]);
    run.any_stdout().any_stderr().run();
    assert!(weekly(&house, WEEKS[2]).is_empty());
    let left = again(&house, "m").to_string();
    assert!(!left.to_lowercase().contains("anna"), "{left}");
}

/// The first mail of the match `m` to Anna, as far as an answer needs it.
fn weekly_parent(house: &Sandbox) -> String {
    let game = again(house, "m");
    let first = game.log().iter().find(|event| event.is_owed()).unwrap();
    format!("Message-ID: {}\n\n", first.get("msg").unwrap())
}

#[test]
fn only_a_referee_mails_puzzles() {
    let player =
        "[me]\nname = \"Ref\"\naddress = \"ref@example.org\"\n[transport]\nkind = \"print\"\n";
    let house = Sandbox::new()
        .file("config.toml", player)
        .dir("games")
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_NOW", NOW);
    let run = house.parapost(["puzzles", "weekly"]).status(1);
    run.stderr_contains("only a referee mails puzzles").run();
}

/// Two runs at once, over a database: each mailbox gets one.
#[cfg(feature = "postgres")]
#[test]
#[ignore = "needs PostgreSQL"]
fn over_a_database_a_mailbox_gets_one() {
    use parapost::store::store::Store as _;
    let database = Postgresql::start();
    let store = database.store();
    let house = asked(&database.config("club"));
    let runs: Vec<_> = (0..2)
        .map(|_| {
            let run = house.parapost(["puzzles", "weekly", "--send"]);
            run.now(WEEKS[0]).command().spawn().unwrap()
        })
        .collect();
    for mut run in runs {
        assert!(run.wait().unwrap().success());
    }
    let stored = store.read(&"m".parse().unwrap()).unwrap();
    assert_eq!(puzzles(&stored.game).len(), 1);
    assert!(stored.game.owed().is_empty());
    assert!(weekly(&house, WEEKS[0]).is_empty());
    assert_eq!(weekly(&house, WEEKS[1]).len(), 1);
}
