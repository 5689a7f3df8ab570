//! `parapost news post`, `send` and what tells of articles.

use parapost::mail::settings::Tls;

use crate::commands::init::Terminal;
use crate::servers::NOBODY;
use crate::servers::cutting_proxy::{CuttingProxy, Way};
use crate::servers::inn::{CLOSED, GROUP, Inn};
use crate::support::exim::password;
use crate::support::{Sandbox, Test};

/// The configuration of White, whose articles go to this port of a server, to this group.
pub(super) fn config(inn: &Inn, port: u16, tls: Tls, group: &str) -> String {
    let tls = match tls {
        Tls::None => "none",
        Tls::Starttls => "starttls",
        Tls::Tls => "tls",
    };
    format!(
        "[me]\nname = \"Anna White\"\naddress = \"anna@example.org\"\n\
         [news]\nhost = \"localhost\"\nport = {port}\ntls = \"{tls}\"\nca_file = \"{}\"\n\
         user = \"white\"\npassword_file = \"password\"\n\
         from = \"Anna <anna@example.invalid>\"\ngroup = \"{group}\"\n",
        inn.ca_file().display()
    )
}

/// White's house, where a move is made and its mail owed.
pub(super) fn house(config: &str) -> Sandbox {
    let house = Sandbox::new()
        .dir("games")
        .file("white.toml", config)
        .secret("password", password("white") + "\n")
        .env("PARAPOST_CONFIG", "white.toml");
    let new = ["new", "--game", "unachess", "--id", "demo", "--invited"];
    let players = [
        "--white",
        "Anna White <anna@example.org>",
        "--black",
        "Ben <ben@example.test>",
    ];
    house.parapost(new).args(players).stdout("demo\n").run();
    played(&house, "White", "P>e3");
    house
}

/// Plays a move, whoever is to play it.
pub(super) fn played(house: &Sandbox, side: &str, text: &str) {
    if side == "White" {
        house.parapost(["move", "demo", text]).any_stderr().run();
        return;
    }
    let letter = format!(
        "From: Ben <ben@example.test>\nSubject: Re: [demo]\nMessage-ID: <{}@ben.test>\n\n{text}\n",
        text.replace('>', "-")
    );
    house
        .parapost(["receive"])
        .stdin(letter)
        .any_stdout()
        .any_stderr()
        .run();
}

pub(super) fn log(house: &Sandbox) -> String {
    house.read("games/demo.txt")
}

/// The connections that are cut: a day has no more articles.
const RUNS: usize = 10;

/// How the first article of a match begins.
const FIRST: &str = "\
A match of Unachess by mail, with its moves so far.

Chess on an empty board: each player has all sixteen pieces in reserve.

Unachess needs nothing but a mail program: with parapost, which keeps
this match, whoever likes it can invite an opponent.

- - - - - - - -       Black's pieces in reserve:
";

/// Checks what no article has, and what each has.
fn check_article(house: &Sandbox, article: &str) {
    let (header, body) = article.split_once("\n\n").unwrap();
    assert!(
        header.contains("\nContent-Type: text/plain; charset=utf-8\n")
            || header.contains("text/plain"),
        "{header}"
    );
    assert!(!header.contains("multipart"), "{header}");
    assert!(
        body.is_ascii() && body.lines().all(|line| line.len() <= 72),
        "{body}"
    );
    assert!(header.lines().all(|line| line.len() < 998), "{header}");
    for private in [
        "anna@example.org",
        "ben@example.test",
        "example.test",
        "White <",
        "secret",
    ] {
        assert!(!article.contains(private), "{private}: {article}");
    }
    // Neither the Message-ID of a mail nor the code of an answer.
    let log = log(house);
    let own = log
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("msg=<demo."));
    for id in own {
        let token = id.split('.').nth(1).unwrap().split('@').next().unwrap();
        assert!(!article.contains(token), "{token}: {article}");
    }
    // As somebody who follows it up quotes it.
    let quoted: Vec<String> = body.lines().map(|line| format!("> {line}")).collect();
    let quoted = quoted.join("\n");
    house
        .parapost(["check", "-"])
        .stdin(format!(
            "Anna <anna@example.invalid> writes:\n{quoted}\n\nNice!\n"
        ))
        .any_stdout()
        .stderr(super::found(body))
        .run();
}

