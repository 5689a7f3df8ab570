//! Attacks from a newsgroup, where anybody can write in anybody's name.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::commands::news::fetch::{fetched, follow_up, follow_up_with, mails, post};
use crate::commands::news::play::begun;
use crate::commands::news::post::{house, log};
use crate::commands::news::stand_in;
use crate::servers::NOBODY;
use crate::servers::inn::{GROUP, Inn};
use crate::support::Sandbox;

/// Black, as everybody in the group reads it.
const BEN: &str = "Ben <ben@example.invalid>";

/// The lines that a link of the last mail to Black writes, with this move.
fn answer(house: &Sandbox, text: &str) -> String {
    let shown = house.parapost(["show", "duel", "--answer"]).any_stdout();
    let shown = shown.run().stdout;
    let (_, body) = shown.split_once("\n\n").unwrap();
    body.replace("MOVE", text)
}

fn list(house: &Sandbox) -> String {
    let shown = house.parapost(["show", "duel", "--as", "post"]);
    shown.any_stdout().run().stdout
}

/// Reads a mail of Black's own at White's house.
fn by_mail(house: &Sandbox, name: &str, status: i32, text: &str) -> String {
    let asked = mails(house).pop().unwrap();
    let id = asked
        .lines()
        .find_map(|line| line.strip_prefix("Message-ID: "));
    let letter = format!(
        "From: Ben <ben@example.test>\nSubject: Re: [duel]\nMessage-ID: <{name}@ben.test>\nIn-Reply-To: {}\n\n{text}\n",
        id.unwrap()
    );
    let run = house.parapost(["receive"]).stdin(letter).status(status);
    let run = run.any_stdout().any_stderr().run();
    run.stdout + &run.stderr
}

/// Under `address` a forged From plays, which is why the docs say that it is weaker than mail. The
/// player's own article takes it back, and from then on that half-move is played by mail alone.
#[test]
#[ignore = "needs INN, openssl"]
fn a_forged_from_is_contradicted_by_the_players_own_article() {
    let inn = Inn::start(true);
    let [anna, ben] = begun(&inn, "unachess", "address");
    anna.parapost(["move", "duel", "K>e1", "--send"])
        .any_stderr()
        .run();
    let sent = mails(&anna).len();
    follow_up(&inn, "Ben <ben@evil.test>", "stranger", "2... k>e8\n");
    follow_up(&inn, BEN, "forged", "2... k>e8\n");
    let said = fetched(&anna, 0, &[]);
    assert!(
        said.contains("<stranger@reader.test>\tduel\tignored\n")
            && said.contains("<forged@reader.test>\tduel\taccepted\n"),
        "{said}"
    );
    follow_up(&inn, BEN, "real", "2... k>d8\n");
    let said = fetched(&anna, 1, &["--send"]);
    assert!(
        said.contains("<real@reader.test>\tduel\trefused\n"),
        "{said}"
    );
    assert!(said.contains("neither counts"), "{said}");
    assert!(
        list(&anna).ends_with("2.  K>e1\n\nBlack to move.\n"),
        "{}",
        list(&anna)
    );
    let told = mails(&anna);
    assert_eq!(told.len(), sent + 1, "{told:?}");
    assert!(told.last().unwrap().contains("To: Ben <ben@example.test>"));
    // Nothing from there counts any more.
    follow_up(&inn, BEN, "third", "2... k>f8\n");
    let said = fetched(&anna, 0, &["--send"]);
    assert!(
        said.contains("<third@reader.test>\tduel\tignored\n"),
        "{said}"
    );
    assert_eq!(mails(&anna).len(), sent + 1);
    let said = by_mail(&anna, "mail", 0, "k>d8");
    assert!(said.contains("accepted"), "{said}");
    assert!(list(&anna).contains("2.  K>e1    k>d8"), "{}", list(&anna));
    // What was answered is not taken back.
    anna.parapost(["move", "duel", "R>a2", "--send"])
        .any_stderr()
        .run();
    follow_up(&inn, BEN, "late", "2... k>f8\n");
    fetched(&anna, 0, &[]);
    assert!(list(&anna).contains("2.  K>e1    k>d8"), "{}", list(&anna));
    anna.parapost(["verify", "duel"]).any_stdout().run();
    drop(ben);
}

