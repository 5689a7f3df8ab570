//! A take-back of a move that was posted.

use crate::commands::news::attack::article_of;
use crate::commands::news::post::{given, houses, invited, log, moved};
use crate::servers::NOBODY;
use crate::servers::inn::{GROUP, Inn};
use crate::support::Sandbox;

/// Says something in the match. Returns the mail.
fn printed(house: &Sandbox, word: &str) -> String {
    let run = house.parapost(["takeback", word, "demo", "--print=raw"]);
    run.any_stdout().any_stderr().run().stdout
}

/// The same, and posts what is owed.
fn said(house: &Sandbox, word: &str) -> String {
    let mail = printed(house, word);
    house.parapost(["send", "demo"]).any_stderr().run();
    mail
}

/// Returns a field of an article's header, on a line.
fn field(article: &str, name: &str) -> Option<String> {
    field_of(article.split_once("\n\n").unwrap().0, name)
}

fn field_of(header: &str, name: &str) -> Option<String> {
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
                .stderr(super::found(body))
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

/// What is shown is what is posted, though an article is dropped on the way.
#[test]
#[ignore = "needs INN, openssl"]
fn an_article_is_shown_as_it_goes_out_after_an_outage() {
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
    let config = white.read("white.toml");
    let here = format!("port = {}", inn.tls_port);
    let away = config.replace(&here, &format!("port = {NOBODY}"));
    white.write("white.toml", away);
    let command = ["news", "post", "demo", "--group", GROUP];
    let run = white.parapost(command).args(["--yes"]).status(75);
    run.any_stderr().run();
    given(&black, &printed(&white, "propose"));
    given(&white, &printed(&black, "accept"));
    // The server is there again when all is taken back.
    white.write("white.toml", config);
    let shown = white.parapost(command).args(["--print"]).any_stdout().run();
    let shown = shown.stdout;
    let run = white.parapost(command).args(["--yes"]).any_stderr().run();
    let articles = inn.articles(GROUP);
    assert_eq!(articles.len(), 1, "{}", run.stderr);
    let [(shown_head, shown), (head, body)] =
        [&shown, &articles[0]].map(|text| text.split_once("\n\n").unwrap());
    // As it lies in the spool.
    assert_eq!(Some(shown.trim_end()), body.trim_end().strip_suffix("\n."));
    assert!(!body.contains("taken back"), "{body}");
    for field in ["From", "Newsgroups", "Subject"] {
        let [shown, posted] = [shown_head, head].map(|head| field_of(head, field));
        assert_eq!(shown, posted);
    }
}

/// An outage in which a move is made, and taken back by both. Returns White and Black, and the
/// articles that are owed.
fn outage(inn: &Inn) -> ([Sandbox; 2], String) {
    let [white, black] = houses(inn);
    invited(&white, &black);
    given(&black, &moved(&white, "P>e3"));
    given(&white, &moved(&black, "n>g5"));
    white.parapost(["send"]).any_stdout().any_stderr().run();
    assert_eq!(inn.articles(GROUP).len(), 1);
    let config = white.read("white.toml");
    let port = format!("port = {}", inn.tls_port);
    white.write(
        "white.toml",
        config.replace(&port, &format!("port = {NOBODY}")),
    );
    let mail = white
        .parapost(["move", "demo", "K>e1", "--print=raw"])
        .any_stdout()
        .any_stderr();
    given(&black, &mail.run().stdout);
    white
        .parapost(["send", "demo"])
        .status(75)
        .any_stderr()
        .run();
    given(&black, &printed(&white, "propose"));
    given(&white, &printed(&black, "accept"));
    assert_eq!(
        log(&white).matches(" news - owed ").count(),
        3,
        "{}",
        log(&white)
    );
    white.write("white.toml", config);
    let owed = log(&white);
    let (_, owed) = owed.rsplit_once(" move White K>e1 ").unwrap();
    let owed = article_of(owed);
    ([white, black], owed)
}

#[test]
#[ignore = "needs INN, openssl"]
fn what_was_taken_back_before_it_went_out_is_not_posted() {
    let inn = Inn::start(true);
    let ([white, black], _) = outage(&inn);
    let said = white.parapost(["send"]).any_stderr().run().stderr;
    let told = "demo: an article is not posted, as what it shows was taken back before it went out";
    assert_eq!(said.matches(told).count(), 2, "{said}");
    assert_eq!(inn.articles(GROUP).len(), 1, "{said}");
    assert_eq!(log(&white).matches(" news - dropped ").count(), 2);
    given(&black, &moved(&white, "P>d3"));
    let articles = inn.articles(GROUP);
    assert_eq!(articles.len(), 2, "{}", log(&white));
    assert_eq!(field(&articles[1], "Supersedes"), None);
    assert_eq!(
        field(&articles[1], "References"),
        field(&articles[0], "Message-ID")
    );
    assert!(!articles[1].contains("taken back"), "{}", articles[1]);
    for house in [&white, &black] {
        house.parapost(["verify", "demo"]).any_stdout().run();
    }
}

/// What goes on meanwhile is posted as it is.
#[test]
#[ignore = "needs INN, openssl"]
fn what_follows_what_was_taken_back_before_it_went_out_follows_what_is_there() {
    let inn = Inn::start(true);
    let ([white, _black], _) = outage(&inn);
    white.parapost(["move", "demo", "P>d3"]).any_stderr().run();
    white.parapost(["send"]).any_stdout().any_stderr().run();
    let articles = inn.articles(GROUP);
    assert_eq!(articles.len(), 2, "{}", log(&white));
    assert_eq!(field(&articles[1], "Supersedes"), None);
    assert_eq!(
        field(&articles[1], "References"),
        field(&articles[0], "Message-ID")
    );
    assert!(articles[1].contains("2.  P>d3"), "{}", articles[1]);
}

/// One that may have gone is posted once, and taken back in the open.
#[test]
#[ignore = "needs INN, openssl"]
fn what_was_taken_back_and_may_have_gone_is_superseded() {
    let inn = Inn::start(true);
    let ([white, _black], owed) = outage(&inn);
    // As a run leaves it that is killed while it posts.
    white.write("games/.demo.send.lock", format!("{owed}\n"));
    white.parapost(["send"]).any_stdout().any_stderr().run();
    let articles = inn.articles(GROUP);
    assert_eq!(articles.len(), 3, "{}", log(&white));
    assert_eq!(field(&articles[2], "Supersedes"), Some(owed));
}
