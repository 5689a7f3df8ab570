//! The HTML of mails: its parts with their headers, the page in full, and the picture as
//! its size.

use std::fmt::Write as _;

use mail_parser::{Message, MessageParser, MimeHeaders, PartType};

use super::{Desk, snapshot};

/// The desk of a referee who sends HTML.
fn referee() -> Desk {
    let desk = Desk::of("ref");
    let config =
        "[me]\nname = \"The Referee\"\naddress = \"ref@example.org\"\nrole = \"referee\"\n";
    std::fs::write(desk.0.path("config.toml"), config).unwrap();
    desk
}

/// The parts of the mails of a mailbox.
fn shown(mailbox: &str) -> String {
    let mut shown = String::new();
    for mail in mailbox.split("\n\nFrom ref@") {
        let mail = mail.strip_prefix("From ref@").unwrap_or(mail);
        let (_, mail) = mail.split_once('\n').unwrap();
        let message = MessageParser::default().parse(mail).unwrap();
        show(&message, &mut shown);
    }
    shown
}

fn show(message: &Message<'_>, shown: &mut String) {
    for part in &message.parts {
        for header in &part.headers {
            let range = header.offset_field as usize..header.offset_end as usize;
            let field = &message.raw_message()[range];
            shown.push_str(String::from_utf8_lossy(field).trim_end());
            shown.push('\n');
        }
        shown.push('\n');
        match &part.body {
            PartType::Html(html) if part.attachment_name().is_some() => {
                shown.push_str(&outline(html));
            }
            PartType::Html(html) => shown.push_str(html),
            PartType::Text(text) => {
                let lines = text.lines().count();
                let _ = writeln!(shown, "[the text, {lines} lines]");
            }
            PartType::InlineBinary(png) | PartType::Binary(png) => {
                let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
                let (width, height) = (number(16), number(20));
                let _ = writeln!(shown, "[a picture of {width} x {height} pixels]");
            }
            _ => {}
        }
        shown.push('\n');
    }
}

/// A page to answer on, without what is the same on all pages of a game.
fn outline(page: &str) -> String {
    let mut page = page.replace("\r\n", "\n");
    for (start, end) in [
        ("Content-Security-Policy\" content=", "\">"),
        ("<style>", "</style>"),
        ("<div id=\"still\">\n", "</div>\n<div id=\"play\""),
        ("<svg id=\"pieces\"", "</svg>\n<script"),
        ("<script>", "</script>"),
    ] {
        let from = page.find(start).expect(start) + start.len();
        let to = from + page[from..].find(end).expect(end);
        page.replace_range(from..to, "[…]");
    }
    page
}

/// A mail with the page to answer on: what it is otherwise, and the page.
#[test]
fn a_mail_with_a_page() {
    let desk = referee();
    let config = desk.0.read("config.toml") + "[mail]\nhtml = false\npage = true\n";
    desk.0.write("config.toml", config);
    desk.begin("unachess", "P>e3 n>g5 K>e1");
    let moved = desk.receive("ben", "k>e8\n\nSee <b>you</b> & me!\n");
    snapshot("html-page", &shown(&moved));
}

#[test]
#[ignore = "takes long"]
fn pages() {
    let desk = referee();
    desk.begin("unachess", "P>e3 n>g5 K>e1");
    let moved = desk.receive("ben", "k>e8\n\nSee <b>you</b> & me!\n");
    snapshot("html-position-and-receipt", &shown(&moved));
    for (name, body) in [
        ("html-refused", "P>e3\n"),
        ("html-legal", "legal\n"),
        ("html-rules", "rules\n"),
        ("html-show", "show 1\n"),
        ("html-note", "note Hello\n"),
    ] {
        snapshot(name, &shown(&desk.receive("anna", body)));
    }
    let desk = referee();
    desk.new_match("unashogi", "", &["--time", "5d"]);
    snapshot("html-invitation", &shown(&desk.run(&["send", "--print"])));
}
