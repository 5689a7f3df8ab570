//! Reads delivery reports (RFC 3464): what a mail server says became of a mail of ours.
//!
//! Anybody can write one. What it says counts only for a mail that its writer can have
//! seen, and should do no more than have that mail sent to its own recipient once again.

use lettre::Address;
use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use crate::message::automated::fields;
use crate::message_id::MessageId;

/// The most recipients of a report that are read. A mail of ours has one.
const RECIPIENTS: usize = 20;

/// The most characters of a server's words about a recipient.
const WORDS: usize = 500;

/// The most bytes of the fields that are read of a part. Those of a report about a mail
/// of ours have a few thousand.
const FIELDS: usize = 64 << 10;

/// A delivery report about one mail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeliveryReport {
    /// The Message-ID of the mail.
    pub message: MessageId,
    /// The recipients that the mail did not reach, for good.
    pub failed: Vec<FailedRecipient>,
}

/// A recipient that a mail did not reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailedRecipient {
    /// The address that the mail was sent to, and what servers on its way have made of
    /// it.
    pub addresses: Vec<Address>,
    /// The status and the server's words, on one line.
    pub reason: String,
}

impl DeliveryReport {
    /// Reads the delivery report in a message. Returns none if it is not one, if its
    /// return path says that a person sent it, if it returns no mail or several, or if it
    /// says of no recipient that delivery has failed for good. Takes time linear in the
    /// message.
    #[must_use]
    pub(super) fn read(message: &Message<'_>) -> Option<DeliveryReport> {
        let kind = message.content_type()?;
        let is_report = kind.ctype().eq_ignore_ascii_case("multipart")
            && is(kind.subtype(), &["report"])
            && is(kind.attribute("report-type"), &["delivery-status"]);
        // The topmost field is the one that our own server has added.
        let path = fields(message, "Return-Path").into_iter().next();
        let is_null = path.is_none_or(|path| {
            let signs = path.chars().filter(|c| !c.is_ascii_whitespace());
            signs.eq("<>".chars())
        });
        if !is_report || !is_null {
            return None;
        }
        let status = only(parts(
            message,
            "message",
            &["delivery-status", "global-delivery-status"],
        ))?;
        let headers = parts(message, "text", &["rfc822-headers"])
            .chain(parts(message, "message", &["global-headers"]))
            .chain(parts(message, "message", &["rfc822", "global"]));
        let returned = header_of(bytes(message, only(headers)?));
        let fields: Vec<(String, String)> = fields_of(bytes(message, status)).collect();
        let blocks = fields.split(|(name, _)| name.is_empty());
        let failed: Vec<FailedRecipient> = blocks.filter_map(failed).take(RECIPIENTS).collect();
        let ids = fields_of(returned).filter(|(name, _)| name.eq_ignore_ascii_case("message-id"));
        let (_, id) = only(ids)?;
        let message = id.parse().ok()?;
        (!failed.is_empty()).then_some(DeliveryReport { message, failed })
    }
}

/// Returns the only item, if there is exactly one.
pub(super) fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    match (items.next(), items.next()) {
        (only, None) => only,
        _ => None,
    }
}

fn is(word: Option<&str>, words: &[&str]) -> bool {
    word.is_some_and(|word| words.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// Returns the parts of a report that have this type, its own and not those of a message
/// in it.
fn parts<'m>(
    message: &'m Message<'m>,
    kind: &'static str,
    subkinds: &'static [&'static str],
) -> impl Iterator<Item = &'m MessagePart<'m>> {
    let own: &[_] = match message.parts.first().map(|root| &root.body) {
        Some(PartType::Multipart(own)) => own,
        _ => &[],
    };
    let parts = own.iter().filter_map(|at| message.parts.get(*at as usize));
    parts.filter(move |part| {
        part.content_type().is_some_and(|content| {
            content.ctype().eq_ignore_ascii_case(kind) && is(content.subtype(), subkinds)
        })
    })
}

