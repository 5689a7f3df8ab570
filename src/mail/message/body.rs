//! The text of a message as its sender saw it.
//!
//! Uses the plain text, or the HTML if there is none; of alternatives with several, the
//! first. Attachments are not read, except for the only text file attached to a message
//! without text. It may be anybody's, so its lines are doubtful. What is left of our own
//! HTML is removed.
//!
//! The parser of MIME has no limits: nested parts can exhaust the stack, and for each part
//! without an end it searches the rest of the message. So a check before it finds every
//! place where the parser can find a header: the beginning, the text after each boundary
//! that any header names, and the beginning of each message inside the message. Their
//! count is an upper bound of the number of parts.
//!
//! Of `format=flowed` (RFC 3676) only the paragraphs of the sender's own lines are joined
//! again. A quoted table or list is read line by line, and blanks that mail programs add or
//! remove there do not matter; a quoted line into which somebody typed an order must stay one
//! line.
//!
//! A mailing list may have put a whole letter into a message of its own: Mailman does so if its
//! `dmarc_moderation_action` is to wrap, with a text above and a footer below, or with neither.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::mem;

use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::parsers::MessageStream;
use mail_parser::{
    ContentType, GetHeader, HeaderName, HeaderValue, Message, MessageParser, MessagePart,
    MimeHeaders, PartType,
};
use regex::bytes::Regex;

use crate::limits::{self, Excess};
use crate::message::alternative::Alternative;
use crate::message::delivery_report::only;
use crate::message::html;
use crate::quoting::habits::HtmlHabits;
use crate::quoting::line;

/// The text of a message.
#[derive(Default)]
pub(super) struct Body {
    /// The text, with `\n` line ends.
    pub(super) text: String,
    /// The number of its line ends.
    lines: usize,
    /// True if foreign lines have been taken out of the message.
    is_repaired: bool,
    /// The limit that it exceeds; the text is empty then.
    pub(super) unread: Option<Excess>,
}

/// Reads the text of a message. `is_repaired` is true if foreign lines have been taken out of it.
#[must_use]
pub(super) fn read(message: &Message<'_>, habits: &HtmlHabits, is_repaired: bool) -> Body {
    let empty = || Body {
        is_repaired,
        ..Body::default()
    };
    let mut body = empty();
    let is_said = |part: &&MessagePart<'_>| !is_reaction(part);
    let is_plain = |part: &MessagePart<'_>| matches!(part.body, PartType::Text(_));
    let spare = further_alternatives(message, is_plain);
    let plain = message.text_body.iter().filter(|id| !spare.contains(id));
    let plain = plain.filter_map(|id| message.part(*id));
    let mut plain = plain.filter(is_said);
    let mut read = plain.try_for_each(|part| body.add(part, habits));
    if read.is_ok() && !body.is_blank() {
        body.compare_with_html(message, habits);
    }
    // Some programs write the answer into the HTML alone.
    let is_kept = read.is_ok() && !body.is_blank() && body.has_only_quotations(habits);
    let kept = is_kept.then(|| mem::replace(&mut body, empty()));
    if read.is_ok() && body.is_blank() {
        // The plain alternative is empty. If it is the only one, the parser returns
        // it as the HTML, too.
        let is_html = |part: &&MessagePart<'_>| matches!(part.body, PartType::Html(_));
        let mut html = message.html_bodies().filter(is_said).filter(is_html);
        read = html.try_for_each(|part| body.add(part, habits));
    }
    if let Some(kept) = kept
        && read.is_ok()
        && (body.is_blank() || body.has_only_quotations(habits))
    {
        body = kept;
    }
    if read.is_ok() && body.is_blank() {
        let files = message.attachments.iter().filter(|id| !spare.contains(id));
        let files = files.filter_map(|id| message.part(*id)).filter(is_said);
        let mut files = files.filter(|part| is_text_file(part));
        if let (Some(file), None) = (files.next(), files.next()) {
            read = body.add(file, habits);
        }
    }
    if read.is_ok() && body.is_encrypted() {
        read = Err(Excess::Encrypted);
    }
    if read.is_ok() && body.is_blank() {
        read = match unreadable(message) {
            None if body.is_repaired => Err(Excess::Encoding),
            None => Ok(()),
            Some(excess) => Err(excess),
        };
    }
    match read {
        Ok(()) => Body {
            text: (habits.without)(body.text),
            ..body
        },
        // Half a text could mean something else than the whole.
        Err(excess) => Body::unread(excess),
    }
}

