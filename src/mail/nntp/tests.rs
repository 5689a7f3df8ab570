//! A news server in memory, as RFC 3977 has it and as it must not be.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::TcpListener;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use lettre::address::Envelope;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};

use super::*;
use crate::limits::{NEWS_ARTICLE, NEWS_BYTES, NEWS_LINE};
use crate::nntp::connection::Posting;
use crate::nntp::group::{FetchedArticle, GroupReading, Overview};
use crate::nntp::newsgroup::{Newsgroup, ParseNewsgroupError};
use crate::secret::{Secret, SecretText};

const LIMIT: Duration = Duration::from_mins(1);

/// What a server says to a command, in pieces.
type Said = Box<dyn Iterator<Item = Vec<u8>>>;

/// A connection to a server that answers each line by itself.
struct Talk<F> {
    answer: F,
    said: Said,
    ready: Vec<u8>,
    line: String,
    heard: Rc<RefCell<Vec<String>>>,
    is_encrypted: bool,
}

fn text(words: impl Into<Vec<u8>>) -> Said {
    Box::new(std::iter::once(words.into()))
}

impl<F: FnMut(&str) -> Said> Talk<F> {
    /// A connection on which these words stand first.
    fn new(first: impl Into<Vec<u8>>, answer: F) -> Talk<F> {
        Talk {
            answer,
            said: text(first),
            ready: Vec::new(),
            line: String::new(),
            heard: Rc::default(),
            is_encrypted: false,
        }
    }
}

impl<F> Read for Talk<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.ready.is_empty() {
            match self.said.next() {
                Some(words) => self.ready = words,
                None => return Ok(0),
            }
        }
        let size = self.ready.len().min(buffer.len());
        buffer[..size].copy_from_slice(&self.ready[..size]);
        self.ready.drain(..size);
        Ok(size)
    }
}

impl<F: FnMut(&str) -> Said> Write for Talk<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.push_str(&String::from_utf8_lossy(bytes));
        while let Some((line, rest)) = self.line.split_once("\r\n") {
            self.said = (self.answer)(line);
            self.heard.borrow_mut().push(line.to_owned());
            self.line = rest.to_owned();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<F: FnMut(&str) -> Said> Stream for Talk<F> {
    fn set_deadline(&mut self, _: Instant) {}

    fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }
}

fn over<F: FnMut(&str) -> Said>(answer: F) -> NntpConnection<Talk<F>> {
    NntpConnection::over(Talk::new("", answer))
}

fn group() -> Newsgroup {
    "rec.games.abstract".parse().unwrap()
}

/// A group of a server, with every article between its marks.
#[derive(Clone)]
struct Group {
    low: u64,
    high: u64,
    /// The commands that it does not know.
    lacks: &'static [&'static str],
}

impl Group {
    fn of(low: u64, high: u64) -> Group {
        Group {
            low,
            high,
            lacks: &[],
        }
    }

    fn answer(&self, command: &str) -> Said {
        let (word, rest) = command.split_once(' ').unwrap_or((command, ""));
        if self.lacks.contains(&word) {
            return text("500 what?\r\n");
        }
        let (low, high) = (self.low, self.high);
        match word {
            "GROUP" => text(format!("211 1234 {low} {high} {rest}\r\n")),
            "OVER" | "XOVER" => {
                let (first, last) = rest.split_once('-').unwrap();
                let first = first.parse::<u64>().unwrap().max(low);
                let last = last.parse::<u64>().unwrap().min(high);
                if first > last {
                    return text("423 none\r\n");
                }
                let lines = (first..=last).map(|number| {
                    let id = format!("<{number}@news.test>");
                    format!("{number}\tRe: a game\tben@news.test\tx\t{id}\t<a@b>\t99\t9\r\n").into()
                });
                let begun = text("224 here\r\n");
                Box::new(begun.chain(lines).chain(text(".\r\n")))
            }
            "HEAD" | "ARTICLE" => {
                let number: u64 = rest.parse().unwrap();
                if !(low..=high).contains(&number) {
                    return text("423 none\r\n");
                }
                let body = if word == "HEAD" { "" } else { "\r\n..a\r\n" };
                let code = if word == "HEAD" { 221 } else { 220 };
                text(format!(
                    "{code} {number} <{number}@news.test>\r\nSubject: Re:\r\n\ta game\r\nFROM: \
                     ben@news.test\r\nMessage-ID:\r\n <{number}@news.test>\r\nReferences: <a@b>\r\n{body}.\r\n"
                ))
            }
            _ => text("500 what?\r\n"),
        }
    }