/// Returns the bytes of a part without its transfer encoding.
fn bytes<'m>(message: &'m Message<'m>, part: &'m MessagePart<'m>) -> &'m [u8] {
    match &part.body {
        PartType::Text(text) | PartType::Html(text) => text.as_bytes(),
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) => bytes,
        PartType::Message(inner) => inner.raw_message(),
        PartType::Multipart(_) => {
            let range = part.raw_body_offset() as usize..part.raw_end_offset() as usize;
            message.raw_message.get(range).unwrap_or_default()
        }
    }
}

/// Returns the bytes of a mail above its first empty line.
fn header_of(bytes: &[u8]) -> &[u8] {
    let bytes = &bytes[..bytes.len().min(FIELDS)];
    let mut end = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if line.trim_ascii().is_empty() {
            break;
        }
        end += line.len();
    }
    &bytes[..end]
}

/// Iterates over fields, unfolded. An empty line is a field with an empty name. A line
/// that is none is left out, and so is what is beyond the limit.
fn fields_of(bytes: &[u8]) -> std::vec::IntoIter<(String, String)> {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(FIELDS)]);
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if line.trim().is_empty() {
            fields.push((String::new(), String::new()));
        } else if let (true, Some((name, value))) =
            (line.starts_with([' ', '\t']), fields.last_mut())
        {
            if !name.is_empty() {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some((name, value)) = line.split_once(':') {
            fields.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    fields.into_iter()
}

/// Reads what became of a recipient, if delivery has failed for good.
fn failed(block: &[(String, String)]) -> Option<FailedRecipient> {
    let field = |name: &str| {
        let mut found = block.iter();
        let found = found.find(|(field, _)| field.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    };
    let word = |name| field(name)?.split([' ', '\t', '(', ';']).next();
    let status = word("Status").filter(|status| is_failure(status))?;
    if !is(word("Action"), &["failed"]) {
        return None;
    }
    let values = [field("Original-Recipient"), field("Final-Recipient")];
    let addresses = values.into_iter().flatten().flat_map(addresses).collect();
    let words = field("Diagnostic-Code").unwrap_or_default();
    let reason = format!("{status} {words}");
    Some(FailedRecipient {
        addresses,
        reason: reason.trim().chars().take(WORDS).collect(),
    })
}

/// Returns true for a status `5.x.x` or `4.x.x` of RFC 3463. A server that has given up after days
/// still tells the trouble that passes, but its action is final (RFC 3464, 2.3.3).
fn is_failure(status: &str) -> bool {
    let mut numbers = status.split('.');
    let is_number = |text: &str| {
        (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    matches!(numbers.next(), Some("4" | "5"))
        && numbers.next().is_some_and(is_number)
        && numbers.next().is_some_and(is_number)
        && numbers.next().is_none()
}

/// Reads the address of a recipient, `rfc822; somebody@example.org`. Some servers leave
/// it in the form of SMTP, with `+2B` for `+`.
fn addresses(value: &str) -> Vec<Address> {
    let Some((kind, address)) = value.split_once(';') else {
        return Vec::new();
    };
    if !is(Some(kind.trim()), &["rfc822", "utf-8"]) {
        return Vec::new();
    }
    let address = address.trim();
    let address = address.strip_prefix('<').unwrap_or(address);
    let address = address.strip_suffix('>').unwrap_or(address);
    let mut forms = vec![address.to_owned()];
    if address.contains("+2B") || address.contains("+3D") {
        forms.push(address.replace("+2B", "+").replace("+3D", "="));
    }
    let forms = forms.into_iter();
    forms.filter_map(|form| form.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use mail_parser::MessageParser;

    use super::*;

    fn report(top: &str, status: &str, returned: &str) -> String {
        format!(
            "{top}From: MAILER-DAEMON@a.test\nContent-Type: multipart/report;\n report-type=delivery-status; boundary=x\n\n\
             --x\n\nIt has failed.\n--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; a.test\n\n{status}\n\
             --x\n{returned}\n--x--\n"
        )
    }

    fn read(text: &str) -> Option<DeliveryReport> {
        DeliveryReport::read(&MessageParser::default().parse(text.as_bytes()).unwrap())
    }

    const STATUS: &str = "Final-Recipient: rfc822; b@b.test\nOriginal-Recipient: rfc822;b+2Bx@c.test\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no\n  such user\n";
    const RETURNED: &str =
        "Content-Type: text/rfc822-headers\n\nSubject: x\nMessage-ID:\n <m.3.x@y.test>\n";

    #[test]
    fn a_report_says_which_mail_has_not_reached_whom() {
        let found = read(&report("Return-Path: <>\n", STATUS, RETURNED)).unwrap();
        assert_eq!(found.message.as_str(), "<m.3.x@y.test>");
        let [failed] = found.failed.as_slice() else {
            panic!("{found:?}");
        };
        let addresses: Vec<&str> = failed.addresses.iter().map(AsRef::as_ref).collect();
        assert_eq!(addresses, ["b+2Bx@c.test", "b+x@c.test", "b@b.test"]);
        assert_eq!(failed.reason, "5.1.1 smtp; 550 no such user");
        let whole = "Content-Type: message/rfc822\n\nSubject: x\nMessage-ID: <m.3.x@y.test>\n\nMessage-ID: <other@y.test>\n";
        for text in [
            report("", STATUS, whole),
            report(
                "return-path: < >\nReturn-Path: <a@a.test>\n",
                STATUS,
                RETURNED,
            ),
            report("", STATUS, RETURNED).replace('\n', "\r\n"),
            report("", &STATUS.replace("failed", "Failed (for good)"), RETURNED),
        ] {
            let again = read(&text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(again, found, "{text}");
        }
    }

    /// The reading of a part is bounded, however long the part is.
    #[test]
    fn a_long_report_costs_no_more_than_a_short_one() {
        let padded = format!("{}\n{}", "a:b\n".repeat(FIELDS), STATUS);
        assert_eq!(read(&report("", &padded, RETURNED)), None);
        let behind = format!("{STATUS}\n{}", "a:b\n".repeat(FIELDS));
        assert!(read(&report("", &behind, RETURNED)).is_some());
        let body = format!(
            "Content-Type: message/rfc822\n\nMessage-ID: <m.3.x@y.test>\n\n{}",
            "a:b\n".repeat(FIELDS)
        );
        assert!(read(&report("", STATUS, &body)).is_some());
    }

    /// Went wrong: a mail that a server had given up after days was told nowhere.
    #[test]
    fn a_server_that_gives_up_after_days_has_failed_for_good() {
        for status in ["4.4.1", "4.4.7", "4.0.0"] {
            let status = STATUS.replace("5.1.1", status);
            assert!(read(&report("", &status, RETURNED)).is_some(), "{status}");
        }
    }

    #[test]
    fn what_is_no_failure_for_good_is_no_report() {
        for status in [
            STATUS.replace("failed", "delayed"),
            STATUS.replace("failed", "delivered"),
            STATUS.replace("5.1.1", "2.1.1"),
            STATUS.replace("5.1.1", "5.1"),
            STATUS.replace("5.1.1", "5.1.1.1"),
            STATUS.replace("5.1.1", "50.1.1"),
            STATUS.replace("Status:", "X-Status:"),
            String::new(),
            // Two recipients, each half of a failure.
            "Action: failed\nStatus: 2.0.0\n\nAction: delayed\nStatus: 5.0.0\n".to_owned(),
        ] {
            assert_eq!(read(&report("", &status, RETURNED)), None, "{status}");
        }
        for (top, returned) in [
            ("Return-Path: <b@b.test>\n", RETURNED),
            ("Return-Path: <b@b.test>\nReturn-Path: <>\n", RETURNED),
            (
                "",
                "Content-Type: text/plain\n\nMessage-ID: <m.3.x@y.test>\n",
            ),
            ("", "Content-Type: text/rfc822-headers\n\nSubject: x\n"),
            (
                "",
                "Content-Type: text/rfc822-headers\n\nMessage-ID: <m.3.x@y.test>\nMessage-ID: <n.3.x@y.test>\n",
            ),
        ] {
            assert_eq!(read(&report(top, STATUS, returned)), None, "{returned}");
        }
        let other = report("", STATUS, RETURNED);
        for (from, to) in [
            (
                "report-type=delivery-status",
                "report-type=disposition-notification",
            ),
            ("multipart/report", "multipart/mixed"),
            ("message/delivery-status", "text/plain"),
        ] {
            assert_eq!(read(&other.replace(from, to)), None, "{to}");
        }
    }
}
