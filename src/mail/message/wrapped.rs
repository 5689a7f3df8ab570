//! The letter that a mailing list has put whole into a message of its own: Mailman does so if its
//! `dmarc_moderation_action` is to wrap, with a text above and a footer below, or with neither.

use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders as _, PartType};

use crate::message::delivery_report::only;

/// Returns the bytes of the letter in a message that is one and nothing else, but for plain text.
/// The message must be within the limits.
pub(super) fn letter(bytes: &[u8]) -> Option<Vec<u8>> {
    // Most messages have none, and are read but once.
    let is_named = bytes
        .windows(NAME.len())
        .any(|name| name.eq_ignore_ascii_case(NAME));
    if !is_named {
        return None;
    }
    let message = MessageParser::default().parse(bytes)?;
    match &found(&message)?.body {
        PartType::Message(letter) => Some(letter.raw_message().to_vec()),
        _ => None,
    }
}

/// The type of a part that is a letter.
const NAME: &[u8] = b"message/rfc822";

/// Returns the part that has the letter.
fn found<'m>(message: &'m Message<'m>) -> Option<&'m MessagePart<'m>> {
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
    use super::letter;

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
            let found = letter(message.as_bytes());
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
