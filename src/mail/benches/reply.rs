//! Measures how long a reply takes, beside its MIME alone: `cargo bench -p parapost-mail`.

use std::fmt::Write as _;

use divan::{Bencher, black_box};
use mail_parser::MessageParser;
use parapost_mail::message::ReceivedMessage;
use parapost_mail::quoting::classify;
use parapost_mail::quoting::habits::Habits;
use parapost_mail::quoting::habits::HtmlHabits;
use parapost_mail::quoting::own_words;
use parapost_mail::quoting::sent::Sent;

fn main() {
    divan::main();
}

const KINDS: [&str; 3] = ["plain", "html", "long"];

/// A mail that was sent, of some lines.
fn mail(lines: usize) -> String {
    (0..lines).fold(String::new(), |mut mail, line| {
        let _ = writeln!(mail, "In line {line} we ask whether you are content.");
        mail
    })
}

/// A reply to it above its quotation.
fn reply(kind: &str, mail: &str) -> Vec<u8> {
    let head = "From: Ben <ben@example.org>\nMessage-ID: <1@example.org>\nIn-Reply-To: <0@example.com>\nSubject: Re: Hello\nMIME-Version: 1.0\n";
    let who = "On Fri, 20 Nov 2026 at 03:00, Shop &lt;shop@example.com&gt; wrote:";
    let body = if kind == "html" {
        let quoted = mail.replace('\n', "<br>\n");
        format!(
            "Content-Type: text/html\n\n<div>Yes, I am.</div><div class=gmail_quote><div>{who}</div><blockquote class=gmail_quote>{quoted}</blockquote></div>\n"
        )
    } else {
        let who = who.replace("&lt;", "<").replace("&gt;", ">");
        let quoted = mail.replace('\n', "\n> ");
        format!("\nYes, I am.\n\n{who}\n> {quoted}\n-- \nBen\n")
    };
    (head.to_owned() + &body).into_bytes()
}

fn sent_and_reply(kind: &str) -> (Sent, Vec<u8>) {
    let mail = mail(if kind == "long" { 2000 } else { 40 });
    (Sent::nothing().ours(&mail), reply(kind, &mail))
}

#[divan::bench(args = KINDS)]
fn own_words_of_a_reply(bencher: Bencher, kind: &str) {
    let (sent, reply) = sent_and_reply(kind);
    bencher.bench(|| {
        let message =
            ReceivedMessage::parse(black_box(&reply), &HtmlHabits::NONE, |text| (text, ()));
        let message = message.expect("a message");
        own_words(&classify(&message.text, &sent, &Habits::NONE))
    });
}

#[divan::bench(args = KINDS)]
fn mail_parser_alone(bencher: Bencher, kind: &str) {
    let (_, reply) = sent_and_reply(kind);
    bencher.bench(|| MessageParser::default().parse(black_box(&reply)).is_some());
}
