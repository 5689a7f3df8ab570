//! What the reader of a mail sees: who it is from and to, the subject, the text, and the parts
//! beside it. A program that shows a mail to a person shows this, and nothing as it is encoded.

use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};

/// A mail as its reader sees it, everything decoded.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MailParts {
    /// The sender.
    pub from: String,
    /// The recipients.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// The other parts, in their order.
    pub others: Vec<MailPart>,
}

/// A part of a mail beside its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MailPart {
    /// The type, such as `text/html`.
    pub kind: String,
    /// The name of an attachment.
    pub name: Option<String>,
    /// The id by which another part shows it, without brackets.
    pub content_id: Option<String>,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl MailParts {
    /// Reads a mail that this program has made. It knows no limits, so it is not for what
    /// comes from elsewhere. Returns `None` for bytes that are no mail.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_mail::message::parts::MailParts;
    ///
    /// let mail = b"From: Anna <anna@example.org>\nTo: ben@example.test\nSubject: =?utf-8?q?=C3=84?=\n\nYes!\n";
    /// let parts = MailParts::read(mail).expect("a mail");
    /// assert_eq!(parts.from, "Anna <anna@example.org>");
    /// assert_eq!(parts.subject, "Ä");
    /// assert_eq!(parts.text, "Yes!\n");
    /// ```
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<MailParts> {
        let message = MessageParser::default().parse(bytes)?;
        let text = message.text_body.first().copied();
        let is_text = |part: &MessagePart<'_>| matches!(part.body, PartType::Text(_));
        let mut parts = MailParts {
            from: mailboxes(message.from()),
            to: mailboxes(message.to()),
            subject: message.subject().unwrap_or_default().to_owned(),
            ..MailParts::default()
        };
        for (id, part) in (0..).zip(&message.parts) {
            if Some(id) == text && is_text(part) {
                let text = part.text_contents().unwrap_or_default();
                parts.text = text.replace("\r\n", "\n");
            } else if !matches!(part.body, PartType::Multipart(_)) {
                parts.others.push(MailPart::of(&message, part));
            }
        }
        Some(parts)
    }
}

/// Who has written a message and when, by its own account, for a person.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MailHead {
    /// The sender.
    pub from: String,
    /// The time, in RFC 3339, if there is one.
    pub date: Option<String>,
}

impl MailHead {
    /// Reads the head of a message that was found to be within the limits.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_mail::message::parts::MailHead;
    ///
    /// let head = MailHead::read(b"From: Ben <ben@example.test>\nDate: Fri, 20 Nov 2026 03:00:00 +0000\n\n");
    /// assert_eq!(head.from, "Ben <ben@example.test>");
    /// assert_eq!(head.date.as_deref(), Some("2026-11-20T03:00:00Z"));
    /// ```
    #[must_use]
    pub fn read(bytes: &[u8]) -> MailHead {
        let Some(message) = MessageParser::default().parse_headers(bytes) else {
            return MailHead::default();
        };
        MailHead {
            from: mailboxes(message.from()),
            date: message.date().map(mail_parser::DateTime::to_rfc3339),
        }
    }
}

impl MailPart {
    fn of(message: &Message<'_>, part: &MessagePart<'_>) -> MailPart {
        let kind = part.content_type().or_else(|| message.content_type());
        let kind = kind.map_or_else(
            || "text/plain".to_owned(),
            |kind| format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or_default()),
        );
        MailPart {
            kind,
            name: part.attachment_name().map(ToOwned::to_owned),
            content_id: part.content_id().map(ToOwned::to_owned),
            bytes: part.contents().to_vec(),
        }
    }
}

/// Writes addresses as a mail program shows them.
fn mailboxes(addresses: Option<&Address<'_>>) -> String {
    let addresses = addresses.into_iter().flat_map(Address::iter);
    let shown = addresses.map(|mailbox| {
        let address = mailbox.address().unwrap_or_default();
        match mailbox.name() {
            Some(name) => format!("{name} <{address}>"),
            None => address.to_owned(),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}
