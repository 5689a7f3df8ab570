//! The ways in which mail programs quote.

use std::fmt::Write;

use fastrand::Rng;

use super::Reply;
use super::habit::Encoding;

/// Quotes the mail and puts what the sender wrote around it.
pub(crate) type Quoting = fn(&Reply, &mut Rng) -> Message;

pub(crate) const QUOTINGS: &[(&str, Quoting)] = &[
    ("> ", |reply, rng| marked(reply, "> ", rng)),
    ("> without a blank", |reply, rng| marked(reply, ">", rng)),
    ("twice", |reply, rng| marked(reply, ">> ", rng)),
    ("twice with a blank", |reply, rng| {
        marked(reply, "> > ", rng)
    }),
    ("bar", |reply, rng| marked(reply, "| ", rng)),
    ("colon", |reply, rng| marked(reply, ": ", rng)),
    ("initials", |reply, rng| marked(reply, "AW> ", rng)),
    ("initials behind a blank", |reply, rng| {
        marked(reply, " BB> ", rng)
    }),
    ("tab", |reply, rng| marked(reply, "\t", rng)),
    ("indented", indented),
    ("original message", separated),
    ("header block", headed),
    ("attributed only", attributed),
    ("flowed", flowed),
    ("supercited", |reply, rng| marked(reply, "Anna> ", rng)),
    ("html, blockquote", blockquote),
    ("html, preformatted", preformatted),
    ("html, paragraphs below a header block", paragraphs),
    ("html, attributed only", unquoted),
    ("alternative", alternative),
];

const ATTRIBUTIONS: &[&str] = &[
    "On Fri, Nov 20, 2026 at 3:00 AM Anna White <anna@example.org> wrote:",
    "On Friday, 20 November 2026 at 03:00,\nAnna White <anna@example.org> wrote:",
    "Anna White <anna@example.org> writes:",
    "Am Fr., 20. Nov. 2026 um 04:00 Uhr schrieb Anna White <anna@example.org>:",
    "Am 20.11.26 um 04:00 schrieb Anna White:",
    "Le ven. 20 nov. 2026 à 04:00, Anna White <anna@example.org> a écrit :",
    "El vie, 20 nov 2026 a las 4:00, Anna White (<anna@example.org>) escribió:",
    "Il giorno ven 20 nov 2026 alle ore 04:00 Anna White <anna@example.org> ha scritto:",
    "Op vr 20 nov 2026 om 04:00 schreef Anna White <anna@example.org>:",
    "пт, 20 нояб. 2026 г. в 06:00, Anna White <anna@example.org>:",
    "2026年11月20日(金) 12:00 Anna White <anna@example.org>:",
];

const SEPARATORS: &[&str] = &[
    "-----Original Message-----\nFrom: Anna White <anna@example.org>\nSent: Friday, November 20, 2026 3:00 AM\nTo: Ben <ben@example.org>\nSubject: hello",
    "-----Ursprüngliche Nachricht-----\nVon: Anna White <anna@example.org>\nGesendet: Freitag, 20. November 2026 04:00\nAn: Ben <ben@example.org>\nBetreff: hello",
    "-----Message d'origine-----\nDe : Anna White <anna@example.org>\nEnvoyé : vendredi 20 novembre 2026 04:00\nÀ : Ben <ben@example.org>\nObjet : hello",
    "----- Original Message -----",
    "-------- Original Message --------\nSubject: hello\nDate: Fri, 20 Nov 2026 03:00:00 +0000\nFrom: Anna White <anna@example.org>\nTo: Ben <ben@example.org>",
];

const HEADS: &[&str] = &[
    "________________________________\nFrom: Anna White <anna@example.org>\nSent: Friday, November 20, 2026 3:00 AM\nTo: Ben <ben@example.org>\nSubject: hello",
    "Von: Anna White <anna@example.org>\nGesendet: Freitag, 20. November 2026 04:00\nAn: Ben <ben@example.org>\nBetreff: hello",
    "*From:* Anna White <anna@example.org>\n*Sent:* Friday, November 20, 2026 3:00 AM\n*To:* Ben <ben@example.org>\n*Subject:* hello",
    "From: Anna White <anna@example.org>\nDate: Friday, 20 November 2026 at 03:00\nTo: Ben <ben@example.org>\nSubject: hello",
];

/// What a reply is made of behind the header.
pub(crate) struct Message {
    /// The plain text, and the parameters of its type.
    plain: Option<(String, &'static str)>,
    html: Option<String>,
}

impl Message {
    pub(crate) fn html(html: String) -> Message {
        Message {
            plain: None,
            html: Some(html),
        }
    }

