//! The encoding of links, `%3A` for a colon.

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
