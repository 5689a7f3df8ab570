//! Messages that come in: from bytes to what a person wrote.
//!
//! `mail-parser` undoes MIME: transfer encodings, charsets, encoded words, nested
//! parts. This file makes the choices that remain: the sender's address, the cited ids,
//! the part that holds the text, and whether a person wrote the message at all. Whatever
//! else the text has for a program, that program takes out of it. The text is the plain part,
//! or what the reader of the HTML saw ([`html`]).

mod addresses;
mod alternative;
pub mod automated;
mod body;
pub mod delivery_report;
pub mod html;
mod markup;
pub mod parts;
pub mod signature;

use std::borrow::Cow;
use std::collections::HashSet;

use chrono::{DateTime, Utc};
use lettre::Address;
use mail_parser::parsers::MessageStream;
use mail_parser::{Header, HeaderName, HeaderValue, Message, MessageParser};

use crate::limits::{self, Excess};
use crate::message::addresses::{RECIPIENTS, WRITERS, addresses, sender};
use crate::message::automated::{Automated, fields};
use crate::message::body::Body;
use crate::message::delivery_report::{DeliveryReport, only};
use crate::message::signature::DkimSignature;
use crate::message_id::MessageId;
use crate::quoting::habits::HtmlHabits;
use crate::quoting::line::without_noncharacters;

/// A message after reading. `T` is what a program has taken out of its text for itself.
///
/// # Examples
///
/// ```
/// use parapost_mail::quoting::habits::HtmlHabits;
/// use parapost_mail::message::ReceivedMessage;
///
/// let bytes = b"From: Ben <ben@example.org>\nMessage-ID: <1@example.org>\n\nYes!\n";
/// let message = ReceivedMessage::parse(bytes, &HtmlHabits::NONE, |text| (text, ()))?;
/// assert_eq!(message.id.as_str(), "<1@example.org>");
/// assert_eq!(message.text, "Yes!\n");
/// # Ok::<(), parapost_mail::message::ParseMessageError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReceivedMessage<T> {
    /// The Message-ID, or an id derived from the contents.
    pub id: MessageId,
    /// The sender's address, or none if the From field does not hold exactly one. A
    /// name, or an address inside a name, is no address.
    pub sender: Option<Address>,
    /// Those whom it names as its writers beside `From`: the addresses in `Reply-To`,
    /// `X-Original-From` and `X-Original-Sender`, in which mailing lists keep whose place they take.
    /// At most [`limits::ADDRESSES`].
    pub writers: Vec<Address>,
    /// The addresses in `To` and `Cc`, at most [`limits::ADDRESSES`].
    pub recipients: Vec<Address>,
    /// The ids of `In-Reply-To`, `References` and `Chat-Edit`, each once, in this order.
    pub cites: Vec<MessageId>,
    /// The message that this one answers, by its own account: the last id in
    /// `In-Reply-To`, or else the last in `References`.
    pub parent: Option<MessageId>,
    /// The ids of `References`, the oldest first.
    pub references: Vec<MessageId>,
    /// The sender's earlier message that this one puts right.
    pub edits: Option<MessageId>,
    /// The subject, decoded, on one line; empty if there is none.
    pub subject: String,
    /// The topmost `Authentication-Results` field, and those below it above the next `Received`
    /// field. Those of other servers are further down, but the lower ones here may have come with the
    /// message, too.
    pub results: Vec<String>,
    /// The signatures in its header. Any of them may be invalid.
    pub signatures: Vec<DkimSignature>,
    /// The time at which it says it was written, if it says one.
    pub date: Option<DateTime<Utc>>,
    /// The `X-Loop` fields, by which a program recognises its own mail.
    pub loops: Vec<String>,
    /// The reason why this counts as a machine's message, if it does, or as none that
    /// anybody wrote.
    pub machine: Option<Automated>,
    /// What it says of the delivery of a mail, if it is a report that can count.
    pub report: Option<DeliveryReport>,
    /// The plain text, with `\n` line ends and flowed paragraphs joined, or the text of
    /// the HTML if there is no plain text.
    pub text: String,
    /// What the program has taken out of the text.
    pub taken: T,
    /// The letter that the message has whole in it, beside plain text at most, as a mailing list puts
    /// one into a message of its own. None of one that has another in it itself.
    pub wrapped: Option<Box<ReceivedMessage<T>>>,
    /// The limit that the text exceeds; `text` is empty then.
    pub unread: Option<Excess>,
}

/// An error for bytes that are no message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseMessageError {
    /// There is no header field.
    #[error("this is not a mail message: it does not begin with header fields")]
    NoHeader,
    /// The message exceeds a limit.
    #[error("{0}, which is more than is read")]
    Excess(#[from] Excess),
}