impl Body {
    /// Returns a text that is not read.
    pub(super) fn unread(excess: Excess) -> Body {
        Body {
            unread: Some(excess),
            ..Body::default()
        }
    }

    /// Compares a text that may have an order with its HTML.
    fn compare_with_html(&mut self, message: &Message<'_>, habits: &HtmlHabits) {
        if self.text.lines().any(habits.is_order)
            && let Some(html) = Alternative::of(message, habits)
        {
            self.text = html.doubted(&html.joined(&self.text), habits);
        }
    }

    /// Returns true if the text says nothing beside what it quotes: no more than who wrote that, or
    /// that the message is in HTML.
    fn has_only_quotations(&self, habits: &HtmlHabits) -> bool {
        let own = self.text.lines().map(str::trim);
        let own = own.filter(|line| !line.is_empty() && !line.starts_with('>'));
        let own: Vec<&str> = own.take(1 + MOST_OF_ATTRIBUTION).collect();
        let Some((last, above)) = own.split_last() else {
            return true;
        };
        // An attribution may be wrapped behind its date or before an address.
        let goes_on =
            |line: &&str| !(habits.is_order)(line) && (line.ends_with(',') || line.contains('@'));
        let says_html = above.is_empty() && last.to_lowercase().contains("html");
        let is_attribution = last.ends_with(':') && above.iter().all(goes_on);
        own.len() <= MOST_OF_ATTRIBUTION && (says_html || is_attribution)
    }

    /// Returns true if the text begins with an encrypted one (RFC 4880, 6.2).
    fn is_encrypted(&self) -> bool {
        let mut lines = self.text.lines().map(str::trim);
        lines.find(|line| !line.is_empty()) == Some("-----BEGIN PGP MESSAGE-----")
    }

    fn is_blank(&self) -> bool {
        self.text.chars().all(char::is_whitespace)
    }

