//! The addresses in the fields of a message.

use lettre::Address;
use mail_parser::{Addr, HeaderName, HeaderValue, Message};

use crate::limits;
use crate::message::delivery_report::only;

/// The fields that name the writer of what a mailing list sends on under its own address.
pub(super) const WRITERS: &[&str] = &["Reply-To", "X-Original-From", "X-Original-Sender"];

/// The fields that name whom a message went to.
pub(super) const RECIPIENTS: &[&str] = &["To", "Cc"];

/// Returns the only address of the only From field. In `Weiss, Anna <anna@a.test>` the comma parts
/// a name.
pub(super) fn sender(message: &Message<'_>) -> Option<Address> {
    let field = only(message.header_values(HeaderName::From))?;
    let has_address = |sender: &&Addr<'_>| {
        let mut texts = [sender.name(), sender.address()].into_iter().flatten();
        texts.any(|text| text.contains('@'))
    };
    let senders = field.as_address()?;
    let sender = only(senders.iter().filter(has_address))?;
    let is_alone = senders.iter().count() == 1;
    (is_alone || sender.name().is_some()).then_some(())?;
    sender.address()?.parse().ok()
}

/// Returns the addresses in these fields.
pub(super) fn addresses(message: &Message<'_>, names: &[&str]) -> Vec<Address> {
    let is_one = |found: &str| names.iter().any(|name| name.eq_ignore_ascii_case(found));
    let fields = message.headers().iter();
    let fields = fields.filter(|header| is_one(header.name()));
    let found = fields.flat_map(|header| match &header.value {
        HeaderValue::Address(list) => list.iter().filter_map(Addr::address).collect(),
        // Fields that the parser does not know are text.
        HeaderValue::Text(text) => vec![within_brackets(text)],
        _ => Vec::new(),
    });
    let found = found.filter_map(|text| text.parse().ok());
    found.take(limits::ADDRESSES).collect()
}

/// Returns what stands in the last angle brackets of a text, else the text.
fn within_brackets(text: &str) -> &str {
    let inside = text.rsplit_once('<').map(|(_, rest)| rest);
    let inside = inside.and_then(|rest| rest.strip_suffix('>'));
    inside.unwrap_or(text).trim()
}
