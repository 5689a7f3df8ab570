//! What `init` asks, what it says of an answer that is none, and how it tries servers.

use std::fs;
use std::time::{Duration, Instant};

use crate::commands::init::Terminal;
use crate::servers::dovecot::Dovecot;
use crate::servers::postfix::Postfix;
use crate::servers::{NOBODY, Unanswered};
use crate::support::Sandbox;
use crate::support::exim::{address, password};
use crate::support::terminal::without_colours;

const CONFIG: &str = ".config/parapost/config.toml";

/// What stands on a screen that is wide enough, once all this was sent to it.
fn on_screen(sent: &str) -> String {
    let mut rows: Vec<String> = vec![String::new()];
    let mut at = 0;
    let mut rest = sent;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\n' => {
                at += 1;
                if at == rows.len() {
                    rows.push(String::new());
                }
            }
            '\r' => {}
            '\u{1b}' => {
                let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap();
                let number = rest[1..end].parse().unwrap_or(1);
                match rest.as_bytes()[end] {
                    b'A' => at -= number,
                    b'J' => {
                        rows.truncate(at);
                        rows.push(String::new());
                    }
                    b'm' => {}
                    other => panic!("{}", other as char),
                }
                rest = &rest[end + 1..];
            }
            c => rows[at].push(c),
        }
    }
    rows.join("\n")
}

/// A home with the certificates of two servers, and `init` there at a terminal.
fn home(dovecot: &Dovecot, postfix: &Postfix) -> Sandbox {
    let authorities = [dovecot.ca_file(), postfix.ca_file()];
    let authorities = authorities.map(|file| fs::read_to_string(file).unwrap());
    Sandbox::new()
        .file("ca.pem", authorities.concat())
        .secret("secret", password("white") + "\n")
        .env("TERM", "xterm")
}

/// Whoever types a password too early, at whatever question, has shown it for a moment.
#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn a_password_at_the_wrong_question_is_taken_off_the_screen() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let home = home(&dovecot, &postfix);
    let test = home
        .parapost(["init", "--ca-file", "ca.pem", "--name", "White"])
        .args(["--resolver", &format!("127.0.0.1:{NOBODY}")]);
    let mut terminal = Terminal::run(&test);
    terminal.answer("Your address", "Tr0ub4dor&3");
    terminal.answer("Your address", "p@ss-phrase");
    terminal.answer("Your address", "\u{1}le\u{1}key");
    terminal.answer("which no answer has", "?");
    terminal.answer("Your address", &address("white"));
    terminal.answer("player/referee", "hunter-2");
    terminal.answer("player/referee", "player");
    terminal.answer("read on", "hunter-3");
    terminal.answer("read on", "correct horse battery");
    terminal.answer("read on", "no.such-host.invalid");
    terminal.answer("read on", &format!("localhost:{}", dovecot.port));
    terminal.answer("sent through", &format!("localhost:{}", postfix.port));
    terminal.answer_hidden("not shown", "?");
    terminal.answer_hidden("not shown", "");
    terminal.answer("A command", "hunter-4");
    terminal.answer("A command", "");
    terminal.answer_hidden("not shown", &password("white"));
    // The servers know White by another name.
    terminal.answer("What now?", "hunter-5");
    terminal.answer("What now?", "user");
    terminal.answer("Your name on the servers", "hunter-6");
    terminal.answer("What now?", "user");
    terminal.answer("Your name on the servers", "white");
    terminal.answer("Read the mail", "no");
    let sent = without_carriage_returns(&terminal.end());
    let screen = on_screen(&sent);
    assert!(screen.contains("config.toml: written"), "{screen}");
    for wrong in [
        "Tr0ub4dor&3",
        "p@ss-phrase",
        "hunter-2",
        "hunter-3",
        "correct horse battery",
        "no.such-host.invalid",
        "hunter-4",
        "hunter-5",
    ] {
        // The terminal has echoed it, and nothing has said it again.
        assert_eq!(sent.matches(wrong).count(), 1, "{wrong}\n{sent}");
        assert!(!screen.contains(wrong), "{wrong}\n{screen}");
    }
    // It can be a name, and stands there as it was typed, but nothing repeats it.
    assert_eq!(sent.matches("hunter-6").count(), 1, "{sent}");
    assert!(!sent.contains(&password("white")), "{sent}");
    let config = home.read(CONFIG);
    assert!(config.contains("user = \"white\""), "{config}");
    assert!(!config.contains("hunter"), "{config}");
}

fn without_carriage_returns(sent: &str) -> String {
    sent.replace("\r\n", "\n")
}

/// Where the program is told to send no escapes, it sends none.
#[test]
fn a_terminal_that_cannot_take_a_line_back_is_sent_nothing_for_it() {
    for dumb in [Sandbox::new(), Sandbox::new().env("TERM", "dumb")] {
        let test = dumb.parapost(["init", "--name", "A", "--no-servers"]);
        let mut terminal = Terminal::run(&test);
        terminal.answer("Your address", "Tr0ub4dor&3");
        terminal.answer("Your address", "a@example.org");
        terminal.answer("player/referee", "");
        let sent = terminal.end();
        assert!(!sent.contains('\u{1b}'), "{sent:?}");
        assert_eq!(sent.matches("Tr0ub4dor&3").count(), 1, "{sent}");
    }
}