    fn add(&mut self, part: &MessagePart<'_>, habits: &HtmlHabits) -> Result<(), Excess> {
        let text = match &part.body {
            PartType::Text(text) if text.len() > limits::TEXT => return Err(Excess::Text),
            PartType::Text(text) => plain(part, text),
            PartType::Html(source) if (habits.is_page)(source) => return Ok(()),
            PartType::Html(source) => html::text(source, habits)?,
            _ => return Ok(()),
        };
        let is_doubtful = self.is_repaired && is_in_base64(part);
        if is_undecoded(part) || is_doubtful && text.contains(char::REPLACEMENT_CHARACTER) {
            return Err(Excess::Encoding);
        }
        // A file may have come with the message that is answered.
        let text = if is_attached(part) {
            line::doubted(&text)
        } else {
            text
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

/// The most lines of an attribution.
const MOST_OF_ATTRIBUTION: usize = 3;

/// Returns why a message without a text may have one all the same, that is not read.
fn unreadable(message: &Message<'_>) -> Option<Excess> {
    message.parts.iter().find_map(|part| {
        let kind = part.content_type()?;
        let subtype = kind.subtype()?.to_ascii_lowercase();
        let is_file = |name: &str| name.eq_ignore_ascii_case("winmail.dat");
        match (kind.ctype(), subtype.as_str()) {
            ("multipart", "encrypted") => Some(Excess::Encrypted),
            ("application", "pkcs7-mime" | "x-pkcs7-mime") => {
                let content = kind.attribute("smime-type").unwrap_or_default();
                let is_signed = content.eq_ignore_ascii_case("signed-data");
                Some(if is_signed {
                    Excess::OpaqueSigned
                } else {
                    Excess::Encrypted
                })
            }
            ("application", "ms-tnef" | "vnd.ms-tnef") => Some(Excess::Winmail),
            _ => part
                .attachment_name()
                .filter(|name| is_file(name))
                .map(|_| Excess::Winmail),
        }
    })
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
    let body = without_escapes(part, body);
    let body = line::without_noncharacters(&body);
    // Some gateways write each carriage return twice.
    let body = body.replace("\r\r\n", "\n");
    let body = body.replace("\r\n", "\n").replace('\r', "\n");
    let says = |name, value: &str| {
        part.content_type()
            .and_then(|kind| kind.attribute(name))
            .is_some_and(|found| found.eq_ignore_ascii_case(value))
    };
    if says("format", "flowed") {
        unflow(&body, says("delsp", "yes"))
    } else {
        body
    }
}

/// Decodes a text in ISO-2022-JP that does not say so. Nothing else has its escapes (RFC 1468).
fn without_escapes<'t>(part: &MessagePart<'_>, text: &'t str) -> Cow<'t, str> {
    const ESCAPES: [&str; 2] = ["\u{1b}$B", "\u{1b}$@"];
    let says_charset = |kind: &ContentType<'_>| {
        let charset = kind.attribute("charset");
        charset.is_some_and(|charset| !charset.eq_ignore_ascii_case("us-ascii"))
    };
    let is_told = part.content_type().is_some_and(says_charset);
    match charset_decoder(b"iso-2022-jp") {
        Some(decode)
            if !is_told && text.is_ascii() && ESCAPES.iter().any(|it| text.contains(it)) =>
        {
            Cow::Owned(decode(text.as_bytes()))
        }
        _ => Cow::Borrowed(text),
    }
}

/// Returns true if the transfer encoding of a part could not be undone, so that its text is
/// still encoded.
fn is_undecoded(part: &MessagePart<'_>) -> bool {
    let encoding = part.content_transfer_encoding().unwrap_or_default().trim();
    let is = |name: &&str| encoding.eq_ignore_ascii_case(name);
    let is_old = ["x-uuencode", "uuencode", "x-uue"].iter().any(is);
    is_old || part.is_encoding_problem && is_in_base64(part)
}

fn is_in_base64(part: &MessagePart<'_>) -> bool {
    let encoding = part.content_transfer_encoding();
    encoding.is_some_and(|name| name.trim().eq_ignore_ascii_case("base64"))
}

/// Removes from texts in Base64 the lines that are not Base64: footers of mailing lists and notes of
/// virus checkers, which RFC 2045, 6.8 tells a reader to ignore. Removes the whole line, even if some
/// of its letters could be Base64. The message must be within the limits.
///
/// # Errors
///
/// If it is unclear which lines are Base64: half a text could mean something else than the whole.
pub(super) fn without_foreign_lines(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Excess> {
    // Most messages have no such part, and are parsed but once.
    let is_named = |name: &[u8]| name.eq_ignore_ascii_case(b"base64");
    if !bytes.windows(b"base64".len()).any(is_named) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut ranges = Vec::new();
    if let Some(message) = MessageParser::default().parse(bytes) {
        encoded_texts(&message, &mut ranges);
    }
    ranges.sort_unstable();
    let (mut kept, mut end) = (Vec::new(), 0);
    for (start, stop) in ranges {
        let start = start.max(end);
        // A longer text is refused.
        let body = bytes.get(start..stop);
        let body = body.filter(|body| body.len() <= 2 * limits::TEXT);
        if let Some(data) = body.map(base64_lines).transpose()?.flatten() {
            kept.extend_from_slice(&bytes[end..start]);
            kept.extend_from_slice(&data);
            end = stop;
        }
    }
    if end == 0 {
        return Ok(Cow::Borrowed(bytes));
    }
    kept.extend_from_slice(&bytes[end..]);
    Ok(Cow::Owned(kept))
}

/// Finds the bodies of the texts in Base64, also of those in messages within the message.
fn encoded_texts(message: &Message<'_>, ranges: &mut Vec<(usize, usize)>) {
    for part in &message.parts {
        let is_text = || matches!(part.body, PartType::Text(_) | PartType::Html(_));
        if let PartType::Message(within) = &part.body {
            encoded_texts(within, ranges);
        } else if is_in_base64(part) && is_text() {
            let range = (part.raw_body_offset(), part.raw_end_offset());
            ranges.push((range.0 as usize, range.1 as usize));
        }
    }
}

/// The fewest signs of a line of Base64 that is no word, if it has no padding.
const LONGER_THAN_WORDS: usize = 16;

/// Returns the Base64 lines of a body, up to a line of dashes; none if the body has no other lines.
///
/// # Errors
///
/// If a line may be either a word or Base64. All lines of Base64 but the last have the same length.
fn base64_lines(body: &[u8]) -> Result<Option<Vec<u8>>, Excess> {
    let is_data = |line: &[u8]| {
        let signs = line.iter().rposition(|sign| *sign != b'=');
        let mut signs = line[..signs.map_or(0, |at| at + 1)].iter();
        signs.all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, b'+' | b'/'))
    };
    let is_padded = |line: &[u8]| line.ends_with(b"=");
    let lines = body.split_inclusive(|byte| *byte == b'\n');
    let lines: Vec<(&[u8], &[u8])> = lines.map(|line| (line, line.trim_ascii())).collect();
    let padded = lines.iter().position(|(_, data)| is_padded(data));
    let below = padded.map_or(lines.len(), |at| at + 1);
    let is_word_below = lines[below..].iter().any(|(_, data)| data.len() % 4 != 0);
    // A word among the lines has another length. Only the last line may be shorter.
    let lengths = lines[..below].iter().map(|(_, data)| data.len());
    let lengths: Vec<usize> = lengths.filter(|length| *length > 0).collect();
    let is_even = lengths.split_last().is_none_or(|(last, above)| {
        let mut above = above.iter();
        let first = above.next().unwrap_or(last);
        last <= first && above.all(|length| length == first)
    });
    if !is_word_below && is_even && lines.iter().all(|(_, data)| is_data(data)) {
        return Ok(None);
    }
    let mut kept = Vec::new();
    let (mut length, mut is_apart, mut has_ended) = (None, false, false);
    for (line, data) in lines
        .iter()
        .take_while(|(line, _)| !line.starts_with(b"--"))
    {
        if data.is_empty() || !is_data(data) {
            is_apart = true;
            continue;
        }
        let may_be_word = data.len() < LONGER_THAN_WORDS && !is_padded(data);
        if has_ended && is_apart && may_be_word {
            continue;
        }
        let length = *length.get_or_insert(data.len());
        let fits = data.len() <= length && data.len() % 4 == 0;
        if has_ended || !fits || may_be_word && (is_apart || kept.is_empty()) {
            return Err(Excess::Encoding);
        }
        kept.extend_from_slice(line);
        has_ended = is_padded(data) || data.len() < length;
        is_apart = false;
    }
    if body.ends_with(b"\n") && !kept.ends_with(b"\n") {
        kept.push(b'\n');
    }
    Ok(Some(kept))
}

/// Returns true if the part is a reaction to another message, such as an emoji
/// (RFC 9078).
pub(super) fn is_reaction(part: &MessagePart<'_>) -> bool {
    let disposition = part.content_disposition();
    disposition.is_some_and(|is| is.ctype().eq_ignore_ascii_case("reaction"))
}

/// Returns true if the part says that the message is a reaction. Gmail sends one beside words for
/// the programs that do not know it.
pub(super) fn is_of_reaction(part: &MessagePart<'_>) -> bool {
    let kind = part.content_type().and_then(|kind| kind.subtype());
    kind.is_some_and(|kind| kind.eq_ignore_ascii_case("vnd.google.email-reaction+json"))
}

/// Returns true if a part says that it is a file. The text of a message whose end is cut
/// off does not.
fn is_attached(part: &MessagePart<'_>) -> bool {
    let is_file = part
        .content_disposition()
        .is_some_and(|is| is.ctype().eq_ignore_ascii_case("attachment"));
    is_file || part.attachment_name().is_some()
}

/// Returns true if a part is plain text, not a signature, a calendar or a table. Other kinds of text
/// for people are read as if they were plain (RFC 2046, 4.1.4), and so is one that is not named
/// (RFC 2045, 5.2).
fn is_text_file(part: &MessagePart<'_>) -> bool {
    const FOR_PEOPLE: [&str; 5] = ["plain", "markdown", "x-markdown", "enriched", "richtext"];
    let is_of_people = |kind: &str| {
        FOR_PEOPLE
            .iter()
            .any(|known| kind.eq_ignore_ascii_case(known))
    };
    let is_plain = part
        .content_type()
        .is_none_or(|kind| kind.ctype() == "text" && kind.subtype().is_none_or(is_of_people));
    is_plain && matches!(part.body, PartType::Text(_))
}

/// Joins flowed lines outside quotations; with `delsp` the blank before each break
/// is removed.
#[must_use]
pub(super) fn unflow(text: &str, delsp: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open = false;
    for line in text.split_inclusive('\n') {
        let (line, end) = line
            .strip_suffix('\n')
            .map_or((line, ""), |line| (line, "\n"));
        if line.starts_with('>') || line == "-- " {
            // A quotation or a signature ends the paragraph.
            if open {
                out.push('\n');
            }
            out.push_str(line);
            out.push_str(end);
            open = false;
            continue;
        }
        // Removes the blank that hides a ">" or "From ", but not before ">", which
        // would look like a quotation.
        let line = match line.strip_prefix(' ') {
            Some(rest) if !rest.starts_with('>') => rest,
            _ => line,
        };
        open = line.ends_with(' ') && end == "\n";
        if open {
            out.push_str(if delsp { &line[..line.len() - 1] } else { line });
        } else {
            out.push_str(line);
            out.push_str(end);
        }
    }
    out
}

/// Checks a message.
///
/// # Errors
///
/// The first limit that it exceeds.
pub(super) fn check(message: &[u8]) -> Result<(), Excess> {
    measure(message).map(|_| ())
}

/// Measures a message. Returns an upper bound of the number of parts, and how many of
/// them can contain others.
fn measure(message: &[u8]) -> Result<(usize, usize), Excess> {
    if message.len() > limits::MESSAGE {
        return Err(Excess::Message);
    }
    let mut scan = Scan {
        message,
        headers: vec![0],
        boundaries: BTreeSet::new(),
        containers: 0,
        has_digest: false,
        bare: Vec::new(),
    };
    let parts = scan.walk()?;
    Ok((parts, scan.containers))
}

struct Scan<'m> {
    message: &'m [u8],
    /// Offsets of headers that are still to be scanned.
    headers: Vec<usize>,
    /// The boundaries that have been searched for.
    boundaries: BTreeSet<Vec<u8>>,
    /// The number of parts that contain others.
    containers: usize,
    /// True if there is a digest, whose parts without a type are messages.
    has_digest: bool,
    /// The parts without a type: the offset of their contents, and true if the contents
    /// are encoded.
    bare: Vec<(usize, bool)>,
}

