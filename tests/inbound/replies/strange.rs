//! Ways of quoting that no list of mail programs has: attributions in languages not
//! known here, made-up separators and marks, or nothing at all.

use super::Reply;
use super::quoting::{Message, Quoting};

pub(crate) const STRANGE: &[(&str, Quoting)] = &[
    ("nothing at all", |reply, _| below(reply, "")),
    ("Welsh", |reply, _| {
        below(
            reply,
            "Ar 20 Tach 2026, ysgrifennodd Anna White <anna@example.org>:\n",
        )
    }),
    ("Basque", |reply, _| {
        below(reply, "Anna White-k idatzi zuen (2026-11-20 03:00):\n")
    }),
    ("Swahili", |reply, _| {
        below(
            reply,
            "Mnamo tarehe 20 Novemba 2026 Anna <anna@example.org> aliandika\n",
        )
    }),
    ("Vietnamese", |reply, _| {
        below(
            reply,
            "Vào Th 6, 20 thg 11, 2026 vào lúc 03:00 Anna <anna@example.org> đã viết:\n",
        )
    }),
    ("Hebrew", |reply, _| {
        below(
            reply,
            "בתאריך יום ו׳, 20 בנוב׳ 2026 ב-3:00 מאת Anna <anna@example.org>:\n",
        )
    }),
    ("Arabic", |reply, _| {
        below(
            reply,
            "في الجمعة، 20 نوفمبر 2026 في 3:00 ص تمت كتابة ما يلي بواسطة Anna <anna@example.org>:\n",
        )
    }),
    ("Thai", |reply, _| {
        below(
            reply,
            "เมื่อ 20 พ.ย. 2026 03:00 Anna <anna@example.org> เขียนว่า:\n",
        )
    }),
    ("Georgian", |reply, _| {
        below(
            reply,
            "პარ, 20 ნოე. 2026, 03:00 — Anna <anna@example.org>-მ დაწერა:\n",
        )
    }),
    ("date and address", |reply, _| {
        below(reply, "2026/11/20 Anna White <anna@example.org>\n")
    }),
    ("address first", |reply, _| {
        below(reply, "<anna@example.org> 20.11.26\n")
    }),
    ("between dashes", |reply, _| {
        below(
            reply,
            "---- Xyzzy 20 Nov 2026 Anna White frobnicated ----\n",
        )
    }),
    ("over five lines", |reply, _| {
        below(
            reply,
            "Xyzzy\nFri, 20 Nov 2026 03:00:00\n\nAnna White\n<anna@example.org> 2026:\n",
        )
    }),
    ("unknown fields", |reply, _| {
        below(
            reply,
            "Frobnicator: Anna White <anna@example.org>\nXyzzied: Friday, 20 November 2026\nPlugh: hello\n",
        )
    }),
    ("two unknown fields", |reply, _| {
        below(reply, "Xyzzied :jeudi 20\nFrobnicator :Anna White\n")
    }),
    ("a rule", |reply, _| below(reply, "-----\n")),
    ("stars", |reply, _| below(reply, "*****\n")),
    ("a line of equals signs", |reply, _| {
        below(reply, "==========\n")
    }),
    ("a worded rule", |reply, _| {
        below(reply, "<<<<< xyzzy >>>>>\n")
    }),
    ("quoted below a bullet", |reply, _| marked(reply, "* ")),
    ("percent signs", |reply, _| marked(reply, "% ")),
    ("braces", |reply, _| marked(reply, "} ")),
    ("guillemets", |reply, _| marked(reply, "» ")),
    ("box drawing", |reply, _| marked(reply, "│ ")),
    ("a blank", |reply, _| marked(reply, " ")),
    ("four blanks", |reply, _| marked(reply, "    ")),
    ("one paragraph", |reply, _| {
        let mail = reply.mail.split_whitespace().collect::<Vec<_>>().join(" ");
        stacked(reply, &mail)
    }),
    ("wrapped narrowly", |reply, rng| {
        let width = rng.usize(20..60);
        stacked(reply, &rewrapped(&reply.mail, width))
    }),
    ("without the marks of the carried words", |reply, _| {
        let line = |line: &str| line.strip_prefix("> ").unwrap_or(line).to_owned() + "\n";
        stacked(reply, &reply.mail.lines().map(line).collect::<String>())
    }),
    (
        "wrapped, without the marks of the carried words",
        |reply, rng| {
            let line = |line: &str| line.strip_prefix("> ").unwrap_or(line).to_owned() + "\n";
            let mail: String = reply.mail.lines().map(line).collect();
            stacked(reply, &rewrapped(&mail, rng.usize(24..70)))
        },
    ),
    ("html, cells", |reply, _| {
        let row = |line: &str| format!("<tr><td>{}</td></tr>", escaped(line));
        let rows: String = reply.mail.lines().map(row).collect();
        html(reply, &format!("<table>{rows}</table>"))
    }),
    ("html, bordered", |reply, _| {
        html(
            reply,
            &format!(
                "<div style=\"border-left:1px solid\">{}</div>",
                broken(&reply.mail)
            ),
        )
    }),
    ("html, below a rule", |reply, _| {
        html(reply, &format!("<hr>{}", broken(&reply.mail)))
    }),
    ("html, preformatted alone", |reply, _| {
        html(reply, &format!("<pre>{}</pre>", escaped(&reply.mail)))
    }),
];

fn stacked(reply: &Reply, mail: &str) -> Message {
    Message::plain(format!("{}\n{mail}\n{}", reply.above, reply.below))
}

fn below(reply: &Reply, head: &str) -> Message {
    stacked(reply, &format!("{head}\n{}", reply.mail))
}

fn marked(reply: &Reply, mark: &str) -> Message {
    let mail: String = each(&reply.mail, |line| format!("{mark}{line}\n"));
    stacked(reply, &mail)
}

fn rewrapped(text: &str, width: usize) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let mut length = 0;
        for word in line.split(' ') {
            if length > 0 && length + word.len() > width {
                lines.push('\n');
                length = 0;
            }
            lines.push_str(word);
            lines.push(' ');
            length += word.len() + 1;
        }
        lines.push('\n');
    }
    lines
}

fn html(reply: &Reply, mail: &str) -> Message {
    Message::html(format!(
        "<html><body><div>{}</div>{mail}<div>{}</div></body></html>",
        broken(&reply.above),
        broken(&reply.below)
    ))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn broken(text: &str) -> String {
    text.lines().map(|line| escaped(line) + "<br>\n").collect()
}

/// Changes each line of a text.
fn each(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(change).collect()
}
