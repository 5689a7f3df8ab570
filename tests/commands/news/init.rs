//! `parapost init --news`.

use parapost::mail::settings::Tls;

use crate::commands::init::Terminal;
use crate::commands::news::post::config;
use crate::servers::inn::{CLOSED, GROUP, Inn};
use crate::support::exim::password;
use crate::support::{Sandbox, Test};

const ME: &str = "# Mine.\n[me]\nname = \"Anna White\"\naddress = \"anna@example.org\"\n";

fn house() -> Sandbox {
    Sandbox::new()
        .dir("games")
        .file("white.toml", ME)
        .secret("secret", password("white") + "\n")
        .env("PARAPOST_CONFIG", "white.toml")
}

/// The command with all that it needs but the last arguments.
fn init(house: &Sandbox, inn: &Inn, group: &str) -> Test {
    let server = format!("localhost:{}", inn.tls_port);
    house
        .parapost(["init", "--news", "--server", &server, "--ca-file"])
        .args([inn.ca_file()])
        .args(["--from", "Anna <anna@example.invalid>", "--group", group])
}

#[test]
#[ignore = "needs INN, openssl"]
fn a_news_server_is_added_if_it_answers_as_it_should() {
    let inn = Inn::start(true);
    let house = house();
    let login = ["--user", "white", "--password-file", "secret"];
    for (group, login, why) in [
        (CLOSED, &login[..], "nobody may post to"),
        (GROUP, &[], "it wants a login first"),
    ] {
        let said = init(&house, &inn, group)
            .args(login)
            .status(1)
            .any_stdout()
            .any_stderr()
            .run();
        assert!(said.stderr.contains(why), "{}", said.stderr);
        assert!(
            said.stderr.contains("nothing is written"),
            "{}",
            said.stderr
        );
        assert_eq!(house.read("white.toml"), ME);
    }
    let said = init(&house, &inn, GROUP)
        .args(login)
        .any_stdout()
        .any_stderr()
        .run();
    assert!(
        said.stderr.contains("one may post there"),
        "{}",
        said.stderr
    );
    assert!(
        said.stderr.contains("a section [news] is added"),
        "{}",
        said.stderr
    );
    let written = house.read("white.toml");
    assert!(written.starts_with(ME), "{written}");
    for line in [
        "\n[news]\nhost = \"localhost\"\n",
        "tls = \"tls\"\n",
        "user = \"white\"\n",
        "from = \"Anna <anna@example.invalid>\"\n",
        "group = \"rec.games.abstract\"\n",
    ] {
        assert!(written.contains(line), "{line}: {written}");
    }
    assert!(!written.contains(&password("white")), "{written}");
    house
        .parapost(["doctor"])
        .stdout_contains("one may post there")
        .any_stderr()
        .run();
    init(&house, &inn, GROUP)
        .args(login)
        .status(1)
        .stderr_contains("there is a section [news] already")
        .run();
    assert_eq!(house.read("white.toml"), written);
}

#[test]
#[ignore = "needs INN, openssl"]
fn what_is_not_given_is_asked_for() {
    let inn = Inn::start(true);
    let house = house();
    house
        .parapost(["init", "--news"])
        .status(2)
        .stderr_contains("--server")
        .run();
    let command = house
        .parapost(["init", "--news", "--ca-file"])
        .args([inn.ca_file()]);
    let mut terminal = Terminal::run(&command);
    let server = format!("localhost:{}", inn.port);
    terminal.answer(
        "The news server, HOST or HOST:PORT: [news.example.org]",
        &server,
    );
    terminal.answer("How does it begin TLS? tls/starttls/none [tls]", "starttls");
    terminal.answer("Your name on the server, or none: [none]", "white");
    terminal.answer_hidden("assword", &password("white"));
    terminal.answer("The writer of your articles:", "");
    terminal.answer("The newsgroup: [rec.games.abstract]", "");
    let screen = terminal.end();
    assert!(screen.contains("a section [news] is added"), "{screen}");
    assert!(screen.contains("anna@example.org.invalid"), "{screen}");
    assert!(!screen.contains(&password("white")), "{screen}");
    assert_eq!(house.read("news-password"), password("white") + "\n");
    let written = house.read("white.toml");
    assert!(
        written.contains("password_file = \"news-password\"\n"),
        "{written}"
    );
    house
        .parapost(["doctor"])
        .stdout_contains("one may post there")
        .any_stderr()
        .run();
}