impl Scan<'_> {
    /// Scans all headers and returns their number.
    fn walk(&mut self) -> Result<usize, Excess> {
        let mut seen = BTreeSet::new();
        loop {
            while let Some(at) = self.headers.pop() {
                if seen.insert(at) {
                    self.header(at)?;
                }
                if seen.len() > limits::PARTS {
                    return Err(Excess::Parts);
                }
            }
            if !self.has_digest || self.bare.is_empty() {
                return Ok(seen.len());
            }
            for (contents, is_encoded) in std::mem::take(&mut self.bare) {
                self.message_within(contents, is_encoded)?;
            }
        }
    }

    /// Scans the header at an offset.
    fn header(&mut self, at: usize) -> Result<(), Excess> {
        let header = header(&self.message[at..])?;
        let mut stream = MessageStream::new(header);
        let mut fields = Vec::new();
        stream.parse_headers(&MessageParser::default(), &mut fields);
        let contents = at + stream.offset();
        let is_encoded = match fields.header_value(&HeaderName::ContentTransferEncoding) {
            Some(HeaderValue::Text(encoding)) => ["base64", "quoted-printable"]
                .iter()
                .any(|name| encoding.eq_ignore_ascii_case(name)),
            _ => false,
        };
        let kind = fields
            .header_value(&HeaderName::ContentType)
            .and_then(HeaderValue::as_content_type);
        let Some(kind) = kind else {
            self.bare.push((contents, is_encoded));
            return Ok(());
        };
        match kind.ctype() {
            "multipart" => {
                self.has_digest |= kind.subtype() == Some("digest");
                self.contain()?;
                if let Some(boundary) = kind.attribute("boundary") {
                    self.look_for(boundary.as_bytes())?;
                }
                Ok(())
            }
            "message" => self.message_within(contents, is_encoded),
            _ => Ok(()),
        }
    }

    fn message_within(&mut self, contents: usize, is_encoded: bool) -> Result<(), Excess> {
        if is_encoded {
            return Err(Excess::EncodedMessage);
        }
        self.headers.push(contents);
        self.contain()
    }

    fn contain(&mut self) -> Result<(), Excess> {
        self.containers += 1;
        if self.containers > limits::CONTAINERS {
            return Err(Excess::Containers);
        }
        Ok(())
    }

    /// Notes a header after each occurrence of a boundary.
    fn look_for(&mut self, boundary: &[u8]) -> Result<(), Excess> {
        if boundary.is_empty() || !self.boundaries.insert(boundary.to_vec()) {
            return Ok(());
        }
        let bytes = boundary.iter().map(|byte| format!(r"\x{byte:02x}"));
        let pattern = format!("(?-u)--{}", bytes.collect::<String>());
        // A boundary too long for a pattern is longer than any line.
        let pattern = Regex::new(&pattern).map_err(|_| Excess::ContentField)?;
        for (count, found) in pattern.find_iter(self.message).enumerate() {
            if count > limits::PARTS {
                return Err(Excess::Parts);
            }
            let behind = &self.message[found.end()..];
            let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | 0x0c);
            let blanks = behind.iter().take_while(|byte| is_blank(byte)).count();
            let end = usize::from(behind.get(blanks) == Some(&b'\n'));
            self.headers.push(found.end() + blanks + end);
        }
        Ok(())
    }
}

