//! The text of a message as its sender saw it.
//!
//! Uses the plain text, or the HTML if there is none. Attachments are not read,
//! except for the only text file attached to a message without text. What is left of our
//! own HTML is removed.

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use crate::inbound::{flowed, html, own_html};
use crate::limits::{self, Excess};
use crate::render::page::{MARK as PAGE_MARK, START as PAGE_START};

/// The text of a message.
#[derive(Default)]
pub(super) struct Body {
    /// The text, with `\n` line ends.
    pub(super) text: String,
    /// The number of its line ends.
    lines: usize,
    /// The limit that it exceeds; the text is empty then.
    pub(super) unread: Option<Excess>,
}

/// Reads the text of a message.
#[must_use]
pub(super) fn read(message: &Message<'_>) -> Body {
    let mut body = Body::default();
    let is_said = |part: &&MessagePart<'_>| !is_reaction(part);
    let mut read = body.add_all(message.text_bodies().filter(is_said));
    if read.is_ok() && body.is_blank() {
        // The plain alternative is empty. If it is the only one, the parser returns
        // it as the HTML, too.
        let is_html = |part: &&MessagePart<'_>| matches!(part.body, PartType::Html(_));
        read = body.add_all(message.html_bodies().filter(is_said).filter(is_html));
    }
    if read.is_ok() && body.is_blank() {
        let files = message.attachments().filter(is_said);
        let mut files = files.filter(|part| is_text_file(part));
        if let (Some(file), None) = (files.next(), files.next()) {
            read = body.add(file);
        }
    }
    match read {
        Ok(()) => Body {
            text: own_html::without(body.text),
            ..body
        },
        // Half a text could mean something else than the whole.
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
            PartType::Html(source) if is_page(source) => return Ok(()),
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

/// Returns the text of one plain part as its sender saw it.
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

/// Returns true for a page of ours, which a program may have brought back without saying
/// that it is attached: nobody writes in it.
fn is_page(source: &str) -> bool {
    source.trim_start().starts_with(PAGE_START) && source.contains(PAGE_MARK)
}

/// Returns true if the part is a reaction to another message, such as an emoji
/// (RFC 9078).
pub(super) fn is_reaction(part: &MessagePart<'_>) -> bool {
    let disposition = part.content_disposition();
    disposition.is_some_and(|is| is.ctype().eq_ignore_ascii_case("reaction"))
}

/// Returns true if an attachment is plain text, not a signature, a calendar or a table.
fn is_text_file(part: &MessagePart<'_>) -> bool {
    let is_plain = part
        .content_type()
        .is_none_or(|kind| kind.ctype() == "text" && kind.subtype() == Some("plain"));
    is_plain && matches!(part.body, PartType::Text(_))
}
