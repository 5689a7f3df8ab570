//! Tests of reading answers, among them hostile ones.

use std::io::{self, Read, Write};
use std::time::Instant;

use crate::imap::connection::{Connection, Part};
use crate::imap::response::*;

/// The bytes of a server, in pieces of so many.
struct Script {
    said: Vec<u8>,
    at: usize,
    piece: usize,
    heard: Vec<u8>,
}

impl Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.said[self.at..];
        let size = rest.len().min(buffer.len()).min(self.piece);
        buffer[..size].copy_from_slice(&rest[..size]);
        self.at += size;
        Ok(size)
    }
}

impl Write for Script {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.heard.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Script {
    fn set_deadline(&mut self, _: Instant) {}
}

fn script(said: impl AsRef<[u8]>, piece: usize) -> Script {
    Script {
        said: said.as_ref().to_vec(),
        at: 0,
        piece,
        heard: Vec::new(),
    }
}

fn read(said: impl AsRef<[u8]>) -> Result<Response, ImapError> {
    let answers = [1, 7, 1 << 20].map(|piece| {
        Response::read(&mut Wire::new(script(said.as_ref(), piece)), 100).map_err(|e| e.to_string())
    });
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[1], answers[2]);
    Response::read(&mut Wire::new(script(said, 1 << 20)), 100)
}

fn atom(word: &str) -> Value {
    Value::Atom(word.as_bytes().to_vec())
}

fn text(text: &str) -> Value {
    Value::Text(text.as_bytes().to_vec())
}

#[test]
fn answers_are_read_as_servers_write_them() {
    for (said, expected) in [
        (
            "* 2 FETCH (UID 7 RFC822.SIZE 44 BODY[HEADER.FIELDS (FROM \"X)\")]<0> {6}\r\na\r\n(\"b FLAGS ())\r\n",
            Response::Data(vec![
                atom("2"),
                atom("FETCH"),
                Value::List(vec![
                    atom("UID"),
                    atom("7"),
                    atom("RFC822.SIZE"),
                    atom("44"),
                    atom("BODY[HEADER.FIELDS (FROM \"X)\")]<0>"),
                    text("a\r\n(\"b"),
                    atom("FLAGS"),
                    Value::List(vec![]),
                ]),
            ]),
        ),
        (
            "* LIST (\\HasNoChildren) \"/\" \"a \\\"b\\\" \\\\\"\r\n",
            Response::Data(vec![
                atom("LIST"),
                Value::List(vec![atom("\\HasNoChildren")]),
                text("/"),
                text("a \"b\" \\"),
            ]),
        ),
        ("* SEARCH\r\n", Response::Search(vec![])),
        ("* search 3 1  2 \r\n", Response::Search(vec![3, 1, 2])),
        ("* SEARCH 3 (MODSEQ 99)\r\n", Response::Search(vec![3])),
        ("+ go on\n", Response::Continue(b"go on".to_vec())),
        ("+\r\n", Response::Continue(vec![])),
        (
            "* OK [UIDVALIDITY 5] it's (\"odd {3}\r\n",
            Response::Status {
                tag: None,
                word: Word::Ok,
                code: Some("UIDVALIDITY 5".to_owned()),
                text: "it's (\"odd {3}".to_owned(),
            },
        ),
        (
            "A1 NO\r\n",
            Response::Status {
                tag: Some(b"A1".to_vec()),
                word: Word::No,
                code: None,
                text: String::new(),
            },
        ),
    ] {
        assert_eq!(read(said).unwrap(), expected, "{said}");
    }
}

