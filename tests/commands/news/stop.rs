//! Either player ends that a match is posted.

use crate::commands::news::post::{given, houses, invited, log, moved};
use crate::servers::inn::{GROUP, Inn};
use crate::support::Sandbox;

/// Two players' programs, and a match of which two positions are posted.
fn followed(inn: &Inn) -> [Sandbox; 2] {
    let [white, black] = houses(inn);
    invited(&white, &black);
    given(&black, &moved(&white, "P>e3"));
    given(&white, &moved(&black, "n>g5"));
    given(&black, &moved(&white, "K>e1"));
    assert_eq!(inn.articles(GROUP).len(), 2);
    [white, black]
}

#[test]
#[ignore = "needs INN, openssl"]
fn the_program_that_posts_the_moves_stops_that() {
    let inn = Inn::start(true);
    let [white, black] = followed(&inn);
    white
        .parapost(["news", "stop", "demo"])
        .stderr_contains("posts no more moves")
        .run();
    let fourth = moved(&black, "k>e8");
    given(&white, &fourth);
    white
        .parapost(["resign", "demo", "--yes"])
        .any_stderr()
        .run();
    white.parapost(["send", "demo"]).any_stderr().run();
    assert_eq!(inn.articles(GROUP).len(), 2);
    // By hand it goes on, and does not say that it is posted as it goes on.
    white
        .parapost(["news", "post", "demo", "--yes"])
        .any_stderr()
        .run();
    let articles = inn.articles(GROUP);
    assert_eq!(articles.len(), 3);
    assert!(
        articles[2].contains("White resigns, Black wins.\n"),
        "{}",
        articles[2]
    );
    for house in [&white, &black] {
        house.parapost(["verify", "demo"]).any_stdout().run();
    }
}

#[test]
#[ignore = "needs INN, openssl"]
fn the_other_program_ends_it() {
    let inn = Inn::start(true);
    let [white, black] = followed(&inn);
    let asked = black
        .parapost(["news", "stop", "demo", "--print=raw"])
        .any_stderr()
        .any_stdout()
        .run();
    let asked = asked.stdout;
    assert!(
        asked.contains("\nmail news off\n")
            && asked.contains("wants no more moves of this match posted to the newsgroup."),
        "{asked}"
    );
    let said = given(&white, &asked);
    assert!(said.contains("demo"), "{said}");
    assert!(
        log(&white).contains(" mail Black \"news off\" "),
        "{}",
        log(&white)
    );
    // The position is the one of before, and nobody's mail has stopped.
    let reply = moved(&black, "k>e8");
    assert!(!reply.contains("mail news off"), "{reply}");
    given(&white, &reply);
    given(&black, &moved(&white, "P>d3"));
    assert_eq!(inn.articles(GROUP).len(), 2);
    for house in [&white, &black] {
        house.parapost(["verify", "demo"]).any_stdout().run();
    }
}

#[test]
#[ignore = "needs INN, openssl"]
fn a_letter_ends_it() {
    let inn = Inn::start(true);
    for words in ["mail news off", "no news", "n>g5\n\nmail news off"] {
        let [white, black] = houses(&inn);
        invited(&white, &black);
        moved(&white, "P>e3");
        let letter = |id: &str, text: &str| {
            format!(
                "From: Ben <ben@example.test>\nSubject: Re: [demo]\nMessage-ID: <{id}@ben.test>\n\n{text}\n"
            )
        };
        let said = given(&white, &letter("1", words));
        assert!(said.contains("demo"), "{said}");
        if !words.contains("n>g5") {
            given(&white, &letter("2", "n>g5"));
        }
        white.parapost(["send"]).any_stdout().any_stderr().run();
        moved(&white, "K>e1");
        // Not even a move beside it is posted.
        assert!(inn.articles(GROUP).is_empty(), "{}", log(&white));
        assert!(log(&white).contains("\"news off\""), "{}", log(&white));
    }
}