    /// Reads what is new, all of it, or the last of every thousand.
    fn read(&self, place: Option<u64>, is_all: bool) -> (GroupReading, Vec<u64>) {
        let group_here = self.clone();
        let mut connection = over(move |command: &str| group_here.answer(command));
        let mut reading = GroupReading {
            place,
            ..GroupReading::default()
        };
        let mut read = Vec::new();
        let wanted = |overview: &Overview| is_all || overview.number.is_multiple_of(1000);
        connection
            .read_group(&group(), &mut reading, wanted, |number, article| {
                assert!(matches!(article, FetchedArticle::Article(_)));
                read.push(number);
            })
            .unwrap();
        (reading, read)
    }
}

#[test]
fn names_of_groups_are_names() {
    for name in [
        "rec.games.abstract",
        "a",
        "comp.lang.c++",
        "x_y.z-1",
        "a.control",
        "toys.x",
    ] {
        assert_eq!(name.parse::<Newsgroup>().unwrap().as_str(), name);
    }
    let long = "a.".repeat(100) + "a";
    for name in [
        "",
        ".",
        "a.",
        ".a",
        "a..b",
        "a b",
        "a\r\nPOST",
        "a,b",
        "ä",
        "*",
        &long,
        // The servers' own.
        "control",
        "control.cancel",
        "to.x",
        "example.x",
        "poster",
        "junk",
        "rec.all",
        "ctl",
    ] {
        assert_eq!(
            name.parse::<Newsgroup>(),
            Err(ParseNewsgroupError),
            "{name:?}"
        );
    }
}

#[test]
fn a_server_that_switches_is_asked_for_its_readers() {
    let answer = |command: &str| match command {
        "CAPABILITIES" => text("101 x\r\nVERSION 2\r\nIHAVE\r\nMODE-READER\r\n.\r\n"),
        "MODE READER" => text("201 look\r\n"),
        _ => text("500 what?\r\n"),
    };
    let talk = Talk::new("200 hello\r\n", answer);
    let heard = Rc::clone(&talk.heard);
    let connection = as_reader(NntpConnection::greeted(talk, LIMIT).unwrap()).unwrap();
    assert!(!connection.may_post);
    assert_eq!(&*connection.greeting, "hello");
    assert_eq!(
        *heard.borrow(),
        ["CAPABILITIES", "MODE READER", "CAPABILITIES"]
    );
    // One from before RFC 3977, which has one part alone.
    let talk = Talk::new("200\r\n", |_: &str| text("500 what?\r\n"));
    let connection = as_reader(NntpConnection::greeted(talk, LIMIT).unwrap()).unwrap();
    assert!(connection.may_post && !connection.tells_capabilities());
}

#[test]
fn what_may_be_posted_is_known() {
    for (said, expected) in [
        (
            "215 x\r\nrec.games.abstract 9 1 y\r\n.\r\n",
            Some(Posting::Open),
        ),
        (
            "215 x\r\nrec.games.abstract 9 1 m\r\n.\r\n",
            Some(Posting::Moderated),
        ),
        (
            "215 x\r\nrec.games.abstract 9 1 n\r\n.\r\n",
            Some(Posting::Closed),
        ),
        ("215 x\r\nrec.games.other 9 1 y\r\n.\r\n", None),
        ("503 no\r\n", None),
    ] {
        let mut connection = over(|_: &str| text(said));
        assert_eq!(
            connection.posting(&group(), LIMIT).unwrap(),
            expected,
            "{said}"
        );
    }
}

