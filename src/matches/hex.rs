//! Hexadecimal output.

/// The digits.
const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Writes each byte as two lower-case digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let mut text = String::with_capacity(2 * bytes.len());
    text.extend(digits.map(|digit| char::from(DIGITS[usize::from(digit)])));
    text
}
