//! What programs make of the HTML of our mails when they quote it. All of these imitate
//! programs; `recorded.rs` has what real ones make.
//!
//! `Reply::mail` is the HTML here.

use fastrand::Rng;

use super::Reply;
use super::html_mail::escaped;
use super::html_text::{Form, text};
use super::quoting::{Message, Quoting};

const WROTE: &str = "On Fri, Nov 20, 2026 at 3:00 AM Anna White <anna@example.org> wrote:";

/// Programs that quote HTML as HTML.
pub(crate) const AS_HTML: &[(&str, Quoting)] = &[
    ("Gmail", |reply, rng| {
        let mail = reply
            .mail
            .replace("class=\"parapost\"", "class=\"m_-7parapost\"");
        let wrote = escaped(WROTE);
        html(
            reply,
            rng,
            &format!(
                "<br><div class=\"gmail_quote gmail_quote_container\"><div dir=\"ltr\" class=\"gmail_attr\">{wrote}<br></div><blockquote class=\"gmail_quote\" style=\"margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex\">{mail}</blockquote></div>"
            ),
        )
    }),
    ("Outlook on the web", |reply, rng| {
        let mail = reply.mail.replace("class=\"", "class=\"x_");
        html(
            reply,
            rng,
            &format!(
                "<div id=\"appendonsend\"></div><hr style=\"display:inline-block;width:98%\" tabindex=\"-1\"><div id=\"divRplyFwdMsg\" dir=\"ltr\"><font face=\"Calibri\"><b>From:</b> Anna White &lt;anna@example.org&gt;<br><b>Sent:</b> Friday, November 20, 2026 3:00 AM<br><b>To:</b> Ben &lt;ben@example.org&gt;<br><b>Subject:</b> hello</font><div>&nbsp;</div></div><div>{mail}</div>"
            ),
        )
    }),
    ("Outlook, with safe links", |reply, rng| {
        let mail = safe_links(&reply.mail).replace("class=\"parapost\"", "class=MsoNormalTable");
        html(
            reply,
            rng,
            &format!(
                "<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal><b>From:</b> Anna White &lt;anna@example.org&gt; <br><b>Sent:</b> Friday, November 20, 2026 3:00 AM<br><b>To:</b> Ben &lt;ben@example.org&gt;<br><b>Subject:</b> hello</p></div>{mail}"
            ),
        )
    }),
    ("Apple Mail", |reply, rng| {
        html(
            reply,
            rng,
            &format!(
                "<div><br><blockquote type=\"cite\"><div>{}</div><br class=\"Apple-interchange-newline\"><div>{}</div></blockquote></div>",
                escaped(WROTE),
                reply.mail
            ),
        )
    }),
    ("Thunderbird", |reply, rng| {
        html(
            reply,
            rng,
            &format!(
                "<div class=\"moz-cite-prefix\">{}<br></div><blockquote type=\"cite\" cite=\"mid:1@example.org\">{}</blockquote>",
                escaped(WROTE),
                reply.mail
            ),
        )
    }),
    ("Yahoo", |reply, rng| {
        html(
            reply,
            rng,
            &format!(
                "<div class=\"yahoo_quoted\"><div><div>{}</div><div><br></div><div id=\"yiv123\"><div>{}</div></div></div></div>",
                escaped(WROTE),
                reply.mail.replace("class=\"", "class=\"yiv123")
            ),
        )
    }),
    ("html without a quotation", |reply, rng| {
        let mail = reply.mail.replace(" class=\"parapost\"", "");
        html(reply, rng, &format!("<div>{mail}</div>"))
    }),
    ("html without the targets", |reply, rng| {
        let mail = reply
            .mail
            .replace("<a href=", "<span title=")
            .replace("</a>", "</span>");
        html(reply, rng, &format!("<div>{mail}</div>"))
    }),
    ("html without tables", |reply, rng| {
        let mut mail = reply.mail.clone();
        for name in ["table", "tr", "td"] {
            mail = mail.replace(&format!("<{name}"), "<div");
            mail = mail.replace(&format!("</{name}"), "</div");
        }
        html(reply, rng, &format!("<hr>{mail}"))
    }),
    ("html within a table of the program's", |reply, rng| {
        let mail = reply.mail.replace(" class=\"parapost\"", "");
        let Reply { above, below, .. } = reply;
        let _ = rng;
        Message::html(format!(
            "<table><tr><td>{}<blockquote type=cite>{mail}</blockquote>{}</td></tr></table>",
            lines(above),
            lines(below)
        ))
    }),
    ("html, written between the blocks", |reply, rng| {
        let own = lines(&reply.above);
        let mail = reply
            .mail
            .replacen("</table>", &format!("</table>{own}"), 1);
        let reply = Reply {
            above: String::new(),
            ..reply.clone()
        };
        html(&reply, rng, &mail)
    }),
];