#[test]
fn nothing_from_before_tls_is_believed() {
    // Somebody between puts an answer behind the one to STARTTLS.
    let answer = |command: &str| match command {
        "CAPABILITIES" => text("101 x\r\nREADER\r\nSTARTTLS\r\n.\r\n"),
        _ => text("382 go\r\n281 welcome\r\n"),
    };
    let connection = as_reader(over(answer)).unwrap();
    let error = ask_for_tls(connection).err().unwrap();
    assert!(
        error.to_string().contains("behind its answer to STARTTLS"),
        "{error}"
    );
    for (capabilities, said, why) in [
        (
            "101 x\r\nREADER\r\n.\r\n",
            "382 go\r\n",
            "does not offer STARTTLS",
        ),
        (
            "101 x\r\nREADER\r\nSTARTTLS\r\n.\r\n",
            "580 no\r\n",
            "refuses STARTTLS: 580 no",
        ),
        (
            "500 what?\r\n",
            "500 what?\r\n",
            "refuses STARTTLS: 500 what?",
        ),
    ] {
        let answer = |command: &str| match command {
            "CAPABILITIES" => text(capabilities),
            _ => text(said),
        };
        let error = ask_for_tls(as_reader(over(answer)).unwrap()).err().unwrap();
        assert!(
            error.is_permanent() && error.to_string().contains(why),
            "{error}"
        );
    }
}

fn settings(tls: Tls) -> ConnectionSettings {
    let password = SecretText::new("p4ss word", "password").unwrap();
    ConnectionSettings {
        host: "localhost".to_owned(),
        port: 1,
        tls,
        ca_file: None,
        login: Some(Login {
            user: "anna".to_owned(),
            credential: Credential::Password(Secret::Known(password)),
        }),
    }
}

/// Logs in. Returns what the server was told, too.
fn logged_in(
    said: &'static [&'static str],
    is_encrypted: bool,
) -> (Result<(), Error>, Vec<String>) {
    let mut left = said.iter();
    let talk = Talk::new("", move |_: &str| {
        text(left.next().copied().unwrap_or("400 bye\r\n"))
    });
    let talk = Talk {
        is_encrypted,
        ..talk
    };
    let heard = Rc::clone(&talk.heard);
    let settings = settings(Tls::Tls);
    let login = settings.login.clone().unwrap();
    let done = log_in(&mut NntpConnection::over(talk), &login, &settings);
    let heard = heard.borrow().clone();
    (done, heard)
}

#[test]
fn a_password_goes_by_tls_alone_and_comes_back_in_no_message() {
    let (done, heard) = logged_in(&["381 more\r\n", "281 welcome\r\n"], true);
    assert!(done.is_ok());
    assert_eq!(heard, ["AUTHINFO USER anna", "AUTHINFO PASS p4ss word"]);
    let (done, heard) = logged_in(&["381 more\r\n", "281 welcome\r\n"], false);
    assert!(done.unwrap_err().to_string().contains("without TLS") && heard.is_empty());
    // Nobody is even called.
    let error = connect(&settings(Tls::None)).err().unwrap();
    assert!(
        error
            .to_string()
            .contains("no password is sent without TLS"),
        "{error}"
    );
    for (said, is_transient) in [
        (&["381 more\r\n", "481 no 'p4ss word' here\r\n"][..], false),
        (&["381 more\r\n", "502 cDRzcyB3b3Jk\r\n"], false),
        (&["482 p4ss word\r\n"], false),
        (&["381 more\r\n", "400 p4ss word, later\r\n"], true),
        (&["381 more\r\n", "403 p4ss word\r\n"], true),
    ] {
        let (done, _) = logged_in(said, true);
        let error = done.unwrap_err();
        assert_eq!(error.is_transient(), is_transient, "{error}");
        let told = format!("{error} {error:?}");
        assert!(!told.contains("p4ss") && !told.contains("cDRz"), "{told}");
    }
}

