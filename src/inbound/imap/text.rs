//! The texts of commands: strings, names of folders, dates and sets of numbers.

use std::fmt::Write as _;

use base64::alphabet::IMAP_MUTF7;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};
use base64::{Engine as _, engine};
use chrono::NaiveDate;

/// Encodes bytes in Base64.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    engine::general_purpose::STANDARD.encode(bytes)
}

/// Returns a text between quotation marks, or none if it needs a literal.
#[must_use]
pub fn quoted(text: &str) -> Option<String> {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    is_plain.then(|| format!("\"{escaped}\""))
}

/// Encodes the name of a folder in the modified UTF-7 of RFC 3501, 5.1.3.
#[must_use]
pub fn folder(name: &str) -> String {
    const ENGINE: GeneralPurpose = GeneralPurpose::new(&IMAP_MUTF7, NO_PAD);
    let mut encoded = String::new();
    let mut foreign = Vec::new();
    let end = |foreign: &mut Vec<u8>, encoded: &mut String| {
        if !foreign.is_empty() {
            let _ = write!(encoded, "&{}-", ENGINE.encode(&foreign));
            foreign.clear();
        }
    };
    for c in name.chars() {
        if !matches!(c, ' '..='~') {
            let units = c.encode_utf16(&mut [0; 2]).to_vec();
            foreign.extend(units.into_iter().flat_map(u16::to_be_bytes));
            continue;
        }
        end(&mut foreign, &mut encoded);
        match c {
            '&' => encoded.push_str("&-"),
            c => encoded.push(c),
        }
    }
    end(&mut foreign, &mut encoded);
    encoded
}

/// Decodes the name of a folder. What is not in the modified UTF-7 stays as it is.
#[must_use]
pub fn folder_name(encoded: &[u8]) -> String {
    const ENGINE: GeneralPurpose = GeneralPurpose::new(&IMAP_MUTF7, NO_PAD);
    let encoded = String::from_utf8_lossy(encoded);
    let mut name = String::new();
    let mut rest = &*encoded;
    while let Some((plain, behind)) = rest.split_once('&') {
        name.push_str(plain);
        let Some((letters, behind)) = behind.split_once('-') else {
            return encoded.into_owned();
        };
        if letters.is_empty() {
            name.push('&');
        } else {
            let Ok(bytes) = ENGINE.decode(letters) else {
                return encoded.into_owned();
            };
            let units = bytes.chunks(2).map(|pair| match pair {
                [high, low] => u16::from_be_bytes([*high, *low]),
                _ => 0xFFFD,
            });
            name.extend(
                char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)),
            );
        }
        rest = behind;
    }
    name.push_str(rest);
    name
}

/// Writes a day as SEARCH takes it: `20-Nov-2026`.
#[must_use]
pub fn day(day: NaiveDate) -> String {
    day.format("%-d-%b-%Y").to_string()
}

/// Writes ascending numbers as a set: `3:5,9`.
#[must_use]
pub fn set(numbers: &[u32]) -> String {
    let mut set = String::new();
    let mut rest = numbers;
    while let Some(first) = rest.first() {
        let pairs = rest.windows(2);
        let run = 1 + pairs
            .take_while(|pair| pair[0].checked_add(1) == Some(pair[1]))
            .count();
        if !set.is_empty() {
            set.push(',');
        }
        let _ = match run {
            1 => write!(set, "{first}"),
            _ => write!(set, "{first}:{}", rest[run - 1]),
        };
        rest = &rest[run..];
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_are_read_back() {
        for name in ["INBOX", "A & B", "Entwürfe", "垃圾邮件", "a\u{1F600}-b", ""] {
            assert_eq!(folder_name(folder(name).as_bytes()), name);
        }
        for wrong in ["&", "a&b", "&!-"] {
            assert_eq!(folder_name(wrong.as_bytes()), wrong);
        }
    }

    #[test]
    fn names_of_folders_are_encoded_as_the_rfc_shows() {
        for (name, encoded) in [
            ("INBOX", "INBOX"),
            ("A & B", "A &- B"),
            ("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"),
            ("Gäste", "G&AOQ-ste"),
            ("♟😀", "&Jl,YPd4A-"),
        ] {
            assert_eq!(folder(name), encoded);
        }
    }

    #[test]
    fn texts_sets_and_days_are_written_as_commands_take_them() {
        assert_eq!(quoted("a \"b\" \\").unwrap(), r#""a \"b\" \\""#);
        assert_eq!(quoted("ä"), None);
        assert_eq!(quoted("a\r\nb"), None);
        assert_eq!(set(&[]), "");
        assert_eq!(set(&[1, 2, 3, 5, 7, 8, u32::MAX]), "1:3,5,7:8,4294967295");
        assert_eq!(day("2026-11-02".parse().unwrap()), "2-Nov-2026");
    }
}
