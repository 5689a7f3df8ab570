//! Hexadecimal output.

use std::fmt::Write as _;

/// Writes each byte as two lower-case digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
