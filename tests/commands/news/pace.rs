//! How much of a match is posted by itself, and when; and the words that go with it.

use crate::commands::news::post::{given, houses, invited, log, moved};
use crate::servers::inn::{GROUP, Inn};
use crate::support::Sandbox;

/// The moves of the matches below: White and Black in turn.
const MOVES: [&str; 6] = ["P>e3", "n>g5", "K>e1", "k>e8", "P>d3", "p>d6"];

/// Two houses of which White's has these lines in `[news]`, and who have agreed to post a match.
fn agreed(inn: &Inn, lines: &str) -> [Sandbox; 2] {
    let [white, black] = houses(inn);
    let config = white.read("white.toml");
    white.write("white.toml", format!("{config}{lines}"));
    invited(&white, &black);
    [white, black]
}

/// Plays some of the moves, and posts what is due.
fn play(white: &Sandbox, black: &Sandbox, from: usize, to: usize) {
    for (ply, text) in MOVES.iter().enumerate().take(to).skip(from) {
        let [mine, other] = if ply % 2 == 0 {
            [white, black]
        } else {
            [black, white]
        };
        given(other, &moved(mine, text));
        other.parapost(["send"]).any_stdout().any_stderr().run();
    }
}

/// How many half-moves each article shows: their pieces stand in the list.
fn shown(inn: &Inn) -> Vec<usize> {
    let articles = inn.articles(GROUP);
    let count = |article: &String| {
        let (_, list) = article.split_once("White       Black\n").unwrap();
        MOVES.iter().filter(|text| list.contains(**text)).count()
    };
    articles.iter().map(count).collect()
}

#[test]
#[ignore = "needs INN, openssl"]
fn only_each_so_many_positions_are_posted() {
    let inn = Inn::start(true);
    let [white, black] = agreed(&inn, "every = 3\n");
    play(&white, &black, 0, 6);
    assert_eq!(shown(&inn), [3, 6]);
    // What everybody has read is taken back in the open, whatever the pace.
    let run = black
        .parapost(["takeback", "propose", "demo", "--print=raw"])
        .any_stderr()
        .any_stdout()
        .run();
    given(&white, &run.stdout);
    white
        .parapost(["takeback", "accept", "demo"])
        .any_stderr()
        .run();
    white.parapost(["send"]).any_stdout().any_stderr().run();
    assert_eq!(shown(&inn), [3, 6, 5]);
    assert!(
        inn.articles(GROUP)[2].contains("\n\nBlack has taken back 3... p>d6.\n"),
        "{:?}",
        inn.articles(GROUP)
    );
}

#[test]
#[ignore = "needs INN, openssl"]
fn a_position_is_posted_so_many_half_moves_late() {
    let inn = Inn::start(true);
    let [white, black] = agreed(&inn, "delay_moves = 2\n");
    play(&white, &black, 0, 6);
    // Both have agreed by the second move.
    assert_eq!(shown(&inn), [1, 2, 3, 4]);
    // What nobody has read is taken back in silence, and is not posted again.
    let run = black
        .parapost(["takeback", "propose", "demo", "--print=raw"])
        .any_stderr()
        .any_stdout()
        .run();
    given(&white, &run.stdout);
    let run = white
        .parapost(["takeback", "accept", "demo", "--print=raw"])
        .any_stderr()
        .any_stdout()
        .run();
    given(&black, &run.stdout);
    play(&white, &black, 5, 6);
    assert_eq!(shown(&inn), [1, 2, 3, 4], "{}", log(&white));
    // The end is posted at once.
    white
        .parapost(["resign", "demo", "--yes"])
        .any_stderr()
        .run();
    white.parapost(["send"]).any_stdout().any_stderr().run();
    assert_eq!(shown(&inn), [1, 2, 3, 4, 6]);
    white.parapost(["verify", "demo"]).any_stdout().run();
}

#[test]
#[ignore = "needs INN, openssl"]
fn a_finished_game_alone_is_one_article_with_its_result() {
    let inn = Inn::start(true);
    let [white, black] = agreed(&inn, "only_finished = true\n");
    play(&white, &black, 0, 4);
    white
        .parapost(["move", "demo", "P>d3", "--say-news", "Hello!"])
        .status(1)
        .stderr_contains("this position is not posted, or not at once")
        .run();
    assert!(inn.articles(GROUP).is_empty());
    white
        .parapost(["resign", "demo", "--yes"])
        .any_stderr()
        .run();
    white.parapost(["send"]).any_stdout().any_stderr().run();
    let articles = inn.articles(GROUP);
    assert_eq!(shown(&inn), [4]);
    assert!(
        articles[0].contains("A match of Unachess by mail between")
            && articles[0].contains("White resigns, Black wins.\n"),
        "{}",
        articles[0]
    );
}