/// Returns the header at the start of some bytes, up to and including the empty line.
fn header(bytes: &[u8]) -> Result<&[u8], Excess> {
    let (mut fields, mut words, mut end) = (0, 0, 0);
    let (mut length, mut is_content) = (0, false);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        if end > limits::HEADER {
            return Err(Excess::Header);
        }
        if line == b"\n" || line == b"\r\n" {
            break;
        }
        if line.len() > limits::HEADER_LINE {
            return Err(Excess::HeaderLine);
        }
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            fields += 1;
            (length, is_content) = (0, false);
        }
        length += line.len();
        is_content |= is_of_content(line);
        if is_content && length > limits::CONTENT_FIELD {
            return Err(Excess::ContentField);
        }
        words += line.windows(2).filter(|pair| pair == b"=?").count();
    }
    if fields > limits::FIELDS {
        return Err(Excess::Fields);
    }
    if words > limits::ENCODED_WORDS {
        return Err(Excess::EncodedWords);
    }
    Ok(&bytes[..end])
}

/// Returns true if the line begins with `Content-`. Like the parser, skips blanks and
/// colons.
fn is_of_content(line: &[u8]) -> bool {
    let is_passed = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b':';
    let name = line.iter().filter(|byte| !is_passed(byte)).take(8);
    name.map(u8::to_ascii_lowercase).eq(*b"content-")
}