impl<T> ReceivedMessage<T> {
    /// Reads a message, with LF or CRLF line ends, in an answer to a program with these
    /// habits. `take` gets the text, and returns it with what it has taken out of it.
    ///
    /// # Errors
    ///
    /// If the bytes are no message, or the message exceeds a limit of [`limits`]. If
    /// only its text does, the result is `Ok` with [`ReceivedMessage::unread`] set, so
    /// that its sender can be answered.
    pub fn parse(
        bytes: &[u8],
        habits: &HtmlHabits,
        take: impl Fn(String) -> (String, T),
    ) -> Result<ReceivedMessage<T>, ParseMessageError> {
        let mut read = ReceivedMessage::parse_alone(bytes, habits, &take)?;
        if let Some(letter) = body::wrapped_letter(bytes) {
            // One that cannot be read is none.
            let letter = ReceivedMessage::parse_alone(&letter, habits, &take).ok();
            read.wrapped = letter.map(Box::new);
        }
        Ok(read)
    }

    /// Reads a message without one that it has in it.
    fn parse_alone(
        bytes: &[u8],
        habits: &HtmlHabits,
        take: impl Fn(String) -> (String, T),
    ) -> Result<ReceivedMessage<T>, ParseMessageError> {
        body::check(bytes)?;
        let repaired = body::without_foreign_lines(bytes);
        let message = MessageParser::default()
            .parse(repaired.as_deref().unwrap_or(bytes))
            .filter(has_header)
            .ok_or(ParseMessageError::NoHeader)?;
        let Body { text, unread, .. } = match &repaired {
            Ok(repaired) => body::read(&message, habits, matches!(repaired, Cow::Owned(_))),
            Err(excess) => Body::unread(*excess),
        };
        let edits = edits(&message);
        let is_reaction = message.parts.iter().any(body::is_of_reaction)
            || text.trim().is_empty()
                && unread.is_none()
                && message.parts.iter().any(body::is_reaction);
        let id = id(&message, &text);
        let (text, taken) = take(match edits {
            Some(_) => without_pencil(text),
            None => text,
        });
        Ok(ReceivedMessage {
            id,
            sender: sender(&message),
            writers: addresses(&message, WRITERS),
            recipients: addresses(&message, RECIPIENTS),
            cites: cites(&message, edits.as_ref())?,
            parent: parent(&message),
            references: ids(&message, &HeaderName::References),
            subject: one_line(message.subject().unwrap_or_default()),
            results: results(&message),
            signatures: DkimSignature::all(&message),
            date: date(&message),
            loops: fields(&message, "X-Loop"),
            machine: automated::detect(&message).or(is_reaction.then_some(Automated::Reaction)),
            report: DeliveryReport::read(&message),
            text,
            taken,
            wrapped: None,
            edits,
            unread,
        })
    }
}

/// Returns true if the message has a field with a valid name; the parser accepts any
/// bytes.
fn has_header(message: &Message<'_>) -> bool {
    message.headers().iter().any(|header| {
        let name = header.name();
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic())
    })
}

/// Returns the `Authentication-Results` fields that one server may have written.
fn results(message: &Message<'_>) -> Vec<String> {
    const NAME: &str = "Authentication-Results";
    let names = message.headers().iter().map(Header::name);
    let names = names.skip_while(|name| !name.eq_ignore_ascii_case(NAME));
    let names = names.take_while(|name| !name.eq_ignore_ascii_case("Received"));
    let count = names.filter(|name| name.eq_ignore_ascii_case(NAME)).count();
    fields(message, NAME).into_iter().take(count).collect()
}

/// Returns the first valid Message-ID, or else an id derived from the contents.
fn id(message: &Message<'_>, text: &str) -> MessageId {
    ids(message, &HeaderName::MessageId)
        .into_iter()
        .next()
        .unwrap_or_else(|| {
            let fields = [
                HeaderName::MessageId,
                HeaderName::From,
                HeaderName::Date,
                HeaderName::Subject,
                HeaderName::InReplyTo,
                HeaderName::References,
            ];
            let fields = fields.map(|name| message.header_raw(name).unwrap_or_default().trim());
            let origin = origin(message);
            // An id without an origin is that of earlier versions.
            let contents = fields.into_iter().chain([text]).chain(origin.as_deref());
            MessageId::derived(contents.map(str::as_bytes))
        })
}

/// Returns what the first relay wrote of a message without a date, with the time: the same
/// words that are sent again later are another message. What later relays add does not
/// count, since a message that comes again may have come another way, nor does a field
/// without a time, as `serve` adds it.
fn origin(message: &Message<'_>) -> Option<String> {
    if message.header_raw(HeaderName::Date).is_some() {
        return None;
    }
    let mut relays = fields(message, "Received").into_iter();
    relays.rfind(|field| field.contains(';'))
}

/// Returns the time in the only Date field.
fn date(message: &Message<'_>) -> Option<DateTime<Utc>> {
    let field = only(message.header_values(HeaderName::Date))?;
    let date = field.as_datetime().filter(|date| date.is_valid())?;
    DateTime::from_timestamp(date.to_timestamp(), 0)
}

/// Returns the ids of the messages that this one answers, or puts right.
fn cites(message: &Message<'_>, edits: Option<&MessageId>) -> Result<Vec<MessageId>, Excess> {
    let mut seen = HashSet::new();
    let cites: Vec<MessageId> = [HeaderName::InReplyTo, HeaderName::References]
        .iter()
        .flat_map(|name| ids(message, name))
        .chain(edits.cloned())
        .filter(|id| seen.insert(id.clone()))
        .collect();
    if cites.len() > limits::CITES {
        return Err(Excess::Cites);
    }
    Ok(cites)
}

