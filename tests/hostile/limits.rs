//! Every limit: what goes beyond it is refused by name, changes nothing, and holds nobody else up.

use std::fs;
use std::path::Path;

use parapost::inbound::incoming_message;
use parapost::mail::message::ParseMessageError;

use parapost::mail::limits::{self, Excess};

use super::{FROM, session};

/// What is refused, a message that goes beyond that limit by one, and one that just keeps to it.
type Edge = (Excess, Vec<u8>, Vec<u8>);

/// The edge of a limit, by what makes a message that comes to so much.
fn edge(excess: Excess, make: &dyn Fn(usize) -> String, most: usize) -> Edge {
    let [beyond, within] = [most + 1, most].map(|count| make(count).into_bytes());
    (excess, beyond, within)
}

fn edges() -> Vec<Edge> {
    let mut edges = edges_of_messages();
    edges.extend(edges_of_html());
    edges
}

fn edges_of_messages() -> Vec<Edge> {
    let body = |text: &str| format!("{FROM}\nn>g5\n\n{text}");
    let head = |fields: &str| format!("{FROM}{fields}\nn>g5\n");
    let taken = FROM.lines().count();
    vec![
        // One of just that length is another test's: reading it takes a while.
        (
            Excess::Message,
            body(&"a".repeat(limits::MESSAGE - body("").len() + 1)).into_bytes(),
            body("").into_bytes(),
        ),
        edge(
            Excess::Header,
            &|n| {
                let line = format!("X-A: {}\n", "a".repeat(1000));
                let lines = line.repeat((n - FROM.len() - 1) / line.len());
                let rest = n - FROM.len() - 1 - lines.len();
                // A field cannot be shorter than "a:\n"; the last one is a folded line instead.
                head(&(lines + " " + &"a".repeat(rest - 2) + "\n"))
            },
            limits::HEADER,
        ),
        edge(Excess::Fields, &|n| head(&"X-A: a\n".repeat(n - taken)), limits::FIELDS),
        edge(
            Excess::HeaderLine,
            &|n| head(&format!("X-A: {}\n", "a".repeat(n - 6))),
            limits::HEADER_LINE,
        ),
        edge(
            Excess::EncodedWords,
            &|n| head(&format!("X-A:{}\n", "\n =?utf-8?q?a?=".repeat(n))),
            limits::ENCODED_WORDS,
        ),
        edge(
            Excess::ContentField,
            &|n| {
                let start = "Content-Type: text/plain; name=";
                head(&format!("{start}{}\n", "a".repeat(n - start.len() - 1)))
            },
            limits::CONTENT_FIELD,
        ),
        edge(
            Excess::Parts,
            // The message itself is one, and its end looks like another.
            &|n| {
                let parts = "--x\n\nn>g5\n".repeat(n - 2);
                format!("{FROM}Content-Type: multipart/mixed; boundary=x\n\n{parts}--x--\n")
            },
            limits::PARTS,
        ),
        edge(
            Excess::Containers,
            &|n| {
                let inner = "Content-Type: message/rfc822\n\n".repeat(n - 1);
                format!("{FROM}Content-Type: multipart/mixed; boundary=x\n\n--x\n\nn>g5\n--x\n{inner}\n--x--\n")
            },
            limits::CONTAINERS,
        ),
        (
            Excess::EncodedMessage,
            format!("{FROM}Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogeAoKeAo=\n").into_bytes(),
            format!("{FROM}Content-Type: message/rfc822\n\nSubject: x\n\nx\n").into_bytes(),
        ),
        edge(
            Excess::Cites,
            &|n| {
                let ids: Vec<String> = (0..n).map(|i| format!("<{i}@b.test>")).collect();
                head(&format!("References: {}\n", ids.join("\n ")))
            },
            limits::CITES,
        ),
        edge(
            Excess::Text,
            &|n| {
                let line = "a".repeat(99) + "\n";
                let text = line.repeat((n - "n>g5\n\n".len()) / 100);
                let rest = n - "n>g5\n\n".len() - text.len();
                body(&(text + &"a".repeat(rest)))
            },
            limits::TEXT,
        ),
        edge(Excess::Lines, &|n| body(&"\n".repeat(n - 2)), limits::LINES),
    ]
}