    pub(crate) fn plain(text: String) -> Message {
        Message {
            plain: Some((text, "")),
            html: None,
        }
    }

    /// The plain text and the parameters of its type, and the HTML.
    pub(crate) fn parts(self) -> (Option<(String, &'static str)>, Option<String>) {
        (self.plain, self.html)
    }

    /// Changes the names in each part.
    pub(crate) fn rename(&mut self, rename: impl Fn(&str) -> String) {
        let plain = self.plain.as_mut().map(|(text, _)| text);
        for text in plain.into_iter().chain(&mut self.html) {
            *text = rename(text);
        }
    }

    /// Changes the lines of the plain text.
    pub(crate) fn change(&mut self, change: impl FnOnce(&str) -> String) {
        if let Some((text, _)) = &mut self.plain {
            *text = change(text);
        }
    }

    /// The fields that say what it is, and the body.
    pub(crate) fn entity(&self, encoding: Encoding) -> String {
        let part = |kind: &str, text: &str| {
            let (name, body) = encoding(text);
            format!("Content-Type: {kind}\nContent-Transfer-Encoding: {name}\n\n{body}")
        };
        let plain = self.plain.as_ref().map(|(text, parameters)| {
            part(&format!("text/plain; charset=utf-8{parameters}"), text)
        });
        let html = self
            .html
            .as_ref()
            .map(|html| part("text/html; charset=utf-8", html));
        match (plain, html) {
            (Some(plain), Some(html)) => format!(
                "Content-Type: multipart/alternative; boundary=zz\n\n--zz\n{plain}\n--zz\n{html}\n--zz--\n"
            ),
            (plain, html) => plain.or(html).unwrap_or_default(),
        }
    }
}

/// What is not empty, one below the other with an empty line between.
fn stacked(pieces: [&str; 3]) -> String {
    let pieces: Vec<&str> = pieces
        .into_iter()
        .filter(|piece| !piece.is_empty())
        .collect();
    pieces.join("\n")
}

fn quoted(mail: &str, mark: &str, is_trimmed: bool) -> String {
    let line = |line: &str| {
        let quoted = format!("{mark}{line}");
        let quoted = if is_trimmed {
            quoted.trim_end()
        } else {
            &quoted
        };
        quoted.to_owned() + "\n"
    };
    mail.lines().map(line).collect()
}

fn attribution(rng: &mut Rng) -> String {
    format!("{}\n", rng.choice(ATTRIBUTIONS).expect("there are some"))
}

fn marked(reply: &Reply, mark: &str, rng: &mut Rng) -> Message {
    let mut quoted = quoted(&reply.mail, mark, rng.bool());
    if rng.bool() {
        let blank = if rng.bool() { "\n" } else { "" };
        quoted = attribution(rng) + blank + &quoted;
    }
    Message::plain(stacked([&reply.above, &quoted, &reply.below]))
}

fn indented(reply: &Reply, rng: &mut Rng) -> Message {
    let indent = " ".repeat(rng.usize(1..6));
    let quoted = attribution(rng) + &quoted(&reply.mail, &indent, true);
    Message::plain(stacked([&reply.above, &quoted, &reply.below]))
}

fn below(reply: &Reply, heads: &[&str], rng: &mut Rng) -> Message {
    let head = rng.choice(heads).expect("there are some");
    let quoted = format!("{head}\n\n{}", reply.mail);
    Message::plain(stacked([&reply.above, &quoted, &reply.below]))
}

fn separated(reply: &Reply, rng: &mut Rng) -> Message {
    below(reply, SEPARATORS, rng)
}

fn headed(reply: &Reply, rng: &mut Rng) -> Message {
    below(reply, HEADS, rng)
}

fn attributed(reply: &Reply, rng: &mut Rng) -> Message {
    below(reply, ATTRIBUTIONS, rng)
}

/// A blank stands before what would be taken for a mark or an envelope, and
/// only where a paragraph goes on does one stand at the end of a line.
fn flowed(reply: &Reply, rng: &mut Rng) -> Message {
    let own = |text: &str| -> String {
        let mut lines = String::new();
        for line in text
            .lines()
            .map(|line| if line == "-- " { line } else { line.trim_end() })
        {
            let stuffing = if line.starts_with([' ', '>']) || line.starts_with("From ") {
                " "
            } else {
                ""
            };
            // A long paragraph is broken behind a blank.
            let broken = match line.char_indices().find(|(at, c)| *at > 40 && *c == ' ') {
                Some((at, _)) if line.len() > 60 => {
                    format!("{} \n{}", &line[..at], &line[at + 1..])
                }
                _ => line.to_owned(),
            };
            let _ = writeln!(lines, "{stuffing}{broken}");
        }
        lines
    };
    let quoted = quoted(&reply.mail, "> ", rng.bool());
    let quoted = attribution(rng) + &quoted;
    let delsp = "; format=flowed";
    Message {
        plain: Some((
            stacked([&own(&reply.above), &quoted, &own(&reply.below)]),
            delsp,
        )),
        html: None,
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Lines as HTML: with breaks, and blanks that stay.
fn broken(text: &str) -> String {
    let line = |line: &str| escaped(line).replace("  ", "&nbsp; ") + "<br>\n";
    text.lines().map(line).collect()
}

fn divided(text: &str) -> String {
    let line = |line: &str| match line {
        "" => "<div><br></div>".to_owned(),
        line => format!("<div>{}</div>", escaped(line).replace("  ", " &nbsp;")),
    };
    text.lines().map(line).collect()
}

fn blockquote(reply: &Reply, rng: &mut Rng) -> Message {
    let lines = if rng.bool() { broken } else { divided };
    Message {
        plain: None,
        html: Some(format!(
            "<html><body><div dir=\"ltr\">{}</div><br><div class=\"quote\"><div dir=\"ltr\">{}<br></div><blockquote style=\"margin:0 0 0 .8ex\">{}</blockquote></div>{}</body></html>",
            lines(&reply.above),
            escaped(&attribution(rng)),
            lines(&reply.mail),
            lines(&reply.below)
        )),
    }
}

fn preformatted(reply: &Reply, rng: &mut Rng) -> Message {
    Message {
        plain: None,
        html: Some(format!(
            "<html><head><style>p {{ margin: 0 }}</style></head><body><p>{}</p><div class=\"cite-prefix\">{}</div><blockquote type=\"cite\"><pre wrap=\"\">{}</pre></blockquote><p>{}</p></body></html>",
            broken(&reply.above),
            escaped(&attribution(rng)),
            escaped(&reply.mail),
            broken(&reply.below)
        )),
    }
}

fn unquoted(reply: &Reply, rng: &mut Rng) -> Message {
    let lines = if rng.bool() { broken } else { divided };
    Message {
        plain: None,
        html: Some(format!(
            "<html><head></head><body><div>{}</div><div class=\"quoted\"><div>{}</div><div><br></div><div>{}</div></div><div>{}</div></body></html>",
            lines(&reply.above),
            escaped(&attribution(rng)),
            lines(&reply.mail),
            lines(&reply.below)
        )),
    }
}

fn paragraphs(reply: &Reply, rng: &mut Rng) -> Message {
    let lines = |text: &str| -> String {
        let line = |line: &str| match line {
            "" => "<p class=MsoNormal><o:p>&nbsp;</o:p></p>\n".to_owned(),
            line => format!(
                "<p class=MsoNormal>{}<o:p></o:p></p>\n",
                escaped(line).replace("  ", "&nbsp; ")
            ),
        };
        text.lines().map(line).collect()
    };
    let end = *rng
        .choice(["<br>", "<o:p></o:p></p><p class=MsoNormal>"].as_slice())
        .expect("two");
    let names = *rng
        .choice(
            [
                ["From:", "Sent:", "To:", "Subject:"],
                ["Von:", "Gesendet:", "An:", "Betreff:"],
            ]
            .as_slice(),
        )
        .expect("two");
    Message {
        plain: None,
        html: Some(format!(
            "<html><body><div class=WordSection1>{}<div><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal><b>{}</b> Anna White &lt;anna@example.org&gt; {end}<b>{}</b> Friday, November 20, 2026 3:00 AM{end}<b>{}</b> Ben &lt;ben@example.org&gt;{end}<b>{}</b> hello<o:p></o:p></p></div></div>{}{}</div></body></html>",
            lines(&reply.above),
            names[0],
            names[1],
            names[2],
            names[3],
            lines(&reply.mail),
            lines(&reply.below)
        )),
    }
}

fn alternative(reply: &Reply, rng: &mut Rng) -> Message {
    let html = blockquote(reply, rng).html;
    Message {
        html,
        ..marked(reply, "> ", rng)
    }
}
