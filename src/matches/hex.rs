//! Bytes in hexadecimal digits.

use std::fmt::Write as _;

/// Writes two small digits a byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
