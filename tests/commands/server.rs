//! Sending to a mail server, a stand-in that answers as a real one seldom does. A real one is in `smtp.rs`.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::thread;

use mail_parser::MessageParser;

use crate::commands::send::{game, of, owing_by};
use crate::support::Sandbox;

/// A mail server that answers the commands of one session with these lines,
/// and gives what it was told after DATA.
fn server(answers: &'static [&'static str]) -> (u16, thread::JoinHandle<Vec<String>>) {
    sessions(vec![answers])
}

/// The same for several sessions, one after the other.
pub(crate) fn sessions(
    sessions: Vec<&'static [&'static str]>,
) -> (u16, thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let session = thread::spawn(move || {
        let mut heard = Vec::new();
        for answers in sessions {
            let (stream, _) = listener.accept().unwrap();
            heard.extend(converse(stream, answers));
        }
        heard
    });
    (port, session)
}

fn converse(mut stream: TcpStream, answers: &[&str]) -> Vec<String> {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let mut heard = Vec::new();
    for answer in answers {
        if *answer == "hang up" {
            break;
        }
        // Latin-1, as an old server has it.
        let line = format!("{answer}\r\n");
        let bytes: Vec<u8> = line.chars().map(|c| u8::try_from(c).unwrap()).collect();
        let _ = stream.write_all(&bytes);
        // After 354 everything up to the dot belongs together.
        let end = if answer.starts_with("354") { "." } else { "" };
        for line in lines.by_ref().map_while(Result::ok) {
            heard.push(line.clone());
            if end.is_empty() || line == end {
                break;
            }
        }
    }
    heard
}

pub(crate) fn smtp(port: u16, more: &str) -> String {
    format!("[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {port}\n{more}\n")
}

/// What a server says that takes a mail.
pub(super) const TAKEN: &[&str] = &[
    "220 mx",
    "250 mx",
    "250 from",
    "250 to",
    "354 go on",
    "250 taken",
    "221 bye",
];

/// A match whose mail is owed by way of such a server.
fn owing_to(answers: &'static [&'static str]) -> (Sandbox, thread::JoinHandle<Vec<String>>) {
    let (port, session) = server(answers);
    (owing_by(&smtp(port, "tls = \"none\"")), session)
}

#[test]
fn a_mail_server_takes_the_mail_as_it_is() {
    let (house, session) = owing_to(TAKEN);
    house
        .parapost(of(&["send"]))
        .stderr("demo: 1 mail sent\n")
        .run();
    let heard = session.join().unwrap();
    assert_eq!(heard[1], "MAIL FROM:<anna@example.org>");
    assert_eq!(heard[2], "RCPT TO:<ben@example.org>");
    let data = heard.iter().position(|line| line == "DATA").unwrap();
    let end = heard.iter().position(|line| line == ".").unwrap();
    let sent = heard[data + 1..end].join("\n");
    let read = MessageParser::default().parse(&sent).unwrap();
    let subject = read.subject().unwrap();
    assert!(subject.starts_with("[demo] Unachess: "), "{subject}");
    assert!(
        heard[end - 1].starts_with("Game demo, 1 half-move made, hash "),
        "no line is added"
    );
    let log = house.read("games/demo.txt");
    let last = log.lines().last().unwrap();
    assert!(last.contains(" by=smtp chain="), "{last}");
}

#[test]
fn a_server_that_is_not_there_is_a_matter_for_later() {
    let port = {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        listener.local_addr().unwrap().port()
    };
    let house = owing_by(&smtp(port, "tls = \"none\""));
    let before = house.read("games/demo.txt");
    house
        .parapost(of(&["send"]))
        .status(75)
        .stderr_contains(&format!("the mail server 127.0.0.1, port {port}"))
        .stderr_contains("1 mail is still owed; 'parapost send demo' tries again")
        .run();
    assert_eq!(house.read("games/demo.txt"), before);
    // It certainly has not gone, so the move can be taken back.
    house
        .parapost(of(&["undo", "demo"]))
        .stderr("demo: P>e3 is taken back\n")
        .run();
}

