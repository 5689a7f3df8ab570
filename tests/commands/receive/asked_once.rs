//! A player is through after one question, in each habit of quoting.

use mail_parser::MessageParser;

use super::{Sandbox, begin, ben, config, events, log, mails, receive, session};

/// A mail of ours to Ben.
pub(super) struct Mail {
    pub(super) id: String,
    pub(super) subject: String,
    pub(super) text: String,
    /// What stands in the body of the HTML.
    pub(super) html: String,
}

impl Mail {
    pub(super) fn to_ben(stdout: &str) -> Mail {
        let mails = mails(stdout);
        let mail = mails
            .iter()
            .find(|mail| super::header(mail, "To:").contains("ben"))
            .expect("a mail to Ben");
        let (_, mail) = mail.split_once('\n').unwrap();
        let mail = MessageParser::new().parse(mail).unwrap();
        let html = mail.body_html(0).unwrap();
        let (_, body) = html.split_once("<body").unwrap();
        let (_, body) = body.split_once('>').unwrap();
        let (body, _) = body.rsplit_once("</body>").unwrap();
        Mail {
            id: format!("<{}>", mail.message_id().unwrap()),
            subject: mail.subject().unwrap().to_owned(),
            text: mail.body_text(0).unwrap().replace("\r\n", "\n"),
            html: body.to_owned(),
        }
    }

    /// The text with these words below the line that explains how to answer.
    fn between(&self, words: &str, mark: &str) -> String {
        let line = |line: &str| format!("{mark}{line}\n");
        let how = self.text.find("Alone on a line").unwrap();
        let end = self.text[how..].find('\n').unwrap();
        let (upper, lower) = self.text.split_at(how + end + 1);
        let quoted = |text: &str| text.lines().map(line).collect::<String>();
        quoted(upper) + words + &quoted(lower)
    }
}

pub(super) const HEAD: &str = "From: Ref <ref@example.org>\nSent: Friday, November 20, 2026 3:00 AM\nTo: Ben\nSubject: hello\n\n";

const HEAD_IN_HTML: &str = "<hr><div id=\"divRplyFwdMsg\"><b>From:</b> Ref &lt;ref@example.org&gt;<br><b>Sent:</b> Friday, November 20, 2026 3:00 AM<br><b>To:</b> Ben<br><b>Subject:</b> hello</div>";

/// Writes an order where a program lets its user write it. HTML begins with `<`.
type Habit = fn(&Mail, &str) -> String;

/// The words in HTML.
fn escaped(words: &str) -> String {
    words.replace('>', "&gt;")
}

/// The habits whose orders are carried out at once.
const PLAIN: &[(&str, Habit)] = &[
    ("below, in Outlook's HTML", |mail, order| {
        format!(
            "<html><body>{HEAD_IN_HTML}<div>{}</div><div>{}</div></body></html>",
            mail.html,
            escaped(order)
        )
    }),
    ("below, in Yahoo's HTML", |mail, order| {
        format!(
            "<html><body><div class=\"yahoo_quoted\"><div>On Friday, November 20, 2026 at 03:00:00 AM GMT, Ref &lt;ref@example.org&gt; wrote:</div><div>{}</div></div><br><div>{}</div></body></html>",
            mail.html,
            escaped(order)
        )
    }),
    ("below, in Zoho's HTML", |mail, order| {
        format!(
            "<html><body><div class=\"zmail_extra\"><br>---- On Fri, 20 Nov 2026 03:00:00 +0000 <b>Ref &lt;ref@example.org&gt;</b> wrote ---<br><br><blockquote style=\"margin:0\">{}</blockquote></div><br><div>{}</div></body></html>",
            mail.html,
            escaped(order)
        )
    }),
    ("between, below a header block", |mail, order| {
        HEAD.to_owned() + &mail.between(&format!("\n{order}\n\n"), "")
    }),
    ("between, below an attribution", |mail, order| {
        format!(
            "Ref <ref@example.org> writes:\n\n{}",
            mail.between(&format!("\n{order}\n\n"), "")
        )
    }),
    (
        "between, below an attribution over two lines",
        |mail, order| {
            format!(
                "On Friday, 20 November 2026,\nRef <ref@example.org> wrote:\n\n{}",
                mail.between(&format!("\n{order}\n\n"), "")
            )
        },
    ),
    ("between marks, below a separator", |mail, order| {
        format!(
            "-------- Original Message --------\nOn Friday, November 20th, 2026 at 3:00 AM, Ref <ref@example.org> wrote:\n\n{}",
            mail.between(&format!("\n{order}\n\n"), "> ")
        )
    }),
    ("between marks, below dashes", |mail, order| {
        format!(
            "---- On Fri, 20 Nov 2026 03:00:00 +0000 Ref <ref@example.org> wrote ----\n\n{}",
            mail.between(&format!("\n{order}\n\n"), "> ")
        )
    }),
    ("between marks, below a header block", |mail, order| {
        HEAD.to_owned() + &mail.between(&format!("\n{order}\n\n"), "> ")
    }),
    ("between marks, below an empty line", |mail, order| {
        mail.between(&format!("> \n{order}\n"), "> ")
    }),
    ("below, with the head of Notes", |mail, order| {
        format!(
            "Ref <ref@example.org>\n20.11.2026 03:00\n\nTo\nBen <ben@example.org>\ncc\n\nSubject\nhello\n\n{}\n\n{order}\n",
            mail.text
        )
    }),
];

