//! Telling a machine's message from a person's, by what it says of itself.
//!
//! A machine is never answered: two programs that answer each other never stop
//! (RFC 3834).

use std::fmt;

use mail_parser::{HeaderName, Message, MimeHeaders};

/// Why a message is taken for a machine's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Machine {
    /// `Auto-Submitted` with a value other than `no`.
    AutoSubmitted,
    /// The return path is empty: nobody wants to hear of it.
    NoReturnPath,
    /// A delivery report or another `multipart/report`.
    Report,
    /// `Precedence: bulk`, `junk` or `list`.
    Bulk,
    /// It went out over a mailing list.
    List,
    /// One of the fields that vacation programs used before there was
    /// `Auto-Submitted`.
    AutoReply,
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Machine::AutoSubmitted => "a program sent it (Auto-Submitted)",
            Machine::NoReturnPath => "it has an empty return path",
            Machine::Report => "it is a delivery report",
            Machine::Bulk => "it is bulk mail (Precedence)",
            Machine::List => "it comes from a mailing list (List-Id)",
            Machine::AutoReply => "it is an automatic reply",
        })
    }
}

/// What shows that a machine made this message, if anything does.
#[must_use]
pub(super) fn detect(message: &Message<'_>) -> Option<Machine> {
    let field = |name: HeaderName<'static>| {
        message
            .headers()
            .iter()
            .find(|header| header.name == name)
            .map(|header| {
                let range = header.offset_start as usize..header.offset_end as usize;
                let raw = message.raw_message.get(range).unwrap_or_default();
                String::from_utf8_lossy(raw).trim().to_ascii_lowercase()
            })
    };
    let word = |text: &str| {
        let end = text.find([';', '(', ' ', '\t']).unwrap_or(text.len());
        text[..end].to_string()
    };
    let other = |name: &'static str| field(HeaderName::Other(name.into()));

    if field(HeaderName::AutoSubmitted).is_some_and(|value| word(&value) != "no") {
        return Some(Machine::AutoSubmitted);
    }
    if field(HeaderName::ReturnPath).is_some_and(|path| path.replace(' ', "") == "<>") {
        return Some(Machine::NoReturnPath);
    }
    let kind = message.content_type();
    if kind.is_some_and(|kind| kind.ctype() == "multipart" && kind.subtype() == Some("report")) {
        return Some(Machine::Report);
    }
    if field(HeaderName::ListId).is_some() {
        return Some(Machine::List);
    }
    if other("Precedence").is_some_and(|value| ["bulk", "junk", "list"].contains(&&*word(&value))) {
        return Some(Machine::Bulk);
    }
    [
        "X-Autoreply",
        "X-Autorespond",
        "X-Autoresponder",
        "X-Vacation",
    ]
    .iter()
    .any(|name| other(name).is_some_and(|value| value != "no"))
    .then_some(Machine::AutoReply)
}

#[cfg(test)]
mod tests {
    use mail_parser::MessageParser;

    use super::*;

    fn detect_in(fields: &str) -> Option<Machine> {
        let text = format!("From: a@b.test\n{fields}\n\nn>g5\n");
        detect(&MessageParser::default().parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn machines_are_seen() {
        for (fields, expected) in [
            ("Auto-Submitted: auto-replied", Machine::AutoSubmitted),
            (
                "auto-submitted: Auto-Generated; x=y",
                Machine::AutoSubmitted,
            ),
            ("Return-Path: <>", Machine::NoReturnPath),
            ("Return-path: < >", Machine::NoReturnPath),
            (
                "Content-Type: multipart/report; boundary=x",
                Machine::Report,
            ),
            (
                "Content-Type: Multipart/Report; boundary=x",
                Machine::Report,
            ),
            ("List-Id: <games.example.test>", Machine::List),
            ("Precedence: bulk", Machine::Bulk),
            ("Precedence: Junk", Machine::Bulk),
            ("precedence: list", Machine::Bulk),
            ("X-Autoreply: yes", Machine::AutoReply),
        ] {
            assert_eq!(detect_in(fields), Some(expected), "{fields}");
        }
    }

    #[test]
    fn people_are_left_alone() {
        for fields in [
            "Subject: x",
            "Auto-Submitted: no",
            "Auto-Submitted: NO (a person)",
            "Return-Path: <a@b.test>",
            "Precedence: first-class",
            "Content-Type: multipart/mixed; boundary=x",
        ] {
            assert_eq!(detect_in(fields), None, "{fields}");
        }
    }
}
