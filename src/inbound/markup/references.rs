//! Text whose references to characters are still undecoded.

/// Stands for a `<` in the text of a reduced document. The library reads it many times
/// faster than a character reference. A document that has this character, which no text
/// may, could as well have the `<`.
pub(in crate::inbound) const LESS: &str = "\u{fdd0}";

/// Returns a text with a blank for each character reference.
pub(super) fn without_references(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        plain.push_str(before);
        plain.push(' ');
        let end = behind.find(|c: char| !c.is_ascii_alphanumeric() && c != '#');
        let behind = &behind[end.unwrap_or(behind.len())..];
        rest = behind.strip_prefix(';').unwrap_or(behind);
    }
    (plain + rest).replace(LESS, "<")
}

/// Returns a number of bytes that a text surely comes to: blanks may be dropped, and
/// references stand for fewer bytes than they have.
pub(super) fn least_shown(text: &str) -> usize {
    let mut is_reference = false;
    let mut count = text.matches(LESS).count();
    for byte in text.bytes() {
        match byte {
            b'&' => is_reference = true,
            _ if is_reference && (byte.is_ascii_alphanumeric() || byte == b'#') => {}
            _ => {
                is_reference = false;
                count += usize::from(byte.is_ascii_graphic() && byte != b';');
            }
        }
    }
    count
}