/// Programs that quote the text that they derive from HTML.
pub(crate) const AS_TEXT: &[(&str, Quoting)] = &[
    ("text, Gmail", |reply, rng| {
        let text = text(&reply.mail, Form::Angles, rng);
        marked(reply, &format!("{WROTE}\n\n{}", quoted(&text, "> ")))
    }),
    ("text, Outlook", |reply, rng| {
        let text = text(&reply.mail, Form::Glued, rng);
        marked(
            reply,
            &format!(
                "________________________________\nFrom: Anna White <anna@example.org>\nSent: Friday, November 20, 2026 3:00 AM\nTo: Ben <ben@example.org>\nSubject: hello\n\n{text}"
            ),
        )
    }),
    ("text, Apple Mail", |reply, rng| {
        let text = text(&reply.mail, Form::Angles, rng);
        marked(reply, &format!("{WROTE}\n\n{}", quoted(&text, "> ")))
    }),
    ("text, Thunderbird", |reply, rng| {
        let text = text(&reply.mail, Form::Angles, rng);
        marked(reply, &format!("{WROTE}\n{}", quoted(&text, ">")))
    }),
    ("text, Yahoo", |reply, rng| {
        let text = text(&reply.mail, Form::Angles, rng);
        marked(reply, &format!(" {WROTE}\n \n{}", quoted(&text, " ")))
    }),
    ("text, mutt with lynx", |reply, rng| {
        let text = text(&reply.mail, Form::Lynx, rng);
        marked(reply, &format!("{WROTE}\n{}", quoted(&text, "> ")))
    }),
    ("text without marks, links in angles", |reply, rng| {
        marked(reply, &text(&reply.mail, Form::Angles, rng))
    }),
    ("text without marks, links glued", |reply, rng| {
        marked(reply, &text(&reply.mail, Form::Glued, rng))
    }),
    ("text without marks, Markdown", |reply, rng| {
        marked(reply, &text(&reply.mail, Form::Markdown, rng))
    }),
    ("text without marks, links in brackets", |reply, rng| {
        marked(reply, &text(&reply.mail, Form::Brackets, rng))
    }),
    ("text without marks, numbers before", |reply, rng| {
        marked(reply, &text(&reply.mail, Form::Lynx, rng))
    }),
    ("text without marks, numbers behind", |reply, rng| {
        marked(reply, &text(&reply.mail, Form::Notes, rng))
    }),
    ("text below initials", |reply, rng| {
        let text = text(&reply.mail, Form::Angles, rng);
        marked(reply, &quoted(&text, "AW> "))
    }),
];

/// Programs that derive a text without the targets. The texts of links remain, so these
/// are asked for words.
pub(crate) const WITHOUT_TARGETS: &[(&str, Quoting)] = &[
    ("text, mutt with w3m", |reply, rng| {
        let text = text(&reply.mail, Form::Alone, rng);
        marked(reply, &format!("{WROTE}\n{}", quoted(&text, "> ")))
    }),
    ("text without marks and targets", |reply, rng| {
        marked(reply, &text(&reply.mail, Form::Alone, rng))
    }),
    ("text without targets below a header block", |reply, rng| {
        let text = text(&reply.mail, Form::Alone, rng);
        marked(
            reply,
            &format!(
                "From: Anna <anna@example.org>\nDate: Friday, 20 November 2026\nSubject: hello\n\n{text}"
            ),
        )
    }),
];

fn html(reply: &Reply, rng: &mut Rng, mail: &str) -> Message {
    let dir = if rng.bool() { " dir=\"ltr\"" } else { "" };
    Message::html(format!(
        "<html><head><meta charset=utf-8></head><body><div{dir}>{}</div>{mail}<div>{}</div></body></html>",
        lines(&reply.above),
        lines(&reply.below)
    ))
}

fn lines(text: &str) -> String {
    let line = |line: &str| format!("<div>{}</div>\n", escaped(line));
    text.lines().map(line).collect()
}

fn marked(reply: &Reply, quoted: &str) -> Message {
    Message::plain(format!("{}\n{quoted}\n{}", reply.above, reply.below))
}

fn quoted(text: &str, mark: &str) -> String {
    let line = |line: &str| format!("{mark}{line}\n");
    text.lines().map(line).collect()
}

/// The targets as a gateway hands them on.
fn safe_links(html: &str) -> String {
    let mut parts = html.split("href=\"");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (target, rest) = part.split_once('"').expect("the target ends");
        let target: String = target
            .replace("&amp;", "&")
            .chars()
            .map(|c| match c {
                ':' | '?' | '=' | '&' | '%' | '@' => format!("%{:02X}", u32::from(c)),
                c => c.to_string(),
            })
            .collect();
        out += "href=\"https://eur01.safelinks.example/?url=";
        out += &target;
        out += "&amp;data=05%7C02\"";
        out += rest;
    }
    out
}
