//! `parapost fetch --news`: what the articles of others come to.

use std::fs;
use std::path::PathBuf;

use parapost::mail::nntp;
use parapost::mail::settings::Tls;

use crate::commands::news::post::{config, house, log, played};
use crate::commands::news::settings;
use crate::servers::inn::{GROUP, Inn};
use crate::support::Sandbox;

/// Posts an article as it stands.
pub(super) fn post(inn: &Inn, article: &str) {
    let mut connection = nntp::connect(&settings(inn, Tls::Tls)).unwrap();
    connection.say("POST", &[340], nntp::LIMIT).unwrap();
    let text = article.replace('\n', "\r\n");
    connection.send_text(text.as_bytes(), nntp::LIMIT).unwrap();
    nntp::leave(connection);
}

/// Posts a follow-up to the last article that a program has posted.
pub(super) fn follow_up(inn: &Inn, from: &str, id: &str, text: &str) {
    follow_up_with(inn, from, id, "", text);
}

/// The same, with more fields.
pub(super) fn follow_up_with(inn: &Inn, from: &str, id: &str, fields: &str, text: &str) {
    let mut articles = inn.articles(GROUP).into_iter().rev();
    let is_of_program = |article: &String| {
        unfolded(article, "Message-ID")
            .unwrap()
            .ends_with("@example.invalid>")
    };
    let last = articles.find(is_of_program).unwrap();
    let cited = unfolded(&last, "References").unwrap_or_default();
    let last = unfolded(&last, "Message-ID").unwrap();
    post(
        inn,
        &format!(
            "From: {from}\nNewsgroups: {GROUP}\nSubject: Re: a match\nMessage-ID: <{id}@reader.test>\nReferences: {cited} {last}\n{fields}\n{text}\n"
        ),
    );
}

/// The value of a field.
fn unfolded(article: &str, name: &str) -> Option<String> {
    let (header, _) = article.split_once("\n\n").unwrap();
    let header = header.replace("\n ", " ").replace("\n\t", " ");
    let mut lines = header.lines();
    let name = format!("{name}: ");
    lines.find_map(|line| line.strip_prefix(&name).map(str::to_owned))
}

/// Reads the group, and returns the lines of the run.
pub(super) fn fetched(house: &Sandbox, status: i32, more: &[&str]) -> String {
    let run = house.parapost([&["fetch", "--news"], more].concat());
    let run = run.status(status).any_stdout().any_stderr().run();
    run.stdout + &run.stderr
}

/// The mails that the house has sent into its folder, in their order.
pub(super) fn mails(house: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(house.path("games/outbox")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    let line = |path: &PathBuf| -> usize {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.split('.').nth(1).unwrap().parse().unwrap()
    };
    paths.sort_by_key(line);
    let texts = paths.iter().map(fs::read_to_string);
    texts
        .map(|text| text.unwrap().replace("\r\n", "\n"))
        .collect()
}

/// A house whose match is posted.
pub(super) fn posted(inn: &Inn) -> Sandbox {
    let house = house(&config(inn, inn.tls_port, Tls::Tls, GROUP));
    house
        .parapost(["news", "post", "demo", "--yes"])
        .any_stderr()
        .run();
    house.parapost(["send"]).any_stderr().run();
    house
}

const BEN: &str = "Ben <ben@example.test>";

#[test]
#[ignore = "needs INN, openssl"]
fn a_follow_up_changes_nothing_and_its_player_is_told_once_how_to_play() {
    let inn = Inn::start(true);
    let house = posted(&inn);
    let before = log(&house);
    follow_up(
        &inn,
        "Kim <kim@example.net>",
        "kim",
        "n>f6 is better, and SECRET\n",
    );
    follow_up(&inn, BEN, "talk", "What a match! SECRET\n");
    let said = fetched(&house, 0, &[]);
    assert!(
        said.contains("<kim@reader.test>\tdemo\tignored\n")
            && said.contains("<talk@reader.test>\tdemo\tignored\n")
            && said.contains("a comment in rec.games.abstract"),
        "{said}"
    );
    assert_eq!(log(&house), before);
    assert_eq!(fetched(&house, 0, &[]), "", "nothing is read twice");

    let sent = mails(&house).len();
    follow_up(&inn, BEN, "move", "n>g5\n\nSECRET\n");
    follow_up(&inn, BEN, "other", "n>f6\n");
    let said = fetched(&house, 1, &["--send"]);
    assert!(
        said.contains("<move@reader.test>\tdemo\trefused\n")
            && said.contains("<other@reader.test>\tdemo\tignored\n"),
        "{said}"
    );
    let told = mails(&house);
    assert_eq!(told.len(), sent + 1, "{told:?}");
    let told = told.last().unwrap();
    assert!(
        told.contains("To: Ben <ben@example.test>") && told.contains("played by mail"),
        "{told}"
    );
    assert!(!told.contains("SECRET") && !log(&house).contains("SECRET"));
    assert!(!log(&house).contains("move Black"), "{}", log(&house));
    // An answer to that mail plays it, and in the next position is told anew.
    played(&house, "Black", "n>g5");
    played(&house, "White", "K>e1");
    house.parapost(["send"]).any_stderr().run();
    let sent = mails(&house).len();
    follow_up(&inn, BEN, "third", "2... n>c6\n");
    let said = fetched(&house, 1, &["--send"]);
    assert!(
        said.contains("<third@reader.test>\tdemo\trefused\n"),
        "{said}"
    );
    assert_eq!(mails(&house).len(), sent + 1);
    house.parapost(["verify", "demo"]).any_stdout().run();
}
