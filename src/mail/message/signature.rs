//! What the signatures of a message (DKIM, RFC 6376) say they cover. Only the host that has checked
//! a signature knows whether it is valid.

use std::collections::HashSet;

use mail_parser::Message;

use crate::message::automated::fields;

/// The fields that a program may rely on and that a signature may leave open. `From` is not among
/// them, since every signature covers it.
const RELIED_ON: [&str; 10] = [
    "To",
    "Cc",
    "Date",
    "Subject",
    "Message-ID",
    "In-Reply-To",
    "References",
    "Chat-Edit",
    "Content-Type",
    "Content-Transfer-Encoding",
];

/// A signature in the header of a message, valid or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DkimSignature {
    /// The domain that has signed, in small letters; empty if the signature does not name it.
    pub domain: String,
    /// The fields of the message that it does not cover.
    open: Vec<&'static str>,
    /// True if it covers the whole body.
    is_whole: bool,
}

impl DkimSignature {
    /// Reads the signatures of a message.
    pub(super) fn all(message: &Message<'_>) -> Vec<DkimSignature> {
        let texts = fields(message, "DKIM-Signature");
        if texts.is_empty() {
            return Vec::new();
        }
        let counts = RELIED_ON.map(|name| {
            let headers = message.headers().iter();
            let same = headers.filter(|header| header.name().eq_ignore_ascii_case(name));
            (name, same.count())
        });
        let read = |text: &String| DkimSignature::read(text, &counts);
        texts.iter().map(read).collect()
    }

    /// Reads one signature; `counts` says how often the message has each field.
    fn read(text: &str, counts: &[(&'static str, usize)]) -> DkimSignature {
        let (mut domain, mut covered, mut is_whole) = (String::new(), HashSet::new(), true);
        for tag in text.split(';') {
            let Some((name, value)) = tag.split_once('=') else {
                continue;
            };
            let value: String = value.split_whitespace().collect();
            match name.trim() {
                "d" => domain = value.to_ascii_lowercase(),
                "h" => covered.extend(value.split(':').map(str::to_ascii_lowercase)),
                "l" => is_whole = false,
                _ => {}
            }
        }
        // If a field occurs more than once, the signature may cover another one than the program
        // reads.
        let is_open = |(name, count): &&(&'static str, usize)| {
            *count > 1 || *count == 1 && !covered.contains(&name.to_ascii_lowercase())
        };
        DkimSignature {
            domain,
            open: counts
                .iter()
                .filter(is_open)
                .map(|(name, _)| *name)
                .collect(),
            is_whole,
        }
    }

    /// Returns true if it covers the whole body and those of these fields that the message has,
    /// each of which must occur once.
    #[must_use]
    pub fn covers(&self, fields: &[&str]) -> bool {
        self.is_whole && !fields.iter().any(|field| self.open.contains(field))
    }
}

#[cfg(test)]
mod tests {
    use mail_parser::MessageParser;

    use super::*;

    fn covers(fields: &str, wanted: &[&str]) -> bool {
        let text = format!("From: a@b.test\n{fields}\n\nn>g5\n");
        let message = MessageParser::default().parse(text.as_bytes()).unwrap();
        let [signature] = DkimSignature::all(&message).try_into().unwrap();
        assert_eq!(signature.domain, "b.test");
        signature.covers(wanted)
    }

    #[test]
    fn a_signature_covers_what_it_names_and_what_occurs_once() {
        for (signature, rest, is_covered) in [
            ("h=from:to:date", "To: x@y.test\nDate: now", true),
            (
                "h = From : TO\n\t: daTe; bh=x",
                "to: x@y.test\ndate: now",
                true,
            ),
            // A missing field need not be covered.
            ("h=from", "Subject: x", true),
            ("h=from:date", "To: x@y.test\nDate: now", false),
            (
                "h=from:to:to:date",
                "To: x@y.test\nTo: z@y.test\nDate: now",
                false,
            ),
            ("h=from:to:date; l=100", "To: x@y.test\nDate: now", false),
            ("l=0; h=from:to:date", "To: x@y.test", false),
            ("s=h", "To: x@y.test", false),
            ("h=from:x-to:date", "To: x@y.test", false),
        ] {
            let field = format!("DKIM-Signature: v=1; d=B.test; {signature}; b=\n{rest}");
            assert_eq!(covers(&field, &["To", "Date"]), is_covered, "{field}");
        }
    }
}
