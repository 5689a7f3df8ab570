//! The Message-ID of a mail.

use std::fmt::{self, Write};
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// A Message-ID with its angle brackets, safe to write into a log or a header:
/// printable ASCII without blanks or further brackets, and not too long.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MessageId(String);

impl MessageId {
    /// The maximum number of characters, including the brackets. A header line
    /// has at most 998; the ids of mail programs are far shorter.
    pub const MOST: usize = 250;

    /// Derives an id from the contents of a message, for a message without a valid
    /// id. The same contents give the same id, so that a second copy is recognised.
    pub fn derived<'a>(contents: impl IntoIterator<Item = &'a [u8]>) -> MessageId {
        let mut hash = Sha256::new();
        for part in contents {
            // The length distinguishes "ab", "c" from "a", "bc".
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        MessageId(format!("<{}@derived.invalid>", hex(&hash.finalize()[..16])))
    }

    /// Returns the id without its angle brackets.
    #[must_use]
    pub fn bare(&self) -> &str {
        &self.0[1..self.0.len() - 1]
    }

    /// Returns the id with its angle brackets.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Writes bytes as digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The error for a text that is not a Message-ID.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a Message-ID")]
pub struct ParseMessageIdError;

impl FromStr for MessageId {
    type Err = ParseMessageIdError;

    /// Parses an id with or without its angle brackets.
    fn from_str(text: &str) -> Result<MessageId, ParseMessageIdError> {
        let text = text.trim();
        let inner = text
            .strip_prefix('<')
            .map_or(Some(text), |rest| rest.strip_suffix('>'))
            .ok_or(ParseMessageIdError)?;
        let plain = inner
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'<' && byte != b'>');
        if inner.is_empty() || !plain || inner.len() + 2 > MessageId::MOST {
            return Err(ParseMessageIdError);
        }
        Ok(MessageId(format!("<{inner}>")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_added_and_kept() {
        for text in ["<a@b.test>", "a@b.test", " <a@b.test> "] {
            assert_eq!(text.parse::<MessageId>().unwrap().as_str(), "<a@b.test>");
        }
    }

    #[test]
    fn what_would_break_a_log_line_is_no_id() {
        for text in [
            "",
            "<>",
            "<a b@c>",
            "<a\u{7}@c>",
            "<ä@c>",
            "<a@c",
            "<a@c><d@e>",
            "<a\n@c>",
        ] {
            assert_eq!(
                text.parse::<MessageId>(),
                Err(ParseMessageIdError),
                "{text:?}"
            );
        }
        let long = format!("<{}@b>", "a".repeat(MessageId::MOST));
        assert_eq!(long.parse::<MessageId>(), Err(ParseMessageIdError));
    }

    #[test]
    fn a_derived_id_can_be_read_back_and_tells_contents_apart() {
        let one = MessageId::derived([&b"ab"[..], b"c"]);
        assert_eq!(one.as_str().parse::<MessageId>().unwrap(), one);
        assert_ne!(one, MessageId::derived([&b"a"[..], b"bc"]));
        assert_eq!(one, MessageId::derived([&b"ab"[..], b"c"]));
    }
}