/// The habits whose orders are asked about, since they may be quoted.
const DOUBTFUL: &[(&str, Habit)] = &[
    ("behind marks", |mail, order| {
        mail.between(&format!("> {order}\n"), "> ")
    }),
    ("in a block quote", |mail, order| {
        format!(
            "<html><body><div>On Fri, Nov 20, 2026 at 3:00 AM Ref &lt;ref@example.org&gt; wrote:</div><blockquote type=\"cite\">{}<br><div>{}</div></blockquote></body></html>",
            mail.html,
            escaped(order)
        )
    }),
    (
        "in a block quote below an attribution in it",
        |mail, order| {
            format!(
                "<html><body><blockquote type=\"cite\"><div>On 20 Nov 2026, at 03:00, Ref &lt;ref@example.org&gt; wrote:</div><br><div>{}<div>{}</div></div></blockquote></body></html>",
                mail.html,
                escaped(order)
            )
        },
    ),
];

/// The referee of a match, in which Ben is to move, and our mail to him.
pub(super) fn referee() -> (Sandbox, Mail) {
    let config = config("ref", "referee").replace("html = false", "html = true");
    let session = session("ref", "referee").file("config.toml", config);
    begin(&session, "m", "P>e3 n>g5");
    let first = super::letter("Anna <anna@example.org>", "Re: [m]", "N>d4\n");
    let output = receive(&session, &["--print"], &first, "m", "accepted").run();
    let mail = Mail::to_ben(&output.stdout);
    (session, mail)
}

pub(super) fn letter(mail: &Mail, body: &str) -> String {
    let kind = match body.get(..1) {
        Some("<") => "text/html; charset=utf-8",
        _ if body.starts_with("--x\n") => "multipart/alternative; boundary=x",
        _ => "text/plain; charset=utf-8",
    };
    let head = format!(
        "\nIn-Reply-To: {}\nMIME-Version: 1.0\nContent-Type: {kind}\n\n",
        mail.id
    );
    ben(body).replacen("\n\n", &head, 1).replacen(
        "Re: [m] Unachess: 1. P>e3",
        &format!("Re: {}", mail.subject),
        1,
    )
}

/// The orders, the event that each makes, and the line that a question about it asks for.
const ORDERS: [(&str, &str, &str); 3] = [
    ("p>e6", "move Black p>e6", "2... p>e6"),
    ("resign", "resign Black", "resign"),
    ("offer draw", "offer Black", "offer draw"),
];

#[test]
#[ignore = "takes long"]
fn what_is_written_between_or_below_is_done_at_once() {
    for (name, habit) in PLAIN {
        for (order, event, _) in ORDERS {
            let (session, mail) = referee();
            let from = log(&session, "m").len();
            let letter = letter(&mail, &habit(&mail, order));
            let run = session.parapost(["receive", "--print"]).stdin(&letter);
            run.any_stdout().any_stderr().either();
            let found = events(&session, from);
            let is_done = |found: &String| found.starts_with(event);
            assert!(found.iter().any(is_done), "{name}: {found:?}\n{letter}");
            // No line of the quotation goes to the opponent.
            let is_note = |found: &String| found.starts_with("note");
            assert!(!found.iter().any(is_note), "{name}: {found:?}");
        }
    }
}

/// Went wrong: an order behind the marks of our own mail was not even named.
#[test]
#[ignore = "takes long"]
fn what_is_written_behind_marks_is_asked_about_once() {
    for (name, habit) in DOUBTFUL {
        for (order, event, line) in ORDERS {
            let (session, mail) = referee();
            let word = if order == "p>e6" {
                "confirm"
            } else {
                "refused"
            };
            let first = letter(&mail, &habit(&mail, order));
            let output = receive(&session, &["--print"], &first, "m", word).run();
            let question = Mail::to_ben(&output.stdout);
            assert!(
                question.text.contains(&format!("    {line}\n")),
                "{name}: {}",
                question.text
            );
            let from = log(&session, "m").len();
            let word = if order == "p>e6" {
                "accepted"
            } else {
                "command"
            };
            let second = letter(&question, &habit(&question, line));
            receive(&session, &["--print"], &second, "m", word).run();
            let found = events(&session, from);
            assert!(
                found.iter().any(|found| found.starts_with(event)),
                "{name}: {found:?}"
            );
        }
    }
}

/// An answer that quotes the question, and says no, says no.
#[test]
#[ignore = "takes long"]
fn a_question_that_is_quoted_is_no_answer() {
    for (name, habit) in DOUBTFUL.iter().chain(PLAIN) {
        for (order, _, _) in ORDERS.into_iter().take(2) {
            let (session, mail) = referee();
            let word = if order == "p>e6" {
                "confirm"
            } else {
                "refused"
            };
            let first = letter(&mail, &DOUBTFUL[0].1(&mail, order));
            let output = receive(&session, &["--print"], &first, "m", word).run();
            let question = Mail::to_ben(&output.stdout);
            for words in ["No, that was only a thought.", ""] {
                let from = log(&session, "m").len();
                let body = habit(&question, words);
                let second = letter(&question, &body);
                let run = ["receive", "--print"];
                session
                    .parapost(run)
                    .stdin(&second)
                    .any_stdout()
                    .any_stderr()
                    .either();
                let found = events(&session, from);
                let is_done = |event: &String| {
                    ["move", "resign", "offer"]
                        .iter()
                        .any(|what| event.starts_with(what))
                };
                assert!(!found.iter().any(is_done), "{name}: {found:?}\n{second}");
            }
        }
    }
}
