//! A message on its way out: its bytes, and what a transport needs to know of it.

use chrono::{DateTime, Utc};
use lettre::address::Envelope;
use lettre::message::Message;

use crate::message_id::MessageId;

/// An outgoing message.
#[derive(Clone, Debug)]
pub struct OutgoingMessage {
    message: Message,
    id: MessageId,
    time: DateTime<Utc>,
}

impl OutgoingMessage {
    /// Makes a message of the parts that the library has put together, with the id and the
    /// date that its header has.
    #[must_use]
    pub fn new(message: Message, id: MessageId, time: DateTime<Utc>) -> OutgoingMessage {
        OutgoingMessage { message, id, time }
    }

    /// Returns the Message-ID.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }

    /// Returns the sender and the recipient.
    #[must_use]
    pub fn envelope(&self) -> &Envelope {
        self.message.envelope()
    }

    /// Returns the message with CR LF line ends, without one after the last
    /// line.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.message.formatted();
        while bytes.ends_with(b"\r\n") {
            bytes.truncate(bytes.len() - 2);
        }
        bytes
    }

    /// Returns the message as a text file, with LF line ends.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        let mut text = self.bytes();
        text.retain(|byte| *byte != b'\r');
        text.push(b'\n');
        text
    }

    /// Returns the message as an entry of an mbox file, quoted as in mboxrd: a
    /// `>` precedes every line that is `From ` after any number of `>`.
    #[must_use]
    pub fn mbox_entry(&self) -> Vec<u8> {
        let sender = self.envelope().from();
        let sender = sender.map_or("MAILER-DAEMON", AsRef::as_ref);
        let date = self.time.format("%a %b %e %H:%M:%S %Y");
        let mut entry = format!("From {sender} {date}\n").into_bytes();
        for line in self.text().split_inclusive(|byte| *byte == b'\n') {
            let quotes = line.iter().take_while(|byte| **byte == b'>').count();
            if line[quotes..].starts_with(b"From ") {
                entry.push(b'>');
            }
            entry.extend_from_slice(line);
        }
        entry.push(b'\n');
        entry
    }

    /// Returns a file name without extension: the Message-ID before the `@`,
    /// which consists of letters, digits, `-` and `.`.
    #[must_use]
    pub fn file_name(&self) -> String {
        let id = self.id.as_str().trim_start_matches('<');
        id.chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.'))
            .collect()
    }
}