#[test]
fn no_command_has_two_lines_or_is_too_long() {
    let mut connection = over(|_: &str| text("200 yes\r\n"));
    for command in ["GROUP a\r\nPOST", "GROUP \0", &"a".repeat(511)] {
        assert!(
            connection
                .say(command, &[200], LIMIT)
                .unwrap_err()
                .is_permanent()
        );
    }
    assert!(connection.say(&"a".repeat(510), &[200], LIMIT).is_ok());
}

#[test]
fn a_group_is_read_above_its_place_and_once() {
    let all = |from: u64, to: u64| (from..=to).collect::<Vec<_>>();
    for (low, high, place, read) in [
        // The first reading, of a small group and of a large one.
        (1, 10, None, all(1, 10)),
        (1, 9000, None, all(4001, 9000)),
        (8000, 9000, None, all(8000, 9000)),
        // Later ones.
        (1, 10, Some(10), vec![]),
        (1, 10, Some(7), all(8, 10)),
        (1, 2500, Some(0), all(1, 2500)),
        // What has expired is gone.
        (8, 10, Some(2), all(8, 10)),
        // The numbers were given anew.
        (1, 3, Some(900), all(1, 3)),
        // Nothing is there.
        (11, 10, Some(10), vec![]),
        (11, 10, None, vec![]),
        (0, 0, Some(10), vec![]),
    ] {
        for lacks in [&[][..], &["OVER"], &["OVER", "XOVER"]] {
            let server = Group {
                lacks,
                ..Group::of(low, high)
            };
            let (reading, found) = server.read(place, true);
            assert_eq!(
                found, read,
                "{low}-{high} above {place:?} without {lacks:?}"
            );
            let next = if high == 0 { place } else { Some(high) };
            assert_eq!(reading.place, next, "{low}-{high} above {place:?}");
            assert!(!reading.has_more);
            let expired = if (low, place) == (8, Some(2)) { 5 } else { 0 };
            assert_eq!(reading.expired, expired, "{low}-{high} above {place:?}");
            assert_eq!(reading.is_renumbered, place == Some(900));
        }
    }
    // The last number that there can be.
    let (reading, found) = Group::of(1, u64::MAX).read(Some(u64::MAX - 2), true);
    assert_eq!(found, [u64::MAX - 1, u64::MAX]);
    assert_eq!(reading.place, Some(u64::MAX));
}

#[test]
fn an_overview_is_the_same_from_a_header() {
    let overviews = |lacks| {
        let server = Group {
            lacks,
            ..Group::of(1, 2)
        };
        let mut connection = over(move |command: &str| server.answer(command));
        let mut found = Vec::new();
        let wanted = |overview: &Overview| {
            found.push(overview.clone());
            false
        };
        let mut reading = GroupReading::default();
        connection
            .read_group(&group(), &mut reading, wanted, |_, _| {})
            .unwrap();
        found
    };
    let found = overviews(&[]);
    assert_eq!(found[0].from, "ben@news.test");
    assert_eq!(found[0].references, ["<a@b>".parse().unwrap()]);
    let mut from_headers = overviews(&["OVER", "XOVER"]);
    for overview in &mut from_headers {
        overview.subject = overview.subject.replace('\t', " ");
    }
    assert_eq!(from_headers, found);
}

#[test]
fn an_article_has_its_dots() {
    let mut connection = over(|command: &str| Group::of(1, 1).answer(command));
    let FetchedArticle::Article(bytes) = connection.article(1).unwrap() else {
        panic!("no article");
    };
    assert!(bytes.ends_with(b"<a@b>\r\n\r\n.a\r\n"));
    assert_eq!(connection.article(2).unwrap(), FetchedArticle::Gone);
}

