//! Which part of a message is its text, and that text as its sender saw it.
//!
//! The plain text counts where there is one, and HTML where there is not.
//! Attachments are not read, except that a message without any text of its own
//! may bring it in the one text file attached.

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use crate::inbound::{flowed, html};
use crate::limits::{self, Excess};

/// The text of a message.
#[derive(Default)]
pub(super) struct Body {
    /// The text, with `\n` line ends.
    pub(super) text: String,
    /// How many line ends it has.
    lines: usize,
    /// Why it is not there, if it is too much to be read.
    pub(super) unread: Option<Excess>,
}

/// The text of a message.
#[must_use]
pub(super) fn read(message: &Message<'_>) -> Body {
    let mut body = Body::default();
    let mut read = body.add_all(message.text_bodies());
    if read.is_ok() && body.is_blank() {
        // The plain alternative was an empty one. Where there is no other, the
        // parser gives it as the HTML once more.
        let is_html = |part: &&MessagePart<'_>| matches!(part.body, PartType::Html(_));
        read = body.add_all(message.html_bodies().filter(is_html));
    }
    if read.is_ok() && body.is_blank() {
        let mut files = message.attachments().filter(|part| is_text_file(part));
        if let (Some(file), None) = (files.next(), files.next()) {
            read = body.add(file);
        }
    }
    match read {
        Ok(()) => body,
        // Half a text could say what the whole does not.
        Err(excess) => Body {
            unread: Some(excess),
            ..Body::default()
        },
    }
}

impl Body {
    fn is_blank(&self) -> bool {
        self.text.chars().all(char::is_whitespace)
    }

    fn add_all<'p>(
        &mut self,
        parts: impl Iterator<Item = &'p MessagePart<'p>>,
    ) -> Result<(), Excess> {
        let mut parts = parts;
        parts.try_for_each(|part| self.add(part))
    }

    fn add(&mut self, part: &MessagePart<'_>) -> Result<(), Excess> {
        let text = match &part.body {
            PartType::Text(text) if text.len() > limits::TEXT => return Err(Excess::Text),
            PartType::Text(text) => plain(part, text),
            PartType::Html(source) => html::text(source)?,
            _ => return Ok(()),
        };
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
            self.lines += 1;
        }
        self.lines += text.matches('\n').count();
        self.text.push_str(&text);
        if self.text.len() > limits::TEXT {
            return Err(Excess::Text);
        }
        if self.lines > limits::LINES {
            return Err(Excess::Lines);
        }
        Ok(())
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