/// Nobody is kept in a question: each has an answer, and says what it means.
#[test]
fn an_empty_line_answers_each_question_and_a_question_mark_explains_it() {
    let home = Sandbox::new();
    let mut terminal = Terminal::run(&home.parapost(["init"]));
    for (question, explained) in [
        ("Your name", "Your opponents read it"),
        ("Your address", "that you play with"),
        ("player/referee", "stands between two players"),
        ("read on", "'none': no mailbox is read"),
        ("sent through", "'none': no mail is sent"),
    ] {
        terminal.answer(question, "?");
        terminal.answer(explained, "");
    }
    let screen = without_colours(&terminal.end());
    assert!(screen.contains("config.toml: written"), "{screen}");
    assert!(screen.contains("for you to carry"), "{screen}");
    let config = home.read(CONFIG);
    assert!(config.contains("kind = \"folder\""), "{config}");
    assert!(!config.contains("\n[imap]"), "{config}");
    let list = home.parapost(["doctor"]).any_stdout().run().stdout;
    assert!(!list.contains("wrong"), "{list}");
    home.parapost(["list"]).run();
}

/// The names that the system has for a person are proposed.
#[test]
fn the_name_and_the_address_of_the_environment_are_proposed() {
    let home = Sandbox::new()
        .env("USER", "nobody-knows")
        .env("EMAIL", "nobody@example.org");
    let test = home.parapost(["init", "--no-servers"]);
    let mut terminal = Terminal::run(&test);
    terminal.answer("Your name, as your mail bears it: [nobody-knows]", "");
    terminal.answer("Your address: [nobody@example.org]", "");
    terminal.answer("player/referee", "");
    terminal.end();
}

/// `init` asked for servers until there were some.
#[test]
fn who_has_no_server_plays_with_files() {
    let home = Sandbox::new();
    let new = ["new", "--game", "unachess", "Ben <ben@example.org>", "--id"];
    let new = || home.parapost(new).args(["first", "--send"]);
    // The command says what to do first, and the same command works then.
    new()
        .status(2)
        .stderr_contains("\n  parapost init\n")
        .stderr_contains(
            "\n  parapost new --game unachess 'Ben <ben@example.org>' --id first --send\n",
        )
        .run();
    home.parapost(["init", "--no-servers"])
        .args(["--name", "Anna", "--address", "anna@example.org"])
        .stderr_contains("no mail server is set up")
        .stderr_contains("parapost receive FILE")
        .run();
    new()
        .stdout("first\n")
        .stderr_contains("the mail lies in ")
        .run();
    home.parapost(["move", "first", "P>e3", "--send"])
        .stderr_contains("the mail lies in ")
        .run();
    let list = home.parapost(["doctor"]).any_stdout().run().stdout;
    assert!(list.contains("note   outbox "), "{list}");
}

#[test]
fn without_servers_means_without_what_is_about_them() {
    for more in [
        &["--imap", "mail.example.org"][..],
        &["--password-env", "P"],
        &["--user", "anna"],
        &["--fetch"],
    ] {
        let test = Sandbox::new().parapost(["init", "--no-servers", "--name", "A"]);
        let test = test.args(["--address", "a@example.org"]);
        let test = test.args(more.iter().copied()).status(2);
        test.stderr_contains("cannot be used with").run();
    }
}

/// Of an unusual port nobody knows how TLS begins there.
#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn how_tls_begins_is_found_out_and_said() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    for (imap, smtp, ways) in [
        (dovecot.tls_port, postfix.port, ["tls", "starttls"]),
        (dovecot.port, postfix.tls_port, ["starttls", "tls"]),
    ] {
        let home = home(&dovecot, &postfix);
        let said = ways.map(|way| match way {
            "tls" => "TLS from the first byte (tls)",
            _ => "it answers in plain text, so that TLS begins by STARTTLS (starttls)",
        });
        home.parapost(["init", "--name", "White", "--address", &address("white")])
            .args(["--imap", &format!("localhost:{imap}")])
            .args(["--smtp", &format!("localhost:{smtp}")])
            .args(["--ca-file", "ca.pem", "--user", "white"])
            .args(["--password-file", "secret"])
            .stderr_contains(&format!("localhost, port {imap}: {}\n", said[0]))
            .stderr_contains(&format!("localhost, port {smtp}: {}\n", said[1]))
            .run();
        let config = home.read(CONFIG);
        for (port, way) in [(imap, ways[0]), (smtp, ways[1])] {
            let lines = format!("port = {port}\ntls = \"{way}\"\n");
            assert!(config.contains(&lines), "{lines}\n{config}");
        }
    }
}

/// Somebody sits there, and has perhaps mistyped a port.
#[test]
#[ignore = "takes long"]
fn a_port_where_nobody_answers_is_given_up_soon() {
    let silent = Unanswered::start();
    for way in [&[][..], &["--imap-tls", "tls", "--smtp-tls", "tls"]] {
        let home = Sandbox::new().secret("secret", "guesswork\n");
        let port = format!("localhost:{}", silent.port);
        let begun = Instant::now();
        home.parapost(["init", "--name", "A", "--address", "a@example.org"])
            .args(["--imap", &port, "--smtp", &port])
            .args(["--password-file", "secret"])
            .args(way.iter().copied())
            .status(1)
            .stderr_contains("no answer within 3 seconds")
            .stderr_contains("nothing is written")
            .run();
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(9), "two ports took {took:?}");
    }
}