/// Returns the id of the message that this one answers. Some programs write
/// `References` alone. A program copies the id of whom it answers, whatever that is: one
/// that is no id, or several, stand for a message that nobody knows.
fn parent(message: &Message<'_>) -> Option<MessageId> {
    let answered = decoded(&fields(message, "In-Reply-To").join(" ")).into_owned();
    let references = decoded(&fields(message, "References").join(" ")).into_owned();
    let (text, is_list) = match (answered.trim(), references.trim()) {
        ("", "") => return None,
        ("", list) => (list, true),
        (answered, _) => (answered, false),
    };
    let parent = if is_list {
        last_id(text)
    } else {
        only_id(text)
    };
    Some(parent.unwrap_or_else(|| MessageId::derived([text.as_bytes()])))
}

/// Returns the last id of a list.
fn last_id(text: &str) -> Option<MessageId> {
    let at = text.rfind('<').or_else(|| text.rfind(char::is_whitespace));
    let (above, id) = text.split_at(at.unwrap_or_default());
    let above = above.trim_start_matches('\u{feff}');
    let is_apart = above.is_empty() || above.ends_with(|c: char| c == '>' || c.is_whitespace());
    id.trim()
        .parse()
        .ok()
        .filter(|_| is_apart || !id.starts_with('<'))
}

/// Returns the id in `In-Reply-To`, with words before it or a remark behind it.
fn only_id(text: &str) -> Option<MessageId> {
    let Some((_, from)) = text.split_once('<') else {
        return text.parse().ok();
    };
    let (id, behind) = from.split_once('>')?;
    let behind = behind.trim();
    let is_only = behind.is_empty() || behind.starts_with('(') && !behind.contains(['<', '>']);
    format!("<{id}>").parse().ok().filter(|_| is_only)
}

/// Returns the ids in all fields with this name, including odd forms such as
/// `In-Reply-To: Your message of Friday <id>`.
fn ids(message: &Message<'_>, name: &HeaderName<'_>) -> Vec<MessageId> {
    let fields = message.headers().iter();
    let fields = fields.filter(|header| header.name == *name);
    let texts = fields.flat_map(|header| {
        let range = header.offset_start as usize..header.offset_end as usize;
        let raw = message.raw_message.get(range).unwrap_or_default();
        let value = match decoded(&String::from_utf8_lossy(raw)) {
            Cow::Owned(plain) => MessageStream::new(format!("{plain}\n").as_bytes())
                .parse_id()
                .into_owned(),
            Cow::Borrowed(_) => header.value.clone(),
        };
        match value {
            HeaderValue::Text(text) => vec![text],
            HeaderValue::TextList(list) => list,
            _ => Vec::new(),
        }
    });
    texts.filter_map(|text| text.parse().ok()).collect()
}

/// Decodes the encoded words of a field that must have none (RFC 2047, 5). Some programs encode
/// every long field.
fn decoded(field: &str) -> Cow<'_, str> {
    if !field.contains("=?") {
        return Cow::Borrowed(field);
    }
    match MessageStream::new(format!("{field}\n").as_bytes()).parse_unstructured() {
        HeaderValue::Text(text) => Cow::Owned(text.into_owned()),
        _ => Cow::Borrowed(field),
    }
}

/// Returns the message that this one puts right, as Delta Chat says it.
fn edits(message: &Message<'_>) -> Option<MessageId> {
    let field = only(fields(message, "Chat-Edit").into_iter())?;
    field.parse().ok()
}

/// Returns the new text of an edited message. Delta Chat marks it by a pencil, below the
/// old text.
fn without_pencil(text: String) -> String {
    const PENCIL: char = '\u{270f}';
    let Some(at) = text.match_indices(PENCIL).map(|(at, _)| at).find(|at| {
        // At the start of a line.
        text[..*at].ends_with('\n') || *at == 0
    }) else {
        return text;
    };
    text[at..]
        .trim_start_matches([PENCIL, '\u{fe0f}', ' '])
        .to_owned()
}