#[test]
#[ignore = "needs INN, openssl"]
fn a_match_is_one_thread_of_a_newsgroup() {
    let inn = Inn::start(true);
    for (match_of, tls) in [Tls::Tls, Tls::Starttls].into_iter().enumerate() {
        let port = if tls == Tls::Tls {
            inn.tls_port
        } else {
            inn.port
        };
        let house = house(&config(&inn, port, tls, GROUP));
        let shown = house
            .parapost(["news", "post", "demo", "--print"])
            .any_stdout()
            .run();
        let shown = shown.stdout;
        let head = format!(
            "From: Anna <anna@example.invalid>\nNewsgroups: {GROUP}\nSubject: [demo] Unachess: White - Black\n\n{FIRST}"
        );
        assert!(shown.starts_with(&head), "{shown}");
        assert!(shown.ends_with("1.  P>e3\n\nBlack to move.\n"), "{shown}");
        assert!(!log(&house).contains(" news "), "it is only shown");

        let posted = format!("demo: an article is posted to {GROUP}\n");
        house
            .parapost(["news", "post", "demo", "--yes"])
            .stderr_contains(&posted)
            .run();
        house
            .parapost(["news", "post", "demo", "--yes"])
            .status(1)
            .stderr_contains("shows this position already")
            .run();
        played(&house, "Black", "n>g5");
        played(&house, "White", "K>e1");
        house
            .parapost(["news", "post", "demo", "--yes"])
            .stderr_contains(&posted)
            .run();
        let all = inn.articles(GROUP);
        let articles = &all[2 * match_of..];
        assert_eq!(articles.len(), 2);
        for article in articles {
            check_article(&house, article);
        }
        let field = |article: &str, name: &str| -> Option<String> {
            let header = article.split_once("\n\n").unwrap().0;
            let mut lines = header.lines();
            lines.find_map(|line| line.strip_prefix(name).map(str::to_owned))
        };
        let [first, second] = articles else {
            unreachable!()
        };
        assert!(first.contains(FIRST), "{first}");
        assert_eq!(
            field(first, "Subject: ").unwrap(),
            "[demo] Unachess: White - Black"
        );
        assert_eq!(field(first, "References: "), None);
        assert_eq!(
            field(second, "Subject: ").unwrap(),
            "Re: [demo] Unachess: White - Black"
        );
        assert_eq!(field(second, "References: "), field(first, "Message-ID: "));
        assert!(
            second.contains("\n\n- - - - - - - -       Black's")
                && second.contains("n>g5\n2.  K>e1\n\nBlack to move.\n"),
            "{second}"
        );
        // What everybody knows cannot be taken back, though its mail has not gone.
        house
            .parapost(["undo", "demo"])
            .status(1)
            .stderr_contains("has gone")
            .run();
    }
}

#[test]
#[ignore = "needs INN, openssl"]
fn what_could_not_be_posted_is_owed_and_posted_once() {
    let inn = Inn::start(true);
    let house = house(&config(&inn, NOBODY, Tls::Tls, GROUP));
    house
        .parapost(["news", "post", "demo", "--yes"])
        .status(75)
        .stderr_contains("1 article is still to be posted; 'parapost send demo' tries again")
        .run();
    house
        .parapost(["list"])
        .stdout_contains(&format!("a mail owed, an article owed, in {GROUP}\n"))
        .run();
    let told = house
        .parapost(["list", "--json"])
        .stdout_contains(&format!(
            "\"news\":{{\"group\":\"{GROUP}\",\"list\":null,\"goes_on\":false,\"posted\":0,\"owed\":1,\"refused\":0,\"reported\":0}}"
        ))
        .run();
    assert!(told.stdout.contains("\"owed\":2,"), "{}", told.stdout);
    let terminal = Terminal::run(&house.parapost(["show", "demo"]));
    let screen = terminal.end();
    let expected = format!("It is in {GROUP}: 0 articles posted, 1 owed.");
    assert!(screen.contains(&expected), "{screen}");
    let listed = house.parapost(["mail", "list"]).any_stdout().run();
    let listed = listed.stdout;
    assert!(
        listed.contains(&format!("\towed\tarticle\t{GROUP}\t")),
        "{listed}"
    );
    // The index knows of it, too.
    house.write("white.toml", config(&inn, inn.tls_port, Tls::Tls, GROUP));
    house
        .parapost(["send"])
        .stderr_contains("an article is posted")
        .run();
    house.parapost(["send"]).run();
    assert_eq!(inn.articles(GROUP).len(), 1);
    assert!(
        log(&house).contains(" news - posted article=<demo.news."),
        "{}",
        log(&house)
    );
    house.parapost(["verify", "demo"]).any_stdout().run();
}