#[test]
#[ignore = "needs INN, openssl"]
fn a_code_is_public_once_posted_and_two_moves_with_it_are_none() {
    let inn = Inn::start(true);
    let [anna, _ben] = begun(&inn, "unachess", "token");
    anna.parapost(["move", "duel", "K>e1", "--send"])
        .any_stderr()
        .run();
    let sent = mails(&anna).len();
    // Without the code an article does nothing, and its player is told once.
    follow_up(&inn, BEN, "bare", "2... k>e8\n");
    let said = fetched(&anna, 1, &["--send"]);
    assert!(
        said.contains("<bare@reader.test>\tduel\trefused\n"),
        "{said}"
    );
    assert_eq!(mails(&anna).len(), sent + 1);
    follow_up(&inn, BEN, "real", &answer(&anna, "k>d8"));
    let said = fetched(&anna, 0, &[]);
    assert!(
        said.contains("<real@reader.test>\tduel\taccepted\n"),
        "{said}"
    );
    // Who has read the code in a quotation posts another move with it.
    let real = inn.articles(GROUP).pop().unwrap();
    let stolen = real.split_once("\n\n").unwrap().1.replace("k>d8", "k>e8");
    follow_up(&inn, "Mallory <mallory@example.net>", "others", &stolen);
    let said = fetched(&anna, 0, &[]);
    assert!(
        said.contains("<others@reader.test>\tduel\tignored\n"),
        "{said}"
    );
    follow_up(&inn, BEN, "stolen", &stolen);
    let said = fetched(&anna, 1, &["--send"]);
    assert!(
        said.contains("<stolen@reader.test>\tduel\trefused\n"),
        "{said}"
    );
    assert!(
        list(&anna).ends_with("2.  K>e1\n\nBlack to move.\n"),
        "{}",
        list(&anna)
    );
    // Nor does it prove anything by mail.
    let letter = format!(
        "From: Ben <ben@example.test>\nSubject: [duel]\nMessage-ID: <x@evil.test>\n\n{stolen}"
    );
    let run = anna.parapost(["receive"]).stdin(letter).status(1);
    let said = run.any_stdout().any_stderr().run().stdout;
    assert_eq!(said, "<x@evil.test>\tduel\tstranger\n");
    let said = by_mail(&anna, "mail", 0, "k>d8");
    assert!(said.contains("accepted"), "{said}");
    anna.parapost(["verify", "duel"]).any_stdout().run();
}

#[test]
#[ignore = "needs INN, openssl"]
fn an_article_that_takes_the_place_of_a_move_changes_none() {
    let inn = Inn::start(true);
    let [anna, _ben] = begun(&inn, "unachess", "address");
    anna.parapost(["move", "duel", "K>e1", "--send"])
        .any_stderr()
        .run();
    follow_up(&inn, BEN, "real", "2... k>d8\n");
    let said = fetched(&anna, 0, &[]);
    assert!(
        said.contains("<real@reader.test>\tduel\taccepted\n"),
        "{said}"
    );
    let supersedes = "Supersedes: <real@reader.test>\n";
    follow_up_with(&inn, BEN, "super", supersedes, "2... k>e8\n");
    let said = fetched(&anna, 0, &[]);
    assert!(
        said.contains("<super@reader.test>\tduel\tignored\n"),
        "{said}"
    );
    // Nor does one that cancels the move, in its player's name or another.
    for (from, id) in [(BEN, "cancel"), ("Kim <kim@example.net>", "others")] {
        let control = "Control: cancel <real@reader.test>\n";
        follow_up_with(&inn, from, id, control, "2... k>e8\n");
        let before = anna.read("games/duel.txt");
        let said = fetched(&anna, 0, &[]);
        assert!(!said.contains("accepted"), "{said}");
        assert_eq!(anna.read("games/duel.txt"), before);
    }
    assert!(list(&anna).contains("2.  K>e1    k>d8"), "{}", list(&anna));
}

#[test]
#[ignore = "needs INN, openssl"]
fn under_dkim_no_article_is_a_move_and_references_that_lie_name_no_match() {
    let inn = Inn::start(true);
    let [anna, _ben] = begun(&inn, "unachess", "dkim");
    anna.parapost(["move", "duel", "K>e1", "--send"])
        .any_stderr()
        .run();
    follow_up(&inn, BEN, "real", &answer(&anna, "k>d8"));
    let said = fetched(&anna, 1, &[]);
    assert!(
        said.contains("<real@reader.test>\tduel\trefused\n"),
        "{said}"
    );
    let players = [
        "--white",
        "Anna <anna@example.org>",
        "--black",
        "Kim <ben@example.invalid>",
    ];
    let new = ["new", "--game", "chess", "--id", "other", "--invited"];
    anna.parapost(new).args(players).stdout("other\n").run();
    anna.parapost(["news", "post", "other", "--yes"])
        .any_stderr()
        .run();
    let [one, other] =
        ["duel", "other"].map(|id| article_of(&anna.read(format!("games/{id}.txt"))));
    let before = anna.read("games/duel.txt");
    post(
        &inn,
        &format!(
            "From: {BEN}\nNewsgroups: {GROUP}\nSubject: [duel] lie\nMessage-ID: <lie@reader.test>\nReferences: {other} {one}\n\n1. e4\n"
        ),
    );
    let said = fetched(&anna, 0, &[]);
    assert!(said.contains("<lie@reader.test>\t-\tignored\n"), "{said}");
    assert!(
        said.contains("it follows articles of several matches"),
        "{said}"
    );
    assert_eq!(anna.read("games/duel.txt"), before);
}

