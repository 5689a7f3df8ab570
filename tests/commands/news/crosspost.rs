//! An article that is in several groups is one.

use std::sync::Arc;

use crate::commands::news::attack::{article_of, config_at};
use crate::commands::news::fetch::{fetched, mails};
use crate::commands::news::post::log;
use crate::commands::news::stand_in;
use crate::servers::NOBODY;
use crate::servers::inn::GROUP;
use crate::support::Sandbox;

/// Anna's house, whose group is another one than that of the match: the stand-in has every article
/// in both. Both players have played by mail, and Anna again.
fn house(play: &str) -> Sandbox {
    let config = |port| config_at(port).replace(GROUP, "rec.games.other");
    let house = Sandbox::new()
        .dir("games")
        .file("white.toml", config(NOBODY))
        .env("PARAPOST_CONFIG", "white.toml");
    let new = [
        "new", "--game", "unachess", "--id", "demo", "--news", GROUP, "--play", play,
    ];
    let players = ["--white", "Anna White <anna@example.org>", "--black"];
    let run = house.parapost(new).args(players);
    run.args(["Ben <ben@example.test>, <ben@example.invalid>", "--send"])
        .stdout("demo\n")
        .any_stderr()
        .run();
    house
        .parapost(["move", "demo", "P>e3", "--send"])
        .any_stderr()
        .run();
    let letter =
        "From: Ben <ben@example.test>\nSubject: Re: [demo]\nMessage-ID: <1@ben.test>\n\nn>g5\n";
    house
        .parapost(["receive"])
        .stdin(letter)
        .any_stdout()
        .any_stderr()
        .run();
    let run = house.parapost(["move", "demo", "K>e1"]);
    run.any_stderr().run();
    let references = article_of(&log(&house));
    let article: stand_in::Article = Arc::new(move |_| {
        format!(
            "From: Ben <ben@example.test>\nNewsgroups: {GROUP},rec.games.other\nSubject: Re: a match\nMessage-ID: <both@reader.test>\nReferences: {references}\n\n2... k>e8\n"
        )
    });
    house.write("white.toml", config(stand_in::serve(1..=1, article)));
    house
}

#[test]
fn a_crosspost_is_played_once() {
    let house = house("news");
    let said = fetched(&house, 0, &[]);
    assert_eq!(said.matches("\tdemo\taccepted\n").count(), 1, "{said}");
    assert!(!said.contains("refused"), "{said}");
    assert_eq!(
        log(&house).matches(" move Black ").count(),
        2,
        "{}",
        log(&house)
    );
    house.parapost(["verify", "demo"]).any_stdout().run();
}

#[test]
fn a_crosspost_is_told_of_and_shown_once() {
    let house = house("mail");
    let sent = mails(&house).len();
    let said = fetched(&house, 1, &[]);
    assert_eq!(said.matches("\tdemo\trefused\n").count(), 1, "{said}");
    assert_eq!(
        log(&house).matches(" news - told ").count(),
        1,
        "{}",
        log(&house)
    );
    assert_eq!(mails(&house).len(), sent, "nothing is sent without --send");
    let run = house.parapost(["news", "comments", "demo"]).any_stdout();
    let said = run.run().stdout;
    assert_eq!(said.matches("k>e8").count(), 1, "{said}");
}