#[test]
#[ignore = "needs INN, openssl"]
fn an_article_that_is_not_posted_goes_with_the_move() {
    let inn = Inn::start(true);
    let house = house(&config(&inn, NOBODY, Tls::Tls, GROUP));
    house
        .parapost(["news", "post", "demo", "--yes"])
        .status(75)
        .any_stderr()
        .run();
    house
        .parapost(["undo", "demo"])
        .stderr("demo: P>e3 is taken back\n")
        .run();
    house.write("white.toml", config(&inn, inn.tls_port, Tls::Tls, GROUP));
    house.parapost(["send"]).any_stderr().run();
    assert!(inn.articles(GROUP).is_empty());
}

#[test]
#[ignore = "needs INN, openssl"]
fn what_is_refused_is_kept_with_the_servers_words() {
    let inn = Inn::start(true);
    let house = house(&config(&inn, inn.tls_port, Tls::Tls, CLOSED));
    let refused = house
        .parapost(["news", "post", "demo", "--yes"])
        .status(1)
        .any_stderr()
        .run();
    let refused = refused.stderr;
    assert!(refused.contains("441 "), "{refused}");
    let listed = || {
        let listed = house.parapost(["mail", "list", "demo"]).any_stdout().run();
        listed.stdout
    };
    assert!(
        listed().contains(&format!("\trefused\tarticle\t{CLOSED}\t")),
        "{}",
        listed()
    );
    house.parapost(["mail", "retry", "demo"]).any_stderr().run();
    assert!(
        listed().contains(&format!("\towed\tarticle\t{CLOSED}\t")),
        "{}",
        listed()
    );
    house
        .parapost(["send", "demo"])
        .status(1)
        .any_stderr()
        .run();
    house
        .parapost(["mail", "drop", "demo"])
        .stderr("demo: 1 article dropped\n")
        .run();
    assert!(!listed().contains("article"), "{}", listed());
    house.parapost(["verify", "demo"]).any_stdout().run();
}

#[test]
#[ignore = "needs INN, openssl"]
fn a_person_is_asked_before_anything_is_posted() {
    let inn = Inn::start(true);
    let house = house(&config(&inn, inn.tls_port, Tls::Tls, GROUP));
    house
        .parapost(["news", "post", "demo"])
        .status(2)
        .stderr_contains("say --yes, or --print")
        .run();
    let mut terminal = Terminal::run(&house.parapost(["news", "post", "demo"]));
    terminal.answer(&format!("post this to {GROUP}? [y/n]"), "n");
    let screen = terminal.end_with(1);
    assert!(
        screen.contains("1.  P>e3") && screen.contains("nothing is posted"),
        "{screen}"
    );
    assert!(inn.articles(GROUP).is_empty());
    let mut terminal = Terminal::run(&house.parapost(["news", "post", "demo"]));
    terminal.answer("[y/n]", "y");
    terminal.end();
    assert_eq!(inn.articles(GROUP).len(), 1);
}

#[test]
#[ignore = "needs INN, openssl"]
fn doctor_tries_the_news_server() {
    let inn = Inn::start(true);
    let doctor = |house: &Sandbox| -> Test { house.parapost(["doctor"]).any_stderr() };
    let house = house(&config(&inn, inn.tls_port, Tls::Tls, GROUP));
    let said = doctor(&house).any_stdout().run();
    let said = said.stdout;
    assert!(
        said.contains(&format!("{GROUP} has 0 articles, and one may post there")),
        "{said}"
    );
    for (old, new, expected) in [
        (
            format!("group = \"{GROUP}\""),
            format!("group = \"{CLOSED}\""),
            "nobody may post to",
        ),
        (
            format!("group = \"{GROUP}\""),
            "group = \"no.such.group\"".to_owned(),
            "it has no group no.such.group",
        ),
        (
            "user = \"white\"\npassword_file = \"password\"\n".to_owned(),
            String::new(),
            "it wants a login first",
        ),
        (
            "user = \"white\"".to_owned(),
            "user = \"nobody\"".to_owned(),
            "has not taken the login",
        ),
        (
            format!("port = {}", inn.tls_port),
            format!("port = {NOBODY}"),
            "nobody listens on this port",
        ),
    ] {
        let text = config(&inn, inn.tls_port, Tls::Tls, GROUP).replace(&old, &new);
        house.write("white.toml", text);
        let said = doctor(&house).any_stdout().status(1).run();
        let said = said.stdout;
        assert!(said.contains(expected), "{expected}: {said}");
        assert!(!said.contains(&password("white")), "{said}");
    }
}

