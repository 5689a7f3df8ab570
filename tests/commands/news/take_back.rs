//! A take-back of a move that was posted.

use crate::commands::news::post::{given, houses, invited, log, moved};
use crate::servers::inn::{GROUP, Inn};
use crate::support::Sandbox;

/// Says something in the match, and posts what is owed. Returns the mail.
fn said(house: &Sandbox, word: &str) -> String {
    let run = house
        .parapost(["takeback", word, "demo", "--print=raw"])
        .any_stdout()
        .any_stderr()
        .run();
    house.parapost(["send", "demo"]).any_stderr().run();
    run.stdout
}

/// Returns a field of an article's header, on a line.
fn field(article: &str, name: &str) -> Option<String> {
    let (header, _) = article.split_once("\n\n").unwrap();
    let unfolded = header.replace("\n ", " ");
    let mut lines = unfolded.lines();
    let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    value.map(|value| value.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
#[ignore = "needs INN, openssl"]
fn what_was_taken_back_is_superseded() {
    let inn = Inn::start(true);
    let [white, black] = houses(&inn);
    invited(&white, &black);
    for text in ["P>e3", "n>g5", "K>e1"] {
        let [from, to] = if text == "n>g5" {
            [&black, &white]
        } else {
            [&white, &black]
        };
        given(to, &moved(from, text));
        to.parapost(["send"]).any_stderr().run();
    }
    assert_eq!(inn.articles(GROUP).len(), 2);
    given(&black, &said(&white, "propose"));
    assert_eq!(inn.articles(GROUP).len(), 2, "nothing is taken back yet");
    given(&white, &said(&black, "accept"));
    white.parapost(["send"]).any_stderr().run();
    white.parapost(["send"]).any_stderr().run();
    given(&black, &moved(&white, "P>d3"));
    let articles = inn.articles(GROUP);
    assert_eq!(articles.len(), 4, "{}", log(&white));
    let id = |number: usize| field(&articles[number], "Message-ID").unwrap();
    assert_eq!(field(&articles[2], "Supersedes"), Some(id(1)));
    assert_eq!(
        field(&articles[2], "References"),
        Some(format!("{} {}", id(0), id(1)))
    );
    assert_eq!(
        field(&articles[3], "References"),
        Some(format!("{} {} {}", id(0), id(1), id(2)))
    );
    let (_, body) = articles[2].split_once("\n\n").unwrap();
    let told = "White has taken back 2. K>e1.\nThe position is again the one below.\n\n- - ";
    assert!(body.starts_with(told), "{body}");
    for article in &articles {
        assert_eq!(field(article, "Control"), None, "{article}");
        let (_, body) = article.split_once("\n\n").unwrap();
        let quoted: Vec<String> = body.lines().map(|line| format!("> {line}")).collect();
        for text in [body, &quoted.join("\n")] {
            let checked = white
                .parapost(["check", "-"])
                .stdin(text)
                .any_stdout()
                .run();
            assert!(checked.stdout.contains("1.  P>e3"), "{body}");
        }
    }
    assert!(
        [0, 1, 3]
            .iter()
            .all(|at| field(&articles[*at], "Supersedes").is_none()),
        "{articles:#?}"
    );
    assert!(!log(&black).contains(" news "), "White's account posts");
    for house in [&white, &black] {
        house.parapost(["verify", "demo"]).any_stdout().run();
    }
}

/// By hand it is told by the next article.
#[test]
#[ignore = "needs INN, openssl"]
fn a_position_posted_by_hand_is_superseded_by_the_next_one() {
    let inn = Inn::start(true);
    let [white, black] = houses(&inn);
    let new = ["new", "--game", "unachess", "--id", "demo", "--print=raw"];
    let invitation = white
        .parapost(new)
        .args(["Ben <ben@example.test>"])
        .any_stdout()
        .any_stderr()
        .run();
    given(&black, &invitation.stdout);
    given(&black, &moved(&white, "P>e3"));
    let post = |house: &Sandbox| {
        let post = ["news", "post", "demo", "--yes", "--group", GROUP];
        house.parapost(post).any_stderr().run();
    };
    post(&white);
    given(&black, &said(&white, "propose"));
    given(&white, &said(&black, "accept"));
    assert_eq!(inn.articles(GROUP).len(), 1);
    post(&white);
    let articles = inn.articles(GROUP);
    assert_eq!(articles.len(), 2);
    assert_eq!(
        field(&articles[1], "Supersedes"),
        field(&articles[0], "Message-ID")
    );
    assert!(
        articles[1].contains("\n\nWhite has taken back 1. P>e3.\n"),
        "{}",
        articles[1]
    );
}