/// The Message-ID of the first article of a match.
pub(super) fn article_of(log: &str) -> String {
    let cited = log.split_once("article=").unwrap().1;
    cited.split_whitespace().next().unwrap().to_owned()
}

/// White's house, whose news server listens at this port, with an article that is on its way.
pub(super) fn house_at(port: u16) -> (Sandbox, String) {
    let house = house(&config_at(NOBODY));
    let run = house.parapost(["news", "post", "demo", "--yes"]);
    run.status(75).any_stderr().run();
    house.write("white.toml", config_at(port));
    let cited = article_of(&log(&house));
    (house, cited)
}

pub(super) fn config_at(port: u16) -> String {
    format!(
        "[me]\nname = \"Anna White\"\naddress = \"anna@example.org\"\n\
         [news]\nhost = \"localhost\"\nport = {port}\ntls = \"none\"\n\
         from = \"Anna <anna@example.invalid>\"\ngroup = \"{GROUP}\"\n"
    )
}

/// Whoever posts ten thousand follow-ups in a player's name has that player told once.
#[test]
#[ignore = "takes long"]
fn ten_thousand_follow_ups_cause_one_mail() {
    let (house, cited) = house_at(NOBODY);
    let article = move |number: u64| {
        format!(
            "From: Ben <ben@example.test>\nNewsgroups: {GROUP}\nSubject: Re: a match\nMessage-ID: <{number}@reader.test>\nReferences: {cited}\n\nn>g5\n"
        )
    };
    let port = stand_in::serve(1..=10_000, Arc::new(article));
    house.write("white.toml", config_at(port));
    let begun = Instant::now();
    let said = fetched(&house, 1, &["--back", "10000"]);
    assert!(
        begun.elapsed() < Duration::from_mins(5),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(said.matches("\tdemo\trefused\n").count(), 1);
    assert_eq!(said.matches("\tdemo\tignored\n").count(), 9_999);
    let log = log(&house);
    assert_eq!(log.matches(" news - told ").count(), 1);
    assert_eq!(log.matches(" owed Black answer ").count(), 1, "{log}");
}

/// Articles that have expired, numbers that were given anew, and a place that is lost.
#[test]
fn a_place_that_is_lost_or_above_the_group_begins_anew() {
    let article: stand_in::Article = Arc::new(|number: u64| {
        format!(
            "From: Kim <kim@example.net>\nSubject: [demo] a match\nMessage-ID: <{number}@reader.test>\n\nNice!\n"
        )
    });
    let port = stand_in::serve(6_990..=7_000, Arc::clone(&article));
    let (house, _) = house_at(port);
    let before = log(&house);
    let read = |more: &[&str]| {
        let said = fetched(&house, 0, more);
        (said.matches("\tdemo\tignored\n").count(), said)
    };
    assert_eq!(read(&["--dry-run"]).0, 11);
    assert_eq!(read(&[]).0, 11);
    assert_eq!(read(&[]), (0, String::new()));
    let entries = std::fs::read_dir(house.path("games/news")).unwrap();
    let mut paths = entries.map(|entry| entry.unwrap().path());
    let place = paths.find(|path| path.extension().is_some_and(|end| end == "txt"));
    let place = place.unwrap();
    let text = std::fs::read_to_string(&place).unwrap();
    assert!(text.contains("\nPlace: 7000\n"), "{text}");
    for (number, expected) in [
        (6_000, "989 numbers had expired"),
        (9_000, "has numbered the articles anew"),
        (6_995, ""),
    ] {
        let moved = text.replace("Place: 7000", &format!("Place: {number}"));
        std::fs::write(&place, moved).unwrap();
        let (count, said) = read(&[]);
        assert_eq!(count, if number == 6_995 { 5 } else { 11 }, "{said}");
        assert!(said.contains(expected), "{said}");
    }
    std::fs::write(&place, "Format: nonsense\n").unwrap();
    let run = house.parapost(["fetch", "--news"]).status(1);
    run.stderr_contains("this file is damaged; remove it").run();
    std::fs::remove_file(&place).unwrap();
    assert_eq!(read(&[]).0, 11);
    assert_eq!(log(&house), before);

    let port = stand_in::serve(1..=7_000, article);
    house.write("white.toml", config_at(port));
    let (count, said) = read(&["--dry-run"]);
    assert_eq!(count, 5_000);
    assert!(
        said.contains("only the last 5000 numbers are looked at")
            && said.contains("'parapost fetch --news --back NUMBERS' looks further back"),
        "{said}"
    );
    assert_eq!(read(&["--dry-run", "--back", "6500"]).0, 6_500);
}
