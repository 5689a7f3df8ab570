//! Which part of a message is its text, and that text as its sender saw it.
//!
//! The plain text counts where there is one, and HTML where there is not.
//! Attachments are not read, except that a message without any text of its own
//! may bring it in the one text file attached.

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use super::{flowed, html};

/// The text of a message.
#[derive(Default)]
pub(super) struct Body {
    /// The text, with `\n` line ends.
    pub(super) text: String,
    /// Whether there is text that could not be read.
    pub(super) is_unread: bool,
}

/// The text of a message.
#[must_use]
pub(super) fn read(message: &Message<'_>) -> Body {
    let mut body = Body::default();
    message.text_bodies().for_each(|part| body.add(part));
    if body.is_blank() {
        // The plain alternative was an empty one.
        message.html_bodies().for_each(|part| body.add(part));
    }
    if body.is_blank() {
        let mut files = message.attachments().filter(|part| is_text_file(part));
        if let (Some(file), None) = (files.next(), files.next()) {
            body.add(file);
        }
    }
    body
}

impl Body {
    fn is_blank(&self) -> bool {
        self.text.chars().all(char::is_whitespace)
    }

    fn add(&mut self, part: &MessagePart<'_>) {
        let text = match &part.body {
            PartType::Text(text) => Some(plain(part, text)),
            PartType::Html(source) => html::text(source),
            _ => return,
        };
        let Some(text) = text else {
            self.is_unread = true;
            return;
        };
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(&text);
    }
}

/// The text of one plain part as its sender saw it.
fn plain(part: &MessagePart<'_>, body: &str) -> String {
    let body = body.replace("\r\n", "\n").replace('\r', "\n");
    let says = |name, value: &str| {
        part.content_type()
            .and_then(|kind| kind.attribute(name))
            .is_some_and(|found| found.eq_ignore_ascii_case(value))
    };
    if says("format", "flowed") {
        flowed::unflow(&body, says("delsp", "yes"))
    } else {
        body
    }
}

/// Whether a part is a plain text that was attached: not a signature, a
/// calendar or a table.
fn is_text_file(part: &MessagePart<'_>) -> bool {
    let is_plain = part
        .content_type()
        .is_none_or(|kind| kind.ctype() == "text" && kind.subtype() == Some("plain"));
    is_plain && matches!(part.body, PartType::Text(_))
}