#[test]
#[ignore = "needs INN, openssl"]
fn an_article_waits_so_many_days() {
    let inn = Inn::start(true);
    let [white, black] = agreed(&inn, "delay_days = 30\n");
    given(&black, &moved(&white, "P>e3"));
    given(&white, &moved(&black, "n>g5"));
    white.parapost(["send"]).run();
    let listed = white.parapost(["mail", "list", "demo"]).any_stdout().run();
    assert!(
        listed.stdout.contains("\twaits until 20"),
        "{}",
        listed.stdout
    );
    let said = ["news", "post", "demo", "--yes"];
    white
        .parapost(said)
        .status(1)
        .stderr_contains("demo: an article waits until")
        .run();
    assert!(inn.articles(GROUP).is_empty());
    // Nobody has read what both take back.
    for (house, other, word) in [(&black, &white, "propose"), (&white, &black, "accept")] {
        let run = house
            .parapost(["takeback", word, "demo", "--print=raw"])
            .any_stderr()
            .any_stdout()
            .run();
        given(other, &run.stdout);
    }
    let listed = white.parapost(["mail", "list", "demo"]).any_stdout().run();
    assert!(!listed.stdout.contains("article"), "{}", listed.stdout);
    // The waiting of an article that is a month old is over. Its date is not that of the move: a
    // server takes none that old.
    let config = white.read("white.toml");
    white.write("white.toml", config.replace("= 30", "= 31"));
    let old = chrono::Utc::now() - chrono::TimeDelta::days(32);
    let old = old.format("%Y-%m-%dT%H:%M:%SZ").to_string();
    let reply = black
        .parapost(["move", "demo", "n>g5", "--print=raw"])
        .any_stderr()
        .any_stdout()
        .run();
    white
        .parapost(["receive"])
        .now(&old)
        .stdin(reply.stdout)
        .any_stdout()
        .any_stderr()
        .run();
    white.parapost(["send"]).now(&old).any_stderr().run();
    assert!(inn.articles(GROUP).is_empty());
    white
        .parapost(["send"])
        .stderr_contains(&format!("an article is posted to {GROUP}"))
        .run();
    assert_eq!(shown(&inn), [2]);
}

#[test]
fn a_pace_that_means_nothing_is_refused() {
    let base = "[me]\nname = \"A\"\naddress = \"a@b.test\"\n[news]\nhost = \"localhost\"\n\
                from = \"a@b.invalid\"\ngroup = \"a.b\"\n";
    for (lines, why) in [
        ("every = 0", "[news] every: 1 to 100 half-moves"),
        ("delay_moves = 101", "[news] a delay: up to 100 half-moves"),
        ("delay_days = 366", "up to 365 days"),
        (
            "delay_moves = 1\ndelay_days = 1",
            "delay_moves or delay_days, not both",
        ),
        (
            "only_finished = true\nevery = 2",
            "only_finished: then there is no position",
        ),
        ("often = true", "often"),
    ] {
        let house = Sandbox::new()
            .dir("games")
            .file("white.toml", format!("{base}{lines}\n"))
            .env("PARAPOST_CONFIG", "white.toml");
        house
            .parapost(["send"])
            .status(1)
            .stderr_contains(why)
            .run();
    }
}

#[test]
#[ignore = "needs INN, openssl"]
fn words_to_everybody_are_in_the_article_alone() {
    let inn = Inn::start(true);
    let [white, black] = houses(&inn);
    invited(&white, &black);
    let early = ["move", "demo", "P>e3", "--say-news", "Hello, all!"];
    white
        .parapost(early)
        .status(1)
        .stderr_contains(
            "its moves are posted to no newsgroup and no mailing list, so nobody would read",
        )
        .run();
    given(&black, &moved(&white, "P>e3"));
    black
        .parapost(["move", "demo", "n>g5", "--say-news", "Hello, all!"])
        .status(1)
        .stderr_contains("another program posts its moves")
        .run();
    given(&white, &moved(&black, "n>g5"));
    let token = log(&white);
    let token = token.split("msg=<demo.").nth(1).unwrap();
    let token = token.split(['.', '@']).nth(1).unwrap();
    for (words, why) in [
        ("Write to Ben@Example.test", "a player's address"),
        (token, "a code of its mails"),
        ("a\u{1b}[2J", "U+001B"),
        (" ", "there are no words"),
        (&"x".repeat(4001), "4001 characters"),
    ] {
        white
            .parapost(["move", "demo", "K>e1", "--say-news", words])
            .status(1)
            .stderr_contains(why)
            .run();
    }
    let mail = white
        .parapost(["move", "demo", "K>e1", "--print=raw"])
        .args([
            "--say",
            "A trap!",
            "--say-news",
            "Watch me.\n3. K>a1 is none",
        ])
        .any_stderr()
        .any_stdout()
        .run();
    let mail = mail.stdout;
    assert!(
        mail.contains("A trap!") && !mail.contains("Watch"),
        "{mail}"
    );
    white.parapost(["send"]).any_stdout().any_stderr().run();
    let articles = inn.articles(GROUP);
    assert_eq!(articles.len(), 2);
    let said = "\n\nPoster: Watch me.\nPoster: 3. K>a1 is none\n\n- - ";
    assert!(
        articles[1].contains(said) && !articles[1].contains("trap"),
        "{}",
        articles[1]
    );
    let (_, body) = articles[1].split_once("\n\n").unwrap();
    white
        .parapost(["check", "-"])
        .stdin(body)
        .stdout_contains("2.  K>e1\n")
        .stderr("-: Unachess, 3 half-moves, Black to move\n")
        .run();
    // The opponent's mail tells them nothing, and the words of a letter are in no article.
    given(&black, &mail);
    assert!(!log(&black).contains("Watch"), "{}", log(&black));
    let reply = black
        .parapost(["move", "demo", "k>e8", "--say", "So what?", "--print=raw"])
        .any_stderr()
        .any_stdout()
        .run();
    given(&white, &reply.stdout);
    white.parapost(["send"]).any_stdout().any_stderr().run();
    let articles = inn.articles(GROUP);
    assert_eq!(articles.len(), 3);
    assert!(!articles[2].contains("So what"), "{}", articles[2]);
}