#[test]
fn a_reading_that_was_broken_off_goes_on() {
    let server = Group::of(1, 4000);
    let mut asked = 0;
    let mut connection = over(|command: &str| {
        asked += 1;
        match asked {
            6 => text("400 going down\r\n"),
            _ => server.answer(command),
        }
    });
    let mut reading = GroupReading::default();
    let wanted = |overview: &Overview| overview.number % 1000 < 2;
    let mut read = Vec::new();
    let done = connection.read_group(&group(), &mut reading, wanted, |number, _| {
        read.push(number);
    });
    let error = done.unwrap_err();
    assert!(
        !error.is_permanent() && error.to_string().contains("going down"),
        "{error}"
    );
    assert_eq!((read, reading.place), (vec![1, 1000], Some(1000)));
    let (_, read) = server.read(Some(1000), false);
    assert_eq!(read, [2000, 3000, 4000]);
}

/// Repeats words until nobody reads them any more, and counts.
fn endless(words: &'static str, said: &Rc<RefCell<usize>>) -> Said {
    let said = Rc::clone(said);
    let piece = words.repeat(1 + 4000 / words.len());
    Box::new(std::iter::from_fn(move || {
        *said.borrow_mut() += piece.len();
        Some(piece.clone().into_bytes())
    }))
}

#[test]
fn no_answer_is_read_without_an_end() {
    let chained = |begun: &'static str, words: &'static str, said: &Rc<RefCell<usize>>| -> Said {
        Box::new(text(begun).chain(endless(words, said)))
    };
    for words in [
        "x",
        "200-x",
        "x\r\n",
        "\r\n",
        "100 help\r\n",
        "..\r\n",
        "1\t\t\r\n",
    ] {
        let said = Rc::default();
        // The greeting.
        let mut talk = Talk::new("", |_: &str| text(""));
        talk.said = endless(words, &said);
        let failed = NntpConnection::greeted(talk, LIMIT).err();
        assert!(
            failed.is_some() && *said.borrow() <= 2 * NEWS_LINE,
            "{words:?}"
        );
        // Each command, and the lines behind its answer.
        for (code, words) in [("", words), ("101 x\r\n", words), ("215 x\r\n", words)] {
            let said = Rc::default();
            let mut connection = over(|_: &str| chained(code, words, &said));
            let _ = connection.read_capabilities(LIMIT);
            let mut connection = over(|_: &str| chained(code, words, &said));
            let _ = connection.posting(&group(), LIMIT);
            assert!(*said.borrow() <= 2 * NEWS_BYTES + NEWS_LINE, "{words:?}");
        }
        for (command, code) in [
            ("OVER", "224 x\r\n"),
            ("HEAD", "221 x\r\n"),
            ("ARTICLE", "220 x\r\n"),
        ] {
            let said = Rc::default();
            let server = Group {
                lacks: if command == "HEAD" {
                    &["OVER", "XOVER"]
                } else {
                    &[]
                },
                ..Group::of(1, 9)
            };
            let mut connection = over(|line: &str| {
                if line.starts_with(command) {
                    return chained(code, words, &said);
                }
                server.answer(line)
            });
            let mut reading = GroupReading::default();
            let mut articles = Vec::new();
            let keep = |_, article| articles.push(article);
            let done = connection.read_group(&group(), &mut reading, |_| true, keep);
            let error = done.unwrap_err();
            assert!(!error.is_permanent(), "{error}");
            assert!(
                *said.borrow() <= NEWS_BYTES + NEWS_LINE,
                "{command} {words:?}"
            );
            // One without an end holds up no later one.
            let is_article = command == "ARTICLE";
            let passed = is_article.then_some(1);
            assert_eq!(reading.place, passed, "{command} {words:?}");
            assert_eq!(articles.contains(&FetchedArticle::TooLong), is_article);
        }
    }
}

