//! The text of a message as its sender saw it.
//!
//! Uses the plain text, or the HTML if there is none; of alternatives with several, the
//! first. Attachments are not read, except for the only text file attached to a message
//! without text. It may be anybody's, so its lines are doubtful. What is left of our own
//! HTML is removed.

use std::collections::HashSet;

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use crate::inbound::{flowed, html, own_html};
use crate::limits::{self, Excess};
use crate::quoting::doubt;
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
    let is_plain = |part: &MessagePart<'_>| matches!(part.body, PartType::Text(_));
    let spare = further_alternatives(message, is_plain);
    let plain = message.text_body.iter().filter(|id| !spare.contains(id));
    let plain = plain.filter_map(|id| message.part(*id));
    let mut read = body.add_all(plain.filter(is_said));
    if read.is_ok() && body.is_blank() {
        // The plain alternative is empty. If it is the only one, the parser returns
        // it as the HTML, too.
        let is_html = |part: &&MessagePart<'_>| matches!(part.body, PartType::Html(_));
        read = body.add_all(message.html_bodies().filter(is_said).filter(is_html));
    }
    if read.is_ok() && body.is_blank() {
        let files = message.attachments.iter().filter(|id| !spare.contains(id));
        let files = files.filter_map(|id| message.part(*id)).filter(is_said);
        let mut files = files.filter(|part| is_text_file(part));
        if let (Some(file), None) = (files.next(), files.next()) {
            read = body.add(file);
            if is_attached(file) {
                body.text = doubt::doubted(&body.text);
            }
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

/// Returns the parts that are alternatives to one with such a part before them. No
/// program shows them.
fn further_alternatives(
    message: &Message<'_>,
    is_meant: impl Fn(&MessagePart<'_>) -> bool,
) -> HashSet<u32> {
    let parts_of = |id: u32| {
        let part = message.part(id);
        match part.map(|part| &part.body) {
            Some(PartType::Multipart(parts)) => parts.as_slice(),
            _ => &[],
        }
    };
    // Children have higher numbers than the parts that hold them.
    let ids = 0..u32::try_from(message.parts.len()).unwrap_or(u32::MAX);
    let mut has_meant: HashSet<u32> = HashSet::new();
    for id in ids.clone().rev() {
        let mut parts = parts_of(id).iter();
        if message.part(id).is_some_and(&is_meant) || parts.any(|part| has_meant.contains(part)) {
            has_meant.insert(id);
        }
    }
    let mut further = HashSet::new();
    for id in ids {
        let is_alternative = message
            .part(id)
            .and_then(|part| part.content_type())
            .is_some_and(|kind| kind.subtype() == Some("alternative"));
        let mut has_first = further.contains(&id);
        for part in parts_of(id) {
            if has_first {
                further.insert(*part);
            }
            has_first |= is_alternative && has_meant.contains(part);
        }
    }
    further
}

/// Returns the text of one plain part as its sender saw it.
fn plain(part: &MessagePart<'_>, body: &str) -> String {
    let body = doubt::without_noncharacters(body);
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

/// Returns true if a part says that it is a file. The text of a message whose end is cut
/// off does not.
fn is_attached(part: &MessagePart<'_>) -> bool {
    let is_file = part
        .content_disposition()
        .is_some_and(|is| is.ctype().eq_ignore_ascii_case("attachment"));
    is_file || part.attachment_name().is_some()
}

/// Returns true if an attachment is plain text, not a signature, a calendar or a table.
fn is_text_file(part: &MessagePart<'_>) -> bool {
    let is_plain = part
        .content_type()
        .is_none_or(|kind| kind.ctype() == "text" && kind.subtype() == Some("plain"));
    is_plain && matches!(part.body, PartType::Text(_))
}