#[test]
#[ignore = "needs INN, openssl"]
fn each_article_is_posted_once_wherever_the_connection_is_cut() {
    let inn = Inn::start(true);
    let proxy = CuttingProxy::start(inn.tls_port);
    let house = house(&config(&inn, proxy.port, Tls::Tls, GROUP));
    house
        .parapost(["news", "post", "demo", "--yes"])
        .any_stderr()
        .run();
    let passed = Way::ALL.map(|way| proxy.passed(way));
    let mut rng = fastrand::Rng::with_seed(31);
    let mut broken = 0;
    for run in 0..RUNS {
        let way = run % 2;
        // What is posted already is not posted again.
        let file = char::from(b'a' + u8::try_from(run / 2).unwrap());
        match way {
            0 => played(&house, "Black", &format!("p>{file}7")),
            _ => played(&house, "White", &format!("P>{file}2")),
        }
        proxy.cut_next(Way::ALL[way], rng.usize(passed[way] / 2..passed[way]));
        let tried = house
            .parapost(["news", "post", "demo", "--yes"])
            .any_stderr();
        let tried = tried.command().output().unwrap();
        broken += usize::from(!tried.status.success());
        house.parapost(["send", "demo"]).any_stderr().run();
        assert_eq!(inn.articles(GROUP).len(), run + 2, "{run}");
    }
    assert!(broken > RUNS / 4, "no cut was where it matters");
    let log = log(&house);
    assert_eq!(log.matches(" news - posted ").count(), RUNS + 1);
}

/// Two houses whose mails and articles go by hand and by one news server: White invites.
pub(super) fn houses(inn: &Inn) -> [Sandbox; 2] {
    let news = config(inn, inn.tls_port, Tls::Tls, "rec.games.other");
    let black = news
        .replace("Anna White", "Ben")
        .replace("anna@example.org", "ben@example.test")
        .replace("Anna <anna@example.invalid>", "ben@example.invalid");
    [news, black].map(|config| {
        Sandbox::new()
            .dir("games")
            .file("white.toml", config)
            .secret("password", password("white") + "\n")
            .env("PARAPOST_CONFIG", "white.toml")
    })
}

/// Gives a house a mail of the other one. Returns what it says.
pub(super) fn given(house: &Sandbox, mail: &str) -> String {
    let run = house
        .parapost(["receive", "--accept"])
        .stdin(mail)
        .any_stdout()
        .any_stderr()
        .run();
    run.stdout + &run.stderr
}

/// Plays a move and posts what is owed. Returns the mail.
pub(super) fn moved(house: &Sandbox, text: &str) -> String {
    let run = house
        .parapost(["move", "demo", text, "--print=raw"])
        .any_stdout()
        .any_stderr()
        .run();
    house
        .parapost(["send", "demo"])
        .any_stdout()
        .any_stderr()
        .run();
    run.stdout
}

/// Has White invite Black to a match that is posted, and Black enter it.
pub(super) fn invited(white: &Sandbox, black: &Sandbox) {
    let run = white
        .parapost(["new", "--game", "unachess", "--id", "demo", "--news", GROUP])
        .args(["Ben <ben@example.test>", "--print=raw"])
        .any_stdout()
        .any_stderr()
        .run();
    let invitation = run.stdout;
    assert!(
        invitation.contains(&format!("\nNews: {GROUP}\n")),
        "{invitation}"
    );
    let said = invitation.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains(&format!(
            "Each move is also posted to the newsgroup {GROUP}, with the names of both of you"
        )),
        "{invitation}"
    );
    let ends = "To end that at any time, reply with \"no news\" alone on a line";
    assert!(said.contains(ends), "{invitation}");
    let said = given(black, &invitation);
    assert!(
        said.contains(&format!(
            "each move is posted to the newsgroup {GROUP}, where you are named 'Ben'"
        )),
        "{said}"
    );
    assert!(
        black
            .read("games/demo.txt")
            .contains(&format!("\nNews: {GROUP}\n"))
    );
}