fn edges_of_html() -> Vec<Edge> {
    let html = |text: &str| format!("{FROM}Content-Type: text/html\n\n<p>n&gt;g5</p>{text}");
    vec![
        edge(
            Excess::Html,
            &|n| {
                html(&format!(
                    "<!--{}-->",
                    "a".repeat(n - "<p>n&gt;g5</p><!---->".len())
                ))
            },
            limits::HTML,
        ),
        edge(
            Excess::HtmlDepth,
            &|n| html(&format!("{}{}", "<div>".repeat(n), "</div>".repeat(n))),
            limits::HTML_DEPTH,
        ),
        edge(
            Excess::HtmlNodes,
            &|n| html(&"<b>a</b>".repeat(n - 1)),
            limits::HTML_NODES,
        ),
        edge(
            Excess::HtmlTables,
            // The row and its cell begin a line each.
            &|n| {
                let lines = 5 << 10;
                let cell = "a".repeat(n.div_ceil(lines)) + &"<br>".repeat(lines - 2);
                html(&format!("<table><tr><td>{cell}</td></tr></table>"))
            },
            limits::HTML_TABLES,
        ),
    ]
}

#[test]
#[ignore = "takes long"]
fn each_limit_stands_where_it_is_said_to() {
    for (excess, beyond, within) in edges() {
        let found = match incoming_message::read(&beyond) {
            Err(ParseMessageError::Excess(found)) => Some(found),
            Err(ParseMessageError::NoHeader) => None,
            Ok(letter) => {
                assert_eq!(letter.text, "", "{excess}");
                letter.unread
            }
        };
        assert_eq!(found, Some(excess));
        let letter =
            incoming_message::read(&within).unwrap_or_else(|error| panic!("{excess:?}: {error}"));
        assert_eq!(letter.unread, None, "{excess:?}");
        if excess != Excess::EncodedMessage {
            assert!(
                letter.text.starts_with("n>g5"),
                "{excess:?}: {:?}",
                letter.text.get(..40)
            );
        }
    }
}

/// The text of a letter of empty lines alone was counted twice.
#[test]
fn empty_lines_are_counted_once() {
    let letter = format!("{FROM}\n{}", "\n".repeat(limits::LINES));
    let letter = incoming_message::read(letter.as_bytes()).expect("a message");
    assert_eq!(letter.unread, None);
}

#[test]
fn a_batch_goes_on_behind_what_is_too_much() {
    let edges = edges();
    let session = session().dir("mail");
    for (i, (_, beyond, _)) in edges.iter().enumerate() {
        session.write(format!("mail/{}", i + 1), beyond);
    }
    let last = format!("{FROM}Message-ID: <last@ben.test>\n\nn>g5\n");
    session.write(format!("mail/{}", edges.len() + 1), last);
    let before = session.read("games/one.txt");
    let run = session
        .parapost(["receive", "--dry-run", "mail"])
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    assert_eq!(session.read("games/one.txt"), before);
    let words: Vec<&str> = run
        .stdout
        .lines()
        .filter_map(|line| line.split('\t').nth(2))
        .collect();
    assert_eq!(words.len(), edges.len() + 1, "{}", run.stdout);
    assert_eq!(words.last(), Some(&"accepted"), "{}", run.stderr);
    for ((excess, ..), (word, said)) in edges.iter().zip(words.iter().zip(run.stderr.lines())) {
        assert_eq!(*word, "refused", "{excess}");
        assert!(said.contains(&excess.to_string()), "{excess}: {said}");
    }
}

#[test]
fn the_manual_says_what_the_program_does() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/limits.md");
    let page = fs::read_to_string(page).unwrap();
    let table: Vec<String> = page
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains("`refused`"))
        .map(|line| line.split('|').nth(2).unwrap_or_default().trim().to_owned())
        .collect();
    let kib = |bytes: usize| format!("{} KiB", bytes >> 10);
    assert_eq!(
        table,
        [
            format!("{} MiB", limits::MESSAGE >> 20),
            kib(limits::HEADER),
            limits::FIELDS.to_string(),
            kib(limits::HEADER_LINE),
            limits::ENCODED_WORDS.to_string(),
            kib(limits::CONTENT_FIELD),
            limits::PARTS.to_string(),
            limits::CONTAINERS.to_string(),
            "none".to_owned(),
            limits::CITES.to_string(),
            kib(limits::TEXT),
            limits::LINES.to_string(),
            kib(limits::HTML),
            limits::HTML_DEPTH.to_string(),
            limits::HTML_NODES.to_string(),
            format!("{} MiB", limits::HTML_TABLES >> 20),
        ]
    );
}
