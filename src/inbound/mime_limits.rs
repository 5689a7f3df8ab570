//! MIME limits, checked before parsing.
//!
//! The parser has no limits: nested parts can exhaust the stack, and for each part
//! without an end it searches the rest of the message. So the check finds every place
//! where the parser can find a header: the beginning, the text after each boundary that
//! any header names, and the beginning of each message inside the message. Their count
//! is an upper bound of the number of parts.

use std::collections::BTreeSet;

use mail_parser::parsers::MessageStream;
use mail_parser::{GetHeader, HeaderName, HeaderValue, MessageParser};
use regex::bytes::Regex;

use crate::limits::{self, Excess};

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

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use mail_parser::{Message, PartType};

    use super::*;

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
}