#[test]
fn a_server_that_refuses_now_or_for_good() {
    // A recipient and a mail are refused, everything else is owed.
    for (answers, status, refused) in [
        (&["220 mx", "250 mx", "450 busy", "221 bye"][..], 75, ""),
        (&["220 mx", "250 mx", "550 no senders", "221 bye"], 1, ""),
        (
            &[
                "220 mx",
                "250 mx",
                "250 from",
                "530 log in first",
                "221 bye",
            ],
            1,
            "",
        ),
        (
            &["220 mx", "250 mx", "250 from", "451 later", "221 bye"],
            75,
            "",
        ),
        (
            &[
                "220 mx",
                "250 mx",
                "250 from",
                "550-no\r\n550 such user",
                "221 bye",
            ],
            1,
            "550 no such user",
        ),
        (
            &[
                "220 mx",
                "250 mx",
                "250 from",
                "553-5.1.8 no such\r\n553 5.1.8 sender",
                "221 bye",
            ],
            1,
            "",
        ),
        (
            &[
                "220 mx",
                "250 mx",
                "250 from",
                "250 to",
                "554 no data",
                "221 bye",
            ],
            1,
            "",
        ),
        (
            &[
                "220 mx",
                "250 mx",
                "250 from",
                "250 to",
                "354 go on",
                "554 spam",
                "221 bye",
            ],
            1,
            "554 spam",
        ),
        (&["421 too busy"], 75, ""),
        (&["554 go away"], 1, ""),
    ] {
        let (house, session) = owing_to(answers);
        house
            .parapost(of(&["send"]))
            .status(status)
            .stderr_contains("has not taken the mail")
            .run();
        session.join().unwrap();
        let game = game(&house);
        let reasons: Vec<&str> = game
            .undelivered()
            .iter()
            .map(|refused| refused.reason.as_str())
            .collect();
        let expected = if refused.is_empty() {
            &[][..]
        } else {
            &[refused]
        };
        assert_eq!(reasons, expected, "{answers:?}");
        assert_eq!(game.owed().len(), 1 - reasons.len(), "{answers:?}");
        house.parapost(of(&["undo", "demo"])).any_stderr().run();
    }
}

#[test]
fn mail_that_may_have_gone_keeps_its_move_from_being_taken_back() {
    let answers = &[
        "220 mx",
        "250 mx",
        "250 from",
        "250 to",
        "354 go on",
        "hang up",
    ];
    let (house, session) = owing_to(answers);
    house
        .parapost(of(&["send"]))
        .status(75)
        .stderr_contains("it is not known whether the mail server 127.0.0.1")
        .stderr_contains("still owed")
        .run();
    session.join().unwrap();
    house
        .parapost(of(&["undo", "demo"]))
        .status(1)
        .stderr_contains("may have gone; 'parapost send demo' sends it again")
        .run();
    house
        .parapost(of(&["send", "--print"]))
        .stdout_contains("1. P>e3")
        .run();
}

#[test]
fn no_mail_and_no_password_goes_where_tls_was_asked_for_and_is_not_to_be_had() {
    let (port, session) = server(&["220 mx", "250-mx\r\n250 AUTH PLAIN LOGIN", "221 bye"]);
    let login = "user = \"anna\"\npassword_file = \"password\"";
    let house = owing_by(&smtp(port, login)).secret("password", "secret word\n");
    house
        .parapost(of(&["send"]))
        .status(1)
        .stderr_contains("STARTTLS is not supported")
        .run();
    let heard = session.join().unwrap();
    let said = heard.join("\n");
    assert!(
        !said.contains("AUTH") && !said.contains("MAIL FROM"),
        "{said}"
    );
    assert_eq!(game(&house).owed().len(), 1);
    let house = owing_by(&smtp(port, &format!("tls = \"none\"\n{login}")));
    house
        .parapost(of(&["send"]))
        .status(1)
        .stderr_contains("no password is sent without TLS")
        .run();
}

