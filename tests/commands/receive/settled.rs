//! Whatever the program asks, the answer that the question asks for settles it, in each habit of mail
//! programs and gateways.

use super::asked_once::{HEAD, Mail, letter, referee};
use super::{Sandbox, config, events, log, mails, receive, session};

/// Puts what somebody writes where a program or a gateway leaves it.
type Habit = fn(&Mail, &str) -> String;

fn quoted(mail: &Mail) -> String {
    let lines = mail.text.lines().map(|line| format!("> {line}\n"));
    lines.collect()
}

fn marked(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
    lines.join("\n") + "\n"
}

const ATTRIBUTION: &str = "On Friday, 20 November 2026, Ref <ref@example.org> wrote:";

/// Writes HTML in this style above a quotation.
fn in_html(style: &str, mail: &Mail, words: &str) -> String {
    let words = words.replace('>', "&gt;").replace('\n', "<br>");
    format!(
        "<html><body><div style=\"{style}\">{words}</div><br><blockquote type=\"cite\"><div>{}</div>{}</blockquote></body></html>",
        ATTRIBUTION.replace('<', "&lt;"),
        mail.html
    )
}

/// A notice of a gateway's, wrapped, and a rule above and below it.
const NOTICE: &str = "CAUTION: This message comes from outside the company. Do not click links in it\nunless you know the sender.";
const RULE: &str = "________________________________\n";

const HABITS: &[(&str, Habit)] = &[
    ("alone", |_, words| format!("{words}\n")),
    ("above a quotation", |mail, words| {
        format!("{words}\n\n{ATTRIBUTION}\n{}", quoted(mail))
    }),
    ("above a header block", |mail, words| {
        format!("{words}\n\n{HEAD}{}", mail.text)
    }),
    ("with a greeting, a closing and a signature", |_, words| {
        format!("Hello,\n\n{words}\n\nBest regards,\nBen\n-- \nBen, 5 Long Lane\n")
    }),
    ("in HTML alone", |mail, words| in_html("", mail, words)),
    ("below a warning, two fields and a rule", |mail, words| {
        format!(
            "Warning: this message is from outside.\nSender: ben@example.org\nSubject: {}\n--------------------\n\n{words}\n\n{ATTRIBUTION}\n{}",
            mail.subject,
            quoted(mail)
        )
    }),
    ("below a header block with Ben's name", |mail, words| {
        format!(
            "From: Ben <ben@example.org>\nSent: Friday, November 20, 2026 9:00 AM\nTo: Ref\nSubject: Re: {}\n\n{words}\n\n{}",
            mail.subject,
            quoted(mail)
        )
    }),
];

/// Habits of gateways that put a notice between rules above each letter. A letter in which no move is
/// read is no question yet.
const FRAMED: &[(&str, Habit)] = &[
    (
        "below a notice of two lines between rules",
        |mail, words| {
            format!(
                "{RULE}{NOTICE}\n{RULE}\n{words}\n\n{ATTRIBUTION}\n{}",
                quoted(mail)
            )
        },
    ),
    ("directly below a notice between rules", |mail, words| {
        format!(
            "{RULE}{NOTICE}\n{RULE}{words}\n\n{ATTRIBUTION}\n{}",
            quoted(mail)
        )
    }),
    ("below a notice between rules of HTML", |mail, words| {
        let html = in_html("", mail, words);
        html.replacen("<div ", &format!("<hr><p>{NOTICE}</p><hr><div "), 1)
    }),
];

/// A habit of moves alone.
const CITED: &[(&str, Habit)] = &[
    ("all words in a cite block", |mail, words| {
        let words = words.replace('>', "&gt;");
        format!(
            "<html><body><blockquote type=\"cite\"><div>{words}</div><br><div>{}</div><blockquote type=\"cite\">{}</blockquote></blockquote></body></html>",
            ATTRIBUTION.replace('<', "&lt;"),
            mail.html
        )
    }),
    ("words behind marks, and nothing else", |_, words| {
        marked(words)
    }),
    ("words behind marks above a quotation", |mail, words| {
        format!("{}\n{ATTRIBUTION}\n{}", marked(words), quoted(mail))
    }),
];

/// A habit that leaves what is written in doubt.
const DOUBTFUL: &[(&str, Habit)] = &[
    ("in a colour that may be unseen", |mail, words| {
        in_html("color: white", mail, words)
    }),
    ("as text beside HTML that quotes it", |mail, words| {
        let html = words.replace('>', "&gt;").replace('\n', "<br>");
        format!(
            "--x\nContent-Type: text/plain\n\n{words}\n\n{ATTRIBUTION}\n{}--x\nContent-Type: text/html\n\n\
             <blockquote type=cite>{html}</blockquote><div>{}</div><blockquote type=cite>{}</blockquote>\n--x--\n",
            quoted(mail),
            ATTRIBUTION.replace('<', "&lt;"),
            mail.html
        )
    }),
];

/// A question: what Ben writes, the lines of which it asks for one, and the event of each.
struct Question {
    name: &'static str,
    scene: fn() -> (Sandbox, Mail),
    first: &'static str,
    answers: &'static [(&'static str, &'static str)],
}

/// A match in which Ben has not moved yet.
fn invited() -> (Sandbox, Mail) {
    let config = config("ref", "referee").replace("html = false", "html = true");
    let session = session("ref", "referee").file("config.toml", config);
    let names = [
        "--white",
        "Anna <anna@example.org>",
        "--black",
        "Ben <ben@example.org>",
    ];
    let words = ["new", "--game", "unachess", "--id", "m"]
        .iter()
        .chain(&names);
    session.parapost(words).stdout("m\n").any_stderr().run();
    let first = super::letter("Anna <anna@example.org>", "Re: [m]", "P>e3\n");
    let output = receive(&session, &["--print"], &first, "m", "accepted").run();
    let mail = Mail::to_ben(&output.stdout);
    (session, mail)
}