/// Returns the bytes of the letter in a message that is one and nothing else, but for plain text.
/// The message must be within the limits.
pub(super) fn wrapped_letter(bytes: &[u8]) -> Option<Vec<u8>> {
    // Most messages have none, and are read but once.
    let is_named = bytes
        .windows(LETTER_TYPE.len())
        .any(|name| name.eq_ignore_ascii_case(LETTER_TYPE));
    if !is_named {
        return None;
    }
    let message = MessageParser::default().parse(bytes)?;
    match &letter_part(&message)?.body {
        PartType::Message(letter) => Some(letter.raw_message().to_vec()),
        _ => None,
    }
}

/// The type of a part that is a letter.
const LETTER_TYPE: &[u8] = b"message/rfc822";

/// Returns the part that has the letter.
fn letter_part<'m>(message: &'m Message<'m>) -> Option<&'m MessagePart<'m>> {
    let root = message.parts.first()?;
    let PartType::Multipart(parts) = &root.body else {
        return Some(root);
    };
    let is_mixed = root.content_type().and_then(|kind| kind.subtype());
    is_mixed.filter(|kind| kind.eq_ignore_ascii_case("mixed"))?;
    let parts = parts.iter().filter_map(|at| message.part(*at));
    only(parts.filter(|part| !matches!(part.body, PartType::Text(_))))
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use mail_parser::{Message, PartType};

    use super::*;

    #[test]
    fn own_paragraphs_are_joined() {
        let text = "1. ... n>g5 and \nthen we'll \nsee.\nBye\n";
        assert_eq!(
            unflow(text, false),
            "1. ... n>g5 and then we'll see.\nBye\n"
        );
    }

    #[test]
    fn delsp_takes_the_blank_away() {
        assert_eq!(unflow("ver- \nylong \nword\n", true), "ver-ylongword\n");
    }

    #[test]
    fn a_quoted_line_is_left_alone() {
        let text = "> 1.  P>e3    n>g5 \n> \nthanks\n";
        assert_eq!(unflow(text, false), text);
    }

    #[test]
    fn a_quotation_ends_an_open_paragraph() {
        assert_eq!(unflow("n>g5 \n> old\n", false), "n>g5 \n> old\n");
    }

    #[test]
    fn the_signature_line_is_no_flowed_line() {
        let text = "n>g5\n-- \nAnna\n";
        assert_eq!(unflow(text, false), text);
    }

    #[test]
    fn stuffing_goes() {
        assert_eq!(unflow(" From here\n", false), "From here\n");
        assert_eq!(unflow(" >g5\n", false), " >g5\n");
    }

    #[test]
    fn the_last_line_need_not_end() {
        assert_eq!(unflow("a \nb ", false), "a b ");
    }

    /// Returns how many parts a message has, and how many of them contain others.
    fn count(message: &Message<'_>) -> (usize, usize) {
        let mut counts = (message.parts.len(), 0);
        for part in &message.parts {
            match &part.body {
                PartType::Multipart(_) => counts.1 += 1,
                PartType::Message(within) => {
                    let (parts, containers) = count(within);
                    counts = (counts.0 + parts, counts.1 + containers + 1);
                }
                _ => {}
            }
        }
        counts
    }

    /// Pieces for random messages, valid and invalid.
    const PIECES: &[&str] = &[
        "--a",
        "--b",
        "--a--",
        "--b--",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "\t",
        "\u{c}",
        "text",
        ":",
        "Content-Type: multipart/mixed; boundary=a\n",
        "Content-Type: multipart/mixed;\n\tboundary=\"b\"\n",
        "Content-Type: multipart/digest; boundary=a\n",
        "Content-Type: multipart/alternative; boundary=(b)a\n",
        "content - type : Message/RFC822\n",
        "Content-Type:\n message/rfc822\n",
        "Content-Type: message/global; x=y\n",
        "Content-Type: text/plain\n",
        "Content-Transfer-Encoding: 8bit\n",
        "Subject: x\n",
        "Subject: x\n \n",
    ];

    #[test]
    fn a_field_about_contents_is_known_as_the_parser_knows_it() {
        let value = "a".repeat(limits::CONTENT_FIELD);
        for name in ["Content-Type", "content - type ", ":Content-Type"] {
            let text = format!("From: a@b.test\n{name}: text/plain; name={value}\n\nn>g5\n");
            assert_eq!(
                measure(text.as_bytes()).unwrap_err(),
                Excess::ContentField,
                "{name}"
            );
        }
    }

    #[test]
    fn there_are_no_more_parts_than_were_counted() {
        let mut rng = Rng::with_seed(2046);
        let mut nested = 0;
        for _ in 0..20_000 {
            let mut text = String::from("From: a@b.test\n");
            for _ in 0..rng.usize(1..40) {
                text.push_str(rng.choice(PIECES).expect("a piece"));
            }
            let Ok(measured) = measure(text.as_bytes()) else {
                continue;
            };
            let Some(message) = MessageParser::default().parse(text.as_bytes()) else {
                continue;
            };
            let (parts, containers) = count(&message);
            nested += usize::from(containers > 1);
            assert!(
                parts <= measured.0 && containers <= measured.1,
                "{parts} parts and {containers} that hold others, but measured {measured:?}: {text:?}"
            );
        }
        assert!(nested > 1000, "only {nested}");
    }

    const LETTER: &str = "From: ben@example.test\n\nn>g5\n";

    fn mixed(parts: &[&str]) -> String {
        let parts = parts.iter().map(|part| format!("--b\n{part}\n"));
        let parts: String = parts.collect();
        format!(
            "From: list@lists.test\nContent-Type: multipart/mixed; boundary=b\n\n{parts}--b--\n"
        )
    }

    #[test]
    fn a_letter_alone_or_beside_text_is_found() {
        let wrapped = format!("Content-Type: message/rfc822\n\n{LETTER}");
        let text = "Content-Type: text/plain\n\nThe list says so.\n";
        let html = "Content-Type: text/html\n\n<p>Look!\n";
        let found = |message: &str| {
            let found = wrapped_letter(message.as_bytes());
            found.map(|bytes| String::from_utf8(bytes).unwrap().trim().to_owned())
        };
        let alone = format!("From: list@lists.test\n{wrapped}");
        for message in [
            alone.clone(),
            mixed(&[&wrapped]),
            mixed(&[text, &wrapped]),
            mixed(&[text, &wrapped, text]),
        ] {
            assert_eq!(found(&message).as_deref(), Some(LETTER.trim()), "{message}");
        }
        for message in [
            mixed(&[text]),
            mixed(&[html, &wrapped]),
            mixed(&[&wrapped, &wrapped]),
            alone.replace("rfc822", "news"),
            LETTER.to_owned(),
            format!("{LETTER}message/rfc822\n"),
        ] {
            assert_eq!(found(&message), None, "{message}");
        }
    }
}
