//! What following a link does, told by its target: one of ours writes a mail with a move, or a part of
//! one. Its signs are encoded, `%3A` for a colon, by us and by each gateway on its way.

/// The most encodings of a link: by us, and by the gateways on its way.
pub(super) const ENCODINGS: usize = 4;

/// The words that only a message of one of our links has, without signs and blanks.
const OURS: [&str; 3] = ["answercode", "halfmovesmade", "halfmovemade"];

/// Returns true if following the link writes a mail that has a subject or a text. The
/// target may be in any form in which a mail program or a gateway hands it on.
pub(super) fn is_tap(target: &str) -> bool {
    let is_kept = |c: &char| !c.is_whitespace();
    let plain: String = target.chars().filter(is_kept).collect();
    let mut plain = plain.to_ascii_lowercase().replace("&amp;", "&");
    for _ in 0..ENCODINGS {
        if writes_mail(&plain) {
            return true;
        }
        if !plain.contains('%') {
            return false;
        }
        plain = decoded(&plain, |_| true).to_ascii_lowercase();
    }
    writes_mail(&plain)
}

fn writes_mail(plain: &str) -> bool {
    // An address may have the sign, too: `ben?x@example.org`.
    let is_link = |link: &str| {
        let (address, fields) = link.split_once('?').unwrap_or_default();
        (address.is_empty() || address.contains(['@', '%'])) && fields.contains(['=', '%'])
    };
    let mut links = plain.split("mailto:").skip(1);
    links.any(is_link) || is_of_message(plain)
}

/// Returns true if a text has what only a message that one of our links writes has: the
/// id line or the answer code.
pub(super) fn is_of_message(text: &str) -> bool {
    let letters = letters(text);
    OURS.iter().any(|word| letters.contains(word))
}

/// Returns the letters and digits of a text, in small letters.
pub(super) fn letters(text: &str) -> String {
    let letters = text.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

/// Decodes those of `%3A` and the like that stand for a byte that `is_meant`, once. What is
/// encoded wrongly stays.
pub(super) fn decoded(text: &str, is_meant: impl Fn(u8) -> bool) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if let Some(byte) = escaped(&bytes[at..]).filter(|byte| is_meant(*byte)) {
            plain.push(byte);
            at += 3;
        } else {
            plain.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// Returns the byte that a text begins with in its encoded form.
pub(super) fn escaped(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else {
        return None;
    };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}