#[test]
fn a_long_article_is_passed_over_and_the_next_one_read() {
    let server = Group::of(1, 2);
    let mut connection = over(|line: &str| match line {
        "ARTICLE 1" => {
            let lines = "x".repeat(98) + "\r\n";
            let lines = lines.repeat(NEWS_ARTICLE / 100 + 2);
            text(format!("220 1 <1@news.test>\r\n{lines}.\r\n"))
        }
        line => server.answer(line),
    });
    let mut reading = GroupReading::default();
    let mut articles = Vec::new();
    let keep = |_, article| articles.push(article);
    connection
        .read_group(&group(), &mut reading, |_| true, keep)
        .unwrap();
    assert_eq!(articles[0], FetchedArticle::TooLong);
    assert!(matches!(articles[1], FetchedArticle::Article(_)));
}

#[test]
fn an_overview_that_lies_is_not_believed() {
    for (lines, why) in [
        ("12\ta\r\n", "it was not asked for"),
        ("0\ta\r\n", "it was not asked for"),
        ("2\ta\r\n2\tb\r\n", "it was not asked for"),
        ("3\ta\r\n2\tb\r\n", "it was not asked for"),
        ("-1\ta\r\n", "it was not asked for"),
        ("99999999999999999999\ta\r\n", "it was not asked for"),
        ("hello\r\n", "it was not asked for"),
        ("\r\n", "it was not asked for"),
    ] {
        let mut connection = over(|line: &str| match line {
            line if line.starts_with("OVER") => text(format!("224 x\r\n{lines}.\r\n")),
            line => Group::of(1, 9).answer(line),
        });
        let mut reading = GroupReading::default();
        let done = connection.read_group(&group(), &mut reading, |_| true, |_, _| {});
        let error = done.unwrap_err().to_string();
        assert!(error.contains(why), "{lines}: {error}");
        assert_eq!(reading.place, None);
    }
    // Articles that there are none of, and marks that mean nothing.
    let mut connection = over(|line: &str| match line {
        line if line.starts_with("ARTICLE") => text("430 gone\r\n"),
        line => Group::of(1, 9).answer(line),
    });
    let mut gone = 0;
    let mut reading = GroupReading::default();
    connection
        .read_group(
            &group(),
            &mut reading,
            |_| true,
            |_, article| {
                assert_eq!(article, FetchedArticle::Gone);
                gone += 1;
            },
        )
        .unwrap();
    assert_eq!(gone, 9);
    for marks in [
        "211\r\n",
        "211 a b c\r\n",
        "211 9 -1 9 x\r\n",
        "211 9 1 99999999999999999999 x\r\n",
    ] {
        let mut connection = over(|_: &str| text(marks));
        assert!(connection.group(&group()).is_err(), "{marks}");
    }
    let mut connection = over(|_: &str| text("411 none\r\n"));
    let error = connection.group(&group()).unwrap_err();
    assert!(error.is_permanent() && error.to_string().contains("no group rec.games.abstract"));
}

/// A server that tells of more than there can be is asked for no more than a thousand portions.
#[test]
fn a_high_mark_that_lies_ends() {
    let mut asked = 0;
    let mut connection = over(|line: &str| {
        asked += 1;
        match line {
            line if line.starts_with("OVER") => text("423 none\r\n"),
            _ => text(format!("211 9 1 {} x\r\n", u64::MAX)),
        }
    });
    let mut reading = GroupReading {
        place: Some(7),
        ..GroupReading::default()
    };
    connection
        .read_group(&group(), &mut reading, |_| true, |_, _| {})
        .unwrap();
    assert!(reading.has_more);
    assert_eq!(reading.place, Some(1_000_007));
    drop(connection);
    assert_eq!(asked, 1001);
}

