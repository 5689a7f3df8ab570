//! The encodings in which lists in Japanese signs lie on disks.

use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS};

use crate::notation::kif::row::Row;

/// Decodes a list in Japanese signs, or returns none if the text is none, or in Unicode.
#[must_use]
pub(crate) fn decode(bytes: &[u8]) -> Option<String> {
    let encodings: &[&'static Encoding] = match std::str::from_utf8(bytes) {
        Ok(text) if text.contains("\u{1b}$") => &[ISO_2022_JP],
        Ok(_) => return None,
        Err(_) if Encoding::for_bom(bytes).is_some() => return None,
        Err(_) => &[SHIFT_JIS, EUC_JP],
    };
    let decoded = encodings.iter().filter_map(|encoding| {
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        let faults = text.matches(char::REPLACEMENT_CHARACTER).count();
        is_list(&text).then(|| (faults, text.into_owned()))
    });
    let (_, text) = decoded.min_by_key(|(faults, _)| *faults)?;
    Some(text)
}

/// Returns true if a text, quoted or not, has a line of a list in Japanese signs, or of a board with
/// pieces in hand.
fn is_list(text: &str) -> bool {
    let is_move = |line: &str| {
        let line = line.trim_start_matches(['>', ' ']);
        matches!(Row::read(line), Row::Moves { .. })
    };
    ["手合割", "持駒", "持ち駒"]
        .iter()
        .any(|word| text.contains(word))
        || text.lines().any(is_move)
}