/// A match in which Ben answers an older mail.
fn late() -> (Sandbox, Mail) {
    let (session, old) = referee();
    let move_of_ben = letter(&old, "p>e6\n");
    receive(&session, &["--print"], &move_of_ben, "m", "accepted").run();
    let next = super::letter("Anna <anna@example.org>", "Re: [m]", "3. P>d3\n");
    receive(&session, &["--print"], &next, "m", "accepted").run();
    (session, old)
}

const QUESTIONS: &[Question] = &[
    Question {
        name: "a move in prose",
        scene: referee,
        first: "I would take p>e6 here, I think.",
        answers: &[
            ("2... p>e6", "move Black p>e6"),
            ("p>e6", "move Black p>e6"),
        ],
    },
    Question {
        name: "a move with two readings",
        scene: referee,
        first: "n e6",
        answers: &[
            ("2... n>e6", "move Black n>e6"),
            ("2... n-e6", "move Black n-e6"),
        ],
    },
    Question {
        name: "a move whose sign was changed",
        scene: referee,
        first: "p&amp;gt;e6",
        answers: &[("p>e6", "move Black p>e6")],
    },
    Question {
        name: "two moves",
        scene: referee,
        first: "p>e6\n\np>e5",
        answers: &[("p>e5", "move Black p>e5")],
    },
    Question {
        name: "a move that cannot be played",
        scene: referee,
        first: "p>e1",
        answers: &[("p>e6", "move Black p>e6")],
    },
    Question {
        name: "a move to an older position",
        scene: late,
        first: "p>e5",
        answers: &[("3... p>e5", "move Black p>e5")],
    },
    Question {
        name: "an order to an older position",
        scene: late,
        first: "offer draw",
        answers: &[("offer draw", "offer Black")],
    },
    Question {
        name: "an order that may end a sentence",
        scene: referee,
        first: "I have lost both rooks and every pawn, and a reasonable man would now\nresign.",
        answers: &[("resign", "resign Black")],
    },
    Question {
        name: "a condition",
        scene: referee,
        first: "If you like it, then\np>e6",
        answers: &[("p>e6", "move Black p>e6")],
    },
    Question {
        name: "to resign or to decline",
        scene: invited,
        first: "resign",
        answers: &[
            ("resign match", "resign Black"),
            ("decline invitation", "invitation Black declined"),
        ],
    },
    Question {
        name: "no move",
        scene: referee,
        first: "What a nice day.",
        answers: &[("p>e6", "move Black p>e6")],
    },
];

/// Answers a mail by another letter, even with the same words. Returns that and what is printed.
fn answer(session: &Sandbox, mail: &Mail, body: &str, number: usize) -> (String, String) {
    let id = format!("Message-ID: <{number}.");
    let letter = letter(mail, body).replacen("Message-ID: <", &id, 1);
    let run = session.parapost(["receive", "--print"]).stdin(&letter);
    let printed = run.any_stdout().any_stderr().either().stdout;
    (letter, printed)
}

/// Went wrong: where a gateway or a program does the same to each letter, its writer was asked about
/// each answer again.
#[test]
#[ignore = "takes long"]
fn the_answer_that_a_question_asks_for_settles_it_in_each_habit() {
    let mut faults = Vec::new();
    let mut asked = 0;
    for question in QUESTIONS {
        for (habit_name, habit) in HABITS.iter().chain(FRAMED).chain(CITED).chain(DOUBTFUL) {
            let is_one = |of: &[(&str, Habit)]| of.iter().any(|(name, _)| name == habit_name);
            let is_cited = is_one(CITED);
            for (line, event) in question.answers {
                if is_cited && !event.starts_with("move") {
                    continue;
                }
                let (session, mail) = (question.scene)();
                let first = letter(&mail, &habit(&mail, question.first));
                let run = session.parapost(["receive", "--print"]).stdin(&first);
                let printed = run.any_stdout().any_stderr().either().stdout;
                let context = format!("{}, {habit_name}, {line}", question.name);
                if !mails(&printed)
                    .iter()
                    .any(|mail| super::header(mail, "To:").contains("ben"))
                {
                    faults.push(format!("{context}: no answer to the first\n{first}"));
                    continue;
                }
                asked += 1;
                let done = events(&session, 0);
                if done.iter().any(|found| found.starts_with(event)) {
                    continue;
                }
                let from = log(&session, "m").len();
                let told = Mail::to_ben(&printed);
                let (second, answered) = answer(&session, &told, &habit(&told, line), 2);
                // A question that shows no line is followed by one that does.
                if !is_one(HABITS) && !told.text.contains(&format!("{line}\n")) {
                    let told = Mail::to_ben(&answered);
                    answer(&session, &told, &habit(&told, line), 3);
                }
                let found = events(&session, from);
                if !found.iter().any(|found| found.starts_with(event)) {
                    faults.push(format!("{context}: {found:?}\n{first}\n{second}"));
                }
            }
        }
    }
    let names: Vec<&str> = faults
        .iter()
        .map(|fault| fault.lines().next().unwrap())
        .collect();
    assert!(faults.is_empty(), "{}\n\n{}", names.join("\n"), faults[0]);
    assert!(asked > 100, "{asked}");
}