/// Joins a header's text into one line without control characters and noncharacters.
fn one_line(text: &str) -> String {
    without_noncharacters(text)
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> Result<ReceivedMessage<()>, ParseMessageError> {
        ReceivedMessage::parse(bytes, &HtmlHabits::NONE, |text| (text, ()))
    }

    fn read(text: &str) -> ReceivedMessage<()> {
        parse(text.as_bytes()).unwrap()
    }

    fn from(field: &str) -> Option<String> {
        let letter = read(&format!("From: {field}\nSubject: x\n\nn>g5\n"));
        letter.sender.map(|address| address.to_string())
    }

    /// Went wrong: what a reader sees on one line was read as several, one of them an order.
    #[test]
    fn no_layout_makes_a_line_of_a_piece_of_a_sentence() {
        let wrapped = |style: &str, name: &str| {
            format!(
                "<{name} style=\"{style}\">I will never</{name}><{name} style=\"{style}\">resign</{name}><{name} style=\"{style}\">this game.</{name}>"
            )
        };
        let sheet = |rule: &str, body: &str| format!("<style>{rule}</style>{body}");
        let breaks = |tag: &str| format!("<p>I will never {tag}resign {tag}this game.");
        let plain = "<p>I will never</p><p>resign</p><p>this game.</p>";
        for html in [
            "<div style=\"display:flex\"><div>I will never</div><div>resign</div></div>".to_owned(),
            wrapped("display:inline", "div"),
            wrapped("display: inline-block", "p"),
            wrapped("float:left", "div"),
            wrapped("float:left", "dt"),
            wrapped("display:table-cell", "div"),
            wrapped("display:inline !important", "h1"),
            sheet("p{display:inline}", plain),
            sheet("p.m{float:left}", &plain.replace("<p>", "<p class=m>")),
            breaks("<br style=\"display:none\">"),
            breaks("<br hidden>"),
            sheet("br.m{display:none}", &breaks("<br class=m>")),
            sheet("br{display:none}", &breaks("<br>")),
            "<pre style=\"white-space:normal\">I will never\nresign\nthis</pre>".to_owned(),
            sheet(
                "pre{white-space:nowrap}",
                "<pre>I will never\nresign\nthis</pre>",
            ),
        ] {
            let letter = read(&format!(
                "From: a@b.test\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n{html}\n"
            ));
            assert!(letter.text.contains("resign"), "{html}");
            assert!(
                !letter.text.lines().any(|line| line.trim() == "resign"),
                "{html}: {}",
                letter.text
            );
        }
        let letter = read(&format!(
            "From: a@b.test\nMIME-Version: 1.0\nContent-Type: text/html\n\n{}\n",
            wrapped("display:block;float:none", "div")
        ));
        assert!(
            letter.text.lines().any(|line| line.trim() == "resign"),
            "{}",
            letter.text
        );
    }

    /// Went wrong: words of a gateway that stand in one of the two alone hid where a program had wrapped.
    #[test]
    fn what_is_one_line_in_the_html_is_one() {
        let banner = "CAUTION: This mail comes from outside of our company. Do not open its links or files unless you know and trust the one who sent it.";
        let (wrapped, whole) = (
            "I had thought that I would never\nresign\nbut now I am no more sure",
            "I had thought that I would never resign but now I am no more sure",
        );
        for (plain, html) in [
            (wrapped.to_owned(), format!("<p>{banner}</p><p>{whole}</p>")),
            (wrapped.replace('\n', "\n\n"), format!("<p>{whole}</p>")),
            (format!("{banner}\n\n{wrapped}"), format!("<p>{whole}</p>")),
            (
                format!("> Well?\n\n{wrapped}"),
                format!("<blockquote type=cite>Well?</blockquote><p>{whole}</p>"),
            ),
        ] {
            let text = format!(
                "From: a@b.test\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\n{plain}\n--x\nContent-Type: text/html\n\n{html}\n--x--\n"
            );
            let habits = HtmlHabits {
                is_order: |line| line.trim() == "resign",
                ..HtmlHabits::NONE
            };
            let letter =
                ReceivedMessage::parse(text.as_bytes(), &habits, |text| (text, ())).unwrap();
            assert!(
                !letter.text.lines().any(|line| line.trim() == "resign"),
                "{}",
                letter.text
            );
        }
    }

    #[test]
    fn whom_a_list_stands_for_and_where_a_letter_went_is_read() {
        let letter = read(
            "From: Ben via Games <games@lists.test>\nReply-To: Ben <ben@example.test>, games@lists.test\n\
             X-Original-From: \"Ben, B.\" <b@example.test>\nx-original-sender: bee@example.test\n\
             To: Games: games@lists.test, nobody;\nCc: <anna@example.org>\n\nn>g5\n",
        );
        let texts = |addresses: &[Address]| addresses.iter().map(ToString::to_string).collect();
        let writers: Vec<String> = texts(&letter.writers);
        let expected = [
            "ben@example.test",
            "games@lists.test",
            "b@example.test",
            "bee@example.test",
        ];
        assert_eq!(writers, expected);
        let recipients: Vec<String> = texts(&letter.recipients);
        assert_eq!(recipients, ["games@lists.test", "anna@example.org"]);
        let many = "a@b.test, ".repeat(200);
        let letter = read(&format!("From: a@b.test\nTo: {many} c@d.test\n\nn>g5\n"));
        assert_eq!(letter.recipients.len(), limits::ADDRESSES);
    }

    #[test]
    fn one_clear_address_is_the_sender() {
        for field in [
            "black@example.test",
            "<black@example.test>",
            "Black <black@example.test>",
            "\"Black, B.\" <black@example.test>",
            "black@example.test (Black)",
            "=?utf-8?Q?Bj=C3=B6rn?= Black <black@example.test>",
            "white@example.test <black@example.test>",
            "\"white@example.test\" <black@example.test>",
            "=?utf-8?q?white=40example=2Etest?= <black@example.test>",
            "Black, Ben <black@example.test>",
        ] {
            assert_eq!(
                from(field).as_deref(),
                Some("black@example.test"),
                "{field}"
            );
        }
    }

    #[test]
    fn an_unclear_from_field_names_nobody() {
        for field in [
            "",
            "Black",
            "black",
            "=?utf-8?b?QmrDtnJuIEJsYWNrIDxibGFja0BleGFtcGxlLnRlc3Q+?=",
            "black@example.test, white@example.test",
            "players: black@example.test, white@example.test;",
            "Black <black@>",
            "Black <@example.test>",
            "black@example.test\nFrom: black@example.test",
        ] {
            assert_eq!(from(field), None, "{field}");
        }
        assert_eq!(read("Subject: x\n\nn>g5\n").sender, None);
    }

    #[test]
    fn cited_ids_are_found_in_odd_forms() {
        for (fields, expected) in [
            ("In-Reply-To: <a@b>\n", "<a@b>"),
            (
                "In-Reply-To: Your message of Friday,\n\t20 Nov <a@b>\n",
                "<a@b>",
            ),
            (
                "In-Reply-To: <a@b> (Anna's message of \"Fri,\n 20 Nov\")\n",
                "<a@b>",
            ),
            ("References: <a@b>\n\t<c@d> <a@b>\n", "<a@b> <c@d>"),
            ("References: <a@b><c@d>\n", "<a@b> <c@d>"),
            ("References: <c@d>\nIn-Reply-To: <a@b>\n", "<a@b> <c@d>"),
            ("In-Reply-To: Your message of Friday\n", ""),
            ("References: <../../etc/passwd>\n", "<../../etc/passwd>"),
            ("References: <a b@c> <\u{1b}[2J@c>\n", ""),
        ] {
            let letter = read(&format!("From: a@b.test\n{fields}\nhi\n"));
            let cites: Vec<_> = letter.cites.iter().map(MessageId::as_str).collect();
            assert_eq!(cites.join(" "), expected, "{fields}");
        }
    }

    /// A program that answers a mail without an id writes words, and cites what that cites.
    #[test]
    fn words_that_stand_for_an_id_make_no_other_id_the_parent() {
        let parent = |fields: &str| read(&format!("From: a@b.test\n{fields}\nhi\n")).parent;
        let known = "<a@b>".parse().ok();
        assert_eq!(parent("References: <c@d> <a@b>\n"), known);
        assert_eq!(
            parent("In-Reply-To: Your message of Friday\n\t<a@b>\n"),
            known
        );
        let words = parent("In-Reply-To: Your message of Friday\nReferences: <a@b>\n");
        assert!(words.is_some() && words != known);
    }

    /// Without a Message-ID and a date the same words were one letter for ever.
    #[test]
    fn the_same_words_on_another_day_are_another_letter_without_id_and_date_too() {
        let letter = "From: a@b.test\n\nn>g5\n";
        let sent = |time: &str| {
            format!("Received: by home; Fri, {time} Nov 2026 03:00:00 +0000\n{letter}")
        };
        let again = format!(
            "Received: by mx; Mon, 23 Nov 2026 03:00:00 +0000\n{}",
            sent("20")
        );
        let served = format!("Received: by example.org with LMTP\n{letter}");
        assert_ne!(read(&sent("20")).id, read(&sent("27")).id);
        assert_eq!(read(&sent("20")).id, read(&again).id);
        assert_eq!(read(letter).id, read(&served).id);
    }

    #[test]
    fn without_an_id_the_contents_name_the_message() {
        // As earlier versions have it in their logs.
        const ONE: &str = "<7ed45a8256c95e2bd25cb4e7788dd471@derived.invalid>";
        let one = read("From: a@b.test\nDate: Fri, 20 Nov 2026 03:00:00 +0000\n\nn>g5\n");
        let again = read(
            "Received: by x\nFrom: a@b.test\r\nDate: Fri, 20 Nov 2026 03:00:00 +0000\r\n\r\nn>g5\r\n",
        );
        let other = read("From: a@b.test\nDate: Fri, 20 Nov 2026 03:00:01 +0000\n\nn>g5\n");
        assert_eq!(one.id, again.id);
        assert_ne!(one.id, other.id);
        assert_eq!(
            read("From: a@b.test\nMessage-ID: <x@y>\n\n").id.as_str(),
            "<x@y>"
        );
        assert_eq!(one.id.as_str(), ONE);
        let broken = read("From: a@b.test\nMessage-ID: <x y@\u{7}z>\n\n");
        assert!(broken.id.as_str().ends_with("@derived.invalid>"));
    }

    #[test]
    fn the_topmost_results_count() {
        let letter = read(
            "Received: by y\nAuthentication-Results: one;\n\tdkim=pass\nX: y\nAuthentication-results: two\nReceived: by x\nAuthentication-results: three\nX-Loop: a@b.test\nx-loop: c@d.test\n\n",
        );
        let [results, two] = letter.results.as_slice() else {
            panic!("{:?}", letter.results);
        };
        assert!(
            results.starts_with("one;") && results.ends_with("dkim=pass"),
            "{results}"
        );
        assert_eq!(two, "two");
        assert_eq!(letter.loops, ["a@b.test", "c@d.test"]);
        assert!(read("From: a@b.test\n\n").results.is_empty());
    }

    const BASE64: &str = "From: a@b.test\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n";

    /// Went wrong: nothing was decoded, so the opponent was sent the code of the writer.
    #[test]
    fn lines_in_base64_that_are_none_are_left_out() {
        let (one, two) = (
            "SGVsbG8gQmVuLApuPmc1ClRoYW5rcyBmb3IgdGhlIGdhbWUs",
            "IHdpdGggYSBrw7ZuaWcK",
        );
        let said = "Hello Ben,\nn>g5\nThanks for the game, with a könig\n";
        for body in [
            format!("{one}\n{two}\n"),
            format!("{one}\n{two}\n_______\nGames mailing list\nUnsubscribe\n"),
            format!("{one}\n{two}\n-- \nScanned\n"),
            format!("{one}\n{two}\n\n--\nabcdefgh\n"),
            format!("Warning: this is from outside!\n{one}\n{two}\n"),
            format!("[EXTERNAL]\n\n{one}\n*** no virus ***\n{two}\n").replace('\n', "\r\n"),
        ] {
            let letter = read(&format!("{BASE64}{body}"));
            assert_eq!(
                (letter.text.as_str(), letter.unread),
                (said, None),
                "{body}"
            );
            let parts = format!(
                "From: a@b.test\nContent-Type: multipart/alternative; boundary=x\n\n--x\n{}{body}--x\nContent-Type: text/html\n\n<p>n\n--x--\n",
                BASE64.split_once('\n').unwrap().1
            );
            let letter = read(&parts);
            assert_eq!(
                (letter.text.trim_end(), letter.unread),
                (said.trim_end(), None),
                "{parts}"
            );
        }
        // Where it is unclear what is data, nothing is read: half a text could mean something else.
        let odd = "SGVsbG8gQW5uYSwgSSBoYXZlIHRob3VnaHQgYWJvdXQgaXQgZm9yIHR3byBsb25nIGV2ZW";
        for body in [
            format!("{one}\n{two}\nGames list:\n{two}\n"),
            format!("{one}\n{one}\nGames list:\nList\n"),
            format!("{one}\nresign\n{two}\n"),
            format!("drawdraw\n{two}\n"),
            format!("{one}\n{two}\nIHdpdGggYSBrw7ZuaWcK\n__\n"),
            format!("{odd}\n{odd}\ncmVzaWduCg==\n_______\nGames list\n"),
            format!("WARNING\n!\n{one}\n"),
            "no data at all\nbut words\n".to_owned(),
            "%%%%\n".to_owned(),
        ] {
            let letter = read(&format!("{BASE64}{body}"));
            assert_eq!(
                (letter.text.as_str(), letter.unread),
                ("", Some(Excess::Encoding)),
                "{body}"
            );
        }
        let garbage = read(&format!("{BASE64}gICA\n!!\n"));
        assert_eq!(
            (garbage.text.as_str(), garbage.unread),
            ("", Some(Excess::Encoding))
        );
        let cut = format!(
            "From: a@b.test\nContent-Type: multipart/mixed; boundary=x\n\n--x\n{}{one}\n",
            BASE64.split_once('\n').unwrap().1
        );
        assert_eq!(read(&cut).unread, Some(Excess::Encoding));
        let old =
            "From: a@b.test\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n#86)C\n`\nend\n";
        assert_eq!(read(old).unread, Some(Excess::Encoding));
    }

    /// Went wrong: the writer was told that there is no move in the message.
    #[test]
    fn what_can_be_read_is_read_and_else_the_cause_is_named() {
        for kind in [
            "text",
            "text/markdown",
            "text/enriched; charset=utf-8",
            "TEXT/X-MARKDOWN",
        ] {
            let letter = read(&format!("From: a@b.test\nContent-Type: {kind}\n\nn>g5\n"));
            assert_eq!(
                (letter.text.as_str(), letter.unread),
                ("n>g5\n", None),
                "{kind}"
            );
        }
        let alternative = |plain: &str, html: &str| {
            read(&format!(
                "From: a@b.test\nContent-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\n{plain}\n\
                 --x\nContent-Type: text/html\n\n{html}\n--x--\n"
            ))
        };
        let html = "<div>n&gt;g5</div><div>Ben wrote:</div><blockquote type=cite>old</blockquote>";
        for plain in [
            "Ben wrote:\n> old",
            "> old",
            "On Friday, 20 November 2026,\nBen <b@b.test> wrote:\n\n> old\n",
            "This message is in HTML.",
        ] {
            let letter = alternative(plain, html);
            assert!(
                letter.text.starts_with("n>g5\n"),
                "{plain}: {}",
                letter.text
            );
        }
        let said = alternative("Thanks!\n> old", html);
        assert!(said.text.starts_with("Thanks!"), "{}", said.text);
        let quoted = alternative(
            "Ben wrote:\n> old",
            "<div>Ben wrote:</div><blockquote type=cite>old</blockquote>",
        );
        assert!(
            quoted.text.starts_with("Ben wrote:\n> old"),
            "{}",
            quoted.text
        );
        for (kind, expected) in [
            (
                "multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=x",
                Excess::Encrypted,
            ),
            (
                "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
                Excess::Encrypted,
            ),
            (
                "application/pkcs7-mime; smime-type=signed-data; name=smime.p7m",
                Excess::OpaqueSigned,
            ),
            ("application/ms-tnef; name=winmail.dat", Excess::Winmail),
            (
                "application/octet-stream; name=\"Winmail.dat\"",
                Excess::Winmail,
            ),
        ] {
            let letter = read(&format!(
                "From: a@b.test\nContent-Type: {kind}\n\n--x\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--x--\n"
            ));
            assert_eq!(
                (letter.text.as_str(), letter.unread),
                ("", Some(expected)),
                "{kind}"
            );
        }
    }

    #[test]
    fn ids_in_encoded_words_are_read() {
        for field in [
            "=?utf-8?Q?=3Cm3.abc=40example.org=3E?=",
            "=?utf-8?B?PG0zLmFiY0BleGFtcGxlLm9yZz4=?=",
            "=?us-ascii?Q?=3Cm3=2Eabc?=\n =?us-ascii?Q?=40example=2Eorg=3E?=",
        ] {
            let letter = read(&format!("From: a@b.test\nIn-Reply-To: {field}\n\nn>g5\n"));
            let parent = letter.parent.as_ref().map(MessageId::as_str);
            assert_eq!(parent, Some("<m3.abc@example.org>"), "{field}");
            assert_eq!(letter.cites.len(), 1, "{field}");
            assert_eq!(letter.cites[0].as_str(), "<m3.abc@example.org>", "{field}");
            let letter = read(&format!(
                "From: a@b.test\nReferences: <x@y.test>\n {field}\n\nn>g5\n"
            ));
            assert_eq!(letter.references.len(), 2, "{field}");
            let parent = letter.parent.as_ref().map(MessageId::as_str);
            assert_eq!(parent, Some("<m3.abc@example.org>"), "{field}");
        }
    }

    #[test]
    fn a_reaction_says_nothing_even_if_words_stand_beside_it() {
        let gmail = "From: a@b.test\nContent-Type: multipart/alternative; boundary=x\n\n\
            --x\nContent-Type: text/plain\n\nAnna reacted via Gmail\n\
            --x\nContent-Type: text/vnd.google.email-reaction+json\n\n{\"version\":1,\"emoji\":\"+\"}\n\
            --x\nContent-Type: text/html\n\n<p>Anna reacted</p>\n--x--\n";
        assert_eq!(read(gmail).machine, Some(Automated::Reaction));
    }

    #[test]
    fn japanese_without_its_charset_is_decoded() {
        let text = "From: a@b.test\n\n\u{1b}$B=V\u{1b}(B n>g5\n";
        assert!(read(text).text.ends_with(" n>g5\n") && !read(text).text.contains('\u{1b}'));
    }

    #[test]
    fn the_plain_part_is_the_text() {
        let letter = read(
            "From: a@b.test\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=x\n\n\
             --x\nContent-Type: text/plain\n\nn>g5\n--x\nContent-Type: text/html\n\n<p>n&gt;f6</p>\n--x--\n",
        );
        assert_eq!((letter.text.trim(), letter.unread), ("n>g5", None));
    }

    #[test]
    fn html_is_read_where_there_is_no_plain_text() {
        let read = |rest: &str| {
            let letter = read(&format!("From: a@b.test\nMIME-Version: 1.0\n{rest}"));
            (letter.text.trim().to_owned(), letter.unread)
        };
        let html = "Content-Type: text/html\n\n<p>n&gt;f6</p>\n";
        let related = |inner: &str| {
            format!(
                "Content-Type: multipart/related; boundary=r\n\n--r\n{inner}\n\
                 --r\nContent-Type: image/png; name=x.png\nContent-ID: <x>\n\nx\n--r--\n"
            )
        };
        let alternative = |plain: &str, html: &str| {
            format!(
                "Content-Type: multipart/alternative; boundary=a\n\n\
                 --a\nContent-Type: text/plain\n\n{plain}\n--a\n{html}\n--a--\n"
            )
        };
        for (rest, expected) in [
            (html.to_owned(), "n>f6"),
            (related(html), "n>f6"),
            (related(&alternative("n>g5", html)), "n>g5"),
            (alternative("n>g5", &related(html)), "n>g5"),
            (alternative("\n \n", html), "n>f6"),
            (alternative("\n", &related(html)), "n>f6"),
        ] {
            assert_eq!(read(&rest), (expected.to_owned(), None), "{rest}");
        }
        let deep = html.replace("<p>", &"<div>".repeat(5000));
        assert_eq!(read(&deep), (String::new(), Some(Excess::HtmlDepth)));
    }

    #[test]
    fn one_text_file_is_read_where_there_is_no_text() {
        let file =
            "--x\nContent-Type: text/plain; name=a.txt\nContent-Disposition: attachment\n\nn>g5\n";
        let image =
            "--x\nContent-Type: image/png; name=a.png\nContent-Disposition: attachment\n\nn>g5\n";
        let empty = "--x\nContent-Type: text/plain\n\n\n";
        for (parts, expected) in [
            (vec![empty, file], "n>g5\u{fdd1}"),
            (vec![file], "n>g5\u{fdd1}"),
            (vec![empty, image, file], "n>g5\u{fdd1}"),
            (vec![empty, file, file], ""),
            (vec![empty, image], ""),
        ] {
            let letter = read(&format!(
                "From: a@b.test\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n{}--x--\n",
                parts.concat()
            ));
            assert_eq!(letter.text.trim(), expected, "{parts:?}");
        }
    }

    /// Went wrong: a text with a file's name counted as the sender's words, beside a text of hers.
    #[test]
    fn a_text_with_a_files_name_is_doubtful() {
        let own = "--x\nContent-Type: text/plain\n\nYes!\n";
        for head in [
            "Content-Type: text/plain; name=a.txt",
            "Content-Type: text/plain\nContent-Disposition: inline; filename=a.txt",
        ] {
            let file = format!("--x\n{head}\n\nresign\n");
            for parts in [format!("{file}{own}"), format!("{own}{file}"), file.clone()] {
                let letter = read(&format!(
                    "From: a@b.test\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n{parts}--x--\n"
                ));
                assert!(!letter.text.lines().any(|line| line == "resign"), "{parts}");
            }
        }
    }

    /// Went wrong: a second plain text, which no program shows, was read as the sender's.
    #[test]
    fn one_plain_text_of_alternatives_is_read() {
        let alternative = |parts: &str| {
            format!("Content-Type: multipart/alternative; boundary=a\n\n{parts}--a--\n")
        };
        let plain = |text: &str| format!("--a\nContent-Type: text/plain\n\n{text}\n");
        let html = "--a\nContent-Type: text/html\n\n<p>n&gt;f6</p>\n";
        let mixed = |text: &str| {
            format!(
                "--a\nContent-Type: multipart/mixed; boundary=m\n\n--m\nContent-Type: text/plain\n\n{text}\n--m--\n"
            )
        };
        for (parts, expected) in [
            (plain("hello") + &plain("resign") + html, "hello"),
            (plain("hello") + html + &plain("resign"), "hello"),
            (plain("hello") + &mixed("resign"), "hello"),
            (mixed("hello") + &plain("resign"), "hello"),
            (plain("") + &plain("resign") + html, "n>f6"),
            (plain("") + &plain("resign"), ""),
        ] {
            let letter = read(&format!(
                "From: a@b.test\nMIME-Version: 1.0\n{}",
                alternative(&parts)
            ));
            assert_eq!(letter.text.trim(), expected, "{parts}");
        }
    }

    /// Nobody can write the mark of doubt, or hide words from what compares them.
    #[test]
    fn noncharacters_are_dropped() {
        let text = "n\u{fdd1}>g5\u{fdd1}\n> a\u{ffff}\u{fdd0}b\n";
        let header =
            "From: a@b.test\nMIME-Version: 1.0\nContent-Transfer-Encoding: 8bit\nContent-Type:";
        let plain = read(&format!("{header} text/plain; charset=utf-8\n\n{text}"));
        assert_eq!(plain.text, "n>g5\n> ab\n");
        let html = read(&format!(
            "{header} text/html; charset=utf-8\n\n<p>n\u{fdd1}&gt;g5&#xfdd1;</p>&#xffff;"
        ));
        assert_eq!(html.text.trim(), "n>g5");
    }

    #[test]
    fn attachments_are_not_read() {
        let letter = read(
            "From: a@b.test\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n\
             --x\nContent-Type: text/plain\n\nhello\n\
             --x\nContent-Type: text/plain; name=a.txt\nContent-Disposition: attachment\n\nn>g5\n\
             --x\nContent-Type: message/rfc822\n\nFrom: c@d.test\n\nn>f6\n--x--\n",
        );
        assert_eq!(letter.text.trim(), "hello");
    }

    #[test]
    fn flowed_text_is_joined_where_it_says_so() {
        let flowed = "From: a@b.test\nMIME-Version: 1.0\nContent-Type: text/plain; format=flowed; delsp=yes\n\nn> \ng5\n";
        assert_eq!(read(flowed).text, "n>g5\n");
        let fixed = flowed.replace("; format=flowed; delsp=yes", "");
        assert_eq!(read(&fixed).text, "n> \ng5\n");
    }

    #[test]
    fn bytes_that_are_no_message_are_refused_without_panic() {
        for bytes in [&b""[..], b"\n\n\n", b"\0\x01\x02\xff", b"\xff\xfe", b"   "] {
            assert_eq!(parse(bytes), Err(ParseMessageError::NoHeader), "{bytes:?}");
        }
    }

    #[test]
    fn a_subject_is_one_line_without_control_characters() {
        let letter = read("From: a@b.test\nSubject: =?utf-8?q?a=0D=0AX:_b=1B[2J?=\n c\n\n");
        assert_eq!(letter.subject, "a X: b [2J c");
        let letter = read("From: a@b.test\nSubject: =?utf-8?q?a=EF=B7=91=EF=BF=BFb?=\n\n");
        assert_eq!(letter.subject, "ab");
    }
}