/// An article as it is posted.
fn article() -> OutgoingMessage {
    let id: crate::message_id::MessageId = "<one@example.org>".parse().unwrap();
    let from: lettre::Address = "anna@example.invalid".parse().unwrap();
    let name = HeaderName::new_from_ascii_str("Message-ID");
    let message = Message::builder()
        .envelope(Envelope::new(None, vec![from.clone()]).unwrap())
        .from(Mailbox::new(None, from))
        .raw_header(HeaderValue::new(name, id.to_string()))
        .body("1. P>e3\r\n.\r\n..\r\n".to_owned())
        .unwrap();
    OutgoingMessage::new(message, id, "2026-11-20T03:00:00Z".parse().unwrap())
}

fn outcome(posted: &Result<(), SendError>) -> &'static str {
    match posted {
        Ok(()) => "posted",
        Err(SendError::Refused(_)) => "refused",
        Err(SendError::Deferred(_)) => "deferred",
        Err(SendError::Broken(_)) => "broken",
        Err(SendError::SetUp(_)) => "set-up",
        Err(SendError::Unknown(_)) => "unknown",
    }
}

#[test]
fn the_answers_to_a_post_have_their_outcomes() {
    let (none, there, go) = ("430 none\r\n", "223 0 <one@example.org>\r\n", "340 go\r\n");
    for (said, expected) in [
        // Asked for first, which an earlier try may have brought.
        (&[there][..], "posted"),
        (&[none, go, "240 ok\r\n"], "posted"),
        (&[none, go, "441 435 Duplicate\r\n"], "posted"),
        (&[none, go, "441 Duplicate article\r\n"], "posted"),
        (&[none, go, "441 no\r\n", there], "posted"),
        (&[none, go, "441 no such group\r\n", none], "refused"),
        (
            &[none, go, "441 437 too many followups\r\n", "500 what?\r\n"],
            "refused",
        ),
        (&[none, go, "441 436 try later\r\n", none], "deferred"),
        // In words alone.
        (
            &[none, go, "441 Too many articles from you today\r\n", none],
            "deferred",
        ),
        (
            &[none, go, "441 Posting rate limit exceeded\r\n", none],
            "deferred",
        ),
        (
            &[none, go, "441 Server busy, Try Again later\r\n", none],
            "deferred",
        ),
        (&[none, go, "441 Too many newsgroups\r\n", none], "refused"),
        (&[none, go, "403 trouble\r\n", none], "deferred"),
        (&[none, go, "480 who are you?\r\n"], "set-up"),
        (&[none, "440 no posting\r\n"], "set-up"),
        (&[none, "480 who are you?\r\n"], "set-up"),
        (&["480 who are you?\r\n"], "set-up"),
        (&[none, "403 trouble\r\n"], "deferred"),
        (&[none, "220 what?\r\n"], "deferred"),
        // The connection ends, or what comes means nothing.
        (&[], "broken"),
        (&["400 bye\r\n"], "broken"),
        (&[none], "broken"),
        (&[none, go], "unknown"),
        (&[none, go, "400 bye\r\n"], "unknown"),
        (&[none, go, "340 go\r\n"], "unknown"),
        (&[none, go, "hello\r\n"], "unknown"),
    ] {
        let mut left = said.iter();
        let mut is_text = false;
        let talk = Talk::new("", |line: &str| {
            if is_text && line != "." {
                return text("");
            }
            is_text = false;
            let said = left.next().copied().unwrap_or_default();
            is_text = said == go;
            text(said)
        });
        let mut settings = settings(Tls::Tls);
        settings.login = None;
        let heard = Rc::clone(&talk.heard);
        let transport = NntpTransport::new(settings);
        let posted = transport.post(&mut NntpConnection::over(talk), &article());
        assert_eq!(outcome(&posted), expected, "{said:?}: {posted:?}");
        if said.get(1) == Some(&go) {
            let heard = heard.borrow();
            assert_eq!(heard[..2], ["STAT <one@example.org>", "POST"]);
            assert!(
                heard.iter().any(|line| line == "...") && heard.iter().any(|line| line == "..")
            );
        }
    }
}