#[test]
fn a_news_server_is_added_to_a_configuration_alone() {
    let house = Sandbox::new()
        .dir("games")
        .env("PARAPOST_CONFIG", "white.toml");
    let words = [
        "init",
        "--news",
        "--untested",
        "--server",
        "news.example.org",
    ];
    let more = ["--from", "a@b.invalid", "--group", "a.b"];
    house
        .parapost(words)
        .args(more)
        .status(1)
        .stderr_contains("'parapost init' makes a configuration first")
        .run();
    house.write("white.toml", ME);
    house.parapost(words).args(more).any_stderr().run();
    assert!(
        house
            .read("white.toml")
            .contains("port = 563\ntls = \"tls\"\nfrom = \"a@b.invalid\"\n"),
        "{}",
        house.read("white.toml")
    );
    // Without TLS there is no login.
    house.write("white.toml", ME);
    house
        .parapost(words)
        .args(more)
        .args(["--tls", "none", "--user", "a", "--password-env", "SECRET"])
        .status(1)
        .stderr_contains("no password is sent without TLS")
        .run();
    assert_eq!(house.read("white.toml"), ME);
}

#[test]
#[ignore = "needs INN, openssl"]
fn what_is_wrong_with_news_is_said_with_a_remedy() {
    let inn = Inn::start(true);
    let house = house();
    // Who posts has a server.
    let new = ["new", "--game", "unachess", "--id", "demo", "--news", GROUP];
    house
        .parapost(new)
        .args(["Ben <ben@example.test>"])
        .stdout("demo\n")
        .stderr_contains("your program is the one to post its moves, and has no news server")
        .run();
    house.parapost(["move", "demo", "P>e3"]).any_stderr().run();
    let text = config(&inn, inn.tls_port, Tls::Tls, GROUP);
    let text = text.replace("\"password\"", "\"secret\"");
    let lost = text.replace("ca.pem", "none.pem");
    house.write("white.toml", lost);
    let post = ["news", "post", "demo", "--yes", "--group", "a.b"];
    house
        .parapost(post)
        .status(1)
        .stderr_contains("check ca_file in [news]")
        .run();
    // What a moderator gets is not there yet.
    house.write("white.toml", text);
    house.parapost(["undo", "demo"]).any_stderr().run();
    house.parapost(["move", "demo", "P>e3"]).any_stderr().run();
    let group = crate::servers::inn::MODERATED;
    house
        .parapost(["news", "post", "demo", "--yes", "--group", group])
        .stderr_contains(&format!(
            "demo: an article is passed on to the moderator of {group}, who decides"
        ))
        .run();
    // The advice about what is refused can be followed.
    let refused = house
        .parapost(["news", "post", "demo", "--yes", "--group", CLOSED])
        .status(1)
        .any_stderr()
        .run();
    let (_, advice) = refused.stderr.split_once("not tried again; '").unwrap();
    let mut advice = advice.split('\'').step_by(2);
    for (words, status) in [(advice.next(), 1), (advice.next(), 0)] {
        let words = words.unwrap().replace("parapost ", "");
        house
            .parapost(words.split_whitespace())
            .status(status)
            .any_stderr()
            .run();
    }
    let listed = house.parapost(["mail", "list", "demo"]).any_stdout().run();
    assert!(!listed.stdout.contains("article"), "{}", listed.stdout);
}

#[test]
fn without_a_news_server_each_command_names_what_adds_one() {
    let house = house();
    let new = ["new", "--game", "unachess", "--id", "demo", "--news", GROUP];
    let adds = "'parapost init --news'";
    house
        .parapost(new)
        .args(["Ben <ben@example.test>"])
        .stdout("demo\n")
        .stderr_contains(adds)
        .run();
    for words in [
        ["news", "post", "demo", "--yes"].as_slice(),
        &["news", "post", "demo", "--print"],
        &["news", "comments", "demo"],
        &["fetch", "--news"],
        &["fetch", "--news", "--watch"],
    ] {
        let run = house.parapost(words.iter().copied()).status(1);
        run.stderr_contains(adds).run();
    }
}