#[test]
fn hostile_answers_are_errors() {
    let deep = format!("* {}\r\n", "(".repeat(LINE - 10));
    for said in [
        "",
        "* ",
        "* 1 FETCH (",
        "* 1 FETCH (UID 1\r\n",
        "* 1 FETCH )\r\n",
        "* 1 FETCH (UID 1))\r\n",
        "* 1 FETCH (BODY[] {101}\r\n",
        "* 1 FETCH (BODY[] {4294967295}\r\n",
        "* 1 FETCH (BODY[] {10}\r\nshort",
        "* LIST \"\r\n",
        "* LIST \"\\\r\n",
        "* SEARCH 1 x\r\n",
        "* SEARCH 4294967296\r\n",
        "A1 GREAT\r\n",
        deep.as_str(),
    ] {
        assert!(read(said).is_err(), "{said:.40}");
    }
    let long = "x".repeat(LINE + 1);
    for said in [
        format!("* {long}\r\n"),
        format!("+ {long}\r\n"),
        format!("* OK {long}\r\n"),
        format!("A1 NO {long}\r\n"),
        format!("* LIST {}", "{1}\r\nx ".repeat(LINE)),
        format!(
            "* 1 FETCH (BODY[] {{60}}\r\n{0} BODY[] {{60}}\r\n{0})\r\n",
            "x".repeat(60)
        ),
        format!("* SEARCH {}", "1 ".repeat(limits::IMAP_SEARCH)),
    ] {
        assert!(
            matches!(read(&said), Err(ImapError::TooLong(_))),
            "{said:.40}"
        );
    }
    // An atom that never leaves its brackets, and odd literals that are none.
    for said in [
        "* 1 FETCH (BODY[\r\n",
        "* X {a}\r\n",
        "* X {}\r\n",
        "* {-1}\r\n",
    ] {
        let _ = read(said);
    }
}

/// Runs a command against what a server says.
fn run(said: &str, parts: &[Part<'_>]) -> (Result<(), String>, String) {
    let mut connection = Connection::over(script(said, 3));
    let done = connection.run(parts, 100, |_| Ok(()));
    let heard = connection.heard();
    (done.map(|_| ()).map_err(|error| error.to_string()), heard)
}

#[test]
fn a_command_ends_with_its_own_answer() {
    let noop = [Part::Words("NOOP")];
    assert_eq!(
        run("* 3 EXISTS\r\nA1 OK done\r\n", &noop),
        (Ok(()), "A1 NOOP\r\n".to_owned())
    );
    for (said, why) in [
        ("A2 OK done\r\n", "an answer to no command"),
        (
            "A1 NO [overquota] full \u{1b}[2J\r\n",
            "NO [OVERQUOTA] full",
        ),
        ("A1 BAD what\r\n", "BAD what"),
        ("* BYE going down\r\n", "closed the connection: going down"),
        ("+ more\r\n", "a wish for more"),
        ("", "closed the connection"),
    ] {
        let (done, _) = run(said, &noop);
        assert!(
            done.as_ref().is_err_and(|error| error.contains(why)),
            "{said}: {done:?}"
        );
    }
}

#[test]
fn a_text_that_cannot_be_quoted_goes_as_a_literal_once_the_server_asks_for_it() {
    let parts = [
        Part::Words("LOGIN "),
        Part::Text("a\"b"),
        Part::Words(" "),
        Part::Text("ä"),
    ];
    let (done, heard) = run("* OK wait\r\n+ go\r\nA1 OK in\r\n", &parts);
    assert_eq!(done, Ok(()));
    assert_eq!(heard, "A1 LOGIN \"a\\\"b\" {2}\r\nä\r\n");
    let (done, heard) = run("A1 NO never\r\n", &parts);
    assert!(done.is_err());
    assert!(!heard.contains('ä'), "{heard}");
}

#[test]
fn a_login_asks_for_so_many_lines_and_no_more() {
    let mut connection = Connection::over(script("+ \r\n".repeat(50), 100));
    let done = connection.converse(&[Part::Words("AUTHENTICATE PLAIN")], |_| String::new());
    assert!(done.is_err());
    assert!(connection.heard().lines().count() < 20);
}

#[test]
fn news_between_two_commands_are_not_forgotten() {
    let said = "* OK [UIDVALIDITY 7] x\r\n* 3 EXISTS\r\nA1 OK [READ-ONLY] x\r\n* 4 EXISTS\r\nA2 OK x\r\n* 1 EXPUNGE\r\n* 3 EXISTS\r\nA3 OK x\r\n";
    let mut connection = Connection::over(script(said, 100));
    let selected = connection.select("INBOX", false).unwrap();
    assert_eq!(
        (selected.uid_validity, selected.is_read_only),
        (Some(7), true)
    );
    assert!(!connection.take_news());
    connection.look().unwrap();
    assert!(connection.take_news());
    connection.look().unwrap();
    assert!(!connection.take_news());
}

impl Connection<Script> {
    /// Returns what the server was told.
    fn heard(self) -> String {
        String::from_utf8(self.into_inner().heard).unwrap()
    }
}

/// A server that says these lines over and over.
struct Endless {
    lines: Vec<u8>,
    at: usize,
    said: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.lines[self.at..];
        let size = rest.len().min(buffer.len());
        buffer[..size].copy_from_slice(&rest[..size]);
        self.at = (self.at + size) % self.lines.len();
        self.said += size;
        Ok(size)
    }
}