/// Somebody on the way adds an answer, to be taken for the first one in TLS.
#[test]
fn what_is_said_behind_the_answer_to_starttls_is_not_believed() {
    let injected = &[
        "220 mx",
        "250-mx\r\n250 STARTTLS",
        "220 go on\r\n250-mx\r\n250 AUTH PLAIN",
    ];
    let (port, session) = server(injected);
    let house = owing_by(&smtp(port, ""));
    house
        .parapost(of(&["send"]))
        .status(75)
        .stderr_contains("it gives words behind its answer to STARTTLS")
        .run();
    assert_eq!(session.join().unwrap().last().unwrap(), "STARTTLS");
    assert_eq!(game(&house).owed().len(), 1);
}

/// It was taken for a certificate that nobody trusts, and for good.
/// What a server says late would be taken for its answer to the next command, such as a
/// refusal of the sender for one of the recipient.
#[test]
fn an_answer_that_comes_late_is_not_taken_for_that_to_the_next_mail() {
    let (port, session) = sessions(vec![
        &[
            "220 mx",
            "250 mx",
            "250 from",
            "wait\r\n250 to",
            "250 reset",
            "553 no such sender",
            "250 reset",
            "221 bye",
        ],
        TAKEN,
    ]);
    let house = owing_by(&smtp(port, "tls = \"none\""));
    house
        .parapost(of(&["send", "--resend", "demo"]))
        .status(75)
        .stderr_contains("it gives something else than an answer")
        .stderr_contains("demo: 1 mail sent")
        .run();
    assert_eq!(game(&house).undelivered().len(), 0);
    let heard = session.join().unwrap();
    assert!(!heard.contains(&"RSET".to_owned()), "{heard:?}");
}

#[test]
fn an_answer_that_is_not_utf_8_is_a_matter_for_later() {
    let (house, session) = owing_to(&["220 mx", "250 mx", "250 sch\u{f6}n"]);
    house
        .parapost(of(&["send"]))
        .status(75)
        .stderr_contains("has not taken the mail")
        .run();
    session.join().unwrap();
    assert_eq!(game(&house).owed().len(), 1);
}

#[test]
fn a_letter_can_come_in_while_a_mail_server_is_slow() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let house = owing_by(&smtp(port, "tls = \"none\"")).env("PARAPOST_WAIT", "0");
    let test = house.parapost(of(&["send"]));
    let mut sender = test
        .command()
        .stderr(Stdio::null())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    // The server has the connection and says nothing.
    let (stream, _) = listener.accept().unwrap();
    house
        .parapost(of(&["note", "demo", "meanwhile"]))
        .stderr("demo: noted for yourself; it is mailed to nobody ('parapost say demo' writes to the opponent)\n")
        .run();
    house
        .parapost(of(&["undo", "demo"]))
        .status(75)
        .any_stderr()
        .run();
    drop(stream);
    assert_eq!(sender.wait().unwrap().code(), Some(75));
    drop(test.any_stdout());
    assert_eq!(game(&house).owed().len(), 1);
}

/// What is wrong with the sender or the server is wrong for the mail of every match.
#[test]
fn a_refused_sender_costs_one_attempt_whatever_number_of_matches_owes_mail() {
    let (port, session) = server(&["220 mx", "250 mx", "553 no such sender", "221 bye"]);
    let house = owing_by(&smtp(port, "tls = \"none\""));
    for id in ["second", "third"] {
        let new = ["new", "--game", "unachess", "--invited", "--id", id];
        house
            .parapost(of(&new))
            .args(["--white", "Anna <anna@example.org>"])
            .args(["--black", "Ben <ben@example.org>"])
            .any_stdout()
            .any_stderr()
            .run();
        house.parapost(of(&["move", id, "P>e3"])).any_stderr().run();
    }
    let run = house
        .parapost(of(&["send"]))
        .status(1)
        .stderr_contains("demo: 1 mail is still owed")
        .stderr_contains("the mail of 2 more matches is not tried, as it would fail alike")
        .run();
    assert_eq!(run.stderr.matches("no such sender").count(), 1);
    session.join().unwrap();
}