#[test]
#[ignore = "needs INN, openssl"]
fn the_moves_of_both_are_posted_by_whoever_began_once_both_have_agreed() {
    let inn = Inn::start(true);
    let [white, black] = houses(&inn);
    invited(&white, &black);
    // Nobody but White has agreed yet.
    let first = moved(&white, "P>e3");
    assert!(inn.articles(GROUP).is_empty());
    white
        .parapost(["news", "post", "demo", "--yes"])
        .status(1)
        .stderr_contains("not everybody has agreed")
        .run();
    // In another group they are not named, whoever has agreed to what.
    let elsewhere = white
        .parapost([
            "news",
            "post",
            "demo",
            "--print",
            "--group",
            "rec.games.other",
        ])
        .any_stdout()
        .run();
    let elsewhere = elsewhere.stdout;
    assert!(
        elsewhere.contains("Unachess: White - Black\n") && !elsewhere.contains("Ben"),
        "{elsewhere}"
    );
    given(&black, &first);
    let second = moved(&black, "n>g5");
    assert!(
        inn.articles(GROUP).is_empty(),
        "Black's account posts nothing"
    );
    given(&white, &second);
    white.parapost(["send", "demo"]).any_stderr().run();
    let third = moved(&white, "K>e1");
    given(&black, &third);
    let articles = inn.articles(GROUP);
    assert_eq!(articles.len(), 2);
    for article in &articles {
        assert!(
            article.contains("[demo] Unachess: Anna White - Ben\n"),
            "{article}"
        );
        assert!(article.contains("<anna@example.invalid>"), "{article}");
        for private in ["anna@example.org", "ben@example.test"] {
            assert!(!article.contains(private), "{article}");
        }
    }
    assert!(
        articles[1].contains("\nSubject: Re: [demo] "),
        "{}",
        articles[1]
    );
    let flat = articles[0].split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.contains("between Anna White (White) and Ben (Black), posted as it goes on."),
        "{flat}"
    );
    for house in [&white, &black] {
        house.parapost(["verify", "demo"]).any_stdout().run();
    }
}

#[test]
#[ignore = "needs INN, openssl"]
fn nothing_is_posted_of_an_invitation_that_is_declined() {
    let inn = Inn::start(true);
    let [white, _] = houses(&inn);
    white
        .parapost(["new", "--game", "unachess", "--id", "demo", "--news", GROUP])
        .args(["Ben <ben@example.test>", "--print=raw"])
        .any_stdout()
        .any_stderr()
        .run();
    moved(&white, "P>e3");
    let letter =
        "From: Ben <ben@example.test>\nSubject: Re: [demo]\nMessage-ID: <1@ben.test>\n\ndecline\n";
    given(&white, letter);
    white
        .parapost(["send", "demo"])
        .any_stdout()
        .any_stderr()
        .run();
    assert!(!log(&white).contains(" news "), "{}", log(&white));
    assert!(inn.articles(GROUP).is_empty());
}

/// A referee posts the moves of both, and no player's program does.
#[test]
#[ignore = "needs INN, openssl"]
fn a_referee_posts_the_moves_of_both() {
    let inn = Inn::start(true);
    let config =
        config(&inn, inn.tls_port, Tls::Tls, GROUP).replace("[me]\n", "[me]\nrole = \"referee\"\n");
    let house = Sandbox::new()
        .dir("games")
        .file("white.toml", config)
        .secret("password", password("white") + "\n")
        .env("PARAPOST_CONFIG", "white.toml");
    house
        .parapost(["new", "--game", "unachess", "--id", "demo", "--news", GROUP])
        .args([
            "--white",
            "Cleo <cleo@example.test>",
            "--black",
            "Ben <ben@example.test>",
        ])
        .stdout("demo\n")
        .any_stderr()
        .run();
    for (number, (from, text)) in [("cleo", "P>e3"), ("ben", "n>g5"), ("cleo", "K>e1")]
        .iter()
        .enumerate()
    {
        let letter = format!(
            "From: {from}@example.test\nSubject: Re: [demo]\nMessage-ID: <{number}@{from}.test>\n\n{text}\n"
        );
        house
            .parapost(["receive", "--send"])
            .stdin(letter)
            .any_stdout()
            .any_stderr()
            .run();
    }
    let articles = inn.articles(GROUP);
    // The first move was one nobody had agreed to yet.
    assert_eq!(articles.len(), 2);
    assert!(
        articles[1].contains("Unachess: Cleo - Ben\n"),
        "{}",
        articles[1]
    );
}