/// A server over TCP that cuts the connection at a point, counted over all connections. Returns
/// its port, and how often it has taken an article.
fn cutting(cut: usize) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let taken = Arc::<AtomicUsize>::default();
    let count = Arc::clone(&taken);
    thread::spawn(move || {
        let mut points = 0;
        let mut is_cut = || {
            points += 1;
            points == cut
        };
        for stream in listener.incoming().map_while(Result::ok) {
            let mut input = BufReader::new(&stream);
            let mut output = &stream;
            let mut is_text = false;
            let mut say = |words: &str| output.write_all(words.as_bytes()).is_ok();
            if is_cut() || !say("200 hello\r\n") {
                continue;
            }
            let mut line = String::new();
            while input.read_line(&mut line).is_ok_and(|size| size > 0) {
                let command = std::mem::take(&mut line);
                if is_text && command != ".\r\n" {
                    continue;
                }
                // Before it has done anything, or before it says so.
                if is_cut() {
                    break;
                }
                let words = match command.split_whitespace().next().unwrap() {
                    "." if count.fetch_add(1, Ordering::SeqCst) == 0 => "240 ok\r\n",
                    "." => "441 435 Duplicate\r\n",
                    "CAPABILITIES" => "101 x\r\nVERSION 2\r\nREADER\r\nPOST\r\n.\r\n",
                    "STAT" if count.load(Ordering::SeqCst) > 0 => "223 0 <one@example.org>\r\n",
                    "STAT" => "430 none\r\n",
                    "POST" => "340 go\r\n",
                    _ => "205 bye\r\n",
                };
                is_text = words.starts_with("340");
                if is_cut() || !say(words) {
                    break;
                }
            }
        }
    });
    (port, taken)
}

/// Wherever a connection is cut, a few tries post an article once.
#[test]
fn an_article_is_posted_once_wherever_the_connection_is_cut() {
    let mut outcomes = BTreeSet::new();
    for cut in 0..12 {
        let (port, taken) = cutting(cut);
        let mut settings = settings(Tls::None);
        (settings.port, settings.login) = (port, None);
        let mut is_posted = false;
        for _ in 0..3 {
            let mut transport = NntpTransport::new(settings.clone());
            let posted = transport.send(&article());
            outcomes.insert(outcome(&posted));
            assert!(!is_posted || posted.is_ok());
            is_posted |= posted.is_ok();
            assert!(!is_posted || taken.load(Ordering::SeqCst) > 0, "{cut}");
            if let Err(error) = posted {
                assert!(error.error().is_transient(), "{cut}: {error}");
            }
        }
        assert!(is_posted, "{cut}");
        assert_eq!(taken.load(Ordering::SeqCst), 1, "{cut}");
    }
    assert!(
        outcomes.contains("unknown") && outcomes.contains("set-up"),
        "{outcomes:?}"
    );
}

/// The number of articles in the group that this process is to read.
const ARTICLES: &str = "PARAPOST_TEST_ARTICLES";

/// Reads a group in a process of its own, and returns the most memory that it took, in KiB.
#[cfg(target_os = "linux")]
fn peak(articles: u64) -> u64 {
    let output = process::Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "nntp::tests::a_large_group_takes_no_more_memory_than_an_empty_one",
        ])
        .arg("--nocapture")
        .env(ARTICLES, articles.to_string())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");
    let line = said
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_large_group_takes_no_more_memory_than_an_empty_one() {
    if let Ok(articles) = env::var(ARTICLES) {
        let high = articles.parse().unwrap();
        let (reading, read) = Group::of(1, high).read(Some(0), false);
        assert_eq!(
            (reading.place, read.len() as u64),
            (Some(high), high / 1000)
        );
        println!();
        print!("{}", fs::read_to_string("/proc/self/status").unwrap());
        return;
    }
    let (empty, full) = (peak(0), peak(1_000_000));
    assert!(full <= empty + (5 << 10), "{empty} KiB and {full} KiB");
}