impl Write for Endless {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Endless {
    fn set_deadline(&mut self, _: Instant) {}
}

/// Each response costs some work, however short it is.
#[test]
fn a_command_has_no_more_responses_than_the_limit() {
    for (count, is_within) in [
        (limits::IMAP_RESPONSES - 1, true),
        (limits::IMAP_RESPONSES, false),
    ] {
        let said = "* OK\r\n".repeat(count) + "A1 OK done\r\n";
        let mut connection = Connection::over(script(said, 1 << 14));
        let run = connection.run(&[Part::Words("NOOP")], 0, |_| Ok(()));
        assert_eq!(run.is_ok(), is_within, "{count}");
        if let Err(error) = run {
            let error = error.to_string();
            assert!(error.contains("more responses to one command"), "{error}");
        }
    }
}

/// A server of endless short lines kept a core busy for half an hour, before the login, too.
#[test]
fn a_server_that_never_ends_an_answer_is_left() {
    let mut rng = fastrand::Rng::with_seed(25);
    for round in 0..24 {
        let mut lines = Vec::new();
        // From short lines alone to long ones and literals.
        let longest = 8 << (round % 13);
        while lines.len() < 4 * longest {
            let words = "x".repeat(rng.usize(..longest));
            let line = match rng.usize(..9) {
                0 => "* OK\r\n".to_owned(),
                1 => format!("* OK {words}\r\n"),
                2 => "* 1 EXISTS\r\n".to_owned(),
                3 => "* 1 EXPUNGE\r\n".to_owned(),
                4 => "* CAPABILITY IMAP4rev1\r\n".to_owned(),
                5 => format!("* LIST () \"/\" {{{}}}\r\n{words}\r\n", words.len()),
                6 => format!("* {words}\r\n"),
                7 => "* SEARCH 1 2 3\r\n".to_owned(),
                _ => format!("* 1 FETCH (UID 1 FLAGS (\\Seen) {words})\r\n"),
            };
            lines.extend(line.into_bytes());
        }
        let (at, said) = (0, 0);
        let mut connection = Connection::over(Endless { lines, at, said });
        let failed = match round % 4 {
            0 => connection.read_capabilities().err(),
            1 => connection.idle(std::time::Duration::from_hours(9)).err(),
            2 => connection.above(1).err(),
            _ => connection
                .run(&[Part::Words("NOOP")], longest, |_| Ok(()))
                .err(),
        };
        let said = connection.into_inner().said;
        assert!(
            failed.is_some() && said <= limits::IMAP_BYTES + (1 << 20),
            "{said}"
        );
    }
}

#[test]
fn names_of_folders_are_read_back() {
    for name in ["INBOX", "A & B", "Entwürfe", "垃圾邮件", "a\u{1F600}-b", ""] {
        assert_eq!(folder_name(folder(name).as_bytes()), name);
    }
    for wrong in ["&", "a&b", "&!-"] {
        assert_eq!(folder_name(wrong.as_bytes()), wrong);
    }
}

#[test]
fn names_of_folders_are_encoded_as_the_rfc_shows() {
    for (name, encoded) in [
        ("INBOX", "INBOX"),
        ("A & B", "A &- B"),
        ("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"),
        ("Gäste", "G&AOQ-ste"),
        ("♟😀", "&Jl,YPd4A-"),
    ] {
        assert_eq!(folder(name), encoded);
    }
}

#[test]
fn texts_sets_and_days_are_written_as_commands_take_them() {
    assert_eq!(quoted("a \"b\" \\").unwrap(), r#""a \"b\" \\""#);
    assert_eq!(quoted("ä"), None);
    assert_eq!(quoted("a\r\nb"), None);
    assert_eq!(set(&[]), "");
    assert_eq!(set(&[1, 2, 3, 5, 7, 8, u32::MAX]), "1:3,5,7:8,4294967295");
    assert_eq!(day("2026-11-02".parse().unwrap()), "2-Nov-2026");
}
